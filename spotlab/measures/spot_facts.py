"""What one spot adds, and how much of one truth region is covered, read off the tally.

`Tally` explains the areas; precision and recall are those of Rusiñol & Lladós (2009), eq. 7.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.measures.tally import Tally
from spotlab.representation import short_repr


@dataclass(frozen=True)
class SpotFacts:
    """What is known of one spot; None is undefined.

    Attributes
    ----------
    rank, count : int
        Its rank in the list of its query, from 1, and the length of that list.
    area, gained_area, gained_true_area : float
        Areas in px²: of the spot, of the part that no earlier spot of the query covers, and of
        what of that part is truth.
    region : int or None
        The region that it is judged by, else the region of its query with which it shares most.
    iou : float or None
        Intersection over union with that region, in [0, 1].
    region_share, spot_share : float or None
        The share of the region that it covers, and the share of the spot inside the region.
    precision, recall : (float or None, float or None)
        Of the query, before and after the spot; shares.
    """

    rank: int
    count: int
    area: float
    gained_area: float
    gained_true_area: float
    region: int | None
    iou: float | None
    region_share: float | None
    spot_share: float | None
    precision: tuple[float | None, float | None]
    recall: tuple[float | None, float | None]

    __repr__ = short_repr


def spot_facts(
    tally: Tally, precision: Floats, recall: Floats, spot: int, region: int = -1
) -> SpotFacts:
    """Collect what is known of a spot.

    Parameters
    ----------
    tally : Tally
        Of N spots.
    precision, recall : (N,) float
        Of the query after each spot, as shares; NaN is undefined. Before the first spot recall is
        0 if there is truth, and precision is undefined.
    spot : int
        Its place in the tally.
    region : int
        The region that it is judged by, by its place in the tally; -1 for none.

    Returns
    -------
    SpotFacts
        What involves a region is None if the spot overlaps none.
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
        about, iou, region_share, spot_share = (region if region >= 0 else None), None, None, None
    else:
        about, shared = int(tally.pair_region[at]), float(tally.pair_shared[at])
        other = float(tally.region_area[about])
        iou = _ratio(shared, area + other - shared)
        region_share, spot_share = _ratio(shared, other), _ratio(shared, area)
    return SpotFacts(
        spot - first + 1,
        last - first,
        area,
        float(tally.gained_area[spot]),
        float(tally.gained_true_area[spot]),
        about,
        iou,
        region_share,
        spot_share,
        (before[0], after[0]),
        (before[1], after[1]),
    )


def covered_share(tally: Tally, region: int, counts: NDArray[np.int64]) -> float | None:
    """The share of a region that the spots of its query cover together.

    Parameters
    ----------
    tally : Tally
        Of Q queries.
    region : int
        Its place in the tally.
    counts : (Q,) int
        How many spots each query keeps.

    Returns
    -------
    float or None
        In [0, 1]; None if the region has no area.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> tally = SimpleNamespace(
    ...     rank=np.array([1, 2]), query=np.array([0, 0]), own=np.array([True, True]),
    ...     pair_spot=np.array([0, 1]), pair_region=np.array([0, 0]),
    ...     pair_gained_area=np.array([50.0, 25.0]), region_area=np.array([100.0]))
    >>> covered_share(tally, 0, np.array([1])), covered_share(tally, 0, np.array([2]))
    (0.5, 0.75)
    """
    kept = tally.rank[tally.pair_spot] <= counts[tally.query[tally.pair_spot]]
    here = kept & tally.own & (tally.pair_region == region)
    return _ratio(float(tally.pair_gained_area[here].sum()), float(tally.region_area[region]))


def _pair(tally: Tally, spot: int, region: int) -> int | None:
    """The spot's pair with this region, else with the one of its query that it shares most with."""
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
