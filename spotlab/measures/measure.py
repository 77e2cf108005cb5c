"""A measure: its figure, its settings, and the sums or ranked lists that it is computed from.

A measure is one value of a module of `spotlab.measures.definitions`, or of an entry point of that
name of another package. All tables, files and reports show it; nothing else names it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, partial
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Flags, Floats, Ints
from spotlab.measures.area import ratio
from spotlab.measures.matching import (
    Errors,
    classify_errors,
    ignored_spots,
    match_sizes,
    match_spots,
)
from spotlab.measures.tally import Overlap, Tally
from spotlab.registry import discover, guarded
from spotlab.representation import short_repr

UNITS = ("", "%", "count", "px²", "change")

# settings that figures depend on as on a threshold, and the letter or word for it in titles
THRESHOLDS = {
    "iou": "IoU", "recognised": "area", "at_recall": "r", "at_precision": "p", "at_rank": "n",
}  # fmt: skip


@dataclass(frozen=True)
class Figure:
    """A figure as tables and files show it.

    Attributes
    ----------
    name : str
        In files and in code.
    title : str
        In tables.
    unit : {"", "%", "count", "px²", "change"}
        "" for shares in [0, 1], "%" for percent, "count" for numbers of things, "px²" for areas,
        "change" for differences of shares, which are written with their sign.
    better : {1, -1, 0}
        1 if high values are good, -1 if low ones are, 0 if neither.
    definition : str
        A sentence with the formula, for somebody who has not read the paper.
    threshold : str
        The setting of `MeasureSettings` that it depends on as on a threshold, such as "iou"; empty
        for none.
    over : {"mean", "pooled"}
        The one value of several queries: their mean, or that of all their areas and symbols
        together. `RunFigures.overall` has it.
    weighted : bool
        Whether it depends on β.
    paper : str
        Its symbol or name where it is defined, and the equation.
    bounded : bool
        Whether its unit says how high it may be; otherwise a share may be above 1.

    Raises
    ------
    ValueError
        There is no such unit or setting, or ``better`` is none of the three.
    """

    name: str
    title: str
    unit: str
    better: int
    definition: str
    threshold: str = ""
    over: Literal["mean", "pooled"] = "mean"
    weighted: bool = False
    paper: str = ""
    bounded: bool = True

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise ValueError(f"the unit of {self.name} is {self.unit!r}, expected one of {UNITS}")
        if self.better not in (-1, 0, 1):
            raise ValueError(f"better of {self.name} is {self.better!r}, expected -1, 0 or 1")
        if self.threshold and self.threshold not in THRESHOLDS:
            raise ValueError(
                f"the threshold of {self.name} is {self.threshold!r}, expected one of "
                f"{tuple(THRESHOLDS)}"
            )

    def titled(self, settings: MeasureSettings | None = None, *, unit: bool = False) -> str:
        """The title with the threshold and β of the settings: the head of columns, axes and rows.

        Parameters
        ----------
        settings : MeasureSettings, optional
            By default nothing is added.
        unit : bool
            Whether it ends with the unit, where that is percent.

        Examples
        --------
        >>> titles = {figure.name: figure for figure in known_figures()}
        >>> titles["iou_precision"].titled(MeasureSettings())
        'AP at IoU .5'
        >>> titles["precision_at_rank"].titled(MeasureSettings(at_rank=20))
        'P@20'
        >>> titles["f_at_iou"].titled(MeasureSettings(beta=2))
        'F at IoU .5 (β = 2)'
        >>> titles["recognition_rate"].titled(MeasureSettings(), unit=True)
        'Recognition rate (75 % of the area), in %'
        """
        text = self.title
        if settings is not None and self.threshold:
            text = _with_threshold(text, self.threshold, settings)
        if settings is not None and self.weighted and settings.beta != 1:
            text += f" (β = {settings.beta:g})"
        if not unit or self.unit != "%":
            return text
        return f"{text}, in %" if text.endswith(")") else f"{text} (%)"


def _with_threshold(title: str, threshold: str, settings: MeasureSettings) -> str:
    """A title with its threshold, in the place of its last word where that is the letter for it."""
    level = getattr(settings, threshold)
    if threshold == "recognised":
        return f"{title} ({100 * level:.6g} % of the area)"
    word, number = THRESHOLDS[threshold], f"{level:g}".removeprefix("0")
    start, found, _ = title.rpartition(word)
    if not found or not title.endswith(word) or start[-1:].isalnum():
        return f"{title} ({word} {number})"
    return f"{title} {number}" if threshold == "iou" else f"{start}{number}"


Missing = Literal["zero", "drop"]
Sizes = Literal["coco", "tertiles"]
SIZES = ("small", "medium", "large")
COCO_SIZES = (32.0**2, 96.0**2)  # px²: where medium regions begin, and large ones


@dataclass(frozen=True)
class MeasureSettings:
    """Settings of how figures are computed.

    Attributes
    ----------
    overlap : Overlap
        Whether area that several regions cover counts once or once per region.
    beta : float
        β of F, above 0; above 1 recall weighs more than precision.
    recognised : float
        The share of a symbol's area, in (0, 1], from which it is recognised.
    iou : float
        The intersection over union, in (0, 1], from which a spot is right, for average precision
        and kinds of errors.
    missing : {"zero", "drop"}
        How a query that never reaches a recall enters mean curves; see `RunFigures.central`.
    at_recall, at_precision : float
        The area recall at which precision is reported, and the area precision at which recall is;
        in (0, 1].
    sizes : {"coco", "tertiles"}
        Which regions are small, medium and large: those up to 32² px², up to 96² px² and above, or
        a third of all regions each.
    at_rank : int
        The rank n of P@n, 1 or more.

    Raises
    ------
    TypeError
        ``overlap`` is not an `Overlap`.
    ValueError
        A number is outside its range.
    """

    overlap: Overlap = Overlap.UNION
    beta: float = 1.0
    recognised: float = 0.75
    iou: float = 0.5
    missing: Missing = "zero"
    at_recall: float = 0.5
    at_precision: float = 0.5
    sizes: Sizes = "coco"
    at_rank: int = 10

    def __post_init__(self) -> None:
        if not isinstance(self.overlap, Overlap):
            raise TypeError(f"the overlap is an Overlap, not {self.overlap!r}")
        shares = (self.recognised, self.iou, self.at_recall, self.at_precision)
        if not (0 < self.beta < math.inf and all(0 < share <= 1 for share in shares)):
            raise ValueError("β has to be above 0, shares above 0 and at most 1")
        if self.at_rank < 1:
            raise ValueError(f"the rank of P@n is {self.at_rank}, expected 1 or more")


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of areas in px² and of counts, from which a measure is computed.

    All arrays broadcast against each other. Their shape is ``(Q,)`` for the whole or cut lists of Q
    queries, ``()`` for the areas of all queries together, and ``(draws, Q)`` for drawn pages, where
    a page that is drawn twice counts twice.

    Attributes
    ----------
    settings : MeasureSettings
        How areas and counts were made.
    retrieved : (...,) float
        A(R) in px².
    relevant : (...,) float
        A(R ⊕ T) in px².
    outside : (...,) float
        A(R) − A(R ⊕ T) in px², the retrieved area outside the truth.
    truth : (...,) float
        A(T) in px².
    pages : (...,) float
        The area of all pages in px²; together, they count once for each query.
    symbols : (...,) float
        Number of truth regions.
    recognised : (...,) float
        Number of recognised truth regions.
    false_positives : (...,) float
        Number of spots that overlap no recognised region of their query.
    spots : (...,) float
        Number of spots that are not ignored at the IoU of the settings.
    correct : (...,) float
        Number of spots that are matched with a region at the IoU of the settings.
    """

    settings: MeasureSettings
    retrieved: Floats
    relevant: Floats
    outside: Floats
    truth: Floats
    pages: Floats
    symbols: Floats
    recognised: Floats
    false_positives: Floats
    spots: Floats
    correct: Floats

    __repr__ = short_repr


