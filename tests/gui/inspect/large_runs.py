"""Runs and truth of the size of the paper's collection and beyond, for benchmarks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from spotlab.formats.truth import page_xml
from spotlab.geometry.polygon import Outlines
from spotlab.model import Page, Region, Run, Truth

PAGES, QUERIES, SYMBOLS = 42, 38, 344  # Rusiñol & Lladós, §5.3
WIDTH, HEIGHT = 3215, 2064
CORNERS = 12


def make_truths(seed: int = 1, folder: Path = Path()) -> dict[str, Truth]:
    """Forty-two pages with 344 symbols of 38 labels, twelve corners each."""
    random = np.random.default_rng(seed)
    page = random.integers(0, PAGES, SYMBOLS)
    label = random.integers(0, QUERIES, SYMBOLS)
    rings = _rings(_centres(random, SYMBOLS), random.uniform(40, 130, SYMBOLS), random)
    truths = {}
    for number in range(PAGES):
        image = Page(folder / f"plan_{number:02}.png", WIDTH, HEIGHT)
        regions = [
            Region(tuple(map(tuple, np.rint(rings[index]).tolist())), f"symbol {label[index]:02}",
                   f"r{index}")
            for index in np.flatnonzero(page == number)
        ]  # fmt: skip
        truths[image.name] = Truth(image, tuple(regions))
    return truths


def make_run(truths: dict[str, Truth], spots: int, seed: int = 2, name: str = "large") -> Run:
    """A run of this many spots: a third near a symbol of its query, the rest anywhere."""
    random = np.random.default_rng(seed)
    known = [(page, region) for page, truth in truths.items() for region in truth.regions]
    pages = sorted(truths)
    near = random.random(spots) < 1 / 3
    symbol = random.integers(0, len(known), spots)
    bounds = np.array([region.bounds for _, region in known])
    middle = (bounds[:, :2] + bounds[:, 2:]) / 2
    size = (bounds[:, 2:] - bounds[:, :2]).mean(axis=1) / 2
    centre = np.where(
        near[:, None], middle[symbol] + random.normal(0, 25, (spots, 2)), _centres(random, spots)
    )
    radius = np.where(near, size[symbol] * random.uniform(0.7, 1.3, spots),
                      random.uniform(30, 140, spots))  # fmt: skip
    points = np.rint(_rings(centre, radius, random)).reshape(-1, 2)
    page_of = [known[at][0] if here else pages[other] for at, here, other in zip(
        symbol.tolist(), near.tolist(), random.integers(0, len(pages), spots).tolist(), strict=True
    )]  # fmt: skip
    query_of = [known[at][1].label if here else f"symbol {other:02}" for at, here, other in zip(
        symbol.tolist(), near.tolist(), random.integers(0, QUERIES, spots).tolist(), strict=True
    )]  # fmt: skip
    score = np.round(np.where(near, 0.6, 0.4) + random.normal(0, 0.15, spots), 5)
    offsets = np.arange(0, (spots + 1) * CORNERS, CORNERS, dtype=np.int64)
    return Run.ordered(name, query_of, page_of, Outlines(points, offsets), score=score)


def write_collection(folder: Path, truths: dict[str, Truth]) -> None:
    """White pages with their truth beside them."""
    image = Image.new("L", (WIDTH, HEIGHT), 255)
    for truth in truths.values():
        path = folder / truth.page.image.name
        image.save(path)
        page_xml.write(Truth(Page(path, WIDTH, HEIGHT), truth.regions), path.with_suffix(".xml"))


def _centres(random: np.random.Generator, count: int) -> np.ndarray:
    return 140 + random.random((count, 2)) * (
        WIDTH - 280, HEIGHT - 280
    )  # fmt: skip


def _rings(centre: np.ndarray, radius: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """(n, 12, 2) star-shaped outlines, convex or not."""
    angle = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    around = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    wobble = random.uniform(0.8, 1.2, (len(centre), CORNERS, 1))
    return centre[:, None] + around * wobble * np.asarray(radius)[:, None, None]
