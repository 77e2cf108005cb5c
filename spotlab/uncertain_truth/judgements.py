"""Judgements of subjects, and how likely an item belongs to a category of their tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr


@dataclass(frozen=True)
class Flaw:
    """A reason why pairs do not make a tree.

    Attributes
    ----------
    pair : int
        Index of the pair that is wrong.
    problem : str
        Description for people.
    """

    pair: int
    problem: str


@dataclass(frozen=True, eq=False)
class CategoryTree:
    """A tree of categories; make it with `CategoryTree.of`.

    Attributes
    ----------
    categories : tuple of str
        C names, every parent before its children, the root first.
    parent : (C,) int
        Index of the parent of each category, -1 for the root.

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 5.
    """

    categories: tuple[str, ...]
    parent: NDArray[np.int64]

    __repr__ = short_repr

    @staticmethod
    def of(pairs: Sequence[tuple[str, str]]) -> CategoryTree:
        """Make a tree from pairs of a category and its parent.

        Parameters
        ----------
        pairs : sequence of (str, str)
            In any order. The parent of the root is the empty name, or the root has no pair of its
            own and is the only such parent.

        Returns
        -------
        CategoryTree
            In breadth-first order.

        Raises
        ------
        ValueError
            If there is no pair, a cycle, a second root, an unknown parent, or a category with two
            parents.

        Examples
        --------
        >>> tree = CategoryTree.of([("crowd", "people"), ("people", "all"), ("scenery", "all")])
        >>> tree.categories, tree.parent
        (('all', 'people', 'scenery', 'crowd'), array([-1,  0,  0,  1]))
        """
        if not pairs:
            raise ValueError("the tree has no category")
        flaws = find_flaws(pairs)
        if flaws:
            raise ValueError(flaws[0].problem)
        children: dict[str, list[str]] = {}
        for category, parent in pairs:
            children.setdefault(parent, []).append(category)
        order = list(children.get("") or _only_parents(pairs))
        parents = [-1]
        for at, name in enumerate(order):  # it grows while it is walked through
            order += children.get(name, [])
            parents += [at] * len(children.get(name, []))
        return CategoryTree(tuple(order), np.array(parents, np.int64))

    def __len__(self) -> int:
        return len(self.categories)

    @cached_property
    def number(self) -> dict[str, int]:
        """Index of each category by its name."""
        return {name: at for at, name in enumerate(self.categories)}

    @cached_property
    def depth(self) -> NDArray[np.int64]:
        """Number of steps to the root, (C,); 0 for the root."""
        depth = np.zeros(len(self), np.int64)
        for at in range(1, len(self)):
            depth[at] = depth[self.parent[at]] + 1
        return depth

    def ancestors(self, category: int) -> Iterator[int]:
        """Iterate over a category, its parent, and so on to the root.

        Parameters
        ----------
        category : int
            Index of the category.

        Returns
        -------
        iterator of int
            Indices of categories; the root is last.
        """
        while category >= 0:
            yield category
            category = int(self.parent[category])

    def common_ancestor(self, one: int, other: int) -> int:
        """The lowest category that two categories belong to.

        Parameters
        ----------
        one, other : int
            Indices of the categories.

        Returns
        -------
        int
            Index of their lowest common ancestor, which may be one of them.

        Examples
        --------
        >>> tree = CategoryTree.of([("crowd", "people"), ("people", "all"), ("scenery", "all")])
        >>> tree.categories[tree.common_ancestor(tree.number["crowd"], tree.number["scenery"])]
        'all'
        """
        above = set(self.ancestors(one))
        return next(category for category in self.ancestors(other) if category in above)

    def closeness(self, one: int) -> NDArray[np.float64]:
        """Closeness of every category to a given one.

        Parameters
        ----------
        one : int
            Index of the given category.

        Returns
        -------
        (C,) float
            In [0, 1]: 1 for the category and all below it, else the share of its depth that it has
            in common with the other one; 0 where that is the root alone. All 1 for the root.

        Examples
        --------
        >>> tree = CategoryTree.of([("crowd", "people"), ("people", "all"), ("scenery", "all")])
        >>> tree.closeness(tree.number["crowd"])  # all, people, scenery, crowd
        array([0. , 0.5, 0. , 1. ])
        """
        depth = int(self.depth[one])
        if depth == 0:
            return np.ones(len(self))
        together = [self.depth[self.common_ancestor(one, other)] for other in range(len(self))]
        return np.array(together, np.float64) / depth


def find_flaws(pairs: Sequence[tuple[str, str]]) -> list[Flaw]:
    """List all that keeps pairs of a category and its parent from being one tree.

    Parameters
    ----------
    pairs : sequence of (str, str)
        As `CategoryTree.of` takes them.

    Returns
    -------
    list of Flaw
        In the order of the pairs; empty if they are a tree.

    Examples
    --------
    >>> [flaw.problem for flaw in find_flaws([("all", ""), ("a", "b"), ("b", "a")])]
    ["the parents of 'a' run in a circle: a, b, a", "the parents of 'b' run in a circle: b, a, b"]
    """
    parent: dict[str, str] = {}
    flaws: list[Flaw] = []
    kept: list[int] = []
    for at, (category, above) in enumerate(pairs):
        if category in parent:
            if above == parent[category]:
                problem = f"the category {category!r} is there already"
            else:
                problem = f"the category {category!r} has the parent {parent[category]!r} already"
            flaws.append(Flaw(at, problem))
        else:
            parent[category] = above
            kept.append(at)
    tops = [name for name, above in parent.items() if not above]
    only = [name for name in _only_parents(pairs) if name]
    root = (tops or only or [""])[0]
    for at in kept:
        category, above = pairs[at]
        if not above and category != root:
            problem = f"{category!r} has no parent, but {root!r} is the root already"
        elif above in only and tops:
            problem = f"the parent {above!r} is no category of the tree"
        elif above in only and above != root:
            problem = f"the parent {above!r} has no parent, but {root!r} is the root already"
        elif circle := _circle(category, parent):
            problem = f"the parents of {category!r} run in a circle: {', '.join(circle)}"
        else:
            continue
        flaws.append(Flaw(at, problem))
    return sorted(flaws, key=lambda flaw: flaw.pair)


def _only_parents(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Parents that no pair has as a category, in their order; the empty name is among them."""
    categories = {category for category, _ in pairs}
    return [name for name in dict.fromkeys(above for _, above in pairs) if name not in categories]