SUMMED = tuple(field.name for field in fields(Sums) if field.name != "settings")


def outside_truth(
    retrieved: ArrayLike, relevant: ArrayLike, truth: ArrayLike, pages: ArrayLike, overlap: Overlap
) -> Floats:
    """The retrieved area outside the truth.

    Parameters
    ----------
    retrieved, relevant, truth : array_like of float
        A(R), A(R ⊕ T) and A(T) in px²; broadcast against each other.
    pages : array_like of float
        Area of all pages in px².
    overlap : Overlap
        For unions the area is at most the pages' area outside the truth, also after rounding.

    Returns
    -------
    ndarray of float
        Of the shape of the areas; in px².

    Examples
    --------
    >>> outside_truth([4.0], [2.0], [20.0], 100.0, Overlap.UNION).tolist()
    [2.0]
    """
    area = np.asarray(retrieved, np.float64) - np.asarray(relevant, np.float64)
    if overlap is not Overlap.UNION:
        return area
    return np.minimum(area, np.asarray(pages, np.float64) - np.asarray(truth, np.float64))


def pooled_sums(whole: Sums, chosen: NDArray[np.bool_]) -> Sums:
    """The sums of several queries together.

    Parameters
    ----------
    whole : Sums
        Of shape (Q,).
    chosen : (Q,) bool
        Which queries; every one is asked of every page.

    Returns
    -------
    Sums
        Of shape (); 0 where nothing is chosen.

    Examples
    --------
    >>> sums = Sums(MeasureSettings(), *[np.array([1.0, 2.0, 4.0])] * 10)
    >>> pooled_sums(sums, np.array([True, False, True])).symbols.item()
    5.0
    """
    sums = {name: np.asarray(getattr(whole, name)[chosen].sum()) for name in SUMMED}
    sums["outside"] = outside_truth(
        sums["retrieved"], sums["relevant"], sums["truth"], sums["pages"], whole.settings.overlap
    )
    return Sums(whole.settings, **sums)


