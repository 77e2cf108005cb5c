"""Votes that are yes, no or unknown, one bit each: 24 systems on 1,000,000 items take 3 MB."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
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
        """Whether every vote is known."""
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
