"""The confusion table: what the spots of each query lie on, by spots and by area.

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

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures.area import ratio
from spotlab.measures.errors import KINDS, ErrorKind, Errors
from spotlab.measures.taken_for import labels_under
from spotlab.measures.tally import Overlap, Tally
from spotlab.representation import short_repr

NO_LABEL, NO_TRUTH, MISSED = "(no label)", "(no truth)", "(missed)"


@dataclass(frozen=True, eq=False)
class LabelAreas:
    """How much of each spot lies on the truth of each label; K entries for N spots, Q queries.

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
    """What the spots of each of Q queries lie on; `confuse` makes it.

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
        return np.asarray(self.errors.kept & (self.errors.kind != KINDS.index(ErrorKind.IGNORED)))

    @cached_property
    def label(self) -> Ints:
        """(N,) the column of each spot."""
        return labels_under(self.errors)

    @cached_property
    def spots(self) -> Ints:
        """(Q + 1, Q + 2) how many kept spots of each query lie on each label.

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
    >>> from spotlab.measures.errors import classify_errors
    >>> from spotlab.model.run import Run
    >>> from spotlab.geometry.outlines import Outlines
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
    >>> from spotlab.geometry.outlines import Outlines
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