@dataclass(frozen=True, eq=False)
class RankedLists:
    """The lists of all queries of a run; spots are in order of query and rank.

    Attributes
    ----------
    tally : Tally
        Of Q queries and N spots; ``tally.starts`` says where the list of each query begins and
        ends.
    settings : MeasureSettings
        How figures are computed.
    precision, recall : (N,) float
        Area precision and area recall of a list that ends after each spot, as shares; NaN where
        undefined.
    """

    tally: Tally
    settings: MeasureSettings
    precision: Floats
    recall: Floats

    __repr__ = short_repr

    @cached_property
    def symbols(self) -> Ints:
        """(Q,) number of truth regions of each query."""
        counts: Ints = self.tally.symbols.sum(axis=1)
        return counts

    @cached_property
    def last(self) -> Ints:
        """(Q,) the place of each query's last spot; -1 where it has none."""
        starts = self.tally.starts
        last: Ints = np.where(np.diff(starts) > 0, starts[1:] - 1, -1)
        return last

    @cached_property
    def right(self) -> Flags:
        """(N,) True for spots that are matched with a region at the IoU of the settings."""
        return self.right_at(self.settings.iou)

    def right_at(self, iou: float) -> Flags:
        """Find the spots that are matched with a region at an IoU threshold; once for each.

        Parameters
        ----------
        iou : float
            The threshold, in (0, 1].

        Returns
        -------
        (N,) bool
            In the order of the tally.

        Notes
        -----
        The matching of Lin et al. (2014); see `match_spots`.
        """
        return self._judged(iou)[0]

    @cached_property
    def ignored(self) -> Flags:
        """(N,) True for spots on an ignored region, at the IoU of the settings."""
        return self.ignored_at(self.settings.iou)

    def ignored_at(self, iou: float) -> Flags:
        """Find the spots that are neither right nor false, because they lie on an ignored region.

        Parameters
        ----------
        iou : float
            The threshold, in (0, 1].

        Returns
        -------
        (N,) bool
            In the order of the tally; all False where no region is ignored.

        Notes
        -----
        The crowds of Lin et al. (2014); see `ignored_spots`.
        """
        return self._judged(iou)[1]

    @cached_property
    def size_bounds(self) -> dict[str, tuple[float, float]]:
        """Smallest and largest area in px² of small, medium and large regions."""
        first, second = COCO_SIZES
        if self.settings.sizes == "tertiles":
            of_truth = self.tally.region_area[self.tally.region_query >= 0]
            first, second = np.quantile(of_truth, (1 / 3, 2 / 3)) if len(of_truth) else (0.0, 0.0)
        ends = (0.0, float(first), float(second), math.inf)
        return dict(zip(SIZES, pairwise(ends), strict=True))

    def sized_at(self, iou: float, size: str) -> tuple[Flags, Flags]:
        """Find the spots that are right and that do not count where regions of a size are sought.

        Parameters
        ----------
        iou : float
            The threshold, in (0, 1].
        size : {"small", "medium", "large"}
            See `size_bounds`.

        Returns
        -------
        right, ignored : (N,) bool
            In the order of the tally; see `match_sizes`.
        """
        key = iou, size
        if key not in self._sized_at:
            self._sized_at[key] = match_sizes(self.tally, iou, self.size_bounds[size])
        return self._sized_at[key]

    def has_size(self, size: str, spots: slice = slice(None)) -> Flags:
        """(n,) True for spots whose own area is that of regions of a size.

        Parameters
        ----------
        size : {"small", "medium", "large"}
            See `size_bounds`.
        spots : slice
            Places of the n spots; all by default.
        """
        low, high = self.size_bounds[size]
        area = self.tally.area[spots]
        return (area >= low) & (area <= high)

    def counted_otherwise(self, iou: float, size: str) -> tuple[Ints, Floats]:
        """Find the spots that count although they have another size, or do not despite theirs.

        Parameters
        ----------
        iou : float
            The threshold, in (0, 1].
        size : {"small", "medium", "large"}
            Of the regions that are sought, see `sized_at`.

        Returns
        -------
        places : (m,) int
            Rising: the few that are matched with a region of another size than their own.
        signs : (m,) float
            1 where one counts although it has another size, -1 where it does not.
        """
        key = iou, size
        if key not in self._counted_otherwise:
            counts = ~self.sized_at(iou, size)[1]
            places = np.flatnonzero(counts != self.has_size(size))
            self._counted_otherwise[key] = places, np.where(counts[places], 1.0, -1.0)
        return self._counted_otherwise[key]

    @cached_property
    def _counted_otherwise(self) -> dict[tuple[float, str], tuple[Ints, Floats]]:
        return {}

    def symbols_of(self, size: str) -> Ints:
        """(Q, P) number of truth regions of a size of each query on each page.

        Parameters
        ----------
        size : {"small", "medium", "large"}
            See `size_bounds`.
        """
        low, high = self.size_bounds[size]
        area = self.tally.region_area
        return self.tally.regions_of((area >= low) & (area <= high))

    @cached_property
    def _sized_at(self) -> dict[tuple[float, str], tuple[Flags, Flags]]:
        return {}

    @cached_property
    def errors(self) -> Errors:
        """The kinds of all spots and the missed regions, at the IoU of the settings."""
        return classify_errors(self.tally, self.settings.iou)

    @cached_property
    def first_counted(self) -> Ints:
        """(Q,) the place of each query's first spot that counts; -1 where it has none."""
        places = np.flatnonzero(~np.isnan(self.precision))
        query, first = np.unique(self.tally.query[places], return_index=True)
        of_query = np.full(len(self.tally.queries), -1, np.int64)
        of_query[query] = places[first]
        return of_query

    def _judged(self, iou: float) -> tuple[Flags, Flags]:
        """(N,) True for spots that are right, and for those that are ignored."""
        if iou not in self._judged_at:
            matched = match_spots(self.tally, iou)
            none = self.tally.ignored is None
            ignored = self._no_spots if none else ignored_spots(self.tally, iou, matched)
            self._judged_at[iou] = np.asarray(matched >= 0), ignored
        return self._judged_at[iou]

    @cached_property
    def _no_spots(self) -> Flags:
        """(N,) False: one array for all thresholds where no region is ignored."""
        return np.zeros(len(self.tally), np.bool_)

    @cached_property
    def _judged_at(self) -> dict[float, tuple[Flags, Flags]]:
        return {}

    @cached_property
    def steps(self) -> tuple[Floats, Floats]:
        """(N,) steps of A(R) and of A(R ⊕ T) at each spot, in px²."""
        return self.tally.steps(self.settings.overlap)


