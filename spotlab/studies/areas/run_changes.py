"""What a reading of a run's file changed; how it is found, `compare_readings` says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from spotlab.errors import counted
from spotlab.representation import short_repr

LEAST = 0.0005  # of a difference of F that three digits show


@dataclass(frozen=True)
class SymbolChange:
    """A symbol that only one of the readings finds.

    Attributes
    ----------
    query, page, region : str
        ``region`` is its id on the page.
    gained : bool
        Whether the later one finds it.
    """

    query: str
    page: str
    region: str
    gained: bool


@dataclass(frozen=True)
class QueryChange:
    """What changed of a query, of all queries together where ``query`` is None.

    Attributes
    ----------
    query : str or None
    added, removed, moved, rescored : int
        Spots. Those that were moved may have another score, too.
    gained, lost : int
        Symbols found now, and found before.
    precision, recall, f : float
        Differences, now minus before; of all queries, those of their means. NaN where one is
        undefined.
    """

    query: str | None
    added: int = 0
    removed: int = 0
    moved: int = 0
    rescored: int = 0
    gained: int = 0
    lost: int = 0
    precision: float = np.nan
    recall: float = np.nan
    f: float = np.nan

    @property
    def words(self) -> str:
        """All of it in a line; empty if nothing changed.

        Examples
        --------
        >>> QueryChange("sofa", added=2, rescored=1, lost=1, f=-0.012).words
        '2 spots added, 1 re-scored; 1 symbol lost; F −.012'
        """
        spots = [
            f"{number:,} {word}"
            for number, word in (
                (self.added, "added"), (self.removed, "removed"), (self.moved, "moved"),
                (self.rescored, "re-scored"),
            )
            if number
        ]  # fmt: skip
        if spots:
            number, _, word = spots[0].partition(" ")
            spots[0] = f"{number} spot{'s' * (number != '1')} {word}"
        symbols = [
            f"{number:,} {word}"
            for number, word in ((self.gained, "gained"), (self.lost, "lost"))
            if number
        ]
        if symbols:
            number, _, word = symbols[0].partition(" ")
            symbols[0] = f"{number} symbol{'s' * (number != '1')} {word}"
        figure = f"F {difference_text(self.f)}" if abs(self.f) >= LEAST else ""
        return "; ".join(part for part in (", ".join(spots), ", ".join(symbols), figure) if part)


@dataclass(frozen=True, eq=False)
class RunChanges:
    """What a reading of a run changed.

    Attributes
    ----------
    time : datetime
        When it was read.
    spots_before, spots : int
        How many the run had, and has.
    whole : QueryChange
        Of all queries.
    queries : tuple of QueryChange
        Those of which something changed, in alphabetical order.
    symbols : tuple of SymbolChange
        Gained first, by query and page.
    """

    time: datetime
    spots_before: int
    spots: int
    whole: QueryChange
    queries: tuple[QueryChange, ...]
    symbols: tuple[SymbolChange, ...]

    __repr__ = short_repr

    @property
    def words(self) -> str:
        """All of it in a line."""
        return self.whole.words or f"nothing changed in {counted(self.spots, 'spot')}"


def difference_text(value: float) -> str:
    """A difference with its sign; a dash where it is undefined.

    Examples
    --------
    >>> difference_text(0.0211), difference_text(-0.5), difference_text(float("nan"))
    ('+.021', '−.500', '–')
    """
    if np.isnan(value):
        return "–"
    digits = f"{abs(value):.3f}".removeprefix("0")
    sign = "+" if value > 0 else "−" if value < 0 else "±"
    return sign + digits
