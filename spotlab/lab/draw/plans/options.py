"""Options for synthetic floor plans."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from spotlab.lab.draw.collection import SymbolDrawing, symbol_kinds

# what each number may be, first to last, and in words what it does
RANGES: dict[str, tuple[float, float]] = {
    "width": (400, 20_000),
    "height": (400, 20_000),
    "line_width": (0, 20),
    "density": (0, 1),
    "symbols": (0, 1_000),
    "projects": (0, 1_000),
    "touching": (0, 1),
    "tilt": (0, 1),
    "skew": (0, 10),
    "jitter": (0, 10),
    "gaps": (0, 50),
    "speckle": (0, 1_000),
    "blur": (0, 10),
    "light": (0, 120),
    "grain": (0, 60),
}


@dataclass(frozen=True)
class FloorPlanOptions:
    """Options for drawing and scanning floor plans; the default is a good scan of a neat drawing.

    Attributes
    ----------
    width, height : int
        Page size in px, 400 to 20,000.
    line_width : int
        Pen width in px, to 20; 0 chooses one that suits the page size.
    density : float
        Share of the furniture that is really there, 0 (empty rooms) to 1.
    symbols : float
        How many pieces of furniture a page has on average; single pages have from none to more than
        three times as many, if the rooms have them. 0 for all that the rooms need.
    projects : int
        Offices that the plans come from, in turn: one draws walls, doors and windows always in the
        same manner, and all draw a kind of furniture in the same way. 0 mixes everything.
    further : bool
        Further kinds of furniture: dressing tables and filing cabinets.
    touching : float
        Share of the furniture whose ink touches a wall, a counter or a table, 0 to 1.
    tilt : float
        Share of armchairs, chairs, plants and the like that stand at a free angle, 0 to 1.
    skew : float
        Largest turn of the whole page in degrees, 0 to 10; each page has its own.
    jitter : float
        How far a hand-drawn stroke strays, in px, 0 to 10.
    gaps : float
        Places where the pen lost contact, per 1,000 px of stroke, 0 to 50.
    speckle : float
        Specks of dirt, and holes in lines, per million px of page, 0 to 1,000.
    blur : float
        Standard deviation of the blur in px, 0 to 10.
    light : float
        How many grey levels the paper darkens towards its far side, 0 to 120.
    grain : float
        Standard deviation of the paper's noise in grey levels, 0 to 60.
    antialias : bool
        Smooth edges as from a program, rather than crisp ones as from a scanner.
    bilevel : bool
        Pages of black and white (1 bit a pixel) instead of 256 grey levels.
    text : bool
        Write the rooms' names.
    dimensions : bool
        Draw dimension lines, title block and north arrow.
    openings : bool
        Doors and windows are symbols too, with their regions in the truth.

    Raises
    ------
    ValueError
        A number is out of its range.

    Examples
    --------
    >>> FloorPlanOptions(gaps=-1)
    Traceback (most recent call last):
        ...
    ValueError: gaps is -1; expected 0 to 50
    """

    width: int = 3215
    height: int = 2064
    line_width: int = 0
    density: float = 1.0
    symbols: float = 0.0
    projects: int = 0
    further: bool = False
    touching: float = 0.12
    tilt: float = 0.3
    skew: float = 0.0
    jitter: float = 0.0
    gaps: float = 0.0
    speckle: float = 8.0
    blur: float = 0.0
    light: float = 0.0
    grain: float = 0.0
    antialias: bool = False
    bilevel: bool = True
    text: bool = True
    dimensions: bool = True
    openings: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name in RANGES:
                least, most = RANGES[field.name]
                value = getattr(self, field.name)
                if not least <= value <= most:  # NaN fails too
                    raise ValueError(f"{field.name} is {value}; expected {least:,g} to {most:,g}")
        long, short = max(self.width, self.height), min(self.width, self.height)
        if long > 4 * short:
            raise ValueError(
                f"the page is {self.width} × {self.height} px; expected sides of at most 4 to 1"
            )

    @property
    def pen(self) -> int:
        """Width of a line in px."""
        diagonal = float(self.width**2 + self.height**2) ** 0.5
        return int(self.line_width) or max(1, round(diagonal / 1200))


CLEAN = FloorPlanOptions(touching=0.0, speckle=0.0)
WORN = FloorPlanOptions(
    bilevel=False, skew=1.0, jitter=1.2, gaps=2.0, speckle=60.0, blur=0.8, light=40.0, grain=7.0
)
# Like the collection that Rusiñol & Lladós evaluate on (§5.3): 42 pages make about 344 symbols,
# drawn in ink by hand. How worn they are was chosen on seed 7, so that spotting methods recognise
# about as many symbols as they do there; studies report on other seeds.
PAPER = FloorPlanOptions(
    symbols=8.2, projects=4, further=True, touching=0.35, jitter=1.5, gaps=3.0, speckle=60.0
)


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
    """Drawing style of one office.

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
    """Tell how many symbols the page with this number has, if there are enough.

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
    """Tell which of a page's symbols stay, by their places: seldom ones first, of all kinds alike.

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
