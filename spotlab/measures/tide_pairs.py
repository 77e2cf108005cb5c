"""Spots and regions that overlap, in the order in which TIDE looks at them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures.iou import iou_pairs, match_pairs
from spotlab.measures.tally import Tally


@dataclass(frozen=True, eq=False)
class TidePairs:
    """Overlapping pairs with a label, later regions first, so that the earliest of equals wins.

    Attributes
    ----------
    spot, region : (K,) int
        Places in the tally.
    iou : (K,) float
        Intersection over union of each pair.
    own : (K,) bool
        Whether the region is of the spot's query.
    place : (N,) int
        Of each spot in the order of pages and scores; -1 for one that takes no part.
    spots, regions : int
        Their numbers.
    """

    spot: Ints
    region: Ints
    iou: Floats
    own: NDArray[np.bool_]
    place: Ints
    spots: int
    regions: int

    @classmethod
    def of(cls, tally: Tally, place: Ints) -> TidePairs:
        """The pairs of a tally.

        Parameters
        ----------
        tally : Tally
        place : (N,) int
            See the attribute.
        """
        used = (place[tally.pair_spot] >= 0) & (tally.region_query[tally.pair_region] >= 0)
        at = np.flatnonzero(used)
        at = at[np.argsort(-tally.pair_region[at], kind="stable")]
        return cls(
            tally.pair_spot[at], tally.pair_region[at], iou_pairs(tally)[at], tally.own[at], place,
            len(tally), len(tally.region_area),
        )  # fmt: skip

    def match(self, threshold: float, ordered: int) -> Ints:
        """The region of each spot, by its place in the order.

        Parameters
        ----------
        threshold : float
            Smallest IoU in (0, 1].
        ordered : int
            Number of spots that take part.

        Returns
        -------
        (ordered,) int
            -1 for none.

        Notes
        -----
        As tidecv 1.0.1 matches (Bolya et al., 2020).
        """
        able = np.flatnonzero(self.own & (self.iou >= threshold))
        backwards = self.regions - 1 - self.region[able]  # matching prefers the later of equals
        asked = match_pairs(
            self.place[self.spot[able]], backwards, self.iou[able], ordered, self.regions
        )
        return np.where(asked >= 0, self.regions - 1 - asked, -1)

    def best(self, chosen: NDArray[np.bool_]) -> tuple[Floats, Ints]:
        """Each spot's highest IoU among some pairs, and the region.

        Parameters
        ----------
        chosen : (K,) bool
            The pairs.

        Returns
        -------
        (N,) float, (N,) int
            0 and -1 for none.
        """
        pairs = np.flatnonzero(chosen)
        pairs = pairs[np.argsort(self.iou[pairs], kind="stable")]  # the highest is written last
        best, region = np.zeros(self.spots), np.full(self.spots, -1, np.int64)
        best[self.spot[pairs]] = self.iou[pairs]
        region[self.spot[pairs]] = self.region[pairs]
        return best, region
