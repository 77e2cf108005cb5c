"""All figures of a run, from its tally: per spot, per query, their mean, pooled, and at any cut.

Means and sums go over the truth's queries, so that runs are comparable whatever else they search.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spotlab.arrays import Flags, Floats, Ints
from spotlab.measures import area, recognition
from spotlab.measures.figure_columns import Columns, names_of_sums
from spotlab.measures.iou import ignored_spots, match_spots
from spotlab.measures.measure import Measure, SumsFormula, known_measures
from spotlab.measures.outside import OutsideQuery, outside_queries
from spotlab.measures.over_queries import defined_queries, means_over_queries
from spotlab.measures.ranked_lists import RankedLists
from spotlab.measures.recall_curves import RecallCurves
from spotlab.measures.settings import MeasureSettings
from spotlab.measures.sums import Sums, outside_truth, pooled_sums
from spotlab.measures.tally import Overlap, Tally
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class RunFigures:
    """The figures of a run; make them with `compute_figures`.

    Attributes
    ----------
    tally : Tally
        Of Q queries, N spots and T truth regions.
    settings : MeasureSettings
        How figures are computed.
    truth : (Q,) float
        A(T) of each query in px².
    retrieved, relevant : (N,) float
        A(R_n) and A(R_n ⊕ T) in px² of a query whose list ends after each spot.
    precision, recall, fall_out, f : (N,) float
        Of such a list, as shares (Rusiñol & Lladós (2009), eqs. 7, 9 and 11); NaN where undefined.
    recognition_rank : (T,) int
        The rank at which each region is recognised; see `recognition.recognition_rank`.
    first_true_positive_rank : (N,) int
        The rank from which each spot is no false positive; see `first_true_positive_rank` of
        `measures.recognition`.
    recognised, false_positives : (N,) int
        Number of recognised regions and of false positives of a list that ends after each spot.
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
    recognition_rank: Ints
    first_true_positive_rank: Ints
    recognised: Ints
    false_positives: Ints

    __repr__ = short_repr

    @property
    def columns(self) -> Columns:
        """Each figure's (Q,) values by its name; NaN where undefined."""
        # they are kept here: if what refers to the figures were, these would stay until collected
        return Columns(self.per_query, vars(self).setdefault("_known_columns", {}))

    @cached_property
    def in_truth(self) -> Flags:
        """(Q,) whether the truth has a region of a query; means and sums go over these."""
        return np.asarray(self.lists.symbols > 0)

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

    @cached_property
    def lists(self) -> RankedLists:
        """The ranked lists, from which measures of rankings are computed."""
        return RankedLists(self.tally, self.settings, self.precision, self.recall)

    @cached_property
    def correct(self) -> Floats:
        """(N,) how many spots of a list that ends after each spot are matched with a region."""
        matched = self.lists.right.astype(np.float64)
        return area.accumulate_by_query(matched, self.tally.starts)

    @cached_property
    def judged(self) -> Floats | Ints:
        """(N,) how many spots of a list that ends after each spot are not ignored."""
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

    >>> from spotlab.geometry.outlines import Outlines
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> figures = compute_figures(Tally.of(nothing, {}, [], queries=["bed"]))
    >>> figures.columns["area_precision"], figures.mean["area_recall"]
    (array([nan]), None)
    """
    settings = settings or MeasureSettings()
    rank = recognition.recognition_rank(tally, settings.recognised)
    cleared = recognition.first_true_positive_rank(tally, rank)
    if tally.ignored is not None:  # an ignored spot is never a false positive
        matched = match_spots(tally, settings.iou)
        cleared = np.where(ignored_spots(tally, settings.iou, matched), tally.rank, cleared)
    recognised = recognition.count_recognised(tally, rank)
    false_positives = recognition.count_false_positives(tally, cleared)
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