def _circle(category: str, parent: dict[str, str]) -> list[str]:
    """The path up from a category back to itself; empty if there is none."""
    way, at = [category], parent.get(category, "")
    while at and len(way) <= len(parent):
        way.append(at)
        if at == category:
            return way
        at = parent.get(at, "")
    return []


Number = TypeVar("Number", np.float64, np.int64)


@dataclass(frozen=True, eq=False)
class Judgements:
    """Categories to which subjects assigned items.

    Attributes
    ----------
    tree : CategoryTree
        C categories.
    items, subjects : tuple of str
        Names of N items and of the subjects.
    item, subject, category : (K,) int
        One entry per judgement: its indices into items, subjects and categories.

    Raises
    ------
    ValueError
        If a subject judges an item twice, or an index is out of range.
    """

    tree: CategoryTree
    items: tuple[str, ...]
    subjects: tuple[str, ...]
    item: Ints
    subject: Ints
    category: Ints

    __repr__ = short_repr

    def __post_init__(self) -> None:
        sizes = (len(self.items), len(self.subjects), len(self.tree))
        for column, size in zip((self.item, self.subject, self.category), sizes, strict=True):
            if len(column) != len(self.item) or ((column < 0) | (column >= size)).any():
                raise ValueError("a judgement names what is not there")
        both = self.item * len(self.subjects) + self.subject
        once, count = np.unique(both, return_counts=True)
        if (count > 1).any():
            item, subject = divmod(int(once[count > 1][0]), len(self.subjects))
            raise ValueError(f"{self.subjects[subject]} judges {self.items[item]} twice")

    def __len__(self) -> int:
        return len(self.item)

    @staticmethod
    def of(tree: CategoryTree, rows: Sequence[tuple[str, str, str]]) -> Judgements:
        """Make judgements from names.

        Parameters
        ----------
        tree : CategoryTree
            The categories.
        rows : sequence of (str, str, str)
            A subject, an item, and the category to which the subject assigns the item.

        Returns
        -------
        Judgements
            Items and subjects in the order of first appearance.

        Raises
        ------
        ValueError
            If a category is not in the tree, or a subject judges an item twice.

        Examples
        --------
        >>> tree = CategoryTree.of([("people", "all")])
        >>> judgements = Judgements.of(tree, [("Ann", "1.png", "people"), ("Bob", "1.png", "all")])
        >>> judgements.items, judgements.counts.tolist()
        (('1.png',), [[1, 1]])
        """
        subjects = {name: at for at, name in enumerate(dict.fromkeys(row[0] for row in rows))}
        items = {name: at for at, name in enumerate(dict.fromkeys(row[1] for row in rows))}
        unknown = next((row[2] for row in rows if row[2] not in tree.number), None)
        if unknown is not None:
            raise ValueError(f"the category {unknown!r} is not in the tree")
        return Judgements(
            tree,
            tuple(items),
            tuple(subjects),
            np.array([items[row[1]] for row in rows], np.int64),
            np.array([subjects[row[0]] for row in rows], np.int64),
            np.array([tree.number[row[2]] for row in rows], np.int64),
        )

    @cached_property
    def number(self) -> dict[str, int]:
        """Index of each item by its name."""
        return {name: at for at, name in enumerate(self.items)}

    @cached_property
    def subject_counts(self) -> Ints:
        """Number of subjects that judged each item, (N,)."""
        return np.bincount(self.item, minlength=len(self.items))

    @cached_property
    def counts(self) -> Ints:
        """Number of subjects that assigned each item to exactly this category, (N, C)."""
        cells = np.bincount(
            self.item * len(self.tree) + self.category, minlength=len(self.items) * len(self.tree)
        )
        return cells.reshape(len(self.items), len(self.tree))


