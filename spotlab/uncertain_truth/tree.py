"""Categories in a tree: an item of a category also belongs to all categories above it.

Santini, Benchmarking without ground truth, section 4 and eq. 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

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
