"""The pixels that an overlay is painted on, and where on the page they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.geometry.outlines import Outlines

Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class OverlayRaster:
    """The pixels that an overlay is painted on, and how the page lies on them.

    Attributes
    ----------
    matrix : (float, float, float, float, float, float)
        From px of the page to pixels: x' = a x + c y + dx, y' = b x + d y + dy.
    width, height : int
        In pixels.
    ratio : float
        Pixels per px of the screen; lines and hatching grow with it.
    """

    matrix: Matrix
    width: int
    height: int
    ratio: float = 1.0


def on_raster(outlines: Outlines, raster: OverlayRaster) -> Outlines:
    """Return outlines in pixels of a raster, with fractions.

    Parameters
    ----------
    outlines : Outlines
        In px of the page.
    raster : OverlayRaster

    Returns
    -------
    Outlines
        In pixels of the raster, with fractions.

    Examples
    --------
    >>> line = Outlines.of([[(0, 0), (3, 0)]])
    >>> on_raster(line, OverlayRaster((2, 0, 0, 2, 1, 0), 9, 9)).points.tolist()
    [[1.0, 0.0], [7.0, 0.0]]
    """
    a, b, c, d, dx, dy = raster.matrix
    points = outlines.points @ np.array([[a, b], [c, d]]) + (dx, dy)
    return Outlines(points, outlines.offsets)
