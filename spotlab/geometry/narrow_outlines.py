"""Outlines in half the memory, where float32 holds every corner exactly, as it does whole px."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Points
from spotlab.geometry.outlines import Outlines


class NarrowOutlines(Outlines):
    """N open rings whose corners float32 holds exactly; what is asked of them is in float64.

    Parameters
    ----------
    corners : (M, 2) float32
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Ring i is ``corners[offsets[i]:offsets[i + 1]]``.

    Examples
    --------
    >>> outlines = outlines_of(np.array([[0, 0], [2, 0], [2, 1]], np.float32), np.array([0, 3]))
    >>> outlines.points.dtype, outlines.take([0])[0].tolist()
    (dtype('float64'), [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]])
    """

    corners: NDArray[np.float32]

    def __init__(self, corners: NDArray[np.float32], offsets: NDArray[np.int64]) -> None:
        vars(self).update(corners=corners, offsets=offsets)  # it is frozen

    @property
    def points(self) -> Points:
        """(M, 2) corners of all rings; made anew whenever they are asked for."""
        return self.corners.astype(np.float64)

    @property
    def _stored(self) -> NDArray[np.float32]:
        return self.corners

    def arranged(self, indices: ArrayLike) -> Outlines:
        """Return some of these outlines, in this order, in half the memory too.

        Parameters
        ----------
        indices : (K,) int
            Positions of the outlines.

        Returns
        -------
        Outlines
            K outlines.

        Examples
        --------
        >>> outlines = outlines_of(np.zeros((3, 2), np.float32), np.array([0, 3]))
        >>> type(outlines.arranged([0, 0])).__name__
        'NarrowOutlines'
        """
        corners, offsets = self._taken(indices)
        return NarrowOutlines(corners.astype(np.float32, copy=False), offsets)


def outlines_of(
    corners: NDArray[np.float64] | NDArray[np.float32], offsets: NDArray[np.int64]
) -> Outlines:
    """Outlines with these corners, which are not copied.

    Parameters
    ----------
    corners : (M, 2) float64 or float32
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Where each ring begins and ends.

    Returns
    -------
    Outlines
        N rings.

    Examples
    --------
    >>> type(outlines_of(np.zeros((3, 2)), np.array([0, 3]))).__name__
    'Outlines'
    """
    if corners.dtype == np.float32:
        return NarrowOutlines(np.asarray(corners, np.float32), offsets)
    return Outlines(np.asarray(corners, np.float64), offsets)
