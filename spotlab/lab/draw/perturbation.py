"""Runs with known faults: the truth itself, perturbed as a spotting system of some character errs.

For every query each of its regions is found with a certain chance; what is found is a box or hull
around it, scaled, shifted at random, and shifted further the lower it lies on the page (drift).
Regions of other labels are taken for it with a certain chance, anything else on the page now and
then. Scores fall with the damage, and noise lets good and bad ones overlap. All lengths are shares
of the symbol's own size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Points
from spotlab.geometry.polygon import Outlines, convex_hull
from spotlab.geometry.primitives import box
from spotlab.model import Region, Run, Truth

Generator = np.random.Generator


@dataclass(frozen=True)
class Character:
    """Error characteristics of a simulated system.

    Attributes
    ----------
    name, description : str
    found : float
        Chance that a region of the query is found.
    boxes : bool
        It frames symbols with boxes instead of hulls.
    growth : float
        Mean growth of an outline about its centre; 0.1 makes it a tenth longer and higher.
    unsteadiness : float
        Standard deviation of growth and of shifts.
    drift : float
        Shift to the right and down at the foot of the page; none at its head.
    repeated : float
        Chance that what is found is found twice.
    confused : float
        Chance that a region of another label is taken for the query's.
    stray : float
        Mean number of spots a page on nothing in particular.
    noise : float
        Standard deviation of scores, whose good values lie near .8 and bad ones near .4.
    """

    name: str
    description: str
    found: float
    boxes: bool
    growth: float
    unsteadiness: float
    drift: float
    repeated: float
    confused: float
    stray: float
    noise: float


SLOPPY = Character(
    "sloppy", "finds nearly all, but roughly, often twice, and much that is none",
    found=0.97, boxes=True, growth=0.35, unsteadiness=0.16, drift=0.0, repeated=0.3,
    confused=0.06, stray=0.5, noise=0.16,
)  # fmt: skip
PICKY = Character(
    "picky", "what it finds is right and well placed, but it misses almost half",
    found=0.55, boxes=False, growth=0.02, unsteadiness=0.025, drift=0.0, repeated=0.0,
    confused=0.004, stray=0.0, noise=0.08,
)  # fmt: skip
DRIFTING = Character(
    "drifting", "its boxes slide away from the symbols towards the foot of the page",
    found=0.9, boxes=True, growth=0.06, unsteadiness=0.05, drift=0.5, repeated=0.03,
    confused=0.02, stray=0.08, noise=0.1,
)  # fmt: skip
CHARACTERS = {character.name: character for character in (SLOPPY, PICKY, DRIFTING)}


def perturb(truths: Mapping[str, Truth], character: Character, seed: int = 0) -> Run:
    """The run that a system of this character makes on these pages, searching for every label.

    Parameters
    ----------
    truths : mapping of str to Truth
        By page name.
    seed : int
        The same seed gives the same run, whatever the order of the pages.

    Examples
    --------
    >>> from pathlib import Path
    >>> from spotlab.model import Page
    >>> sofa = Region(((10, 10), (40, 10), (40, 30), (10, 30)), label="sofa")
    >>> run = perturb({"a": Truth(Page(Path("a.png"), 99, 99), (sofa,))}, SLOPPY)
    >>> run.queries, run.pages, run.spot(0).rank
    (('sofa',), ('a',), 1)
    """
    queries = sorted({region.label for truth in truths.values() for region in truth.regions} - {""})
    spots = [
        (query, page, outline, score)
        for page, truth in sorted(truths.items())
        for query in queries
        for outline, score in _spots(truth, query, character, _generator(seed, page, query))
    ]
    return Run.ordered(
        character.name,
        [query for query, _, _, _ in spots],
        [page for _, page, _, _ in spots],
        Outlines.of([outline for _, _, outline, _ in spots]),
        score=np.array([score for _, _, _, score in spots], np.float64),
    )


def _generator(seed: int, page: str, query: str) -> Generator:
    return np.random.default_rng([seed, *f"{page}\n{query}".encode("utf-8", "surrogatepass")])


def _spots(
    truth: Truth, query: str, character: Character, random: Generator
) -> Iterator[tuple[Points, float]]:
    """Outlines and scores on one page."""
    others = [region for region in truth.regions if region.label != query]
    for region in truth.regions:
        if region.label == query and random.random() < character.found:
            yield from _found(region, truth, character, random, good=True)
            if random.random() < character.repeated:
                yield from _found(region, truth, character, random, good=True)
    for region in others:
        if random.random() < character.confused:
            yield from _found(region, truth, character, random, good=False)
    for _ in range(random.poisson(character.stray)):
        side = random.uniform(0.03, 0.08) * truth.page.width
        x, y = random.random(2) * (truth.page.width - side, truth.page.height - side)
        outline = _on_page(box(x, y, x + side, y + side * random.uniform(0.6, 1.4)), truth)
        if outline is not None:
            yield outline, _score(0.35, character, random)


def _found(
    region: Region, truth: Truth, character: Character, random: Generator, good: bool
) -> Iterator[tuple[Points, float]]:
    left, top, right, bottom = region.bounds
    size = np.array([right - left, bottom - top])
    centre = np.array([left + right, top + bottom]) / 2
    growth = 1 + character.growth + character.unsteadiness * random.standard_normal(2)
    damage = character.unsteadiness * random.standard_normal(2)
    drift = character.drift * centre[1] / truth.page.height
    points = box(left, top, right, bottom) if character.boxes else convex_hull(region.array)
    moved = (points - centre) * np.maximum(growth, 0.2) + centre + size * (damage + drift)
    outline = _on_page(moved, truth)
    if outline is not None:
        lost = float(np.abs(damage).sum() + drift / 4)
        yield outline, _score((0.8 if good else 0.45) - lost / 2, character, random)


def _on_page(points: Points, truth: Truth) -> Points | None:
    """Whole px on the page; None where no area is left."""
    limits = (truth.page.width, truth.page.height)
    hull = convex_hull(np.clip(np.rint(points), 0, limits))
    return hull if len(hull) else None


def _score(mean: float, character: Character, random: Generator) -> float:
    return round(float(np.clip(mean + character.noise * random.standard_normal(), 0, 1)), 4)
