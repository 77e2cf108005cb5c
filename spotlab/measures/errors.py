"""Errors of a run at an IoU threshold: kinds of spots, missed regions, and all of them in a list.

What is wrong with each spot, and which regions were missed, at an IoU threshold.

The kinds follow TIDE (Bolya et al. 2020), tested in this order. A spot is *correct* if it is
matched with a region of its query (`match_spots`); *ignored* if it lies on an ignored region
(`ignored_spots`), which is no error; a *duplicate* if it reaches the threshold
with a region that an earlier spot is matched with; *badly placed* if it overlaps a region of its
query with an IoU of .1 or more; of the *wrong label* if it reaches the threshold with a region of
another label; else *false*. A labelled region is *missed* if no spot is matched with it or badly
placed on it, unless it is ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures.matching import ignored_spots, iou_pairs, match_spots
from spotlab.measures.tally import Tally
from spotlab.representation import short_repr

BACKGROUND = 0.1  # IoU below which a spot is not about a region at all


class ErrorKind(StrEnum):
    """The kind of a spot, or of a missed region."""

    CORRECT = "correct"
    MISSED = "missed"
    FALSE = "false"
    BADLY_PLACED = "badly_placed"
    DUPLICATE = "duplicate"
    WRONG_LABEL = "wrong_label"
    IGNORED = "ignored"

    @property
    def words(self) -> str:
        """The kind in words.

        Examples
        --------
        >>> ErrorKind.BADLY_PLACED.words
        'badly placed'
        """
        return self.value.replace("_", " ")


KINDS = tuple(ErrorKind)
_NUMBER = {kind: number for number, kind in enumerate(KINDS)}


@dataclass(frozen=True)
class ErrorPlace:
    """One error.

    Attributes
    ----------
    kind : ErrorKind
        What is wrong.
    spot, region : int or None
        The place in the tally of the spot, or of the missed region; the other one is None.
    """

    kind: ErrorKind
    spot: int | None = None
    region: int | None = None


@dataclass(frozen=True, eq=False)
class Errors:
    """The kinds of all spots of a run, and the regions that it missed.

    Attributes
    ----------
    tally : Tally
        Of N spots and T regions.
    kind : (N,) int
        Place in `KINDS`.
    region : (N,) int
        The region that a spot is matched with, or that its error refers to; -1 for none.
    iou : (N,) float
        Intersection over union with that region, in [0, 1]; 0 for none.
    missed : (T,) bool
        Labelled regions that no spot is matched with or badly placed on.
    kept : (N,) bool
        Spots that are considered.
    whole : Errors or None
        The same of whole lists, whose columns these share, where lists end earlier.
    """

    tally: Tally
    kind: NDArray[np.int8]
    region: Ints
    iou: Floats
    missed: NDArray[np.bool_]
    kept: NDArray[np.bool_]
    whole: Errors | None = None

    __repr__ = short_repr

    def at(self, counts: Ints) -> Errors:
        """The errors where only the first spots of each query are kept.

        Parameters
        ----------
        counts : (Q,) int
            How many spots each query keeps.

        Returns
        -------
        Errors
            Kinds are those of whole lists: earlier spots choose their region first. A region that
            only later spots find is missed.

        Examples
        --------
        >>> from spotlab.measures.tally import Tally
        >>> from spotlab.model.run import Run
        >>> from spotlab.geometry.outlines import Outlines
        >>> nothing = Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, [])
        >>> classify_errors(nothing).at(np.zeros(0, int)).worst
        []
        """
        tally = self.tally
        kept = tally.rank <= np.asarray(counts)[tally.query]
        missed = _missed(tally, self.kind, self.region, kept)
        return Errors(
            tally, self.kind, self.region, self.iou, missed, kept, whole=self.whole or self
        )

    def count(self, kind: ErrorKind) -> Ints:
        """Count the spots, or missed regions, of a kind for every query.

        Parameters
        ----------
        kind : ErrorKind
            What to count.

        Returns
        -------
        (Q,) int
            0 for a query that has none.
        """
        queries = len(self.tally.queries)
        if kind is ErrorKind.MISSED:
            return np.bincount(self.tally.region_query[self.missed], minlength=queries)
        chosen = self.kept & (self.kind == _NUMBER[kind])
        return np.bincount(self.tally.query[chosen], minlength=queries)

    def is_missed(self, region: int, counts: Ints) -> bool:
        """Say whether a region is missed where only the first spots of each query are kept.

        Parameters
        ----------
        region : int
            Its place in the tally.
        counts : (Q,) int
            How many spots each query keeps.

        Returns
        -------
        bool
            Always False for an ignored region.
        """
        tally, finds = self.tally, (ErrorKind.CORRECT, ErrorKind.BADLY_PLACED)
        spots = np.flatnonzero(self.region == region)
        found = np.isin(self.kind[spots], [_NUMBER[kind] for kind in finds])
        kept = tally.rank[spots] <= np.asarray(counts)[tally.query[spots]]
        return bool(tally.region_query[region] >= 0 and not (found & kept).any())

    @cached_property
    def wrong_area(self) -> Floats:
        """(N,) the area in px² that is wrong in each spot; see `worst`."""
        if self.whole is not None:
            return self.whole.wrong_area
        tally = self.tally
        counted = tally.counted_area
        outside = counted - np.minimum(tally.shared_relevant, counted)
        placed, twice = self._of(ErrorKind.BADLY_PLACED), self._of(ErrorKind.DUPLICATE)
        shared = self.iou / (1 + self.iou)
        region_area = np.append(tally.region_area, 0.0)[self.region]  # -1 takes the 0
        both = tally.area + region_area
        return np.where(twice, tally.area, np.where(placed, both * (1 - 2 * shared), outside))

    @cached_property
    def is_error(self) -> NDArray[np.bool_]:
        """(N,) the kept spots that are neither correct nor ignored."""
        return self.kept & ~(self._of(ErrorKind.CORRECT) | self._of(ErrorKind.IGNORED))

    @cached_property
    def worst(self) -> Sequence[ErrorPlace]:
        """All errors, the worst first; equal ones in the order of the tally.

        Errors are ordered by the area in px² that is wrong. For a false spot or one of the wrong
        label it is the area outside the truth of its query, for a duplicate its whole area, for a
        badly placed spot the area that it and its region do not share, and for a missed region its
        area.
        """
        spots, regions = np.flatnonzero(self.is_error), np.flatnonzero(self.missed)
        areas = np.concatenate([self.wrong_area[spots], self.tally.region_area[regions]])
        order = np.argsort(-areas, kind="stable").tolist()
        kinds = self.kind[spots].tolist()
        places = [
            *(
                ErrorPlace(KINDS[kind], spot=spot)
                for kind, spot in zip(kinds, spots.tolist(), strict=True)
            ),
            *(ErrorPlace(ErrorKind.MISSED, region=region) for region in regions.tolist()),
        ]
        return [places[at] for at in order]

    @property
    def judged(self) -> NDArray[np.bool_]:
        """(N,) spots that were considered and are not ignored: right or some error."""
        return self.kept & ~self._of(ErrorKind.IGNORED)

    def _of(self, kind: ErrorKind) -> NDArray[np.bool_]:
        return np.asarray(self.kind == _NUMBER[kind])


def classify_errors(tally: Tally, iou: float = 0.5) -> Errors:
    """Sort all spots and regions into kinds of errors.

    Parameters
    ----------
    tally : Tally
        Of Q queries.
    iou : float
        Intersection over union in (0, 1] from which a spot is right.

    Returns
    -------
    Errors
        Of whole lists; `Errors.at` has those of lists that end earlier. Without spots every
        labelled region is missed.

    Notes
    -----
    The kinds of Bolya et al. (2020), see the module.

    Examples
    --------
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> from spotlab.geometry.outlines import Outlines
    >>> nothing = Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, [])
    >>> classify_errors(nothing).worst
    []
    """
    of_pair = iou_pairs(tally)
    own_best, own_region = best_region(tally, of_pair, tally.own)
    other_best, other_region = best_region(tally, of_pair, of_other_labels(tally))
    matched = match_spots(tally, iou)
    threshold = min(iou, 1 - 1e-10)
    choices = [
        (matched >= 0, ErrorKind.CORRECT, matched),
        (ignored_spots(tally, iou, matched), ErrorKind.IGNORED, np.full(len(tally), -1)),
        (own_best >= threshold, ErrorKind.DUPLICATE, own_region),
        (own_best >= BACKGROUND, ErrorKind.BADLY_PLACED, own_region),
        (other_best >= threshold, ErrorKind.WRONG_LABEL, other_region),
    ]
    conditions = [condition for condition, _, _ in choices]
    kind = np.select(
        conditions, [_NUMBER[error_kind] for _, error_kind, _ in choices], _NUMBER[ErrorKind.FALSE]
    ).astype(np.int8)
    region = np.select(conditions, [regions for _, _, regions in choices], -1)
    kept = np.ones(len(tally), np.bool_)
    missed = _missed(tally, kind, region, kept)
    return Errors(tally, kind, region, iou_with(tally, region), missed, kept)


def best_region(tally: Tally, iou: Floats, chosen: NDArray[np.bool_]) -> tuple[Floats, Ints]:
    """Find the region with which each spot has the highest IoU.

    Parameters
    ----------
    tally : Tally
        Of N spots and K overlapping pairs.
    iou : (K,) float
        Intersection over union of each pair, in [0, 1].
    chosen : (K,) bool
        Pairs to look at.

    Returns
    -------
    iou : (N,) float
        The highest; 0 for a spot without such a pair.
    region : (N,) int
        Place in the tally; -1 for none. The later one of equal regions.

    Notes
    -----
    As the matching of Lin et al. (2014) decides between equal regions.

    Examples
    --------
    >>> class Example:
    ...     pair_spot, pair_region = np.array([0, 0]), np.array([3, 5])
    ...     def __len__(self): return 2
    >>> best, region = best_region(Example(), np.array([0.2, 0.6]), np.array([True, True]))
    >>> best.tolist(), region.tolist()
    ([0.6, 0.0], [5, -1])
    """
    pairs = np.flatnonzero(chosen)
    pairs = pairs[np.argsort(iou[pairs], kind="stable")]  # the highest is written last
    best, region = np.zeros(len(tally)), np.full(len(tally), -1, np.int64)
    best[tally.pair_spot[pairs]] = iou[pairs]
    region[tally.pair_spot[pairs]] = tally.pair_region[pairs]
    return best, region


def of_other_labels(tally: Tally) -> NDArray[np.bool_]:
    """Find the pairs with a region that is not of the spot's query, nor ignored for it.

    Parameters
    ----------
    tally : Tally
        Of K overlapping pairs.

    Returns
    -------
    (K,) bool
        All but the own ones where no region is ignored.
    """
    if tally.ignored is None:
        return ~tally.own
    return np.asarray(~tally.own & (tally.ignored.kind == 0)[tally.pair_region])


def _missed(
    tally: Tally, kind: NDArray[np.int8], region: Ints, kept: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(T,) labelled regions that no kept spot is matched with or badly placed on."""
    finds = kept & np.isin(kind, [_NUMBER[ErrorKind.CORRECT], _NUMBER[ErrorKind.BADLY_PLACED]])
    is_found = np.isin(np.arange(len(tally.region_area)), region[finds])
    return np.asarray(~is_found & (tally.region_query >= 0))  # an ignored region has no query


