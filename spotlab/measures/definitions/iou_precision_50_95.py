"""Average precision averaged over ten IoU thresholds, the primary measure of COCO."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats
from spotlab.measures.figure import Figure
from spotlab.measures.iou import THRESHOLDS, average_precision_of, drawn_average_precision
from spotlab.measures.measure import Measure, RankingFormula
from spotlab.measures.ranked_lists import DrawnList, RankedLists


def per_query(lists: RankedLists) -> Floats:
    """Average precision of every query, averaged over the IoU thresholds .5, .55, … .95.

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
    values = [
        average_precision_of(
            lists.right_at(iou),
            np.where(lists.ignored_at(iou), 0.0, 1.0),
            lists.tally.starts,
            lists.symbols,
        )
        for iou in THRESHOLDS
    ]
    return np.asarray(np.mean(values, axis=0))


def resampled(drawn: DrawnList) -> Floats:
    """Average precision of one query on drawn pages, averaged over the IoU thresholds.

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
    values = [
        drawn_average_precision(
            drawn.lists.right_at(iou)[drawn.spots],
            drawn.weight,
            drawn.ranks_at(iou),
            drawn.symbols,
        )
        for iou in THRESHOLDS
    ]
    return np.asarray(np.mean(values, axis=0))


MEASURE = Measure(
    Figure(
        "iou_precision_50_95", "AP@[.5:.95]", "", 1,
        "Average precision as for object detectors, averaged over the IoU thresholds .5, .55, … "
        ".95, as in COCO: high only if spots also fit their regions closely.",
    ),
    RankingFormula(per_query, resampled, pooled=None),
    order=91,
)  # fmt: skip
