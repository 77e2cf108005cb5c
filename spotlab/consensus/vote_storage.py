"""What every storage of votes offers: bits, confidences or a list."""

from __future__ import annotations

from typing import Protocol, Self

from spotlab.arrays import Floats, Ints


class VoteStorage(Protocol):
    """Storage of the votes of S systems on N items."""

    @property
    def items(self) -> int:
        """Number of items."""
        ...

    @property
    def complete(self) -> bool:
        """Whether every vote is known."""
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
