"""Figures of a run, from its tally: per spot, query and page, their mean, pooled, and at any cut.

Means and sums go over the truth's queries, so that runs are comparable whatever else they search.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Flags, Floats, Ints
from spotlab.measures import area
from spotlab.measures.area import ratio
from spotlab.measures.matching import (
    count_by_page,
    count_false_positives,
    count_recognised,
    first_true_positive_rank,
    ignored_spots,
    match_spots,
    recognition_rank,
)
from spotlab.measures.measure import (
    SUMMED,
    Measure,
    MeasureColumns,
    MeasureSettings,
    Missing,
    RankedLists,
    Sums,
    SumsFormula,
    columns_of_sums,
    known_measures,
    names_of_sums,
    outside_truth,
    overall_figures,
    pooled_sums,
)
from spotlab.measures.tally import Overlap, Tally
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class CentralCurve:
    """A mean curve, and how far the single curves are from it.

    Attributes
    ----------
    grid : (G,) float
        Where the curves were sampled, usually recalls in [0, 1].
    mean, deviation : (G,) float
        Mean and population standard deviation over queries, in the unit of the samples; NaN
        where no query counts.
    count : (G,) int
        How many queries count.
    """

    grid: Floats
    mean: Floats
    deviation: Floats
    count: Ints

    __repr__ = short_repr


def central_tendency(
    grid: Floats,
    samples: Floats,
    takes_part: NDArray[np.bool_] | None = None,
    missing: Missing = "zero",
) -> CentralCurve:
    """Mean and standard deviation over queries at each sample.

    Parameters
    ----------
    grid : (G,) float
        Where the curves were sampled, usually recalls in [0, 1].
    samples : (Q, G) float
        One curve per query; NaN where a curve does not reach a sample.
    takes_part : (Q,) bool, optional
        Queries that take part; by default those with at least one defined sample.
    missing : {"zero", "drop"}
        How a query that never reaches a sample enters the mean: as 0, so that missing recall
        costs, or left out.

    Returns
    -------
    CentralCurve
        NaN where no query counts. The deviation is that of the population.

    Notes
    -----
    Rusiñol & Lladós (2009), §3.6.

    Examples
    --------
    >>> samples = np.array([[1.0, 0.5], [1.0, np.nan]])
    >>> central_tendency(np.array([0.5, 1.0]), samples).mean.tolist()
    [1.0, 0.25]
    >>> central_tendency(np.array([0.5, 1.0]), samples, missing="drop").mean.tolist()
    [1.0, 0.5]
    """
    part = ~np.isnan(samples).all(axis=1) if takes_part is None else np.asarray(takes_part, bool)
    chosen = samples[part]
    there = ~np.isnan(chosen)
    chosen = np.where(there, chosen, 0.0)
    drop = missing == "drop"
    count = there.sum(axis=0) if drop else np.full(samples.shape[1], len(chosen))
    divisor = np.where(count > 0, count, np.nan)
    mean = chosen.sum(axis=0) / divisor
    squares = (chosen - mean) ** 2
    spread = (np.where(there, squares, 0.0) if drop else squares).sum(axis=0)
    return CentralCurve(grid, mean, np.sqrt(spread / divisor), count)


def places_by_threshold(starts: Ints, quantiles: Floats) -> Ints:
    """The last spot that each query keeps at each quantile of its ranked list.

    Parameters
    ----------
    starts : (Q + 1,) int
        Where the spots of each query begin and end.
    quantiles : (G,) float
        Shares of the list that are kept, in [0, 1].

    Returns
    -------
    (Q, G) int
        Places of spots; -1 where a query keeps none.

    Notes
    -----
    The decision threshold of Rusiñol & Lladós (2009), §3.6, on one scale for lists of all
    lengths: at quantile t a query keeps the first ⌈t · n⌉ of its n spots.

    Examples
    --------
    >>> places_by_threshold(np.array([0, 4, 4]), np.array([0.0, 0.5, 1.0])).tolist()
    [[-1, 1, 3], [-1, -1, -1]]
    """
    lengths = np.diff(starts)[:, None]
    kept = np.ceil(quantiles[None, :] * lengths - 1e-9).astype(np.int64)
    places: Ints = np.where(kept > 0, starts[:-1, None] + kept - 1, -1)
    return places


@dataclass(frozen=True, eq=False)
class RecallCurves:
    """The curves of Q queries; N spots are in order of query and rank.

    Attributes
    ----------
    lists : RankedLists
        Area precision and area recall after each spot.
    fall_out : (N,) float
        Fall-out of a list that ends after each spot, as a share; NaN where undefined.
    truth : (Q,) float
        A(T) of each query in px².
    """

    lists: RankedLists
    fall_out: Floats
    truth: Floats

    __repr__ = short_repr

    def sampled_precision(self, grid: Floats) -> Floats:
        """P_A(r): precision at the first rank where recall reaches r.

        Parameters
        ----------
        grid : (G,) float
            Recalls r in [0, 1].

        Returns
        -------
        (Q, G) float
            Shares; NaN beyond the final recall.

        Notes
        -----
        Rusiñol & Lladós (2009), §3.2 and eq. 10.
        """
        return area.sample(self.lists.precision, self._reaching(grid))

    def sampled_fall_out(self, grid: Floats) -> Floats:
        """Fall-out at the first rank where recall reaches r.

        Parameters
        ----------
        grid : (G,) float
            Recalls r in [0, 1].

        Returns
        -------
        (Q, G) float
            Shares; NaN beyond the final recall.

        Notes
        -----
        Rusiñol & Lladós (2009), eq. 11.
        """
        return area.sample(self.fall_out, self._reaching(grid))

    def sampled_f(self, grid: Floats) -> Floats:
        """F_A^β(r), from P_A(r) and r itself.

        Parameters
        ----------
        grid : (G,) float
            Recalls r in [0, 1].

        Returns
        -------
        (Q, G) float
            Shares; 0 where both are 0, NaN beyond the final recall.

        Notes
        -----
        Rusiñol & Lladós (2009), eq. 10.
        """
        precision, square = self.sampled_precision(grid), self.lists.settings.beta**2
        f = area.ratio((1 + square) * precision * grid, square * precision + grid)
        return np.where((precision == 0) & (grid == 0), 0.0, f)

    def central(self, kind: str, grid: Floats) -> CentralCurve:
        """The mean over queries of a curve over recall.

        Parameters
        ----------
        kind : {"precision", "fall_out", "f"}
            Which curve.
        grid : (G,) float
            Recalls in [0, 1].

        Returns
        -------
        CentralCurve
            Of shape (G,); queries without truth take no part.

        Notes
        -----
        `MeasureSettings.missing` says how a query that never reaches a recall enters the mean.
        "drop" leaves it out. "zero" counts it as 0 in precision and F. In fall-out, where 0 would
        be good, it counts with the fall-out of its whole list: each list is read until it reaches
        the recall, or to its end. That mean never falls, nor does it jump because few queries
        remain. A query without spots has no fall-out at any recall.
        """
        samples = self.samples(kind, grid)
        return central_tendency(grid, samples, np.ones(len(samples), np.bool_), "drop")

    def samples(self, kind: str, grid: Floats) -> Floats:
        """The curves of the queries with truth, of which `central` is the mean.

        Parameters
        ----------
        kind : {"precision", "fall_out", "f"}
            Which curve.
        grid : (G,) float
            Recalls in [0, 1].

        Returns
        -------
        (T, G) float
            Shares; where a query never reaches a recall, what it counts with in the mean; NaN where
            it is left out.
        """
        samplers = {
            "precision": self.sampled_precision,
            "fall_out": self.sampled_fall_out,
            "f": self.sampled_f,
        }
        samples = samplers[kind](grid)
        if self.lists.settings.missing == "zero":
            at_end = area.sample(self.fall_out, self.lists.last[:, None])
            samples = np.where(np.isnan(samples), at_end if kind == "fall_out" else 0.0, samples)
        return samples[self.truth > 0]

    def by_threshold(self, quantiles: Floats) -> tuple[Floats, Floats]:
        """Recall and precision of lists that are cut at quantiles of their lengths.

        Parameters
        ----------
        quantiles : (G,) float
            Shares of the lists that are kept, in [0, 1].

        Returns
        -------
        recall, precision : (Q, G) float
            Shares. Where nothing is kept recall is 0 (NaN without truth) and precision is NaN.
        """
        places = places_by_threshold(self.lists.tally.starts, quantiles)
        nothing = np.where(self.truth > 0, 0.0, np.nan)[:, None]
        recall = np.where(places >= 0, area.sample(self.lists.recall, places), nothing)
        return recall, area.sample(self.lists.precision, places)

    def _reaching(self, grid: Floats) -> Ints:
        """(Q, G) the spot at which each query reaches each recall; found once for each grid."""
        grid = np.asarray(grid, np.float64)
        key = grid.tobytes()
        if key not in self._known_places:
            self._known_places[key] = self._find_places(grid)
        return self._known_places[key]

    @cached_property
    def _known_places(self) -> dict[bytes, Ints]:
        return {}

    def _find_places(self, grid: Floats) -> Ints:
        tally = self.lists.tally
        places = area.first_reaching(self.lists.recall, tally.starts, grid)
        if tally.ignored is None:
            return places
        # recall 0 is reached by the first spot outside ignored area: before it nothing is retrieved
        first = self.lists.first_counted[:, None]
        return np.where((places < 0) | (first < 0), -1, np.maximum(places, first))


def average_precision(
    precision: Floats,
    hit: NDArray[np.bool_],
    starts: Ints,
    symbols: Ints,
    *,
    retrieved: Ints | None = None,
) -> dict[str, Floats]:
    """Average area precision of every query, Σ_n P_A@n · r(n) / N.

    Parameters
    ----------
    precision : (N,) float
        P_A@n, a share in [0, 1]; the spots of one query stand together, in rank order.
    hit : (N,) bool
        r(n): whether the n-th spot overlaps some truth region of its query.
    starts : (Q + 1,) int
        Where the spots of each query begin and end.
    symbols : (Q,) int
        How many truth regions each query has.
    retrieved : (Q,) int, optional
        How many spots each query has that do not lie in ignored area only; by default all.

    Returns
    -------
    dict of str to (Q,) float
        ``retrieved``: N is the number of spots (eq. 8 as printed). ``relevant``: N is the number
        of truth regions (eq. 2). ``hits``: N is the number of spots with r(n) = 1 (the text).
        NaN where N is 0.

    Notes
    -----
    Rusiñol & Lladós (2009), eqs. 2 and 8. ``relevant`` can pass 1 where several spots overlap
    one region.

    Examples
    --------
    >>> values = average_precision(np.array([1.0, 0.5, 0.6]), np.array([True, False, True]),
    ...                            np.array([0, 3]), np.array([4]))
    >>> {name: round(float(of_queries[0]), 3) for name, of_queries in values.items()}
    {'retrieved': 0.533, 'relevant': 0.4, 'hits': 0.8}
    """
    query = np.repeat(np.arange(len(symbols)), np.diff(starts))
    weighted = np.where(hit, np.nan_to_num(precision), 0.0)  # a hit has area, so P is defined there
    sums = np.bincount(query, weighted, len(symbols))
    hits = np.bincount(query[hit], minlength=len(symbols))
    return {
        "retrieved": ratio(sums, np.diff(starts) if retrieved is None else retrieved),
        "relevant": ratio(sums, symbols),
        "hits": ratio(sums, hits),
    }


def means_over_queries(
    columns: Mapping[str, Floats], in_truth: NDArray[np.bool_]
) -> dict[str, float | None]:
    """Each figure's mean over the truth's queries for which it is defined; None without any.

    Parameters
    ----------
    columns : mapping of str to (Q,) float
        Each figure by its name, in its unit; NaN where undefined.
    in_truth : (Q,) bool
        Whether the truth has a region of a query.

    Examples
    --------
    >>> figures = {"recall": np.array([0.5, 1.0, np.nan, 0.0])}
    >>> means_over_queries(figures, np.array([True, True, True, False]))
    {'recall': 0.75}
    """
    means: dict[str, float | None] = {}
    for name, values in columns.items():
        there = in_truth & ~np.isnan(values)
        means[name] = float(values[there].mean()) if there.any() else None
    return means


def defined_queries(columns: Mapping[str, Floats], in_truth: NDArray[np.bool_]) -> dict[str, int]:
    """For how many of the truth's queries each figure is defined.

    Parameters
    ----------
    columns : mapping of str to (Q,) float
        Each figure by its name, in its unit; NaN where undefined.
    in_truth : (Q,) bool
        Whether the truth has a region of a query.

    Examples
    --------
    >>> defined_queries({"recall": np.array([0.5, np.nan, 0.0])}, np.array([True, True, False]))
    {'recall': 1}
    """
    return {name: int((in_truth & ~np.isnan(values)).sum()) for name, values in columns.items()}


@dataclass(frozen=True)
class OutsideQuery:
    """A query of a run that labels no truth region, so that all it retrieves is false.

    Attributes
    ----------
    name : str
        The query.
    spots : int
        Number of its spots on evaluated pages.
    area : float
        What they retrieve, in px², counted as `MeasureSettings.overlap` says.
    fall_out : float or None
        That area as a share of all pages, in [0, 1] for unions; None if the pages have no area.
    false_positives : int
        Number of its spots that are false: all of them.
    """

    name: str
    spots: int
    area: float
    fall_out: float | None
    false_positives: int


def outside_queries(
    tally: Tally,
    in_truth: NDArray[np.bool_],
    retrieved: Floats,
    fall_out: Floats,
    false_positives: Floats,
) -> tuple[OutsideQuery, ...]:
    """List the queries that a run searches and the truth does not have.

    Parameters
    ----------
    tally : Tally
        Of Q queries.
    in_truth : (Q,) bool
        Whether the truth has a region of the query.
    retrieved : (Q,) float
        Area in px² that the whole list of each query retrieves.
    fall_out : (Q,) float
        Fall-out of the whole lists, as shares; NaN where undefined.
    false_positives : (Q,) float
        Number of false positives of the whole lists.

    Returns
    -------
    tuple of OutsideQuery
        In the order of the tally's queries; empty if the truth has every query of the run.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> run = SimpleNamespace(queries=["bath"])
    >>> tally = SimpleNamespace(run=run, queries=["bath", "bed"], starts=np.array([0, 2, 2]))
    >>> columns = np.array([300.0, 0]), np.array([0.03, 0]), np.array([2.0, 0])
    >>> outside_queries(tally, np.array([False, True]), *columns)[0].area
    300.0
    """
    spots = np.diff(tally.starts)
    return tuple(
        OutsideQuery(
            tally.queries[query],
            int(spots[query]),
            float(retrieved[query]),
            None if math.isnan(fall_out[query]) else float(fall_out[query]),
            int(false_positives[query]),
        )
        for query in np.flatnonzero(~in_truth).tolist()
        if tally.queries[query] in tally.run.queries
    )


@dataclass(frozen=True, eq=False)
class ListFigures:
    """Precision, recall and F of lists that end after each spot, by area or by numbers of spots.

    Attributes
    ----------
    tally : Tally
        Of Q queries, P pages and N spots.
    settings : MeasureSettings
        How figures are computed.
    truth : (Q,) float
        A(T) of each query in px², or its number of truth regions.
    retrieved, relevant : (N,) float
        A(R_n) and A(R_n ⊕ T) in px² of a query whose list ends after each spot, or its numbers of
        spots and of right spots.
    precision, recall, fall_out, f : (N,) float
        Of such a list, as shares (Rusiñol & Lladós (2009), eqs. 7, 9 and 11); NaN where undefined,
        as fall-out is by numbers.
    """

    tally: Tally
    settings: MeasureSettings
    truth: Floats
    retrieved: Floats
    relevant: Floats
    precision: Floats
    recall: Floats
    fall_out: Floats
    f: Floats

    __repr__ = short_repr

    @property
    def truth_on_pages(self) -> Floats | Ints:
        """(Q, P) numbers of truth regions."""
        return self.tally.symbols

    @cached_property
    def in_truth(self) -> Flags:
        """(Q,) True for queries that label a truth region; means and sums go over these."""
        return np.asarray(self.lists.symbols > 0)

    @cached_property
    def lists(self) -> RankedLists:
        """The ranked lists, from which measures of rankings are computed."""
        return RankedLists(self.tally, self.settings, self.precision, self.recall)

    @cached_property
    def curves(self) -> RecallCurves:
        """The curves of all queries over recall, and their mean.

        By numbers, precision is the highest at this recall or a higher one, as in COCO: the area
        below the mean curve is the mean AP.
        """
        highest = area.highest_after(self.precision, self.tally.starts)
        lists = replace(self.lists, precision=highest)
        return RecallCurves(lists, self.fall_out, self.truth)


@dataclass(frozen=True, eq=False)
class RunFigures(ListFigures):
    """The figures of a run, its lists by area; make them with `compute_figures`.

    Attributes
    ----------
    recognition_rank : (T,) int
        The rank at which each region is recognised; see `recognition_rank`.
    first_true_positive_rank : (N,) int
        The rank from which each spot is no false positive; see `first_true_positive_rank` of
        `measures.matching`.
    recognised, false_positives : (N,) int
        Number of recognised regions and of false positives of a list that ends after each spot.
    """

    recognition_rank: Ints
    first_true_positive_rank: Ints
    recognised: Ints
    false_positives: Ints

    __repr__ = short_repr

    @property
    def columns(self) -> MeasureColumns:
        """Each figure's (Q,) values by its name; NaN where undefined."""
        return MeasureColumns(self.per_query, self._known_columns)

    @cached_property
    def _known_columns(self) -> dict[str, Floats]:
        # kept apart from `MeasureColumns`, which refers to the figures: they would be a circle
        return {}

    @property
    def truth_on_pages(self) -> Floats | Ints:
        """(Q, P) A(T) in px²."""
        return self.tally.relevant(self.settings.overlap)

    @cached_property
    def by_numbers(self) -> ListFigures:
        """The same lists by numbers of spots that are right at the IoU of the settings."""
        truth = self.lists.symbols.astype(np.float64)
        spots, right, of_spot = self.judged, self.correct, truth[self.tally.query]
        return ListFigures(
            self.tally,
            self.settings,
            truth,
            np.asarray(spots, np.float64),
            right,
            area.ratio(right, spots),
            area.ratio(right, of_spot),
            np.broadcast_to(np.nan, len(self.tally)),
            area.f_score(right, spots, of_spot, self.settings.beta),
        )

    @cached_property
    def outside(self) -> tuple[OutsideQuery, ...]:
        """The queries that the run searches and the truth does not have."""
        retrieved = _at(self.retrieved, self.lists.last)
        fall_out, false = (self.columns[name] for name in ("fall_out", "false_positives"))
        return outside_queries(self.tally, self.in_truth, retrieved, fall_out, false)

    @cached_property
    def mean(self) -> dict[str, float | None]:
        """Each figure's mean over the truth's queries for which it is defined, by name.

        In the figure's unit, shares in [0, 1] by default; None if no query has the figure.
        """
        return means_over_queries(self.columns, self.in_truth)

    @cached_property
    def defined(self) -> dict[str, int]:
        """For how many of the truth's queries each figure is defined, by name."""
        return defined_queries(self.columns, self.in_truth)

    @cached_property
    def pooled(self) -> dict[str, float | None]:
        """Each figure of the truth's queries' areas and symbols together, by name.

        In the figure's unit, shares in [0, 1] by default; None if it is undefined, or if the
        measure has no pooled form. Counts are sums over these queries.
        """
        return {measure.name: self._pooled(measure) for measure in known_measures()}

    @property
    def overall(self) -> dict[str, float | None]:
        """The one value of each figure of the run, such as a share; see `overall_figures`."""
        return overall_figures(self.mean, self.pooled)

    @cached_property
    def correct(self) -> Floats:
        """(N,) number of matched spots in a list that ends after each spot."""
        matched = self.lists.right.astype(np.float64)
        return area.accumulate_by_query(matched, self.tally.starts)

    @cached_property
    def judged(self) -> Floats | Ints:
        """(N,) number of spots that are not ignored in a list that ends after each spot."""
        if self.tally.ignored is None:
            return self.tally.rank
        return area.accumulate_by_query(np.where(self.lists.ignored, 0.0, 1.0), self.tally.starts)

    @cached_property
    def curves(self) -> RecallCurves:
        """The curves of all queries over recall, and their mean."""
        return RecallCurves(self.lists, self.fall_out, self.truth)

    @cached_property
    def sums(self) -> Sums:
        """(Q,) areas and counts of each query's whole list."""
        return self.sums_at(np.diff(self.tally.starts))

    @cached_property
    def pooled_sums(self) -> Sums:
        """Areas in px² and counts of the truth's queries together, arrays of shape ()."""
        return pooled_sums(self.sums, self.in_truth)

    def sums_at(self, counts: Ints) -> Sums:
        """Areas and counts of every query when it keeps only its first spots.

        Parameters
        ----------
        counts : (Q,) int
            How many spots each query keeps.

        Returns
        -------
        Sums
            Of shape (Q,).
        """
        tally = self.tally
        kept = np.minimum(counts, np.diff(tally.starts))
        places = np.where(kept > 0, tally.starts[:-1] + kept - 1, -1)
        retrieved, relevant = _at(self.retrieved, places), _at(self.relevant, places)
        pages, overlap = tally.evaluated_area, self.settings.overlap
        return Sums(
            settings=self.settings,
            retrieved=retrieved,
            relevant=relevant,
            outside=outside_truth(retrieved, relevant, self.truth, pages, overlap),
            truth=self.truth,
            pages=pages,
            symbols=self.lists.symbols.astype(np.float64),
            recognised=_at(self.recognised, places),
            false_positives=_at(self.false_positives, places),
            spots=_at(self.judged, places),
            correct=_at(self.correct, places),
        )

    def at(self, counts: Ints) -> dict[str, Floats]:
        """Figures of every query when it keeps only its first spots.

        Parameters
        ----------
        counts : (Q,) int
            How many spots each query keeps.

        Returns
        -------
        dict of str to (Q,) float
            The figures that are formulas of sums, by name; NaN where undefined.
        """
        if (counts >= np.diff(self.tally.starts)).all():  # which are known, or will be asked for
            columns = self.columns
            return {name: columns[name] for name in names_of_sums()}
        sums = self.sums_at(counts)
        return {
            measure.name: self._of_sums(measure, measure.formula, sums)
            for measure in known_measures()
            if isinstance(measure.formula, SumsFormula)
        }

    def pooled_at(self, counts: Ints) -> dict[str, float | None]:
        """Figures of the truth's queries together when each keeps only its first spots.

        Parameters
        ----------
        counts : (Q,) int
            How many spots each query keeps.

        Returns
        -------
        dict of str to float or None
            The figures that are formulas of sums, by name; None where undefined.
        """
        sums = pooled_sums(self.sums_at(counts), self.in_truth)
        found = {
            measure.name: float(self._of_sums(measure, measure.formula, sums))
            for measure in known_measures()
            if isinstance(measure.formula, SumsFormula)
        }
        return {name: None if math.isnan(value) else value for name, value in found.items()}

    def per_query(self, measure: Measure) -> Floats:
        """A measure of the whole list of each query.

        Parameters
        ----------
        measure : Measure
            What to compute.

        Returns
        -------
        (Q,) float
            NaN where undefined.
        """
        formula = measure.formula
        if isinstance(formula, SumsFormula):
            return self._of_sums(measure, formula, self.sums)
        return measure.values(lambda: formula.per_query(self.lists), (len(self.tally.queries),))

    def _of_sums(self, measure: Measure, formula: SumsFormula, sums: Sums) -> Floats:
        return measure.values(lambda: formula.compute(sums), sums.truth.shape)

    def _pooled(self, measure: Measure) -> float | None:
        formula = measure.formula
        if isinstance(formula, SumsFormula):
            value = float(self._of_sums(measure, formula, self.pooled_sums))
        elif formula.pooled is None:
            return None
        else:
            pooled = formula.pooled
            value = float(measure.values(lambda: pooled(self.lists), ()))
        return None if math.isnan(value) else value


