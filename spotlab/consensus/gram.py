"""Gram matrices of votes, which hold all that precision and recall without truth need.

With V the items × systems votes, ⊤ included, G = VᵀV holds ΣS_j·S_k. With any weights κ it gives
ΣP·S_k = (Gκ)_k and ΣP = (Gκ)_⊤ (from Lamiroy & Sun, 2013, eqs. 11–13). Where votes are unknown,
items on which the same systems voted share a matrix, and the weights of those systems are
renormalised for each such block. Matrices of parts of a collection add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.vote_bits import spans
from spotlab.consensus.vote_pairs import ListedVotes
from spotlab.consensus.vote_rows import VoteRows, number_by_voters
from spotlab.consensus.votes import STEP, Votes
from spotlab.libraries import sparse
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
    """Whether a matrix for every set of voters takes less memory than the votes."""
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
