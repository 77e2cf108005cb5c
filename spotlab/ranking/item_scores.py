"""How similar items are to each other: a score matrix, stored or computed where it is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class ItemScores(Protocol):
    """The symmetric scores of N items with each other; a larger score means more alike."""

    def __len__(self) -> int:
        """N."""

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """The scores of some items with all items.

        Parameters
        ----------
        items : (K,) int
            Places of items.

        Returns
        -------
        (K, N) float
            NaN where a score is unknown.
        """

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """Restrict the scores to some items.

        Parameters
        ----------
        items : (K,) int
            Places of items, which are numbered anew in this order.

        Returns
        -------
        ItemScores
            The scores of these K items with each other.
        """


@dataclass(frozen=True, eq=False)
class MatrixScores:
    """Scores that are stored.

    Attributes
    ----------
    matrix : (N, N) float
        Symmetric; NaN where a score is unknown.

    Raises
    ------
    ValueError
        The matrix is not square.
    """

    matrix: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or self.matrix.shape[0] != self.matrix.shape[1]:
            raise ValueError(f"a score matrix is square, not {self.matrix.shape}")

    def __len__(self) -> int:
        return len(self.matrix)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `ItemScores.rows`."""
        return self.matrix[items]

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """See `ItemScores.among`."""
        return MatrixScores(self.matrix[np.ix_(items, items)])


@dataclass(frozen=True, eq=False)
class FeatureScores:
    """Cosines of descriptors, computed where they are needed.

    Attributes
    ----------
    features : (N, D) float32
        Rows of length 1.

    Examples
    --------
    >>> FeatureScores(np.eye(2)).rows(np.array([1]))
    array([[0., 1.]])
    """

    features: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.features)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `ItemScores.rows`."""
        return np.asarray(self.features[items] @ self.features.T, dtype=np.float64)

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """See `ItemScores.among`."""
        return FeatureScores(self.features[items])


@dataclass(frozen=True, eq=False)
class PartialScores:
    """Scores that are known for some of N items only.

    Attributes
    ----------
    scores : ItemScores
        Of all N items; those of unknown items mean nothing.
    known : (N,) bool
        Whether the scores of each item are known.

    Examples
    --------
    >>> PartialScores(MatrixScores(np.eye(2)), np.array([True, False])).rows(np.array([0]))
    array([[ 1., nan]])
    """

    scores: ItemScores
    known: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.scores)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `ItemScores.rows`."""
        rows = np.array(self.scores.rows(items), np.float64)
        rows[:, ~self.known] = np.nan
        rows[~self.known[items]] = np.nan
        return rows

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """See `ItemScores.among`."""
        return PartialScores(self.scores.among(items), self.known[items])
