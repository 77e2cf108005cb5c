"""Agreement between systems, pair by pair, and an order that shows it best."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.accuracy import THIN, find_patterns, multiply_transposed
from spotlab.consensus.votes import PackedVotes, Votes, count_shared_bits
from spotlab.libraries import hierarchy, sparse, spatial
from spotlab.representation import short_repr

FEWEST = 5  # items that two systems have to share before their agreement means anything


@dataclass(frozen=True, eq=False)
class Agreement:
    """Agreement between all pairs of S systems, over the items on which both votes are known.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems.
    phi : (S, S) float
        Correlation of the votes in [-1, 1], for yes and no votes the φ coefficient. NaN where two
        systems share fewer than 5 items or one of them votes alike on all of these; 1 on the
        diagonal.
    jaccard : (S, S) float
        Number of items that both vote for over the number that either votes for, in [0, 1]; for
        soft votes Σxy / Σ(x² + y² − xy). NaN where neither votes for any shared item.
    both : (S, S) float
        Number of items on which both votes are known.
    """

    systems: tuple[str, ...]
    phi: Floats
    jaccard: Floats
    both: Floats

    __repr__ = short_repr

    @cached_property
    def tree(self) -> Floats:
        """Dendrogram of 1 − φ, (S − 1, 4) as in scipy: average linkage, undefined φ as 0."""
        systems = len(self.systems)
        if systems < 2:
            return np.empty((0, 4))
        distance = 1 - np.nan_to_num((self.phi + self.phi.T) / 2)
        np.fill_diagonal(distance, 0.0)
        flat = spatial.distance.squareform(np.maximum(distance, 0.0), checks=False)
        return np.asarray(hierarchy.linkage(flat, "average"))

    @cached_property
    def order(self) -> Ints:
        """Indices of the systems, (S,), with systems that agree side by side."""
        systems = len(self.systems)
        if systems < 3:
            return np.arange(systems)
        distance = 1 - np.nan_to_num((self.phi + self.phi.T) / 2)
        np.fill_diagonal(distance, 0.0)
        flat = spatial.distance.squareform(np.maximum(distance, 0.0), checks=False)
        return np.asarray(
            hierarchy.leaves_list(hierarchy.optimal_leaf_ordering(self.tree, flat)), np.int64
        )


def measure_agreement(votes: Votes) -> Agreement:
    """Measure the agreement between all pairs of systems.

    Parameters
    ----------
    votes : Votes
        N items, S systems.

    Returns
    -------
    Agreement
        NaN for each pair that shares too few items.

    Examples
    --------
    >>> rows = [[1, 1, 0], [1, 1, 0], [0, 0, 1], [0, 0, 1], [0, 1, 1]]
    >>> pairs = measure_agreement(Votes.of(rows, ["a", "b", "c"]))
    >>> pairs.phi.round(2).tolist()
    [[1.0, 0.67, -1.0], [0.67, 1.0, -0.67], [-1.0, -0.67, 1.0]]
    >>> pairs.jaccard.round(2).tolist()
    [[1.0, 0.67, 0.0], [0.67, 1.0, 0.2], [0.0, 0.2, 1.0]]
    """
    systems = len(votes.systems)
    both, squares, sums, product = _moments(votes)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums / both  # of the row's system, over the items shared with the column's
        variance = squares / both - mean**2
        covariance = product / both - mean * mean.T
        phi = covariance / np.sqrt(variance * variance.T)
        either = squares + squares.T - product
        jaccard = np.where(either > 0, product / either, np.nan)
    defined = (both >= FEWEST) & (variance > 1e-12) & (variance.T > 1e-12)
    phi = np.where(defined, np.clip(phi, -1.0, 1.0), np.nan)
    phi[np.arange(systems), np.arange(systems)] = 1.0
    return Agreement(votes.systems, phi, jaccard, both)


def _moments(votes: Votes) -> tuple[Floats, Floats, Floats, Floats]:
    """Number of shared items, Σx² and Σx of the row's system and Σxy over them, (S, S) each."""
    systems = len(votes.systems)
    if votes.complete:
        product = votes.storage.matrix()
        row = np.ones((1, systems))
        sums, squares = votes.counts_for[:, None] * row, np.diag(product)[:, None] * row
        return np.full((systems, systems), float(len(votes))), squares, sums, product
    if isinstance(votes.storage, PackedVotes) and votes.storage.known is not None:
        yes, there = votes.storage.yes, votes.storage.known
        sums = count_shared_bits(yes, there)  # and squares, as 1² = 1
        return count_shared_bits(there, there), sums, sums, count_shared_bits(yes, yes)
    if votes.counts_known.sum() < THIN * systems * len(votes):
        return _listed_moments(votes)
    both, squares, sums, product = np.zeros((4, systems, systems))
    for _, part in votes.spans():
        voted = ~np.isnan(part)
        known, vote = voted.astype(np.float64), np.where(voted, part, 0.0)
        both += multiply_transposed(known, known)
        squares += multiply_transposed(vote * vote, known)
        sums += multiply_transposed(vote, known)
        product += multiply_transposed(vote, vote)
    return both, squares, sums, product


