"""Confusion of labels: what spots lie on, as a table, by area and in columns.

Which label each spot lies on: what was taken for what.

A spot lies on the region that it is judged by (`errors.Errors.region`). A false spot lies on the
region of another label with which its IoU is highest, if that is .1 or more; else on no truth. This
is the assignment of detection confusion matrices, such as those of ultralytics and TIDE (Bolya et
al. 2020), with the kinds of `spotlab.measures.matching` deciding first.

The confusion table: what the spots of each query lie on, by spots and by area.

A row for each query and one for what was missed, a column for each label, one for truth without a
label and one for no truth. This is the confusion matrix of object detection, with a background row
and column, as ultralytics and torchmetrics make it. Differences: rows are the queries (predictions)
and columns the truth; and a spot on a region that an earlier spot has found counts for its label,
not for the background. `taken_for` says what a spot lies on.

By area, each place that a query retrieves counts for one column: for its own label where that has
truth, else for another label, else for no truth. Where truth of several other labels overlaps, it
counts for the one whose regions are smaller on the page on average. So a row adds up to A(R), the
diagonal is A(R ⊕ T) of Rusiñol & Lladós (2009), eq. 7, and the missed row is A(T) less that.
Ignored spots and ignored area take no part.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures.area import ratio
from spotlab.measures.matching import (
    BACKGROUND,
    ERROR_KINDS,
    ErrorKind,
    ErrorList,
    Errors,
    best_region,
    iou_pairs,
    iou_with,
    of_other_labels,
)
from spotlab.measures.tally import Overlap, Tally
from spotlab.representation import short_repr

_known: WeakKeyDictionary[Errors, Ints] = WeakKeyDictionary()


def regions_under(errors: Errors) -> Ints:
    """The region that each spot lies on.

    Parameters
    ----------
    errors : Errors
        Of N spots.

    Returns
    -------
    (N,) int
        Place in the tally; -1 for a spot on no truth.

    Notes
    -----
    A false spot is about a region of another label from an IoU of .1 on, as in Bolya et al. (2020).

    Examples
    --------
    >>> from spotlab.measures.matching import classify_errors
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> from spotlab.geometry.polygon import Outlines
    >>> nothing = Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, [])
    >>> regions_under(classify_errors(nothing)).tolist()
    []
    """
    tally = errors.tally
    iou, region = best_region(tally, iou_pairs(tally), of_other_labels(tally))
    near = (errors.kind == ERROR_KINDS.index(ErrorKind.FALSE)) & (iou >= BACKGROUND)
    return np.where(near, region, errors.region)


def labels_under(errors: Errors) -> Ints:
    """The label that each spot lies on.

    Parameters
    ----------
    errors : Errors
        Of N spots and Q queries.

    Returns
    -------
    (N,) int
        Place in the tally's queries; Q for a region without a label, Q + 1 for no truth.

    Notes
    -----
    See `regions_under`, which follows Bolya et al. (2020).

    Examples
    --------
    >>> from spotlab.measures.matching import classify_errors
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> from spotlab.geometry.polygon import Outlines
    >>> nothing = Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, [])
    >>> labels_under(classify_errors(nothing)).tolist()
    []
    """
    errors = errors.whole or errors  # where lists end changes none of it
    known = _known.get(errors)
    if known is not None:
        return known
    tally, regions = errors.tally, regions_under(errors)
    queries = len(tally.queries)
    label = np.append(np.where(tally.region_query < 0, queries, tally.region_query), queries + 1)
    found: Ints = label[regions]  # -1 takes the last
    _known[errors] = found
    return found


def taken_for(errors: Errors, spot: int) -> str:
    """Name the other label that a spot lies on.

    Parameters
    ----------
    errors : Errors
        Of N spots.
    spot : int
        Place in the tally.

    Returns
    -------
    str
        Empty if it lies on no truth, or on that of its own query.
    """
    tally, label = errors.tally, int(labels_under(errors)[spot])
    if label == tally.query[spot] or label > len(tally.queries):
        return ""
    return tally.queries[label] if label < len(tally.queries) else "a region without label"


def queries_on(errors: Errors) -> Ints:
    """The query whose spot lies on each region under another label.

    Parameters
    ----------
    errors : Errors
        Of T regions.

    Returns
    -------
    (T,) int
        Place in the tally's queries, that of the spot with the highest IoU; -1 for no such spot.

    Notes
    -----
    See `regions_under`, which follows Bolya et al. (2020).

    Examples
    --------
    >>> from spotlab.measures.matching import classify_errors
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> from spotlab.geometry.polygon import Outlines
    >>> nothing = Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, [])
    >>> queries_on(classify_errors(nothing)).tolist()
    []
    """
    tally, regions = errors.tally, regions_under(errors)
    pairs = np.flatnonzero(
        (tally.pair_region == regions[tally.pair_spot]) & ~tally.own & errors.kept[tally.pair_spot]
    )
    pairs = pairs[np.argsort(iou_pairs(tally)[pairs], kind="stable")]  # the highest is last
    found = np.full(len(tally.region_area), -1, np.int64)
    found[tally.pair_region[pairs]] = tally.query[tally.pair_spot[pairs]]
    return found


NO_LABEL, NO_TRUTH, MISSED = "(no label)", "(no truth)", "(missed)"


@dataclass(frozen=True, eq=False)
class LabelAreas:
    """Areas of spots on the truth of each label; K entries for N spots, Q queries.

    Attributes
    ----------
    tally : Tally
        What it is about.
    spot : (K,) int
        Place in the tally.
    label : (K,) int
        Place in the tally's queries; Q for truth without a label.
    shared : (K,) float
        The area in px² of the spot on truth of the label. No place counts for two labels.
    gained : (K,) float
        The part of it in px² that no earlier spot of the query covers on this page.
    """

    tally: Tally
    spot: Ints
    label: Ints
    shared: Floats
    gained: Floats

    __repr__ = short_repr

    @cached_property
    def shares(self) -> Floats:
        """(N, 3) shares of each spot on its own truth, on other truth, on none; NaN without area.

        They add up to 1. What is ignored takes no part.
        """
        tally = self.tally
        own = self.label == tally.query[self.spot]
        on = [np.bincount(self.spot[part], self.shared[part], len(tally)) for part in (own, ~own)]
        first = ratio(on[0], tally.counted_area)
        second = np.minimum(ratio(on[1], tally.counted_area), 1 - np.minimum(first, 1))
        first = np.minimum(first, 1)
        return np.stack([first, second, np.maximum(1 - first - second, 0)], axis=1)


@dataclass(frozen=True, eq=False)
class Confusion:
    """Labels that the spots of each of Q queries lie on; `confuse` makes it.

    Attributes
    ----------
    errors : Errors
        What is counted: the spots that it keeps.
    areas : LabelAreas or None
        What the areas are summed from.
    overlap : Overlap
        Whether area that several spots cover counts once or once for each.
    """

    errors: Errors
    areas: LabelAreas | None
    overlap: Overlap = Overlap.UNION

    __repr__ = short_repr

    @property
    def rows(self) -> tuple[str, ...]:
        """(Q + 1,) the queries, and what was missed."""
        return (*self.errors.tally.queries, MISSED)

    @property
    def columns(self) -> tuple[str, ...]:
        """(Q + 2,) the labels, truth without a label, no truth."""
        return (*self.errors.tally.queries, NO_LABEL, NO_TRUTH)

    @cached_property
    def kept(self) -> NDArray[np.bool_]:
        """(N,) the spots that are counted by spots: kept ones that are not ignored."""
        return np.asarray(
            self.errors.kept & (self.errors.kind != ERROR_KINDS.index(ErrorKind.IGNORED))
        )

    @cached_property
    def label(self) -> Ints:
        """(N,) the column of each spot."""
        return labels_under(self.errors)

    @cached_property
    def spots(self) -> Ints:
        """(Q + 1, Q + 2) number of kept spots of each query on each label.

        The last row has the regions of each label that were missed.
        """
        errors, tally = self.errors, self.errors.tally
        queries = len(tally.queries)
        cell = tally.query * (queries + 2) + self.label
        counts = np.bincount(cell[self.kept], minlength=queries * (queries + 2))
        missed = np.bincount(tally.region_query[errors.missed], minlength=queries + 2)
        table = np.vstack([counts.reshape(queries, queries + 2), missed])
        return np.asarray(table, np.int64)

    @cached_property
    def area(self) -> Floats | None:
        """(Q + 1, Q + 2) area in px² that each query retrieves of each label's truth.

        The last row has the area of each label's truth that its query does not retrieve. None if
        the areas are not known.
        """
        if self.areas is None:
            return None
        errors, areas = self.errors, self.areas
        tally, queries = errors.tally, len(errors.tally.queries)
        once = self.overlap is Overlap.UNION
        retrieved = tally.gained_area if once else tally.counted_area
        kept = errors.kept  # also what an ignored spot has outside ignored area
        totals = np.bincount(tally.query[kept], retrieved[kept], queries)
        entries = kept[areas.spot]
        cell = tally.query[areas.spot] * (queries + 1) + areas.label
        on = np.bincount(
            cell[entries],
            (areas.gained if once else areas.shared)[entries],
            queries * (queries + 1),
        ).reshape(queries, queries + 1)
        nowhere = np.maximum(totals - on.sum(axis=1), 0.0)
        found = np.bincount(tally.query[kept], tally.gained_true_area[kept], queries)
        missed = np.maximum(tally.truth_area.sum(axis=1) - found, 0.0)
        return np.vstack([np.column_stack([on, nowhere]), np.append(missed, [0.0, 0.0])])

    def table(self, by: str) -> Floats | None:
        """The table by ``"spots"`` or by ``"area"``.

        Parameters
        ----------
        by : {"spots", "area"}
            What is counted.

        Returns
        -------
        (Q + 1, Q + 2) float or None
            Numbers of spots, or px²; None if the areas are not known.
        """
        return self.spots.astype(np.float64) if by == "spots" else self.area

    @property
    def shown(self) -> tuple[Ints, Ints]:
        """Rows and columns that say something: queries and labels with spots or truth.

        Returns
        -------
        rows, columns : (R,) and (C,) int
            Places in the table.
        """
        tally = self.errors.tally
        in_truth = tally.symbols.sum(axis=1) > 0
        searched = np.diff(tally.starts) > 0
        unlabelled = tally.region_query < 0
        if tally.ignored is not None:  # an ignored region is no truth, whatever its label
            unlabelled = unlabelled & (tally.ignored.kind == 0)
        columns = np.append(in_truth, [bool(unlabelled.any()), True])
        return np.flatnonzero(np.append(in_truth | searched, True)), np.flatnonzero(columns)

    def worst_first(self, by: str) -> tuple[Ints, Ints]:
        """The rows and columns of `shown`, labels in the order of the pairs that are confused most.

        Parameters
        ----------
        by : {"spots", "area"}
            What is counted.

        Returns
        -------
        rows, columns : (R,) and (C,) int
            Places in the table; labels are in the same order in both, and what is no label is last.
        """
        queries = len(self.errors.tally.queries)
        labels = np.stack(self.confused(by), axis=1).ravel()
        mentioned, first = np.unique(labels[labels < queries], return_index=True)
        place = np.full(queries + 2, len(labels))
        place[mentioned] = first
        place[queries:] += 1
        rows, columns = (each[np.argsort(place[each], kind="stable")] for each in self.shown)
        return rows, columns

    def confused(self, by: str = "spots") -> tuple[Ints, Ints]:
        """The cells in which a query took another label for its own, the worst first.

        Parameters
        ----------
        by : {"spots", "area"}
            What is counted.

        Returns
        -------
        rows, columns : (n,) int
            Places in the table; empty if the areas are not known.
        """
        counted = self.table(by)
        if counted is None:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        queries = len(self.errors.tally.queries)
        between = counted[:queries, : queries + 1].copy()
        np.fill_diagonal(between, 0.0)
        rows, columns = np.nonzero(between)
        order = np.argsort(-between[rows, columns], kind="stable")
        return rows[order], columns[order]

    @property
    def pairs(self) -> list[tuple[str, str, int, float]]:
        """Each query and other label that it was taken for, worst first: spots, their share."""
        shares = row_shares(self.spots.astype(np.float64))
        return [
            (self.rows[row], self.columns[at], int(self.spots[row, at]), float(shares[row, at]))
            for row, at in zip(*(places.tolist() for places in self.confused()), strict=True)
        ]

    def spots_in(self, row: int, column: int, by: str) -> Ints:
        """The kept spots of a cell.

        Parameters
        ----------
        row, column : int
            A query's row and any column.
        by : {"spots", "area"}
            By area, all spots are listed that newly cover area of this column, the largest first.
            By spots, those that lie on it, in order of rank.

        Returns
        -------
        (n,) int
            Places in the tally; empty for the missed row, or if the areas are not known.
        """
        tally = self.errors.tally
        queries = len(tally.queries)
        if row >= queries:
            return np.empty(0, np.int64)
        if by == "spots":
            return np.flatnonzero(self.kept & (tally.query == row) & (self.label == column))
        if self.areas is None:
            return np.empty(0, np.int64)
        entries = np.ones(len(self.areas.spot), np.bool_)
        if column <= queries:
            entries = self.areas.label == column
        on = np.bincount(self.areas.spot[entries], self.areas.gained[entries], len(tally))
        area = tally.gained_area - on if column > queries else on
        least = 1e-9 * np.maximum(tally.area, 1.0)
        spots = np.flatnonzero(self.errors.kept & (tally.query == row) & (area > least))
        return spots[np.argsort(-area[spots], kind="stable")]

    def regions_in(self, column: int, by: str) -> Ints:
        """The regions of a cell of the missed row.

        Parameters
        ----------
        column : int
            A label's.
        by : {"spots", "area"}
            By area, all regions that are not wholly covered, the largest uncovered area first. By
            spots, those that were missed, in the order of the tally.

        Returns
        -------
        (n,) int
            Places in the tally.
        """
        errors, tally = self.errors, self.errors.tally
        own = tally.region_query == column
        if by == "spots":
            return np.flatnonzero(errors.missed & own)
        pairs = tally.own & errors.kept[tally.pair_spot]
        covered = np.bincount(
            tally.pair_region[pairs], tally.pair_gained_area[pairs], len(tally.region_area)
        )
        left = tally.counted_region_area - covered
        regions = np.flatnonzero(own & (left > 1e-9 * tally.region_area))
        return regions[np.argsort(-left[regions], kind="stable")]


def row_shares(table: Floats) -> Floats:
    """A confusion table as shares of its rows.

    Parameters
    ----------
    table : (R, C) float
        Numbers of spots, or areas.

    Returns
    -------
    (R, C) float
        Shares in [0, 1]; NaN in a row without anything.

    Notes
    -----
    The normalisation over predictions of confusion matrices (``normalize="pred"`` in scikit-learn).

    Examples
    --------
    >>> row_shares(np.array([[3.0, 1.0], [0.0, 0.0]])).tolist()
    [[0.75, 0.25], [nan, nan]]
    """
    return ratio(table, table.sum(axis=1, keepdims=True))


def confuse(
    errors: Errors, areas: LabelAreas | None = None, overlap: Overlap = Overlap.UNION
) -> Confusion:
    """Count what the spots of each query lie on.

    Parameters
    ----------
    errors : Errors
        The spots that it keeps are counted.
    areas : LabelAreas, optional
        Needed for the table by area.
    overlap : Overlap
        Whether area that several spots cover counts once or once for each.

    Returns
    -------
    Confusion
        Of zeros where there are neither spots nor truth.

    Notes
    -----
    The confusion matrix of detectors with a row and a column for the background; see the module.

    Examples
    --------
    >>> from spotlab.measures.matching import classify_errors
    >>> from spotlab.model.run import Run
    >>> from spotlab.geometry.polygon import Outlines
    >>> nothing = Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, [], ["bed"])
    >>> table = confuse(classify_errors(nothing))
    >>> table.rows, table.columns, table.spots.tolist()
    (('bed', '(missed)'), ('bed', '(no label)', '(no truth)'), [[0, 0, 0], [0, 0, 0]])
    """
    return Confusion(errors, areas, overlap)


def entries_of(
    tally: Tally, found: list[tuple[Ints, NDArray[np.object_], Floats, Floats]]
) -> LabelAreas:
    """Put the entries of single pages together.

    Parameters
    ----------
    tally : Tally
        Of all pages.
    found : list of (spot, label, shared, gained)
        For each page: places in the run, names of labels (empty for none), px², px².

    Returns
    -------
    LabelAreas
        Its entries are sorted by spot.

    Notes
    -----
    The areas are those of Rusiñol & Lladós (2009), eq. 7, label by label.

    Examples
    --------
    >>> from spotlab.model.run import Run
    >>> from spotlab.geometry.polygon import Outlines
    >>> nothing = Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, [])
    >>> len(entries_of(nothing, []).spot)
    0
    """
    number = {name: at for at, name in enumerate(tally.queries)} | {"": len(tally.queries)}
    empty: tuple[Ints, NDArray[np.object_], Floats, Floats] = (
        np.empty(0, np.int64), np.empty(0, np.object_), np.empty(0), np.empty(0)
    )  # fmt: skip
    run_spot, names, shared, gained = (
        np.concatenate(parts) for parts in zip(*[empty, *found], strict=True)
    )
    spot = np.searchsorted(tally.spot, run_spot)
    label = np.array([number[name] for name in names.tolist()], np.int64)
    order = np.argsort(spot, kind="stable")
    return LabelAreas(tally, spot[order], label[order], shared[order], gained[order])


TEXTS = ("kind", "query", "taken_for", "page")
_SHARES = ("own_share", "other_share", "no_truth_share")
NUMBERS = (
    "rank", "score", "iou", "area", "own_share", "other_share", "no_truth_share", "wrong_area",
)  # fmt: skip


@dataclass(frozen=True)
class ErrorFilter:
    """Values of a column that remain.

    Attributes
    ----------
    column : str
        One of `TEXTS` or `NUMBERS`.
    texts : frozenset of str
        Of a column of texts: those that remain.
    low, high : float or None
        Of a column of numbers: the range that remains, its ends included, in px² for areas
        and in [0, 1] for shares and IoU; None is no end. An undefined value is in no range.
    """

    column: str
    texts: frozenset[str] = frozenset()
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, eq=False)
class ErrorColumns:
    """The errors of a list, n entries, in columns.

    Attributes
    ----------
    list : ErrorList
        The errors.
    areas : LabelAreas or None
        Where the shares of spots on truth are known.
    """

    list: ErrorList
    areas: LabelAreas | None = None

    __repr__ = short_repr

    @cached_property
    def names(self) -> dict[str, tuple[str, ...]]:
        """Texts that the numbers of each column of texts stand for; -1 stands for none."""
        tally = self.list.errors.tally
        return {
            "kind": tuple(kind.words for kind in ERROR_KINDS),
            "query": tally.queries,
            "taken_for": (*tally.queries, NO_LABEL),
            "page": tally.pages,
        }

    def prepare(self) -> None:
        """Compute now, where nobody waits, what columns are made of."""
        _ = self._mistaken, self._taken_regions, self._iou
        _ = self.list.errors.wrong_area, self.list.errors.tally.rank
        if self.areas is not None:
            _ = self.areas.shares

    def codes(self, column: str, entries: Ints) -> Ints:
        """The numbers of a column of texts.

        Parameters
        ----------
        column : str
            One of `TEXTS`.
        entries : (m,) int
            Entries of the list.

        Returns
        -------
        (m,) int
            Places in `names`; -1 for none.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> tally = SimpleNamespace(queries=("sofa", "bed"), pages=("plan",))
        >>> errors = SimpleNamespace(errors=SimpleNamespace(tally=tally), query=np.array([0, 1, 0]))
        >>> columns = ErrorColumns(errors)
        >>> columns.codes("query", np.array([0, 1])).tolist(), columns.names["query"]
        ([0, 1], ('sofa', 'bed'))
        """
        tally = self.list.errors.tally
        if column == "kind":
            return self.list.kind[entries].astype(np.int64)
        if column == "query":
            return self.list.query[entries]
        if column == "page":
            return self._at(tally.page, tally.region_page, entries)
        return self._at(self._mistaken, self._taken_regions, entries)

    def values(self, column: str, entries: Ints) -> Floats:
        """The values of a column of numbers.

        Parameters
        ----------
        column : str
            One of `NUMBERS`.
        entries : (m,) int
            Entries of the list.

        Returns
        -------
        (m,) float
            Areas in px², shares and IoU in [0, 1]; NaN where undefined.

        Examples
        --------
        A spot of 30 px², and a region of 50 px² that was missed:

        >>> from types import SimpleNamespace
        >>> tally = SimpleNamespace(area=np.array([30.0]), region_area=np.array([50.0]))
        >>> errors = SimpleNamespace(errors=SimpleNamespace(tally=tally),
        ...                          spot=np.array([0, -1]), region=np.array([-1, 0]))
        >>> ErrorColumns(errors).values("area", np.array([0, 1])).tolist()
        [30.0, 50.0]
        """
        return self._at(*self._sources(column), entries)

    def order(self, entries: Ints, column: str, falling: bool) -> Ints:
        """Sort entries by a column; equal ones keep their order.

        Parameters
        ----------
        entries : (m,) int
            Entries of the list.
        column : str
            What they are sorted by; texts by the alphabet.
        falling : bool
            Whether the highest comes first.

        Returns
        -------
        (m,) int
            The same entries; those without a value come last.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> tally = SimpleNamespace(queries=("sofa", "bed"), pages=("plan",))
        >>> errors = SimpleNamespace(errors=SimpleNamespace(tally=tally), query=np.array([0, 1, 0]))
        >>> columns = ErrorColumns(errors)
        >>> columns.order(np.arange(3), "query", falling=False).tolist()  # "bed" before "sofa"
        [1, 0, 2]
        """
        if column in TEXTS:
            names = self.names[column]
            place = np.empty(len(names) + 1)
            place[-1] = np.nan
            place[sorted(range(len(names)), key=lambda at: names[at])] = np.arange(len(names))
            values = place[self.codes(column, entries)]
        else:
            values = self.values(column, entries)
        return entries[np.argsort(-values if falling else values, kind="stable")]

    def keep(self, entries: Ints, filters: Iterable[ErrorFilter]) -> Ints:
        """Keep the entries that pass all filters.

        Parameters
        ----------
        entries : (m,) int
            Entries of the list.
        filters : iterable of ErrorFilter
            What has to hold.

        Returns
        -------
        (k,) int
            Entries in their order.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> tally = SimpleNamespace(queries=("sofa", "bed"), pages=("plan",))
        >>> errors = SimpleNamespace(errors=SimpleNamespace(tally=tally), query=np.array([0, 1, 0]))
        >>> columns = ErrorColumns(errors)
        >>> columns.keep(np.arange(3), [ErrorFilter("query", frozenset({"sofa"}))]).tolist()
        [0, 2]
        """
        for each in filters:
            entries = entries[self._passes(each, entries)]
        return entries

    def count_texts(self, entries: Ints, column: str) -> dict[str, int]:
        """Count the entries by a column of texts.

        Parameters
        ----------
        entries : (m,) int
            Entries of the list.
        column : str
            One of `TEXTS`.

        Returns
        -------
        dict of str to int
            Those that occur, in alphabetical order.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> tally = SimpleNamespace(queries=("sofa", "bed"), pages=("plan",))
        >>> errors = SimpleNamespace(errors=SimpleNamespace(tally=tally), query=np.array([0, 1, 0]))
        >>> columns = ErrorColumns(errors)
        >>> columns.count_texts(np.arange(3), "query")
        {'bed': 1, 'sofa': 2}
        """
        names, codes = self.names[column], self.codes(column, entries)
        counts = np.bincount(codes[codes >= 0], minlength=len(names)).tolist()
        return dict(sorted((name, n) for name, n in zip(names, counts, strict=True) if n))

    def _passes(self, wanted: ErrorFilter, entries: Ints) -> NDArray[np.bool_]:
        if wanted.column in TEXTS:
            names = self.names[wanted.column]
            right = np.array([*(name in wanted.texts for name in names), False])
            return np.asarray(right[self.codes(wanted.column, entries)])
        values = self.values(wanted.column, entries)
        passes = ~np.isnan(values)
        if wanted.low is not None:
            passes &= values >= wanted.low
        if wanted.high is not None:
            passes &= values <= wanted.high
        return passes

    # columns are made when they are asked for: twelve of them for a million errors are 100 MB

    @cached_property
    def _mistaken(self) -> NDArray[np.int32]:
        """(N,) the other label that each spot lies on; -1 for none."""
        errors, tally = self.list.errors, self.list.errors.tally
        under, queries = labels_under(errors), len(tally.queries)
        return np.where((under == tally.query) | (under > queries), -1, under).astype(np.int32)

    @cached_property
    def _taken_regions(self) -> Ints:
        """(T,) the query whose spot lies on each region; -1 for none."""
        return queries_on(self.list.errors)

    @cached_property
    def _iou(self) -> Floats:
        """(N,) intersection over union with the region that each spot lies on; NaN without one."""
        region = regions_under(self.list.errors)
        return np.where(region >= 0, iou_with(self.list.errors.tally, region), np.nan)

    def _sources(self, column: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """A column of numbers by spot, and by region."""
        errors, tally = self.list.errors, self.list.errors.tally
        if column == "area":
            return tally.area, tally.region_area
        if column == "wrong_area":
            return errors.wrong_area, tally.region_area
        undefined = np.broadcast_to(np.nan, len(tally.region_area))
        if column in _SHARES:
            place = _SHARES.index(column)
            unknown = np.broadcast_to(np.nan, len(tally))
            return unknown if self.areas is None else self.areas.shares[:, place], undefined
        by_spot = {"rank": tally.rank, "score": tally.score, "iou": self._iou}
        return by_spot[column], undefined

    def _at(self, of_spots: NDArray[Any], of_regions: NDArray[Any], entries: Ints) -> NDArray[Any]:
        """The values of the entries' spots, or of their regions where they are missed."""
        spot = self.list.spot[entries]
        found = np.empty(len(spot), np.result_type(of_spots, of_regions))
        on = spot >= 0
        found[on] = of_spots[spot[on]]
        found[~on] = of_regions[self.list.region[entries[~on]]]
        return found
