"""Precision and recall of a ranked answer as distributions, cut-off by cut-off.

Santini, Benchmarking without ground truth, eqs. 10 to 14. Where the paper divides probabilities by
n and by |ω| (eqs. 11 and 12), a density, these are the probabilities of each number of relevant
items. They describe how the subjects agree, not what is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.uncertain.distributions import Distribution, mix
from spotlab.uncertain.relevant_items import numbers_of_relevant

Floats = NDArray[np.float64]

SHARES = np.array([0.5, 0.25, 0.75, 0.025, 0.975])


@dataclass(frozen=True, eq=False)
class Answer:
    """The items that a system returns for a query, and how relevant the subjects find them.

    Attributes
    ----------
    probability : (C, n) float
        p(ω|r) of each item r, best first, for each of the C categories ω of the query. NaN for an
        item that nobody judged.
    weight : (C,) float
        p(ω|q); divided by their sum where they pass 1.
    size : (C,) float
        |ω|, how many items each category is expected to have.
    """

    probability: Floats
    weight: Floats
    size: Floats

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if not len(self.probability) == len(self.weight) == len(self.size):
            raise ValueError("not as many weights or sizes as categories")
        if not (self.weight >= 0).all() or not self.weight.sum() > 0:
            raise ValueError("a weight is negative, or all are 0")

    def __len__(self) -> int:
        return int(self.probability.shape[1])


@dataclass(frozen=True, eq=False)
class Band:
    """A measure over T cut-offs; NaN where it is undefined.

    Attributes
    ----------
    mean, median : (T,) float
    half : (T, 2) float
        Between which values the middle 50 % are.
    most : (T, 2) float
        The middle 95 %.
    """

    mean: Floats
    median: Floats
    half: Floats
    most: Floats

    __repr__ = short_repr

    @staticmethod
    def of(distributions: Sequence[Distribution | None]) -> Band:
        """The band through these, one a cut-off; None is undefined."""
        rows = np.full((len(distributions), 1 + len(SHARES)), np.nan)
        for row, each in zip(rows, distributions, strict=True):
            if each is not None:
                row[0], row[1:] = each.mean, each.quantiles(SHARES)
        return Band(rows[:, 0], rows[:, 1], rows[:, 2:4], rows[:, 4:6])


@dataclass(frozen=True, eq=False)
class Bands:
    """An answer's precision and recall over cut-offs.

    Attributes
    ----------
    cut_off : (T,) int
    precision, recall : Band
    """

    cut_off: NDArray[np.int64]
    precision: Band
    recall: Band

    __repr__ = short_repr


def usual_cut_offs(n: int) -> tuple[int, ...]:
    """Each rank to 200, then steps of some 2 %, and the last.

    Examples
    --------
    >>> usual_cut_offs(3), len(usual_cut_offs(100_000)), usual_cut_offs(100_000)[-1]
    ((1, 2, 3), 521, 100000)
    """
    cuts = list(range(1, min(n, 200) + 1))
    while cuts and cuts[-1] < n:
        cuts.append(min(n, cuts[-1] + cuts[-1] // 50))
    return tuple(cuts)


def measures_at(
    answer: Answer, cut_off: int, shift: float = 0.0
) -> tuple[Distribution | None, Distribution | None]:
    """Precision and recall of the first items; None is undefined.

    Parameters
    ----------
    answer : Answer
    cut_off : int
        n. With 0 there is no precision; neither beyond the answer's end, nor recall.
    shift : float
        Standard deviation of a shift that all items' log odds share, for subjects that all err to
        the same side; |ω| stays as judged.

    Returns
    -------
    Distribution or None, Distribution or None
        Of k/n, and of k/|ω|, which can pass 1. No recall where a category has no item: |ω| = 0.

    Examples
    --------
    >>> answer = Answer(np.array([[1.0, 0.5]]), np.array([1.0]), np.array([1.2]))
    >>> precision, recall = measures_at(answer, 2)
    >>> precision.values, precision.mass, recall.values[-1].round(3)
    (array([0. , 0.5, 1. ]), array([0. , 0.5, 0.5]), np.float64(1.667))
    """
    if cut_off > len(answer):
        return None, None
    (mass,) = numbers_of_relevant(answer.probability, [cut_off], shift)
    return _measures(answer, mass)


def bands_of(
    answer: Answer,
    cut_offs: Sequence[int] | None = None,
    shift: float = 0.0,
    progress: Progress = silent,
) -> Bands:
    """Precision and recall at all cut-offs, as bands.

    Parameters
    ----------
    answer : Answer
    cut_offs : sequence of int, optional
        Ascending; by default `usual_cut_offs`. Beyond the answer's end nothing is defined.
    shift : float
        As in `measures_at`.

    Examples
    --------
    >>> answer = Answer(np.array([[1.0, 0.5, np.nan]]), np.array([1.0]), np.array([2.0]))
    >>> bands_of(answer).precision.mean, bands_of(answer).recall.most[1]
    (array([1.  , 0.75,  nan]), array([0.5, 1. ]))
    """
    cuts = list(usual_cut_offs(len(answer)) if cut_offs is None else cut_offs)
    within = [cut for cut in cuts if cut <= len(answer)]
    precisions: list[Distribution | None] = [None] * len(cuts)
    recalls: list[Distribution | None] = [None] * len(cuts)
    for at, mass in enumerate(numbers_of_relevant(answer.probability, within, shift)):
        progress(at, len(within), "computing bands")
        precisions[at], recalls[at] = _measures(answer, mass)
    return Bands(np.array(cuts, np.int64), Band.of(precisions), Band.of(recalls))


def _measures(
    answer: Answer, mass: Floats | None
) -> tuple[Distribution | None, Distribution | None]:
    """Of the distributions of the number of relevant items, one for each category."""
    if mass is None:
        return None, None
    count = np.arange(mass.shape[1], dtype=np.float64)
    precision = recall = None
    if mass.shape[1] > 1:
        precision = Distribution(count / count[-1], answer.weight @ mass / answer.weight.sum())
    taken = answer.weight > 0
    if (answer.size[taken] > 0).all():
        parts = [
            Distribution(count / size, each)
            for size, each in zip(answer.size[taken], mass[taken], strict=True)
        ]
        recall = parts[0] if len(parts) == 1 else mix(parts, answer.weight[taken])
    return precision, recall