def direct_shares(judgements: Judgements) -> Floats:
    """Share of an item's subjects that assigned it to exactly each category.

    Parameters
    ----------
    judgements : Judgements
        Judgements of N items.

    Returns
    -------
    (N, C) float
        In [0, 1], each row summing to 1; a row of NaN for an item that nobody judged.

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 7.
    """
    return _shares(judgements.counts, judgements.subject_counts)


def relevance(judgements: Judgements) -> Floats:
    """p(ω|q): share of the subjects that assigned an item to a category or to one below it.

    Parameters
    ----------
    judgements : Judgements
        Judgements of N items.

    Returns
    -------
    (N, C) float
        In [0, 1], among those who judged the item; 1 for the root. A row of NaN for an item that
        nobody judged.

    Notes
    -----
    Santini, Benchmarking without ground truth, eqs. 6 to 8. Eq. 8 is applied from the bottom up, so
    that the sum includes all categories below. Counts are summed before division, so that the root
    has exactly 1.

    Examples
    --------
    The picture of Fig. 1: two subjects say people, one crowd, two city.

    >>> tree = CategoryTree.of([
    ...     ("people", "all"), ("scenery", "all"), ("single", "people"), ("group", "people"),
    ...     ("crowd", "people"), ("city", "scenery"), ("countryside", "scenery")])
    >>> said = ["people", "people", "crowd", "city", "city"]
    >>> judgements = Judgements.of(tree, [(f"S{i}", "Fig. 1", name) for i, name in enumerate(said)])
    >>> shares = relevance(judgements)[0].tolist()
    >>> {name: share for name, share in zip(tree.categories, shares) if share}
    {'all': 1.0, 'people': 0.6, 'scenery': 0.4, 'crowd': 0.2, 'city': 0.4}
    """
    counts = with_categories_below(judgements.tree, judgements.counts)
    return _shares(counts, judgements.subject_counts)


def with_categories_below(tree: CategoryTree, values: NDArray[Number]) -> NDArray[Number]:
    """Add to every category what all categories below it have.

    Parameters
    ----------
    tree : CategoryTree
        C categories.
    values : (N, C) int or float
        Values of N items.

    Returns
    -------
    (N, C) int or float
        The sums.

    Examples
    --------
    >>> tree = CategoryTree.of([("people", "all"), ("crowd", "people")])
    >>> with_categories_below(tree, np.array([[0, 2, 3]])).tolist()
    [[5, 5, 3]]
    """
    sums = values.copy()
    for at in range(len(tree) - 1, 0, -1):  # children stand behind their parents
        sums[:, tree.parent[at]] += sums[:, at]
    return sums


def expected_size(probability: Floats) -> Floats:
    """|ω|: expected number of items in each category.

    Parameters
    ----------
    probability : (N, C) float
        p(ω|q), in [0, 1]; items with NaN are left out.

    Returns
    -------
    (C,) float
        0 for a category to which no subject assigned anything.

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 9.

    Examples
    --------
    >>> expected_size(np.array([[1.0, 0.6, 0.0], [1.0, 0.2, 0.0], [np.nan, np.nan, np.nan]]))
    array([2. , 0.8, 0. ])
    """
    size: Floats = np.nansum(probability, axis=0)
    return size


