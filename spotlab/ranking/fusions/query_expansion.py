"""Fusions that expand the query: Hast's five (2020, §3) and α-query expansion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import (
    Choices,
    Evidence,
    Fusion,
    Setting,
    choose_re_scoring,
    mean_scores,
    re_score,
    re_scoring_weights,
    setting_value,
)


def ws(evidence: Evidence, _choices: Choices) -> NDArray[np.float64]:
    """Keep the query's scores of what was found without expanding the search.

    Parameters
    ----------
    evidence : Evidence
        Of N items.
    _choices : Choices
        Ignored.

    Returns
    -------
    (N,) float
        NaN for an item that only an expanded search found.

    Notes
    -----
    Hast (2020), §3.

    Examples
    --------
    >>> query, none = np.array([0.9, 0.75]), np.zeros((0, 2))
    >>> ws(Evidence(query, None, none, np.array([True, False])), Choices())
    array([0.9, nan])
    """
    return np.where(evidence.first_hits, evidence.query, np.nan)


WS = Fusion(
    name="ws",
    title="Word spotting (WS)",
    definition="What the query itself found, by its score against the query (Hast 2020, §3).",
    fuse=ws,
)


def qe(evidence: Evidence, _choices: Choices) -> NDArray[np.float64]:
    """Keep the query's scores of everything that was found.

    Parameters
    ----------
    evidence : Evidence
        Of N items.
    _choices : Choices
        Ignored.

    Returns
    -------
    (N,) float
        A copy of the query's scores; NaN for an item that no search found.

    Notes
    -----
    Hast (2020), §3.

    Examples
    --------
    >>> query, none = np.array([0.9, 0.75]), np.zeros((0, 2))
    >>> qe(Evidence(query, None, none, np.array([True, False])), Choices())
    array([0.9 , 0.75])
    """
    scores = np.array(evidence.query, dtype=np.float64)
    return np.where(evidence.found, scores, np.nan) if len(evidence.found) else scores


QE = Fusion(
    name="qe",
    title="Query expansion (QE)",
    definition="All that the expanded searches found, by the score against the original query"
    " only (Hast 2020, §3).",
    fuse=qe,
)


def cr(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Re-score the list of the query by consensus (`re_score`).

    Parameters
    ----------
    evidence : Evidence
        Of N items.
    choices : Choices
        Which items re-score the list, and how often.

    Returns
    -------
    (N,) float
        Scores on the same scale; NaN for an item that is not in the list. The query's scores if the
        scores between items are not known.

    Notes
    -----
    Hast (2020), §3 and §5.2.

    Examples
    --------
    >>> query, none = np.array([0.9, 0.85, 0.6]), np.zeros((0, 3))
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> between = MatrixScores(np.array([[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]]))
    >>> cr(Evidence(query, between, none, query > 0), Choices(top=2)).round(2)
    array([0.9, 0.9, 0.3])
    """
    listed = np.array(evidence.query, dtype=np.float64)
    return listed if evidence.between is None else re_score(listed, evidence.between, choices)


CR = Fusion(
    name="cr",
    title="Consensus ranking (CR)",
    definition="The list re-scored against each of its top n items with at least a given score,"
    " by the mean of these scores (Hast 2020, §3 and §5.2).",
    fuse=cr,
    needs="between",
)


def ml(evidence: Evidence, _choices: Choices) -> NDArray[np.float64]:
    """Merge the lists by the mean score over those that have an item.

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items.
    _choices : Choices
        Ignored.

    Returns
    -------
    (N,) float
        NaN for an item that no list has.

    Notes
    -----
    Hast (2020), §3, after Wei et al. (2015).

    Examples
    --------
    >>> lists = np.array([[0.75, 0.5, np.nan], [0.25, np.nan, np.nan]])
    >>> ml(Evidence(lists[0], None, lists, lists[0] > 0), Choices())
    array([0.5, 0.5, nan])
    """
    return mean_scores(evidence.lists)


ML = Fusion(
    name="ml",
    title="Merged lists (ML)",
    definition="The mean score over the expanded searches' lists that found an item"
    " (Hast 2020, §3, after Wei et al. 2015).",
    fuse=ml,
    needs="lists",
)


def ml_cr(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Merge the lists (ML), then re-score the merged list by consensus (`re_score`).

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items.
    choices : Choices
        Which items re-score the list, and how often.

    Returns
    -------
    (N,) float
        NaN for an item that no list has. The merged list if the scores between items are not known.

    Notes
    -----
    Hast (2020), §3 and §5.2.

    Examples
    --------
    >>> lists = np.array([[0.9, 0.85, 0.6]])
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> between = MatrixScores(np.array([[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]]))
    >>> ml_cr(Evidence(lists[0], between, lists, lists[0] > 0), Choices(top=2)).round(2)
    array([0.9, 0.9, 0.3])
    """
    merged = ml(evidence, choices)
    return merged if evidence.between is None else re_score(merged, evidence.between, choices)


ML_CR = Fusion(
    name="ml_cr",
    title="Merged lists, consensus ranking (ML-CR)",
    definition="The list of ML re-scored by the mean score against its top n items with at least"
    " a given score (Hast 2020, §3 and §5.2).",
    fuse=ml_cr,
    needs="lists",
)


POWER = Setting("expansion_power", "An item weighs its score to the power of", 3.0)


def alpha_qe(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Score the items against ``q + Σ_k s(q, k)^α x_k``, of length 1, over the re-scoring items k.

    Parameters
    ----------
    evidence : Evidence
        Of N items; scores have to be cosines.
    choices : Choices
        Which items re-score, and the power α (`POWER`).

    Returns
    -------
    (N,) float
        Cosines; NaN for an item that is not in the list. The query's scores if no item re-scores.

    Notes
    -----
    Radenović, Tolias & Chum (2019), §3.4. Descriptors are not needed: with cosines the product with
    item i is ``s(q, i) + Σ_k w_k s(k, i)``, and the squared length is ``1 + 2 Σ_k w_k s(q, k) +
    Σ_kl w_k w_l s(k, l)``.

    Examples
    --------
    >>> query, none = np.array([0.9, 0.8, 0.0]), np.zeros((0, 3))
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> between = MatrixScores(np.array([[1.0, 0.8, 0.5], [0.8, 1.0, 0.0], [0.5, 0.0, 1.0]]))
    >>> alpha_qe(Evidence(query, between, none, query > 0), Choices(top=1)).round(2)
    array([0.97, 0.82, 0.22])
    """
    query = evidence.query
    best = choose_re_scoring(query, choices)
    power = setting_value(choices, POWER, 0.0)
    weights = re_scoring_weights(query, best, choices, power)
    if evidence.between is None or not weights.any():
        return np.array(query, dtype=np.float64)
    rows = np.nan_to_num(evidence.between.rows(best), nan=0.0)
    own = np.nan_to_num(query[best], nan=0.0)
    squared = float(1 + 2 * weights @ own + weights @ rows[:, best] @ weights)
    return np.asarray((query + weights @ rows) / np.sqrt(max(squared, np.finfo(float).tiny)))


ALPHA_QE = Fusion(
    name="alpha_qe",
    title="α-query expansion",
    definition="The cosine with the mean of the query and its top n items, each weighted by its"
    " score to the power α (Radenović, Tolias & Chum 2019, §3.4).",
    fuse=alpha_qe,
    needs="between",
    settings=(POWER,),
)
