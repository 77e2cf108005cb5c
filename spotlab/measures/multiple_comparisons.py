"""Significances of several comparisons, corrected for there being several of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Floats
from spotlab.measures.figure import Figure
from spotlab.measures.significance import Difference

Differences = Mapping[str, Difference | None]


def holm(p: ArrayLike) -> Floats:
    """Significances corrected by Holm's step-down method.

    Parameters
    ----------
    p : (n,) array_like of float
        Probabilities in [0, 1] of n tests; NaN is no test.

    Returns
    -------
    (n,) float
        Probabilities in [0, 1], never below ``p``; NaN where ``p`` is. If those at or below a
        level are called significant, the probability of any false call is at most that level,
        whether or not the tests depend on each other.

    Notes
    -----
    Holm (1979), "A simple sequentially rejective multiple test procedure". The k-th smallest of m
    values is multiplied by m - k + 1, made at least the one before it, and at most 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005]).round(3).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    values = np.asarray(p, np.float64)
    corrected = np.full(values.shape, np.nan)
    tests = np.flatnonzero(~np.isnan(values))
    order = tests[np.argsort(values[tests], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return corrected


def correct_differences(
    comparisons: Sequence[Differences], figures: Sequence[Figure]
) -> tuple[list[dict[str, Difference | None]], int]:
    """Differences with their p corrected for all that are listed together.

    Parameters
    ----------
    comparisons : sequence of mapping of str to Difference or None
        For each two runs that are compared, their differences by the figure's name.
    figures : sequence of Figure
        Those that are listed. One that is neither better high nor low describes the truth, not a
        run; it is no test.

    Returns
    -------
    corrected : list of dict of str to Difference or None
        The same, with ``p_holm`` for each test.
    tests : int
        For how many tests they are corrected: over all comparisons and figures.

    Notes
    -----
    Holm (1979); see `holm`.

    Examples
    --------
    >>> f = Figure("f", "F", "", 1, "")
    >>> pairs = [{"f": Difference(0.1, 0.0, 0.2, 0.01)}, {"f": Difference(0.1, 0.0, 0.2, 0.04)}]
    >>> corrected, tests = correct_differences(pairs, [f])
    >>> [each["f"].p_holm for each in corrected], tests
    ([0.02, 0.04], 2)
    """
    names = {figure.name for figure in figures if figure.better}
    found: list[dict[str, Difference | None]] = [
        {name: difference and replace(difference, p_holm=None) for name, difference in each.items()}
        for each in comparisons
    ]
    tests = [
        (of_pair, name, difference)
        for of_pair in found
        for name, difference in of_pair.items()
        if difference is not None and name in names
    ]
    corrected = holm([difference.p for _, _, difference in tests]).tolist()
    for (of_pair, name, difference), p in zip(tests, corrected, strict=True):
        of_pair[name] = replace(difference, p_holm=p)
    return found, len(tests)