@dataclass(frozen=True, eq=False)
class DrawnList:
    """The list of one query on D draws of pages.

    A page that is drawn twice counts twice: the copies of a spot share its rank, and precision
    there is that after all of them.

    Attributes
    ----------
    lists : RankedLists
        The lists that it is one of.
    spots : slice
        The n spots of this query in the arrays of ``lists``.
    weight : (D, n) float
        How often the page of each spot was drawn.
    symbols : (D,) float
        Number of truth regions on the drawn pages.
    truth : (D,) float
        A(T) on the drawn pages, in px².
    query : int
        The place of the query.
    pages : (D, P) float
        How often each page was drawn.
    """

    lists: RankedLists
    spots: slice
    weight: Floats
    symbols: Floats
    truth: Floats
    query: int
    pages: Floats

    __repr__ = short_repr

    @cached_property
    def hits(self) -> Ints:
        """(h,) places in this list of the spots that overlap some truth of the query."""
        return np.flatnonzero(self.lists.tally.hit[self.spots])

    @cached_property
    def ranks(self) -> Floats:
        """(D, n) number of drawn spots up to and including each one."""
        counts: Floats = np.cumsum(self.weight, axis=1)
        return counts

    def ranks_at(self, iou: float) -> Floats:
        """Number of drawn spots up to and including each one, without ignored ones.

        Parameters
        ----------
        iou : float
            The threshold from which a spot is ignored, in (0, 1].

        Returns
        -------
        (D, n) float
            `ranks` where no spot of the list is ignored.
        """
        ignored = self.lists.ignored_at(iou)[self.spots]
        if not ignored.any():
            return self.ranks
        counts: Floats = np.cumsum(np.where(ignored, 0.0, self.weight), axis=1)
        return counts

    def symbols_of(self, size: str) -> Floats:
        """(D,) number of truth regions of a size on the drawn pages.

        Parameters
        ----------
        size : {"small", "medium", "large"}
            See `RankedLists.size_bounds`.
        """
        return np.asarray(self.pages @ self.lists.symbols_of(size)[self.query])

    def ranks_of(self, iou: float, size: str, places: Ints) -> Floats:
        """Number of drawn spots that count where regions of a size are sought, up to some spots.

        Parameters
        ----------
        iou : float
            The threshold, in (0, 1].
        size : {"small", "medium", "large"}
            See `RankedLists.sized_at`.
        places : (h,) int
            Places in this list.

        Returns
        -------
        (D, h) float
            Up to and including each of these spots.
        """
        others, signs = self.lists.counted_otherwise(iou, size)
        first, last = np.searchsorted(others, [self.spots.start, self.spots.stop])
        others, signs = others[first:last] - self.spots.start, signs[first:last]
        more = np.zeros((len(self.weight), len(others) + 1))
        np.cumsum(self.weight[:, others] * signs, axis=1, out=more[:, 1:])
        found: Floats = (
            self._ranks_inside(size)[:, places]
            + more[:, np.searchsorted(others, places, side="right")]
        )
        return found

    def _ranks_inside(self, size: str) -> Floats:
        """(D, n) number of drawn spots of a size up to and including each one."""
        if size not in self._known_ranks:
            inside = self.lists.has_size(size, self.spots)
            self._known_ranks[size] = np.cumsum(np.where(inside, self.weight, 0.0), axis=1)
        return self._known_ranks[size]

    @cached_property
    def _known_ranks(self) -> dict[str, Floats]:
        return {}

    @cached_property
    def areas(self) -> tuple[Floats, Floats]:
        """(D, n) A(R) and A(R ⊕ T) of a list that ends after each spot, in px²."""
        retrieved, relevant = self.lists.steps
        return (
            np.cumsum(self.weight * retrieved[self.spots], axis=1),
            np.cumsum(self.weight * relevant[self.spots], axis=1),
        )

    @cached_property
    def precision_sum(self) -> Floats:
        """(D,) the sum of area precision after each spot that overlaps some truth."""
        retrieved, relevant = self.areas
        precision = ratio(relevant[:, self.hits], retrieved[:, self.hits])
        total: Floats = (np.nan_to_num(precision) * self.weight[:, self.hits]).sum(axis=1)
        return total