def iou_with(tally: Tally, region: Ints) -> Floats:
    """Measure how well each spot fits a region.

    Parameters
    ----------
    tally : Tally
        Of N spots.
    region : (N,) int
        A region for each spot, by its place in the tally; -1 for none.

    Returns
    -------
    (N,) float
        Intersection over union in [0, 1]; 0 where they do not overlap, and without a region.
    """
    iou = np.zeros(len(tally))
    on = tally.pair_region == region[tally.pair_spot]
    iou[tally.pair_spot[on]] = iou_pairs(tally)[on]
    return iou


@dataclass(frozen=True, eq=False)
class ErrorList:
    """The errors of a run, one entry each; make it with `list_errors`.

    Attributes
    ----------
    errors : Errors
        The kinds of all spots, and the missed regions.
    kind : (n,) int
        Place in `KINDS`.
    spot, region : (n,) int
        Place in the tally. ``spot`` is -1 for a missed region, ``region`` is -1 for a spot.
    query : (n,) int
        Place in the tally's queries.
    """

    errors: Errors
    kind: NDArray[np.int8]
    spot: Ints
    region: Ints
    query: Ints

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.kind)

    def within(self, counts: Ints, query: int | None = None) -> Ints:
        """The entries that remain when every query keeps only its first spots.

        Parameters
        ----------
        counts : (Q,) int
            How many spots each query keeps.
        query : int, optional
            Keep only the entries of this query, by its place in the tally's queries.

        Returns
        -------
        (m,) int
            Entries in their order; missed regions always remain.

        Examples
        --------
        A false spot at rank 3 and a missed region:

        >>> from types import SimpleNamespace
        >>> errors = SimpleNamespace(tally=SimpleNamespace(rank=np.array([1, 2, 3])))
        >>> kinds = np.array([KINDS.index(ErrorKind.FALSE), KINDS.index(ErrorKind.MISSED)])
        >>> spots, regions = np.array([2, -1]), np.array([-1, 0])
        >>> entries = ErrorList(errors, kinds, spots, regions, np.zeros(2, int))
        >>> entries.within(np.array([3])).tolist(), entries.within(np.array([2])).tolist()
        ([0, 1], [1])
        """
        kept = np.ones(len(self), np.bool_)
        spots = self.spot >= 0
        place = self.spot[spots]
        kept[spots] = self.errors.tally.rank[place] <= counts[self.query[spots]]
        if query is not None:
            kept &= self.query == query
        return np.flatnonzero(kept)

    def of_kinds(self, entries: Ints, kinds: Iterable[ErrorKind]) -> Ints:
        """Those of the given entries that are of the given kinds.

        Parameters
        ----------
        entries : (m,) int
            Entries of the list.
        kinds : iterable of ErrorKind
            Kinds to keep.

        Returns
        -------
        (k,) int
            Entries in their order; empty if none is of these kinds.

        Examples
        --------
        >>> kinds = np.array([KINDS.index(ErrorKind.FALSE), KINDS.index(ErrorKind.MISSED)])
        >>> none = np.full(2, -1)
        >>> ErrorList(None, kinds, none, none, none).of_kinds(np.arange(2), [ErrorKind.MISSED])
        array([1])
        """
        wanted = [KINDS.index(kind) for kind in kinds]
        return entries[np.isin(self.kind[entries], wanted)]

    def count(self, entries: Ints) -> dict[ErrorKind, int]:
        """Count the given entries by kind.

        Parameters
        ----------
        entries : (m,) int
            Entries of the list.

        Returns
        -------
        dict of ErrorKind to int
            All kinds; 0 for a kind that no entry has.
        """
        counts = np.bincount(self.kind[entries], minlength=len(KINDS)).tolist()
        return dict(zip(KINDS, counts, strict=True))


def list_errors(errors: Errors) -> ErrorList:
    """Put all errors in columns, in the order of `Errors.worst`.

    Parameters
    ----------
    errors : Errors
        The kinds of all spots, and the missed regions.

    Returns
    -------
    ErrorList
        Empty if there are no errors.
    """
    tally = errors.tally
    spots, regions = np.flatnonzero(errors.is_error), np.flatnonzero(errors.missed)
    wrong = np.concatenate([errors.wrong_area[spots], tally.region_area[regions]])
    missed = np.full(len(regions), KINDS.index(ErrorKind.MISSED), np.int8)
    none_for_spots, none_for_regions = np.full(len(spots), -1), np.full(len(regions), -1)
    order = np.argsort(-wrong, kind="stable")
    return ErrorList(
        errors,
        np.concatenate([errors.kind[spots], missed])[order],
        np.concatenate([spots, none_for_regions])[order],
        np.concatenate([none_for_spots, regions])[order],
        np.concatenate([tally.query[spots], tally.region_query[regions]])[order],
    )
