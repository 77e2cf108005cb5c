"""Recommend one estimate for these votes, and say why.

The rules were chosen on people's answers, OCR systems, ranked lists and simulated votes whose truth
is known, one data set left out in turn. `spotlab reproduce estimates` repeats that on any votes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from spotlab.consensus.accuracy import find_patterns, multiply
from spotlab.consensus.comparison import SystemFigures, kendall
from spotlab.consensus.groups import Groups
from spotlab.consensus.votes import Votes

FEWEST_SYSTEMS = 3
FEWEST_ITEMS = 30
ANSWERS = 50  # items to answer where methods disagree
ENOUGH_ANSWERS = 20  # below that, answers do not decide
ALIKE = 0.8  # Kendall's τ between two methods below which they disagree
NEAR = 0.1  # mean difference of precision or recall above which they disagree
COMPARED = ("majority", "dawid_skene")  # what the recommended method is compared with


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
    """

    method: str
    reason: str
    alternatives: tuple[str, ...] = ()
    answer_items: int = 0
    disagreement: str = ""

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
        return (
            f"Answer {self.answer_items} items: the methods disagree, and answers decide between "
            "them."
        )


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


def recommend(
    votes: Votes,
    groups: Groups,
    figures: Mapping[str, SystemFigures] | None = None,
    answers: int = 0,
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

    Returns
    -------
    Recommendation
        Vote share for fewer than three systems or 30 items, or where there are only two groups.

    Notes
    -----
    Dawid & Skene (1979) with two coins, unless the items are a pool of what the systems returned
    and groups of systems agree more than their accuracy explains (`excess_agreement`). Then every
    system is judged by the other groups; if the groups hold three quarters of the systems, the
    latent class model of the groups is taken.

    Examples
    --------
    >>> from spotlab.consensus.groups import find_groups
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random(300) < 0.5
    >>> columns = [np.where(rng.random(300) < 0.2, ~truth, truth) for _ in range(5)]
    >>> votes = Votes.of(np.column_stack(columns).astype(float), "abcde")
    >>> recommend(votes, find_groups(votes)).method
    'dawid_skene'
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
    ask = min(ANSWERS, len(votes)) if said or undecidable else 0
    return Recommendation(method, reason, _without(method), ask, said)


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
    """
    if pool.systems < FEWEST_SYSTEMS:
        return "share", "Fewer than three systems vote, so nothing can be learnt of their accuracy."
    if pool.items < FEWEST_ITEMS:
        items = "1 item is" if pool.items == 1 else f"{pool.items:,} items are"
        return "share", f"Only {items} voted on, too few to learn how often each system is right."
    if not pool.is_pooled(limits.pooled):
        return "dawid_skene", (
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
        return "dawid_skene", (
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
    every = ("dawid_skene", "majority", "share", "paper")
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


def _gap(one: SystemFigures, other: SystemFigures) -> float | None:
    """Mean difference of precision or of recall, whichever is larger; None where undefined."""
    columns = ((one.precision, other.precision), (one.recall, other.recall))
    gaps = [np.abs(first - second) for first, second in columns]
    means = [float(np.nanmean(gap)) for gap in gaps if not np.isnan(gap).all()]
    return max(means, default=None)
