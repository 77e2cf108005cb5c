"""Votes of systems on items: yes, no, something in between, or unknown.

They are kept as bits, as confidences or as a list, whichever takes the least memory; callers need
not know which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.vote_bits import PackedVotes, spans
from spotlab.consensus.vote_pairs import ListedVotes, listed
from spotlab.consensus.vote_storage import VoteStorage
from spotlab.consensus.vote_values import soft
from spotlab.errors import counted
from spotlab.representation import short_repr

STEP = 1 << 20  # votes that are held as numbers at the same time


@dataclass(frozen=True, eq=False)
class Votes:
    """The votes of S systems on N items, ``len(votes)``.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems, all different.
    storage : VoteStorage
        Storage of the votes.

    Notes
    -----
    S_k(δ) of Lamiroy & Sun (2013): eq. 7 for yes and no, §5.2 for confidences.

    Examples
    --------
    >>> votes = Votes.of([[1, 0], [1, np.nan], [0, 1]], ["a", "b"])
    >>> len(votes), votes.counts_for.tolist(), votes.counts_known.tolist(), votes.complete
    (3, [2.0, 1.0], [3.0, 2.0], False)
    >>> votes.rows([1]).tolist()
    [[1.0, nan]]
    """

    systems: tuple[str, ...]
    storage: VoteStorage

    __repr__ = short_repr

    @staticmethod
    def of(votes: ArrayLike, systems: Sequence[str]) -> Votes:
        """Make votes from an array.

        Parameters
        ----------
        votes : (N, S) float, bool or int
            In [0, 1]; NaN where unknown. VoteStorage as bits if all are 0 or 1, else as float32.
        systems : sequence of str
            S names.

        Returns
        -------
        Votes
            On no items if the array is empty.

        Raises
        ------
        ValueError
            If a vote is outside [0, 1], the shape is not (N, S), or two names are equal.

        Examples
        --------
        >>> Votes.of([[1, 0.5]], ["a", "b"]).dense().tolist()
        [[1.0, 0.5]]
        """
        array = np.asarray(votes)
        names = _names(systems)
        if not array.size and array.ndim < 2:
            array = array.reshape(0, len(names))
        if array.ndim != 2 or array.shape[1] != len(names):
            raise ValueError(
                f"votes are {array.shape}, not (items, {counted(len(names), 'system')})"
            )
        if array.dtype.kind not in "biuf":
            array = array.astype(np.float64)
        packed = PackedVotes.of(array)
        if packed is not None:
            return Votes(names, packed)
        _check(array)
        return Votes(names, soft(array.astype(np.float32)))

    @staticmethod
    def sparse(
        item: ArrayLike,
        system: ArrayLike,
        items: int,
        systems: Sequence[str],
        vote: ArrayLike | None = None,
    ) -> Votes:
        """Make votes from a list of them; votes that are not listed take no memory.

        Parameters
        ----------
        item, system : (K,) int
            Indices of the item and of the system of every vote, no pair twice.
        items : int
            Number of items.
        systems : sequence of str
            S names.
        vote : (K,) float, optional
            The votes, in [0, 1]; those not listed are unknown. By default every listed vote is a
            yes and every other a no.

        Returns
        -------
        Votes
            On ``items`` items.

        Raises
        ------
        ValueError
            If an index is out of range, a pair comes twice, or a vote is NaN or outside [0, 1].

        Examples
        --------
        >>> Votes.sparse([0, 2], [1, 0], 3, ["a", "b"]).dense().tolist()
        [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]
        >>> Votes.sparse([0, 1], [1, 0], 2, ["a", "b"], [0, 1]).dense().tolist()
        [[nan, 0.0], [1.0, nan]]
        """
        names = _names(systems)
        rows, columns = np.asarray(item, np.int64), np.asarray(system, np.int64)
        for index, bound, what in ((rows, items, "item"), (columns, len(names), "system")):
            if len(index) and not 0 <= index.min() <= index.max() < bound:
                raise ValueError(f"the index of some {what} is not within 0…{bound - 1}")
        values = None if vote is None else np.asarray(vote, np.float64)
        if not len(rows) == len(columns) == (len(rows) if values is None else len(values)):
            raise ValueError("every vote needs an item and a system")
        if values is not None:
            if np.isnan(values).any():
                raise ValueError("a vote that is listed is NaN; leave it out, it is unknown then")
            _check(values)
        kept = listed(rows, columns, values, (items, len(names)))
        if has_repeats(kept):
            raise ValueError("some system votes twice on the same item")
        return Votes(names, kept)

    def __len__(self) -> int:
        return self.storage.items

    @property
    def complete(self) -> bool:
        """Whether every vote is known."""
        return self.storage.complete

    @cached_property
    def counts_for(self) -> Floats:
        """Number of items that every system votes for, (S,): ΣS_k, soft votes in part."""
        return self.storage.votes_for()

    @cached_property
    def counts_known(self) -> Floats:
        """Number of items on which every system's vote is known, (S,)."""
        return self.storage.votes_known()

    def rows(self, items: ArrayLike) -> Floats:
        """Look up the votes on some items.

        Parameters
        ----------
        items : (K,) int or (N,) bool
            Indices of the items, or a mask.

        Returns
        -------
        (K, S) float
            NaN where unknown.
        """
        return self.storage.rows(_indices(items))

    def dense(self) -> Floats:
        """All votes, (N, S) float64; NaN where unknown."""
        return self.storage.span(0, len(self))

    def spans(self, step: int | None = None) -> Iterator[tuple[int, Floats]]:
        """Iterate over the votes in parts.

        Parameters
        ----------
        step : int, optional
            Maximum number of items in a part; by default as many as fit into the cache.

        Returns
        -------
        iterator of (int, (n, S) float)
            Index of the first item of each part, and the votes on its items, NaN where unknown.

        Examples
        --------
        >>> votes = Votes.of([[1], [0], [1]], ["a"])
        >>> [(start, part.tolist()) for start, part in votes.spans(2)]
        [(0, [[1.0], [0.0]]), (2, [[1.0]])]
        """
        size = step or max(1, STEP // max(1, len(self.systems)))
        return ((start, self.storage.span(start, stop)) for start, stop in spans(len(self), size))

    def take(self, items: ArrayLike) -> Votes:
        """Keep some items.

        Parameters
        ----------
        items : (K,) int or (N,) bool
            Indices of the items in their new order, which may repeat, or a mask.

        Returns
        -------
        Votes
            On these items.
        """
        return Votes(self.systems, self.storage.take(_indices(items)))

    def only(self, systems: ArrayLike) -> Votes:
        """Keep some systems.

        Parameters
        ----------
        systems : (K,) int or (S,) bool
            Indices of the systems in their new order, or a mask.

        Returns
        -------
        Votes
            Of these systems.

        Raises
        ------
        ValueError
            If a system comes twice.
        """
        index = _indices(systems)
        names = tuple(self.systems[place] for place in index.tolist())
        return Votes(_names(names), self.storage.only(index))


def has_repeats(kept: ListedVotes) -> bool:
    """Check whether a system votes twice on an item.

    Parameters
    ----------
    kept : ListedVotes
        In the order of items and systems.

    Returns
    -------
    bool
        False without votes.
    """
    votes = kept.votes
    same = votes.indices[1:] == votes.indices[:-1]
    starts = votes.indptr[1:-1]
    same[starts[(starts > 0) & (starts < len(votes.indices))] - 1] = False
    return bool(same.any())


def _indices(index: ArrayLike) -> Ints:
    array = np.asarray(index)
    return np.flatnonzero(array) if array.dtype == bool else array.astype(np.int64)


def _names(systems: Sequence[str]) -> tuple[str, ...]:
    names = tuple(systems)
    if len(set(names)) != len(names):
        raise ValueError("two systems have the same name")
    return names


def _check(votes: NDArray[Any]) -> None:
    bad = votes[(votes < 0) | (votes > 1)]  # NaN is neither
    if len(bad):
        raise ValueError(f"a vote is {bad[0]:g}; votes are from 0 to 1")
