"""Which words look like a word, so that what they say tells what it says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.spans import concatenate_ranges
from spotlab.ranking.calibration import HIT, IDENTICAL, Calibration
from spotlab.representation import short_repr
from spotlab.spotting.words.overlaps import ItemOverlaps
from spotlab.spotting.words.word_index import WordIndex

MOST = 8  # words that are looked at beside a word; chosen on five pages of letters
OVERLAP = 0.5  # share of the smaller box from which two items stand at one place
_NOTHING = -2.0  # below each cosine


@dataclass(frozen=True, eq=False)
class LookAlikes:
    """The words of a collection, to be asked which of them look like one.

    Attributes
    ----------
    features : (N, D) float32
        Of length 1, or 0.
    scale : Calibration
        Makes scores of cosines.
    overlaps : ItemOverlaps
        Of the N items: what lies on an item is no other word.
    """

    features: NDArray[np.float32]
    scale: Calibration
    overlaps: ItemOverlaps

    __repr__ = short_repr

    @classmethod
    def of(cls, index: WordIndex) -> LookAlikes:
        """Take what an index knows of its words.

        Parameters
        ----------
        index : WordIndex
        """
        return cls(index.features, index.scale, index.overlaps)

    def beside(self, items: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Find the words that look like each of some items, and how much each of them counts.

        Parameters
        ----------
        items : (n,) int

        Returns
        -------
        places : (n, K) int
            The item itself, then up to `MOST` words that look most like it, in no order.
        weight : (n, K) float
            Of sum 1 for each item. A word counts as much as the item if its score is
            `spotlab.ranking.calibration.IDENTICAL`, and nothing from
            `spotlab.ranking.calibration.HIT` on down.

        Examples
        --------
        >>> from spotlab.model.items import Items
        >>> boxes = [[0, 0, 9, 9], [20, 0, 29, 9], [40, 0, 49, 9]]
        >>> overlaps = ItemOverlaps.of(Items(("page",), [0, 0, 0], boxes))
        >>> features = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
        >>> alike = LookAlikes(features, Calibration.none(), overlaps)
        >>> places, weight = alike.beside(np.array([0]))
        >>> sorted(zip(places[0].tolist(), weight[0].tolist()))
        [(0, 0.5), (1, 0.5), (2, 0.0)]
        """
        alike = self.features[items] @ self.features.T
        alike[np.arange(len(items)), items] = _NOTHING
        starts, counts = self.overlaps.starts[items], np.diff(self.overlaps.starts)[items]
        pairs = concatenate_ranges(starts, counts)
        same = self.overlaps.share[pairs] >= OVERLAP
        alike[np.repeat(np.arange(len(items)), counts)[same], self.overlaps.other[pairs][same]] = (
            _NOTHING
        )
        first = len(self.features) - min(MOST, len(self.features) - 1)
        nearest = np.argpartition(alike, first - 1, axis=1)[:, first:]
        cosine = np.take_along_axis(alike, nearest, axis=1).astype(np.float64)
        weight = (self.scale.apply(cosine) - HIT) / (IDENTICAL - HIT)
        weight = np.where(cosine > _NOTHING, np.clip(weight, 0, 1), 0)
        weight = np.concatenate([np.ones((len(items), 1)), weight], axis=1)
        places = np.concatenate([items[:, None], nearest], axis=1)
        return places, weight / weight.sum(axis=1, keepdims=True)
