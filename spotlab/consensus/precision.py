"""Precision and recall without truth (Lamiroy & Sun, 2013, eqs. 10–13), with intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.votes import STEP, ListedVotes, VoteRows, Votes, number_by_voters, spans
from spotlab.extras import sparse, special
from spotlab.progress import Progress, silent

FEW = 1 << 18  # numbers in matrices that are summed in no time, even if the votes are fewer


@dataclass(frozen=True, eq=False)
class GramBlock:
    """Gram matrix of the items on which the same systems voted.

    Attributes
    ----------
    known : (S,) bool
        Whether each system voted on them.
    matrix : (S + 1, S + 1) float
        ΣS_j·S_k over these items, ⊤ last; 0 for systems that did not vote.
    items : int
        Number of items, which is also the last entry of the matrix.
    """

    known: NDArray[np.bool_]
    matrix: Floats
    items: int


@dataclass(frozen=True, eq=False)
class Gram:
    """Sums over the votes of S systems.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems.
    blocks : tuple of GramBlock
        One for each different set of systems that voted.
    rows : VoteRows or None
        Items with so many different voters that matrices would take more memory than the votes.

    Examples
    --------
    >>> gram = gram_of(Votes.of([[1, 0], [1, 1]], ["a", "b"]))
    >>> gram.blocks[0].matrix.tolist()
    [[2.0, 1.0, 2.0], [1.0, 1.0, 1.0], [2.0, 1.0, 2.0]]
    >>> (gram + gram).items
    4
    """

    systems: tuple[str, ...]
    blocks: tuple[GramBlock, ...]
    rows: VoteRows | None = None

    @property
    def items(self) -> int:
        """Number of items."""
        return sum(block.items for block in self.blocks) + (self.rows.items if self.rows else 0)

    @cached_property
    def matrices(self) -> Floats:
        """Matrices of all blocks, (B, S + 1, S + 1)."""
        size = len(self.systems) + 1
        matrices = [block.matrix for block in self.blocks]
        return np.stack(matrices) if matrices else np.zeros((0, size, size))

    @cached_property
    def known(self) -> Floats:
        """1 where a system voted on the items of a block, (B, S + 1); ⊤ always did."""
        rows = [np.append(block.known, True) for block in self.blocks]
        return np.array(rows, np.float64).reshape(len(rows), len(self.systems) + 1)

    def only(self, systems: ArrayLike) -> Gram:
        """Keep some systems: a sub-matrix.

        Parameters
        ----------
        systems : (K,) int or (S,) bool
            Indices of the systems in their new order, or a mask.

        Returns
        -------
        Gram
            Of these systems.

        Examples
        --------
        >>> gram_of(Votes.of([[1, 0], [1, 1]], ["a", "b"])).only([1]).blocks[0].matrix.tolist()
        [[1.0, 1.0], [1.0, 2.0]]
        """
        index = np.asarray(systems)
        index = np.flatnonzero(index) if index.dtype == bool else index.astype(np.int64)
        names = tuple(self.systems[place] for place in index.tolist())
        place = np.append(index, len(self.systems))
        blocks = (
            GramBlock(block.known[index], block.matrix[np.ix_(place, place)], block.items)
            for block in self.blocks
        )
        return Gram(names, _merged(blocks), self.rows and self.rows.only(index))

    def __add__(self, other: Gram) -> Gram:
        if self.systems != other.systems:
            raise ValueError("Gram matrices of different systems do not add up")
        rows = self.rows + other.rows if self.rows and other.rows else self.rows or other.rows
        return Gram(self.systems, _merged([*self.blocks, *other.blocks]), rows)


def gram_of(votes: Votes, progress: Progress = silent) -> Gram:
    """Sum the votes into a Gram matrix.

    Items on which the same systems voted share a block. Where the blocks would hold more numbers
    than the votes themselves, the items are kept as they are; the figures are the same.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    progress : callable
        Called with the number of items done.

    Returns
    -------
    Gram
        Without blocks if there are no items.

    Notes
    -----
    Sums of Lamiroy & Sun (2013), eqs. 11 to 13.

    Examples
    --------
    >>> unknown = Votes.of([[1, np.nan], [1, 1], [0, np.nan]], ["a", "b"])
    >>> sorted((block.known.tolist(), block.items) for block in gram_of(unknown).blocks)
    [([True, False], 2), ([True, True], 1)]
    """
    size = len(votes.systems)
    if not len(votes):
        return Gram(votes.systems, ())
    if votes.complete:
        block = GramBlock(np.ones(size, bool), _bordered(votes), len(votes))
        return Gram(votes.systems, (block,))
    blocks: list[GramBlock] = []
    rows = []
    for start, part in _known_votes(votes):
        progress(start, len(votes), "Counting votes")
        first, pattern = number_by_voters(part)
        if _few(len(first), size, part.nnz):
            blocks = list(_merged([*blocks, *_blocks(part, first, pattern)]))
        else:
            rows.append(part)
    progress(len(votes), len(votes), "Counting votes")
    left = VoteRows(sparse.vstack(rows, format="csr")) if rows else None
    return Gram(votes.systems, tuple(blocks), left)


def _few(patterns: int, systems: int, votes: int) -> bool:
    """Tell whether a matrix for every set of voters takes less memory than the votes."""
    return patterns * (systems + 1) ** 2 <= max(FEW, votes)


def _bordered(votes: Votes) -> Floats:
    """Gram matrix of complete votes, with ⊤, (S + 1, S + 1)."""
    size = len(votes.systems)
    matrix = np.empty((size + 1, size + 1))
    matrix[:size, :size] = votes.storage.matrix()
    matrix[size, :size] = matrix[:size, size] = votes.counts_for
    matrix[size, size] = len(votes)
    return matrix


def _known_votes(votes: Votes) -> Iterator[tuple[int, Any]]:
    """Parts of the known votes as sparse arrays, with the index of their first items."""
    if isinstance(votes.storage, ListedVotes):
        listed = votes.storage.votes
        typical = max(1, int(listed.nnz / len(votes)))
        for start, stop in spans(len(votes), max(1, STEP // typical)):
            yield start, listed[start:stop].astype(np.float64)
        return
    for start, part in votes.spans():
        item, system = np.nonzero(~np.isnan(part))
        starts = np.concatenate([[0], np.cumsum(np.bincount(item, minlength=len(part)))])
        yield start, sparse.csr_array((part[item, system], system, starts), part.shape)


def _blocks(votes: Any, first: Ints, pattern: Ints) -> Iterator[GramBlock]:
    """Blocks of sparse votes whose items are numbered by who voted on them."""
    size = votes.shape[1]
    order = np.argsort(pattern, kind="stable")
    bounds = np.searchsorted(pattern[order], np.arange(len(first) + 1))
    for number in range(len(first)):
        items = order[bounds[number] : bounds[number + 1]]
        start, stop = votes.indptr[first[number] : first[number] + 2]
        place = np.append(votes.indices[start:stop], size)
        table = np.ones((len(items), len(place)))
        table[:, :-1] = votes.data[votes.indptr[items][:, None] + np.arange(stop - start)]
        matrix = np.zeros((size + 1, size + 1))
        matrix[np.ix_(place, place)] = table.T @ table
        known = np.zeros(size + 1, bool)
        known[place] = True
        yield GramBlock(known[:-1], matrix, len(items))


def _merged(blocks: Any) -> tuple[GramBlock, ...]:
    """Add up the blocks of the same voters."""
    by_voters: dict[bytes, GramBlock] = {}
    for block in blocks:
        key = block.known.tobytes()
        if key in by_voters:
            seen = by_voters[key]
            both = seen.matrix + block.matrix
            by_voters[key] = GramBlock(seen.known, both, seen.items + block.items)
        else:
            by_voters[key] = block
    return tuple(by_voters.values())


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights κ of the votes, of which only the proportions matter.

    Attributes
    ----------
    systems : (S,) float
        Weights of the systems; no weight is negative.
    top, bottom : float
        Weights of ⊤, which votes for everything, and of ⊥, which votes for nothing.
    oracle : float
        Weight of an oracle, which is the last column of the votes if they have one column more than
        there are weights of systems.

    Raises
    ------
    ValueError
        If a weight is negative or not finite.

    Notes
    -----
    Lamiroy & Sun (2013), eq. 10 for equal weights and eq. 13 for any.
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
        """The same weights with sum 1; if all are 0 they stay 0.

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
        """Weights of the columns of votes, an oracle's last if there is one.

        Parameters
        ----------
        systems : int
            Number of columns.

        Returns
        -------
        (systems,) float
            Weights of the columns.

        Raises
        ------
        ValueError
            If the number of weights does not fit.
        """
        weights = self.systems
        if len(weights) == systems - 1:
            return np.append(weights, self.oracle)
        if len(weights) != systems or self.oracle:
            raise ValueError(f"{len(weights)} weights, of an oracle besides: {self.oracle:g}, "
                             f"for the votes of {systems} systems")  # fmt: skip
        return weights


