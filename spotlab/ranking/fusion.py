"""A fusion makes one ranked list of several, or a better list of one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from math import inf
from typing import Protocol, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import sparse
from spotlab.model.ranked_list import RankedList
from spotlab.registry import discover
from spotlab.representation import short_repr


class ItemScores(Protocol):
    """The symmetric scores of N items with each other; a larger score means more alike."""

    def __len__(self) -> int:
        """N."""

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """The scores of some items with all items.

        Parameters
        ----------
        items : (K,) int
            Places of items.

        Returns
        -------
        (K, N) float
            NaN where a score is unknown.
        """

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """Restrict the scores to some items.

        Parameters
        ----------
        items : (K,) int
            Places of items, which are numbered anew in this order.

        Returns
        -------
        ItemScores
            The scores of these K items with each other.
        """


@dataclass(frozen=True, eq=False)
class MatrixScores:
    """Scores that are stored.

    Attributes
    ----------
    matrix : (N, N) float
        Symmetric; NaN where a score is unknown.

    Raises
    ------
    ValueError
        The matrix is not square.
    """

    matrix: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or self.matrix.shape[0] != self.matrix.shape[1]:
            raise ValueError(f"a score matrix is square, not {self.matrix.shape}")

    def __len__(self) -> int:
        return len(self.matrix)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `ItemScores.rows`."""
        return self.matrix[items]

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """See `ItemScores.among`."""
        return MatrixScores(self.matrix[np.ix_(items, items)])


@dataclass(frozen=True, eq=False)
class FeatureScores:
    """Cosines of descriptors, computed where they are needed.

    Attributes
    ----------
    features : (N, D) float32
        Rows of length 1.

    Examples
    --------
    >>> FeatureScores(np.eye(2)).rows(np.array([1]))
    array([[0., 1.]])
    """

    features: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.features)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `ItemScores.rows`."""
        return np.asarray(self.features[items] @ self.features.T, dtype=np.float64)

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """See `ItemScores.among`."""
        return FeatureScores(self.features[items])


@dataclass(frozen=True, eq=False)
class PartialScores:
    """Scores that are known for some of N items only.

    Attributes
    ----------
    scores : ItemScores
        Of all N items; those of unknown items mean nothing.
    known : (N,) bool
        Whether the scores of each item are known.

    Examples
    --------
    >>> PartialScores(MatrixScores(np.eye(2)), np.array([True, False])).rows(np.array([0]))
    array([[ 1., nan]])
    """

    scores: ItemScores
    known: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.scores)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `ItemScores.rows`."""
        rows = np.array(self.scores.rows(items), np.float64)
        rows[:, ~self.known] = np.nan
        rows[~self.known[items]] = np.nan
        return rows

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """See `ItemScores.among`."""
        return PartialScores(self.scores.among(items), self.known[items])


Made = TypeVar("Made")

BLOCK = 128  # rows of scores at a time, so that what is in between stays in the cache
KEPT = 32  # so that graphs of fewer neighbours share one search

_made: WeakKeyDictionary[ItemScores, dict[Hashable, object]] = WeakKeyDictionary()


