"""k-reciprocal re-ranking: items are similar if they have the same mutual neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.libraries import sparse
from spotlab.ranking.fusion import (
    Choices,
    Evidence,
    Fusion,
    ItemScores,
    Setting,
    feedback_mask,
    find_neighbours,
    pair_scores,
    remember,
    setting_count,
    setting_value,
)

NEIGHBOURS = Setting("reciprocal_neighbours", "Neighbours that are compared (k1)", 20.0)
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


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Score by ``(1 − λ) J + λ s(q, i)``, J the Jaccard index of the encodings.

    Parameters
    ----------
    evidence : Evidence
        Of N items.
    choices : Choices
        The numbers of neighbours (`NEIGHBOURS`, `SMOOTHING`), the share λ (`DIRECT`) and what was
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
    >>> fuse(Evidence(query, between, none, query > 0), neighbours).round(2)
    array([0.49, 0.12, 0.31])
    """
    query, between = evidence.query, evidence.between
    count = setting_count(choices, NEIGHBOURS)
    smoothing = setting_count(choices, SMOOTHING)
    direct = setting_value(choices, DIRECT, 0.0, np.nextafter(1.0, 2.0))
    if between is None or not len(query):
        return np.array(query, dtype=np.float64)
    known = remember(
        between,
        ("k_reciprocal", count, smoothing),
        lambda: encode(between, count, smoothing),
    )
    encoded = _encode_query(known, query, choices, count, smoothing)
    columns = known.columns[:, np.flatnonzero(encoded)]
    smaller = np.minimum(columns.data, np.repeat(encoded[encoded > 0], np.diff(columns.indptr)))
    shared = np.bincount(columns.indices, smaller, minlength=len(query))
    return np.asarray((1 - direct) * shared / (2 - shared) + direct * query)


FUSION = Fusion(
    name="k_reciprocal",
    title="k-reciprocal neighbours",
    definition="The Jaccard index of the sets of mutual nearest neighbours of query and item, and"
    " the query's own score (Zhong et al. 2017, eqs. 3–12).",
    fuse=fuse,
    needs="between",
    settings=(NEIGHBOURS, SMOOTHING, DIRECT),
    comparable=False,
)