# keys that stand beside the figures in files
TAKEN = frozenset({"average_precision", "best_f", "curve", "cut", "errors", "query", "run"})


@dataclass(frozen=True)
class SumsFormula:
    """A formula of summed areas and counts, which is the same in all its forms.

    Attributes
    ----------
    compute : callable
        ``compute(sums) -> float array`` of the shape of the sums, NaN where undefined. It is called
        with the sums of whole lists and of cut lists (per query), of all queries together (pooled)
        and of drawn pages (resampled).
    """

    compute: Callable[[Sums], Floats]


@dataclass(frozen=True)
class RankingFormula:
    """A formula that depends on the order of spots, with a function for each of its forms.

    Attributes
    ----------
    per_query : callable
        ``per_query(lists) -> (Q,) float``, NaN where undefined.
    resampled : callable
        ``resampled(drawn) -> (D,) float``: of one query on D draws of pages, NaN where undefined.
    pooled : callable or None
        ``pooled(lists) -> float``; None for a measure that has no pooled form, because the lists of
        different queries have no common order.
    """

    per_query: Callable[[RankedLists], Floats]
    resampled: Callable[[DrawnList], Floats]
    pooled: Callable[[RankedLists], float] | None


@dataclass(frozen=True)
class Measure:
    """A measure of runs.

    Attributes
    ----------
    figure : Figure
        Its name, title, unit and definition.
    formula : SumsFormula or RankingFormula
        How it is computed per query, pooled and on drawn pages.
    order : float
        Its place in tables, in increasing order; those of other packages come last by default.
    shown : bool
        Whether tables that have to be narrow show it until somebody chooses their columns.

    Raises
    ------
    TypeError
        The figure or the formula is something else.

    Examples
    --------
    A measure that another package offers as the entry point ``miss_rate = "my_package:MISS_RATE"``
    of the group ``spotlab.measures.definitions``:

    >>> from spotlab.measures.area import ratio
    >>> MISS_RATE = Measure(
    ...     Figure("miss_rate", "Miss rate", "%", -1, "Missed regions / all truth regions."),
    ...     SumsFormula(lambda sums: ratio(100 * (sums.symbols - sums.recognised), sums.symbols)))
    >>> MISS_RATE.name
    'miss_rate'
    """

    figure: Figure
    formula: SumsFormula | RankingFormula
    order: float = 1000
    shown: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.figure, Figure):
            raise TypeError(f"a measure has a Figure, not {self.figure!r}")
        if not isinstance(self.formula, SumsFormula | RankingFormula):
            raise TypeError(
                f"a measure has a SumsFormula or a RankingFormula, not {self.formula!r}"
            )

    @property
    def name(self) -> str:
        """The figure's name."""
        return self.figure.name

    def values(self, compute: Callable[[], ArrayLike], shape: tuple[int, ...]) -> Floats:
        """Call a function of the formula.

        Parameters
        ----------
        compute : callable
            Computes the values, without arguments.
        shape : tuple of int
            The shape that they have to have.

        Returns
        -------
        ndarray of float
            Of this shape; NaN everywhere if the measure is another package's and fails, which
            `registry.problems` then tells.

        Raises
        ------
        ValueError
            A measure of spotlab itself returns another shape.

        Examples
        --------
        >>> known_measures()[0].values(lambda: [0.5, 1.0], (2,)).tolist()
        [0.5, 1.0]
        """
        values: Floats | None = guarded(self, lambda: _shaped(compute(), shape))
        return np.full(shape, np.nan) if values is None else values