def _shares(counts: Ints, of: Ints) -> Floats:
    shares = np.full(counts.shape, np.nan)
    np.divide(counts, of[:, None], out=shares, where=of[:, None] > 0)
    return shares


COMMON = 4.0  # judgements that the confusions common to all subjects count for in each category
RIGHT = 1.0  # further judgements in favour of being right
SPREAD = 1.0  # prior number of items of each category
ROUNDS = 200
STILL = 1e-5  # change of a probability
MOST_CONFUSIONS = 20_000_000  # numbers above which all subjects share one confusion matrix


def category_truth(judgements: Judgements, progress: Progress = silent) -> Floats:
    """Probability that the truth of every item is exactly each category.

    Parameters
    ----------
    judgements : Judgements
        Judgements of N items in C categories.
    progress : callable
        Called with the number of rounds done.

    Returns
    -------
    (N, C) float
        In [0, 1], with sum 1; 0 for a category that no subject named; a row of NaN for an item that
        nobody judged.

    Notes
    -----
    Dawid & Skene (1979), by expectation maximisation from the shares of the subjects. The prior of
    a subject's confusions is what all subjects confuse, so that a subject with few judgements is
    taken for an average one.

    Examples
    --------
    >>> from spotlab.uncertain_truth.judgements import CategoryTree
    >>> tree = CategoryTree.of([("cat", "all"), ("dog", "all")])
    >>> rows = [(s, f"{n}.png", "cat" if n % 2 or s == "Eve" else "dog")
    ...         for n in range(8) for s in ("Ann", "Bob", "Eve", "Dan")]
    >>> category_truth(Judgements.of(tree, rows)).round(2)[:2].tolist()
    [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    items, size = len(judgements.items), len(judgements.tree)
    truth = np.full((items, size), np.nan)
    if not len(judgements):
        return truth
    named, said = np.unique(judgements.category, return_inverse=True)
    judged = np.unique(judgements.item)
    model = _CategoryModel(judgements.item, judgements.subject, said, items, len(named))
    p = model.fit(len(judgements.subjects), progress)
    truth[judged] = 0.0
    truth[np.ix_(judged, named)] = p[judged]
    return truth


class _CategoryModel:
    """Judgements as (K,) indices of items, subjects and of the C categories that were named."""

    def __init__(
        self,
        item: NDArray[np.int64],
        subject: NDArray[np.int64],
        said: NDArray[np.int64],
        items: int,
        size: int,
    ) -> None:
        self.item, self.subject, self.said, self.items, self.size = item, subject, said, items, size

    def fit(self, subjects: int, progress: Progress) -> Floats:
        """Probability of each category, (N, C)."""
        pooled = subjects * self.size**2 > MOST_CONFUSIONS
        who = np.zeros_like(self.subject) if pooled else self.subject
        people = 1 if pooled else subjects
        start = np.eye(self.size)[self.said]
        p = self._by_item(start) + 1 / self.size
        p /= p.sum(axis=1, keepdims=True)
        for done in range(ROUNDS):
            progress(done, None, "learning how often subjects are right")
            confusion = np.log(self._confusions(p, who, people))
            odds = self._by_item(confusion[who, self.said])
            odds += np.log(p.sum(axis=0) + SPREAD)
            new = np.exp(odds - odds.max(axis=1, keepdims=True))
            new /= new.sum(axis=1, keepdims=True)
            still = np.abs(new - p).max() < STILL
            p = new
            if still:
                break
        return np.asarray(p)

    def _confusions(self, p: Floats, who: NDArray[np.int64], people: int) -> Floats:
        """Probability that a subject says a category of an item of each category, (J, C, C).

        The middle index is what is said.
        """
        size = self.size
        place = who * size + self.said
        counts = np.stack(
            [np.bincount(place, p[self.item, at], people * size) for at in range(size)], axis=1
        ).reshape(people, size, size)
        common = counts.sum(axis=0) + 1 / size + RIGHT * np.eye(size)
        common /= common.sum(axis=0)
        counts += COMMON * common + RIGHT * np.eye(size)
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def _by_item(self, values: Floats) -> Floats:
        """Sum of (K, C) values over the judgements of each item, (N, C)."""
        return np.stack(
            [np.bincount(self.item, values[:, at], self.items) for at in range(self.size)], axis=1
        )
