"""Average precision at an IoU threshold, as detectors are judged: spots against single regions.

The matching and the average are those of COCO (Lin et al., 2014, and its pycocotools): on each page
a query's spots choose, in order of rank, the region of the query that is still free and has the
highest intersection over union (IoU), if that reaches the threshold; of equal ones the later. What
has no region is false. Precision, made non-rising from the right, is averaged at 101 recalls.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import numpy as np

from spotlab.measures.area import ratio
from spotlab.measures.tally import Floats, Ints, Tally

Interpolation = Literal["coco", "exact"]
THRESHOLDS = np.linspace(0.5, 0.95, 10)
RECALLS = np.linspace(0.0, 1.0, 101)
ROUNDS = 12  # of matching all spots at once


def iou_pairs(tally: Tally) -> Floats:
    """(K,) intersection over union of each pair of the tally."""
    whole = tally.area[tally.pair_spot] + tally.region_area[tally.pair_region] - tally.pair_shared
    found = ratio(tally.pair_shared, whole)
    return np.minimum(found, 1.0)


def match(tally: Tally, threshold: float = 0.5) -> Ints:
    """(N,) the region that each spot is matched with, -1 where none.

    Parameters
    ----------
    tally : Tally
    threshold : float
        IoU that a match has to reach, above 0.
    """
    iou = iou_pairs(tally)
    able = np.flatnonzero(tally.own & (iou >= min(threshold, 1 - 1e-10)))
    pairs = tally.pair_spot[able], tally.pair_region[able], iou[able]
    return match_pairs(*pairs, len(tally), len(tally.region_area))


def match_pairs(spot: Ints, region: Ints, iou: Floats, spots: int, regions: int) -> Ints:
    """(spots,) the region that each spot is matched with, -1 where none.

    Parameters
    ----------
    spot, region : (K,) int
        Pairs that reach the threshold; spots are numbered in order of rank.
    iou : (K,) float
    spots, regions : int
        How many there are.

    Notes
    -----
    Spots choose one after the other. As all regions would rather have the earlier spot, that is the
    only stable matching, which deferred acceptance (Gale & Shapley, 1962) finds for all at once:
    each spot asks for its best region, and whoever asks for one that an earlier spot asks for too
    goes on to the next.

    Examples
    --------
    >>> match_pairs(np.array([0, 1, 1]), np.array([5, 5, 6]), np.array([0.6, 0.9, 0.7]), 3, 7)
    array([ 5,  6, -1])
    """
    matched = np.full(spots, -1, np.int64)
    for _ in range(ROUNDS):
        asks = _best_of_each(spot, region, iou, spots)
        earliest = np.full(regions, spots, np.int64)
        np.minimum.at(earliest, region[asks], spot[asks])
        stays = spot <= earliest[region]
        if stays.all():
            matched[spot[asks]] = region[asks]
            return matched
        spot, region, iou = spot[stays], region[stays], iou[stays]
    # long chains, in which each spot displaces the next, are rare and go one by one
    order = np.lexsort((-region, -iou, spot))
    free = np.ones(regions, np.bool_)
    for at, wanted in zip(spot[order].tolist(), region[order].tolist(), strict=True):
        if free[wanted] and matched[at] < 0:
            matched[at] = wanted
            free[wanted] = False
    return matched


def _best_of_each(spot: Ints, region: Ints, iou: Floats, spots: int) -> Ints:
    """Each spot's pair of the highest IoU; of equal ones that with the later region."""
    highest = np.zeros(spots)
    np.maximum.at(highest, spot, iou)
    best = np.flatnonzero(iou == highest[spot])
    latest = np.zeros(spots, np.int64)
    np.maximum.at(latest, spot[best], region[best])
    asked: Ints = best[region[best] == latest[spot[best]]]
    return asked


def average_precision_at_iou(
    tally: Tally, threshold: float = 0.5, interpolation: Interpolation = "coco"
) -> Floats:
    """(Q,) average precision of each query; NaN, undefined, where it has no truth.

    Parameters
    ----------
    tally : Tally
    threshold : float
        IoU from which a spot is right.
    interpolation : str
        "coco" averages at 101 recalls; "exact" takes the area under the same non-rising curve.

    Notes
    -----
    A query with truth and without spots has 0.
    """
    right = match(tally, threshold) >= 0
    return average_precision_of(
        right, np.ones(len(right)), tally.starts, tally.symbols.sum(axis=1), interpolation
    )


def average_precision_of(
    right: np.ndarray[tuple[int], np.dtype[np.bool_]],
    weight: Floats,
    starts: Ints,
    symbols: Floats | Ints,
    interpolation: Interpolation = "coco",
) -> Floats:
    """(Q,) average precision of ranked lists.

    Parameters
    ----------
    right : (N,) bool
        Whether each spot is right, one query after the other in order of rank.
    weight : (N,) float
        How often each spot counts.
    starts : (Q + 1,) int
        Where each query's spots begin and end.
    symbols : (Q,) float
        How many there are to be found.

    Examples
    --------
    >>> average_precision_of(np.array([True, False, True]), np.ones(3), np.array([0, 3]),
    ...                      np.array([2]), "exact").round(3).tolist()
    [0.833]
    """
    found = np.full(len(starts) - 1, np.nan)
    for query, (start, stop) in enumerate(pairwise(starts.tolist())):
        if symbols[query] <= 0:
            continue
        hits = np.cumsum(weight[start:stop] * right[start:stop])
        precision = ratio(hits, np.cumsum(weight[start:stop]))
        envelope = np.maximum.accumulate(np.nan_to_num(precision)[::-1])[::-1]
        recall = hits / symbols[query]
        if interpolation == "exact":
            found[query] = float(np.diff(recall, prepend=0.0) @ envelope)
        else:
            place = np.searchsorted(recall, RECALLS, side="left")
            found[query] = np.append(envelope, 0.0)[place].mean()
    return found


def mean_over_thresholds(tally: Tally) -> Floats:
    """(Q,) mean of the average precisions at IoU .5, .55, … .95, COCO's first figure."""
    found: Floats = np.mean(
        [average_precision_at_iou(tally, each) for each in THRESHOLDS.tolist()], axis=0
    )
    return found
