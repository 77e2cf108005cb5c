"""Probabilities of truth of the items that a system returns.

A good system returns items that are relevant more often than the judgements alone say, and more so
at the first ranks. How much more follows from the judgements of all that it returns.
"""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats
from spotlab.libraries import special

TELLING = 4.0  # log odds that the judgements of an item add, at most
RIDGE = np.array([0.05, 0.3])  # of the level, and of its change with the logarithm of the rank
ROUNDS = 40
FURTHEST_STEP = 2.0
STILL = 1e-6
SURE = 1e-9  # a prior this close to 0 or 1 is certain
PLAIN = 0.1  # weight of the share of the subjects, so that no item is certain


def adapt_to_rank(probability: Floats, prior: float) -> Floats:
    """Learn how often the items of an answer are relevant, rank by rank, and adapt to it.

    Parameters
    ----------
    probability : (n,) float
        Probability of relevance of each item from its judgements alone, best rank first, in [0, 1].
    prior : float
        Probability of relevance of any item of the collection, in (0, 1).

    Returns
    -------
    (n,) float
        In (0, 1).

    Notes
    -----
    Saerens, Latinne & Decaestecker (2002): expectation maximisation of the prior, here
    logit = a + b·log(rank), with a ridge towards the collection's prior. What the judgements of an
    item add to its log odds is kept within ±4, because subjects do not err independently.

    Examples
    --------
    Two of three subjects, each right in two of three cases, say yes of each item:

    >>> bool(adapt_to_rank(np.full(20, 0.67), 0.5).min() > 0.9)
    True
    """
    telling = special.logit(np.clip(probability, 1e-6, 1 - 1e-6)) - special.logit(prior)
    telling = np.clip(telling, -TELLING, TELLING)
    rank = np.log(np.arange(1, len(telling) + 1))
    columns = np.column_stack([np.ones(len(telling)), rank - rank.mean()])
    start = np.array([special.logit(prior), 0.0])
    level = start
    for _ in range(ROUNDS):
        relevant = special.expit(telling + columns @ level)
        chance = special.expit(columns @ level)
        curve = (columns.T * (chance * (1 - chance))) @ columns + np.diag(RIDGE)
        slope = columns.T @ (relevant - chance) - RIDGE * (level - start)
        step = np.clip(np.linalg.solve(curve, slope), -FURTHEST_STEP, FURTHEST_STEP)
        level = level + step
        if np.abs(step).max() < STILL:
            break
    return np.asarray(special.expit(telling + columns @ level))


def returned_probability(
    probability: Floats, prior: Floats, share: Floats, known: Floats
) -> Floats:
    """Probability of truth of every item of an answer, in several categories.

    Parameters
    ----------
    probability : (C, n) float
        Probability of each category from the judgements of each item alone, best rank first, in
        [0, 1]; NaN for an item that nobody judged.
    prior : (C,) float
        Probability of each category for any item of the collection, in [0, 1].
    share : (C, n) float
        Share of the subjects that assigned the item to the category, in [0, 1].
    known : (n,) float
        Number of subjects that judged each item.

    Returns
    -------
    (C, n) float
        In [0, 1]; NaN where nobody judged. Where the prior is 0 or 1 so is the probability.

    Examples
    --------
    >>> one = np.array([[1.0, 1.0, np.nan]])
    >>> returned_probability(one, np.ones(1), one, np.array([3, 3, 0])).tolist()
    [[1.0, 1.0, nan]]
    """
    result = probability.copy()
    judged = np.flatnonzero(known > 0)
    if not len(judged):
        return result
    for at, before in enumerate(prior):
        if SURE < before < 1 - SURE:
            learned = adapt_to_rank(probability[at, judged], float(before))
            count = known[judged]
            plain = (share[at, judged] * count + 0.5) / (count + 1)
            result[at, judged] = (1 - PLAIN) * learned + PLAIN * plain
    return result
