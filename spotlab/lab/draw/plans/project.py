"""Projects: plans that one office drew, each with some symbols of the library that all share.

As in the collection of Rusiñol & Lladós (§5.3): four projects, 0 to 28 symbols a page, the same
ones on several pages. A class there is one design: they avoid taking different designs of the same
thing for one symbol (§5.1).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from spotlab.lab.draw.kind import SymbolDrawing, symbol_kinds
from spotlab.lab.draw.plans.options import FloorPlanOptions

WALLS = {"solid": 0.3, "double": 0.3, "hatched": 0.25, "thick": 0.15}  # manners, and how usual
MANNERS = 3  # of drawing doors, and of drawing windows
SHAPE = 1.3  # of the Weibull distribution: of 42 pages, the fullest has 3.4 times the mean
GOLDEN = (math.sqrt(5) - 1) / 2
# stand on less than half of the plans: they stay where others are left away
SELDOM = frozenset((
    "bathtub", "bidet", "car", "chest of drawers", "conference table", "corner sofa", "cot",
    "dressing table", "filing cabinet", "fireplace", "lift", "piano", "round table", "stairs",
    "stool",
))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Project:
    """How one office draws.

    Attributes
    ----------
    walls : str
        One of `WALLS`.
    doors, windows : int
        Which of their manners.
    drawings : mapping of str to SymbolDrawing
        By the name of the kind.
    """

    walls: str
    doors: int
    windows: int
    drawings: Mapping[str, SymbolDrawing]


def project_of(number: int, seed: int, options: FloorPlanOptions) -> Project | None:
    """The project that the page with this number belongs to; None where there are none.

    Examples
    --------
    >>> first, fifth = (project_of(number, 7, FloorPlanOptions(projects=4)) for number in (0, 4))
    >>> first.drawings["sofa"] is fifth.drawings["sofa"], first.walls == fifth.walls
    (True, True)
    """
    if not options.projects:
        return None
    library = _random(seed, 0)
    drawings = {
        name: kind.drawings[int(library.integers(len(kind.drawings)))]
        for name, kind in sorted(symbol_kinds().items())
    }
    own = number % options.projects
    # every office has other walls than the one before it, as far as there are
    order = _random(seed, 1).permutation(len(WALLS)).tolist()
    doors, windows = _random(seed, 2 + own).integers(MANNERS, size=2).tolist()
    return Project(list(WALLS)[order[own % len(WALLS)]], doors, windows, drawings)


def wanted_symbols(number: int, seed: int, mean: float) -> int:
    """How many symbols the page with this number has, if there are enough.

    The numbers of successive pages are spread evenly over a Weibull distribution, so that few pages
    already have the mean and the range of many.

    Examples
    --------
    >>> counts = [wanted_symbols(number, 101, 8.2) for number in range(42)]
    >>> sum(counts), min(counts), max(counts)
    (346, 0, 27)
    """
    share = (float(_random(seed, 0).random()) + number * GOLDEN) % 1.0
    scale = mean / math.gamma(1 + 1 / SHAPE)
    times: float = (-math.log1p(-share)) ** (1 / SHAPE)
    return round(scale * times)


def choose(labels: Sequence[str], wanted: int, rng: np.random.Generator) -> set[int]:
    """Which of a page's symbols stay, by their places: seldom ones first, of all kinds alike.

    Examples
    --------
    >>> chosen = choose(["chair"] * 9 + ["car", "sofa"], 3, np.random.default_rng(0))
    >>> sorted(["chair", "car", "sofa"].index(label) for label in
    ...        [(["chair"] * 9 + ["car", "sofa"])[place] for place in chosen])
    [0, 1, 2]
    """
    places: dict[str, list[int]] = {}
    for place in rng.permutation(len(labels)).tolist():
        places.setdefault(labels[place], []).append(place)
    rounds = [
        (kind not in SELDOM, turn, place)
        for kind, of_kind in places.items()
        for turn, place in enumerate(of_kind)
    ]
    return {place for _, _, place in sorted(rounds, key=lambda place: place[:2])[:wanted]}


def _random(seed: int, purpose: int) -> np.random.Generator:
    # pages have the keys (number, …)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2**32 - 1, purpose)))
