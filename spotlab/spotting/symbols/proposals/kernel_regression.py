"""Kernel ridge regression on the span of some rows, with equations that pages add to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.extras import linalg

_ROUNDING = 1e-6  # of single precision, in units of the mean diagonal

Rows = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Equations:
    """Normal equations: ``matrix @ weights = target``, sums over rows.

    Attributes
    ----------
    matrix : (M, M) float
    target : (M, L) float
    """

    matrix: Floats
    target: Floats

    def minus(self, part: Equations) -> Equations:
        """Take away what a page has contributed.

        Parameters
        ----------
        part : Equations
        """
        return Equations(self.matrix - part.matrix, self.target - part.target)

    def solve(self, ridge: Floats) -> Floats:
        """Solve for the weights of the landmarks.

        Parameters
        ----------
        ridge : (M, M) float
            Added to the matrix: positive definite.

        Returns
        -------
        (M, L) float
            Empty where there are no landmarks: then nothing is known.
        """
        if not len(self.matrix):
            return np.zeros(self.target.shape)
        matrix = self.matrix + ridge
        steady = _ROUNDING * float(np.trace(matrix)) / len(matrix) * np.eye(len(matrix))
        # rows that are nearly the same leave eigenvalues of about 0, which rounding may take below
        for strength in (1, 10, 100, 1000):
            with suppress(linalg.LinAlgError):
                return np.asarray(
                    linalg.cho_solve(linalg.cho_factor(matrix + strength * steady), self.target)
                )
        return np.asarray(linalg.lstsq(matrix, self.target)[0])


def page_equations(
    similar: Rows,
    shown: Sequence[str],
    labels: Sequence[str],
    weight_of: Mapping[str, float],
    harder: Floats | None = None,
) -> Equations:
    """Compute what a page's rows add to the normal equations.

    Parameters
    ----------
    similar : (N, M) float32
        Similarities to the landmarks.
    shown : sequence of str
        Label of each row; "" for background, which weighs as little as the most frequent label.
    labels : sequence of str
        L, those that are learned.
    weight_of : mapping of str to float
        Weight of each label's rows.
    harder : (N,) float, optional
        Factors of the weights.

    Returns
    -------
    Equations
        Of shapes (M, M) and (M, L).

    Examples
    --------
    Two landmarks, and a page with a row like each of them:

    >>> rows = np.eye(2, dtype=np.float32)
    >>> page_equations(rows, ["sofa", ""], ["sofa"], {"sofa": 2.0}).target.tolist()
    [[2.0], [0.0]]
    """
    names = np.array(shown, object)
    target = np.column_stack([names == label for label in labels]).astype(np.float32)
    usual = min(weight_of.values(), default=1.0)
    weights = np.array([weight_of.get(label, usual) for label in shown])
    if harder is not None:
        weights = weights * harder
    weighted = similar * weights.astype(np.float32)[:, None]
    return Equations(
        (similar.T @ weighted).astype(np.float64), (weighted.T @ target).astype(np.float64)
    )


def summed(parts: Sequence[Equations]) -> Equations:
    """Add up what pages contribute.

    Parameters
    ----------
    parts : sequence of Equations
        At least one.
    """
    matrix = np.sum([part.matrix for part in parts], axis=0)
    return Equations(matrix, np.sum([part.target for part in parts], axis=0))


def median_distance(landmarks: Rows) -> float:
    """Compute the median squared distance of some of the rows.

    Parameters
    ----------
    landmarks : (M, D) float32

    Returns
    -------
    float
        Above 0.
    """
    some = landmarks[:: max(1, len(landmarks) // 200)]
    return max(float(np.median(_squared_distances(some, some))), 1e-6)


def kernel(rows: Rows, landmarks: Rows, width: float) -> Rows:
    """Compute how similar rows are: 1 for equal ones, 1 / e at a squared distance of ``width``.

    Parameters
    ----------
    rows : (N, D) float32
    landmarks : (M, D) float32
    width : float

    Returns
    -------
    (N, M) float32

    Examples
    --------
    >>> rows = np.array([[0, 0], [0, 2]], np.float32)
    >>> kernel(rows, rows[:1], 4.0).ravel().round(3).astype(float).round(3).tolist()
    [1.0, 0.368]
    """
    return np.asarray(np.exp(-_squared_distances(rows, landmarks) / width), np.float32)


def _squared_distances(first: Rows, second: Rows) -> Rows:
    lengths = (first**2).sum(1)[:, None] + (second**2).sum(1)[None]
    return np.asarray((lengths - 2 * (first @ second.T)).clip(0), np.float32)


def label_weights(shown: Sequence[str]) -> dict[str, float]:
    """Compute what a row of each label weighs.

    Rare labels weigh more a row, all their rows together less than those of frequent ones.

    Parameters
    ----------
    shown : sequence of str
        Label of each row.

    Returns
    -------
    dict of str to float
        The weight of one row of each label; about 1 on average.

    Examples
    --------
    >>> {name: round(weight, 2) for name, weight in label_weights(["a"] * 4 + ["b"]).items()}
    {'a': 0.83, 'b': 1.67}
    """
    counts: dict[str, int] = {}
    for label in shown:
        counts[label] = counts.get(label, 0) + 1
    mean = np.mean([counts[label] ** -0.5 for label in shown])
    return {label: float(count**-0.5 / mean) for label, count in counts.items()}
