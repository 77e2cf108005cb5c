"""α-query expansion: the query and its best items, averaged into one descriptor, search again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import (
    Choices,
    Evidence,
    Fusion,
    Setting,
    choose_re_scoring,
    re_scoring_weights,
    setting_value,
)

POWER = Setting("expansion_power", "An item weighs its score to the power of", 3.0)


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
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
    >>> fuse(Evidence(query, between, none, query > 0), Choices(top=1)).round(2)
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


FUSION = Fusion(
    name="alpha_qe",
    title="α-query expansion",
    definition="The cosine with the mean of the query and its top n items, each weighted by its"
    " score to the power α (Radenović, Tolias & Chum 2019, §3.4).",
    fuse=fuse,
    needs="between",
    settings=(POWER,),
)
