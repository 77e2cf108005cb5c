"""How similar items are to each other: one score matrix, stored or computed where it is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class ItemScores(Protocol):
    """The scores of N items with each other, symmetrical; larger is more alike."""

    def __len__(self) -> int:
        """N."""

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """(K, N) the scores of K items with all."""

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """The scores of K items with each other."""


@dataclass(frozen=True, eq=False)
class MatrixScores:
    """Scores that are stored.

    Attributes
    ----------
    matrix : (N, N) float
    """

    matrix: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or self.matrix.shape[0] != self.matrix.shape[1]:
            raise ValueError(f"a score matrix is square, not {self.matrix.shape}")

    def __len__(self) -> int:
        return len(self.matrix)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """(K, N) the scores of K items with all."""
        return self.matrix[items]

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """The scores of K items with each other."""
        return MatrixScores(self.matrix[np.ix_(items, items)])


@dataclass(frozen=True, eq=False)
class FeatureScores:
    """Cosine of descriptors, computed where it is needed.

    Attributes
    ----------
    features : (N, D) float
        Rows of length 1.
    """

    features: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.features)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """(K, N) the scores of K items with all.

        Examples
        --------
        >>> FeatureScores(np.eye(2)).rows(np.array([1]))
        array([[0., 1.]])
        """
        return np.asarray(self.features[items] @ self.features.T, dtype=np.float64)

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """The scores of K items with each other."""
        return FeatureScores(self.features[items])