def remember(between: ItemScores, key: Hashable, make: Callable[[], Made]) -> Made:
    """Compute what does not depend on a query once, and keep it as long as the scores exist.

    Parameters
    ----------
    between : ItemScores
        The scores that it is computed from.
    key : hashable
        What it is, with all settings that it depends on.
    make : callable
        Computes it.

    Returns
    -------
    object
        What ``make`` returned the first time.

    Examples
    --------
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> between = MatrixScores(np.eye(2))
    >>> remember(between, "size", lambda: 2), remember(between, "size", lambda: 3)
    (2, 2)
    """
    kept = _made.setdefault(between, {})
    if key not in kept:
        kept[key] = make()
    return cast(Made, kept[key])


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The k nearest neighbours of each of N items, without the item itself.

    Attributes
    ----------
    item : (N, k) int
        Places of the neighbours, best first.
    score : (N, k) float
        Their scores; −inf if there is no such neighbour because its score is unknown.
    """

    item: NDArray[np.int64]
    score: NDArray[np.float64]

    def first(self, count: int) -> Neighbours:
        """Keep the nearest neighbours only.

        Parameters
        ----------
        count : int
            How many, at most.

        Returns
        -------
        Neighbours
            Of shape (N, count), or (N, k) if k is smaller.
        """
        return Neighbours(self.item[:, :count], self.score[:, :count])

    def with_itself(self, score: float = np.inf) -> Neighbours:
        """Put each item first among its own neighbours.

        Parameters
        ----------
        score : float
            The score of an item with itself.

        Returns
        -------
        Neighbours
            Of shape (N, k + 1).
        """
        count = len(self.item)
        return Neighbours(
            np.hstack([np.arange(count)[:, None], self.item]),
            np.hstack([np.full((count, 1), score), self.score]),
        )

    def matrix(self, values: NDArray[np.float64]) -> sparse.csr_array:
        """Put values of the neighbours into a sparse matrix.

        Parameters
        ----------
        values : (N, k) float
            One for each neighbour of each item.

        Returns
        -------
        (N, N) csr_array
            Zeros and values of unknown neighbours are left out.
        """
        count, width = self.item.shape
        starts = np.arange(count + 1) * width
        matrix = sparse.csr_array(
            (np.where(np.isneginf(self.score), 0.0, values).ravel(), self.item.ravel(), starts),
            shape=(count, count),
        )
        matrix.sort_indices()
        matrix.eliminate_zeros()
        return matrix


def find_neighbours(between: ItemScores, count: int) -> Neighbours:
    """Find the nearest neighbours of each item.

    Parameters
    ----------
    between : ItemScores
        Scores of N items. The neighbours are kept as long as this exists.
    count : int
        k; no item has more than N − 1 neighbours.

    Returns
    -------
    Neighbours
        Of shape (N, k); empty for a single item.

    Examples
    --------
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> between = MatrixScores(np.array([[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]]))
    >>> find_neighbours(between, 1).item.ravel()
    array([1, 0, 1])
    """
    searched = max(count, KEPT)
    neighbours = remember(between, ("nearest", searched), lambda: _search(between, searched))
    return neighbours.first(count)


def _search(between: ItemScores, count: int) -> Neighbours:
    total = len(between)
    count = min(count, max(total - 1, 0))
    item = np.empty((total, count), dtype=np.int64)
    score = np.empty((total, count))
    for start in range(0, total, BLOCK) if count else ():
        own = np.arange(start, min(start + BLOCK, total))
        rows = np.array(between.rows(own), dtype=np.float64)
        rows[np.isnan(rows)] = -np.inf
        rows[np.arange(len(own)), own] = -np.inf
        best = np.argpartition(rows, total - count, axis=1)[:, total - count :]
        values = np.take_along_axis(rows, best, axis=1)
        order = np.argsort(-values, axis=1, kind="stable")
        item[own] = np.take_along_axis(best, order, axis=1)
        score[own] = np.take_along_axis(values, order, axis=1)
    return Neighbours(item, score)


def pair_scores(
    between: ItemScores, one: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The scores of pairs of items.

    Parameters
    ----------
    between : ItemScores
        Scores of N items.
    one, other : (P,) int
        Places of the items of each pair.

    Returns
    -------
    (P,) float
        An unknown score is −inf, and 1 of an item with itself.

    Notes
    -----
    Rows are computed a block at a time, so the whole matrix is never in memory.

    Examples
    --------
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> between = MatrixScores(np.array([[1, 0.8], [0.8, 1]]))
    >>> pair_scores(between, np.array([0, 1]), np.array([1, 1]))
    array([0.8, 1. ])
    """
    result = np.empty(len(one))
    order = np.argsort(one, kind="stable")
    for start in range(0, len(between), BLOCK):
        stop = min(start + BLOCK, len(between))
        first, last = np.searchsorted(one, [start, stop], sorter=order)
        if first < last:
            here = order[first:last]
            result[here] = between.rows(np.arange(start, stop))[one[here] - start, other[here]]
    return np.where(np.isnan(result), np.where(one == other, 1.0, -np.inf), result)


