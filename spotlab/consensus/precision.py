"""Precision and recall without truth (Lamiroy & Sun, 2013, eqs. 10–13), from Gram matrices.

P(δ) = Σκ_k·S_k(δ) / Σκ_k over the systems whose vote on δ is known, ⊤ and ⊥; Pr(k) = ΣP·S_k / ΣS_k,
Rc(k) = ΣP·S_k / ΣP, over the items on which k voted and P is defined.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.consensus.gram import Gram
from spotlab.consensus.votes import Floats, Ints, Votes

DIGITS = 12  # of F: systems that differ by rounding errors only share a rank


@dataclass(frozen=True, eq=False)
class Weights:
    """What each vote counts (κ, eq. 13); only their proportions matter.

    Attributes
    ----------
    systems : (S,) float
        0 or more, as are all others.
    top, bottom : float
        Of ⊤, which votes for everything, and ⊥, which votes for nothing.
    oracle : float
        Of an oracle, if the votes have one more column than there are weights of systems: the last.
    """

    systems: Floats
    top: float = 0.0
    bottom: float = 0.0
    oracle: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "systems", np.asarray(self.systems, np.float64))
        every = np.append(self.systems, [self.top, self.bottom, self.oracle])
        if not (np.isfinite(every) & (every >= 0)).all():
            raise ValueError("a weight is negative or not a number")

    @property
    def total(self) -> float:
        """Sum of all weights."""
        return float(self.systems.sum() + self.top + self.bottom + self.oracle)

    @property
    def normalised(self) -> Weights:
        """The same with sum 1; all 0 stays 0, for there is nothing to share.

        Examples
        --------
        >>> Weights(np.array([2.0, 1.0]), top=1.0).normalised.systems.tolist()
        [0.5, 0.25]
        """
        total = self.total or 1.0
        return Weights(
            self.systems / total, self.top / total, self.bottom / total, self.oracle / total
        )

    def columns(self, systems: int) -> Floats:
        """(S,) weights of so many columns of votes, an oracle's last if they are one more."""
        found = self.systems
        if len(found) == systems - 1:
            return np.append(found, self.oracle)
        if len(found) != systems or self.oracle:
            raise ValueError(f"{len(found)} weights, of an oracle besides: {self.oracle:g}, "
                             f"for the votes of {systems} systems")  # fmt: skip
        return found


def uniform(systems: int) -> Weights:
    """1 / (s + 2) each, for s systems, ⊤ and ⊥ (eq. 10).

    Examples
    --------
    >>> uniform(3).systems.tolist(), uniform(3).bottom
    ([0.2, 0.2, 0.2], 0.2)
    """
    share = 1 / (systems + 2)
    return Weights(np.full(systems, share), share, share)


def vote_share(systems: int) -> Weights:
    """1 / s each, without ⊤ and ⊥: P(δ) is the share of the systems that vote for δ.

    Examples
    --------
    >>> vote_share(4).systems.tolist(), vote_share(4).top
    ([0.25, 0.25, 0.25, 0.25], 0.0)
    """
    return Weights(np.full(systems, 1 / systems if systems else 0.0))


class Figures(NamedTuple):
    """Precision, recall and F of one system; None where undefined."""

    precision: float | None
    recall: float | None
    f: float | None


@dataclass(frozen=True, eq=False)
class Consensus:
    """How well every system agrees with all of them together.

    Attributes
    ----------
    systems : tuple of str
    precision, recall, f : (S,) float
        NaN where undefined: precision of a system without a vote for anything, recall where no item
        may be relevant. F = (1 + β²)·ΣP·S / (β²·ΣP + ΣS), that of eq. 3 and 6; a system without a
        vote for anything has 0 where something may be relevant.
    rank : (S,) int
        1 is best by F; ties share a rank; systems without F come after all others.
    top, bottom : Figures
        Of ⊤ and ⊥. The precision of ⊥ is never defined.
    expected_relevant : float or None
        ΣP, how many items are expected to be relevant; None if there are items and P is defined for
        none of them, as where all weights are 0.
    undefined_items : int
        Items that are left out, because nobody who has a weight voted on them.
    weights : Weights
        Normalised.
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
    """Precision, recall and F of every system without truth.

    Parameters
    ----------
    gram : Gram
        Of S systems, oracles among them.
    weights : Weights
        A system with all the weight is an oracle: precision and recall are then the ordinary ones.
        If all weights are 0, everything is undefined.
    beta : float
        Of F.

    Returns
    -------
    Consensus
        In a time that does not depend on the number of items, as long as Gram has no rows.

    Examples
    --------
    Table 1–3 of the paper:

    >>> from spotlab.consensus.gram import gram_of
    >>> found = [[1, 1, 1], [1, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]]
    >>> consensus = consensus_of(gram_of(Votes.of(found, ["S1", "S2", "S3"])), uniform(3))
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
        gram.systems, precision[:-1], recall[:-1], f[:-1], ranks(f[:-1]),
        Figures(_scalar(precision[-1]), _scalar(recall[-1]), _scalar(f[-1])), empty,
        float(possible[-1]) if defined or not gram.items else None,
        gram.items - defined, weights,
    )  # fmt: skip


