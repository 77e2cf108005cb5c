"""Average precision of plain boxes: a million of them without a tally, by arrays only.

What it gives is what `iou.average_precision_at_iou` gives for the same boxes as outlines; boxes of
one query on one page are compared with each other and with nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from spotlab.measures.area import ratio
from spotlab.measures.iou import Interpolation, average_precision_of, match_pairs
from spotlab.measures.tally import Floats, Ints

BLOCK = 30_000  # pairs that are compared at the same time; few enough for the processor's cache


def average_precision_of_boxes(
    spots: Floats,
    spot_query: ArrayLike,
    spot_page: ArrayLike,
    score: Floats,
    regions: Floats,
    region_query: ArrayLike,
    region_page: ArrayLike,
    threshold: float = 0.5,
    interpolation: Interpolation = "coco",
) -> Floats:
    """(Q,) average precision of each query; NaN, undefined, where it has no truth.

    Parameters
    ----------
    spots, regions : (N, 4) and (T, 4) float
        Left, top, right, bottom in px.
    spot_query, spot_page, region_query, region_page : (N,) and (T,) int
        Numbers from 0; Q is one more than the highest query.
    score : (N,) float
        The highest comes first; of equals the first here.
    threshold : float
        IoU from which a spot is right.
    interpolation : str
        See `iou.average_precision_at_iou`.

    Notes
    -----
    Every spot is compared with every region of its query on its page; nothing that overlaps is
    searched for. That suits pages of up to some hundreds of regions of a query.

    Examples
    --------
    >>> truth = np.array([[0.0, 0, 10, 10], [50, 0, 60, 10]])
    >>> found = np.array([[1.0, 0, 10, 10], [80, 0, 90, 10], [50, 0, 60, 10]])
    >>> average_precision_of_boxes(found, [0, 0, 0], [0, 0, 0], np.array([0.9, 0.8, 0.7]),
    ...                            truth, [0, 0], [0, 0], interpolation="exact").round(3).tolist()
    [0.833]
    """
    of_spot, of_region = np.asarray(spot_query, np.int64), np.asarray(region_query, np.int64)
    on_spot, on_region = np.asarray(spot_page, np.int64), np.asarray(region_page, np.int64)
    queries = max(of_spot.max(initial=-1), of_region.max(initial=-1)) + 1
    pages = max(on_spot.max(initial=-1), on_region.max(initial=-1)) + 1
    pairs = list(
        _pairs(spots, of_spot * pages + on_spot, regions, of_region * pages + on_region, threshold)
    )
    spot, region = (np.concatenate([each[column] for each in pairs]) for column in (0, 1))
    iou = np.concatenate([each[2] for each in pairs])
    order = _in_order(of_spot, score)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    right = match_pairs(rank[spot], region, iou, len(spots), len(regions)) >= 0
    starts = np.concatenate([[0], np.cumsum(np.bincount(of_spot, minlength=queries))])
    symbols = np.bincount(of_region, minlength=queries)
    return average_precision_of(right, np.ones(len(right)), starts, symbols, interpolation)


def _in_order(query: Ints, score: Floats) -> Ints:
    """(N,) the spots, query by query, those of the highest score first."""
    falling = np.argsort(-score)
    if (np.diff(score[falling]) == 0).any():  # a stable sort takes four times as long
        falling = np.argsort(-score, kind="stable")
    # few small numbers are sorted in a single pass
    small = query.astype(np.uint16) if query.max(initial=0) < 2**16 else query
    ordered: Ints = falling[np.argsort(small[falling], kind="stable")]
    return ordered


def _pairs(
    spots: Floats, spot_cell: Ints, regions: Floats, region_cell: Ints, threshold: float
) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Spots and regions of one cell whose IoU reaches the threshold, some spots after the other.

    Regions are numbered cell by cell; those of one cell keep their order.
    """
    by_cell = np.argsort(region_cell, kind="stable")
    cells = max(spot_cell.max(initial=-1), region_cell.max(initial=-1)) + 1
    counts = np.bincount(region_cell, minlength=cells)
    first = (np.cumsum(counts) - counts)[spot_cell]
    many = counts[spot_cell]
    sums = np.cumsum(many)
    cuts = np.searchsorted(sums, np.arange(BLOCK, sums[-1] if len(sums) else 0, BLOCK), "right")
    limits = np.unique([0, *cuts.tolist(), len(spots)])
    yield np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    one, other = spots.T.copy(), regions[by_cell].T.copy()
    for start, stop in zip(limits[:-1].tolist(), limits[1:].tolist(), strict=True):
        here = many[start:stop]
        spot = np.repeat(np.arange(start, stop), here)
        before = np.repeat(np.cumsum(here) - here - first[start:stop], here)
        place = np.arange(len(spot)) - before
        iou = _iou(one.take(spot, axis=1), other.take(place, axis=1))
        able = np.flatnonzero(iou >= min(threshold, 1 - 1e-10))
        yield spot[able], place[able], iou[able]


def _iou(one: Floats, other: Floats) -> Floats:
    """(K,) intersection over union of (4, K) boxes."""
    width = np.minimum(one[2], other[2]) - np.maximum(one[0], other[0])
    height = np.minimum(one[3], other[3]) - np.maximum(one[1], other[1])
    shared = np.maximum(width, 0) * np.maximum(height, 0)
    areas = ((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return ratio(shared, sum(areas, -shared))
