"""What changes from one run to another, one entry each: symbols and false spots gained and lost.

A symbol is *gained* if the second run recognises it or has a spot matched with it and the first
does not, and *lost* the other way round; where the two criteria disagree, recognition decides. A
false spot is one that is false or on another label's symbol (`measures.errors`). It is gained or
lost if at least half of it is false area that the other run does not retrieve for this query.
Entries are ordered by changed area: of a symbol, the difference between the areas of it that the
runs cover; of a false spot, the false area that it adds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures.cuts import CutRun
from spotlab.measures.errors import KINDS, ErrorKind, classify_errors
from spotlab.representation import short_repr
from spotlab.studies.areas.page_comparison import PageComparison

HALF = 0.5  # of a false spot's area that the other run must not have


class ChangeKind(StrEnum):
    """What a change is."""

    GAINED = "gained"
    LOST = "lost"
    FALSE_GAINED = "false_gained"
    FALSE_LOST = "false_lost"

    @property
    def words(self) -> str:
        """The kind in words.

        Examples
        --------
        >>> ChangeKind.FALSE_GAINED.words, ChangeKind.LOST.words
        ('new false spot', 'symbol lost')
        """
        titles: dict[str, str] = {
            "gained": "symbol gained",
            "lost": "symbol lost",
            "false_gained": "new false spot",
            "false_lost": "false spot gone",
        }
        return titles[str(self)]


CHANGES = tuple(ChangeKind)
_FALSE = [KINDS.index(ErrorKind.FALSE), KINDS.index(ErrorKind.WRONG_LABEL)]


@dataclass(frozen=True, eq=False)
class ChangeList:
    """Changes in columns, the biggest first; make it with `list_changes`.

    Attributes
    ----------
    first, second : CutRun
        The runs before and after.
    kind : (n,) int
        Place in `CHANGES`.
    area : (n,) float
        Changed area in px².
    region : (n,) int
        The symbol, by its place in both tallies; -1 for a false spot.
    first_spot, second_spot : (n,) int
        What each run has there, by its place in its tally; -1 for nothing.
    query : tuple of str
        The label of each.
    page : (n,) int
        Place in the tallies' pages.
    """

    first: CutRun
    second: CutRun
    kind: NDArray[np.int8]
    area: Floats
    region: Ints
    first_spot: Ints
    second_spot: Ints
    query: tuple[str, ...]
    page: Ints

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.kind)

    def count(self, query: str | None = None) -> dict[ChangeKind, int]:
        """How many changes there are of each kind, of one query or of all."""
        kinds = self.kind if query is None else self.kind[self.of_query(query)]
        counts = np.bincount(kinds, minlength=len(CHANGES)).tolist()
        return dict(zip(CHANGES, counts, strict=True))

    def of_query(self, query: str | None) -> Ints:
        """The entries of a query, or all of them."""
        if query is None:
            return np.arange(len(self))
        return np.flatnonzero(np.array([name == query for name in self.query], np.bool_))

    def page_name(self, entry: int) -> str:
        """The page of an entry."""
        return self.first.tally.pages[int(self.page[entry])]

    def region_id(self, entry: int) -> str | None:
        """The id of an entry's symbol on its page; None for a false spot."""
        region = int(self.region[entry])
        return None if region < 0 else self.first.tally.region_id[region]


def are_comparable(first: CutRun, second: CutRun) -> bool:
    """Whether two runs are tallied against the same truth, under the same settings."""
    one, other = first.tally, second.tally
    return (
        first.figures.settings == second.figures.settings
        and one.pages == other.pages
        and one.region_id == other.region_id
        and np.array_equal(one.region_area, other.region_area)
        and np.array_equal(one.region_page, other.region_page)
        and _labels(one.queries, one.region_query) == _labels(other.queries, other.region_query)
    )


def _labels(queries: tuple[str, ...], places: Ints) -> list[str]:
    names = [*queries, ""]  # -1 takes the last
    return [names[place] for place in places.tolist()]


def list_changes(first: CutRun, second: CutRun, pages: Iterable[PageComparison] = ()) -> ChangeList:
    """List what changes from the first run to the second.

    Parameters
    ----------
    first, second : CutRun
        Runs against the same truth.
    pages : iterable of PageComparison
        The pages whose false spots are listed; symbols of all pages are, without geometry.

    Returns
    -------
    ChangeList
        Equal areas stand in the order of the tallies, symbols first.
    """
    parts = [_symbols(first, second)]
    pages = tuple(pages)
    parts.append(_false_spots(second, ChangeKind.FALSE_GAINED, pages, of_first=False))
    parts.append(_false_spots(first, ChangeKind.FALSE_LOST, pages, of_first=True))
    kind, area, region, first_spot, second_spot, page = (
        np.concatenate(columns) for columns in zip(*parts, strict=True)
    )
    order = np.argsort(-area, kind="stable")
    columns = (each[order] for each in (area, region, first_spot, second_spot))
    area, region, first_spot, second_spot = columns
    kind, page = kind[order].astype(np.int8), page[order].astype(np.int64)
    names = tuple(_names(first, second, region, first_spot, second_spot))
    return ChangeList(first, second, kind, area, region, first_spot, second_spot, names, page)


_Columns = tuple[Ints, Floats, Ints, Ints, Ints, Ints]  # kind, area, region, spots, page


def _symbols(first: CutRun, second: CutRun) -> _Columns:
    before, after = first.symbols, second.symbols
    recognised = after.recognised.astype(np.int64) - before.recognised
    matched = after.matched.astype(np.int64) - before.matched
    change = 3 * recognised + 2 * matched  # where they disagree, recognition decides
    region = np.flatnonzero(change)
    kinds = np.where(
        change[region] > 0, CHANGES.index(ChangeKind.GAINED), CHANGES.index(ChangeKind.LOST)
    )
    area = np.abs(after.covered - before.covered)[region]
    page = first.tally.region_page[region]
    return kinds, area, region, before.spot[region], after.spot[region], page


def _false_spots(
    run: CutRun, kind: ChangeKind, pages: tuple[PageComparison, ...], of_first: bool
) -> _Columns:
    none: Ints = np.zeros(0, np.int64)
    spots = [page.first_spot if of_first else page.second_spot for page in pages]
    adds = [page.first_lost if of_first else page.second_gained for page in pages]
    spot = np.concatenate([none, *spots]).astype(np.int64)
    added = np.concatenate([np.zeros(0), *adds])
    tally = run.tally
    kinds = classify_errors(tally, run.figures.settings.iou).kind if len(spot) else none
    chosen = np.isin(kinds[spot], _FALSE) if len(spot) else np.zeros(0, np.bool_)
    chosen = chosen & (added > 0) & (added >= HALF * tally.counted_area[spot])
    spot, added = spot[chosen], added[chosen]
    order = np.argsort(spot, kind="stable")
    spot, added = spot[order], added[order]
    nothing = np.full(len(spot), -1, np.int64)
    number = np.full(len(spot), CHANGES.index(kind), np.int64)
    sides = (spot, nothing) if of_first else (nothing, spot)
    return number, added, nothing, *sides, tally.page[spot]


def _names(
    first: CutRun, second: CutRun, region: Ints, first_spot: Ints, second_spot: Ints
) -> Iterable[str]:
    one, other = first.tally, second.tally
    for at, mine, theirs in zip(
        region.tolist(), first_spot.tolist(), second_spot.tolist(), strict=True
    ):
        if at >= 0:
            yield one.queries[one.region_query[at]]
        elif mine >= 0:
            yield one.queries[one.query[mine]]
        else:
            yield other.queries[other.query[theirs]]
