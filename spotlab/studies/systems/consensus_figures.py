"""What a method says of systems, and how near that is to the truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.consensus.comparison import kendall, spearman
from spotlab.consensus.precision import ranks
from spotlab.representation import short_repr

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SystemFigures:
    """Precision, recall and F of S systems; NaN where undefined.

    Attributes
    ----------
    precision, recall, f : (S,) float
    """

    precision: Floats
    recall: Floats
    f: Floats

    __repr__ = short_repr

    @property
    def rank(self) -> Floats:
        """(S,) 1 for the best F, the same for the same F, NaN where F is undefined.

        Examples
        --------
        >>> f = np.array([0.5, np.nan, 0.7, 0.5])
        >>> SystemFigures(f, f, f).rank.tolist()
        [2.0, nan, 1.0, 2.0]
        """
        return np.where(np.isnan(self.f), np.nan, ranks(self.f))

    def where(self, told: NDArray[np.bool_]) -> SystemFigures:
        """Nothing is said of systems that are not told."""
        columns = (self.precision, self.recall, self.f)
        return SystemFigures(*(np.where(told, column, np.nan) for column in columns))

    def only(self, systems: ArrayLike) -> SystemFigures:
        """Those of these systems, by index."""
        index = np.asarray(systems, np.int64)
        return SystemFigures(self.precision[index], self.recall[index], self.f[index])


def at_beta(precision: Floats, recall: Floats, beta: float) -> SystemFigures:
    """With F of this β; a system without a vote for anything has 0 where recall is defined.

    Examples
    --------
    >>> at_beta(np.array([0.5, np.nan]), np.array([1.0, 0.0]), 2.0).f.round(3).tolist()
    [0.833, 0.0]
    """
    known = np.where(np.isnan(precision) & (recall == 0), 0.0, precision)
    whole = beta**2 * known + recall
    f = (1 + beta**2) * known * recall / np.where(whole == 0, 1.0, whole)
    return SystemFigures(precision, recall, f)


@dataclass(frozen=True)
class Nearness:
    """How near figures are to those with truth; None where that is undefined.

    Attributes
    ----------
    systems : int
        Whose F is defined in both.
    kendall, spearman : float or None
        Of F with F.
    precision_error, recall_error, f_error : float or None
        Mean absolute differences over the systems where both are defined.
    """

    systems: int
    kendall: float | None
    spearman: float | None
    precision_error: float | None
    recall_error: float | None
    f_error: float | None


def nearness(figures: SystemFigures, truth: SystemFigures) -> Nearness:
    """Hold figures against those with truth.

    Examples
    --------
    >>> said, true = np.array([0.5, 0.6, 0.9]), np.array([0.4, 0.8, 0.6])
    >>> found = nearness(SystemFigures(said, said, said), SystemFigures(true, true, true))
    >>> round(found.kendall, 3), round(found.f_error, 3)
    (0.333, 0.2)
    """
    both = ~(np.isnan(figures.f) | np.isnan(truth.f))
    return Nearness(
        int(both.sum()),
        kendall(figures.f[both], truth.f[both]),
        spearman(figures.f[both], truth.f[both]),
        _mean_error(figures.precision, truth.precision),
        _mean_error(figures.recall, truth.recall),
        _mean_error(figures.f, truth.f),
    )


def _mean_error(said: Floats, true: Floats) -> float | None:
    errors = np.abs(said - true)
    errors = errors[~np.isnan(errors)]
    return float(errors.mean()) if len(errors) else None
