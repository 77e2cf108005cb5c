"""Average area precision with three normalisers (Rusiñol & Lladós 2009, eqs. 2 and 8).

Eq. 8 is printed with the number of retrieved regions, eq. 2 with the number of relevant ones, and
the text averages over the truncations at overlapping regions. The paper does not settle which one
its tables use, so all three are reported.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures.area import ratio


def average_precision(
    precision: Floats,
    hit: NDArray[np.bool_],
    starts: Ints,
    symbols: Ints,
    *,
    retrieved: Ints | None = None,
) -> dict[str, Floats]:
    """Average area precision of every query, Σ_n P_A@n · r(n) / N.

    Parameters
    ----------
    precision : (N,) float
        P_A@n, a share in [0, 1]; the spots of one query stand together, in rank order.
    hit : (N,) bool
        r(n): whether the n-th spot overlaps some truth region of its query.
    starts : (Q + 1,) int
        Where the spots of each query begin and end.
    symbols : (Q,) int
        How many truth regions each query has.
    retrieved : (Q,) int, optional
        How many spots each query has that do not lie in ignored area only; by default all.

    Returns
    -------
    dict of str to (Q,) float
        ``retrieved``: N is the number of spots (eq. 8 as printed). ``relevant``: N is the number
        of truth regions (eq. 2). ``hits``: N is the number of spots with r(n) = 1 (the text).
        NaN where N is 0.

    Notes
    -----
    Rusiñol & Lladós (2009), eqs. 2 and 8. ``relevant`` can pass 1 where several spots overlap
    one region.

    Examples
    --------
    >>> values = average_precision(np.array([1.0, 0.5, 0.6]), np.array([True, False, True]),
    ...                            np.array([0, 3]), np.array([4]))
    >>> {name: round(float(of_queries[0]), 3) for name, of_queries in values.items()}
    {'retrieved': 0.533, 'relevant': 0.4, 'hits': 0.8}
    """
    query = np.repeat(np.arange(len(symbols)), np.diff(starts))
    weighted = np.where(hit, np.nan_to_num(precision), 0.0)  # a hit has area, so P is defined there
    sums = np.bincount(query, weighted, len(symbols))
    hits = np.bincount(query[hit], minlength=len(symbols))
    return {
        "retrieved": ratio(sums, np.diff(starts) if retrieved is None else retrieved),
        "relevant": ratio(sums, symbols),
        "hits": ratio(sums, hits),
    }
