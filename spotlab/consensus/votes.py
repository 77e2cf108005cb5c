"""Votes of systems on items: yes, no, something in between, or unknown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints
from spotlab.errors import counted
from spotlab.extras import sparse
from spotlab.representation import short_repr

Words = NDArray[np.uint64]

PACKED = 1 << 16  # items that are packed at the same time: their bytes stay in the cache
COUNTED = 1 << 12  # words of every system that are compared at the same time, likewise
WORD = 64


@dataclass(frozen=True, eq=False)
class PackedVotes:
    """Yes and no votes as bits.

    Attributes
    ----------
    items : int
        Number of items.
    yes : (S, W) uint64
        Bit ``i % 64`` of word ``i // 64`` is 1 if the system votes for item i; 0 beyond the last
        item and where the vote is unknown.
    known : (S, W) uint64 or None
        Whether each vote is known; None if all are.
    """

    items: int
    yes: Words
    known: Words | None

    __repr__ = short_repr

    @staticmethod
    def of(votes: NDArray[Any]) -> PackedVotes | None:
        """Pack votes into bits.

        Parameters
        ----------
        votes : (N, S) float, bool or int
            1, 0 or NaN.

        Returns
        -------
        PackedVotes or None
            None if a vote is something else.

        Examples
        --------
        >>> PackedVotes.of(np.array([[1, 0], [1, 1], [0, 1]])).yes.tolist()
        [[3], [6]]
        """
        if votes.dtype == bool:
            votes = votes.view(np.uint8)  # which compares some times faster
        items, systems = votes.shape
        words = -(-items // WORD)
        yes, known = (np.zeros((systems, words * WORD // 8), np.uint8) for _ in range(2))
        complete = True
        for start in range(0, items, PACKED):
            part = votes[start : start + PACKED]
            place = slice(start // 8, start // 8 + -(-len(part) // 8))
            ones = part == 1
            there = ones | (part == 0)
            if not there.all():
                if not (there | np.isnan(part)).all():
                    return None
                complete = False
            yes[:, place] = _bits(ones)
            known[:, place] = _bits(there)
        return PackedVotes(items, yes.view(np.uint64), None if complete else known.view(np.uint64))

    @property
    def complete(self) -> bool:
        """Tell whether every vote is known."""
        return self.known is None

    def rows(self, items: Ints) -> Floats:
        """See `VoteStorage.rows`."""
        votes = _bits_at(self.yes, items).astype(np.float64)
        if self.known is not None:
            votes[~_bits_at(self.known, items)] = np.nan
        return votes

    def span(self, start: int, stop: int) -> Floats:
        """See `VoteStorage.span`."""
        votes = _bits_between(self.yes, start, stop).astype(np.float64)
        if self.known is not None:
            votes[_bits_between(self.known, start, stop) == 0] = np.nan
        return votes

    def take(self, items: Ints) -> PackedVotes:
        """See `VoteStorage.take`."""
        known = None if self.known is None else _packed(_bits_at(self.known, items))
        return PackedVotes(len(items), _packed(_bits_at(self.yes, items)), known)

    def only(self, systems: Ints) -> PackedVotes:
        """See `VoteStorage.only`."""
        known = None if self.known is None else self.known[systems]
        return PackedVotes(self.items, self.yes[systems], known)

    def votes_for(self) -> Floats:
        """See `VoteStorage.votes_for`."""
        return _ones(self.yes)

    def votes_known(self) -> Floats:
        """See `VoteStorage.votes_known`."""
        if self.known is None:
            return np.full(len(self.yes), float(self.items))
        return _ones(self.known)

    def matrix(self) -> Floats:
        """See `VoteStorage.matrix`."""
        return count_shared_bits(self.yes, self.yes)


def count_shared_bits(some: Words, others: Words) -> Floats:
    """Count the bits that are set in both of two rows, for all pairs of rows.

    Parameters
    ----------
    some, others : (S, W) and (S', W) uint64
        Rows of words of 64 bits.

    Returns
    -------
    (S, S') float
        0 without words.

    Examples
    --------
    >>> words = np.array([[3], [6]], np.uint64)
    >>> count_shared_bits(words, words).tolist()
    [[2.0, 1.0], [1.0, 2.0]]
    """
    systems, words = some.shape
    both = np.zeros((systems, len(others)), np.int64)
    mirrored = some is others
    for start in range(0, words, COUNTED):
        part, other = (rows[:, start : start + COUNTED] for rows in (some, others))
        for system in range(systems):
            first = system if mirrored else 0
            pairs = np.bitwise_count(part[system] & other[first:])
            both[system, first:] += pairs.sum(axis=1, dtype=np.int64)
    return (both + np.triu(both, 1).T if mirrored else both).astype(np.float64)


def _bits(flags: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Bytes of (n, S) flags, (S, n / 8), the first item in the lowest bit."""
    return np.packbits(np.ascontiguousarray(flags.T), axis=1, bitorder="little")


def _packed(flags: NDArray[np.bool_]) -> Words:
    """Words of (n, S) flags, (S, W)."""
    items, systems = flags.shape
    packed = np.zeros((systems, -(-items // WORD) * WORD // 8), np.uint8)
    packed[:, : -(-items // 8)] = _bits(flags)
    return packed.view(np.uint64)


def _bits_at(words: Words, items: Ints) -> NDArray[np.bool_]:
    """Flags of these items, (K, S)."""
    shift = (items % WORD).astype(np.uint64)
    flags: NDArray[np.bool_] = ((words[:, items // WORD] >> shift) & np.uint64(1)) == 1
    return flags.T


def _bits_between(words: Words, start: int, stop: int) -> NDArray[np.uint8]:
    """0 or 1 for the items from start to stop, (stop − start, S)."""
    first, last = start // 8, -(-stop // 8)
    flags = np.unpackbits(words.view(np.uint8)[:, first:last], axis=1, bitorder="little")
    return flags[:, start - first * 8 : stop - first * 8].T


def _ones(words: Words) -> Floats:
    return np.asarray(np.bitwise_count(words).sum(axis=1), np.float64)


def spans(items: int, step: int) -> Iterator[tuple[int, int]]:
    """Cut a number of items into spans.

    Parameters
    ----------
    items : int
        Number of items.
    step : int
        Maximum number of items in a span.

    Returns
    -------
    iterator of (int, int)
        Index of the first item of each span, and of the one after its last; none without items.

    Examples
    --------
    >>> list(spans(5, 2))
    [(0, 2), (2, 4), (4, 5)]
    """
    return ((start, min(start + step, items)) for start in range(0, items, step))


@dataclass(frozen=True, eq=False)
class ListedVotes:
    """Votes in a sparse array, without memory for those that are not listed.

    Attributes
    ----------
    votes : (N, S) sparse array by rows, float32
        The listed votes, 0 among them too.
    complete : bool
        Whether a vote that is not listed is a no; otherwise it is unknown.
    """

    votes: Any
    complete: bool

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.votes.shape[0])

    def rows(self, items: Ints) -> Floats:
        """See `VoteStorage.rows`."""
        return _dense(self.votes[items], self.complete)

    def span(self, start: int, stop: int) -> Floats:
        """See `VoteStorage.span`."""
        return _dense(self.votes[start:stop], self.complete)

    def take(self, items: Ints) -> ListedVotes:
        """See `VoteStorage.take`."""
        return ListedVotes(self.votes[items], self.complete)

    def only(self, systems: Ints) -> ListedVotes:
        """See `VoteStorage.only`."""
        return ListedVotes(self.votes[:, systems], self.complete)

    def votes_for(self) -> Floats:
        """See `VoteStorage.votes_for`."""
        sums = np.bincount(self.votes.indices, self.votes.data, self.votes.shape[1])
        return sums.astype(np.float64)

    def votes_known(self) -> Floats:
        """See `VoteStorage.votes_known`."""
        if self.complete:
            return np.full(self.votes.shape[1], float(self.items))
        return np.bincount(self.votes.indices, minlength=self.votes.shape[1]).astype(np.float64)

    def matrix(self) -> Floats:
        """See `VoteStorage.matrix`."""
        votes = self.votes.astype(np.float64)
        return np.asarray((votes.T @ votes).toarray(), np.float64)


def listed(item: Ints, system: Ints, vote: Floats | None, shape: tuple[int, int]) -> ListedVotes:
    """Make a list of votes.

    Parameters
    ----------
    item, system : (K,) int
        Indices of the item and of the system of every vote, no pair twice and all within the shape.
    vote : (K,) float or None
        The votes; those not listed are unknown. None if every listed vote is a yes and every other
        a no.
    shape : (int, int)
        Number of items and of systems.

    Returns
    -------
    ListedVotes
        In the order of items, then systems.

    Examples
    --------
    >>> listed(np.array([2, 0]), np.array([0, 1]), None, (3, 2)).span(0, 3).tolist()
    [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]
    """
    values = np.ones(len(item), np.float32) if vote is None else vote.astype(np.float32)
    order = np.lexsort((system, item))
    starts = np.concatenate([[0], np.cumsum(np.bincount(item, minlength=shape[0]))])
    index = np.int32 if len(item) < np.iinfo(np.int32).max else np.int64  # half the memory
    places = system[order].astype(index), starts.astype(index)
    votes = sparse.csr_array((values[order], *places), shape)
    return ListedVotes(votes, vote is None)


def _dense(votes: Any, complete: bool) -> Floats:
    dense = np.full(votes.shape, 0.0 if complete else np.nan)
    item = np.repeat(np.arange(votes.shape[0]), np.diff(votes.indptr))
    dense[item, votes.indices] = votes.data
    return dense


@dataclass(frozen=True, eq=False)
class VoteRows:
    """Known votes, item by item.

    Attributes
    ----------
    votes : (n, S) sparse array by rows, float64
        All known votes, 0 among them too.
    """

    votes: Any

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.votes.shape[0])

    @cached_property
    def known(self) -> Any:
        """1 where a vote is known, (n, S) sparse array."""
        votes = self.votes
        ones = np.ones(len(votes.data))
        return sparse.csr_array((ones, votes.indices, votes.indptr), votes.shape)

    def probability(self, systems: Floats, top: float, bottom: float) -> Floats:
        """Estimate P(δ) of every item.

        Parameters
        ----------
        systems : (S,) float
            Weights of the systems.
        top, bottom : float
            Weights of ⊤ and ⊥.

        Returns
        -------
        (n,) float
            In [0, 1]; NaN where nobody with a weight voted.

        Notes
        -----
        Lamiroy & Sun (2013), eq. 13.

        Examples
        --------
        >>> rows = VoteRows(sparse.csr_array([[1.0, 1.0], [1.0, 0.0]]))
        >>> rows.probability(np.array([0.5, 0.25]), 0.0, 0.25).tolist()
        [0.75, 0.6666666666666666]
        """
        chances = np.full(self.items, np.nan)
        weight = self.known @ systems + (top + bottom)
        np.divide(self.votes @ systems + top, weight, out=chances, where=weight > 0)
        return chances

    def sums(self, systems: Floats, top: float, bottom: float) -> tuple[Floats, Floats, Floats]:
        """Sum ΣP·S_k, ΣS_k and ΣP over the items that each system knows and where P is defined.

        Parameters
        ----------
        systems : (S,) float
            Weights of the systems.
        top, bottom : float
            Weights of ⊤ and ⊥.

        Returns
        -------
        relevant, retrieved, possible : (S + 1,) float
            Of every system, ⊤ last.

        Notes
        -----
        The terms of Lamiroy & Sun (2013), eqs. 11 and 12.

        Examples
        --------
        >>> rows = VoteRows(sparse.csr_array([[1.0, 1.0], [1.0, 0.0]]))
        >>> [part.round(2).tolist() for part in rows.sums(np.array([0.5, 0.25]), 0.0, 0.25)]
        [[1.42, 0.75, 1.42], [2.0, 1.0, 2.0], [1.42, 0.75, 1.42]]
        """
        chance = self.probability(systems, top, bottom)
        defined = ~np.isnan(chance)
        retrieved = self.counts
        if not defined.all():
            retrieved = np.append(self.votes.T @ defined.astype(np.float64), defined.sum())
            chance = np.where(defined, chance, 0.0)
        return (
            np.append(self.votes.T @ chance, chance.sum()),
            retrieved,
            np.append(self.known.T @ chance, chance.sum()),
        )

    @cached_property
    def counts(self) -> Floats:
        """ΣS_k over all items, (S + 1,), ⊤ last."""
        return np.append(self.votes.sum(axis=0), self.items)

    def only(self, systems: Ints) -> VoteRows:
        """Keep some systems.

        Parameters
        ----------
        systems : (K,) int
            Indices of the systems in their new order.

        Returns
        -------
        VoteRows
            Of these systems.
        """
        return VoteRows(self.votes[:, systems])

    def __add__(self, other: VoteRows) -> VoteRows:
        return VoteRows(sparse.vstack([self.votes, other.votes], format="csr"))


def number_by_voters(votes: Any, seed: int = 0) -> tuple[Ints, Ints]:
    """Number the items by the set of systems that voted on them.

    Parameters
    ----------
    votes : (n, S) sparse array by rows
        All known votes.
    seed : int
        Seed of the hash keys; the numbering depends on it.

    Returns
    -------
    first : (B,) int
        An item of each different set of voters.
    pattern : (n,) int
        Number of every item's set of voters, from 0.

    Examples
    --------
    >>> votes = sparse.csr_array(([1.0, 0.0, 1.0], [0, 1, 0], [0, 1, 2, 3]), (3, 2))
    >>> number_by_voters(votes)[1].tolist() in ([0, 1, 0], [1, 0, 1])
    True
    """
    keys = np.random.default_rng(seed).integers(0, 2**64, votes.shape[1], np.uint64)
    summed = np.concatenate([np.zeros(1, np.uint64), np.cumsum(keys[votes.indices])])
    _, first, pattern = np.unique(
        summed[votes.indptr[1:]] - summed[votes.indptr[:-1]], return_index=True, return_inverse=True
    )
    # Patterns with the same sum of random keys are the same but once in 2^64; to be exact, look.
    length = np.diff(votes.indptr)
    model = first[pattern]
    if (length == length[model]).all():
        offset = np.repeat(votes.indptr[model] - votes.indptr[:-1], length)
        there = votes.indices[np.arange(len(votes.indices)) + offset]
        if (there == votes.indices).all():
            return first.astype(np.int64), pattern.astype(np.int64)
    return number_by_voters(votes, seed + 1)


class VoteStorage(Protocol):
    """Storage of the votes of S systems on N items."""

    @property
    def items(self) -> int:
        """Number of items."""
        ...

    @property
    def complete(self) -> bool:
        """Tell whether every vote is known."""
        ...

    def rows(self, items: Ints, /) -> Floats:
        """Look up the votes on some items.

        Parameters
        ----------
        items : (K,) int
            Indices of the items.

        Returns
        -------
        (K, S) float
            NaN where unknown.
        """
        ...

    def span(self, start: int, stop: int, /) -> Floats:
        """Look up the votes on consecutive items.

        Parameters
        ----------
        start, stop : int
            Index of the first item, and of the one after the last.

        Returns
        -------
        (stop − start, S) float
            NaN where unknown.

        Examples
        --------
        >>> from spotlab.consensus.votes import Votes
        >>> Votes.of([[1, 0], [1, float("nan")]], ["a", "b"]).storage.span(1, 2).tolist()
        [[1.0, nan]]
        """
        ...

    def take(self, items: Ints, /) -> Self:
        """Keep some items.

        Parameters
        ----------
        items : (K,) int
            Indices of the items in their new order.

        Returns
        -------
        VoteStorage
            Of the same kind.
        """
        ...

    def only(self, systems: Ints, /) -> Self:
        """Keep some systems.

        Parameters
        ----------
        systems : (K,) int
            Indices of the systems in their new order.

        Returns
        -------
        VoteStorage
            Of the same kind.
        """
        ...

    def votes_for(self) -> Floats:
        """Number of items that every system votes for, (S,); soft votes count in part."""
        ...

    def votes_known(self) -> Floats:
        """Number of items on which every system's vote is known, (S,)."""
        ...

    def matrix(self) -> Floats:
        """Sum over items of the product of the votes of each pair of systems, (S, S)."""
        ...


@dataclass(frozen=True, eq=False)
class SoftVotes:
    """Votes as confidences.

    Attributes
    ----------
    values : (N, S) float32
        In [0, 1], NaN where unknown.
    complete : bool
        Whether every vote is known.
    """

    values: NDArray[np.float32]
    complete: bool

    @property
    def items(self) -> int:
        """Number of items."""
        return len(self.values)

    def rows(self, items: Ints) -> Floats:
        """See `VoteStorage.rows`."""
        return self.values[items].astype(np.float64)

    def span(self, start: int, stop: int) -> Floats:
        """See `VoteStorage.span`."""
        return self.values[start:stop].astype(np.float64)

    def take(self, items: Ints) -> SoftVotes:
        """See `VoteStorage.take`."""
        return soft(self.values[items])

    def only(self, systems: Ints) -> SoftVotes:
        """See `VoteStorage.only`."""
        return soft(np.ascontiguousarray(self.values[:, systems]))

    def votes_for(self) -> Floats:
        """See `VoteStorage.votes_for`."""
        sums = np.zeros(self.values.shape[1])
        for start, stop in spans(self.items, PACKED):
            sums += np.nansum(self.values[start:stop], axis=0, dtype=np.float64)
        return sums

    def votes_known(self) -> Floats:
        """See `VoteStorage.votes_known`."""
        return np.asarray((~np.isnan(self.values)).sum(axis=0), np.float64)

    def matrix(self) -> Floats:
        """See `VoteStorage.matrix`."""
        product = np.zeros((self.values.shape[1],) * 2)
        for start, stop in spans(self.items, PACKED):
            part = self.span(start, stop)
            product += part.T @ part
        return product


def soft(values: NDArray[np.float32]) -> SoftVotes:
    """Keep votes as confidences.

    Parameters
    ----------
    values : (N, S) float32
        In [0, 1], NaN where unknown; not copied.

    Returns
    -------
    SoftVotes
        Complete if there is no NaN.
    """
    return SoftVotes(values, not np.isnan(values).any())


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
        """Tell whether every vote is known."""
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
