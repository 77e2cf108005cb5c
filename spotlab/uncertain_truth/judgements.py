"""Relevance as the share of the subjects that assign an item to a category.

Santini, Benchmarking without ground truth, eqs. 6 to 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.representation import short_repr
from spotlab.uncertain_truth.tree import CategoryTree

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
            self.item * len(self.tree) + self.category,
            minlength=len(self.items) * len(self.tree),
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
