"""The scores of words with each other on the scale on which thresholds have their meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from spotlab.model.items import Items
from spotlab.ranking.item_scores import ItemScores


class Scale(Protocol):
    """Takes raw similarities to scores and back; rising."""

    def apply(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores of raw similarities."""

    def invert(self, score: float) -> float:
        """The raw similarity of a score."""


class Unscaled:
    """A scale that leaves cosines as they are."""

    def apply(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same."""
        return raw

    def invert(self, score: float) -> float:
        """The same."""
        return score


def fit_scale(items: Items, features: NDArray[np.float32]) -> Scale:
    """The scale of a collection."""
    return Unscaled()


@dataclass(frozen=True, eq=False)
class CalibratedScores:
    """Cosine of descriptors on a common scale, computed where it is needed.

    Attributes
    ----------
    features : (N, D) float32
        Rows of length 1.
    scale : Scale
    """

    features: NDArray[np.float32]
    scale: Scale

    def __len__(self) -> int:
        return len(self.features)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """(K, N) the scores of K items with all."""
        raw = self.features[items] @ self.features.T
        return self.scale.apply(raw.astype(np.float64))

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """The scores of K items with each other."""
        return CalibratedScores(self.features[items], self.scale)
