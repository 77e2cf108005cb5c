"""Options for synthetic manuscripts."""

from __future__ import annotations

from dataclasses import dataclass, fields

# what each number may be, first to last
RANGES: dict[str, tuple[float, float]] = {
    "width": (300, 10_000),
    "height": (300, 10_000),
    "lines": (1, 120),
    "hands": (1, 1_000),
    "jitter": (0, 4),
    "wander": (0, 4),
    "skew": (0, 10),
    "hyphens": (0, 1),
    "fading": (0, 1),
    "bleed": (0, 1),
    "stains": (0, 100),
    "texture": (0, 40),
    "light": (0, 120),
    "blur": (0, 10),
    "jpeg": (0, 95),
}


@dataclass(frozen=True)
class ManuscriptOptions:
    """Options for writing and scanning letters; by default a good scan of a well-kept letter-book.

    Attributes
    ----------
    width, height : int
        Page size in px, 300 to 10,000.
    lines : int
        Lines of writing on a page, 1 to 120; the more there are, the more they touch.
    hands : int
        How many people write the collection, a page each by turns, 1 to 1,000.
    jitter : float
        How much a letter differs from one time to the next, 0 (never) to 4; 1 is usual.
    wander : float
        How far lines are from straight and even, 0 to 4; 1 is usual.
    skew : float
        Largest turn of the whole page in degrees, 0 to 10; each page has its own.
    hyphens : float
        Share of the words that do not fit on their line that are divided, 0 to 1.
    fading : float
        How much the ink fades while the pen runs dry, 0 to 1.
    bleed : float
        How strongly the writing on the back shines through, 0 to 1.
    stains : float
        Stains on a page, on average, 0 to 100.
    texture : float
        Standard deviation of the paper's unevenness in grey levels, 0 to 40.
    light : float
        How many grey levels the paper darkens towards its far side, 0 to 120.
    blur : float
        Standard deviation of the scanner's blur in px, 0 to 10.
    jpeg : int
        Write JPEG of this quality, 1 to 95; 0 writes PNG, which loses nothing.

    Raises
    ------
    ValueError
        A number is out of its range, or the lines are too many for the page.

    Examples
    --------
    >>> ManuscriptOptions(bleed=2)
    Traceback (most recent call last):
        ...
    ValueError: bleed is 2; expected 0 to 1
    """

    width: int = 1400
    height: int = 2000
    lines: int = 28
    hands: int = 1
    jitter: float = 1.0
    wander: float = 1.0
    skew: float = 0.6
    hyphens: float = 0.5
    fading: float = 0.35
    bleed: float = 0.25
    stains: float = 2.0
    texture: float = 4.0
    light: float = 25.0
    blur: float = 0.6
    jpeg: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            least, most = RANGES[field.name]
            value = getattr(self, field.name)
            if not least <= value <= most:  # NaN fails too
                raise ValueError(f"{field.name} is {value}; expected {least:,g} to {most:,g}")
        if self.pitch < 12:
            most_lines = int(0.86 * self.height / 12)
            raise ValueError(f"lines is {self.lines}; expected at most {most_lines} on this page")

    @property
    def pitch(self) -> float:
        """Distance of one line from the next in px."""
        return 0.86 * self.height / self.lines

    @property
    def suffix(self) -> str:
        """The ending of the image files."""
        return ".jpg" if self.jpeg else ".png"


CLEAN = ManuscriptOptions(skew=0, fading=0, bleed=0, stains=0, texture=0, light=0, blur=0)
WORN = ManuscriptOptions(
    skew=1.5, jitter=1.3, wander=1.6, fading=0.7, bleed=0.6, stains=8, texture=8, light=60, blur=1
)
