"""α-query expansion: the query and its best items, averaged into one descriptor, search again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion, Setting
from spotlab.ranking.re_scoring import choose_re_scoring, re_scoring_weights

ALPHA = Setting("alpha", "An item weighs its score to the power of", 3.0)


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Score the items against ``q + Σ_k s(q, k)^α x_k``, of length 1, over the re-scoring items k.

    Descriptors are not needed: with scores that are cosines the product with item i is
    ``s(q, i) + Σ_k w_k s(k, i)``, and the squared length ``1 + 2 Σ_k w_k s(q, k) + Σ_kl w_k w_l
    s(k, l)``. The query's scores where nothing re-scores.
    """
    query = evidence.query
    chosen = choose_re_scoring(query, choices)
    alpha = choices.more.get(ALPHA.name, ALPHA.usual)
    weights = re_scoring_weights(query, chosen, choices, alpha)
    if evidence.between is None or not weights.any():
        return np.array(query, dtype=np.float64)
    rows = np.nan_to_num(evidence.between.rows(chosen), nan=0.0)
    own = np.nan_to_num(query[chosen], nan=0.0)
    squared = 1 + 2 * weights @ own + weights @ rows[:, chosen] @ weights
    return np.asarray((query + weights @ rows) / np.sqrt(max(squared, np.finfo(float).tiny)))


FUSION = Fusion(
    name="alpha_qe",
    title="α-query expansion",
    definition="The cosine with the mean of the query and its top n items, each weighted by its"
    " score to the power α (Radenović, Tolias & Chum 2019, §3.4).",
    fuse=fuse,
    needs="between",
    settings=(ALPHA,),
)
