"""P at IoU: how many spots are right."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.area import ratio
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, SumsFormula
from spotlab.measures.sums import Sums


def compute(sums: Sums) -> Floats:
    """Right spots / spots.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1]; NaN without spots.

    Notes
    -----
    Spots are matched with regions as in Lin et al. (2014); see `iou.match_spots`. A list that is
    cut keeps its matches, because spots choose in rank order.
    """
    return ratio(sums.correct, sums.spots)


MEASURE = Measure(
    Figure(
        "precision_at_iou", "P at IoU", "", 1,
        "Spots that are right / all spots. A spot is right if its intersection over union "
        "with a truth region that no earlier spot has taken reaches the threshold t. "
        "Undefined where nothing is retrieved.",
    ),
    SumsFormula(compute),
    order=92,
    shown=False,
)  # fmt: skip