def representative_queries(matrix: NDArray[np.float64], count: int = 3) -> NDArray[np.int64]:
    """The items that are most similar to the others.

    Parameters
    ----------
    matrix : (n, n) float
        Scores of items with each other; a larger score means more alike. NaN is unknown.
    count : int
        How many items, at most.

    Returns
    -------
    (k,) int
        The columns of highest mean, without the diagonal, highest first; equal ones in order. Items
        without any score with another one are never among them.

    Notes
    -----
    Hast (2020), §4.

    Examples
    --------
    >>> matrix = np.array([[1, 0.9, 0.2], [0.9, 1, 0.4], [0.2, 0.4, 1]])
    >>> representative_queries(matrix, 1)
    array([1])
    """
    means = column_means(matrix)
    return _first(-means, count)


def difficult_queries(matrix: NDArray[np.float64], count: int = 3) -> NDArray[np.int64]:
    """The items that are least similar to the others.

    Parameters
    ----------
    matrix : (n, n) float
        See `representative_queries`.
    count : int
        How many items, at most.

    Returns
    -------
    (k,) int
        The columns of lowest mean, lowest first; otherwise as `representative_queries`.

    Notes
    -----
    Hast (2020), §4.

    Examples
    --------
    >>> matrix = np.array([[1, 0.9, 0.2], [0.9, 1, 0.4], [0.2, 0.4, 1]])
    >>> difficult_queries(matrix, 1)
    array([2])
    """
    return _first(column_means(matrix), count)


