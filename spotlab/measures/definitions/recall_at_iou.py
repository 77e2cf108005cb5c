"""R at IoU: how many truth regions a right spot finds."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.area import ratio
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, SumsFormula
from spotlab.measures.sums import Sums


def compute(sums: Sums) -> Floats:
    """Right spots / truth regions; each right spot has a region of its own.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1]; NaN without truth regions.

    Notes
    -----
    Spots are matched with regions as in Lin et al. (2014); see `iou.match_spots`. A list that is
    cut keeps its matches, because spots choose in rank order.
    """
    return ratio(sums.correct, sums.symbols)


MEASURE = Measure(
    Figure(
        "recall_at_iou", "R at IoU", "", 1,
        "Truth regions that a right spot takes / all truth regions. A spot is right if its "
        "intersection over union with a truth region that no earlier spot has taken reaches "
        "the threshold t. Undefined where there is no truth region.",
    ),
    SumsFormula(compute),
    order=94,
    shown=False,
)  # fmt: skip
