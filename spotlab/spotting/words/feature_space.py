"""The space in which words are compared: by strokes, by what was learned, or by both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.libraries import linalg
from spotlab.representation import short_repr
from spotlab.spotting.words.projection import Projection

LEARNED_DIMENSIONS = 128
LEARNED_WEIGHT = 2.0  # of learned cosines, per standard deviation; chosen on five pages of letters
_ROWS = 500  # words whose cosines with each other tell how much cosines differ


@dataclass(frozen=True, eq=False)
class FeatureSpace:
    """Makes features whose products are the similarities of words.

    Attributes
    ----------
    strokes : Projection or None
        Of descriptors of strokes.
    learned : Projection or None
        Of a network's embeddings.
    share : float
        Weight of the learned cosine in the sum of both, in [0, 1].
    """

    strokes: Projection | None
    learned: Projection | None = None
    share: float = 0.0

    __repr__ = short_repr

    def apply(
        self, raw: NDArray[np.float32], embedding: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """Make features of words.

        Parameters
        ----------
        raw : (N, D) float32
            Descriptors of their strokes.
        embedding : (N, E) float32, optional
            What a network says of them; needed where the space has a learned part.

        Returns
        -------
        (N, k) float32
            Rows of length 1; 0 where there is no ink.

        Examples
        --------
        >>> rows = np.eye(5, dtype=np.float32)
        >>> space = FeatureSpace(Projection.fit(rows), Projection.fit(rows), share=0.5)
        >>> bool(np.allclose(np.linalg.norm(space.apply(rows, rows), axis=1), 1))
        True
        """
        parts = []
        if self.strokes is not None:
            parts.append(self.strokes.apply(raw) * np.float32(np.sqrt(1 - self.share)))
        if self.learned is not None:
            assert embedding is not None
            parts.append(self.learned.apply(embedding) * np.float32(np.sqrt(self.share)))
        if len(parts) == 1:
            return _of_length_one(parts[0])
        both = np.concatenate(parts, axis=1)
        both[~raw.any(axis=1)] = 0
        return _of_length_one(both)


def learned_projection(embeddings: NDArray[np.float32]) -> Projection:
    """Project embeddings onto the directions in which they are longest, which keeps their cosines.

    Parameters
    ----------
    embeddings : (N, E) float32

    Examples
    --------
    >>> rows = np.array([[3, 0, 1], [1, 0, 3]], np.float32)
    >>> features = learned_projection(rows).apply(rows)
    >>> round(float(features[0] @ features[1]), 3)
    0.6
    """
    size = embeddings.shape[1]
    count = min(LEARNED_DIMENSIONS, size)
    products = (embeddings.T @ embeddings).astype(np.float64) / max(len(embeddings), 1)
    _, vectors = linalg.eigh(products, subset_by_index=[size - count, size - 1])
    components = np.ascontiguousarray(vectors[:, ::-1].T, np.float32)
    return Projection(np.zeros(size, np.float32), components)


def learned_share(strokes: NDArray[np.float32], learned: NDArray[np.float32]) -> float:
    """Choose the weight with which both parts differ as much between different words.

    Parameters
    ----------
    strokes, learned : (N, k) float32
        Features of the same words, rows of length 1.

    Returns
    -------
    float
        In (0, 1).

    Examples
    --------
    >>> rows = np.random.default_rng(0).standard_normal((50, 3)).astype(np.float32)
    >>> rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    >>> round(learned_share(rows, rows), 3)
    0.667
    """
    one, other = (1 / max(_spread(rows), 1e-6) for rows in (strokes, learned))
    return LEARNED_WEIGHT * other / (one + LEARNED_WEIGHT * other)


def _spread(rows: NDArray[np.float32]) -> float:
    """Standard deviation of the cosines of different words."""
    some = rows[:: max(1, len(rows) // _ROWS)]
    if len(some) < 3:
        return 1.0
    return float((some @ some.T)[np.triu_indices(len(some), 1)].std())


def _of_length_one(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length > 0, length, 1), np.float32)
