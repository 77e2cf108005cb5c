"""Comparison of two runs against the same truth under the same settings and cut.

Changes go from the first run to the second: a difference is the second's figure minus the first's.

One page of two runs: what only the first found, only the second, both, or neither.

Each query is compared by itself: of its truth, and of the area that it retrieves outside its truth.
Areas are those of unions, in px², exact from geometry, whatever the overlap setting.

What changes from one run to another, one entry each: symbols and false spots gained and lost.

A symbol is *gained* if the second run recognises it or has a spot matched with it and the first
does not, and *lost* the other way round; where the two criteria disagree, recognition decides. A
false spot is one that is false or on another label's symbol (`measures.errors`). It is gained or
lost if at least half of it is false area that the other run does not retrieve for this query.
Entries are ordered by changed area: of a symbol, the difference between the areas of it that the
runs cover; of a false spot, the false area that it adds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.coverage import Engine
from spotlab.geometry.coverage_reference import polygons_of
from spotlab.geometry.partition import DOUBT, GRID
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.overlay import ComparedAreas, ComparedKind
from spotlab.libraries import shapely
from spotlab.measures.comparison import (
    ChangedFigures,
    MeanChange,
    label_changes,
    mean_changes,
    page_changes,
)
from spotlab.measures.cuts import CutRun
from spotlab.measures.matching import ERROR_KINDS, ErrorKind, classify_errors
from spotlab.model.region import Primitive
from spotlab.model.run import Truth
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.studies.tally.outlines import EVERY, IgnoredOutlines, measured_outlines


def compared_areas(
    first: CutRun,
    second: CutRun,
    page: str,
    truth: Truth,
    query: str | None = None,
    primitive: Primitive | None = None,
) -> ComparedAreas:
    """Gather what two runs keep on a page, and the truth there.

    Parameters
    ----------
    first, second : CutRun
        The runs before and after.
    page : str
        The page's name; a run that is not tallied on it has no spots there.
    truth : Truth
        The page's.
    query : str, optional
        Look at this query only; by default at all queries of both runs.
    primitive : Primitive, optional
        What all outlines are turned into before.
    """
    queries = sorted({*first.tally.queries, *second.tally.queries})
    number = {name: at for at, name in enumerate(queries) if query in (None, name)}
    size = truth.page.width, truth.page.height

    def on_page(outlines: Outlines) -> Outlines:
        return measured_outlines(outlines, primitive, size)

    def spots_of(run: CutRun) -> tuple[Outlines, Ints]:
        spot = kept_spots(run, page)
        common = np.array([number.get(name, -1) for name in run.tally.queries], np.int64)
        spot = spot[common[run.tally.query[spot]] >= 0]
        outlines = on_page(run.tally.run.outlines.take(run.tally.spot[spot]))
        return outlines, common[run.tally.query[spot]]

    regions = [region for region in truth.regions if region.label in number and not region.ignored]
    off = [region for region in truth.regions if region.ignored and region.label in {*number, ""}]
    one, one_query = spots_of(first)
    other, other_query = spots_of(second)
    return ComparedAreas(
        truth=on_page(Outlines.of([region.array for region in regions])),
        first=one,
        second=other,
        truth_query=np.array([number[region.label] for region in regions], np.int64),
        first_query=one_query,
        second_query=other_query,
        ignored=on_page(Outlines.of([region.array for region in off])),
        ignored_query=np.array([number.get(region.label, EVERY) for region in off], np.int64),
    )


def painted_areas(areas: ComparedAreas) -> dict[ComparedKind, float]:
    """Measure how much of a page is painted as each kind, each place once.

    Parameters
    ----------
    areas : ComparedAreas
        Truth and the spots of both runs, clipped to the page.

    Returns
    -------
    dict of ComparedKind to float
        In px²; all kinds but ``NOTHING``.

    Examples
    --------
    >>> bed, half = [(0, 0), (4, 0), (4, 2), (0, 2)], [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> query = np.zeros(1, int)
    >>> drawn = ComparedAreas(Outlines.of([bed]), Outlines.of([half]), Outlines.of([bed]),
    ...                       query, query, query)
    >>> painted = painted_areas(drawn)
    >>> painted[ComparedKind.BOTH], painted[ComparedKind.SECOND], painted[ComparedKind.FIRST]
    (4.0, 4.0, 0.0)
    """
    for grid in (None, GRID):
        painted, is_sound = _painted(areas, grid)
        if is_sound:
            break
    return painted


def _painted(areas: ComparedAreas, grid: float | None) -> tuple[dict[ComparedKind, float], bool]:
    """The areas, and whether they fit each other; GEOS may lose slivers without a grid."""
    truth, first, second, off = polygons_of(areas.truth, areas.first, areas.second, areas.ignored)
    of_truth = areas.truth_query
    queries = np.unique(np.concatenate([of_truth, areas.first_query, areas.second_query]))

    def unite(*shapes: Any) -> Any:
        return shapely.union_all(np.array(shapes, object), grid_size=grid)

    def share(one: Any, other: Any) -> Any:
        return shapely.intersection(one, other, grid_size=grid)

    def counted(shapes: Any, of_shape: Ints) -> list[Any]:
        """The union of each query's outlines, without what is ignored for it."""
        return [
            shapely.difference(
                unite(*shapes[of_shape == query]),
                unite(*off[np.isin(areas.ignored_query, (query, EVERY))]),
                grid_size=grid,
            )
            if len(off)
            else unite(*shapes[of_shape == query])
            for query in queries
        ]

    truths = counted(truth, of_truth)
    runs = [counted(first, areas.first_query), counted(second, areas.second_query)]
    found = [unite(*(share(*pair) for pair in zip(spots, truths, strict=True))) for spots in runs]
    whole, (first, second) = unite(*truths), (unite(*spots) for spots in runs)
    both, retrieved = share(*found).area, share(first, second)
    one, other = (shape.area for shape in found)
    false_both = retrieved.area - share(retrieved, whole).area
    false = [shape.area - share(shape, whole).area for shape in (first, second)]
    painted = {
        ComparedKind.FIRST: one - both,
        ComparedKind.SECOND: other - both,
        ComparedKind.BOTH: both,
        ComparedKind.NEITHER: whole.area - (one + other - both),
        ComparedKind.FALSE_FIRST: false[0] - false_both,
        ComparedKind.FALSE_SECOND: false[1] - false_both,
        ComparedKind.FALSE_BOTH: false_both,
    }
    doubt = DOUBT * (whole.area + first.area + second.area)
    sums = (
        one + other - both - unite(*found).area,
        first.area + second.area - retrieved.area - unite(first, second).area,
    )
    is_sound = max(map(abs, sums)) <= doubt and min(painted.values()) >= -doubt
    return {kind: max(0.0, area) for kind, area in painted.items()}, is_sound


def kept_spots(run: CutRun, page: str) -> Ints:
    """The spots of a run that are kept on a page.

    Parameters
    ----------
    run : CutRun
        The run and its cut.
    page : str
        The page's name.

    Returns
    -------
    (n,) int
        Their places in the tally, rising; empty where the page is not tallied.
    """
    part = run.tally.parts.get(page)
    if part is None:
        return np.zeros(0, np.int64)
    spot = np.searchsorted(run.tally.spot, part.spot)
    return np.asarray(spot[run.kept[spot]], np.int64)


@dataclass(frozen=True, eq=False)
class PageComparison:
    """Two runs on one page, of L labels; make it with `compare_page`.

    Attributes
    ----------
    page : str
        The page's name.
    queries : tuple of str
        All that either run searches or the truth has, on any page.
    areas : mapping of ComparedKind to (L,) float
        The area of each kind of each query in px².
    first_spot, second_spot : (n,) and (m,) int
        The kept spots of each run on this page, by their places in its tally.
    first_lost, second_gained : (n,) and (m,) float
        The false area in px² that each of these spots retrieves and the other run does not, nor an
        earlier spot of its query. Their sums are the areas false in one run only.
    """

    page: str
    queries: tuple[str, ...]
    areas: dict[ComparedKind, Floats]
    first_spot: Ints
    second_spot: Ints
    first_lost: Floats
    second_gained: Floats

    __repr__ = short_repr

    def sums(self, query: str | None = None) -> dict[ComparedKind, float]:
        """The area of each kind in px², of one query or of all, each by itself."""
        if query is None:
            return {kind: float(areas.sum()) for kind, areas in self.areas.items()}
        if query not in self.queries:
            return dict.fromkeys(self.areas, 0.0)
        at = self.queries.index(query)
        return {kind: float(areas[at]) for kind, areas in self.areas.items()}

    @cached_property
    def changed(self) -> float:
        """The area of truth in px² that only one of the runs found, all queries."""
        sums = self.sums()
        return sums[ComparedKind.FIRST] + sums[ComparedKind.SECOND]


def compare_page(
    first: CutRun, second: CutRun, page: str, truth: Truth, primitive: Primitive | None = None
) -> PageComparison:
    """Compare what two runs retrieve on one page.

    Parameters
    ----------
    first, second : CutRun
        Tallied against this truth.
    page : str
        The page's name.
    truth : Truth
        The page's.
    primitive : Primitive, optional
        What all outlines are turned into before; see `compared_areas`.

    Returns
    -------
    PageComparison
        All areas are 0 on a page without truth and spots.

    Notes
    -----
    A(B ∖ A) and A((B ∖ A) ∩ T) are what B newly covers when its spots come after A's. With A(A),
    A(A ∩ T), A(B), A(B ∩ T) and A(T) of the tallies all other parts are differences.
    """
    queries = tuple(sorted({*first.tally.queries, *second.tally.queries}))
    number = {name: at for at, name in enumerate(queries)}
    drawn = compared_areas(first, second, page, truth, None, primitive)
    one = _Side.of(first, page, drawn.first, drawn.first_query)
    other = _Side.of(second, page, drawn.second, drawn.second_query)
    after_first = _newly(one, other, drawn)
    after_second = _newly(other, one, drawn)
    truth_area = np.zeros(len(queries))
    part = first.tally.parts[page]
    for label, area in part.truth_area.items():
        truth_area[number[label]] = area
    only_second = _of_queries(other.query, after_first.relevant, len(queries))
    only_first = _of_queries(one.query, after_second.relevant, len(queries))
    covered = [_of_queries(side.query, side.gained, len(queries)) for side in (one, other)]
    relevant = [_of_queries(side.query, side.gained_true, len(queries)) for side in (one, other)]
    false_second = _of_queries(other.query, after_first.false, len(queries))
    false_first = _of_queries(one.query, after_second.false, len(queries))
    areas = {
        ComparedKind.FIRST: only_first,
        ComparedKind.SECOND: only_second,
        ComparedKind.BOTH: relevant[0] - only_first,
        ComparedKind.NEITHER: truth_area - relevant[0] - only_second,
        ComparedKind.FALSE_FIRST: false_first,
        ComparedKind.FALSE_SECOND: false_second,
        ComparedKind.FALSE_BOTH: covered[0] - relevant[0] - false_first,
    }
    return PageComparison(
        page, queries,
        {kind: np.maximum(values, 0.0) for kind, values in areas.items()},
        one.spot, other.spot, after_second.false, after_first.false,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Side:
    """The kept spots of one run on a page."""

    spot: Ints
    query: Ints  # their places among the queries of both runs
    outlines: Outlines
    gained: Floats
    gained_true: Floats

    @classmethod
    def of(cls, run: CutRun, page: str, outlines: Outlines, query: Ints) -> _Side:
        tally, spot = run.tally, kept_spots(run, page)
        return cls(spot, query, outlines, tally.gained_area[spot], tally.gained_true_area[spot])


@dataclass(frozen=True, eq=False)
class _New:
    """Area that each spot of the second of two runs covers and the first does not."""

    relevant: Floats
    false: Floats


def _newly(earlier: _Side, later: _Side, drawn: ComparedAreas) -> _New:
    both = earlier.outlines.followed_by(later.outlines)
    query = np.concatenate([earlier.query, later.query])
    ignored = IgnoredOutlines(drawn.ignored, drawn.ignored_query, Engine.AUTO)
    area, relevant = ignored.new_coverage(both, query, drawn.truth, drawn.truth_query)
    added = slice(len(earlier.outlines), None)
    return _New(relevant[added], area[added] - relevant[added])


def _of_queries(query: Ints, values: Floats, queries: int) -> Floats:
    return np.bincount(query, values, queries).astype(np.float64)


HALF = 0.5  # of a false spot's area that the other run must not have


class ChangeKind(StrEnum):
    """Kinds of changes."""

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
_FALSE = [ERROR_KINDS.index(ErrorKind.FALSE), ERROR_KINDS.index(ErrorKind.WRONG_LABEL)]


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
        """Count the changes of each kind, of one query or of all."""
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
    """Tell whether two runs are tallied against the same truth, under the same settings."""
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


@dataclass(frozen=True, eq=False)
class ComparedFigures:
    """Changes of figures, and symbols gained and lost: algebra on two tallies.

    Attributes
    ----------
    first, second : CutRun
        The runs before and after.
    mean : mapping of str to MeanChange
        By figure: precision, recall and F over the truth's queries.
    labels, pages : ChangedFigures
        The same for each label and for each page.
    symbols : ChangeList
        Symbols gained and lost, the biggest first.
    """

    first: CutRun
    second: CutRun
    mean: Mapping[str, MeanChange]
    labels: ChangedFigures
    pages: ChangedFigures
    symbols: ChangeList

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class RunComparison:
    """All that changes from one run to another; make it with `compare_two_runs`.

    Attributes
    ----------
    figures : ComparedFigures
        How the figures change.
    pages : mapping of str to PageComparison
        What only one run found, both, or neither, exactly, by page name.
    changes : ChangeList
        Symbols and false spots gained and lost, the biggest first.
    truths : mapping of str to Truth
        What both runs are compared against, by page name.
    """

    figures: ComparedFigures
    pages: Mapping[str, PageComparison]
    changes: ChangeList
    truths: Mapping[str, Truth]

    __repr__ = short_repr

    @property
    def first(self) -> CutRun:
        """The run before."""
        return self.figures.first

    @property
    def second(self) -> CutRun:
        """The run after."""
        return self.figures.second

    @property
    def areas(self) -> dict[ComparedKind, float]:
        """The area of each kind in px² on all pages, each query by itself."""
        total: dict[ComparedKind, float] = {}
        for page in self.pages.values():
            for kind, area in page.sums().items():
                total[kind] = total.get(kind, 0.0) + area
        return total


def compare_figures(
    first: CutRun, second: CutRun, query: str | None = None, progress: Progress = silent
) -> ComparedFigures:
    """Compare the figures of two runs, and the symbols that they find.

    Parameters
    ----------
    first, second : CutRun
        The runs before and after.
    query : str, optional
        Compare pages by this label only; by default by all labels of the truth.
    progress : Progress
        Is told of every page; may raise `Cancelled`.

    Raises
    ------
    ValueError
        The runs are not tallied against the same truth, or not under the same settings.
    """
    if not are_comparable(first, second):
        raise ValueError("runs are compared against the same truth and under the same settings")
    return ComparedFigures(
        first,
        second,
        mean_changes(first, second),
        label_changes(first, second),
        page_changes(first, second, query, progress),
        list_changes(first, second),
    )


def compare_two_runs(
    first: CutRun,
    second: CutRun,
    truths: Mapping[str, Truth],
    primitive: Primitive | None = None,
    progress: Progress = silent,
) -> RunComparison:
    """Compare two runs, with the areas and false spots of all pages.

    Parameters
    ----------
    first, second : CutRun
        The runs before and after.
    truths : mapping of str to Truth
        What both are tallied against, by page name.
    primitive : Primitive, optional
        What all outlines are turned into before.
    progress : Progress
        Is told of every page; may raise `Cancelled`.

    Raises
    ------
    ValueError
        The runs are not tallied against the same truth, or not under the same settings.
    """
    figures = compare_figures(first, second, None, progress)
    pages = {
        page: compare_page(first, second, page, truths[page], primitive)
        for page in track(first.tally.pages, progress, "Comparing pages")
    }
    changes = list_changes(first, second, pages.values())
    return RunComparison(figures, pages, changes, truths)