def compute_figures(tally: Tally, settings: MeasureSettings | None = None) -> RunFigures:
    """Compute all figures of a run.

    Parameters
    ----------
    tally : Tally
        Of the run.
    settings : MeasureSettings, optional
        How figures are computed.

    Returns
    -------
    RunFigures
        Undefined figures are NaN in arrays, such as ``precision`` of shape (N,), and None else.

    Examples
    --------
    No query retrieves anything of a run without spots:

    >>> from spotlab.geometry.polygon import Outlines
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> figures = compute_figures(Tally.of(nothing, {}, [], queries=["bed"]))
    >>> figures.columns["area_precision"], figures.mean["area_recall"]
    (array([nan]), None)
    """
    settings = settings or MeasureSettings()
    rank = recognition_rank(tally, settings.recognised)
    cleared = first_true_positive_rank(tally, rank)
    if tally.ignored is not None:  # an ignored spot is never a false positive
        matched = match_spots(tally, settings.iou)
        cleared = np.where(ignored_spots(tally, settings.iou, matched), tally.rank, cleared)
    recognised = count_recognised(tally, rank)
    false_positives = count_false_positives(tally, cleared)
    overlap = settings.overlap
    new, gained_true_area = tally.steps(overlap)
    truth = tally.relevant(overlap).sum(axis=1)
    retrieved = area.accumulate_by_query(new, tally.starts)
    relevant = area.accumulate_by_query(gained_true_area, tally.starts)
    of_spot, pages_of_spot = truth[tally.query], tally.evaluated_area[tally.query]
    if overlap is Overlap.UNION:  # they are so by definition, and may not be by rounding
        truth = np.minimum(truth, tally.evaluated_area)
        of_spot = truth[tally.query]
        retrieved = np.minimum(retrieved, pages_of_spot)
        relevant = np.minimum(relevant, np.minimum(retrieved, of_spot))
    outside = outside_truth(retrieved, relevant, of_spot, pages_of_spot, overlap)
    fall_out = area.fall_out(outside, of_spot, pages_of_spot)
    del outside, pages_of_spot  # memory of long lists
    return RunFigures(
        tally=tally,
        settings=settings,
        truth=truth,
        retrieved=retrieved,
        relevant=relevant,
        precision=area.ratio(relevant, retrieved),
        recall=area.ratio(relevant, of_spot),
        fall_out=fall_out,
        f=area.f_score(relevant, retrieved, of_spot, settings.beta),
        recognition_rank=rank,
        first_true_positive_rank=cleared,
        recognised=recognised,
        false_positives=false_positives,
    )


