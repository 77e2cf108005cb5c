"""What share of the subjects finds an item in a category, and how large categories are expected.

Santini, Benchmarking without ground truth, eqs. 6 to 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.representation import short_repr
from spotlab.uncertain.tree import CategoryTree

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Judged:
    """Which category each subject has assigned each item to.

    Attributes
    ----------
    tree : CategoryTree
        Of C categories.
    items, subjects : tuple of str
    item, subject, category : (K,) int
        One entry a judgement, positions in the names above.

    Raises
    ------
    ValueError
        A subject judges an item twice, or a position is out of range.
    """

    tree: CategoryTree
    items: tuple[str, ...]
    subjects: tuple[str, ...]
    item: Numbers
    subject: Numbers
    category: Numbers

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
    def of(tree: CategoryTree, rows: Sequence[tuple[str, str, str]]) -> Judged:
        """Judgements of names: a subject, an item, and the category it is assigned to.

        Raises
        ------
        ValueError
            A category is not in the tree, or a subject judges an item twice.
        """
        subjects = {name: at for at, name in enumerate(dict.fromkeys(row[0] for row in rows))}
        items = {name: at for at, name in enumerate(dict.fromkeys(row[1] for row in rows))}
        unknown = next((row[2] for row in rows if row[2] not in tree.number), None)
        if unknown is not None:
            raise ValueError(f"the category {unknown!r} is not in the tree")
        return Judged(
            tree,
            tuple(items),
            tuple(subjects),
            np.array([items[row[1]] for row in rows], np.int64),
            np.array([subjects[row[0]] for row in rows], np.int64),
            np.array([tree.number[row[2]] for row in rows], np.int64),
        )

    @cached_property
    def number(self) -> dict[str, int]:
        """The position of each item's name."""
        return {name: at for at, name in enumerate(self.items)}

    @cached_property
    def judgements_of(self) -> Numbers:
        """(N,) How many subjects have judged each item."""
        return np.bincount(self.item, minlength=len(self.items))

    @cached_property
    def counts(self) -> Numbers:
        """(N, C) How many subjects assigned each item to just this category."""
        cells = np.bincount(
            self.item * len(self.tree) + self.category,
            minlength=len(self.items) * len(self.tree),
        )
        return cells.reshape(len(self.items), len(self.tree))


def direct_shares(judged: Judged) -> Floats:
    """Which share of an item's subjects assigned it to just this category; they sum to 1.

    Returns
    -------
    (N, C) float
        NaN in the whole row of an item that nobody judged.
    """
    return _shares(judged.counts, judged.judgements_of)


def relevance(judged: Judged) -> Floats:
    """p(ω|q): the share of the subjects that assigned an item to a category or to one below it.

    Returns
    -------
    (N, C) float
        Among those who judged the item; the root has 1. NaN in the whole row of an item that
        nobody judged: undefined.

    Notes
    -----
    Santini, Benchmarking without ground truth, eqs. 6 to 8. Eq. 8 is applied from the bottom up, so
    that the sum goes over all that is below. The subjects are counted before they are divided, so
    that the root has exactly 1.

    Examples
    --------
    The picture of Fig. 1: two say people, one crowd, two city.

    >>> tree = CategoryTree.of([
    ...     ("people", "all"), ("scenery", "all"), ("single", "people"), ("group", "people"),
    ...     ("crowd", "people"), ("city", "scenery"), ("countryside", "scenery")])
    >>> said = ["people", "people", "crowd", "city", "city"]
    >>> judged = Judged.of(tree, [(f"S{i}", "Fig. 1", name) for i, name in enumerate(said)])
    >>> dict(zip(tree.categories, relevance(judged)[0].tolist()))  # doctest: +NORMALIZE_WHITESPACE
    {'all': 1.0, 'people': 0.6, 'scenery': 0.4, 'single': 0.0, 'group': 0.0, 'crowd': 0.2,
     'city': 0.4, 'countryside': 0.0}
    """
    counts = judged.counts.copy()
    for at in range(len(judged.tree) - 1, 0, -1):  # children stand behind their parents
        counts[:, judged.tree.parent[at]] += counts[:, at]
    return _shares(counts, judged.judgements_of)


def expected_size(probability: Floats) -> Floats:
    """|ω|: how many items a category is expected to have.

    Parameters
    ----------
    probability : (N, C) float
        p(ω|q), NaN for items that nobody judged; they don't count.

    Returns
    -------
    (C,) float
        0 for a category that no subject assigned anything to.

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


def _shares(counts: Numbers, of: Numbers) -> Floats:
    shares = np.full(counts.shape, np.nan)
    np.divide(counts, of[:, None], out=shares, where=of[:, None] > 0)
    return shares
