"""Primitives: the closed contours that a drawing's symbols are made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.geometry.outlines import Outlines


@dataclass(frozen=True, eq=False)
class Primitives:
    """Closed contours of a page or of a query model, in no particular but a fixed order.

    Attributes
    ----------
    contours : Outlines
        Each contour as an open ring, every pixel of it, not approximated: x, y in px of the
        pixels' left upper corners, so that their middles are half a px farther.
    level : (P,) int
        How much was mended to close it: 0 for nothing, as drawn; 1 and 2 for wider and wider gaps
        that are bridged; from 3 on for larger and larger shapes that are parted from walls.
    """

    contours: Outlines
    level: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.contours)

    def take(self, chosen: NDArray[np.int64]) -> Primitives:
        """Choose contours.

        Parameters
        ----------
        chosen : (M,) int
            Their numbers, in the order wanted.
        """
        return Primitives(self.contours.take(chosen), self.level[chosen])

    @cached_property
    def moments(self) -> NDArray[np.float64]:
        """(P, 24) moments of the area inside, in the order of `cv2.moments` (m00 first)."""
        rows = [list(cv2.moments(_float_ring(ring)).values()) for ring in self._rings]
        return np.array(rows, np.float64).reshape(len(self), 24)

    @cached_property
    def centres(self) -> NDArray[np.float64]:
        """(P, 2) centroids x, y in px of the area inside."""
        moments = self.moments
        middle = (self.contours.bounds[:, :2] + self.contours.bounds[:, 2:]) / 2
        area = np.maximum(moments[:, :1], 1e-9)
        return np.where(moments[:, :1] > 0, moments[:, 1:3] / area, middle)

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """(P,) square roots of the areas inside, in px; at least 1."""
        return np.asarray(np.sqrt(np.maximum(self.moments[:, 0], 1)))

    @cached_property
    def hulls(self) -> Outlines:
        """Convex hulls of the contours, in px."""
        return Outlines.of([cv2.convexHull(_float_ring(ring))[:, 0] for ring in self._rings])

    @property
    def _rings(self) -> list[NDArray[np.float64]]:
        return [self.contours[number] for number in range(len(self))]


def _float_ring(points: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.asarray(points, np.float32).reshape(-1, 1, 2)
