"""Draw the items to ask about by chance, more often where the answer matters more.

Every item keeps its probability of being drawn, so that the answers can be weighted back to all
items. Asking about the most disputed items only would not allow that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Floats, Ints
from spotlab.consensus.patterns import find_patterns
from spotlab.consensus.products import multiply
from spotlab.consensus.votes import Votes

UNIFORM = 0.2  # share of the draw in which every item has the same chance


@dataclass(frozen=True, eq=False)
class Draw:
    """Items to ask about, in random order.

    Attributes
    ----------
    items : (K,) int
        Indices of the items.
    inclusion : (K,) float
        Probability of each item to be drawn, in (0, 1]; over all items these sum to K.
    """

    items: Ints
    inclusion: Floats

    def first(self, count: int) -> Draw:
        """Keep the first items, for a draw that was answered in part.

        Parameters
        ----------
        count : int
            Number of items to keep; all of them if there are fewer.

        Returns
        -------
        Draw
            The probabilities are reduced by the share of items kept.

        Examples
        --------
        >>> Draw(np.array([4, 2]), np.array([0.5, 1.0])).first(1).inclusion.tolist()
        [0.25]
        """
        count = min(count, len(self.items))
        share = count / max(len(self.items), 1)
        return Draw(self.items[:count], self.inclusion[:count] * share)


def next_items(
    votes: Votes, probability: ArrayLike, asked: ArrayLike, count: int, seed: int = 0
) -> Draw:
    """Draw items to ask about.

    Parameters
    ----------
    votes : Votes
        N items.
    probability : (N,) float
        Probability that an item is relevant, in [0, 1]; NaN counts as ½.
    asked : (K,) int
        Indices of items that are not drawn, because their answer is known.
    count : int
        Number of items to draw; all that are left if there are fewer.
    seed : int
        Seed of the draw.

    Returns
    -------
    Draw
        Empty if no item is left.

    Notes
    -----
    Systematic sampling along the probabilities. The chances are proportional to 80 % uncertainty ×
    influence and 20 % uniform. Uncertainty is √(p(1 − p)). Influence is √Σ(vote − mean vote of the
    system)² over the known votes: how far the item separates systems.

    Examples
    --------
    >>> votes = Votes.of([[1, 1], [1, 0], [0, 1], [0, 0]], ["a", "b"])
    >>> draw = next_items(votes, [1, 0.5, 0.5, 0], [1], 1, seed=2)
    >>> draw.items.tolist(), draw.inclusion.round(2).tolist()
    ([2], [0.82])
    """
    p = np.nan_to_num(np.asarray(probability, np.float64), nan=0.5)
    open_ = np.ones(len(votes), bool)
    open_[np.asarray(asked, np.int64)] = False
    left = np.flatnonzero(open_)
    size = inclusion_probabilities(_importance(votes, p)[left], count)
    rng = np.random.default_rng(seed)
    order = np.lexsort((rng.random(len(left)), p[left]))
    ends = np.cumsum(size[order])
    wanted = min(count, len(left))
    marks = rng.random() + np.arange(wanted)
    place = np.searchsorted(ends, np.minimum(marks, ends[-1] - 1e-9) if wanted else marks, "right")
    chosen = rng.permutation(order[place])
    return Draw(left[chosen], size[chosen])


def inclusion_probabilities(importance: ArrayLike, count: int) -> Floats:
    """Probability of every item to be drawn, proportional to its importance.

    Parameters
    ----------
    importance : (N,) float
        Not negative; if all are 0, the chances are equal.
    count : int
        Number of items to draw.

    Returns
    -------
    (N,) float
        At most 1 each, ``count`` in sum; all 1 if there are no more items than that.

    Examples
    --------
    >>> inclusion_probabilities([6, 1, 1], 2).tolist()
    [1.0, 0.5, 0.5]
    """
    size = np.asarray(importance, np.float64)
    if count >= len(size):
        return np.ones(len(size))
    chances = np.zeros(len(size))
    certain = np.zeros(len(size), bool)
    while True:
        rest = size[~certain]
        share = rest / rest.sum() if rest.sum() > 0 else np.full(len(rest), 1 / max(len(rest), 1))
        chances[~certain] = share * (count - certain.sum())
        chances[certain] = 1.0
        over = (chances > 1) & ~certain
        if not over.any():
            return chances
        certain |= over


def _importance(votes: Votes, p: Floats) -> Floats:
    """80 % uncertainty × influence and 20 % uniform, each summing to 1, (N,)."""
    table = find_patterns(votes)
    with np.errstate(invalid="ignore"):
        mean = np.nan_to_num(votes.counts_for / votes.counts_known)
    square = table.yes * table.yes  # (vote − mean)² of the known votes, multiplied out
    influence = multiply(square, np.ones(len(mean))) - 2 * multiply(table.yes, mean)
    influence = influence + table.weighted(mean**2, mean**2)
    importance = np.sqrt(p * (1 - p) * np.maximum(influence, 0.0)[table.of_item])
    items = max(len(p), 1)
    if not importance.sum() > 0:
        return np.full(len(p), 1 / items)
    return np.asarray((1 - UNIFORM) * importance / importance.sum() + UNIFORM / items)
