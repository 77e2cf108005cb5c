"""Probability that an item belongs to a category, learned from how the subjects agree.

Dawid & Skene (1979) with several categories. A share of subjects is no probability of truth: if
many are right more often than not, .86 of them can mean .99.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.progress import Progress, silent
from spotlab.uncertain_truth.judgements import Judgements

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
    >>> from spotlab.uncertain_truth.tree import CategoryTree
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