def _at(values: Floats | Ints, places: Ints) -> Floats:
    """The values at these places; 0 where a place is -1, before any spot."""
    if not len(values):
        return np.zeros(len(places))
    return np.where(places >= 0, values[places], 0).astype(np.float64)


def page_sums(figures: RunFigures, counts: Ints | None = None) -> Sums:
    """Areas and counts of every query on every page; over the pages they add up to the query's.

    Parameters
    ----------
    figures : RunFigures
        The run, of Q queries and P pages.
    counts : (Q,) int, optional
        How many spots each query keeps; all of them by default.

    Returns
    -------
    Sums
        Of shape (Q, P); areas in px².
    """
    tally, settings = figures.tally, figures.settings
    shape = len(tally.queries), len(tally.pages)
    last = np.diff(tally.starts) if counts is None else np.asarray(counts)
    kept = tally.rank <= last[tally.query]
    cell = (tally.query * shape[1] + tally.page)[kept]
    retrieved, relevant = (
        np.bincount(cell, step[kept], shape[0] * shape[1]).reshape(shape).astype(np.float64)
        for step in tally.steps(settings.overlap)
    )
    ends = np.append(last, 0)  # for regions of no query, -1
    recognised, false = count_by_page(
        tally,
        figures.recognition_rank <= ends[tally.region_query],
        kept & (figures.first_true_positive_rank > last[tally.query]),
    )
    return Sums(
        settings=settings,
        retrieved=retrieved,
        relevant=relevant,
        outside=retrieved - relevant,
        truth=tally.relevant(settings.overlap),
        pages=tally.counted_page_area,
        symbols=tally.symbols.astype(np.float64),
        recognised=recognised.astype(np.float64),
        false_positives=false.astype(np.float64),
        spots=_counted(cell[~figures.lists.ignored[kept]], shape),
        correct=_counted(cell[figures.lists.right[kept]], shape),
    )


