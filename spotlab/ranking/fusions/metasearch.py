"""Fusions of several lists by their scores or ranks, as metasearch engines use them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import (
    NORMALISE,
    Choices,
    Evidence,
    Fusion,
    Setting,
    count_lists,
    mask_missing,
    mean_scores,
    normalise_by_setting,
    setting_value,
    sum_scores,
)


def combsum(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Add up the scores of the lists that have an item.

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items.
    choices : Choices
        How scores are normalised (`NORMALISE`).

    Returns
    -------
    (N,) float
        NaN for an item that no list has.

    Notes
    -----
    Shaw & Fox (1995); Belkin et al. (1995).

    Examples
    --------
    >>> lists = np.array([[0.75, 0.5, np.nan], [0.25, np.nan, np.nan]])
    >>> combsum(Evidence(lists[0], None, lists, lists[0] > 0), Choices())
    array([1. , 0.5, nan])
    """
    total, count = sum_scores(normalise_by_setting(evidence.lists, choices))
    return mask_missing(total, count)


COMBSUM = Fusion(
    name="combsum",
    title="CombSUM",
    definition="The sum of the scores over the lists that found an item"
    " (Shaw & Fox 1995; Belkin et al. 1995).",
    fuse=combsum,
    needs="lists",
    settings=(NORMALISE,),
    comparable=False,
)


def combmnz(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Multiply the sum of the scores by the number of lists that have an item.

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items.
    choices : Choices
        How scores are normalised (`NORMALISE`).

    Returns
    -------
    (N,) float
        NaN for an item that no list has.

    Notes
    -----
    Shaw & Fox (1995).

    Examples
    --------
    >>> lists = np.array([[0.75, 0.5, np.nan], [0.25, np.nan, np.nan]])
    >>> combmnz(Evidence(lists[0], None, lists, lists[0] > 0), Choices())
    array([2. , 0.5, nan])
    """
    total, count = sum_scores(normalise_by_setting(evidence.lists, choices))
    return mask_missing(total * count, count)


COMBMNZ = Fusion(
    name="combmnz",
    title="CombMNZ",
    definition="The sum of the scores times the number of lists that found an item"
    " (Shaw & Fox 1995).",
    fuse=combmnz,
    needs="lists",
    settings=(NORMALISE,),
    comparable=False,
)


def combanz(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Average the scores over the lists that have an item.

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items.
    choices : Choices
        How scores are normalised (`NORMALISE`).

    Returns
    -------
    (N,) float
        Mean scores; NaN for an item that no list has. The same as ML if nothing is normalised.

    Notes
    -----
    Shaw & Fox (1995).

    Examples
    --------
    >>> lists = np.array([[0.75, 0.5, np.nan], [0.25, np.nan, np.nan]])
    >>> combanz(Evidence(lists[0], None, lists, lists[0] > 0), Choices())
    array([0.5, 0.5, nan])
    """
    return mean_scores(normalise_by_setting(evidence.lists, choices))


COMBANZ = Fusion(
    name="combanz",
    title="CombANZ",
    definition="The sum of the scores over the number of lists that found an item"
    " (Shaw & Fox 1995).",
    fuse=combanz,
    needs="lists",
    settings=(NORMALISE,),
)


def noisy_or(evidence: Evidence, _choices: Choices) -> NDArray[np.float64]:
    """Compute how likely an item is relevant by one list at least, as if lists erred independently.

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items; scores count as probabilities.
    _choices : Choices
        Ignored.

    Returns
    -------
    (N,) float
        1 − Π (1 − p) over the lists that have an item; NaN for an item that no list has.

    Notes
    -----
    Pearl (1988), §4.3.2, for causes that act independently.

    Examples
    --------
    >>> lists = np.array([[0.75, 0.5, np.nan], [0.5, np.nan, np.nan]])
    >>> noisy_or(Evidence(lists[0], None, lists, lists[0] > 0), Choices())
    array([0.875, 0.5  ,   nan])
    """
    unlikely = 1 - np.clip(np.nan_to_num(evidence.lists), 0, 1)
    return mask_missing(1 - np.prod(unlikely, axis=0), count_lists(evidence.lists))


NOISY_OR = Fusion(
    name="noisy_or",
    title="Noisy or",
    definition="1 − Π (1 − p) over the lists that found an item: how likely one of them is right if"
    " scores are probabilities and lists err independently (Pearl 1988).",
    fuse=noisy_or,
    needs="lists",
    comparable=False,
)


def borda(evidence: Evidence, _choices: Choices) -> NDArray[np.float64]:
    """Add up the points that the lists give by rank.

    Of M items that any list has, the item of rank r gets M − r + 1 points; the items that a list of
    K items lacks share the points that are left, (M − K + 1) / 2 each.

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items.
    _choices : Choices
        Ignored.

    Returns
    -------
    (N,) float
        Points; NaN for an item that no list has.

    Notes
    -----
    Aslam & Montague (2001), §3.

    Examples
    --------
    >>> lists = np.array([[0.9, 0.8, np.nan], [0.1, np.nan, 0.7]])
    >>> borda(Evidence(lists[0], None, lists, lists[0] > 0), Choices())
    array([5., 3., 4.])
    """
    count = count_lists(evidence.lists)
    candidates = np.count_nonzero(count)
    # halves, whose sums are exact in any order: what each list lacks is added to all items first
    points = count * (candidates + 1) / 2
    for each in evidence.ranks:
        more = len(each.item) / 2
        points += np.bincount(each.item, more - each.rank, len(count))
        points += (candidates + 1) / 2 - more
    return mask_missing(points, count)


BORDA = Fusion(
    name="borda",
    title="Borda count",
    definition="The sum of points by rank, as many for the first as there are items, one less for"
    " each next; items that a list lacks share the points left (Aslam & Montague 2001, §3).",
    fuse=borda,
    needs="lists",
    comparable=False,
)


CONSTANT = Setting("rank_constant", "Added to every rank", 60.0)


def reciprocal_rank(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Add up ``1 / (constant + rank)`` over the lists that have an item.

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items.
    choices : Choices
        The constant (`CONSTANT`).

    Returns
    -------
    (N,) float
        NaN for an item that no list has.

    Notes
    -----
    Cormack, Clarke & Büttcher (2009).

    Examples
    --------
    >>> lists = np.array([[0.9, 0.8, np.nan], [0.7, np.nan, np.nan]])
    >>> choices = Choices(more={"rank_constant": 1})
    >>> reciprocal_rank(Evidence(lists[0], None, lists, lists[0] > 0), choices)
    array([1.        , 0.33333333,        nan])
    """
    constant = setting_value(choices, CONSTANT, 0.0)
    count = count_lists(evidence.lists)
    total = np.zeros(len(count))
    for each in evidence.ranks:
        total += np.bincount(each.item, 1 / (constant + each.rank), len(count))
    return mask_missing(total, count)


RECIPROCAL_RANK = Fusion(
    name="reciprocal_rank",
    title="Reciprocal rank",
    definition="The sum of 1 / (60 + rank) over the lists that found an item"
    " (Cormack, Clarke & Büttcher 2009).",
    fuse=reciprocal_rank,
    needs="lists",
    settings=(CONSTANT,),
    comparable=False,
)
