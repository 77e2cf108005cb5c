"""What one spot did, and what became of one truth region: read off the tally, nothing is measured.

See `Tally` for the areas; precision and recall are those of Rusiñol & Lladós (2010), eq. 7.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.measures.tally import Floats, Tally
from spotlab.representation import short_repr


@dataclass(frozen=True)
class SpotFacts:
    """One spot. Areas in px²; None is undefined.

    Attributes
    ----------
    rank, count : int
        Its place in its query's list, and how many the list has.
    area, new_area, new_relevant : float
        Its own; what no earlier spot of the query covers; what of that lies in the truth.
    region : int or None
        The region that it is judged by, else the one of its query that it shares most with.
    iou : float or None
        Intersection over union with that region.
    of_region, of_spot : float or None
        How much of the region it covers, and how much of it lies in the region.
    precision, recall : (float or None, float or None)
        Of the query, before and after it.
    """

    rank: int
    count: int
    area: float
    new_area: float
    new_relevant: float
    region: int | None
    iou: float | None
    of_region: float | None
    of_spot: float | None
    precision: tuple[float | None, float | None]
    recall: tuple[float | None, float | None]

    __repr__ = short_repr


def spot_facts(
    tally: Tally, precision: Floats, recall: Floats, spot: int, region: int = -1
) -> SpotFacts:
    """What is known of a spot.

    Parameters
    ----------
    tally : Tally
    precision, recall : (N,) float
        After each spot of its query; NaN is undefined. Before the first spot recall is 0, if there
        is truth, and precision undefined.
    spot : int
        Its place in the tally.
    region : int
        The region that it is judged by; -1 where there is none.
    """
    query = int(tally.query[spot])
    first, last = int(tally.starts[query]), int(tally.starts[query + 1])
    after = _defined(precision[spot]), _defined(recall[spot])
    if spot > first:
        before = _defined(precision[spot - 1]), _defined(recall[spot - 1])
    else:
        before = None, None if after[1] is None else 0.0
    area = float(tally.area[spot])
    at = _pair(tally, spot, region)
    if at is None:
        found, iou, of_region, of_spot = (region if region >= 0 else None), None, None, None
    else:
        found, shared = int(tally.pair_region[at]), float(tally.pair_shared[at])
        other = float(tally.region_area[found])
        iou = _ratio(shared, area + other - shared)
        of_region, of_spot = _ratio(shared, other), _ratio(shared, area)
    return SpotFacts(
        spot - first + 1,
        last - first,
        area,
        float(tally.new_area[spot]),
        float(tally.new_relevant[spot]),
        found,
        iou,
        of_region,
        of_spot,
        (before[0], after[0]),
        (before[1], after[1]),
    )


def covered_share(tally: Tally, region: int, counts: NDArray[np.int64]) -> float | None:
    """How much of a region the spots of its query cover together; None if it has no area.

    Parameters
    ----------
    tally : Tally
    region : int
        Its place in the tally.
    counts : (Q,) int
        How many spots each query keeps.
    """
    kept = tally.rank[tally.pair_spot] <= counts[tally.query[tally.pair_spot]]
    here = kept & tally.own & (tally.pair_region == region)
    return _ratio(float(tally.pair_new[here].sum()), float(tally.region_area[region]))


def _pair(tally: Tally, spot: int, region: int) -> int | None:
    """The pair of the spot with this region, else with that of its query it shares most with."""
    first, last = np.searchsorted(tally.pair_spot, (spot, spot + 1))
    pairs = np.arange(first, last)
    with_it = pairs[tally.pair_region[pairs] == region]
    if len(with_it):
        return int(with_it[0])
    own = pairs[tally.own[pairs]]
    return int(own[np.argmax(tally.pair_shared[own])]) if len(own) and region < 0 else None


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 else None
