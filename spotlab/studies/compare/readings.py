"""Comparison of two readings of a run's file: spots, symbols found, figures, query by query.

A spot is the same in both where query, page and outline are. Of the others, two of the same query
and page are one that has moved where their bounding boxes overlap with an IoU of .5 or more, the
best pairs first. A symbol is found where a spot is matched with it:
`spotlab.measures.matching`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Ints
from spotlab.errors import counted
from spotlab.geometry.rings import box_ious
from spotlab.measures.figures import RunFigures
from spotlab.measures.matching import ERROR_KINDS, ErrorKind
from spotlab.model.run import Run
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
    """Changes of a query, or of all queries together where ``query`` is None.

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
    """Changes by a reading of a run.

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


SAME_PLACE = 0.5  # IoU of bounding boxes
AT_ONCE = 10_000  # outlines
FIGURES = ("area_precision", "area_recall", "f")
_CORRECT = ERROR_KINDS.index(ErrorKind.CORRECT)


def compare_readings(
    before: Run, figures_before: RunFigures | None, after: Run, figures_after: RunFigures | None
) -> tuple[RunChanges, Ints]:
    """Compare two readings of a run.

    Parameters
    ----------
    before, after : Run
        The readings.
    figures_before, figures_after : RunFigures or None
        Of each against the same truth; None where it is not evaluated.

    Returns
    -------
    changes : RunChanges
    places : (N,) int
        The place in the later run of each of the N spots of the earlier one; -1 where it is gone.
    """
    places, moved = _places(before, after)
    both = figures_before, figures_after
    evaluated = {name for each in both if each is not None for name in each.tally.queries}
    names = sorted({*before.queries, *after.queries, *evaluated})
    spots = _spot_counts(before, after, places, moved)
    symbols = tuple(_symbol_changes(*both))
    figures = {name: _query_figures(*both, name) for name in names}
    counts = Counter((symbol.query, symbol.gained) for symbol in symbols)
    queries = []
    for name in names:
        found = counts[name, True], counts[name, False]
        change = _change(name, (*spots[name], *found), figures[name])
        if change.words or any(value and not np.isnan(value) for value in figures[name]):
            queries.append(change)
    totals = np.array([spots[name] for name in names], np.int64).reshape(-1, 4).sum(axis=0).tolist()
    gained = sum(symbol.gained for symbol in symbols)
    numbers = (*totals, gained, len(symbols) - gained)
    whole = _change(None, numbers, _mean_figures(*both))
    changes = RunChanges(datetime.now(UTC), len(before), len(after), whole, tuple(queries), symbols)
    return changes, places


def _change(name: str | None, counts: Sequence[int], figures: Sequence[float]) -> QueryChange:
    added, removed, moved, rescored, gained, lost = counts
    return QueryChange(name, added, removed, moved, rescored, gained, lost, *figures)


def _places(before: Run, after: Run) -> tuple[Ints, NDArray[np.bool_]]:
    """Places of the earlier spots now, and which of them have moved."""
    places = np.full(len(before), -1, np.int64)
    waiting: dict[tuple[str, str, bytes], list[int]] = defaultdict(list)
    keys = list(_keys(after))
    for at in range(len(after) - 1, -1, -1):  # so that the best rank is taken first
        waiting[keys[at]].append(at)
    for at, key in enumerate(_keys(before)):
        if waiting.get(key):
            places[at] = waiting[key].pop()
    moved = np.zeros(len(before), np.bool_)
    left = [at for stack in waiting.values() for at in stack]
    for old, new in _moved_pairs(before, np.flatnonzero(places < 0), after, np.array(left, int)):
        places[old], moved[old] = new, True
    return places, moved


def _keys(run: Run) -> Iterator[tuple[str, str, bytes]]:
    """Query, page and outline of each spot."""
    for first in range(0, len(run), AT_ONCE):
        spots = np.arange(first, min(first + AT_ONCE, len(run)))
        outlines, query, page = run.outlines.take(spots), run.query[spots], run.page[spots]
        for (begin, end), of, on in zip(
            pairwise(outlines.offsets.tolist()), query.tolist(), page.tolist(), strict=True
        ):
            yield run.queries[of], run.pages[on], outlines.points[begin:end].tobytes()


def _moved_pairs(before: Run, old: Ints, after: Run, new: Ints) -> Iterator[tuple[int, int]]:
    """Spots of one query and page whose boxes overlap enough, each in one pair."""
    groups: dict[tuple[str, str], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for run, spots, side in ((before, old, 0), (after, new, 1)):
        for at in spots.tolist():
            groups[run.queries[run.query[at]], run.pages[run.page[at]]][side].append(at)
    boxes_before, boxes_after = before.outlines.bounds, after.outlines.bounds
    for old_here, new_here in groups.values():
        if not old_here or not new_here:
            continue
        iou = box_ious(boxes_before[old_here], boxes_after[new_here])
        rows, columns = np.nonzero(iou >= SAME_PLACE)
        taken_rows, taken_columns = set(), set()
        for pair in np.argsort(-iou[rows, columns], kind="stable").tolist():
            row, column = int(rows[pair]), int(columns[pair])
            if row not in taken_rows and column not in taken_columns:
                taken_rows.add(row)
                taken_columns.add(column)
                yield old_here[row], new_here[column]


def _spot_counts(
    before: Run, after: Run, places: Ints, moved: NDArray[np.bool_]
) -> dict[str, tuple[int, int, int, int]]:
    """Of each query: spots added, removed, moved, re-scored."""
    old_names, new_names = np.array(before.queries), np.array(after.queries)
    kept = np.flatnonzero((places >= 0) & ~moved)
    old_score, new_score = before.score[kept], after.score[places[kept]]
    by_rank = np.isnan(old_score) & np.isnan(new_score)
    same = np.where(by_rank, before.rank[kept] == after.rank[places[kept]], old_score == new_score)
    arrived = np.ones(len(after), np.bool_)
    arrived[places[places >= 0]] = False
    counted = (
        _by_name(new_names, after.query[arrived]),
        _by_name(old_names, before.query[places < 0]),
        _by_name(old_names, before.query[moved]),
        _by_name(old_names, before.query[kept[~same]]),
    )
    found: dict[str, tuple[int, int, int, int]] = defaultdict(lambda: (0, 0, 0, 0))
    for name in {*before.queries, *after.queries}:
        found[name] = tuple(each.get(name, 0) for each in counted)  # type: ignore[assignment]
    return found


def _by_name(names: NDArray[np.str_], query: NDArray[np.int32]) -> dict[str, int]:
    counts = np.bincount(query, minlength=len(names))
    return dict(zip(names.tolist(), counts.tolist(), strict=True))


def _symbol_changes(before: RunFigures | None, after: RunFigures | None) -> Iterator[SymbolChange]:
    found = _found(before), _found(after)
    for gained, more, less in ((True, found[1], found[0]), (False, found[0], found[1])):
        for query, page, region in sorted(more - less):
            yield SymbolChange(query, page, region, gained)


def _found(figures: RunFigures | None) -> set[tuple[str, str, str]]:
    """Query, page and id of each symbol that a spot is matched with."""
    if figures is None:
        return set()
    tally, errors = figures.tally, figures.lists.errors
    regions = np.unique(errors.region[errors.kind == _CORRECT])
    return {
        (
            tally.queries[tally.region_query[at]],
            tally.pages[tally.region_page[at]],
            tally.region_id[at],
        )
        for at in regions.tolist()
    }


def _query_figures(before: RunFigures | None, after: RunFigures | None, name: str) -> list[float]:
    pair = [_figures_of(figures, name) for figures in (before, after)]
    return [now - then for then, now in zip(*pair, strict=True)]


def _figures_of(figures: RunFigures | None, name: str) -> list[float]:
    if figures is None or name not in figures.tally.queries:
        return [np.nan] * len(FIGURES)
    place = figures.tally.queries.index(name)
    return [float(figures.columns[figure][place]) for figure in FIGURES]


def _mean_figures(before: RunFigures | None, after: RunFigures | None) -> list[float]:
    pair = [
        [figures.mean.get(figure) if figures else None for figure in FIGURES]
        for figures in (before, after)
    ]
    return [
        np.nan if then is None or now is None else float(now - then)
        for then, now in zip(*pair, strict=True)
    ]
