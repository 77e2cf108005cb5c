"""Precision and recall without truth (Lamiroy & Sun, 2013, eqs. 10–13), from Gram matrices.

P(δ) = Σκ_k·S_k(δ) / Σκ_k over the systems whose vote on δ is known, ⊤ and ⊥. Pr(k) = ΣP·S_k / ΣS_k
and Rc(k) = ΣP·S_k / ΣP over the items on which k voted and P is defined.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.gram import Gram
from spotlab.consensus.votes import Votes
from spotlab.consensus.weights import Weights

DIGITS = 12  # of F: systems that differ by rounding errors only share a rank


class Figures(NamedTuple):
    """Precision, recall and F of one system.

    Attributes
    ----------
    precision, recall, f : float or None
        In [0, 1]; None where undefined.
    """

    precision: float | None
    recall: float | None
    f: float | None


@dataclass(frozen=True, eq=False)
class Consensus:
    """Agreement of every system with all of them together.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems.
    precision, recall, f : (S,) float
        In [0, 1]; NaN where undefined: precision of a system that votes for nothing, recall where
        no item may be relevant. F = (1 + β²)·ΣP·S / (β²·ΣP + ΣS), as in eqs. 3 and 6; 0 for a
        system that votes for nothing where something may be relevant.
    rank : (S,) int
        1 is best by F; ties share a rank; systems without F come last.
    top, bottom : Figures
        Figures of ⊤ and ⊥. The precision of ⊥ is never defined.
    expected_relevant : float or None
        Expected number of relevant items, ΣP; None if P is defined for none of the items, for
        instance because all weights are 0.
    undefined_items : int
        Number of items left out because nobody with a weight voted on them.
    weights : Weights
        With sum 1.
    """

    systems: tuple[str, ...]
    precision: Floats
    recall: Floats
    f: Floats
    rank: Ints
    top: Figures
    bottom: Figures
    expected_relevant: float | None
    undefined_items: int
    weights: Weights


def consensus_of(gram: Gram, weights: Weights, beta: float = 1.0) -> Consensus:
    """Estimate precision, recall and F of every system without truth.

    Parameters
    ----------
    gram : Gram
        Votes of S systems, oracles among them.
    weights : Weights
        Weights of the systems, ⊤ and ⊥. If a system has all the weight, it is an oracle, and
        precision and recall are the ordinary ones.
    beta : float
        β of F; above 1 recall weighs more.

    Returns
    -------
    Consensus
        Undefined if all weights are 0.

    Notes
    -----
    Lamiroy & Sun (2013), eqs. 11 and 12. The time does not depend on the number of items unless
    ``gram.rows`` is set.

    Examples
    --------
    Tables 1 to 3 of the paper:

    >>> from spotlab.consensus.gram import gram_of
    >>> from spotlab.consensus.weights import uniform_weights
    >>> rows = [[1, 1, 1], [1, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]]
    >>> consensus = consensus_of(gram_of(Votes.of(rows, ["S1", "S2", "S3"])), uniform_weights(3))
    >>> consensus.precision.round(2).tolist(), consensus.recall.round(2).tolist()
    ([0.6, 0.67, 0.67], [0.71, 0.59, 0.59])
    >>> consensus.top.recall, consensus.bottom.precision, consensus.rank.tolist()
    (1.0, None, [1, 2, 2])
    """
    weights = weights.normalised
    relevant, retrieved, possible = sums_of(gram, weights)
    precision, recall, f = figures_of(relevant, retrieved, possible, beta)
    defined = round(retrieved[-1])
    empty = Figures(None, *(_scalar(part[0]) for part in figures_of(
        np.zeros(1), np.zeros(1), possible[-1:], beta)[1:]))  # fmt: skip
    return Consensus(
        gram.systems, precision[:-1], recall[:-1], f[:-1], rank_by_f(f[:-1]),
        Figures(_scalar(precision[-1]), _scalar(recall[-1]), _scalar(f[-1])), empty,
        float(possible[-1]) if defined or not gram.items else None,
        gram.items - defined, weights,
    )  # fmt: skip


def sums_of(gram: Gram, weights: Weights) -> tuple[Floats, Floats, Floats]:
    """Sum ΣP·S_k, ΣS_k and ΣP over the items that system k knows and where P is defined.

    Parameters
    ----------
    gram : Gram
        Votes of S systems.
    weights : Weights
        Weights of the systems, ⊤ and ⊥.

    Returns
    -------
    relevant, retrieved, possible : (S + 1,) float
        Of every system, ⊤ last.

    Notes
    -----
    The terms of Lamiroy & Sun (2013), eqs. 11 and 12.

    Examples
    --------
    >>> from spotlab.consensus.gram import gram_of
    >>> from spotlab.consensus.weights import vote_share_weights
    >>> gram = gram_of(Votes.of([[1, 0], [1, 1]], ["a", "b"]))
    >>> [part.tolist() for part in sums_of(gram, vote_share_weights(2))]
    [[1.5, 1.0, 1.5], [2.0, 1.0, 2.0], [1.5, 1.5, 1.5]]
    """
    columns = weights.columns(len(gram.systems))
    every = np.append(columns, weights.top)
    total = gram.known @ every + weights.bottom
    share = np.divide(1.0, total, out=np.zeros(len(total)), where=total > 0)
    relevant = np.einsum("bij,j->bi", gram.matrices, every) * share[:, None]
    in_blocks = (
        relevant.sum(axis=0),
        (total > 0) @ gram.matrices[:, :, -1],
        relevant[:, -1] @ gram.known,
    )
    if gram.rows is None:
        return in_blocks
    others = gram.rows.sums(columns, weights.top, weights.bottom)
    first, second, third = (one + other for one, other in zip(in_blocks, others, strict=True))
    return first, second, third


def figures_of(
    relevant: Floats, retrieved: Floats, possible: Floats, beta: float = 1.0
) -> tuple[Floats, Floats, Floats]:
    """Compute precision, recall and F from their sums.

    Parameters
    ----------
    relevant, retrieved, possible : (…,) float
        ΣP·S, ΣS and ΣP, of equal shape.
    beta : float
        β of F; above 1 recall weighs more.

    Returns
    -------
    precision, recall, f : (…,) float
        In [0, 1]; NaN where undefined.

    Notes
    -----
    Lamiroy & Sun (2013), eqs. 11 and 12.

    Examples
    --------
    >>> precision, recall, f = figures_of(np.array([1.0, 0]), np.array([2.0, 0]), np.ones(2))
    >>> precision.tolist(), recall.tolist(), f.round(2).tolist()
    ([0.5, nan], [1.0, 0.0], [0.67, 0.0])
    """
    square = beta * beta
    return (
        _ratio(relevant, retrieved),
        _ratio(relevant, possible),
        _ratio((1 + square) * relevant, square * possible + retrieved),
    )


def rank_by_f(f: Floats) -> Ints:
    """Rank systems by F.

    Parameters
    ----------
    f : (S,) float
        NaN where undefined.

    Returns
    -------
    (S,) int
        1 is the highest; equal values share a rank, NaN comes last.

    Examples
    --------
    >>> rank_by_f(np.array([0.5, np.nan, 0.7, 0.5])).tolist()
    [2, 4, 1, 2]
    """
    value = np.where(np.isnan(f), -np.inf, np.round(f, DIGITS))
    better = value[None, :] > value[:, None]
    return np.asarray(1 + better.sum(axis=1), np.int64)


def item_probability(votes: Votes, weights: Weights, items: ArrayLike | None = None) -> Floats:
    """Probability P(δ) that items are relevant.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    weights : Weights
        Weights of the systems, ⊤ and ⊥.
    items : (K,) int, optional
        Indices of the items; by default all N.

    Returns
    -------
    (K,) float
        In [0, 1]; NaN where nobody with a weight voted.

    Notes
    -----
    Lamiroy & Sun (2013), eq. 13.

    Examples
    --------
    >>> from spotlab.consensus.weights import uniform_weights
    >>> votes = Votes.of([[1, 1, 1], [0, 1, 0], [0, np.nan, np.nan]], ["S1", "S2", "S3"])
    >>> item_probability(votes, uniform_weights(3)).round(3).tolist()
    [0.8, 0.4, 0.333]
    """
    columns = weights.columns(len(votes.systems))
    if items is not None:
        return _probability(votes.rows(items), columns, weights)
    parts = [_probability(part, columns, weights) for _, part in votes.spans()]
    return np.concatenate([np.zeros(0), *parts])


def figures_with_truth(
    votes: Votes, truth: ArrayLike, beta: float = 1.0, unfound: ArrayLike = 0.0
) -> tuple[Floats, Floats, Floats]:
    """Compute ordinary precision, recall and F of every system.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    truth : (N,) float
        1 for a relevant item, 0 for another; items with NaN are left out. Probabilities are
        allowed.
    beta : float
        β of F; above 1 recall weighs more.
    unfound : float or (S,) float
        Number of further relevant items, on which each system votes no.

    Returns
    -------
    precision, recall, f : (S,) float
        In [0, 1], over the items on which a system voted; NaN where undefined, as in `Consensus`.

    Raises
    ------
    ValueError
        If ``truth`` is not as long as there are items.

    Examples
    --------
    >>> figures_with_truth(Votes.of([[1], [1], [0]], ["a"]), [1, 0, 1])[0].tolist()
    [0.5]
    >>> figures_with_truth(Votes.of([[1], [1], [0]], ["a"]), [1, 0, 1], unfound=2)[1].tolist()
    [0.25]
    """
    value = np.asarray(truth, np.float64)
    if value.shape != (len(votes),):
        raise ValueError(f"truth of {value.shape} for {len(votes)} items")
    sums = np.zeros((3, len(votes.systems)))
    for start, part in votes.spans():
        right = value[start : start + len(part)]
        there = ~np.isnan(right)
        right, vote = right[there], part[there]
        known = ~np.isnan(vote)
        vote[~known] = 0.0
        sums += np.stack([right @ vote, vote.sum(axis=0), right @ known])
    return figures_of(sums[0], sums[1], sums[2] + unfound, beta)


def _probability(votes: Floats, columns: Floats, weights: Weights) -> Floats:
    known = ~np.isnan(votes)
    total = known @ columns + (weights.top + weights.bottom)
    return _ratio(np.where(known, votes, 0.0) @ columns + weights.top, total)


def _ratio(part: NDArray[np.float64], whole: NDArray[np.float64]) -> Floats:
    """part / whole; NaN where the whole is 0."""
    ratio = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=ratio, where=whole > 0)
    return ratio


def _scalar(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
