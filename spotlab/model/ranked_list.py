"""A ranked list: items ordered by a system's score for a query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.model.score_order import ascending_order
from spotlab.representation import short_repr

SPARSE = 16  # items of which one is listed, from which on a mark for each takes longer than sorting


@dataclass(frozen=True, eq=False)
class RankedList:
    """Items by descending score; make it with `RankedList.ordered`.

    Attributes
    ----------
    name : str
        Name of the system or fusion.
    item : (K,) int
        Indices into the `Items` that the list is about, each at most once, best first.
    score : (K,) float
        Descending scores.

    Raises
    ------
    ValueError
        If lengths differ, scores ascend or are NaN, or an item comes twice.
    """

    name: str
    item: NDArray[np.int64]
    score: NDArray[np.float64]

    __repr__ = short_repr

    def __post_init__(self) -> None:
        item = np.asarray(self.item, dtype=np.int64).reshape(-1)
        score = np.asarray(self.score, dtype=np.float64).reshape(-1)
        object.__setattr__(self, "item", item)
        object.__setattr__(self, "score", score)
        if len(item) != len(score):
            raise ValueError("the columns of a ranked list have different lengths")
        if np.isnan(score).any() or (np.diff(score) > 0).any():
            raise ValueError("the scores of a ranked list have to fall")
        if _repeats(item):
            raise ValueError("an item is in a ranked list twice")

    def __len__(self) -> int:
        return len(self.item)

    @classmethod
    def ordered(cls, name: str, scores: NDArray[np.float64]) -> RankedList:
        """Rank items by score; items of equal score keep their order.

        Parameters
        ----------
        name : str
            Name of the list.
        scores : (N,) float
            Score of every item; items with NaN are left out.

        Returns
        -------
        RankedList
            Of at most N items.

        Examples
        --------
        >>> RankedList.ordered("NN", np.array([0.2, np.nan, 0.9, 0.2])).item
        array([2, 0, 3])
        """
        scores = np.asarray(scores, dtype=np.float64)
        listed = np.flatnonzero(~np.isnan(scores))
        order = listed[ascending_order(-scores[listed])]
        return cls(name, order, scores[order])


def _repeats(item: NDArray[np.int64]) -> bool:
    """Whether an item comes twice."""
    if not len(item) or item.min() < 0 or item.max() > SPARSE * len(item):
        return len(np.unique(item)) != len(item)
    seen = np.zeros(int(item.max()) + 1, np.bool_)
    seen[item] = True
    return int(np.count_nonzero(seen)) != len(item)
