"""Figures of systems by any method, their intervals, and how close they are to those with truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats
from spotlab.consensus.comparison import kendall, spearman
from spotlab.consensus.precision import rank_by_f
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class SystemFigures:
    """Precision, recall and F of S systems.

    Attributes
    ----------
    precision, recall, f : (S,) float
        In [0, 1]; NaN where undefined.
    """

    precision: Floats
    recall: Floats
    f: Floats

    __repr__ = short_repr

    @property
    def rank(self) -> Floats:
        """Rank of each system by F, (S,): 1 for the highest, shared by ties, NaN where undefined.

        Examples
        --------
        >>> f = np.array([0.5, np.nan, 0.7, 0.5])
        >>> SystemFigures(f, f, f).rank.tolist()
        [2.0, nan, 1.0, 2.0]
        """
        return np.where(np.isnan(self.f), np.nan, rank_by_f(self.f))

    def where(self, reported: NDArray[np.bool_]) -> SystemFigures:
        """Blank the figures of some systems.

        Parameters
        ----------
        reported : (S,) bool
            Whether the figures of a system are kept.

        Returns
        -------
        SystemFigures
            NaN for all other systems.
        """
        columns = (self.precision, self.recall, self.f)
        return SystemFigures(*(np.where(reported, column, np.nan) for column in columns))

    def only(self, systems: ArrayLike) -> SystemFigures:
        """Keep some systems.

        Parameters
        ----------
        systems : (K,) int
            Indices of the systems in their new order.

        Returns
        -------
        SystemFigures
            Of these systems.
        """
        index = np.asarray(systems, np.int64)
        return SystemFigures(self.precision[index], self.recall[index], self.f[index])


@dataclass(frozen=True, eq=False)
class SystemIntervals:
    """Intervals of the figures of S systems (95 %).

    Attributes
    ----------
    precision, recall, f : (S, 2) float
        Lower and upper ends, in [0, 1]; NaN where undefined.
    """

    precision: Floats
    recall: Floats
    f: Floats

    __repr__ = short_repr

    def where(self, reported: NDArray[np.bool_]) -> SystemIntervals:
        """Blank the intervals of some systems.

        Parameters
        ----------
        reported : (S,) bool
            Whether the intervals of a system are kept.

        Returns
        -------
        SystemIntervals
            NaN for all other systems.
        """
        columns = (self.precision, self.recall, self.f)
        return SystemIntervals(*(np.where(reported[:, None], ends, np.nan) for ends in columns))


def at_beta(precision: Floats, recall: Floats, beta: float) -> SystemFigures:
    """Add F to precision and recall.

    Parameters
    ----------
    precision, recall : (S,) float
        In [0, 1]; NaN where undefined.
    beta : float
        β of F; above 1 recall weighs more.

    Returns
    -------
    SystemFigures
        F is 0 for a system that votes for nothing where recall is defined.

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
    """How close figures are to those with truth; None where that is undefined.

    Attributes
    ----------
    systems : int
        Number of systems whose F is defined in both.
    kendall, spearman : float or None
        Rank correlations of F with F, in [-1, 1].
    precision_error, recall_error, f_error : float or None
        Mean absolute differences, in [0, 1], over the systems where both are defined.
    """

    systems: int
    kendall: float | None
    spearman: float | None
    precision_error: float | None
    recall_error: float | None
    f_error: float | None


def nearness(figures: SystemFigures, truth: SystemFigures) -> Nearness:
    """Compare figures with those with truth.

    Parameters
    ----------
    figures, truth : SystemFigures
        Of the same systems.

    Returns
    -------
    Nearness
        None where too few systems have both.

    Examples
    --------
    >>> estimated, true = np.array([0.5, 0.6, 0.9]), np.array([0.4, 0.8, 0.6])
    >>> near = nearness(SystemFigures(*[estimated] * 3), SystemFigures(*[true] * 3))
    >>> round(near.kendall, 3), round(near.f_error, 3)
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


def _mean_error(estimated: Floats, true: Floats) -> float | None:
    errors = np.abs(estimated - true)
    errors = errors[~np.isnan(errors)]
    return float(errors.mean()) if len(errors) else None
