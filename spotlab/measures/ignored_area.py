"""What ignored regions take off a tally: their part is neither found nor missed nor false.

An ignored region with a label concerns the query of that label; one without a label concerns every
query, like the *don't care* regions of KITTI (Geiger et al. 2012). I is the union of the ignored
regions that concern a query on a page.

Areas: what lies in I is taken off. A(R) becomes A(R \\ I), A(T) becomes A(T \\ I), A(R ⊕ T) is that
of what remains, and the page has A(page) − A(I). With `Overlap.SUM`, every region of R and of T
loses I by itself.

Symbols: an ignored region is not counted. Spots are first matched with the regions that count. A
spot that is matched with none is itself *ignored*, neither right nor false, if it lies on an
ignored region that concerns it. On an *area* (``iscrowd`` of COCO, Lin et al. 2014) it does if the
intersection reaches the threshold as a share of the spot; on a *symbol* (``difficult`` of PASCAL
VOC, Everingham et al. 2010) if their IoU does. Any number of spots may lie on one ignored region.
The other regions are judged as ever, whether they lie in ignored area or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.outlines import Outlines
from spotlab.model.region import Ignore
from spotlab.representation import short_repr

KINDS = tuple(Ignore)  # the numbers that stand for them in arrays
ALL, NONE = -1, -2  # queries that an ignored region concerns, where it is not a single one


@dataclass(frozen=True, eq=False)
class PageIgnored:
    """What ignored regions take off one page, of N spots, T truth regions and K overlapping pairs.

    Attributes
    ----------
    kind : (T,) int
        Place of each region's `Ignore` in `KINDS`; 0 for a region that counts.
    spot_area : (N,) float
        The part of each spot outside I, in px².
    region_area : (T,) float
        The part of each region outside I, in px²; 0 for an ignored one.
    pair_shared : (K,) float
        The part outside I of the area that spot and region share, in px².
    area : mapping of str to float
        A(I) in px² for every label that an ignored region has; under "" for all other queries.
    outlines : Outlines
        The ignored regions in their order, as they are measured.
    """

    kind: NDArray[np.int8]
    spot_area: Floats
    region_area: Floats
    pair_shared: Floats
    area: Mapping[str, float]
    outlines: Outlines

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class IgnoredArea:
    """What ignored regions take off a tally; sizes are those of the tally.

    Attributes
    ----------
    kind : (T,) int
        Place of each region's `Ignore` in `KINDS`; 0 for a region that counts.
    query : (T,) int
        The query that an ignored region concerns: its place, `ALL`, or `NONE` if the tally has no
        such query; `NONE` for a region that counts.
    spot_area, region_area, pair_shared : (N,), (T,) and (K,) float
        The parts outside I, in px²; see `PageIgnored`.
    area : (Q, P) float
        A(I) of each query on each page, in px².
    """

    kind: NDArray[np.int8]
    query: Ints
    spot_area: Floats
    region_area: Floats
    pair_shared: Floats
    area: Floats

    __repr__ = short_repr

    def concerns(self, region: Ints, query: Ints) -> NDArray[np.bool_]:
        """Whether regions are ignored for queries.

        Parameters
        ----------
        region, query : (n,) int
            Places of regions and of queries in the tally.

        Returns
        -------
        (n,) bool
            False for a region that counts.

        Examples
        --------
        >>> none = np.zeros(0)
        >>> kinds, queries = np.array([1, 1, 0]), np.array([0, ALL, NONE])
        >>> ignored = IgnoredArea(kinds, queries, none, none, none, none)
        >>> ignored.concerns(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 1])).tolist()
        [True, False, True, False]
        """
        of_region = self.query[region]
        return np.asarray((of_region == query) | (of_region == ALL))
