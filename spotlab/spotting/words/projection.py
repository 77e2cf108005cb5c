"""Projection of word descriptors onto the directions in which a collection's words differ most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from spotlab.representation import short_repr

DIMENSIONS = 96

_SAMPLE = 8000  # rows: more only take longer
_SEED = 20260101
_PRINCIPAL = 400  # directions among which those are looked for that tell words apart
_FLOOR = 0.3  # of the mean disturbance is added to that of each direction


@dataclass(frozen=True, eq=False)
class Projection:
    """Linear discriminants, or principal components.

    Attributes
    ----------
    mean : (D,) float32
    components : (k, D) float32
        At most 96; fewer where there were fewer rows.
    """

    mean: NDArray[np.float32]
    components: NDArray[np.float32]

    __repr__ = short_repr

    @classmethod
    def fit(
        cls,
        raw: NDArray[np.float32],
        changes: NDArray[np.float32] | None = None,
        dimensions: int = DIMENSIONS,
    ) -> Projection:
        """Learn it from descriptors, such as those of a whole collection.

        Nobody has to say which words are the same: each word is the same as itself disturbed. The
        directions are those in which words differ most compared with what a disturbance changes.

        Parameters
        ----------
        raw : (N, D) float32
            As `describe` gives them. Of more than 8,000 rows some are drawn, always the same.
        changes : (M, D) float32, optional
            `describe_disturbed` minus `describe` of some of the words. Without, the directions are
            principal components.
        dimensions : int
            Number of directions at most.

        References
        ----------
        Fisher (1936), "The use of multiple measurements in taxonomic problems", Annals of Eugenics
        7: the discriminant, with each word as a class of its own.

        Examples
        --------
        >>> rows = np.eye(5, dtype=np.float32)
        >>> Projection.fit(rows, dimensions=2).apply(rows).shape
        (5, 2)
        >>> changes = np.array([[0, 0, 1, 0, 0], [0, 0, -1, 0, 0]], np.float32)
        >>> int(np.abs(Projection.fit(rows, changes, 2).components).sum(axis=0).argmin())
        2
        """
        rows = raw[raw.any(axis=1)]  # nothing is to be learned from boxes without ink
        if len(rows) > _SAMPLE:
            rows = rows[np.random.default_rng(_SEED).choice(len(rows), _SAMPLE, replace=False)]
        mean = rows.mean(axis=0) if len(rows) else np.zeros(raw.shape[1], np.float32)
        centred = rows - mean
        principal, spread = _principal(centred, _PRINCIPAL if changes is not None else dimensions)
        if changes is not None and len(changes):
            chosen = _discriminants(spread, changes @ principal, dimensions)
            principal = principal @ chosen
        return cls(mean, np.ascontiguousarray(principal[:, :dimensions].T, np.float32))

    def apply(self, raw: NDArray[np.float32]) -> NDArray[np.float32]:
        """Project descriptors.

        Parameters
        ----------
        raw : (N, D) float32

        Returns
        -------
        (N, k) float32
            Rows of length 1, whose products are similarities; zero rows stay zero.
        """
        rows = (raw - self.mean) @ self.components.T
        rows[~raw.any(axis=1)] = 0
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(length > 0, length, 1), np.float32)


def _principal(
    centred: NDArray[np.float32], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(D, k) directions of most variance, and (k,) that variance."""
    size = centred.shape[1]
    count = min(count, size, max(1, len(centred) - 1))
    scatter = (centred.T @ centred).astype(np.float64) / max(len(centred), 1)
    values, vectors = linalg.eigh(scatter, subset_by_index=[size - count, size - 1])
    return vectors[:, ::-1], np.maximum(values[::-1], 0)


def _discriminants(
    spread: NDArray[np.float64], changes: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """(k, count) directions in which the spread is largest compared with the changes."""
    within = changes.T @ changes / len(changes)
    size = len(within)
    within[np.diag_indices(size)] += _FLOOR * np.trace(within) / size + 1e-12
    count = min(count, size)
    _, vectors = linalg.eigh(np.diag(spread), within, subset_by_index=[size - count, size - 1])
    return np.asarray(vectors[:, ::-1])
