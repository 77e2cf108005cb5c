"""Finds the walls of a floor plan in its ink: filled, drawn as two lines, or as single lines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.ink import Ink
from spotlab.imaging.labelled_parts import label_parts
from spotlab.progress import Progress, silent

_LARGE = 1 / 30  # of the page's longer side: what is smaller is lettering or furniture
_BINS = 64  # of the histogram of stroke widths, on a logarithmic scale up to
_WIDEST = 8.0  # powers of two px
_DISTINCT = 2.5  # times the thin strokes' width: walls are thicker by that at least
_SPREAD = 0.4  # of the drawing's extent that walls have at least
_SLENDER = 3.0  # times its width: an outlined wall is longer at least
_NARROW = 1 / 40  # of the page's longer side: an outlined wall is no thicker
_PENS = 8.0  # widths of the pen that stand for a wall's thickness where walls are single lines


class WallKind(StrEnum):
    """How a plan draws its walls."""

    AUTOMATIC = "automatic"
    FILLED = "filled"
    OUTLINED = "outlined"
    LINES = "lines"


@dataclass(frozen=True, eq=False)
class Walls:
    """The walls of a page.

    Attributes
    ----------
    mask : (H, W) bool
        True inside walls.
    thickness : float
        Thickness of the thickest common walls in px; 1 where there are none.
    kind : WallKind
        How they are drawn.
    """

    mask: NDArray[np.bool_]
    thickness: float
    kind: WallKind


def find_walls(ink: Ink, kind: WallKind = WallKind.AUTOMATIC, progress: Progress = silent) -> Walls:
    """Find the walls of a floor plan.

    Filled walls are strokes that are much thicker than the other long strokes. Outlined walls are
    long, narrow spaces between lines. Where the plan has neither, every long line is a wall.

    Parameters
    ----------
    ink : (H, W) bool
        The page's ink.
    kind : WallKind
        How the walls are drawn; by default the first kind that gives walls across the drawing.
    progress : Progress
        Called between the steps; it may raise to cancel.

    Returns
    -------
    Walls
        Without any wall where the page has no long lines.

    Examples
    --------
    >>> ink = np.zeros((200, 200), np.bool_)
    >>> ink[20:180, 20:180] = True
    >>> ink[30:170, 30:170] = False
    >>> ink[100, 30:170] = True  # a thin line is no wall
    >>> walls = find_walls(ink)
    >>> str(walls.kind), bool(walls.mask[25, 100]), bool(walls.mask[100, 100])
    ('filled', True, False)
    """
    progress(0, 3, "finding walls")
    large = _large(ink)
    wanted = [kind] if kind is not WallKind.AUTOMATIC else list(_FINDERS)
    walls = Walls(large, 1.0, WallKind.LINES)
    for number, each in enumerate(wanted):
        progress(number, 3, "finding walls")
        walls = _FINDERS[each](large)
        if kind is not WallKind.AUTOMATIC or _spans(walls.mask, large):
            break
    return walls


def _filled(large: Ink) -> Walls:
    """Strokes of the thicker of two classes of stroke widths, by Otsu's threshold."""
    widths = _stroke_widths(large)
    classes = _two_classes(widths)
    if classes is None or classes[1] < _DISTINCT * classes[0]:
        return Walls(np.zeros_like(large), 1.0, WallKind.FILLED)
    thin, thick, between = classes
    # walls of different thickness: the thinnest ones are far below the mean of the thick class
    # an odd side: an even one would move the walls by half a pixel
    side = 2 * max(1, round(0.6 * float(np.sqrt(thin * thick)) - 0.5)) + 1
    thickness = float(np.percentile(widths[widths > between], 95))
    opened = cv2.morphologyEx(
        large.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8)
    )
    labels, stats = label_parts(opened, diagonal=True)
    kept = stats[:, 2:4].max(axis=1) >= 0.9 * thickness
    kept[0] = False
    return Walls(kept[labels], thickness, WallKind.FILLED)


def _outlined(large: Ink) -> Walls:
    """Long narrow pieces of paper between lines, with the lines."""
    paper = (~large).astype(np.uint8)
    labels, stats = label_parts(paper)
    inside = cv2.distanceTransform(paper, cv2.DIST_L2, 3)
    inside = np.minimum(inside, max(large.shape))  # a page without ink has no distances
    widths = np.zeros(len(stats))
    np.maximum.at(widths, labels.ravel(), 2 * inside.ravel())
    extents = stats[:, 2:4].max(axis=1)
    narrow = (widths <= _NARROW * max(large.shape)) & (widths >= 2)
    narrow &= extents >= _SLENDER * widths
    narrow[0] = False
    if not narrow.any():
        return Walls(np.zeros_like(large), 1.0, WallKind.OUTLINED)
    order = np.argsort(widths[narrow])
    area = np.cumsum(stats[narrow, 4][order])
    thickness = float(widths[narrow][order][np.searchsorted(area, 0.75 * area[-1])])
    narrow &= widths <= 2 * thickness
    between = narrow[labels].astype(np.uint8)
    around = cv2.dilate(between, np.ones((3, 3), np.uint8), iterations=3)
    mask = (between > 0) | (large & (around > 0))
    return Walls(mask, thickness, WallKind.OUTLINED)


def _lines(large: Ink) -> Walls:
    """Every long line."""
    widths = _stroke_widths(large)
    pen = float(np.median(widths)) if len(widths) else 1.0
    return Walls(large, max(1.0, _PENS * pen), WallKind.LINES)


_FINDERS = {WallKind.FILLED: _filled, WallKind.OUTLINED: _outlined, WallKind.LINES: _lines}


def _large(ink: Ink) -> Ink:
    """The ink of components that are long: no lettering, no furniture that stands free."""
    labels, stats = label_parts(ink, diagonal=True)
    kept = stats[:, 2:4].max(axis=1) >= max(ink.shape) * _LARGE
    kept[0] = False
    return np.asarray(kept[labels])


def _spans(mask: Ink, large: Ink) -> bool:
    """Whether walls extend over a good part of the drawing."""
    if not mask.any():
        return False
    return bool(np.hypot(*_extent(mask)) >= _SPREAD * np.hypot(*_extent(large)))


def _extent(mask: Ink) -> tuple[int, int]:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(rows[-1] - rows[0] + 1), int(columns[-1] - columns[0] + 1)


def _stroke_widths(ink: Ink) -> NDArray[np.float64]:
    """The width of strokes in px, once for each pixel of their middle lines."""
    distance = cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, 3)
    middle = (distance == cv2.dilate(distance, np.ones((3, 3)))) & ink
    widths: NDArray[np.float64] = np.maximum(2.0 * distance[middle].astype(np.float64) - 1, 1)
    return widths


def _two_classes(widths: NDArray[np.float64]) -> tuple[float, float, float] | None:
    """Geometric means of thin and thick widths and the threshold between; None for one width."""
    counts, edges = np.histogram(np.log2(widths), bins=_BINS, range=(0, _WIDEST))
    centres = (edges[:-1] + edges[1:]) / 2
    below, sums = np.cumsum(counts), np.cumsum(counts * centres)
    split = np.flatnonzero((below > 0) & (below < below[-1]))
    if not len(split):
        return None
    share = below[split] / below[-1]
    low = sums[split] / below[split]
    high = (sums[-1] - sums[split]) / (below[-1] - below[split])
    best = int((share * (1 - share) * (high - low) ** 2).argmax())
    return float(2 ** low[best]), float(2 ** high[best]), float(2 ** edges[split[best] + 1])
