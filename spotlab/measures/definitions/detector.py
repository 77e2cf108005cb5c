"""Measures of detectors beside average precision: recall of the first spots, and sizes of regions.

They are those of COCO (Lin et al. 2014), as computed by pycocotools, without its limit of 100 spots
a page in average precision.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from spotlab.arrays import Floats
from spotlab.measures.area import ratio
from spotlab.measures.matching import THRESHOLDS, average_precision_of, drawn_average_precision
from spotlab.measures.measure import SIZES, DrawnList, Figure, Measure, RankedLists, RankingFormula

MOST = (1, 10, 100)  # spots of a query on a page
LIMIT = MOST[-1]


def average_recall(lists: RankedLists, most: int, size: str = "") -> Floats:
    """Recall of the first spots of every query on each page, averaged over IoU thresholds.

    Parameters
    ----------
    lists : RankedLists
        Of Q queries.
    most : int
        How many spots of a query are taken on each page.
    size : {"", "small", "medium", "large"}
        Of the regions that are to be found; all by default.

    Returns
    -------
    (Q,) float
        Shares in [0, 1]; NaN for a query without such truth.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools: over the IoU thresholds .5, .55, … .95.

    Examples
    --------
    Of two regions one is found, by a spot that is right at five of the ten thresholds:

    >>> from types import SimpleNamespace
    >>> tally = SimpleNamespace(page_rank=np.array([1]), query=np.array([0]), queries=("bed",))
    >>> lists = SimpleNamespace(
    ...     tally=tally, symbols=np.array([2]), right_at=lambda iou: np.array([iou < 0.74]))
    >>> average_recall(lists, most=100).tolist()
    [0.25]
    """
    tally = lists.tally
    first = tally.page_rank <= most
    symbols = lists.symbols_of(size).sum(axis=1) if size else lists.symbols
    hits = np.zeros(len(tally.queries))
    for iou in THRESHOLDS:
        right = lists.sized_at(iou, size)[0] if size else lists.right_at(iou)
        hits += np.bincount(tally.query[right & first], minlength=len(hits))
    return ratio(hits / len(THRESHOLDS), symbols)


def average_recall_of_draws(drawn: DrawnList, most: int, size: str = "") -> Floats:
    """Average recall of one query on drawn pages, see `average_recall`.

    Parameters
    ----------
    drawn : DrawnList
        The query's list on D draws of pages.
    most : int
        How many spots are taken on each page.
    size : {"", "small", "medium", "large"}
        Of the regions that are to be found; all by default.

    Returns
    -------
    (D,) float
        Shares in [0, 1]; NaN where the drawn pages have no such truth.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools.

    Examples
    --------
    A spot that is right at five of the ten thresholds, on a page that is drawn once, then twice:

    >>> from types import SimpleNamespace
    >>> lists = SimpleNamespace(tally=SimpleNamespace(page_rank=np.array([1])),
    ...                         right_at=lambda iou: np.array([iou < 0.74]))
    >>> drawn = SimpleNamespace(lists=lists, spots=slice(0, 1), weight=np.array([[1.0], [2.0]]),
    ...                         symbols=np.array([2.0, 2.0]))
    >>> average_recall_of_draws(drawn, most=100).tolist()
    [0.25, 0.5]
    """
    lists = drawn.lists
    first = lists.tally.page_rank[drawn.spots] <= most
    times = np.zeros(len(first))
    for iou in THRESHOLDS:
        right = lists.sized_at(iou, size)[0] if size else lists.right_at(iou)
        times += right[drawn.spots] & first
    found = np.flatnonzero(times)
    symbols = drawn.symbols_of(size) if size else drawn.symbols
    return ratio(drawn.weight[:, found] @ times[found] / len(THRESHOLDS), symbols)


def precision_of_size(lists: RankedLists, size: str) -> Floats:
    """Average precision of every query for regions of a size, averaged over IoU thresholds.

    Parameters
    ----------
    lists : RankedLists
        Of Q queries.
    size : {"small", "medium", "large"}
        Of the regions that are to be found.

    Returns
    -------
    (Q,) float
        Shares in [0, 1]; NaN for a query without such truth.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools; see `match_sizes`.

    Examples
    --------
    The only small region is found by the second spot; the first one is large and does not count:

    >>> from types import SimpleNamespace
    >>> right, ignored = np.array([False, True]), np.array([True, False])
    >>> lists = SimpleNamespace(
    ...     tally=SimpleNamespace(starts=np.array([0, 2])),
    ...     symbols_of=lambda size: np.array([[1]]), sized_at=lambda iou, size: (right, ignored))
    >>> precision_of_size(lists, "small").round(9).tolist()
    [1.0]
    """
    symbols = lists.symbols_of(size).sum(axis=1)
    values = [
        average_precision_of(right, np.where(ignored, 0.0, 1.0), lists.tally.starts, symbols)
        for right, ignored in (lists.sized_at(iou, size) for iou in THRESHOLDS)
    ]
    return np.asarray(np.mean(values, axis=0))


def precision_of_size_of_draws(drawn: DrawnList, size: str) -> Floats:
    """Average precision of one query for regions of a size on drawn pages.

    Parameters
    ----------
    drawn : DrawnList
        The query's list on D draws of pages.
    size : {"small", "medium", "large"}
        Of the regions that are to be found.

    Returns
    -------
    (D,) float
        Shares in [0, 1]; NaN where the drawn pages have no such truth.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools.
    """
    symbols, values = drawn.symbols_of(size), []
    for iou in THRESHOLDS:
        places = np.flatnonzero(drawn.lists.sized_at(iou, size)[0][drawn.spots])
        ranks = drawn.ranks_of(iou, size, places)
        values.append(drawn_average_precision(drawn.weight[:, places], ranks, symbols))
    return np.asarray(np.mean(values, axis=0))


def _precision(size: str, order: float) -> Measure:
    return Measure(
        Figure(
            f"iou_precision_{size}", f"AP {size}", "", 1,
            f"AP@[.5:.95] for {size} truth regions: of COCO (small up to 32² px², large from 96² "
            "px² on), or thirds of all regions. Regions of another size neither cost nor count; "
            "nor do spots of another size that are matched with nothing.",
        ),
        RankingFormula(
            partial(precision_of_size, size=size),
            partial(precision_of_size_of_draws, size=size),
            pooled=None,
        ),
        order=order,
        shown=False,
    )  # fmt: skip


def _recall(name: str, title: str, order: float, definition: str, most: int, size: str) -> Measure:
    return Measure(
        Figure(f"average_recall_{name}", title, "", 1, definition),
        RankingFormula(
            partial(average_recall, most=most, size=size),
            partial(average_recall_of_draws, most=most, size=size),
            pooled=None,
        ),
        order=order,
        shown=False,
    )


def _recall_of_first(most: int, order: float) -> Measure:
    spots = "the first spot" if most == 1 else f"the first {most} spots"
    definition = (
        f"Share of the truth regions that {spots} of the query on each page find, averaged over "
        "the IoU thresholds .5, .55, … .95, as in COCO."
    )
    return _recall(str(most), f"AR@{most}", order, definition, most, "")


def _recall_of_size(size: str, order: float) -> Measure:
    definition = (
        f"AR@{LIMIT} for {size} truth regions: of COCO (small up to 32² px², large from 96² px² "
        "on), or thirds of all regions."
    )
    return _recall(size, f"AR {size}", order, definition, LIMIT, size)


PRECISION_SMALL, PRECISION_MEDIUM, PRECISION_LARGE = (
    _precision(size, 97 + place / 100) for place, size in enumerate(SIZES)
)
RECALL_1, RECALL_10, RECALL_100 = (
    _recall_of_first(most, 98 + place / 100) for place, most in enumerate(MOST)
)
RECALL_SMALL, RECALL_MEDIUM, RECALL_LARGE = (
    _recall_of_size(size, 99 + place / 100) for place, size in enumerate(SIZES)
)
