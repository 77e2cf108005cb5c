"""Diffusion: similarity spreads from the best items over the graph of nearest neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.libraries import sparse
from spotlab.ranking.fusion import (
    Choices,
    Evidence,
    Fusion,
    ItemScores,
    Setting,
    choose_re_scoring,
    find_neighbours,
    re_scoring_weights,
    remember,
    setting_count,
    setting_value,
)

NEIGHBOURS = Setting("diffusion_neighbours", "Neighbours of each item on the graph", 15.0)
REACH = Setting("diffusion_reach", "How far similarity spreads, from 0 to below 1", 0.95)
POWER = Setting("diffusion_power", "Edges and sources weigh their score to the power of", 3.0)

ACCURACY = 1e-8  # of the solution: far below what separates two items in rank
UNREACHED = 1e-6  # the query's score weighs so little, to order what the graph does not reach


def diffusion_matrix(
    between: ItemScores, neighbours: int, power: float, reach: float
) -> sparse.csr_array:
    """The system of a random walk over mutual nearest neighbours, ``I − reach · D^−½ A D^−½``.

    Parameters
    ----------
    between : ItemScores
        Scores of N items.
    neighbours : int
        Number of neighbours of each item.
    power : float
        A has the scores of mutual neighbours to this power.
    reach : float
        Share, in [0, 1), of the similarity that spreads on at each step.

    Returns
    -------
    (N, N) csr_array
        A row of the identity for an item without mutual neighbours.

    Notes
    -----
    Iscen et al. (2017), eq. 4; D holds the row sums of A.

    Examples
    --------
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> between = MatrixScores(np.array([[1.0, 0.5], [0.5, 1.0]]))
    >>> diffusion_matrix(between, 1, 1.0, 0.5).toarray()
    array([[ 1. , -0.5],
           [-0.5,  1. ]])
    """
    near = find_neighbours(between, neighbours)
    one_way = near.matrix(np.maximum(near.score, 0.0) ** power)
    both = one_way.minimum(one_way.T)  # an edge only where each is a neighbour of the other
    degree = np.asarray(both.sum(axis=1)).ravel()
    scale = 1 / np.sqrt(np.where(degree > 0, degree, 1.0))
    diagonal = sparse.dia_array((scale[None], [0]), shape=both.shape)
    return sparse.csr_array(sparse.eye_array(len(degree)) - reach * (diagonal @ both @ diagonal))


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Spread similarity from the re-scoring items over the graph of mutual nearest neighbours.

    Solves ``(I − reach · D^−½ A D^−½) f = y`` by conjugate gradients; ``y`` is score ** power for
    the re-scoring items and 0 for the others.

    Parameters
    ----------
    evidence : Evidence
        Of N items.
    choices : Choices
        Which items re-score, the number of neighbours (`NEIGHBOURS`), how far similarity spreads
        (`REACH`) and the power (`POWER`).

    Returns
    -------
    (N,) float
        f over its largest value, plus a millionth of the query's score, which orders what the graph
        does not reach. The query's scores if no item re-scores.

    Notes
    -----
    Iscen et al. (2017), eqs. 3 to 6, after Zhou et al. (2004).

    Examples
    --------
    >>> query, none = np.array([0.9, 0.4, 0.3]), np.zeros((0, 3))
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> between = MatrixScores(np.array([[1.0, 0.1, 0.9], [0.1, 1.0, 0.1], [0.9, 0.1, 1.0]]))
    >>> chosen_items = Choices(top=1, more={"diffusion_neighbours": 1})
    >>> fuse(Evidence(query, between, none, query > 0), chosen_items).round(2)
    array([1.  , 0.  , 0.95])
    """
    query, between = evidence.query, evidence.between
    power = setting_value(choices, POWER, 0.0)
    reach = setting_value(choices, REACH, 0.0, 1.0)
    neighbours = setting_count(choices, NEIGHBOURS)
    items = choose_re_scoring(query, choices)
    source = np.zeros(len(query))
    source[items] = re_scoring_weights(query, items, choices, power)
    if between is None or not source.any():
        return np.array(query, dtype=np.float64)
    system = remember(
        between,
        ("diffusion", neighbours, power, reach),
        lambda: diffusion_matrix(between, neighbours, power, reach),
    )
    spread, _ = sparse.linalg.cg(system, source, rtol=ACCURACY)
    return np.asarray(np.maximum(spread, 0.0) / spread.max() + UNREACHED * query)


FUSION = Fusion(
    name="diffusion",
    title="Diffusion",
    definition="The steady state of a random walk that starts at the top n items and moves between"
    " mutual nearest neighbours (Zhou et al. 2004; Iscen et al. 2017, eqs. 3–6).",
    fuse=fuse,
    needs="between",
    settings=(NEIGHBOURS, REACH, POWER),
    comparable=False,
)
