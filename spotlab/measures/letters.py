"""Groups of runs that do not differ significantly, their compact letters, and mean ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Flags, Floats

LEVEL = 0.05
ROUNDED = 9  # digits in which values are equal


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
