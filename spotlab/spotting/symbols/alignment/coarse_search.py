"""A coarse search: a template at right angles and near its own size, at every stroke of a page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.spotting.symbols.alignment import chamfer
from spotlab.spotting.symbols.alignment.template import Template, at_right_angle, is_mixed

Channels = NDArray[np.uint8]

ANCHORS = 2  # points of the template that are laid onto strokes: one may be broken
PROBED = 20  # points that are looked at
FITTING = 0.7  # of them fit somewhere near
_RANGE = np.log(1.2)  # scales
_NEAR = 5  # small px
_CELL = 4  # small px that one anchor stands for, across and down
_SLACK = 1.0  # points that may not fit beyond the share that need not
OBLIQUE = 0.15  # share of a template's points from which the oblique ones alone are anchors


@dataclass(frozen=True, eq=False)
class TemplateShapes:
    """A template's first points as they lie around an anchor, for each anchor and pose.

    Attributes
    ----------
    offsets : (L, K, 2) int
        x, y of the points from the anchor, in small px.
    masks : (L, K) uint8
        Bits of which a point needs one in order to fit.
    poses : (L, 6) float
        See `spotlab.spotting.symbols.alignment.poses`; x, y from the anchor.
    min_fitting : (K,) int
        How many of the points up to each one have to fit.
    """

    offsets: Ints
    masks: Channels
    poses: Floats
    min_fitting: Ints


def stroke_anchors(strokes: NDArray[np.uint32], points: NDArray[np.uint16]) -> Ints:
    """Choose places of strokes with one direction, one in every square cell that has any.

    Parameters
    ----------
    strokes : (h, w) uint32
        See `spotlab.spotting.symbols.drawing.strokes.pack`.
    points : (N, 2) uint16
        x, y of the pixels of strokes.

    Returns
    -------
    (A, 2) int
        x, y in small px.

    Examples
    --------
    >>> strokes = np.ones((3, 9), np.uint32)
    >>> stroke_anchors(strokes, np.array([(0, 0), (1, 1), (5, 0)], np.uint16)).tolist()
    [[0, 0], [5, 0]]
    """
    points = points[~is_mixed(strokes, points)]
    cells = points.astype(np.int64) // _CELL
    key = cells[:, 1] * (1 << 20) + cells[:, 0]
    return np.asarray(points[np.sort(np.unique(key, return_index=True)[1])], np.int64)


def template_shapes(template: Template, shrink: float) -> TemplateShapes:
    """Lay a template at all right angles, mirrored, and at scales around its own.

    Parameters
    ----------
    template : Template
    shrink : float
        px of the small page per px of the template.

    Returns
    -------
    TemplateShapes
        None, with arrays of shape (0, …), for a template without points.
    """
    count = min(PROBED, len(template.points))
    half = max(round(float(_RANGE * template.radius * shrink / 4)), 1)
    offsets, masks, poses = [], [], []
    for anchor in _rare_anchors(template)[:ANCHORS]:
        order = np.r_[anchor, np.delete(np.arange(len(template.points)), anchor)][:count]
        for turn, mirror in template.distinct_turns:
            for scale in np.linspace(-_RANGE, _RANGE, 2 * half + 1).tolist():
                laid = at_right_angle(template.points[order], turn, mirror) * np.exp(scale) * shrink
                channel = ((mirror * template.directions[order] + 32 * turn + 4) >> 3) & 7
                mask = np.uint8(1) << channel.astype(np.uint8)
                offsets.append(np.round(laid - laid[0]).astype(np.int64))
                masks.append(mask)
                poses.append([*-laid[0], turn * np.pi / 2, scale, scale, mirror])
    min_fitting = np.ceil(FITTING * np.arange(1, count + 1) - _SLACK).astype(np.int64)
    return TemplateShapes(
        np.array(offsets, np.int64).reshape(-1, count, 2),
        np.array(masks, np.uint8).reshape(-1, count),
        np.array(poses, np.float64).reshape(-1, 6),
        min_fitting,
    )


def _rare_anchors(template: Template) -> tuple[int, ...]:
    """The anchors to use: oblique ones if there are enough, for most strokes of a page are not."""
    channel = (template.directions[list(template.anchors)] + 4 >> 3) & 7
    oblique = np.flatnonzero((channel != 0) & (channel != 4)).tolist()
    if len(oblique) < max(OBLIQUE * len(template.points), ANCHORS):
        return template.anchors
    return tuple(template.anchors[number] for number in oblique)


def coarse_search(
    nearby: Channels, anchors: Ints, starts: Channels, shapes: TemplateShapes
) -> Floats:
    """Find poses at which most of a template's first points lie on strokes.

    Parameters
    ----------
    nearby, anchors, starts
        See `spotlab.spotting.symbols.alignment.chamfer.match_shapes`.
    shapes : TemplateShapes

    Returns
    -------
    (N, 6) float
        Poses in the small page: the best at each anchor where enough fits. Of poses that turn and
        mirror alike and are not `_NEAR` px apart only the best is kept.

    Examples
    --------
    >>> nearby = np.zeros((5, 9), np.uint8)
    >>> nearby[2, 5] = 1
    >>> shapes = TemplateShapes(
    ...     np.array([[[0, 0], [4, 0]]]), np.array([[1, 1]], np.uint8),
    ...     np.array([[2.0, 0, 0, 0, 0, 1]]), np.array([1, 2]))
    >>> starts = np.array([1], np.uint8)
    >>> coarse_search(nearby, np.array([[1, 2]]), starts, shapes)[:, :2].tolist()
    [[3.5, 2.5]]
    """
    matches = chamfer.match_shapes(
        nearby, anchors, starts, shapes.offsets, shapes.masks, shapes.min_fitting
    )
    is_match = matches[:, 0] >= 0
    poses, fitting = shapes.poses[matches[is_match, 0]], matches[is_match, 1]
    poses[:, :2] += anchors[is_match] + 0.5
    cells = np.floor(poses[:, :2] / _NEAR).astype(np.int64) + (1 << 20)
    ways = np.floor(poses[:, 2] / 1.5).astype(np.int64) * 2 + (poses[:, 5] > 0)
    keys = (cells[:, 0] * (1 << 24) + cells[:, 1]) * 8 + ways
    order = np.argsort(-fitting, kind="stable")
    chosen = order[np.unique(keys[order], return_index=True)[1]]
    return np.asarray(poses[chosen])
