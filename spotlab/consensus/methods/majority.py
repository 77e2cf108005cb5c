"""An item is relevant if more than half of the systems vote for it."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats
from spotlab.consensus.comparison import SystemFigures
from spotlab.consensus.method import COMMON, ConsensusMethod, MethodEstimate, VoteEvidence
from spotlab.consensus.precision import figures_with_truth, item_probability, vote_share_weights
from spotlab.consensus.votes import Votes
from spotlab.progress import Progress

HALF = 1e-9  # shares this close to one half are ties


def probability(votes: Votes) -> Floats:
    """Opinion of the majority on every item.

    Parameters
    ----------
    votes : Votes
        N items, S systems; unknown votes are ignored.

    Returns
    -------
    (N,) float
        1 if more than half of the votes are for the item, 0 if fewer, ½ for a tie; NaN where
        nobody voted.

    Examples
    --------
    >>> rows = [[1, 1, 0], [1, 0, np.nan], [0, 0, 1]]
    >>> probability(Votes.of(rows, ["a", "b", "c"])).tolist()
    [1.0, 0.5, 0.0]
    """
    share = item_probability(votes, vote_share_weights(len(votes.systems)))
    tie = np.abs(share - 0.5) < HALF
    return np.where(tie | np.isnan(share), np.where(tie, 0.5, np.nan), share > 0.5)


def _estimate(evidence: VoteEvidence, _: Progress) -> MethodEstimate:
    relevant = probability(evidence.votes)
    return MethodEstimate(
        SystemFigures(*figures_with_truth(evidence.votes, relevant, evidence.beta)),
        expected_relevant=float(np.nansum(relevant)),
    )


METHOD = ConsensusMethod(
    name="majority",
    title="Majority",
    definition="An item is relevant if more than half of the systems vote for it; a tie counts as "
    "half relevant.",
    assumption=COMMON,
    estimate=_estimate,
    order=25,
)
