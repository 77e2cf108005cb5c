"""Which words look like a word, so that what they say tells what it says.

A network reads each word by itself and errs in some. Words that look alike mostly say the same, so
that together they are read better, and found better by what they say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import concatenate_ranges
from spotlab.ranking.calibration import HIT, IDENTICAL, Calibration
from spotlab.representation import short_repr
from spotlab.spotting.words.overlaps import ItemOverlaps
from spotlab.spotting.words.word_index import WordIndex

MOST = 8  # words that are looked at beside a word; chosen on five pages of letters
OVERLAP = 0.5  # share of the smaller box from which two items stand at one place
# of a typed text, chosen on the same pages
BEST = 500  # words with the best scores: others do not say it, and do not count
BESIDE = 0.5  # weight of a word that looks just like another, beside that one's own
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

    def agreed(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Let the best words for a text count what those among them say that look like them.

        Parameters
        ----------
        scores : (N,) float
            Of each word by itself, on the common scale.

        Returns
        -------
        (N,) float
            The same for all but the `BEST` words: these have the mean of their own score and, with
            at most the weight `BESIDE` each, of those of the words that `beside` finds among them.

        Examples
        --------
        >>> from spotlab.model.ranked_list import Items
        >>> boxes = [[0, 0, 9, 9], [20, 0, 29, 9], [40, 0, 49, 9]]
        >>> overlaps = ItemOverlaps.of(Items(("page",), [0, 0, 0], boxes))
        >>> features = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
        >>> alike = LookAlikes(features, Calibration.none(), overlaps)
        >>> alike.agreed(np.array([0.9, 0.6, 0.3])).round(2).tolist()
        [0.8, 0.7, 0.3]
        """
        best = np.arange(len(scores))
        if len(scores) > BEST:
            best = np.sort(np.argpartition(-scores, BEST)[:BEST])
        places, weight = self.beside(best, best, BESIDE)
        together = scores.copy()
        together[best] = (weight * scores[places]).sum(axis=1)
        return together

    def beside(
        self, items: NDArray[np.int64], among: NDArray[np.int64] | None = None, most: float = 1.0
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Find the words that look like each of some items, and how much each of them counts.

        Parameters
        ----------
        items : (n,) int
        among : (m,) int, optional
            Which words may be found, rising; by default all.
        most : float
            How much a word counts beside the item that looks just the same.

        Returns
        -------
        places : (n, K) int
            The item itself, then up to `MOST` words that look most like it, in no order.
        weight : (n, K) float
            Of sum 1 for each item. A word counts ``most`` times as much as the item if its score
            is `spotlab.ranking.calibration.IDENTICAL`, and nothing from
            `spotlab.ranking.calibration.HIT` on down.

        Examples
        --------
        >>> from spotlab.model.ranked_list import Items
        >>> boxes = [[0, 0, 9, 9], [20, 0, 29, 9], [40, 0, 49, 9]]
        >>> overlaps = ItemOverlaps.of(Items(("page",), [0, 0, 0], boxes))
        >>> features = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
        >>> alike = LookAlikes(features, Calibration.none(), overlaps)
        >>> places, weight = alike.beside(np.array([0]))
        >>> sorted(zip(places[0].tolist(), weight[0].tolist()))
        [(0, 0.5), (1, 0.5), (2, 0.0)]
        """
        among = np.arange(len(self.features)) if among is None else among
        alike = self.features[items] @ self.features[among].T
        self._hide_same_place(alike, items, among)
        first = len(among) - min(MOST, len(among) - 1)
        nearest = np.argpartition(alike, first - 1, axis=1)[:, first:]
        cosine = np.take_along_axis(alike, nearest, axis=1).astype(np.float64)
        weight = (self.scale.apply(cosine) - HIT) / (IDENTICAL - HIT)
        weight = np.where(cosine > _NOTHING, most * np.clip(weight, 0, 1), 0)
        weight = np.concatenate([np.ones((len(items), 1)), weight], axis=1)
        places = np.concatenate([items[:, None], among[nearest]], axis=1)
        return places, weight / weight.sum(axis=1, keepdims=True)

    def _hide_same_place(
        self, alike: NDArray[np.float32], items: NDArray[np.int64], among: NDArray[np.int64]
    ) -> None:
        """Let (n, m) cosines be `_NOTHING` for an item itself and for what lies on it."""
        column = np.full(len(self.features), -1, np.int64)
        column[among] = np.arange(len(among))
        starts, counts = self.overlaps.starts[items], np.diff(self.overlaps.starts)[items]
        pairs = concatenate_ranges(starts, counts)
        same = self.overlaps.share[pairs] >= OVERLAP
        row = np.concatenate(
            [np.arange(len(items)), np.repeat(np.arange(len(items)), counts)[same]]
        )
        hidden = column[np.concatenate([items, self.overlaps.other[pairs][same]])]
        alike[row[hidden >= 0], hidden[hidden >= 0]] = _NOTHING
