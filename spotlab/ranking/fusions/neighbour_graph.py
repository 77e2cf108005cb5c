"""Re-rankings by nearest neighbours: database augmentation, diffusion, mutual neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import sparse
from spotlab.ranking.fusion import (
    Choices,
    Evidence,
    Fusion,
    ItemScores,
    Neighbours,
    Setting,
    choose_re_scoring,
    feedback_mask,
    find_neighbours,
    pair_scores,
    re_scoring_weights,
    remember,
    setting_count,
    setting_value,
)

AUGMENTING = Setting("augmentation_neighbours", "Neighbours that each item is averaged with", 8.0)
AUGMENTING_POWER = Setting(
    "augmentation_power", "A neighbour weighs its score to the power of", 3.0
)


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


def augment(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Score the query against ``x_i + Σ_k s(i, k)^α x_k``, of length 1, k the neighbours of item i.

    Parameters
    ----------
    evidence : Evidence
        Of N items; scores have to be cosines.
    choices : Choices
        The number of neighbours (`AUGMENTING`), the power α (`AUGMENTING_POWER`), judgements.

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
    >>> augment(Evidence(query, between, none, query > 0), Choices()).round(2)
    array([0.88, 0.87, 0.11])
    """
    query, between = evidence.query, evidence.between
    count = setting_count(choices, AUGMENTING)
    power = setting_value(choices, AUGMENTING_POWER, 0.0)
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


AUGMENTATION = Fusion(
    name="database_augmentation",
    title="Database augmentation",
    definition="The cosine of the query with the mean of each item and its nearest neighbours, each"
    " weighted by its score to the power α (Turcot & Lowe 2009; Arandjelović & Zisserman 2012).",
    fuse=augment,
    needs="between",
    settings=(AUGMENTING, AUGMENTING_POWER),
)


SPREADING = Setting("diffusion_neighbours", "Neighbours of each item on the graph", 15.0)
REACH = Setting("diffusion_reach", "How far similarity spreads, from 0 to below 1", 0.95)
SPREADING_POWER = Setting(
    "diffusion_power", "Edges and sources weigh their score to the power of", 3.0
)

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


def diffuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Spread similarity from the re-scoring items over the graph of mutual nearest neighbours.

    Solves ``(I − reach · D^−½ A D^−½) f = y`` by conjugate gradients; ``y`` is score ** power for
    the re-scoring items and 0 for the others.

    Parameters
    ----------
    evidence : Evidence
        Of N items.
    choices : Choices
        Which items re-score, the number of neighbours (`SPREADING`), how far similarity spreads
        (`REACH`) and the power (`SPREADING_POWER`).

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
    >>> diffuse(Evidence(query, between, none, query > 0), chosen_items).round(2)
    array([1.  , 0.  , 0.95])
    """
    query, between = evidence.query, evidence.between
    power = setting_value(choices, SPREADING_POWER, 0.0)
    reach = setting_value(choices, REACH, 0.0, 1.0)
    neighbours = setting_count(choices, SPREADING)
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


DIFFUSION = Fusion(
    name="diffusion",
    title="Diffusion",
    definition="The steady state of a random walk that starts at the top n items and moves between"
    " mutual nearest neighbours (Zhou et al. 2004; Iscen et al. 2017, eqs. 3–6).",
    fuse=diffuse,
    needs="between",
    settings=(SPREADING, REACH, SPREADING_POWER),
    comparable=False,
)


COMPARED = Setting("reciprocal_neighbours", "Neighbours that are compared (k1)", 20.0)
SMOOTHING = Setting("reciprocal_smoothing", "Items over which these are averaged (k2)", 6.0)
DIRECT = Setting("reciprocal_direct", "Share of the query's own score, from 0 to 1 (λ)", 0.3)


@dataclass(frozen=True, eq=False)
class Encodings:
    """Encodings of N items that k-reciprocal re-ranking computes before a query is made.

    Attributes
    ----------
    half : (N, N) csr_array of 0 and 1
        The mutual neighbours of each item among half as many neighbours, itself among them.
    farthest : (N,) float
        The score of the last neighbour of each item.
    rows : (N, N) csr_array
        V, the encoding of each item: a row that sums to 1 (eqs. 7 and 11).
    columns : (N, N) csc_array
        V, stored by columns.
    """

    half: sparse.csr_array
    farthest: NDArray[np.float64]
    rows: sparse.csr_array
    columns: sparse.csc_array


def _mutual(between: ItemScores, count: int) -> sparse.csr_array:
    near = find_neighbours(between, count).with_itself()
    listed = near.matrix(np.ones(near.item.shape))
    return sparse.csr_array(listed.multiply(listed.T))


def _expand(sets: sparse.csr_array, half: sparse.csr_array) -> sparse.csr_array:
    """Join to each set the half sets of those members of which two thirds lie in it (eq. 4)."""
    size = np.asarray(half.sum(axis=1)).ravel()
    shared = sparse.csr_array(sets.multiply(sets @ half.T))
    shared.data = (shared.data > 2 / 3 * size[shared.indices]).astype(float)
    expanded = sparse.csr_array(sets + shared @ half)
    expanded.eliminate_zeros()
    expanded.data[:] = 1.0
    return expanded


def encode(between: ItemScores, count: int, smoothing: int) -> Encodings:
    """Encode all items by their mutual neighbours.

    Parameters
    ----------
    between : ItemScores
        Scores of N items.
    count : int
        k1, the number of neighbours that are compared.
    smoothing : int
        k2, the number of items over which encodings are averaged.

    Returns
    -------
    Encodings
        Matrices of shape (N, N).

    Notes
    -----
    Zhong et al. (2017), eqs. 7 and 11.

    Examples
    --------
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> encode(MatrixScores(np.array([[1.0, 0.5], [0.5, 1.0]])), 2, 1).rows.toarray().round(2)
    array([[0.62, 0.38],
           [0.38, 0.62]])
    """
    half = _mutual(between, round(count / 2))
    encoded = _expand(_mutual(between, count), half).tocoo()
    one, other = encoded.coords
    alike = np.exp(pair_scores(between, one.astype(np.int64), other.astype(np.int64)))
    total = np.bincount(one, alike, minlength=len(between))
    rows = sparse.csr_array((alike / total[one], (one, other)), shape=encoded.shape)
    near = find_neighbours(between, count)
    if smoothing > 1:
        group = near.first(smoothing - 1).with_itself()
        mean = group.matrix(np.full(group.item.shape, 1.0))
        mean.data /= np.repeat(np.diff(mean.indptr), np.diff(mean.indptr))
        rows = sparse.csr_array(mean @ rows)
    farthest = near.score.min(axis=1, initial=np.inf)
    return Encodings(half, farthest, rows, rows.tocsc())


def _encode_query(
    known: Encodings, query: NDArray[np.float64], choices: Choices, count: int, smoothing: int
) -> NDArray[np.float64]:
    """(N,) the encoding of the query, as if it were one more item and nobody's neighbour."""
    able = ~np.isnan(query) & ~feedback_mask(choices.irrelevant, len(query))
    relevant = np.flatnonzero(feedback_mask(choices.relevant, len(query)) & ~np.isnan(query))
    candidates = np.flatnonzero(able)
    best = candidates[np.argsort(-query[candidates], kind="stable")][:count]
    mutual = np.union1d(best[query[best] >= known.farthest[best]], relevant)
    members = np.zeros(len(query))
    members[mutual] = 1.0
    expanded = _expand(sparse.csr_array(members[None]), known.half).toarray()[0] > 0
    expanded &= able
    expanded[relevant] = True
    encoded = np.where(expanded, np.exp(np.nan_to_num(query, nan=0.0) - 1), 0.0)
    encoded /= encoded.sum() + 1  # 1: the query is its own neighbour, at distance 0
    if smoothing > 1:
        nearby = best[: smoothing - 1]
        encoded = (encoded + known.rows[nearby].sum(axis=0)) / (len(nearby) + 1)
    return encoded


