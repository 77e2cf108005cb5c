"""A coarse search: a template at right angles and near its own size, at every stroke of a page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols import chamfer
from spotlab.spotting.symbols.template import Template

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ANCHORS = 3  # points of the template that are laid onto strokes: one may be broken
PROBED = 20  # points that are looked at
FITTING = 0.7  # of them fit somewhere near
_RANGE = np.log(1.2)  # scales
_CELL = 3  # small px that one anchor stands for


@dataclass(frozen=True, eq=False)
class Shapes:
    """The template's first points as seen from an anchor, once for each anchor and pose."""

    offsets: Ints
    masks: NDArray[np.uint32]
    poses: Floats
    least: Ints


def anchors_of(points: NDArray[np.uint16]) -> Ints:
    """(A, 2) places of strokes, one in every cell of three by three that has any."""
    cells = points.astype(np.int64) // _CELL
    key = cells[:, 1] * (1 << 20) + cells[:, 0]
    return np.asarray(points[np.sort(np.unique(key, return_index=True)[1])], np.int64)


def shapes_of(template: Template, shrink: float) -> Shapes:
    """The template at all right angles, mirrored, and at scales around its own."""
    count = min(PROBED, len(template.points))
    radius = max(template.radius * shrink, 1.0)
    half = max(round(float(_RANGE * radius / 4)), 1)
    scales = np.linspace(-_RANGE, _RANGE, 2 * half + 1)
    poses = np.array(
        [
            (turn * np.pi / 2, scale, mirror)
            for mirror in (1.0, -1.0)
            for turn in range(4)
            for scale in scales
        ]
    )
    offsets, masks, rows = [], [], []
    for anchor in range(min(ANCHORS, len(template.points))):
        order = np.r_[anchor, np.delete(np.arange(len(template.points)), anchor)][:count]
        points, turns = template.points[order], template.turns[order]
        for turn, scale, mirror in poses.tolist():
            cosine, sine = round(np.cos(turn)), round(np.sin(turn))
            scaled = points * [mirror * np.exp(scale) * shrink, np.exp(scale) * shrink]
            laid = scaled @ np.array([[cosine, sine], [-sine, cosine]])
            sign = 1 if mirror > 0 else -1
            channel = ((sign * turns + round(turn * 64 / np.pi) + 4) >> 3) & 7
            offsets.append(np.round(laid - laid[0]).astype(np.int64))
            far = np.uint32(1 << 16) << channel.astype(np.uint32)
            far[0] >>= np.uint32(16)
            masks.append(far)
            rows.append([-laid[0, 0], -laid[0, 1], turn, scale, scale, mirror])
    least = np.ceil(FITTING * np.arange(1, count + 1) - 1.5).astype(np.int64)
    return Shapes(np.array(offsets), np.array(masks), np.array(rows), least)


def from_strokes(strokes: NDArray[np.uint32], anchors: Ints, shapes: Shapes) -> Floats:
    """(N, 6) poses in the small page: the best at each anchor where enough fits."""
    found = chamfer.probe(strokes, anchors, shapes.offsets, shapes.masks, shapes.least)
    there = found[:, 0] >= 0
    poses = shapes.poses[found[there, 0]]
    poses[:, :2] += anchors[there] + 0.5
    return np.asarray(poses)