def known_measures() -> tuple[Measure, ...]:
    """All measures in the order of tables: those of spotlab, and those of other packages."""
    measures = discover("spotlab.measures.definitions", Measure, TAKEN)
    return tuple(sorted(measures.values(), key=lambda measure: measure.order))


def columns_of_sums(sums: Sums) -> dict[str, Floats]:
    """Each figure that is a formula of areas and counts, by name, in the shape of the sums."""
    return {
        measure.name: measure.values(partial(measure.formula.compute, sums), sums.truth.shape)
        for measure in known_measures() if isinstance(measure.formula, SumsFormula)
    }  # fmt: skip


def known_figures() -> tuple[Figure, ...]:
    """The figures of all measures in the order of tables."""
    return tuple(measure.figure for measure in known_measures())


def default_figures() -> tuple[Figure, ...]:
    """The figures that tables show until somebody chooses their columns."""
    return tuple(measure.figure for measure in known_measures() if measure.shown)


class MeasureColumns(Mapping[str, Floats]):
    """The figures of Q queries by name, (Q,) each; computed when they are asked for.

    Parameters
    ----------
    compute : callable
        Gives the (Q,) values of a measure.
    known : dict of str to (Q,) float
        Those that are known; what is computed is put there.
    """

    def __init__(self, compute: Callable[[Measure], Floats], known: dict[str, Floats]) -> None:
        self._compute, self._known = compute, known

    def __getitem__(self, name: str) -> Floats:
        if name not in self._known:
            measures = {measure.name: measure for measure in known_measures()}
            self._known[name] = self._compute(measures[name])
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return (measure.name for measure in known_measures())

    def __len__(self) -> int:
        return len(known_measures())


