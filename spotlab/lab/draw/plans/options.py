"""What can be chosen about synthetic floor plans."""

from __future__ import annotations

from dataclasses import dataclass, fields

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
    """How floor plans are drawn and scanned; the default is a good scan of a neat drawing.

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
