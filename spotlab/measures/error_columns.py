"""The errors of a run as columns of values, to be sorted and filtered, many at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures.confusion import NO_LABEL, LabelAreas
from spotlab.measures.error_list import ErrorList
from spotlab.measures.errors import KINDS
from spotlab.measures.iou import iou_pairs
from spotlab.measures.taken_for import labels_under, queries_on, regions_under
from spotlab.representation import short_repr

TEXTS = ("kind", "query", "taken_for", "page")
_SHARES = ("own_share", "other_share", "no_truth_share")
NUMBERS = (
    "rank", "score", "iou", "area", "own_share", "other_share", "no_truth_share", "wrong_area",
)  # fmt: skip


@dataclass(frozen=True)
class ErrorFilter:
    """Which values of a column remain.

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
        """What the numbers of each column of texts stand for; -1 stands for none."""
        tally = self.list.errors.tally
        return {
            "kind": tuple(kind.words for kind in KINDS),
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

    def codes(self, column: str) -> Ints:
        """The numbers of a column of texts.

        Parameters
        ----------
        column : str
            One of `TEXTS`.

        Returns
        -------
        (n,) int
            Places in `names`; -1 for none.
        """
        tally = self.list.errors.tally
        if column == "kind":
            return self.list.kind.astype(np.int64)
        if column == "query":
            return self.list.query
        if column == "page":
            return self._joined(tally.page, tally.region_page)
        return self._joined(self._mistaken, self._taken_regions)

    def code(self, column: str, entry: int) -> int:
        """One number of a column of texts, as `codes` has it.

        Parameters
        ----------
        column : str
            One of `TEXTS`.
        entry : int

        Returns
        -------
        int
            Place in `names`; -1 for none.
        """
        if column == "kind":
            return int(self.list.kind[entry])
        if column == "query":
            return int(self.list.query[entry])
        tally = self.list.errors.tally
        if column == "page":
            return int(self._one(tally.page, tally.region_page, entry))
        return int(self._one(self._mistaken, self._taken_regions, entry))

    def values(self, column: str) -> Floats:
        """The values of a column of numbers.

        Parameters
        ----------
        column : str
            One of `NUMBERS`.

        Returns
        -------
        (n,) float
            Areas in px², shares and IoU in [0, 1]; NaN where undefined.
        """
        return self._joined(*self._sources(column))

    def value(self, column: str, entry: int) -> float:
        """One value of a column of numbers, as `values` has it.

        Parameters
        ----------
        column : str
            One of `NUMBERS`.
        entry : int

        Returns
        -------
        float
            In the column's unit; NaN where undefined.
        """
        return float(self._one(*self._sources(column), entry))

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
        """
        if column in TEXTS:
            names = self.names[column]
            place = np.empty(len(names) + 1)
            place[-1] = np.nan
            place[sorted(range(len(names)), key=lambda at: names[at])] = np.arange(len(names))
            values = place[self.codes(column)[entries]]
        else:
            values = self.values(column)[entries]
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
        """
        for each in filters:
            entries = entries[self._passes(each)[entries]]
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
        """
        names, codes = self.names[column], self.codes(column)[entries]
        counts = np.bincount(codes[codes >= 0], minlength=len(names)).tolist()
        return dict(sorted((name, n) for name, n in zip(names, counts, strict=True) if n))

    def _passes(self, wanted: ErrorFilter) -> NDArray[np.bool_]:
        if wanted.column in TEXTS:
            names = self.names[wanted.column]
            right = np.array([*(name in wanted.texts for name in names), False])
            return np.asarray(right[self.codes(wanted.column)])
        values = self.values(wanted.column)
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
        errors, tally = self.list.errors, self.list.errors.tally
        region = regions_under(errors)
        iou = np.full(len(tally), np.nan)
        on = tally.pair_region == region[tally.pair_spot]
        iou[tally.pair_spot[on]] = iou_pairs(tally)[on]
        return iou

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

    def _one(self, of_spots: NDArray[Any], of_regions: NDArray[Any], entry: int) -> Any:
        spot = self.list.spot[entry]
        return of_spots[spot] if spot >= 0 else of_regions[self.list.region[entry]]

    def _joined(self, of_spots: NDArray[Any], of_regions: NDArray[Any]) -> NDArray[Any]:
        """The values of the entries' spots, or of their regions where they are missed."""
        found = np.empty(len(self.list), np.result_type(of_spots, of_regions))
        spots = self.list.spot >= 0
        found[spots] = of_spots[self.list.spot[spots]]
        found[~spots] = of_regions[self.list.region[~spots]]
        return found