def names_of_sums() -> tuple[str, ...]:
    """The names of the figures that are formulas of sums, in the order of tables.

    Examples
    --------
    >>> "area_recall" in names_of_sums(), "average_precision" in names_of_sums()
    (True, False)
    """
    measures = known_measures()
    return tuple(each.name for each in measures if isinstance(each.formula, SumsFormula))


def overall_figures(
    mean: Mapping[str, float | None], pooled: Mapping[str, float | None]
) -> dict[str, float | None]:
    """The one value of each figure of several queries, as `Figure.over` says.

    Parameters
    ----------
    mean, pooled : mapping of str to float or None
        Means over queries, and the figures of all their areas and symbols together, by name.

    Returns
    -------
    dict of str to float or None
        In the figures' units, shares in [0, 1] by default; those that are means.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.3: the recognition rate is of all symbols, AveFP a mean.

    Examples
    --------
    >>> overall_figures({"f": 0.5, "recognition_rate": 60.1}, {"recognition_rate": 49.2})
    {'f': 0.5, 'recognition_rate': 49.2}
    """
    together = {each.name for each in known_measures() if each.figure.over == "pooled"}
    return {name: (pooled if name in together else mean)[name] for name in mean}


def _shaped(values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    array = np.asarray(values, np.float64)
    if array.shape != shape:
        raise ValueError(f"values of shape {array.shape}, expected {shape}")
    return array
