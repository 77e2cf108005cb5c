"""Agreement with and between annotators: by area, region by region, and Cohen's κ of the labels.

Area precision and recall against several annotators, each of whom has drawn a truth.

The relevance r of a place is the share of the annotators of its page whose regions (of the query)
cover it. This combines Lamiroy & Sun's reference interpretations (2013, §5.1) and Santini's p(ω|q),
with places for items, with the areas of Rusiñol & Lladós (2009). Areas are linear, so ∫ r over what
is retrieved is the mean over annotators of A(R ⊕ T_a): all figures are algebra on one tally per
annotator.

Agreement of two annotators region by region: which regions match, and Cohen's κ of the labels.

Each region takes part in one pair at most; pairs are formed in the order of their intersection over
union (IoU), whatever the labels are. κ (Cohen 1960) is over all pairs and all regions without a
partner, and "unmatched" is a category of its own. What neither has drawn cannot be counted, so κ is
low, or below 0, where all regions have one label or the two share hardly any. Nassar et al. (2019)
measure the agreement of object annotations by Krippendorff's α.

References
----------
J. Cohen, A coefficient of agreement for nominal scales, 1960.
J. Nassar, V. Pavon-Harr, M. Bosch, I. McCulloh, Assessing data quality of annotations with
Krippendorff alpha for applications in computer vision, 2019.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures import area
from spotlab.measures.area import ratio
from spotlab.measures.tally import Tally
from spotlab.representation import short_repr

MEASURES = ("precision", "recall", "f")
DEFINITIONS = {
    "expected_precision": "∫ r over what is retrieved / A(R): the share of annotators for whom a "
    "retrieved place is relevant, on average.",
    "expected_recall": "∫ r over what is retrieved / ∫ r: a ratio of expectations.",
    "expected_f": "F from the areas of expected precision and recall.",
    "mean_precision": "The mean of the annotators' own precisions, each on the pages that this one "
    "has seen.",
    "mean_recall": "The mean of the annotators' own recalls: each counts the same, however much "
    "area they mark, so it differs from the ratio of expectations.",
    "mean_f": "The mean of the annotators' own F.",
    "precision_spread": "Standard deviation over annotators of their own precisions; 0 for one.",
    "recall_spread": "Standard deviation over annotators of their own recalls; 0 for one.",
    "f_spread": "Standard deviation over annotators of their own F; 0 for one.",
    "every_precision": "With what all annotators of a page agree on as truth: never above "
    "expected precision.",
    "every_recall": "With what all annotators of a page agree on as truth.",
    "every_f": "With what all annotators of a page agree on as truth.",
    "any_precision": "With what any annotator marks as truth: never below expected precision.",
    "any_recall": "With what any annotator marks as truth.",
    "any_f": "With what any annotator marks as truth.",
}


@dataclass(frozen=True, eq=False)
class Areas:
    """Retrieved, relevant and true area in px², from which all figures follow.

    Attributes
    ----------
    starts : (Q + 1,) int
        Where the spots of each query begin and end.
    query : (N,) int
        The query of each spot.
    retrieved, relevant : (N,) float
        A(R_n) and A(R_n ⊕ T) in px² if the query's list ends after each spot.
    truth : (Q,) float
        A(T) of each query in px².
    beta : float
        β of F; above 1 recall weighs more.
    """

    starts: Ints
    query: Ints
    retrieved: Floats
    relevant: Floats
    truth: Floats
    beta: float = 1.0

    __repr__ = short_repr

    def at_spots(self, measure: str) -> Floats:
        """A measure of lists that end after each spot.

        Parameters
        ----------
        measure : {"precision", "recall", "f", "iou"}
            What to compute.

        Returns
        -------
        (N,) float
            Shares in [0, 1]; NaN where undefined.
        """
        truth = self.truth[self.query]
        return _measure(measure, self.relevant, self.retrieved, truth, self.beta)

    def of_queries(self, measure: str) -> Floats:
        """A measure of the whole list of each query.

        Parameters
        ----------
        measure : {"precision", "recall", "f", "iou"}
            What to compute.

        Returns
        -------
        (Q,) float
            Shares in [0, 1]; NaN where undefined, such as the precision of a list without area.
        """
        return _measure(measure, *self.ends, self.truth, self.beta)

    def pooled(self, measure: str) -> float:
        """A measure of the areas of all queries together.

        Parameters
        ----------
        measure : {"precision", "recall", "f", "iou"}
            What to compute.

        Returns
        -------
        float
            A share in [0, 1]; NaN where undefined.

        Examples
        --------
        >>> areas = Areas(np.array([0, 1]), np.array([0]), np.array([4.0]), np.array([2.0]),
        ...               np.array([8.0]))
        >>> areas.pooled("precision"), areas.pooled("recall")
        (0.5, 0.25)
        """
        relevant, retrieved = self.ends
        sums = relevant.sum(), retrieved.sum(), self.truth.sum()
        return float(_measure(measure, *sums, self.beta))

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """(Q,) relevant and retrieved area of whole lists in px²; 0 for a query without spots."""
        last = np.where(np.diff(self.starts) > 0, self.starts[1:] - 1, -1)
        sampled = (area.sample(values, last) for values in (self.relevant, self.retrieved))
        relevant, retrieved = (np.nan_to_num(values) for values in sampled)
        return relevant, retrieved


@dataclass(frozen=True, eq=False)
class AnnotatorFigures:
    """The figures of a run against several annotators; make them with `annotator_figures`.

    Attributes
    ----------
    tally : Tally
        Of the run, against the union of what the annotators have drawn.
    annotators : tuple of str
        Their names.
    seen : (A, P) bool
        Which annotator has seen which page of the tally.
    expected : Areas
        Of the relevance r: relevant area is ∫ r over what is retrieved, true area is ∫ r.
    own : tuple of Areas
        One for each annotator: on the pages that this annotator has seen, with this annotator's
        regions as truth.
    every, any : Areas
        The truth is what all who saw a page agree on, or what any of them marks.
    """

    tally: Tally
    annotators: tuple[str, ...]
    seen: NDArray[np.bool_]
    expected: Areas
    own: tuple[Areas, ...]
    every: Areas
    any: Areas

    __repr__ = short_repr

    def at_spots(self) -> dict[str, Floats]:
        """Each figure of lists that end after each spot, (N,) by name; see `DEFINITIONS`."""
        return self._all(Areas.at_spots)

    def of_queries(self) -> dict[str, Floats]:
        """Each figure of whole lists, (Q,) by name; see `DEFINITIONS`."""
        return self._all(Areas.of_queries)

    def pooled(self) -> dict[str, float]:
        """Each figure of all queries' areas together, by name; see `DEFINITIONS`.

        All are shares in [0, 1]; NaN where undefined.
        """
        figures = self._all(lambda areas, measure: np.asarray(areas.pooled(measure)))
        return {name: float(value) for name, value in figures.items()}

    def mean(self) -> dict[str, float]:
        """Each figure's mean over the queries for which it is defined, by name; see `DEFINITIONS`.

        All are shares in [0, 1]; NaN where no query has the figure.
        """
        return {name: _mean(values) for name, values in self.of_queries().items()}

    def _all(self, figure: Callable[[Areas, str], Floats]) -> dict[str, Floats]:
        figures: dict[str, Floats] = {}
        for measure in MEASURES:
            own = np.stack([figure(areas, measure) for areas in self.own])
            figures[f"expected_{measure}"] = figure(self.expected, measure)
            figures[f"mean_{measure}"], figures[f"{measure}_spread"] = mean_and_spread(own)
            figures[f"every_{measure}"] = figure(self.every, measure)
            figures[f"any_{measure}"] = figure(self.any, measure)
        return {name: figures[name] for name in DEFINITIONS}


def annotator_figures(
    annotators: Sequence[str],
    tallies: Sequence[Tally],
    seen: NDArray[np.bool_],
    every: Tally,
    any: Tally,
    beta: float = 1.0,
) -> AnnotatorFigures:
    """The figures of a run against several annotators.

    Parameters
    ----------
    annotators : sequence of str
        Their names.
    tallies : sequence of Tally
        Of the run, one for each annotator, all on the same pages. What they hold of pages that the
        annotator has not seen is ignored.
    seen : (A, P) bool
        Which annotator has seen which of these pages; each page is seen by at least one.
    every, any : Tally
        Of the run on the same pages: against what all annotators of a page agree on, and against
        what any of them marks.
    beta : float
        β of F; above 1 recall weighs more.

    Returns
    -------
    AnnotatorFigures
        Undefined figures are NaN.

    Raises
    ------
    ValueError
        An annotator has no tally, or a page no annotator.

    Notes
    -----
    An annotator who has not seen a page has no say on it: the shares there are those of the
    others. A place counts once however many regions of one annotator cover it. Only precision is
    bounded by ``every`` and ``any``: recall against what every annotator agrees on may be above
    the mean, and recall against what any annotator marks below it.
    """
    if not len(tallies) == len(annotators) == len(seen) or not seen.any(axis=0).all():
        raise ValueError("every annotator needs a tally, and every page an annotator")
    queries = {name for tally in (*tallies, every, any) for name in tally.queries}
    pages = dict(zip(any.pages, any.page_area.tolist(), strict=True))
    *own, agreed, marked = (
        Tally.of(tally.run, pages, tally.parts.values(), queries)
        for tally in (*tallies, every, any)
    )
    share = seen / seen.sum(axis=0)
    expected = zip(own, share, strict=True)
    relevant, truth = np.zeros(len(marked)), np.zeros(marked.truth_area.shape)
    for tally, part in expected:
        relevant += tally.gained_true_area * part[tally.page]
        truth += tally.truth_area * part
    everywhere = np.ones(len(pages))
    return AnnotatorFigures(
        tally=marked,
        annotators=tuple(annotators),
        seen=seen,
        expected=_areas(marked, everywhere, relevant, truth, beta),
        own=tuple(_own(tally, saw, beta) for tally, saw in zip(own, seen, strict=True)),
        every=_own(agreed, everywhere, beta),
        any=_own(marked, everywhere, beta),
    )


def whole_areas(tally: Tally, beta: float = 1.0) -> Areas:
    """Find the areas of a run against one annotator, on all pages of the tally.

    Parameters
    ----------
    tally : Tally
        Of the run, with this annotator's regions as truth.
    beta : float
        β of F; above 1 recall weighs more.

    Returns
    -------
    Areas
        Retrieved, relevant and true areas of N spots in px².

    Examples
    --------
    Two spots of 10 px² for one query, one on each page; 5 px² and 10 px² of them are relevant:

    >>> from types import SimpleNamespace
    >>> tally = SimpleNamespace(
    ...     pages=("1", "2"), page=np.array([0, 1]),
    ...     query=np.array([0, 0]), starts=np.array([0, 2]),
    ...     gained_area=np.array([10.0, 10.0]), gained_true_area=np.array([5.0, 10.0]),
    ...     truth_area=np.array([[20.0, 10.0]]))
    >>> areas = whole_areas(tally)
    >>> areas.pooled("precision"), areas.pooled("recall")
    (0.75, 0.5)
    """
    return _own(tally, np.ones(len(tally.pages)), beta)


def mean_and_spread(values: Floats) -> tuple[Floats, Floats]:
    """Mean and population standard deviation over the first axis, without what is undefined.

    Parameters
    ----------
    values : (A, N) or (A,) float
        In any unit; NaN is undefined and left out.

    Returns
    -------
    mean, spread : (N,) float, or float
        In the same unit; NaN where nothing is defined.

    Examples
    --------
    >>> mean, spread = mean_and_spread(np.array([[0.2, np.nan, 1.0], [0.6, np.nan, np.nan]]))
    >>> mean.round(9).tolist(), spread.round(9).tolist()
    ([0.4, nan, 1.0], [0.2, nan, 0.0])
    """
    count = np.isfinite(values).sum(axis=0)
    mean = area.ratio(np.nansum(values, axis=0), count)
    square = area.ratio(np.nansum((values - mean) ** 2, axis=0), count)
    return mean, np.sqrt(square)


def _own(tally: Tally, counted: NDArray[np.bool_] | Floats, beta: float) -> Areas:
    """The areas of a tally on the pages that count."""
    relevant = tally.gained_true_area * counted[tally.page]
    return _areas(tally, counted, relevant, tally.truth_area * counted, beta)


def _areas(
    tally: Tally, counted: NDArray[np.bool_] | Floats, relevant: Floats, truth: Floats, beta: float
) -> Areas:
    """Areas from what each spot adds, (N,), and the truth of each query on each page, (Q, P)."""
    retrieved = tally.gained_area * counted[tally.page]
    return Areas(
        starts=tally.starts,
        query=tally.query,
        retrieved=area.accumulate_by_query(retrieved, tally.starts),
        relevant=area.accumulate_by_query(relevant, tally.starts),
        truth=truth.sum(axis=1),
        beta=beta,
    )


def _measure(
    name: str, relevant: ArrayLike, retrieved: ArrayLike, truth: ArrayLike, beta: float
) -> Floats:
    if name == "precision":
        return area.ratio(relevant, retrieved)
    if name == "recall":
        return area.ratio(relevant, truth)
    if name == "iou":
        return area.ratio(
            relevant, np.asarray(retrieved) + np.asarray(truth) - np.asarray(relevant)
        )
    return area.f_score(relevant, retrieved, truth, beta)


def _mean(values: Floats) -> float:
    return float(mean_and_spread(values)[0])


UNMATCHED = None  # the label that the other annotator gives to a region without a partner
KAPPA = (
    "Cohen's κ over matched regions and regions without a partner; unmatched is a category of its "
    "own. 1 is full agreement, 0 what chance gives."
)
Pair = tuple[Hashable, Hashable]


def match_regions(pairs: Ints, iou: Floats, first: int, threshold: float = 0.5) -> Ints:
    """Match regions of two annotators, those with the highest IoU first.

    Parameters
    ----------
    pairs : (K, 2) int
        Positions of overlapping regions, among the first annotator's and the second's.
    iou : (K,) float
        Intersection over union of each pair, in [0, 1].
    first : int
        Number of regions of the first annotator.
    threshold : float
        IoU in (0, 1] that a match has to reach.

    Returns
    -------
    (first,) int
        The second annotator's region of each; -1 for a region without a partner. Of pairs with
        equal IoU the earlier regions match.

    Examples
    --------
    >>> match_regions(np.array([[0, 0], [1, 0]]), np.array([0.6, 0.9]), 2)
    array([-1,  0])
    """
    matched = np.full(first, -1, np.int64)
    able = np.flatnonzero(iou >= min(threshold, 1 - 1e-10))
    taken: set[int] = set()
    for at in able[np.lexsort((pairs[able, 1], pairs[able, 0], -iou[able]))].tolist():
        one, other = pairs[at].tolist()
        if matched[one] < 0 and other not in taken:
            matched[one] = other
            taken.add(other)
    return matched


def cohen_kappa(items: Iterable[Pair]) -> float:
    """Compute Cohen's κ of two raters.

    Parameters
    ----------
    items : iterable of (first, second)
        The categories that the two give to each item.

    Returns
    -------
    float
        In [-1, 1]; NaN without items, and where both give one and the same category to all items,
        as chance alone would explain that.

    Notes
    -----
    (p_o − p_e) / (1 − p_e), with the observed share of equal categories p_o and the share p_e that
    is expected of independent raters (Cohen 1960, eq. 1).

    Examples
    --------
    Three alike of four, with "a" twice and three times: p_e = (2·3 + 2·1)/16 = 0.5.

    >>> cohen_kappa([("a", "a"), ("a", "a"), ("b", "b"), ("b", "a")])
    0.5
    """
    table = Counter(items)
    count = sum(table.values())
    rows: Counter[Hashable] = Counter()
    columns: Counter[Hashable] = Counter()
    for (one, other), number in table.items():
        rows[one] += number
        columns[other] += number
    alike = sum(number for (one, other), number in table.items() if one == other)
    chance = sum(number * columns[label] for label, number in rows.items())
    return float(ratio(alike * count - chance, count * count - chance))
