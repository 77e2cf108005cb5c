"""F at IoU: high only if P and R at an IoU threshold both are."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.area import f_score
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, SumsFormula
from spotlab.measures.sums import Sums


def compute(sums: Sums) -> Floats:
    """F^β of numbers of spots, with β of the settings; see `area.f_score`.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1]; NaN with neither spots nor truth regions.

    Notes
    -----
    Spots are matched with regions as in Lin et al. (2014); see `iou.match_spots`. A list that is
    cut keeps its matches, because spots choose in rank order.
    """
    return f_score(sums.correct, sums.spots, sums.symbols, sums.settings.beta)


MEASURE = Measure(
    Figure(
        "f_at_iou", "F at IoU", "", 1,
        "(1 + β²) P R / (β² P + R) of P at IoU and R at IoU. 0 if no spot is right; undefined "
        "only if there are neither spots nor truth regions.",
    ),
    SumsFormula(compute),
    order=96,
)  # fmt: skip
