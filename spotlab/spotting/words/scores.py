"""The scores of words with each other on the scale on which thresholds have their meaning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.calibration import Calibration, sample_scores
from spotlab.ranking.item_scores import FeatureScores, ItemScores
from spotlab.representation import short_repr
from spotlab.spotting.words.overlaps import Overlaps


def fit_scale(features: NDArray[np.float32], overlaps: Overlaps) -> Calibration:
    """The scale of a collection, without truth: by how alike its words are by chance.

    Where they are too few, or all alike, cosines stay as they are.

    Parameters
    ----------
    features : (N, D) float32
        Rows of length 1.
    overlaps : Overlaps
        Which of them lie on each other, and so are no neighbours.
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
    """Cosine of descriptors on a common scale, computed where it is needed.

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
        """(K, N) the scores of K items with all."""
        raw = self.features[items] @ self.features.T
        return self.scale.apply(raw)

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """The scores of K items with each other."""
        return CalibratedScores(self.features[items], self.scale)
