"""Average precision at an IoU threshold, as object detectors are evaluated; see `measures.iou`."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats
from spotlab.measures.figure import Figure
from spotlab.measures.iou import average_precision_of, drawn_average_precision
from spotlab.measures.measure import Measure, RankingFormula
from spotlab.measures.ranked_lists import DrawnList, RankedLists


def per_query(lists: RankedLists) -> Floats:
    """Average precision of every query, at the IoU of the settings.

    Parameters
    ----------
    lists : RankedLists
        Of Q queries.

    Returns
    -------
    (Q,) float
        Shares in [0, 1]; NaN for a query without truth.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools.
    """
    counted = np.where(lists.ignored, 0.0, 1.0)
    return average_precision_of(lists.right, counted, lists.tally.starts, lists.symbols)


def resampled(drawn: DrawnList) -> Floats:
    """Average precision of one query on drawn pages.

    Parameters
    ----------
    drawn : DrawnList
        The query's list on D draws of pages.

    Returns
    -------
    (D,) float
        Shares in [0, 1]; NaN where the drawn pages have no truth.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools.
    """
    right, ranks = drawn.lists.right[drawn.spots], drawn.ranks_at(drawn.lists.settings.iou)
    return drawn_average_precision(right, drawn.weight, ranks, drawn.symbols)


MEASURE = Measure(
    Figure(
        "iou_precision", "AP at IoU", "", 1,
        "Average precision as for object detectors: a spot is right if its intersection over "
        "union with a truth region that no earlier spot has taken reaches the threshold t; "
        "precision is averaged over 101 recalls, as in COCO.",
    ),
    RankingFormula(per_query, resampled, pooled=None),
    order=90,
)  # fmt: skip
