"""Which curve and which of its points the pointer is at."""

from __future__ import annotations

import numpy as np

from spotlab.gui.kit.plots.polylines import Polylines


def nearest_point(
    lines: Polylines, at: tuple[float, float], pixel: tuple[float, float]
) -> tuple[int, float] | None:
    """The point whose curve passes closest to a place.

    Parameters
    ----------
    lines : Polylines
    at : (x, y)
        The place.
    pixel : (width, height)
        How much of each axis a pixel of the screen spans: distances are measured in pixels.

    Returns
    -------
    (int, float) or None
        The place among the lines' points, that end of the nearest segment which is closer, and how
        many pixels away the segment is. None where there are no curves.

    Examples
    --------
    >>> line = Polylines(np.array([0.0, 1.0]), np.zeros(2), np.arange(2), np.array([0, 2]))
    >>> nearest_point(line, (0.75, 0.5), (0.25, 0.25))
    (1, 2.0)
    """
    if not len(lines.x):
        return None
    x, y = (lines.x - at[0]) / pixel[0], (lines.y - at[1]) / pixel[1]
    across, up = np.diff(x, append=x[-1]), np.diff(y, append=y[-1])
    ends = lines.starts[1:] - 1  # from there no segment goes to the next curve
    across[ends] = up[ends] = 0
    length = across * across + up * up
    along = np.zeros(len(x))
    np.divide(-(x * across + y * up), length, out=along, where=length > 0)
    np.clip(along, 0, 1, out=along)
    distance = np.hypot(x + along * across, y + along * up)
    found = int(np.argmin(distance))
    return found + int(along[found] > 0.5), float(distance[found])
