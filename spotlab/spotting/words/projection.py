"""The directions in which a collection's words differ most, and words seen along them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 96

_SAMPLE = 8000  # rows: more change nothing but the time
_SEED = 20260101


@dataclass(frozen=True, eq=False)
class Projection:
    """Principal components.

    Attributes
    ----------
    mean : (D,) float32
    components : (k, D) float32
        At most 96; fewer where there were fewer rows.
    """

    mean: NDArray[np.float32]
    components: NDArray[np.float32]

    @classmethod
    def fit(cls, raw: NDArray[np.float32], dimensions: int = DIMENSIONS) -> Projection:
        """Learn it from descriptors, such as those of a whole collection.

        Parameters
        ----------
        raw : (N, D) float32
            As `describe` gives them. Of more than 8,000 rows some are drawn, always the same.
        dimensions : int

        Examples
        --------
        >>> Projection.fit(np.eye(5, dtype=np.float32), 2).apply(np.eye(5, dtype=np.float32)).shape
        (5, 2)
        """
        if len(raw) > _SAMPLE:
            raw = raw[np.random.default_rng(_SEED).choice(len(raw), _SAMPLE, replace=False)]
        rows = _root(raw)
        mean = rows.mean(axis=0) if len(rows) else np.zeros(rows.shape[1], np.float32)
        centred = rows - mean
        _, vectors = np.linalg.eigh((centred.T @ centred).astype(np.float64))
        count = min(dimensions, max(1, len(rows) - 1))
        return cls(mean, np.ascontiguousarray(vectors[:, ::-1][:, :count].T, np.float32))

    def apply(self, raw: NDArray[np.float32]) -> NDArray[np.float32]:
        """(N, k) rows of length 1, whose products are similarities; zero rows where nothing is."""
        found = (_root(raw) - self.mean) @ self.components.T
        found[~raw.any(axis=1)] = 0
        return _unit(np.asarray(found, np.float32))

    def as_arrays(self) -> dict[str, NDArray[np.float32]]:
        """What to save."""
        return {"mean": self.mean, "components": self.components}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.float32]]) -> Projection:
        """What was saved."""
        return cls(np.asarray(arrays["mean"]), np.asarray(arrays["components"]))


def _root(raw: NDArray[np.float32]) -> NDArray[np.float32]:
    """Square roots, so that a few strong strokes do not decide, in rows of length 1."""
    return _unit(np.sqrt(np.abs(raw)) * np.sign(raw))


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length > 0, length, 1), np.float32)