def uniform_weights(systems: int) -> Weights:
    """Equal weights of s systems, ⊤ and ⊥: 1 / (s + 2) each.

    Parameters
    ----------
    systems : int
        Number of systems, s.

    Returns
    -------
    Weights
        With sum 1.

    Notes
    -----
    Lamiroy & Sun (2013), eq. 10.

    Examples
    --------
    >>> uniform_weights(3).systems.tolist(), uniform_weights(3).bottom
    ([0.2, 0.2, 0.2], 0.2)
    """
    share = 1 / (systems + 2)
    return Weights(np.full(systems, share), share, share)


def vote_share_weights(systems: int) -> Weights:
    """Equal weights of s systems without ⊤ and ⊥, so that P(δ) is the share of votes for δ.

    Parameters
    ----------
    systems : int
        Number of systems, s.

    Returns
    -------
    Weights
        1 / s each; empty without systems.

    Examples
    --------
    >>> vote_share_weights(4).systems.tolist(), vote_share_weights(4).top
    ([0.25, 0.25, 0.25, 0.25], 0.0)
    """
    return Weights(np.full(systems, 1 / systems if systems else 0.0))


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

    >>> from spotlab.consensus.precision import gram_of
    >>> from spotlab.consensus.precision import uniform_weights
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
    >>> from spotlab.consensus.precision import gram_of
    >>> from spotlab.consensus.precision import vote_share_weights
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
    >>> from spotlab.consensus.precision import uniform_weights
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


