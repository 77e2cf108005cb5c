"""Query models: what to search for, cropped from a page or drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike

from spotlab.geometry import polygon
from spotlab.geometry.polygon import Points
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import hull
from spotlab.imaging.runs import runs_of
from spotlab.representation import short_repr

MARGIN = 8  # px of paper around a model, so that its outer contours close


@dataclass(frozen=True, eq=False)
class QueryModel:
    """The ink of one symbol alone.

    Attributes
    ----------
    name : str
        What is searched: a label.
    ink : (H, W) bool
    outline : (N, 2) float
        Open ring around what is meant, in px of ``ink``.
    """

    name: str
    ink: Ink
    outline: Points

    __repr__ = short_repr


def cropped(name: str, ink: Ink, outline: ArrayLike, slack: float = 2.0) -> QueryModel:
    """The model of a region of a page, as the paper's are (§5.3).

    Parameters
    ----------
    ink : (H, W) bool
        The page's.
    outline : (N, 2) array_like
        The region, in px of the page.
    slack : float
        Ink so many px outside still belongs to it.

    Returns
    -------
    QueryModel
        Without the ink outside; empty where the region is outside of the page.

    Examples
    --------
    >>> page = np.zeros((60, 60), bool)
    >>> page[20:30, 20:40] = page[:, 50] = True
    >>> model = cropped("bar", page, [(20, 20), (40, 20), (40, 30), (20, 30)])
    >>> int(model.ink.sum()), model.outline[0].tolist()
    (200, [10.0, 10.0])
    """
    points = polygon.as_points(outline)
    left, top, right, bottom = polygon.bounds(points)
    reach = int(np.ceil(slack)) + MARGIN
    corner = np.array([int(np.floor(left)) - reach, int(np.floor(top)) - reach])
    width, height = (
        int(np.ceil(right)) + reach - corner[0],
        int(np.ceil(bottom)) + reach - corner[1],
    )
    window = np.zeros((height, width), bool)
    x, y = np.maximum(corner, 0)
    part = ink[y : max(corner[1] + height, 0), x : max(corner[0] + width, 0)]
    window[y - corner[1] :, x - corner[0] :][: part.shape[0], : part.shape[1]] = part
    meant = np.zeros((height, width), np.uint8)
    ring = np.round((points - corner) * 8).astype(np.int32)
    cv2.fillPoly(meant, [ring], 1, cv2.LINE_8, 3)
    if slack > 0:
        side = 2 * int(np.ceil(slack)) + 1
        meant = cv2.dilate(meant, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    return QueryModel(name, window & (meant > 0), points - corner)


def drawn(name: str, strokes: Sequence[ArrayLike], pen: float) -> QueryModel:
    """The model of a drawing: its strokes with a pen so many px wide, inside the hull of their ink.

    Parameters
    ----------
    strokes : sequence of (N, 2) array_like
        In px; a stroke is closed where its last point is its first.

    Raises
    ------
    ValueError
        There is no stroke.

    Examples
    --------
    >>> model = drawn("box", [[(0, 0), (20, 0), (20, 10), (0, 10), (0, 0)]], pen=1)
    >>> int(model.ink.sum()), np.ptp(model.outline, axis=0).tolist()
    (60, [21.0, 11.0])
    """
    lines = [np.asarray(stroke, np.float64).reshape(-1, 2) for stroke in strokes]
    if not any(len(line) for line in lines):
        raise ValueError("nothing is drawn; a query model needs at least one stroke")
    points = np.concatenate(lines)
    reach = int(np.ceil(pen)) + MARGIN
    corner = np.floor(points.min(0)) - reach
    width, height = (np.ceil(points.max(0)) + reach - corner).astype(int)
    canvas = np.zeros((int(height), int(width)), np.uint8)
    closed = [np.vstack([line, line]) if len(line) == 1 else line for line in lines]  # dots
    rings = [np.round((line - corner) * 8).astype(np.int32) for line in closed]
    cv2.polylines(canvas, rings, False, 1, max(round(pen), 1), cv2.LINE_8, 3)
    ink = canvas > 0
    return QueryModel(name, ink, hull(runs_of(ink)))
