"""The scores of words with each other on the scale on which thresholds have their meaning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.calibration import Calibration, sample_scores
from spotlab.ranking.item_scores import FeatureScores, ItemScores
from spotlab.representation import short_repr
from spotlab.spotting.words.overlaps import ItemOverlaps


def fit_scale(features: NDArray[np.float32], overlaps: ItemOverlaps) -> Calibration:
    """Fit the scale of a collection, without truth: by how similar its words are by chance.

    Parameters
    ----------
    features : (N, D) float32
        Rows of length 1.
    overlaps : ItemOverlaps
        Which of them lie on each other, and so are no neighbours.

    Returns
    -------
    Calibration
        Leaves cosines as they are where words are too few, or all alike.

    Examples
    --------
    >>> from spotlab.model.ranked_list import Items
    >>> items = Items(("page",), [0, 0], [[0, 0, 4, 9], [5, 0, 9, 9]])
    >>> fit_scale(np.eye(2, dtype=np.float32), ItemOverlaps.of(items)).apply(np.array([0.5]))
    array([0.5])
    """

    def elsewhere(items: NDArray[np.int64]) -> NDArray[np.bool_]:
        apart = np.ones((len(items), len(features)), np.bool_)
        for row, item in enumerate(items.tolist()):
            apart[row, overlaps.other[overlaps.starts[item] : overlaps.starts[item + 1]]] = False
        return apart

    background, neighbours = sample_scores(FeatureScores(features), elsewhere=elsewhere)
    try:
        return Calibration.fit_background(background, neighbours)
    except ValueError:
        return Calibration.none()


@dataclass(frozen=True, eq=False)
class CalibratedScores:
    """Cosines of descriptors on a common scale, computed when they are asked for.

    Attributes
    ----------
    features : (N, D) float32
        Rows of length 1.
    scale : Calibration
    """

    features: NDArray[np.float32]
    scale: Calibration

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.features)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """Compute the scores of some items with all.

        Parameters
        ----------
        items : (K,) int

        Returns
        -------
        (K, N) float
        """
        raw = self.features[items] @ self.features.T
        return self.scale.apply(raw)

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """Restrict the scores to some items.

        Parameters
        ----------
        items : (K,) int

        Returns
        -------
        ItemScores
            Of shape (K, K).
        """
        return CalibratedScores(self.features[items], self.scale)
