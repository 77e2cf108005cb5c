"""A coarse search: a template at right angles and near its own size, at every stroke of a page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.alignment import chamfer
from spotlab.spotting.symbols.alignment.template import Template, at_right_angle, is_mixed

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ANCHORS = 2  # points of the template that are laid onto strokes: one may be broken
PROBED = 20  # points that are looked at
FITTING = 0.7  # of them fit somewhere near
_RANGE = np.log(1.2)  # scales
_NEAR = 5  # small px
_CELL = 3  # small px that one anchor stands for, across and down


@dataclass(frozen=True, eq=False)
class Shapes:
    """The template's first points as seen from an anchor, once for each anchor and pose."""

    offsets: Ints
    masks: NDArray[np.uint32]
    poses: Floats
    least: Ints


def anchors_of(strokes: NDArray[np.uint32], points: NDArray[np.uint16]) -> Ints:
    """(A, 2) places of strokes with one direction, one in every square cell that has any."""
    points = points[~is_mixed(strokes, points)]
    cells = points.astype(np.int64) // _CELL
    key = cells[:, 1] * (1 << 20) + cells[:, 0]
    return np.asarray(points[np.sort(np.unique(key, return_index=True)[1])], np.int64)


def shapes_of(template: Template, shrink: float) -> Shapes:
    """The template at all right angles, mirrored, and at scales around its own."""
    count = min(PROBED, len(template.points))
    half = max(round(float(_RANGE * template.radius * shrink / 4)), 1)
    offsets, masks, poses = [], [], []
    for anchor in template.anchors[:ANCHORS]:
        order = np.r_[anchor, np.delete(np.arange(len(template.points)), anchor)][:count]
        for turn, mirror in template.different:
            for scale in np.linspace(-_RANGE, _RANGE, 2 * half + 1).tolist():
                laid = at_right_angle(template.points[order], turn, mirror) * np.exp(scale) * shrink
                channel = ((mirror * template.turns[order] + 32 * turn + 4) >> 3) & 7
                mask = np.uint32(1 << 16) << channel.astype(np.uint32)
                mask[0] >>= np.uint32(16)
                offsets.append(np.round(laid - laid[0]).astype(np.int64))
                masks.append(mask)
                poses.append([*-laid[0], turn * np.pi / 2, scale, scale, mirror])
    least = np.ceil(FITTING * np.arange(1, count + 1) - 1.5).astype(np.int64)
    return Shapes(
        np.array(offsets, np.int64).reshape(-1, count, 2),
        np.array(masks, np.uint32).reshape(-1, count),
        np.array(poses, np.float64).reshape(-1, 6),
        least,
    )


def from_strokes(strokes: NDArray[np.uint32], anchors: Ints, shapes: Shapes) -> Floats:
    """(N, 6) poses in the small page: the best at each anchor where enough fits.

    Of poses that turn and mirror alike and are not `_NEAR` px apart only the best is kept.
    """
    found = chamfer.probe(strokes, anchors, shapes.offsets, shapes.masks, shapes.least)
    there = found[:, 0] >= 0
    poses, fitting = shapes.poses[found[there, 0]], found[there, 1]
    poses[:, :2] += anchors[there] + 0.5
    cells = np.floor(poses[:, :2] / _NEAR).astype(np.int64) + (1 << 20)
    ways = np.floor(poses[:, 2] / 1.5).astype(np.int64) * 2 + (poses[:, 5] > 0)
    keys = (cells[:, 0] * (1 << 24) + cells[:, 1]) * 8 + ways
    order = np.argsort(-fitting, kind="stable")
    chosen = order[np.unique(keys[order], return_index=True)[1]]
    return np.asarray(poses[chosen])
