"""Figures of systems by any method, their intervals, and the method that is advised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats
from spotlab.consensus.accuracy import find_patterns, multiply
from spotlab.consensus.agreement import Groups
from spotlab.consensus.precision import DIGITS, NORMAL_95, rank_by_f
from spotlab.consensus.votes import Votes
from spotlab.extras import special, stats
from spotlab.representation import short_repr


def kendall(first: ArrayLike, second: ArrayLike) -> float | None:
    """Kendall's τ-b of two columns of figures, over the systems that have both.

    Parameters
    ----------
    first, second : (S,) float
        Figures of the systems; NaN where undefined.

    Returns
    -------
    float or None
        In [-1, 1]: 1 for the same order, −1 for the opposite. None for fewer than two systems, or
        if all values of a column are equal.

    Notes
    -----
    Kendall (1945), τ-b: ties count for neither order.

    Examples
    --------
    >>> kendall([0.1, 0.2, 0.3, 0.4, np.nan], [1, 2, 4, 3, 5]), kendall([1, 1], [1, 2])
    (0.6666666666666669, None)
    """
    one, other = _both(first, second)
    return None if _constant(one, other) else float(stats.kendalltau(one, other).statistic)


def spearman(first: ArrayLike, second: ArrayLike) -> float | None:
    """Spearman's ρ of two columns of figures, over the systems that have both.

    Parameters
    ----------
    first, second : (S,) float
        Figures of the systems; NaN where undefined.

    Returns
    -------
    float or None
        In [-1, 1]; None as for `kendall`.

    Notes
    -----
    Spearman (1904): the correlation of the ranks.

    Examples
    --------
    >>> round(spearman([0.1, 0.2, 0.3], [1, 3, 2]), 12)
    0.5
    """
    one, other = _both(first, second)
    return None if _constant(one, other) else float(stats.spearmanr(one, other).statistic)


def _both(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    there = ~(np.isnan(one) | np.isnan(other))
    return one[there], other[there]


def _constant(one: Floats, other: Floats) -> bool:
    return len(one) < 2 or bool((one == one[0]).all() or (other == other[0]).all())


@dataclass(frozen=True, eq=False)
class SystemFigures:
    """Precision, recall and F of S systems.

    Attributes
    ----------
    precision, recall, f : (S,) float
        In [0, 1]; NaN where undefined.
    """

    precision: Floats
    recall: Floats
    f: Floats

    __repr__ = short_repr

    @property
    def rank(self) -> Floats:
        """Rank of each system by F, (S,): 1 for the highest, shared by ties, NaN where undefined.

        Examples
        --------
        >>> f = np.array([0.5, np.nan, 0.7, 0.5])
        >>> SystemFigures(f, f, f).rank.tolist()
        [2.0, nan, 1.0, 2.0]
        """
        return np.where(np.isnan(self.f), np.nan, rank_by_f(self.f))

    def where(self, reported: NDArray[np.bool_]) -> SystemFigures:
        """Blank the figures of some systems.

        Parameters
        ----------
        reported : (S,) bool
            Whether the figures of a system are kept.

        Returns
        -------
        SystemFigures
            NaN for all other systems.
        """
        columns = (self.precision, self.recall, self.f)
        return SystemFigures(*(np.where(reported, column, np.nan) for column in columns))

    def only(self, systems: ArrayLike) -> SystemFigures:
        """Keep some systems.

        Parameters
        ----------
        systems : (K,) int
            Indices of the systems in their new order.

        Returns
        -------
        SystemFigures
            Of these systems.
        """
        index = np.asarray(systems, np.int64)
        return SystemFigures(self.precision[index], self.recall[index], self.f[index])


@dataclass(frozen=True, eq=False)
class SystemIntervals:
    """Intervals of the figures of S systems (95 %).

    Attributes
    ----------
    precision, recall, f : (S, 2) float
        Lower and upper ends, in [0, 1]; NaN where undefined.
    """

    precision: Floats
    recall: Floats
    f: Floats

    __repr__ = short_repr

    def superiority(self, f: Floats) -> Floats:
        """Chance that one system has a higher F than another, for all pairs.

        Parameters
        ----------
        f : (S,) float
            F of the systems; NaN where undefined.

        Returns
        -------
        (S, S) float
            In [0, 1], row above column; ½ on the diagonal and for equal F, NaN where undefined.

        Examples
        --------
        >>> ends = np.array([[0.3, 0.7], [0.5, 0.9]])
        >>> SystemIntervals(ends, ends, ends).superiority(np.array([0.5, 0.7])).round(2).tolist()
        [[0.5, 0.08], [0.92, 0.5]]
        """
        error = (self.f[:, 1] - self.f[:, 0]) / (2 * NORMAL_95)
        difference = np.round(f[:, None] - f, DIGITS)
        spread = np.sqrt(error[:, None] ** 2 + error**2)
        with np.errstate(invalid="ignore", divide="ignore"):
            chance = special.ndtr(difference / spread)
        return np.where(difference == 0, 0.5, chance)

    def where(self, reported: NDArray[np.bool_]) -> SystemIntervals:
        """Blank the intervals of some systems.

        Parameters
        ----------
        reported : (S,) bool
            Whether the intervals of a system are kept.

        Returns
        -------
        SystemIntervals
            NaN for all other systems.
        """
        columns = (self.precision, self.recall, self.f)
        return SystemIntervals(*(np.where(reported[:, None], ends, np.nan) for ends in columns))


def at_beta(precision: Floats, recall: Floats, beta: float) -> SystemFigures:
    """Add F to precision and recall.

    Parameters
    ----------
    precision, recall : (S,) float
        In [0, 1]; NaN where undefined.
    beta : float
        β of F; above 1 recall weighs more.

    Returns
    -------
    SystemFigures
        F is 0 for a system that votes for nothing where recall is defined.

    Examples
    --------
    >>> at_beta(np.array([0.5, np.nan]), np.array([1.0, 0.0]), 2.0).f.round(3).tolist()
    [0.833, 0.0]
    """
    known = np.where(np.isnan(precision) & (recall == 0), 0.0, precision)
    whole = beta**2 * known + recall
    f = (1 + beta**2) * known * recall / np.where(whole == 0, 1.0, whole)
    return SystemFigures(precision, recall, f)


@dataclass(frozen=True)
class Nearness:
    """Agreement of figures with those computed with truth; None where undefined.

    Attributes
    ----------
    systems : int
        Number of systems whose F is defined in both.
    kendall, spearman : float or None
        Rank correlations of F with F, in [-1, 1].
    precision_error, recall_error, f_error : float or None
        Mean absolute differences, in [0, 1], over the systems where both are defined.
    """

    systems: int
    kendall: float | None
    spearman: float | None
    precision_error: float | None
    recall_error: float | None
    f_error: float | None


def nearness(figures: SystemFigures, truth: SystemFigures) -> Nearness:
    """Compare figures with those with truth.

    Parameters
    ----------
    figures, truth : SystemFigures
        Of the same systems.

    Returns
    -------
    Nearness
        None where too few systems have both.

    Examples
    --------
    >>> estimated, true = np.array([0.5, 0.6, 0.9]), np.array([0.4, 0.8, 0.6])
    >>> near = nearness(SystemFigures(*[estimated] * 3), SystemFigures(*[true] * 3))
    >>> round(near.kendall, 3), round(near.f_error, 3)
    (0.333, 0.2)
    """
    both = ~(np.isnan(figures.f) | np.isnan(truth.f))
    return Nearness(
        int(both.sum()),
        kendall(figures.f[both], truth.f[both]),
        spearman(figures.f[both], truth.f[both]),
        _mean_error(figures.precision, truth.precision),
        _mean_error(figures.recall, truth.recall),
        _mean_error(figures.f, truth.f),
    )


def _mean_error(estimated: Floats, true: Floats) -> float | None:
    errors = np.abs(estimated - true)
    errors = errors[~np.isnan(errors)]
    return float(errors.mean()) if len(errors) else None


FEWEST_SYSTEMS = 3
FEWEST_ITEMS = 30
ANSWERS = 50  # items to answer where methods disagree
ENOUGH_ANSWERS = 20  # below that, answers do not decide
ALIKE = 0.8  # Kendall's τ between two methods below which they disagree
NEAR = 0.1  # mean difference of precision or recall above which they disagree
COMPARED = ("majority", "dawid_skene")  # what the recommended method is compared with
WIDE = 0.1  # half an interval of F, on average, beyond which answers are worth their time


@dataclass(frozen=True)
class RuleLimits:
    """Limits of the rules; the defaults are in use.

    Attributes
    ----------
    pooled : float
        Smallest share of items returned by one system only, of a pool of their results.
    related : float
        Excess of φ in a group over what accuracy explains, from which errors are shared.
    mostly : float
        Share of the systems in groups from which the groups, not the systems, decide.
    """

    pooled: float = 0.25
    related: float = 0.1
    mostly: float = 0.75


LIMITS = RuleLimits()


@dataclass(frozen=True)
class Recommendation:
    """The estimate to look at first.

    Attributes
    ----------
    method : str
        Name of a consensus method or a correction, or "answers".
    reason : str
        Reason for it, one sentence.
    alternatives : tuple of str
        Names of other methods, the most sensible first.
    answer_items : int
        Number of items to answer before the ranking is trusted; 0 where the methods agree.
    disagreement : str
        How far the methods disagree, one sentence; empty where they agree.
    doubt : float
        Half the interval of F under the method, on average, in [0, 1]; 0 where it has none.
    """

    method: str
    reason: str
    alternatives: tuple[str, ...] = ()
    answer_items: int = 0
    disagreement: str = ""
    doubt: float = 0.0

    @property
    def headline(self) -> str:
        """Return what to do first; empty where the recommended estimate can be used as it is.

        Examples
        --------
        >>> Recommendation("majority", "", answer_items=50).headline
        'Answer 50 items: the methods disagree, and answers decide between them.'
        """
        if not self.answer_items:
            return ""
        why = "the methods disagree, and answers decide between them."
        if not self.disagreement and self.doubt > WIDE:
            why = self.uncertainty
        return f"Answer {self.answer_items} items: {why}"

    @property
    def uncertainty(self) -> str:
        """Half of the intervals of F in words; empty where they are narrow.

        Examples
        --------
        >>> Recommendation("shared_errors", "", doubt=0.2).uncertainty
        'by the votes alone, F is known to ±0.20 on average.'
        """
        wide = self.doubt > WIDE
        return f"by the votes alone, F is known to ±{self.doubt:.2f} on average." if wide else ""


@dataclass(frozen=True)
class VotePool:
    """Statistics of the pool of items that the systems vote on.

    Attributes
    ----------
    systems, items : int
        Numbers of systems and of items.
    votes_per_item : float
        Mean number of known votes of an item; NaN without items.
    unwanted : float
        Share of the items for which no system votes, in [0, 1].
    single : float
        Share of the items for which exactly one system votes, in [0, 1].
    """

    systems: int
    items: int
    votes_per_item: float
    unwanted: float
    single: float

    @property
    def pooled(self) -> bool:
        """Tell whether the items are what the systems returned, rather than items given to them."""
        return self.is_pooled(LIMITS.pooled)

    def is_pooled(self, least: float) -> bool:
        """The same for another limit.

        Parameters
        ----------
        least : float
            Share in [0, 1], as in `RuleLimits`.

        Returns
        -------
        bool
        """
        return self.unwanted == 0 and self.single >= least


def describe_pool(votes: Votes) -> VotePool:
    """Describe how the items of votes came together.

    Parameters
    ----------
    votes : Votes
        N items, S systems.

    Returns
    -------
    VotePool
        With NaN without items.

    Examples
    --------
    >>> describe_pool(Votes.of([[1, 0], [0, 1], [1, 1]], ["a", "b"])).pooled
    True
    >>> describe_pool(Votes.of([[1, 0], [0, 0], [1, 1]], ["a", "b"])).pooled
    False
    """
    systems = len(votes.systems)
    if not len(votes):
        return VotePool(systems, 0, float("nan"), float("nan"), float("nan"))
    table = find_patterns(votes)
    for_ = multiply((table.yes > 0).astype(np.float64), np.ones(systems))
    items = table.count.sum()
    return VotePool(
        systems,
        len(votes),
        float(votes.counts_known.sum() / items),
        float(table.count[for_ == 0].sum() / items),
        float(table.count[for_ == 1].sum() / items),
    )


GIVEN_ERROR, POOLED_ERROR = 0.05, 0.2  # see `shared_error`; of items given, and of a pool


def shared_error(pool: VotePool) -> float:
    """Tell how far any number of items leaves a figure open: systems are wrong together.

    Parameters
    ----------
    pool : VotePool
        How the items came together.

    Returns
    -------
    float
        Variance of a figure as a share of figure · (1 − figure). It is larger for items that the
        systems themselves returned: what none of them finds, and what all take for right, is in no
        vote.

    Notes
    -----
    With at least .02 for given items and .2 for a pool, the 95 % intervals of precision, recall
    and F hold the truth in nine of ten cases in each family of votes with known truth that they
    were chosen on: photographs, products, web sites, music, entailment, weather; OCR, retrieval,
    simulated engines. Chosen without one family, they hold it there in 86 % of cases or more.

    Examples
    --------
    >>> shared_error(describe_pool(Votes.of([[1, 0], [0, 0], [1, 1]], ["a", "b"])))
    0.05
    """
    return POOLED_ERROR if pool.pooled else GIVEN_ERROR


def recommend(
    votes: Votes,
    groups: Groups,
    figures: Mapping[str, SystemFigures] | None = None,
    answers: int = 0,
    intervals: Mapping[str, SystemIntervals | None] | None = None,
) -> Recommendation:
    """Recommend one estimate for these votes.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    groups : Groups
        Groups of the same systems, declared or found.
    figures : mapping of str to SystemFigures, optional
        Figures of the same systems by the name of each method, to see where methods disagree; the
        recommended method or the others may be missing.
    answers : int
        Number of items whose relevance is known.
    intervals : mapping of str to SystemIntervals or None, optional
        Intervals of the same figures, to see how much answers would narrow.

    Returns
    -------
    Recommendation
        Vote share for fewer than three systems or 30 items, or where there are only two groups.

    Notes
    -----
    Two thirds `fit_shared_errors`, one third majority, unless the items are a pool of what the
    systems returned and groups of systems agree more than their accuracy explains
    (`excess_agreement`). Then every system is judged by the other groups; if the groups hold three
    quarters of the systems, the latent class model of the groups is taken.

    Examples
    --------
    >>> from spotlab.consensus.agreement import find_groups
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random(300) < 0.5
    >>> columns = [np.where(rng.random(300) < 0.2, ~truth, truth) for _ in range(5)]
    >>> votes = Votes.of(np.column_stack(columns).astype(float), "abcde")
    >>> recommend(votes, find_groups(votes)).method
    'shared_errors'
    """
    pool = describe_pool(votes)
    if answers >= ENOUGH_ANSWERS:
        reason = f"{answers:,} answers are known, and answers decide better than agreement alone."
        return Recommendation("answers", reason, _without(choose_method(pool, groups)[0]))
    method, reason = choose_method(pool, groups)
    said = _disagreement(method, figures or {})
    undecidable = (
        pool.systems < FEWEST_SYSTEMS
        or pool.items < FEWEST_ITEMS
        or (groups.only_two and pool.pooled)
    )
    known = (intervals or {}).get(method)
    doubt = 0.0 if known is None else _half(known.f)
    ask = min(ANSWERS, len(votes)) if said or undecidable or doubt > WIDE else 0
    return Recommendation(method, reason, _without(method), ask, said, doubt)


def choose_method(pool: VotePool, groups: Groups, limits: RuleLimits = LIMITS) -> tuple[str, str]:
    """Choose a method without answers, see `recommend`.

    Parameters
    ----------
    pool : VotePool
        How the items came together.
    groups : Groups
        Groups of the systems.
    limits : RuleLimits
        Limits of the rules.

    Returns
    -------
    method, reason : str
        Its name, and a sentence.

    Examples
    --------
    >>> pool = VotePool(systems=2, items=500, votes_per_item=1.5, unwanted=0.0, single=0.5)
    >>> groups = Groups(("a", "b"), np.array([0, 1]), ("a", "b"))
    >>> method, reason = choose_method(pool, groups)
    >>> print(method, reason, sep=": ")
    share: Fewer than three systems vote, so nothing can be learnt of their accuracy.
    """
    if pool.systems < FEWEST_SYSTEMS:
        return "share", "Fewer than three systems vote, so nothing can be learnt of their accuracy."
    if pool.items < FEWEST_ITEMS:
        items = "1 item is" if pool.items == 1 else f"{pool.items:,} items are"
        return "share", f"Only {items} voted on, too few to learn how often each system is right."
    if not pool.is_pooled(limits.pooled):
        return "shared_errors", (
            f"{pool.systems:,} systems judge given items, {pool.votes_per_item:.1f} votes per item "
            "on average, so how often each is right can be learnt from the votes."
        )
    return _chosen_for_pool(pool, groups, limits)


def _chosen_for_pool(pool: VotePool, groups: Groups, limits: RuleLimits) -> tuple[str, str]:
    """The same where the items are what the systems returned."""
    if groups.only_two:
        return "share", (
            "The systems fall into two groups, and no method can tell from the votes which group "
            "is right."
        )
    together = int(groups.sizes[groups.sizes > 1].sum())
    if not _related(groups, limits.related):
        return "shared_errors", (
            "The systems err independently as far as the votes show, so how often each is right "
            "can be learnt from the votes."
        )
    shared = f"{together:,} of {pool.systems:,} systems share errors with their group, so "
    if together >= limits.mostly * pool.systems:
        return "grouped_latent_class", shared + "each group is taken to have one opinion."
    return "leave_group_out", shared + "every system is judged by the other groups."


def _related(groups: Groups, least: float) -> bool:
    """Tell whether a group agrees more than the accuracy of its systems explains."""
    if not groups.together:
        return False
    if groups.observed is None or groups.expected is None:
        return True
    excess = (groups.observed - groups.expected)[groups.sizes > 1]
    return bool(np.isnan(excess).all() or np.nanmax(excess) >= least)


def _without(method: str) -> tuple[str, ...]:
    """The other methods that make sense, without the paper's if it is not needed."""
    every = ("shared_errors", "dawid_skene", "majority", "share", "paper")
    return tuple(name for name in every if name != method)


