"""A thousand small pages with truth, and a run of a million spots on them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.formats.truth import page_xml
from spotlab.geometry.polygon import Outlines
from spotlab.model import Page, Region, Run, Truth

PAGES, QUERIES, SYMBOLS, SIDE, CORNERS = 1000, 38, 8, 1000, 12  # symbols are of each page


def make_truths(folder: Path = Path(), seed: int = 3) -> dict[str, Truth]:
    """White pages with eight symbols each."""
    random = np.random.default_rng(seed)
    truths = {}
    for number in range(PAGES):
        centre = random.uniform(100, SIDE - 100, (SYMBOLS, 2))
        rings = np.rint(_rings(centre, random.uniform(20, 60, SYMBOLS), random)).tolist()
        labels = random.integers(0, QUERIES, SYMBOLS).tolist()
        regions = tuple(
            Region(tuple(map(tuple, ring)), f"symbol {label:02}", f"r{at}")
            for at, (ring, label) in enumerate(zip(rings, labels, strict=True))
        )
        page = Page(folder / f"page_{number:04}.png", SIDE, SIDE)
        truths[page.name] = Truth(page, regions)
    return truths


def make_run(truths: dict[str, Truth], spots: int, seed: int = 4) -> Run:
    """A third of the spots near a symbol of their query, the rest anywhere."""
    random = np.random.default_rng(seed)
    known = [(page, region) for page, truth in truths.items() for region in truth.regions]
    bounds = np.array([region.bounds for _, region in known])
    middle, size = (bounds[:, :2] + bounds[:, 2:]) / 2, (bounds[:, 2:] - bounds[:, :2]).mean(axis=1)
    near, symbol = random.random(spots) < 1 / 3, random.integers(0, len(known), spots)
    centre = random.uniform(80, SIDE - 80, (spots, 2))
    centre[near] = middle[symbol[near]] + random.normal(0, 12, (int(near.sum()), 2))
    radius = np.where(near, size[symbol] / 2, 42) * random.uniform(0.4, 1.6, spots)
    points = np.rint(_rings(centre, radius, random)).reshape(-1, 2)
    pages, labels = np.array([page for page, _ in known]), np.array([r.label for _, r in known])
    elsewhere = random.integers(0, len(known), (2, spots))
    page = pages[np.where(near, symbol, elsewhere[0])].tolist()
    query = labels[np.where(near, symbol, elsewhere[1])].tolist()
    score = np.round(np.where(near, 0.6, 0.4) + random.normal(0, 0.15, spots), 5)
    offsets = np.arange(0, (spots + 1) * CORNERS, CORNERS, dtype=np.int64)
    return Run.ordered("million", query, page, Outlines(points, offsets), score=score)


def write_pages(folder: Path, truths: dict[str, Truth]) -> None:
    """The pages with their truth beside them."""
    image = Image.new("1", (SIDE, SIDE), 1)
    for truth in truths.values():
        path = folder / truth.page.image.name
        image.save(path)
        page_xml.write(Truth(Page(path, SIDE, SIDE), truth.regions), path.with_suffix(".xml"))


def _rings(
    centre: NDArray[np.float64], radius: NDArray[np.float64], random: np.random.Generator
) -> NDArray[np.float64]:
    """(n, 12, 2) star-shaped outlines, convex or not."""
    angle = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    around = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    wobble = random.uniform(0.8, 1.2, (len(centre), CORNERS, 1))
    return centre[:, None] + around * wobble * radius[:, None, None]
