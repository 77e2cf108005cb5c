"""Database augmentation: each item is replaced by the mean of itself and its neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import (
    Choices,
    Evidence,
    Fusion,
    ItemScores,
    Neighbours,
    Setting,
    feedback_mask,
    find_neighbours,
    pair_scores,
    remember,
    setting_count,
    setting_value,
)

NEIGHBOURS = Setting("augmentation_neighbours", "Neighbours that each item is averaged with", 8.0)
POWER = Setting("augmentation_power", "A neighbour weighs its score to the power of", 3.0)


def neighbour_groups(between: ItemScores, count: int) -> tuple[Neighbours, NDArray[np.float64]]:
    """Each item with its nearest neighbours, and the scores within each such group.

    Parameters
    ----------
    between : ItemScores
        Scores of N items.
    count : int
        k, the number of neighbours.

    Returns
    -------
    near : Neighbours
        Of shape (N, k + 1), each item first among its own neighbours.
    within : (N, k + 1, k + 1) float
        The scores within each group; 0 if unknown.

    Examples
    --------
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> near, within = neighbour_groups(MatrixScores(np.array([[1.0, 0.5], [0.5, 1.0]])), 1)
    >>> near.item.tolist(), within[0].tolist()
    ([[0, 1], [1, 0]], [[1.0, 0.5], [0.5, 1.0]])
    """
    near = find_neighbours(between, count).with_itself(1.0)
    total, width = near.item.shape
    one = np.repeat(near.item, width, axis=1).ravel()
    other = np.tile(near.item, (1, width)).ravel()
    within = pair_scores(between, one, other).reshape(total, width, width)
    return near, np.where(np.isneginf(within), 0.0, within)


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Score the query against ``x_i + Σ_k s(i, k)^α x_k``, of length 1, k the neighbours of item i.

    Parameters
    ----------
    evidence : Evidence
        Of N items; scores have to be cosines.
    choices : Choices
        The number of neighbours (`NEIGHBOURS`), the power α (`POWER`) and what was judged.

    Returns
    -------
    (N,) float
        Cosines; NaN for an item that is not in the list. The query's scores if the scores between
        items are not known.

    Notes
    -----
    Turcot & Lowe (2009); Arandjelović & Zisserman (2012). Descriptors are not needed: with cosines
    the product is ``Σ_k w_k s(q, k)`` and the squared length ``Σ_kl w_k w_l s(k, l)``. Neighbours
    that are not in the list, or were judged irrelevant, are left out of both.

    Examples
    --------
    >>> query, none = np.array([0.9, 0.8, 0.0]), np.zeros((0, 3))
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> between = MatrixScores(np.array([[1.0, 0.8, 0.5], [0.8, 1.0, 0.0], [0.5, 0.0, 1.0]]))
    >>> fuse(Evidence(query, between, none, query > 0), Choices()).round(2)
    array([0.88, 0.87, 0.11])
    """
    query, between = evidence.query, evidence.between
    count = setting_count(choices, NEIGHBOURS)
    power = setting_value(choices, POWER, 0.0)
    if between is None or not len(query):
        return np.array(query, dtype=np.float64)
    near, within = remember(
        between, ("augmentation", count), lambda: neighbour_groups(between, count)
    )
    able = ~np.isnan(query) & ~feedback_mask(choices.irrelevant, len(query))
    weights = np.maximum(near.score, 0.0) ** power * (able[near.item] & (near.score > 0))
    weights[:, 0] = 1.0
    product = (weights * np.nan_to_num(query, nan=0.0)[near.item]).sum(axis=1)
    squared = np.einsum("ia,iab,ib->i", weights, within, weights, optimize=True)
    scores = product / np.sqrt(np.maximum(squared, np.finfo(float).tiny))
    return np.where(np.isnan(query), np.nan, scores)


FUSION = Fusion(
    name="database_augmentation",
    title="Database augmentation",
    definition="The cosine of the query with the mean of each item and its nearest neighbours, each"
    " weighted by its score to the power α (Turcot & Lowe 2009; Arandjelović & Zisserman 2012).",
    fuse=fuse,
    needs="between",
    settings=(NEIGHBOURS, POWER),
)
