"""What a fusion is: it makes one ranked list of several, or a better list of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from spotlab.model.ranked_list import RankedList
from spotlab.ranking.item_scores import ItemScores
from spotlab.registry import discover
from spotlab.representation import short_repr


def _nothing() -> NDArray[np.bool_]:
    return np.zeros(0, dtype=bool)


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that is known of N items when a list is made.

    Attributes
    ----------
    query : (N,) float
        The score of each item against the original query; NaN for an item that is not in the list.
    between : ItemScores or None
        The scores of the items with each other; None if they are not known.
    lists : (L, N) float
        Several lists of the same items, such as those of the expanded searches (QE) or of several
        systems: the score that each gives an item, NaN if it has not found the item. (0, N) for
        none.
    first_hits : (N,) bool
        What the first search (WS) ranks; the others come from expanded searches.
    found : (N,) bool, or (0,) for all
        What scored enough in one of the searches. The others only complete the ranking.
    ranked : tuple of RankedList
        The lists in their order, where that is known, so that nobody has to sort them again.
    """

    query: NDArray[np.float64]
    between: ItemScores | None
    lists: NDArray[np.float64]
    first_hits: NDArray[np.bool_]
    found: NDArray[np.bool_] = field(default_factory=_nothing)
    ranked: tuple[RankedList, ...] = ()

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.query)

    @cached_property
    def ranks(self) -> tuple[ListRanks, ...]:
        """The ranks of each list's items, found once for all fusions."""
        ranked = self.ranked or (RankedList.ordered("", scores) for scores in self.lists)
        return tuple(map(ListRanks.of, ranked))


@dataclass(frozen=True, eq=False)
class ListRanks:
    """The ranks in one list of K items.

    Attributes
    ----------
    item : (K,) int
        The items, best first.
    rank : (K,) float
        1 for the best. Items of equal score share the mean of their ranks, so that a fusion of
        ranks does not depend on the order of the items.
    """

    item: NDArray[np.int64]
    rank: NDArray[np.float64]

    @classmethod
    def of(cls, ranked: RankedList) -> ListRanks:
        """Rank the items of a list.

        Parameters
        ----------
        ranked : RankedList

        Examples
        --------
        >>> ListRanks.of(RankedList("a", [2, 0, 3], [0.9, 0.2, 0.2])).rank
        array([1. , 2.5, 2.5])
        """
        count, score = len(ranked), ranked.score
        rank = np.arange(1.0, count + 1)
        differs = score[1:] != score[:-1]
        if not differs.all():
            starts = np.concatenate([[0], np.flatnonzero(differs) + 1])
            sizes = np.diff(np.append(starts, count))
            rank = np.repeat(starts + (sizes + 1) / 2, sizes)
        return cls(ranked.item, rank)


@dataclass(frozen=True, eq=False)
class Choices:
    """What the user chooses; a fusion ignores what it does not use.

    Attributes
    ----------
    top : int
        n, the largest number of items that re-score the list.
    at_least : float
        The score against the query that these items need.
    fall : float
        How far the score of such an item may lie below the second best of them, which is the best
        one besides the query itself; ``inf`` for any distance. Rare words have few good items,
        and then the scores fall.
    weight : float
        A re-scoring item has the weight score ** ``weight``; with 0 all weights are the same, as in
        the paper.
    iterations : int
        How often consensus ranking is repeated on its own list.
    relevant, irrelevant : (N,) bool, or (0,) if nothing is judged
        Feedback: items that always re-score the list, and items that never do.
    more : dict of str to float
        Settings of single fusions by name (`Fusion.settings`).
    """

    top: int = 12
    at_least: float = 0.8
    weight: float = 0.0
    iterations: int = 1
    relevant: NDArray[np.bool_] = field(default_factory=_nothing)
    irrelevant: NDArray[np.bool_] = field(default_factory=_nothing)
    more: dict[str, float] = field(default_factory=dict)
    fall: float = inf

    __repr__ = short_repr


@dataclass(frozen=True)
class Setting:
    """A number that a fusion may be given.

    Attributes
    ----------
    name : str
        Its name in files and commands.
    title : str
        What it means, with its unit: a share, a power, a number of items.
    default : float
        Its default.
    """

    name: str
    title: str
    default: float


@dataclass(frozen=True)
class Fusion:
    """A way to score the items again.

    Attributes
    ----------
    name, title : str
        In commands and files, and for people.
    definition : str
        One sentence, with the formula and its source.
    fuse : callable
        ``fuse(evidence, choices) -> (N,) float``; NaN for items that are not in its list.
    needs : {"between", "lists", ""}
        What of the evidence it cannot do without.
    settings : tuple of Setting
        Further numbers that it may be given.
    comparable : bool
        Whether its scores are on the scale of the given scores, so that the same threshold purges
        them.
    """

    name: str
    title: str
    definition: str
    fuse: Callable[[Evidence, Choices], NDArray[np.float64]]
    needs: str = ""
    settings: tuple[Setting, ...] = ()
    comparable: bool = True


def fusions() -> dict[str, Fusion]:
    """All fusions by name: those in `spotlab.ranking.fusions`, and entry points of that name."""
    return discover("spotlab.ranking.fusions", Fusion)