def _listed_moments(votes: Votes) -> tuple[Floats, Floats, Floats, Floats]:
    """The same where few votes are known."""
    table = find_patterns(votes)
    yes, known = sparse.csr_array(table.yes), sparse.csr_array(table.known)
    weight = table.count[:, None]
    counted = known * weight
    parts = (known.T @ counted, (yes * yes).T @ counted, yes.T @ counted, yes.T @ (yes * weight))
    both, squares, sums, product = (np.asarray(sparse.csr_array(p).toarray()) for p in parts)
    return both, squares, sums, product


ROUNDS = 200
STILL = 1e-9
FEWEST_GROUPS = 3  # with two, only the product of their λ would be known


def excess_agreement(agreement: Agreement, label: Ints) -> tuple[Floats, Floats]:
    """Mean agreement within every group, observed and expected from accuracy alone.

    Parameters
    ----------
    agreement : Agreement
        Agreement of S systems.
    label : (S,) int
        Group of every system, from 0 to G − 1.

    Returns
    -------
    observed : (G,) float
        Mean φ over the pairs of a group, in [-1, 1]; NaN for a group of one, or where no φ is
        known.
    expected : (G,) float
        Mean λ_i λ_j over the same pairs; NaN also if there are fewer than three groups, which leave
        λ undetermined.

    Notes
    -----
    Spearman (1904), fitted as in Harman & Jones (1966).

    Examples
    --------
    >>> phi = np.full((6, 6), 0.36)
    >>> phi[:2, :2] = phi[2:4, 2:4] = phi[4:, 4:] = 0.5
    >>> phi[:2, :2] = 0.9
    >>> agreement = Agreement(tuple("abcdef"), phi, phi, np.full((6, 6), 100.0))
    >>> observed, expected = excess_agreement(agreement, np.array([0, 0, 1, 1, 2, 2]))
    >>> observed.round(2).tolist(), expected.round(2).tolist()
    ([0.9, 0.5, 0.5], [0.36, 0.36, 0.36])
    """
    label = np.asarray(label, np.int64)
    groups = int(label.max()) + 1 if len(label) else 0
    same = label[:, None] == label
    known = ~np.isnan(agreement.phi)
    strength = _strength(agreement.phi, known & ~same) if groups >= FEWEST_GROUPS else None
    pairs = known & same & ~np.eye(len(label), dtype=bool)
    observed, expected = np.full((2, groups), np.nan)
    for group in range(groups):
        within = pairs & (label == group)
        if within.any():
            observed[group] = agreement.phi[within].mean()
            if strength is not None:
                expected[group] = np.outer(strength, strength)[within].mean()
    return observed, expected


def _strength(phi: Floats, counted: NDArray[np.bool_]) -> Floats:
    """λ from the pairs that count, (S,); 0 where nothing is known of a system."""
    values, weight = np.where(counted, phi, 0.0), counted.astype(np.float64)
    strength = np.full(len(phi), 0.5)
    for _ in range(ROUNDS):
        divisor = weight @ strength**2
        wanted = np.divide(
            values @ strength, divisor, out=np.zeros(len(phi)), where=divisor > 1e-12
        )
        after = (strength + np.clip(wanted, -1.0, 1.0)) / 2  # damped, or two groups would swing
        if np.abs(after - strength).max(initial=0.0) < STILL:
            break
        strength = after
    return strength
