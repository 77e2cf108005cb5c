"""Significance: Student's quantiles, Holm's correction, compact letters of groups, mean ranks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Flags, Floats

LEVEL = 0.05
ROUNDED = 9  # digits in which values are equal
NEWTON = 50  # steps at most; some ten are taken


def student_quantile(free: ArrayLike, probability: float) -> Floats:
    """Quantiles of Student's distribution.

    Parameters
    ----------
    free : array_like of float
        Degrees of freedom, 1 or more.
    probability : float
        In [0.5, 1).

    Returns
    -------
    array of float
        In the shape of ``free``; NaN for fewer than one degree of freedom.

    Notes
    -----
    With t = √ν tan θ the distribution is an integral of cos^(ν − 1) θ, which Gauss and Legendre's
    rule gives to the last digits; Newton's method comes to the quantile from below.

    Examples
    --------
    >>> student_quantile([1, 10], 0.975).round(3).tolist()
    [12.706, 2.228]
    """
    known = np.asarray(free, np.float64)
    degrees = np.where(known >= 1, known, np.nan)[..., None]
    nodes, weights = np.polynomial.legendre.leggauss(64)
    log_gamma = np.vectorize(math.lgamma, otypes=[np.float64])
    whole = np.exp(log_gamma((degrees + 1) / 2) - log_gamma(degrees / 2)) / math.sqrt(math.pi)
    found = np.full_like(degrees, NormalDist().inv_cdf(probability))
    for _ in range(NEWTON):
        angle = np.arctan(found / np.sqrt(degrees))
        heights = np.cos(angle * (nodes + 1) / 2) ** (degrees - 1)
        inside = (heights * weights).sum(axis=-1, keepdims=True) * angle / 2
        density = np.cos(angle) ** (degrees + 1) / np.sqrt(degrees)
        step = (inside - (probability - 0.5) / whole) / density
        moves = abs(step) > 1e-14 * found
        if not moves.any():
            break
        found = np.where(moves, found - step, found)
    return np.asarray(found[..., 0])


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


def compact_groups(differs: Flags) -> list[tuple[int, ...]]:
    """The largest groups of things of which no two differ.

    Parameters
    ----------
    differs : (K, K) bool
        Whether two of K things differ; symmetric.

    Returns
    -------
    list of tuple of int
        Places of the members, rising; each thing is in one group at least, and two are in a common
        group if and only if they do not differ.

    Notes
    -----
    The columns of letters of Piepho (2004), which are the maximal cliques of what does not differ;
    found as by Bron & Kerbosch (1973).

    Examples
    --------
    >>> compact_groups(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool))
    [(0, 1), (1, 2)]
    """
    alike = [set(np.flatnonzero(~row).tolist()) - {at} for at, row in enumerate(differs)]
    return sorted(_cliques(set(), set(range(len(alike))), set(), alike))


def _cliques(
    members: set[int], open_to: set[int], done: set[int], alike: list[set[int]]
) -> Iterator[tuple[int, ...]]:
    if not open_to and not done:
        if members:
            yield tuple(sorted(members))
        return
    pivot = max(open_to | done, key=lambda each: len(alike[each] & open_to))
    for each in sorted(open_to - alike[pivot]):
        yield from _cliques(members | {each}, open_to & alike[each], done & alike[each], alike)
        open_to = open_to - {each}
        done = done | {each}


def compact_letters(values: Floats, p: NDArray[np.float64], level: float = LEVEL) -> list[str]:
    """A text of letters for each of K runs: two share a letter unless they differ significantly.

    Parameters
    ----------
    values : (K,) float
        The figures that are compared: "a" goes to the highest; NaN comes last.
    p : (K, K) float
        Corrected significance of each pair, symmetric; NaN where it is not tested.
    level : float
        Level of significance, in (0, 1).

    Returns
    -------
    list of str
        In the order of the values.

    Notes
    -----
    Piepho (2004), "An algorithm for a letter-based representation of all-pairwise comparisons".

    Examples
    --------
    >>> p = np.array([[1, 0.2, 0.01], [0.2, 1, 0.3], [0.01, 0.3, 1]])
    >>> compact_letters(np.array([0.3, 0.5, 0.9]), p)
    ['b', 'ab', 'a']
    """
    order = np.argsort(-np.where(np.isnan(values), -np.inf, values), kind="stable")
    differs = np.asarray(p)[np.ix_(order, order)] < level
    groups = compact_groups(differs)
    found = [
        "".join(_letter(at) for at, group in enumerate(groups) if place in group)
        for place in range(len(order))
    ]
    letters = [""] * len(found)
    for place, at in enumerate(order.tolist()):
        letters[at] = found[place]
    return letters


def symmetric(p: Mapping[tuple[int, int], float | None], count: int) -> Floats:
    """(K, K) the significance of each two of K runs, NaN where there is none.

    Parameters
    ----------
    p : mapping of (int, int) to float or None
        By the places of two runs, each two once.
    count : int
        K.

    Examples
    --------
    >>> symmetric({(0, 1): 0.25}, 2).tolist()
    [[nan, 0.25], [0.25, nan]]
    """
    table = np.full((count, count), np.nan)
    for (first, second), value in p.items():
        if value is not None:
            table[first, second] = table[second, first] = value
    return table


def _letter(number: int) -> str:
    """The letter at this place; after z come a1, b1, …"""
    turn, place = divmod(number, 26)
    return chr(ord("a") + place) + (str(turn) if turn else "")


def mean_ranks(values: Floats) -> tuple[float, ...]:
    """The mean rank of each of K runs over the units where all of them have a value.

    Parameters
    ----------
    values : (K, n) float
        Of each run and unit, such as a query; the highest has rank 1, equal ones share the mean of
        their ranks, and a unit where a run has NaN is left out.

    Returns
    -------
    tuple of float
        Empty where no unit is left.

    Notes
    -----
    Demšar (2006), "Statistical comparisons of classifiers over multiple data sets", section 3.2.2.

    Examples
    --------
    >>> mean_ranks(np.array([[0.9, 0.5, 0.1], [0.8, 0.5, np.nan]]))
    (1.25, 1.75)
    """
    known = np.round(values[:, ~np.isnan(values).any(axis=0)], ROUNDED)
    if not known.size:
        return ()
    above, equal = (
        compare(known[None], known[:, None]).sum(axis=1) for compare in (np.greater, np.equal)
    )
    return tuple((above + (equal + 1) / 2).mean(axis=1).tolist())