def _disagreement(method: str, figures: Mapping[str, SystemFigures]) -> str:
    """Tell how far the recommended method and others disagree; empty where they agree."""
    names = [name for name in dict.fromkeys((method, *COMPARED)) if name in figures]
    pairs = [(figures[one], figures[other]) for one, other in combinations(names, 2)]
    taus = [tau for pair in pairs if (tau := kendall(pair[0].f, pair[1].f)) is not None]
    gaps = [gap for pair in pairs if (gap := _gap(*pair)) is not None]
    least, most = min(taus, default=1.0), max(gaps, default=0.0)
    if least >= ALIKE and most <= NEAR:
        return ""
    parts = []
    if least < ALIKE:
        lowest = f"{least:.2f}".replace("-", "−")
        parts.append(f"the methods order the systems differently (τ down to {lowest})")
    if most > NEAR:
        whose = "their" if parts else "the methods'"
        parts.append(f"{whose} precision or recall differs by up to {most:.2f} on average")
    sentence = ", and ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _half(ends: Floats) -> float:
    """Half of intervals, on average; 0 where there are none."""
    widths = (ends[:, 1] - ends[:, 0]) / 2
    return float(np.nanmean(widths)) if not np.isnan(widths).all() else 0.0


def _gap(one: SystemFigures, other: SystemFigures) -> float | None:
    """Mean difference of precision or of recall, whichever is larger; None where undefined."""
    columns = ((one.precision, other.precision), (one.recall, other.recall))
    gaps = [np.abs(first - second) for first, second in columns]
    means = [float(np.nanmean(gap)) for gap in gaps if not np.isnan(gap).all()]
    return max(means, default=None)