def compare_neighbours(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Score by ``(1 − λ) J + λ s(q, i)``, J the Jaccard index of the encodings.

    Parameters
    ----------
    evidence : Evidence
        Of N items.
    choices : Choices
        The numbers of neighbours (`COMPARED`, `SMOOTHING`), the share λ (`DIRECT`) and what was
        judged.

    Returns
    -------
    (N,) float
        NaN for an item that is not in the list. The query's scores if the scores between items are
        not known.

    Notes
    -----
    Zhong et al. (2017), eqs. 10 and 12, with 1 − score as distance: ``J = Σ_k min(q_k, V_ik) /
    Σ_k max(q_k, V_ik)``. The query is compared with the items alone, as in a search; it changes no
    item's neighbours. Items judged relevant always are neighbours of the query, those judged
    irrelevant never.

    Examples
    --------
    The last item is similar to the first one, and so is raised above the second one:

    >>> from spotlab.ranking.fusion import MatrixScores
    >>> query, none = np.array([0.9, 0.4, 0.3]), np.zeros((0, 3))
    >>> between = MatrixScores(np.array([[1.0, 0.1, 0.9], [0.1, 1.0, 0.1], [0.9, 0.1, 1.0]]))
    >>> neighbours = Choices(more={"reciprocal_neighbours": 1, "reciprocal_smoothing": 1})
    >>> compare_neighbours(Evidence(query, between, none, query > 0), neighbours).round(2)
    array([0.49, 0.12, 0.31])
    """
    query, between = evidence.query, evidence.between
    count = setting_count(choices, COMPARED)
    smoothing = setting_count(choices, SMOOTHING)
    direct = setting_value(choices, DIRECT, 0.0, np.nextafter(1.0, 2.0))
    if between is None or not len(query):
        return np.array(query, dtype=np.float64)
    known = remember(
        between, ("k_reciprocal", count, smoothing), lambda: encode(between, count, smoothing)
    )
    encoded = _encode_query(known, query, choices, count, smoothing)
    columns = known.columns[:, np.flatnonzero(encoded)]
    smaller = np.minimum(columns.data, np.repeat(encoded[encoded > 0], np.diff(columns.indptr)))
    shared = np.bincount(columns.indices, smaller, minlength=len(query))
    return np.asarray((1 - direct) * shared / (2 - shared) + direct * query)


K_RECIPROCAL = Fusion(
    name="k_reciprocal",
    title="k-reciprocal neighbours",
    definition="The Jaccard index of the sets of mutual nearest neighbours of query and item, and"
    " the query's own score (Zhong et al. 2017, eqs. 3–12).",
    fuse=compare_neighbours,
    needs="between",
    settings=(COMPARED, SMOOTHING, DIRECT),
    comparable=False,
)
