"""Reciprocal rank: each list adds one over a constant plus the rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import (
    Choices,
    Evidence,
    Fusion,
    Setting,
    count_lists,
    mask_missing,
    setting_value,
)

CONSTANT = Setting("rank_constant", "Added to every rank", 60.0)


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
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
    >>> fuse(Evidence(lists[0], None, lists, lists[0] > 0), Choices(more={"rank_constant": 1}))
    array([1.        , 0.33333333,        nan])
    """
    constant = setting_value(choices, CONSTANT, 0.0)
    count = count_lists(evidence.lists)
    total = np.zeros(len(count))
    for each in evidence.ranks:
        total += np.bincount(each.item, 1 / (constant + each.rank), len(count))
    return mask_missing(total, count)


FUSION = Fusion(
    name="reciprocal_rank",
    title="Reciprocal rank",
    definition="The sum of 1 / (60 + rank) over the lists that found an item"
    " (Cormack, Clarke & Büttcher 2009).",
    fuse=fuse,
    needs="lists",
    settings=(CONSTANT,),
    comparable=False,
)
