"""Leaves the query's own instance out of a list's figures: to find itself is no achievement.

Everything that states an average precision of a list takes it from here, so that it is the same in
the window, in commands, in reports and in the library.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.model.ranked_list import RankedList
from spotlab.ranking.precision import average_precision
from spotlab.ranking.purge import Purge
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class ItemTruth:
    """Which of N items are relevant to a query.

    Attributes
    ----------
    relevance : (N,) int8
        1 relevant, 0 not, -1 unknown.
    relevant : int or None
        Number of relevant items in the collection, found or not; None if it is not known.
    own : int or None
        The item that is the query itself; None if it is none of them, or that is not known.
    more : tuple of int
        Further items that are the query, where it has several examples.
    """

    relevance: NDArray[np.int8]
    relevant: int | None
    own: int | None = None
    more: tuple[int, ...] = ()

    __repr__ = short_repr

    def without_own(self) -> ItemTruth:
        """The same, where the query itself is neither right nor wrong, and is not to be found.

        Returns
        -------
        ItemTruth
            ``own`` stays, so that lists can be judged without it.

        Examples
        --------
        >>> truth = ItemTruth(np.array([1, 0, 1], np.int8), 4, own=0).without_own()
        >>> truth.relevance.tolist(), truth.relevant
        ([-1, 0, 1], 3)
        """
        own = self._own
        if not own:
            return self
        counted = int(np.count_nonzero(self.relevance[own] == 1))
        relevance = self.relevance.copy()
        relevance[own] = -1
        relevant = None if self.relevant is None else self.relevant - counted
        return ItemTruth(relevance, relevant, self.own, self.more)

    @property
    def _own(self) -> list[int]:
        """All items that are the query, each once."""
        return list(dict.fromkeys([*(() if self.own is None else (self.own,)), *self.more]))

    def average_precision(self, ranked: RankedList) -> float | None:
        """Average precision of a list; the query itself takes no rank and is not counted.

        Parameters
        ----------
        ranked : RankedList
            Of these N items.

        Returns
        -------
        float or None
            The mean, over all relevant items, of the precision at their ranks; those outside the
            list count as 0. In [0, 1]; None if nothing is relevant or that is not known.

        Raises
        ------
        ValueError
            The list has more than ``relevant`` relevant items.

        Notes
        -----
        Hast (2020), eq. 3.

        Examples
        --------
        >>> ranked = RankedList.ordered("WS", np.array([1.0, 0.9, 0.8]))
        >>> ItemTruth(np.array([1, 0, 1], np.int8), 2, own=0).average_precision(ranked)
        0.5
        >>> ItemTruth(np.array([1, 0, 1], np.int8), 2).average_precision(ranked)
        0.8333333333333333
        """
        truth = self.without_own()
        if truth.relevant is None:
            return None
        others = ranked
        for item in self._own:
            others = without_item(others, item)
        return average_precision(truth.relevance[others.item] == 1, truth.relevant)

    def purge(self, ranked: RankedList) -> Purge:
        """Prepare a list to be cut; the query itself is kept, but counts neither true nor false.

        Parameters
        ----------
        ranked : RankedList
            Of these N items.

        Raises
        ------
        ValueError
            The list has more than ``relevant`` relevant items.

        Examples
        --------
        >>> ranked = RankedList.ordered("WS", np.array([1.0, 0.9, 0.8]))
        >>> point = ItemTruth(np.array([1, 0, 1], np.int8), 2, own=0).purge(ranked).at(0.5)
        >>> point.kept, point.true, point.false, point.recall
        (3, 1, 1, 1.0)
        """
        truth = self.without_own()
        aside = int(np.isin(ranked.item, self._own).sum())
        return Purge.of(ranked, truth.relevance, truth.relevant, aside)


def without_item(ranked: RankedList, item: int | None) -> RankedList:
    """A list without one of its items; the list itself if it does not have it.

    Parameters
    ----------
    ranked : RankedList
        A list.
    item : int or None
        An item, or none.

    Examples
    --------
    >>> without_item(RankedList("WS", [2, 0], [0.9, 0.5]), 2).item
    array([0])
    """
    if item is None:
        return ranked
    others = ranked.item != item
    if others.all():
        return ranked
    return RankedList(ranked.name, ranked.item[others], ranked.score[others])
