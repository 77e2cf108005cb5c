"""Overlaps of an index's items, and the best of those that overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.boxes import pair_boxes
from spotlab.geometry.outlines import concatenate_ranges
from spotlab.model.ranked_list import Items
from spotlab.representation import short_repr

MIN_SHARE = 0.25  # of the smaller box; items that share less are neighbours in a line


@dataclass(frozen=True, eq=False)
class ItemOverlaps:
    """For each of N items, those that lie on it.

    Attributes
    ----------
    starts : (N + 1,) int
        Where each item's others begin and end.
    other : (P,) int32
    share : (P,) float32
        Of the smaller box's area; `MIN_SHARE` or more.
    """

    starts: NDArray[np.int64]
    other: NDArray[np.int32]
    share: NDArray[np.float32]

    __repr__ = short_repr

    @classmethod
    def of(cls, items: Items) -> ItemOverlaps:
        """Find the overlaps of items.

        Parameters
        ----------
        items : Items
            In order of their pages.
        """
        counts = np.zeros(len(items), np.int64)
        others, shares = [], []
        bounds = np.searchsorted(items.page, np.arange(len(items.pages) + 1))
        for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            pairs = pair_boxes(items.boxes[start:stop], items.boxes[start:stop])
            share = pairs.share_of_smaller
            kept = (share >= MIN_SHARE) & (pairs.first != pairs.second)
            counts[start:stop] = np.bincount(pairs.first[kept], minlength=stop - start)
            others.append((start + pairs.second[kept]).astype(np.int32))
            shares.append(share[kept].astype(np.float32))
        return cls(
            np.concatenate([[0], np.cumsum(counts)]),
            np.concatenate(others) if others else np.empty(0, np.int32),
            np.concatenate(shares) if shares else np.empty(0, np.float32),
        )

    def best(
        self, places: NDArray[np.int64], scores: NDArray[np.float64], overlap: float
    ) -> NDArray[np.int64]:
        """Find, for each of some items, the best one that it lies on and that is kept.

        From the best score down, an item is kept unless it lies on one that is; one that is kept
        has itself. Equal scores keep their order.

        Parameters
        ----------
        places : (K,) int
            Of the items, rising.
        scores : (K,) float
        overlap : float
            Share of the smaller box from which two items lie on each other, `MIN_SHARE` or more;
            above 1 none do.

        Returns
        -------
        (K,) int
            Positions among the K.

        Examples
        --------
        >>> items = Items(("page",), [0, 0, 0], [[0, 0, 9, 9], [1, 0, 9, 9], [20, 0, 29, 9]])
        >>> scores = np.array([0.5, 0.9, 0.7])
        >>> ItemOverlaps.of(items).best(np.arange(3), scores, overlap=0.5).tolist()
        [1, 1, 2]
        """
        count = len(places)
        rank = np.empty(count, np.int64)
        rank[np.argsort(-scores, kind="stable")] = np.arange(count)
        better, worse = self._pairs(places, overlap)
        in_order = rank[better] < rank[worse]
        better, worse = better[in_order], worse[in_order]
        open_ones = np.ones(count, np.bool_)
        kept = np.zeros(count, np.bool_)
        live = np.arange(len(better))
        while open_ones.any():
            # who has no better open neighbour is kept, whatever becomes of the others
            blocked = np.zeros(count, np.bool_)
            blocked[worse[live]] = True
            kept |= open_ones & ~blocked
            open_ones &= blocked
            open_ones[worse[live[kept[better[live]]]]] = False
            live = live[open_ones[better[live]] & open_ones[worse[live]]]
        owner = np.arange(count)
        decisive = np.flatnonzero(kept[better])
        decisive = decisive[np.argsort(-rank[better[decisive]], kind="stable")]
        owner[worse[decisive]] = better[decisive]  # the best comes last and stays
        return owner

    def _pairs(
        self, places: NDArray[np.int64], overlap: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Pairs of positions among some items that lie on each other, both ways."""
        counts = self.starts[places + 1] - self.starts[places]
        first = np.repeat(np.arange(len(places)), counts)
        entry = concatenate_ranges(self.starts[places], counts)
        entry_kept = self.share[entry] >= overlap
        first, entry = first[entry_kept], entry[entry_kept]
        position = np.full(len(self.starts) - 1, -1, np.int64)
        position[places] = np.arange(len(places))
        second = position[self.other[entry]]
        both = second >= 0
        return first[both], second[both]
