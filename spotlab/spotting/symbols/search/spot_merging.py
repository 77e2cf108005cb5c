"""Merges the spots of all models of a label on a page into one list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from spotlab.geometry.boxes import pair_boxes
from spotlab.spotting.symbols.engine.method import SpottingMethod
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QueryFeatures, QuerySpots

SAME = 0.5  # intersection over union of two bounding boxes from which they are one place


def spot_labels(
    method: SpottingMethod, page: PageFeatures, queries: Iterable[QueryFeatures]
) -> dict[str, QuerySpots]:
    """Find the spots of each label on a page.

    Parameters
    ----------
    method : SpottingMethod
    page : PageFeatures
    queries : iterable of QueryFeatures
        Queries of one name are several models of one label.

    Returns
    -------
    dict of str to QuerySpots
        Labels in the order in which they come first; scores of shape (N,), falling.
    """
    spots: dict[str, list[QuerySpots]] = {}
    for query in queries:
        spots.setdefault(query.name, []).append(method.spot(page, query))
    return {label: merge_spots(lists) for label, lists in spots.items()}


def merge_spots(lists: Sequence[QuerySpots], same: float = SAME) -> QuerySpots:
    """Merge lists of spots; of several at one place the best stays.

    From the best score down, a spot is kept unless it lies on one that is. Equal scores keep their
    order; a single list is left as it is.

    Parameters
    ----------
    lists : sequence of QuerySpots
        Scores of shape (N,) each.
    same : float
        Intersection over union of two bounding boxes, in [0, 1], from which they are one place.

    Examples
    --------
    >>> from spotlab.geometry.outlines import Outlines
    >>> def spot(left, score):
    ...     square = [(left, 0), (left + 10, 0), (left + 10, 10), (left, 10)]
    ...     return QuerySpots(Outlines.of([square]), np.array([score]))
    >>> merge_spots([spot(0, 0.5), spot(1, 0.75), spot(30, 0.25)]).scores.tolist()
    [0.75, 0.25]
    """
    if len(lists) == 1:
        return lists[0]
    spots = QuerySpots.concatenated(lists)
    order = np.argsort(-spots.scores, kind="stable")
    outlines = spots.outlines.take(order)
    pairs = pair_boxes(outlines.bounds, outlines.bounds)
    overlap = (pairs.iou >= same) & (pairs.first < pairs.second)
    is_kept = np.ones(len(order), np.bool_)
    for better, worse in zip(
        pairs.first[overlap].tolist(), pairs.second[overlap].tolist(), strict=True
    ):
        if is_kept[better]:
            is_kept[worse] = False
    kept = np.flatnonzero(is_kept)
    return QuerySpots(outlines.take(kept), spots.scores[order[kept]])