def figures_by_page(figures: RunFigures, counts: Ints | None = None) -> dict[str, Floats]:
    """The figures of single pages, the areas and symbols of the truth's queries together.

    Parameters
    ----------
    figures : RunFigures
        The run, of Q queries and P pages.
    counts : (Q,) int, optional
        How many spots each query keeps; all of them by default.

    Returns
    -------
    dict of str to (P,) float
        The figures that are formulas of areas and counts, by name, in their units; NaN where
        undefined: precision where nothing is retrieved, recall where the page has no truth.

    Notes
    -----
    As `RunFigures.pooled`, of a collection that has only the page, but that all queries of the
    collection's truth are asked of it: Rusiñol & Lladós (2009), eqs. 7 to 12.

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
    >>> from spotlab.measures.figures import compute_figures
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> figures_by_page(compute_figures(Tally.of(nothing, {}, [])))["area_recall"]
    array([], dtype=float64)
    """
    every, own = page_sums(figures, counts), figures.in_truth
    of_page = Sums(
        every.settings, **{name: getattr(every, name)[own].sum(axis=0) for name in SUMMED}
    )
    return columns_of_sums(of_page)


def _counted(cells: Ints, shape: tuple[int, int]) -> Floats:
    counts = np.bincount(cells, minlength=shape[0] * shape[1])
    return counts.reshape(shape).astype(np.float64)