def sums_of(gram: Gram, weights: Weights) -> tuple[Floats, Floats, Floats]:
    """(S + 1,) ΣP·S_k, ΣS_k and ΣP over the items that k knows and where P is defined; ⊤ last."""
    columns = weights.columns(len(gram.systems))
    every = np.append(columns, weights.top)
    total = gram.known @ every + weights.bottom
    share = np.divide(1.0, total, out=np.zeros(len(total)), where=total > 0)
    relevant = np.einsum("bij,j->bi", gram.matrices, every) * share[:, None]
    found = (
        relevant.sum(axis=0),
        (total > 0) @ gram.matrices[:, :, -1],
        relevant[:, -1] @ gram.known,
    )
    if gram.rows is None:
        return found
    others = gram.rows.sums(columns, weights.top, weights.bottom)
    first, second, third = (one + other for one, other in zip(found, others, strict=True))
    return first, second, third


def figures_of(
    relevant: Floats, retrieved: Floats, possible: Floats, beta: float = 1.0
) -> tuple[Floats, Floats, Floats]:
    """Precision, recall and F from ΣP·S, ΣS and ΣP of any shape; NaN where undefined.

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


def ranks(f: Floats) -> Ints:
    """(S,) rank of every F, 1 the highest; equals share one, NaN comes last.

    Examples
    --------
    >>> ranks(np.array([0.5, np.nan, 0.7, 0.5])).tolist()
    [2, 4, 1, 2]
    """
    value = np.where(np.isnan(f), -np.inf, np.round(f, DIGITS))
    better = value[None, :] > value[:, None]
    return np.asarray(1 + better.sum(axis=1), np.int64)


def item_probability(votes: Votes, weights: Weights, items: ArrayLike | None = None) -> Floats:
    """P(δ) of items (eq. 13).

    Parameters
    ----------
    votes : Votes
    weights : Weights
    items : (K,) int, optional
        Which; all of them if left out.

    Returns
    -------
    (K,) float
        NaN where nobody who has a weight voted.

    Examples
    --------
    >>> votes = Votes.of([[1, 1, 1], [0, 1, 0], [0, np.nan, np.nan]], ["S1", "S2", "S3"])
    >>> item_probability(votes, uniform(3)).round(3).tolist()
    [0.8, 0.4, 0.333]
    """
    columns = weights.columns(len(votes.systems))
    if items is not None:
        return _probability(votes.rows(items), columns, weights)
    parts = [_probability(part, columns, weights) for _, part in votes.spans()]
    return np.concatenate([np.zeros(0), *parts])


def against_truth(
    votes: Votes, truth: ArrayLike, beta: float = 1.0
) -> tuple[Floats, Floats, Floats]:
    """Ordinary precision, recall and F of every system.

    Parameters
    ----------
    votes : Votes
    truth : (N,) float
        1 where an item is relevant, 0 where not, NaN where that is unknown: it is left out.

    Returns
    -------
    precision, recall, f : (S,) float
        Over the items on which a system voted. NaN where undefined, as in `Consensus`.

    Examples
    --------
    >>> against_truth(Votes.of([[1], [1], [0]], ["a"]), [1, 0, 1])[0].tolist()
    [0.5]
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
    return figures_of(sums[0], sums[1], sums[2], beta)


def _probability(votes: Floats, columns: Floats, weights: Weights) -> Floats:
    known = ~np.isnan(votes)
    total = known @ columns + (weights.top + weights.bottom)
    return _ratio(np.where(known, votes, 0.0) @ columns + weights.top, total)


def _ratio(part: NDArray[np.float64], whole: NDArray[np.float64]) -> Floats:
    """part / whole; NaN, which is undefined, where the whole is nothing."""
    found = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=found, where=whole > 0)
    return found


def _scalar(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
