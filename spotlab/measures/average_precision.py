"""Average area precision (Rusiñol & Lladós, eq. 8) in three normalisers.

Eq. 8 is printed with the number of retrieved regions, eq. 2 with that of relevant ones, and the
text averages over the truncations at overlapping regions; measures.md says why all three stay.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.measures.area import ratio
from spotlab.measures.tally import Floats, Ints


def average_precision(
    precision: Floats, hit: NDArray[np.bool_], starts: Ints, symbols: Ints
) -> dict[str, Floats]:
    """Σ_n P_A@n · r(n) / N of every query; r(n) = 1 where the n-th spot overlaps some truth.

    Parameters
    ----------
    precision : (N,) float
        P_A@n, the spots of one query after those of another.
    hit : (N,) bool
        r(n).
    starts : (Q + 1,) int
        Where each query's spots begin and end.
    symbols : (Q,) int
        How many truth regions each query has.

    Returns
    -------
    dict of str to (Q,) float
        ``retrieved``: N is the number of spots (eq. 8 as printed); ``relevant``: of truth regions
        (eq. 2); ``hits``: of spots with r(n) = 1 (the text). Undefined (NaN) where N is 0.

    Examples
    --------
    >>> found = average_precision(np.array([1.0, 0.5, 0.6]), np.array([True, False, True]),
    ...                           np.array([0, 3]), np.array([4]))
    >>> {name: round(float(values[0]), 3) for name, values in found.items()}
    {'retrieved': 0.533, 'relevant': 0.4, 'hits': 0.8}
    """
    query = np.repeat(np.arange(len(symbols)), np.diff(starts))
    weighted = np.where(hit, np.nan_to_num(precision), 0.0)  # a hit has area, so P is defined there
    sums = np.bincount(query, weighted, len(symbols))
    hits = np.bincount(query[hit], minlength=len(symbols))
    return {
        "retrieved": ratio(sums, np.diff(starts)),
        "relevant": ratio(sums, symbols),
        "hits": ratio(sums, hits),
    }