NORMAL_95 = 1.959963984540054  # the interval holds 95 % of a normal distribution
LEAST_BETA = 0.5  # smallest a + b of a Beta distribution; below it nearly everything is at 0 and 1
SHARED_ERROR = (
    "Intervals (95 %) allow for errors that the systems share, as far as sets of votes with known "
    "truth have shown them."
)


@dataclass(frozen=True, eq=False)
class Estimates:
    """Estimates for items and systems without complete truth.

    Attributes
    ----------
    probability : (N,) float
        Probability that an item is relevant, in [0, 1]; NaN where nothing is known.
    precision, recall, f : (S,) float
        In [0, 1]; NaN where undefined.
    precision_interval, recall_interval, f_interval : (S, 2) float
        Lower and upper end of the 95 % interval; NaN where undefined.
    assumption : str
        Assumption behind figures and intervals, for a caption.
    """

    probability: Floats
    precision: Floats
    recall: Floats
    f: Floats
    precision_interval: Floats
    recall_interval: Floats
    f_interval: Floats
    assumption: str

    @property
    def top(self) -> tuple[float, float] | None:
        """Precision and recall of ⊤, which votes for everything; None where nothing is relevant.

        Examples
        --------
        >>> estimate(Votes.of([[1], [0]], ["a"]), [1, 0.5], "").top
        (0.75, 1.0)
        """
        known = self.probability[~np.isnan(self.probability)]
        return (float(known.mean()), 1.0) if known.any() else None


def estimate(
    votes: Votes, probability: ArrayLike, assumption: str, shared: float = 0.05
) -> Estimates:
    """Estimate the figures of every system from probabilities of relevance.

    Parameters
    ----------
    votes : Votes
        N items, S systems. A system is judged on the items on which its vote is known.
    probability : (N,) or (N, S) float
        Probability that an item is relevant, in [0, 1], for all systems or for each; items with NaN
        are left out.
    assumption : str
        Assumption behind the probabilities, for a caption.
    shared : float
        Variance of a figure, as a share of figure · (1 − figure), that any number of items leaves:
        systems are wrong together, which votes alone do not show.

    Returns
    -------
    Estimates
        NaN where undefined.

    Notes
    -----
    Lamiroy & Sun (2013), eqs. 11 and 12, with any probabilities. The number of relevant items among
    those that a system votes for, or of found ones among the relevant, is taken to have a
    Beta-binomial distribution whose correlation within the system is ``shared``; see
    `counted_interval`.

    Examples
    --------
    >>> estimates = estimate(Votes.of([[1], [1], [0]], ["a"]), [1, 0.5, 0.5], "None.")
    >>> estimates.precision.tolist(), estimates.recall.tolist(), estimates.f.round(2).tolist()
    ([0.75], [0.75], [0.75])
    >>> estimates.precision_interval.round(2).tolist()
    [[0.0, 1.0]]
    """
    p = np.asarray(probability, np.float64)
    systems = len(votes.systems)
    sums = np.zeros((3, systems))  # ΣpS, ΣS, Σp
    for start, part in votes.spans():
        vote, right = _known(part, p[start : start + len(part)])
        sums += np.stack([_sum(right * vote), vote.sum(axis=0), _sum(right)])
    item = p if p.ndim == 1 else _mean(p)
    caption = f"{assumption} {SHARED_ERROR}"
    relevant, retrieved, possible = sums
    intervals = intervals_of_sums(relevant, retrieved, possible, shared)
    return Estimates(item, *figures_of(relevant, retrieved, possible), *intervals, caption)


