"""The tally of one page: what each spot of a run adds there, in px²."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.measures.ignored_area import ALL, NONE, IgnoredArea, PageIgnored
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class PageTally:
    """What the spots of a run add on one page, of N spots, T truth regions and K overlapping pairs.

    Attributes
    ----------
    page : str
        The page's name.
    spot : (N,) int
        The places in the run of the spots on this page, increasing.
    area : (N,) float
        The area of each spot in px².
    gained_area : (N,) float
        The part in px² that no earlier spot of the same query covers on this page.
    gained_true_area : (N,) float
        What of that part lies in the union of the query's truth, in px².
    region_id, region_label : tuple of str
        The truth regions of all labels; the label of a region without one is empty.
    region_area : (T,) float
        The area of each region in px².
    truth_area : mapping of str to float
        The area in px² of the union of each label's regions.
    pair_spot, pair_region : (K,) int
        Spots and regions of this page that overlap, whatever their labels; sorted by spot.
    pair_shared : (K,) float
        The area that they share, in px².
    pair_gained_area : (K,) float
        The part of it in px² that no earlier spot of the same query covers; 0 where the region
        has another label.
    ignored : PageIgnored or None
        What ignored regions take off; None where no region is ignored. ``gained_area``,
        ``gained_true_area`` and ``truth_area`` are without ignored area, all others with it.
    """

    page: str
    spot: Ints
    area: Floats
    gained_area: Floats
    gained_true_area: Floats
    region_id: tuple[str, ...]
    region_label: tuple[str, ...]
    region_area: Floats
    truth_area: Mapping[str, float]
    pair_spot: Ints
    pair_region: Ints
    pair_shared: Floats
    pair_gained_area: Floats
    ignored: PageIgnored | None = None

    __repr__ = short_repr

    @property
    def ignored_ids(self) -> frozenset[str]:
        """The ids of the regions that are ignored."""
        return frozenset(self._ignored(self.region_id))

    @property
    def ignored_labels(self) -> tuple[str, ...]:
        """The labels of the regions that are ignored, in their order."""
        return self._ignored(self.region_label)

    def _ignored(self, values: tuple[str, ...]) -> tuple[str, ...]:
        if self.ignored is None:
            return ()
        kinds = self.ignored.kind.tolist()
        return tuple(value for value, kind in zip(values, kinds, strict=True) if kind)

    @property
    def counted_labels(self) -> tuple[str, ...]:
        """The labels of the regions that are not ignored."""
        if self.ignored is None:
            return self.region_label
        kinds = self.ignored.kind.tolist()
        return tuple(
            label for label, kind in zip(self.region_label, kinds, strict=True) if not kind
        )


def joined_ignored(
    parts: Sequence[PageTally], names: Sequence[str], region_query: Ints, order: Ints, pairs: Ints
) -> IgnoredArea | None:
    """Put together what ignored regions take off single pages.

    Parameters
    ----------
    parts : sequence of PageTally
        The pages.
    names : sequence of str
        All queries.
    region_query : (T,) int
        The query that each region's label names; -1 without label, `NONE` for another label.
    order : (N,) int
        The spots of all pages in the order of the tally.
    pairs : (K,) int
        The pairs of all pages in the order of the tally.

    Returns
    -------
    IgnoredArea or None
        None where no region is ignored.
    """
    if all(part.ignored is None for part in parts):
        return None
    kind, spot_area, region_area, shared = [], [], [], []
    area = np.zeros((len(names), len(parts)))
    for place, part in enumerate(parts):
        off = part.ignored
        kind.append(np.zeros(len(part.region_id), np.int8) if off is None else off.kind)
        spot_area.append(part.area if off is None else off.spot_area)
        region_area.append(part.region_area if off is None else off.region_area)
        shared.append(part.pair_shared if off is None else off.pair_shared)
        if off is not None:
            area[:, place] = [off.area.get(name, off.area[""]) for name in names]
    kinds = joined(kind, np.int8)
    return IgnoredArea(
        kind=kinds,
        query=np.where(kinds > 0, np.where(region_query == -1, ALL, region_query), NONE),
        spot_area=joined(spot_area)[order],
        region_area=joined(region_area),
        pair_shared=joined(shared)[pairs],
        area=area,
    )


def joined(arrays: Sequence[Any], kind: type = np.float64) -> Any:
    """Join columns of single pages.

    Parameters
    ----------
    arrays : sequence of (n,) array
        A column of each page.
    kind : type
        Its type.

    Returns
    -------
    (N,) array
        Empty without pages.

    Examples
    --------
    >>> joined([np.array([1, 2]), np.array([3])], np.int64).tolist()
    [1, 2, 3]
    """
    return np.concatenate([np.empty(0, kind), *arrays]).astype(kind, copy=False)
