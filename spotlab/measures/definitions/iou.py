"""Spots that are matched with a region at an IoU threshold (Lin et al. 2014)."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats
from spotlab.measures.area import f_score, ratio
from spotlab.measures.matching import THRESHOLDS, average_precision_of, drawn_average_precision
from spotlab.measures.measure import (
    DrawnList,
    Figure,
    Measure,
    RankedLists,
    RankingFormula,
    Sums,
    SumsFormula,
)


def precision_at_iou(sums: Sums) -> Floats:
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
    Spots are matched with regions as in Lin et al. (2014); see `match_spots`. A list that is
    cut keeps its matches, because spots choose in rank order.
    """
    return ratio(sums.correct, sums.spots)


PRECISION_AT_IOU = Measure(
    Figure(
        "precision_at_iou", "P at IoU", "", 1,
        "Spots that are right / all spots. A spot is right if its intersection over union "
        "with a truth region that no earlier spot has taken reaches the threshold t. "
        "Undefined where nothing is retrieved.",
        threshold="iou",
    ),
    SumsFormula(precision_at_iou),
    order=92,
    shown=False,
)  # fmt: skip


def recall_at_iou(sums: Sums) -> Floats:
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
    Spots are matched with regions as in Lin et al. (2014); see `match_spots`. A list that is
    cut keeps its matches, because spots choose in rank order.
    """
    return ratio(sums.correct, sums.symbols)


RECALL_AT_IOU = Measure(
    Figure(
        "recall_at_iou", "R at IoU", "", 1,
        "Truth regions that a right spot takes / all truth regions. A spot is right if its "
        "intersection over union with a truth region that no earlier spot has taken reaches "
        "the threshold t. Undefined where there is no truth region.",
        threshold="iou",
    ),
    SumsFormula(recall_at_iou),
    order=94,
    shown=False,
)  # fmt: skip


def f_at_iou(sums: Sums) -> Floats:
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
    Spots are matched with regions as in Lin et al. (2014); see `match_spots`. A list that is
    cut keeps its matches, because spots choose in rank order.
    """
    return f_score(sums.correct, sums.spots, sums.symbols, sums.settings.beta)


F_AT_IOU = Measure(
    Figure(
        "f_at_iou", "F at IoU", "", 1,
        "(1 + β²) P R / (β² P + R) of P at IoU and R at IoU. 0 if no spot is right; undefined "
        "only if there are neither spots nor truth regions.",
        threshold="iou",
    ),
    SumsFormula(f_at_iou),
    order=96,
)  # fmt: skip


def iou_precision(lists: RankedLists) -> Floats:
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


def iou_precision_of_draws(drawn: DrawnList) -> Floats:
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


IOU_PRECISION = Measure(
    Figure(
        "iou_precision", "AP at IoU", "", 1,
        "Average precision as for object detectors: a spot is right if its intersection over "
        "union with a truth region that no earlier spot has taken reaches the threshold t; "
        "precision is averaged over 101 recalls, as in COCO.",
        threshold="iou",
    ),
    RankingFormula(iou_precision, iou_precision_of_draws, pooled=None),
    order=90,
)  # fmt: skip


def iou_precision_50_95(lists: RankedLists) -> Floats:
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


def iou_precision_50_95_of_draws(drawn: DrawnList) -> Floats:
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


IOU_PRECISION_50_95 = Measure(
    Figure(
        "iou_precision_50_95", "AP@[.5:.95]", "", 1,
        "Average precision as for object detectors, averaged over the IoU thresholds .5, .55, … "
        ".95, as in COCO: high only if spots also fit their regions closely.",
    ),
    RankingFormula(iou_precision_50_95, iou_precision_50_95_of_draws, pooled=None),
    order=91,
)  # fmt: skip