def intervals_of_sums(
    relevant: Floats, retrieved: Floats, possible: Floats, shared: float
) -> tuple[Floats, Floats, Floats]:
    """Intervals (95 %) of precision, recall and F from their sums.

    Parameters
    ----------
    relevant, retrieved, possible : (S,) float
        ΣP·S, ΣS and ΣP, as for `figures_of`.
    shared : float
        As for `estimate`.

    Returns
    -------
    precision, recall, f : (S, 2) float
        Lower and upper ends, in [0, 1]; NaN where undefined. F is that for β = 1.

    Examples
    --------
    >>> one = np.ones(1)
    >>> [ends.round(1).tolist() for ends in intervals_of_sums(75 * one, 100 * one, 90 * one, 0.0)]
    [[[0.7, 0.8]], [[0.7, 0.9]], [[0.7, 0.9]]]
    """
    figures = figures_of(relevant, retrieved, possible)
    trials = retrieved, possible, (retrieved + possible) / 2
    precision, recall, f = (
        counted_interval(figure, _variance(figure, count, shared), count)
        for figure, count in zip(figures, trials, strict=True)
    )
    return precision, recall, f


def counted_interval(figure: Floats, variance: Floats, trials: Floats) -> Floats:
    """Interval (95 %) of shares that are a number of items out of another.

    Parameters
    ----------
    figure : (S,) float
        Estimated shares in [0, 1]; NaN where undefined.
    variance : (S,) float
        Their variance; where it is 0 the share is known.
    trials : (S,) float
        Number of items out of which each share is counted, such as the items that a system votes
        for. It can be a fraction, if it is estimated.

    Returns
    -------
    (S, 2) float
        Lower and upper end, within [0, 1]; NaN where undefined.

    Notes
    -----
    Quantiles of the Beta distribution with that mean and variance, half an item further out: a
    share of three items is 0, 1/3, 2/3 or 1, and an interval has to reach these.

    Examples
    --------
    >>> interval = counted_interval(np.array([0.8, 0.8, 1]), np.array([0.01, 0.01, 0]),
    ...                             np.array([3.0, 100, 9]))
    >>> interval.round(2).tolist()
    [[0.41, 1.0], [0.57, 0.96], [1.0, 1.0]]
    """
    count = np.maximum(trials, 1.0)
    share = np.clip(figure, 0.5 / (count + 1), 1 - 0.5 / (count + 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        size = np.maximum(share * (1 - share) / variance - 1, LEAST_BETA)
    ends = [
        special.betaincinv(share * size, (1 - share) * size, tail) + step / count
        for tail, step in ((0.025, -0.5), (0.975, 0.5))
    ]
    low, high = np.minimum(ends[0], figure), np.maximum(ends[1], figure)
    known = variance <= 0
    ends = [np.where(known, figure, np.clip(end, 0.0, 1.0)) for end in (low, high)]
    return np.stack([np.where(np.isnan(figure), np.nan, end) for end in ends], axis=-1)


def _known(votes: Floats, p: Floats) -> tuple[Floats, Floats]:
    """Votes with 0 and probabilities with NaN where either is unknown, (n, S) each."""
    right = np.broadcast_to(p[:, None] if p.ndim == 1 else p, votes.shape)
    there = ~np.isnan(votes) & ~np.isnan(right)
    return np.where(there, votes, 0.0), np.where(there, right, np.nan)


def _sum(p: Floats) -> Floats:
    return np.asarray(np.nansum(p, axis=0))


def _mean(p: Floats) -> Floats:
    """Mean over the systems, (N,); NaN where none has a value."""
    seen = ~np.isnan(p)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nansum(p, axis=1) / seen.sum(axis=1))


def _variance(figure: Floats, trials: Floats, shared: float) -> Floats:
    """Variance of shares of so many items, and by errors that are shared."""
    count = np.maximum(trials, 1.0)
    share = np.clip(figure, 0.5 / (count + 1), 1 - 0.5 / (count + 1))
    return np.asarray(share * (1 - share) * (1 / count + shared * (1 - 1 / count)))
