"""Small pages with symbols on them, and their truth as PAGE XML, for tests of symbol spotting."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from spotlab.formats.truth import page_xml
from spotlab.model import Page, Region, Truth

WIDTH, HEIGHT = 420, 300
# what each page has: label, x and y of its left upper corner, side in px
PAGES = (
    (("target", 30, 30, 60), ("house", 150, 40, 60), ("target", 260, 160, 72)),
    (("house", 40, 150, 50), ("window", 200, 60, 60), ("target", 300, 40, 60)),
    (("window", 40, 40, 66), ("house", 180, 180, 60), ("house", 300, 60, 66)),
)


def draw(pixels: np.ndarray, label: str, x: int, y: int, side: int) -> None:
    """A symbol of closed contours in a square."""
    cv2.rectangle(pixels, (x, y), (x + side, y + side), 0, 2)
    half, third = side // 2, side // 3
    if label == "target":
        cv2.circle(pixels, (x + half, y + half), third, 0, 2)
    elif label == "house":
        roof = [(x + 8, y + half), (x + half, y + 8), (x + side - 8, y + half)]
        cv2.polylines(pixels, [np.array(roof)], True, 0, 2)
        cv2.rectangle(pixels, (x + 14, y + half + 6), (x + side - 14, y + side - 6), 0, 2)
    else:
        cv2.line(pixels, (x + third, y), (x + third, y + side), 0, 2)
        cv2.line(pixels, (x, y + half), (x + side, y + half), 0, 2)


def write_drawings(folder: Path, count: int = 3) -> list[Path]:
    """Pages ``plan_1.png`` and so on with their truth beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    images = []
    for number in range(count):
        pixels = np.full((HEIGHT, WIDTH), 255, np.uint8)
        shift = 4 * (number // len(PAGES))  # no two pages are the same
        regions = []
        for label, x, y, side in PAGES[number % len(PAGES)]:
            draw(pixels, label, x + shift, y, side)
            left, top, right, bottom = x + shift - 1, y - 1, x + shift + side + 2, y + side + 2
            corners = ((left, top), (right, top), (right, bottom), (left, bottom))
            regions.append(Region(corners, label, id=f"r{len(regions)}"))
        image = folder / f"plan_{number + 1}.png"
        cv2.imwrite(str(image), pixels)
        truth = Truth(Page(image, WIDTH, HEIGHT), tuple(regions))
        page_xml.write(truth, image.with_suffix(".xml"))
        images.append(image)
    return images
