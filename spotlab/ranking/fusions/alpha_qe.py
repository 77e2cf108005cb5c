"""α-query expansion: the query and its best items, averaged into one descriptor, search again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.chosen import chosen
from spotlab.ranking.fusion import Choices, Evidence, Fusion, Setting
from spotlab.ranking.re_scoring import choose_re_scoring, re_scoring_weights

POWER = Setting("expansion_power", "An item weighs its score to the power of", 3.0)


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Score the items against ``q + Σ_k s(q, k)^α x_k``, of length 1, over the re-scoring items k.

    Descriptors are not needed: with scores that are cosines the product with item i is
    ``s(q, i) + Σ_k w_k s(k, i)``, and the squared length ``1 + 2 Σ_k w_k s(q, k) + Σ_kl w_k w_l
    s(k, l)``. The query's scores where nothing re-scores.
    """
    query = evidence.query
    best = choose_re_scoring(query, choices)
    power = chosen(choices, POWER, 0.0)
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
