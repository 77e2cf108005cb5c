"""The central tendency of several queries' curves (Rusiñol & Lladós 2009, §3.6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures.settings import Missing
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class CentralCurve:
    """A mean curve, and how far the single curves are from it.

    Attributes
    ----------
    grid : (G,) float
        Where the curves were sampled, usually recalls in [0, 1].
    mean, deviation : (G,) float
        Mean and population standard deviation over queries, in the unit of the samples; NaN
        where no query counts.
    count : (G,) int
        How many queries count.
    """

    grid: Floats
    mean: Floats
    deviation: Floats
    count: Ints

    __repr__ = short_repr


def central_tendency(
    grid: Floats,
    samples: Floats,
    takes_part: NDArray[np.bool_] | None = None,
    missing: Missing = "zero",
) -> CentralCurve:
    """Mean and standard deviation over queries at each sample.

    Parameters
    ----------
    grid : (G,) float
        Where the curves were sampled, usually recalls in [0, 1].
    samples : (Q, G) float
        One curve per query; NaN where a curve does not reach a sample.
    takes_part : (Q,) bool, optional
        Queries that take part; by default those with at least one defined sample.
    missing : {"zero", "drop"}
        How a query that never reaches a sample enters the mean: as 0, so that missing recall
        costs, or left out.

    Returns
    -------
    CentralCurve
        NaN where no query counts. The deviation is that of the population.

    Notes
    -----
    Rusiñol & Lladós (2009), §3.6.

    Examples
    --------
    >>> samples = np.array([[1.0, 0.5], [1.0, np.nan]])
    >>> central_tendency(np.array([0.5, 1.0]), samples).mean.tolist()
    [1.0, 0.25]
    >>> central_tendency(np.array([0.5, 1.0]), samples, missing="drop").mean.tolist()
    [1.0, 0.5]
    """
    part = ~np.isnan(samples).all(axis=1) if takes_part is None else np.asarray(takes_part, bool)
    chosen = samples[part]
    there = ~np.isnan(chosen)
    chosen = np.where(there, chosen, 0.0)
    drop = missing == "drop"
    count = there.sum(axis=0) if drop else np.full(samples.shape[1], len(chosen))
    divisor = np.where(count > 0, count, np.nan)
    mean = chosen.sum(axis=0) / divisor
    squares = (chosen - mean) ** 2
    spread = (np.where(there, squares, 0.0) if drop else squares).sum(axis=0)
    return CentralCurve(grid, mean, np.sqrt(spread / divisor), count)


def places_by_threshold(starts: Ints, quantiles: Floats) -> Ints:
    """The last spot that each query keeps at each quantile of its ranked list.

    Parameters
    ----------
    starts : (Q + 1,) int
        Where the spots of each query begin and end.
    quantiles : (G,) float
        Shares of the list that are kept, in [0, 1].

    Returns
    -------
    (Q, G) int
        Places of spots; -1 where a query keeps none.

    Notes
    -----
    The decision threshold of Rusiñol & Lladós (2009), §3.6, on one scale for lists of all
    lengths: at quantile t a query keeps the first ⌈t · n⌉ of its n spots.

    Examples
    --------
    >>> places_by_threshold(np.array([0, 4, 4]), np.array([0.0, 0.5, 1.0])).tolist()
    [[-1, 1, 3], [-1, -1, -1]]
    """
    lengths = np.diff(starts)[:, None]
    kept = np.ceil(quantiles[None, :] * lengths - 1e-9).astype(np.int64)
    places: Ints = np.where(kept > 0, starts[:-1, None] + kept - 1, -1)
    return places