def column_means(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean score of each item with the others.

    Parameters
    ----------
    matrix : (n, n) float
        Scores of items with each other; NaN is unknown.

    Returns
    -------
    (n,) float
        NaN for an item without any score with another one.

    Raises
    ------
    ValueError
        The matrix is not square.

    Examples
    --------
    >>> column_means(np.array([[1, 0.5], [np.nan, 1]]))
    array([nan, 0.5])
    """
    matrix = np.asarray(matrix, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"a score matrix is square, not {matrix.shape}")
    there = ~np.isnan(matrix) & ~np.eye(len(matrix), dtype=bool)
    total = np.where(there, matrix, 0.0).sum(axis=0)
    with np.errstate(invalid="ignore"):
        means: NDArray[np.float64] = total / there.sum(axis=0)
    return means


def _first(means: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    order = np.argsort(means, kind="stable")  # NaN goes last
    return order[: min(max(count, 0), np.count_nonzero(~np.isnan(means)))]


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
    """Settings chosen by the user; a fusion ignores those that it does not use.

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
    names : tuple of (str, str)
        Where the numbers from 0 on stand for kinds: the name of each in commands, and for people.
    """

    name: str
    title: str
    default: float
    names: tuple[tuple[str, str], ...] = ()

    def value(self, given: float | str) -> float:
        """Return the number that was given, or that a name stands for.

        Parameters
        ----------
        given : float or str

        Raises
        ------
        ValueError
            It is neither.

        Examples
        --------
        >>> NORMALISE.value("min_max"), NORMALISE.value("2")
        (1.0, 2.0)
        """
        known = [name for name, _ in self.names]
        if given in known:
            return float(known.index(str(given)))
        with suppress(ValueError):
            return float(given)
        expected = f"expected {', '.join(known)}" if known else "not a number"
        raise ValueError(f"{self.name} is {str(given)[:40]!r}; {expected}")


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
    """All fusions in order of name: of `spotlab.ranking.fusions`, and entry points of that name."""
    return dict(sorted(discover("spotlab.ranking.fusions", Fusion).items()))


def setting_value(
    choices: Choices, setting: Setting, minimum: float = -inf, below: float = inf
) -> float:
    """Look up the value of a setting.

    Parameters
    ----------
    choices : Choices
        Values by name are in ``choices.more``.
    setting : Setting
        Its name and default.
    minimum : float
        Smallest value allowed, in the setting's own unit (a share, a power, a number of items).
    below : float
        The value has to be below this one.

    Returns
    -------
    float
        The default if nothing was chosen.

    Raises
    ------
    ValueError
        The value is less than ``minimum``, or not below ``below``.

    Examples
    --------
    >>> setting_value(Choices(more={"reach": 0.9}), Setting("reach", "How far", 0.95))
    0.9
    """
    value = choices.more.get(setting.name, setting.default)
    if not minimum <= value < below:
        raise ValueError(
            f"{setting.name} is {value:g}; expected {minimum:g} or more, below {below:g}"
        )
    return value


def setting_count(choices: Choices, setting: Setting, minimum: int = 1) -> int:
    """Look up a setting that is a number of items.

    Parameters
    ----------
    choices : Choices
        Values by name are in ``choices.more``.
    setting : Setting
        Its name and default.
    minimum : int
        Smallest value allowed.

    Returns
    -------
    int
        Rounded to the nearest whole number.

    Raises
    ------
    ValueError
        The value is less than ``minimum``.

    Examples
    --------
    >>> setting_count(Choices(), Setting("neighbours", "Number of neighbours", 8.0))
    8
    """
    return round(setting_value(choices, setting, minimum))


class Normalisation(IntEnum):
    """Normalisation of the scores of each list before lists are fused.

    Scores of one scoring function need no normalisation (Hast (2020), §2); those of different
    systems do.
    """

    NONE = 0
    """As they are."""
    MIN_MAX = 1
    """(s − min) / (max − min): from 0 to 1; 1 for all where all are the same."""
    SUM = 2
    """(s − min) / sum of these: the list sums to 1; 1/K each where all K are the same."""
    STANDARD = 3
    """(s − mean) / standard deviation; 0 for all where all are the same."""


NORMALISE = Setting(
    "normalise",
    "Scores of each list before they are fused: as they are (none), from 0 to 1 (min_max), with "
    "the sum 1 (sum), or in standard deviations from their mean (standard)",
    0.0,
    (
        ("none", "As they are"),
        ("min_max", "Min–max"),
        ("sum", "Sum to 1"),
        ("standard", "Standard deviations"),
    ),
)


def stack_lists(lists: Sequence[RankedList], count: int) -> NDArray[np.float64]:
    """Align lists of the same items.

    Parameters
    ----------
    lists : sequence of RankedList
        L lists.
    count : int
        N, the number of items.

    Returns
    -------
    (L, N) float
        The score that each list gives each item; NaN if the list does not have the item.

    Examples
    --------
    >>> stack_lists([RankedList("a", [2, 0], [0.9, 0.5])], 3)
    array([[0.5, nan, 0.9]])
    """
    scores = np.full((len(lists), count), np.nan)
    for row, ranked in zip(scores, lists, strict=True):
        row[ranked.item] = ranked.score
    return scores


def normalise(lists: NDArray[np.float64], how: Normalisation) -> NDArray[np.float64]:
    """Bring the scores of each list to one scale.

    Parameters
    ----------
    lists : (L, N) float
        NaN if a list does not have an item.
    how : Normalisation
        What to do.

    Returns
    -------
    (L, N) float
        NaN stays NaN; `Normalisation` says what a list of equal scores gives.

    Notes
    -----
    Montague & Aslam (2001); Wu, Crestani & Bi (2006).

    Examples
    --------
    >>> normalise(np.array([[1.0, 3.0, np.nan, 2.0]]), Normalisation.MIN_MAX)
    array([[0. , 1. , nan, 0.5]])
    """
    if how is Normalisation.NONE or not lists.size:
        return lists
    result = np.full(lists.shape, np.nan)
    for row, into in zip(lists, result, strict=True):
        is_listed = ~np.isnan(row)
        if is_listed.any():
            into[is_listed] = _normalise_one(row[is_listed], how)
    return result


def _normalise_one(scores: NDArray[np.float64], how: Normalisation) -> NDArray[np.float64]:
    low, high = scores.min(), scores.max()
    if high == low:
        same = {Normalisation.MIN_MAX: 1.0, Normalisation.SUM: 1 / len(scores)}
        return np.full(len(scores), same.get(how, 0.0))
    if how is Normalisation.STANDARD:
        return np.asarray((scores - scores.mean()) / scores.std())
    shifted = scores - low
    return np.asarray(shifted / (shifted.sum() if how is Normalisation.SUM else high - low))


def normalise_by_setting(lists: NDArray[np.float64], choices: Choices) -> NDArray[np.float64]:
    """Normalise lists as the setting "normalise" says.

    Parameters
    ----------
    lists : (L, N) float
        NaN if a list does not have an item.
    choices : Choices
        ``choices.more["normalise"]`` is the number of a `Normalisation`.

    Returns
    -------
    (L, N) float
        See `normalise`.

    Raises
    ------
    ValueError
        There is no normalisation of that number.

    Examples
    --------
    >>> normalise_by_setting(np.array([[1.0, 3.0, 2.0]]), Choices(more={"normalise": 1}))
    array([[0. , 1. , 0.5]])
    """
    return normalise(lists, Normalisation(int(choices.more.get(NORMALISE.name, NORMALISE.default))))


def sum_scores(lists: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Sum the scores that the lists give each item.

    Parameters
    ----------
    lists : (L, N) float
        NaN if a list does not have an item.

    Returns
    -------
    total : (N,) float
        Sum of scores; 0 for an item that no list has.
    count : (N,) int
        How many lists have the item.
    """
    total = np.zeros(lists.shape[1])
    count = np.zeros(lists.shape[1], dtype=np.int64)
    for row in lists:  # list by list: what is added to stays in the cache
        is_listed = ~np.isnan(row)
        np.add(total, row, out=total, where=is_listed)
        count += is_listed
    return total, count


def mean_scores(lists: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean score over the lists that have an item.

    Parameters
    ----------
    lists : (L, N) float
        NaN if a list does not have an item.

    Returns
    -------
    (N,) float
        NaN for an item that no list has.

    Examples
    --------
    >>> mean_scores(np.array([[0.9, np.nan, np.nan], [0.7, 0.6, np.nan]]))
    array([0.8, 0.6, nan])
    """
    total, count = sum_scores(lists)
    return mask_missing(total / np.maximum(count, 1), count)


def mask_missing(scores: NDArray[np.float64], count: NDArray[np.int64]) -> NDArray[np.float64]:
    """Keep the scores of the items that some list has.

    Parameters
    ----------
    scores : (N,) float
        Scores of all items.
    count : (N,) int
        How many lists have each item.

    Returns
    -------
    (N,) float
        NaN for an item that no list has.

    Examples
    --------
    >>> mask_missing(np.array([0.5, 0.0]), np.array([2, 0]))
    array([0.5, nan])
    """
    return np.where(count > 0, scores, np.nan)


def count_lists(lists: NDArray[np.float64]) -> NDArray[np.int64]:
    """Count the lists that have each item.

    Parameters
    ----------
    lists : (L, N) float
        NaN if a list does not have an item.

    Returns
    -------
    (N,) int

    Examples
    --------
    >>> count_lists(np.array([[0.9, np.nan, np.nan], [0.7, 0.6, np.nan]]))
    array([2, 1, 0])
    """
    count = np.zeros(lists.shape[1], dtype=np.int64)
    for row in lists:
        count += ~np.isnan(row)
    return count


def feedback_mask(mask: NDArray[np.bool_], count: int) -> NDArray[np.bool_]:
    """Feedback as one flag per item, also if nothing was judged.

    Parameters
    ----------
    mask : (N,) or (0,) bool
        Items that were judged so; empty if nothing was judged.
    count : int
        N, the number of items.

    Returns
    -------
    (N,) bool
        All False if nothing was judged.

    Examples
    --------
    >>> feedback_mask(np.zeros(0, dtype=bool), 2)
    array([False, False])
    """
    return np.asarray(mask, dtype=bool) if len(mask) else np.zeros(count, dtype=bool)


def choose_re_scoring(scores: NDArray[np.float64], choices: Choices) -> NDArray[np.int64]:
    """Choose the items that re-score a list.

    These are the best ``choices.top`` items with a score of ``choices.at_least`` or more, without
    those judged irrelevant (the next one moves up), and every item judged relevant, whatever its
    score. Those that lie more than ``choices.fall`` below the second best are left out.

    Parameters
    ----------
    scores : (N,) float
        Scores of the list; NaN for an item that is not in it.
    choices : Choices
        How many items, which score they need, and what was judged.

    Returns
    -------
    (K,) int
        Places of items, best first, then those judged relevant that are not among the best; of
        equal scores the earlier item first. Empty if no item is good enough.

    Notes
    -----
    Hast (2020), §3; feedback is an addition.

    Examples
    --------
    >>> scores = np.array([0.5, 0.9, 0.85, np.nan, 0.95])
    >>> choose_re_scoring(scores, Choices(top=2))
    array([4, 1])
    >>> choose_re_scoring(scores, Choices(top=2, irrelevant=np.arange(5) == 4))
    array([1, 2])
    >>> choose_re_scoring(scores, Choices(top=3, fall=0.01))
    array([4, 1])
    """
    count = len(scores)
    relevant = feedback_mask(choices.relevant, count)
    able = scores >= choices.at_least  # False for NaN
    able &= ~feedback_mask(choices.irrelevant, count)
    candidates = np.flatnonzero(able)
    best = candidates[np.argsort(-scores[candidates], kind="stable")][: max(choices.top, 0)]
    if len(best) > 1:
        best = best[scores[best] >= scores[best[1]] - choices.fall]
    return np.concatenate([best, np.setdiff1d(np.flatnonzero(relevant), best)])


def re_scoring_weights(
    scores: NDArray[np.float64], chosen: NDArray[np.int64], choices: Choices, power: float
) -> NDArray[np.float64]:
    """The weight of each re-scoring item, score ** power.

    Parameters
    ----------
    scores : (N,) float
        Scores of the list; NaN for an item that is not in it.
    chosen : (K,) int
        Places of the re-scoring items.
    choices : Choices
        What was judged.
    power : float
        0 gives all items the same weight.

    Returns
    -------
    (K,) float
        1 for an item judged relevant, whatever its score.

    Examples
    --------
    >>> re_scoring_weights(np.array([0.5, 0.9]), np.array([1]), Choices(), 2.0).round(2)
    array([0.81])
    """
    relevant = feedback_mask(choices.relevant, len(scores))[chosen]
    known = np.nan_to_num(scores[chosen], nan=0.0)
    return np.where(relevant, 1.0, np.maximum(known, 0.0) ** power)


def re_score(
    scores: NDArray[np.float64], between: ItemScores, choices: Choices
) -> NDArray[np.float64]:
    """Re-score a list by consensus.

    ``new(i) = Σ_k w_k s(k, i) / Σ_k w_k`` over the re-scoring items k with
    ``w_k = score(k) ** choices.weight``; with weight 0 this is the plain mean of the paper.

    Parameters
    ----------
    scores : (N,) float
        Scores of the list; NaN for an item that is not in it, which stays out.
    between : ItemScores
        Scores of the items with each other; NaN is left out of the mean.
    choices : Choices
        In every one of ``iterations`` the last list chooses the re-scoring items by its own scores.

    Returns
    -------
    (N,) float
        On the scale of ``between``; the given scores if no item re-scores.

    Notes
    -----
    Hast (2020), §3. Only the rows of the re-scoring items are computed, in O(n · N).

    Examples
    --------
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> between = MatrixScores(np.array([[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]]))
    >>> re_score(np.array([0.9, 0.85, 0.6]), between, Choices(top=2)).round(2)
    array([0.9, 0.9, 0.3])
    """
    current = np.array(scores, dtype=np.float64)
    within = ~np.isnan(current)
    for _ in range(choices.iterations):
        chosen = choose_re_scoring(current, choices)
        weights = re_scoring_weights(current, chosen, choices, choices.weight)
        if not weights.any():
            break
        new = _weighted_mean(between.rows(chosen), weights)
        current = np.where(within, new, np.nan)
    return current


def _weighted_mean(rows: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,) weighted mean of (K, N) rows without unknown scores; NaN where all are unknown."""
    unknown = np.isnan(rows)
    if not unknown.any():
        return np.asarray(weights @ rows / weights.sum(), dtype=np.float64)
    total = weights @ ~unknown
    mean = weights @ np.where(unknown, 0.0, rows) / np.where(total > 0, total, 1.0)
    return np.where(total > 0, mean, np.nan)
