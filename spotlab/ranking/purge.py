"""Purging: what remains of a ranked list that is cut at a score, and where to cut it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.model.ranked_list import RankedList
from spotlab.ranking.precision import average_precision
from spotlab.representation import short_repr

RELEVANT, IRRELEVANT = 1, 0
BELOW = 0.5  # of how far the best score is above τ: the drop is searched as far below τ


@dataclass(frozen=True)
class PurgePoint:
    """Figures of the part of a list that remains after a cut.

    Attributes
    ----------
    kept, true, false, unknown : int
        Number of items that remain; how many of them are relevant, not relevant, and not judged.
    precision : float or None
        Share of relevant items among the judged ones that remain; None if there are none.
    recall : float or None
        Share of all relevant items that remain; None if nothing is relevant, or their number is not
        known.
    f : float or None
        Harmonic mean of both, 0 if both are 0; None if one of them is None.
    lost : int
        Number of relevant items of the list that do not remain.
    lost_share : float or None
        Their share of the relevant items of the list; None if it has none.
    removed : float or None
        Share of the false items of the list that do not remain; None if it has none.
    tied : int
        Number of items with the score at the cut, on both sides of it: any of them might have
        remained. Always 0 for a cut at a score.
    """

    kept: int
    true: int
    false: int
    unknown: int
    precision: float | None
    recall: float | None
    f: float | None
    lost: int
    lost_share: float | None
    removed: float | None
    tied: int


@dataclass(frozen=True)
class Suggestion:
    """A score to cut at.

    Attributes
    ----------
    name : {"tau", "best_f", "largest_drop"}
        Which rule suggests it.
    title : str
        The rule's name for people.
    threshold : float or None
        Items with this score or more remain; None if the rule suggests no score.
    reason : str
        Why this score, or why none.
    """

    name: str
    title: str
    threshold: float | None
    reason: str


@dataclass(frozen=True, eq=False)
class Purge:
    """A ranked list of K items, prepared so that any cut is known at once.

    Attributes
    ----------
    score : (K,) float
        Decreasing.
    true, false : (K + 1,) int
        Number of relevant and of irrelevant items among the first 0 to K.
    relevant_total : int or None
        Number of relevant items, in the list or not; None if it is not known.
    aside : int
        Number of items of the list that are not to be judged: 1 if it has the query itself.
    """

    score: NDArray[np.float64]
    true: NDArray[np.int64]
    false: NDArray[np.int64]
    relevant_total: int | None
    aside: int = 0

    __repr__ = short_repr

    @classmethod
    def of(
        cls,
        ranked: RankedList,
        relevance: NDArray[np.int8],
        relevant_total: int | None,
        aside: int = 0,
    ) -> Purge:
        """Count the relevant and irrelevant items of a list.

        Parameters
        ----------
        ranked : RankedList
            The list, of K of the N items.
        relevance : (N,) int
            1 for a relevant item, 0 for an irrelevant one, anything else if it is not known.
        relevant_total : int or None
            Number of relevant items, in the list or not; None if it is not known.
        aside : int
            Number of items of the list that are not to be judged.

        Returns
        -------
        Purge
            Empty for an empty list.

        Raises
        ------
        ValueError
            The list has more than ``relevant_total`` relevant items.

        Examples
        --------
        >>> ranked = RankedList.ordered("CR", np.array([0.9, 0.5, 0.8, 0.6]))
        >>> purge = Purge.of(ranked, np.array([1, 0, 1, -1]), 4)
        >>> purge.at(0.6).kept, purge.at(0.6).precision, purge.at(0.6).recall
        (3, 1.0, 0.5)
        """
        listed = np.asarray(relevance)[ranked.item]
        true, false = (
            np.concatenate([[0], np.cumsum(listed == kind)]) for kind in (RELEVANT, IRRELEVANT)
        )
        if relevant_total is not None and true[-1] > relevant_total:
            raise ValueError(
                f"{true[-1]} relevant items in the list, but only {relevant_total} in all"
            )
        return cls(ranked.score, true, false, relevant_total, aside)

    def __len__(self) -> int:
        return len(self.score)

    @property
    def judged(self) -> int:
        """Tell how many items of the list are known to be relevant or not."""
        return int(self.true[-1] + self.false[-1])

    @property
    def judgeable(self) -> int:
        """Tell how many items of the list may be judged: all but the query itself."""
        return len(self) - self.aside

    @property
    def one_sided(self) -> bool:
        """Tell whether relevant items are judged alone, and others not yet: precision is 1
        anywhere.
        """
        return bool(self.true[-1] and not self.false[-1] and self.judged < self.judgeable)

    def at(self, threshold: float) -> PurgePoint:
        """Return what remains if the list is cut at a score, in O(log K).

        Parameters
        ----------
        threshold : float
            Items with this score or more remain.

        Returns
        -------
        PurgePoint
            Of an empty list nothing remains.

        Raises
        ------
        ValueError
            The threshold is NaN.
        """
        if np.isnan(threshold):
            raise ValueError("a threshold that is not a number")
        return self._cut(self._above(threshold))

    def at_rank(self, rank: int) -> PurgePoint:
        """Return what remains if the list is cut after a rank.

        Parameters
        ----------
        rank : int
            Number of first items that remain; limited to 0 … K.

        Returns
        -------
        PurgePoint
            ``tied`` counts the items with the score at the cut, if it separates equal scores.
        """
        return self._cut(min(max(rank, 0), len(self)))

    def threshold_after(self, rank: int) -> float | None:
        """The score to cut at so that the first items remain, halfway to the next item's score.

        Parameters
        ----------
        rank : int
            Number of first items that shall remain.

        Returns
        -------
        float or None
            None for an empty list, or if the items on both sides have the same score.

        Examples
        --------
        >>> ranked = RankedList.ordered("NN", np.array([0.75, 0.25]))
        >>> Purge.of(ranked, np.zeros(2), 0).threshold_after(1)
        0.5
        """
        if not 0 < rank < len(self):
            return None if not len(self) else self._beside(rank)
        above, below = float(self.score[rank - 1]), float(self.score[rank])
        if above == below:
            return None
        half = below + (above - below) / 2
        return half if below < half <= above else above

    def suggestions(self, tau: float) -> tuple[Suggestion, ...]:
        """Tell where the list may be cut: at τ, where F is best, and at the largest drop below τ.

        Parameters
        ----------
        tau : float
            The score from which on an item counts as found in a search.

        Returns
        -------
        tuple of Suggestion
            Always three; their threshold is None if there is nothing to suggest.

        Notes
        -----
        Hast (2020), §6, sees the curve of scores drop where the true items end, advises against
        looking for that drop, and recommends a cut at τ "or a bit below".

        So the *largest drop* is searched only a bit below τ: it is the widest fall between two
        successive scores of which the lower one is below τ, and the upper one no farther below it
        than half as far as the best score is above it. Its cut never loses more than the one at τ.

        Without that limit the drop lay above τ in most lists of a search: on words of George
        Washington it lost a quarter of the true items where τ loses a twentieth.
        """
        at_tau = Suggestion("tau", "τ", float(tau), "the score from which on a search takes a word")
        return at_tau, self._best_f(), self._largest_drop(float(tau))

    def _above(self, threshold: float) -> int:
        return int(np.searchsorted(self._rising, -threshold, side="right"))

    @cached_property
    def _rising(self) -> NDArray[np.float64]:
        return -self.score

    def _beside(self, rank: int) -> float:
        """A score that keeps all items, or none."""
        return float(self.score[-1]) if rank > 0 else float(np.nextafter(self.score[0], np.inf))

    def _cut(self, kept: int) -> PurgePoint:
        true, false = int(self.true[kept]), int(self.false[kept])
        judged = true + false
        precision = true / judged if judged else None
        recall = true / self.relevant_total if self.relevant_total else None
        f = None
        if precision is not None and recall is not None:
            f = 2 * precision * recall / (precision + recall) if true else 0.0
        every_true, every_false = int(self.true[-1]), int(self.false[-1])
        lost = every_true - true
        return PurgePoint(
            kept, true, false, kept - judged, precision, recall, f, lost,
            lost / every_true if every_true else None,
            1 - false / every_false if every_false else None,
            self._tied(kept),
        )  # fmt: skip

    def _tied(self, kept: int) -> int:
        if not 0 < kept < len(self) or self.score[kept - 1] != self.score[kept]:
            return 0
        first = np.searchsorted(self._rising, -self.score[kept], side="left")
        return self._above(float(self.score[kept])) - int(first)

    def _best_f(self) -> Suggestion:
        def suggestion(threshold: float | None, reason: str) -> Suggestion:
            return Suggestion("best_f", "best F", threshold, reason)

        if self.relevant_total is None:
            return suggestion(None, "it is not known how many items are relevant")
        if not self.true[-1]:
            judged = bool(self.false[-1])
            kind = "is relevant" if judged else "has been judged"
            return suggestion(None, f"no item of the list {kind}")
        # a cut at a score lies only between different scores; F = 2 TP / (judged + relevant)
        ends = np.append(np.flatnonzero(self.score[1:] != self.score[:-1]) + 1, len(self))
        true = self.true[ends]
        f = 2 * true / (true + self.false[ends] + self.relevant_total)
        best = int(np.argmax(f))
        count = int(ends[best])
        return suggestion(
            self.threshold_after(count), f"F is {f[best]:.3f} with {count} items kept"
        )

    def _largest_drop(self, tau: float) -> Suggestion:
        def suggestion(threshold: float | None, reason: str) -> Suggestion:
            return Suggestion("largest_drop", "largest drop below τ", threshold, reason)

        known = np.flatnonzero(np.isfinite(self.score))
        score = self.score[known]
        if not len(score) or score[0] < tau:
            return suggestion(None, "no score reaches τ")
        lowest = tau - BELOW * (float(score[0]) - tau)
        fall = np.where((score[1:] < tau) & (score[:-1] >= lowest), score[:-1] - score[1:], 0.0)
        if not fall.any():
            return suggestion(None, "no score is below τ")
        best = int(np.argmax(fall))
        kept = int(known[best]) + 1
        after = self.threshold_after(kept)
        assert after is not None  # scores differ there
        reason = f"the score falls by {fall[best]:.3f} after rank {kept}"
        return suggestion(min(after, tau), reason)


@dataclass(frozen=True, eq=False)
class ItemTruth:
    """Relevance of N items to a query.

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
