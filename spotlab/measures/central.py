"""The central tendency of several queries' curves (Rusiñol & Lladós, §3.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spotlab.measures.tally import Floats, Ints
from spotlab.representation import short_repr

Missing = Literal["zero", "drop"]


@dataclass(frozen=True, eq=False)
class CentralCurve:
    """A mean curve and how far the curves lie apart.

    Attributes
    ----------
    grid : (G,) float
        Where the curves were sampled.
    mean, deviation : (G,) float
        Over queries; NaN where no query counts. The deviation is that of the queries at hand (its
        denominator is their number).
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
    samples : (Q, G) float
        NaN where a query's curve does not go so far. `RunFigures.central` puts the last value of
        the list there for fall-out.
    takes_part : (Q,) bool, optional
        Queries that count at all; by default those with some sample that is defined.
    missing : str
        What a sample counts that a query that takes part has not: "zero" 0, so that what is missed
        costs; "drop" nothing.

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
    if missing == "zero":
        chosen = np.nan_to_num(chosen, nan=0.0)
    there = ~np.isnan(chosen)
    count = there.sum(axis=0)
    divisor = np.where(count > 0, count, np.nan)
    mean = np.where(there, chosen, 0.0).sum(axis=0) / divisor
    squares = np.where(there, (chosen - mean) ** 2, 0.0).sum(axis=0)
    return CentralCurve(grid, mean, np.sqrt(squares / divisor), count)


def places_by_threshold(starts: Ints, quantiles: Floats) -> Ints:
    """(Q, G) the last spot that each query keeps at each quantile of its list; -1 where none.

    The decision threshold of the paper, put on one scale for lists of all lengths: at t a query
    keeps the first ⌈t · n⌉ of its n spots.

    Examples
    --------
    >>> places_by_threshold(np.array([0, 4, 4]), np.array([0.0, 0.5, 1.0])).tolist()
    [[-1, 1, 3], [-1, -1, -1]]
    """
    lengths = np.diff(starts)[:, None]
    kept = np.ceil(quantiles[None, :] * lengths - 1e-9).astype(np.int64)
    places: Ints = np.where(kept > 0, starts[:-1, None] + kept - 1, -1)
    return places
