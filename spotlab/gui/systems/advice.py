"""Which estimate to look at first: what is recommended, or what a few answers decide."""

from __future__ import annotations

from spotlab.consensus.recommendation import Recommendation
from spotlab.gui.kit.plain_text import rich
from spotlab.studies.systems.comparison import SystemComparison
from spotlab.studies.systems.method_results import MethodResult

DECIDED = "Your answers decide better than agreement alone."

KENDALL = rich(
    "<p><b>Kendall's τ</b></p><p>Of all pairs of systems, the share that is in the same order by F "
    "with truth, less the share in the opposite order: 1 same order, 0 none, −1 opposite "
    "(τ-b, ties counted). Larger: the estimate ranks the systems more as the truth does.</p>"
)


def advice_of(
    comparison: SystemComparison | None, answered: MethodResult | None
) -> Recommendation | None:
    """What is recommended; None while nothing is known.

    Parameters
    ----------
    comparison : SystemComparison or None
    answered : MethodResult or None
        What follows from the answers; None as long as these are too few to decide.
    """
    if answered is not None:
        return Recommendation(answered.name, DECIDED)
    return comparison.recommendation if comparison else None
