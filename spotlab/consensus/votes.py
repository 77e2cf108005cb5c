"""What systems vote on items: yes, no, something between, or nothing that is known.

Lamiroy & Sun (2013), S_k(δ): eq. 7 for yes and no, §5.2 for confidences. Kept as bits, as
confidences or as a list, whichever takes least; who asks never needs to know which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.consensus.vote_bits import PackedVotes, spans
from spotlab.consensus.vote_pairs import ListedVotes, listed
from spotlab.consensus.vote_values import soft
from spotlab.representation import short_repr

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STEP = 1 << 20  # votes that are held as numbers at the same time


class Kept(Protocol):
    """A way to keep votes."""

    @property
    def items(self) -> int: ...  # noqa: D102
    @property
    def complete(self) -> bool: ...  # noqa: D102
    def rows(self, items: Ints, /) -> Floats: ...  # noqa: D102
    def span(self, start: int, stop: int, /) -> Floats: ...  # noqa: D102
    def take(self, items: Ints, /) -> Self: ...  # noqa: D102
    def only(self, systems: Ints, /) -> Self: ...  # noqa: D102
    def votes_for(self) -> Floats: ...  # noqa: D102
    def votes_known(self) -> Floats: ...  # noqa: D102
    def matrix(self) -> Floats: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class Votes:
    """The votes of S systems on N items, ``len(votes)``.

    Attributes
    ----------
    systems : tuple of str
        Their names, all different.
    kept : Kept
        The votes.

    Examples
    --------
    >>> votes = Votes.of([[1, 0], [1, np.nan], [0, 1]], ["a", "b"])
    >>> len(votes), votes.counts_for.tolist(), votes.counts_known.tolist(), votes.complete
    (3, [2.0, 1.0], [3.0, 2.0], False)
    >>> votes.rows([1]).tolist()
    [[1.0, nan]]
    """

    systems: tuple[str, ...]
    kept: Kept

    __repr__ = short_repr

    @staticmethod
    def of(votes: ArrayLike, systems: Sequence[str]) -> Votes:
        """Votes from an array.

        Parameters
        ----------
        votes : (N, S) float, bool or int
            From 0 to 1; NaN where unknown. Bits are kept where all are 0 or 1, else float32.
        systems : sequence of str
            S names.

        Raises
        ------
        ValueError
            For votes outside 0…1, a shape that is not (N, S), names that are not all different.
        """
        array = np.asarray(votes)
        names = _names(systems)
        if not array.size and array.ndim < 2:
            array = array.reshape(0, len(names))
        if array.ndim != 2 or array.shape[1] != len(names):
            raise ValueError(f"votes are {array.shape}, not (items, {len(names)} systems)")
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
        """Votes from a list of them; what is not listed costs nothing.

        Parameters
        ----------
        item, system : (K,) int
            Indices of the item and of the system of every vote, no pair twice.
        items : int
            N.
        systems : sequence of str
            S names.
        vote : (K,) float, optional
            The votes, from 0 to 1; those not listed are unknown. Without it every listed vote is a
            yes and all others are a no.

        Raises
        ------
        ValueError
            For an index out of range, a pair that comes twice, votes outside 0…1 or NaN.

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
        if repeats(kept):
            raise ValueError("some system votes twice on the same item")
        return Votes(names, kept)

    def __len__(self) -> int:
        return self.kept.items

    @property
    def complete(self) -> bool:
        """Whether every vote is known."""
        return self.kept.complete

    @cached_property
    def counts_for(self) -> Floats:
        """(S,) ΣS_k: the number of items that every system votes for, soft votes in part."""
        return self.kept.votes_for()

    @cached_property
    def counts_known(self) -> Floats:
        """(S,) the number of items on which every system's vote is known."""
        return self.kept.votes_known()

    def rows(self, items: ArrayLike) -> Floats:
        """(K, S) votes on these (K,) items, NaN where unknown."""
        return self.kept.rows(_indices(items))

    def dense(self) -> Floats:
        """(N, S) all votes, NaN where unknown; 8 bytes each."""
        return self.kept.span(0, len(self))

    def spans(self, step: int | None = None) -> Iterator[tuple[int, Floats]]:
        """Go through the votes in parts: the first item of each, and its (n, S) votes."""
        size = step or max(1, STEP // max(1, len(self.systems)))
        return ((start, self.kept.span(start, stop)) for start, stop in spans(len(self), size))

    def take(self, items: ArrayLike) -> Votes:
        """The votes on these items only, in this order; an item may come several times."""
        return Votes(self.systems, self.kept.take(_indices(items)))

    def only(self, systems: ArrayLike) -> Votes:
        """The votes of these systems only, by index, in this order."""
        index = _indices(systems)
        names = tuple(self.systems[place] for place in index.tolist())
        return Votes(_names(names), self.kept.only(index))


def repeats(kept: ListedVotes) -> bool:
    """Whether a system votes twice on an item; lists are in the order of items and systems."""
    votes = kept.votes
    same = votes.indices[1:] == votes.indices[:-1]
    starts = votes.indptr[1:-1]
    same[starts[(starts > 0) & (starts < len(votes.indices))] - 1] = False
    return bool(same.any())


def _indices(index: ArrayLike) -> Ints:
    found = np.asarray(index)
    return np.flatnonzero(found) if found.dtype == bool else found.astype(np.int64)


def _names(systems: Sequence[str]) -> tuple[str, ...]:
    names = tuple(systems)
    if len(set(names)) != len(names):
        raise ValueError("two systems have the same name")
    return names


def _check(votes: NDArray[Any]) -> None:
    bad = votes[(votes < 0) | (votes > 1)]  # NaN is neither
    if len(bad):
        raise ValueError(f"a vote is {bad[0]:g}; votes are from 0 to 1")
