"""Fit of a template to a page's strokes, in numpy: the reference for the machine code."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.compiled.machine_code import MachineCode

StrokeMap = NDArray[np.uint32]
Channels = NDArray[np.uint8]
Word = TypeVar("Word", np.uint8, np.uint32)
Model = tuple[StrokeMap, Floats, Ints, Floats, Floats, Floats, Floats]

CHAMFER = MachineCode(
    "chamfer",
    tuple(
        Path(__file__).with_name(f"{name}.py") for name in ("chamfer_kernels", "chamfer_reference")
    ),
    "spotlab.spotting.symbols.alignment.chamfer_compiled",
)
FIRST, HOPEFUL = 24, 0.55  # a pose is given up if less than this share of the first points fits
ROUGH = 64  # points, and blanks, by which poses are rated before they are moved
FINE = 3  # from this round on poses are moved by all points and blanks
SURE = 1e-9  # more than two ways to add up differ
KINDS = 8  # of steps: x, y, turn, scale, and each of the four sides
_INKED = np.uint32(0x8000FF00)  # bits of which a place has one if a stroke or much ink is near
_LOOSE = np.uint32(1 << 24)
LOOSELY = 0.4  # what ink counts that is no larger than a letter
_AT_ONCE = 2048  # poses


def match_shapes(
    nearby: Channels, anchors: Ints, starts: Channels, offsets: Ints, masks: Channels,
    min_fitting: Ints,
) -> Ints:  # fmt: skip
    """See `spotlab.spotting.symbols.alignment.chamfer.match_shapes`."""
    best = np.full((len(anchors), 2), -1, np.int64)
    for shape in range(len(masks)):
        here = np.flatnonzero(starts & masks[shape, 0])
        fitting = np.ones(len(here), np.int64)
        for point in range(1, masks.shape[1]):
            x, y = (anchors[here] + offsets[shape, point]).T
            fitting += (_words(nearby, x, y) & masks[shape, point]) != 0
            going_on = fitting >= min_fitting[point]
            here, fitting = here[going_on], fitting[going_on]
        better = fitting > best[here, 1]
        best[here[better], 0], best[here[better], 1] = shape, fitting[better]
    return best


def score_poses(
    strokes: StrokeMap, points: Floats, directions: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, costs: Floats, poses: Floats,
) -> Floats:  # fmt: skip
    """See `spotlab.spotting.symbols.alignment.chamfer.score_poses`."""
    scores = np.zeros(len(poses))
    there = np.flatnonzero(_are_hopeful(strokes, points, directions, shrink, poses))
    model = _rough(strokes, points, directions, weights, blanks, shrink, costs)
    scores[there] = _pose_scores(*model, poses[there])
    return scores


def _pose_scores(
    strokes: StrokeMap, points: Floats, directions: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, costs: Floats, poses: Floats,
) -> Floats:  # fmt: skip
    """(N,) the scores of poses."""
    scores = [np.zeros(0)]
    for begin in range(0, len(poses), _AT_ONCE):
        part = poses[begin : begin + _AT_ONCE]
        coverage = _coverage(strokes, points, directions, weights, shrink, costs, part)
        words = _words(strokes, *_laid(blanks, shrink, part))
        inked = np.where(words & _LOOSE, LOOSELY, 1.0) * ((words & _INKED) != 0)
        inked_share = inked.sum(1) / max(len(blanks), 1)
        scale = costs[6] * part[:, 3] + costs[7] * part[:, 4]
        stretch = np.abs(part[:, 3] - part[:, 4])
        explained = np.maximum(coverage + costs[1] * inked_share * np.exp(scale), 1e-9)
        cost = 1 + costs[2] * scale * scale + costs[3] * stretch * stretch
        above = np.maximum(coverage - costs[0], 0) / (1 - costs[0])
        scores.append(above * (coverage / explained) / cost)
    return np.concatenate(scores)


def refine_poses(
    strokes: StrokeMap, points: Floats, directions: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, costs: Floats, poses: Floats, steps: Floats, first: int, end: int,
) -> tuple[Floats, Floats]:  # fmt: skip
    """See `spotlab.spotting.symbols.alignment.chamfer.refine_poses`."""
    refined = poses.copy()
    model = (strokes, points, directions, weights, blanks, shrink, costs)
    rough = _rough(strokes, points, directions, weights, blanks, shrink, costs)
    for level in range(first, end):
        finer = np.concatenate([steps[:5] / 2**level, steps[5:]])
        _climb(model if level >= FINE else rough, refined, finer)
    return refined, _pose_scores(*model, refined)


def _climb(model: Model, poses: Floats, steps: Floats) -> None:
    """Move poses by up to three steps of each kind, back or forth, while the score rises."""
    best = _pose_scores(*model, poses)
    for kind in range(KINDS):
        for direction in (-1.0, 1.0):
            going_on = np.arange(len(poses))
            for _ in range(3):
                moved = _step_poses(poses[going_on], kind, direction, steps)
                scores = _pose_scores(*model, moved)
                better = scores > best[going_on] + SURE
                going_on = going_on[better]
                poses[going_on], best[going_on] = moved[better], scores[better]


def _step_poses(poses: Floats, kind: int, direction: float, steps: Floats) -> Floats:
    """Poses after a step."""
    moved = poses.copy()
    if kind < 3:
        moved[:, kind] += direction * steps[kind]
        return moved
    if kind == 3:
        moved[:, 3:5] += direction * steps[3:5]
        return moved
    side = (kind - 4) // 2
    grown = direction * steps[3 + side]
    moved[:, 3 + side] += grown
    half = steps[5 + side] * np.exp(poses[:, 3 + side]) * (-grown if kind % 2 else grown)
    cosine, sine = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    moved[:, 0] += half * (cosine if side == 0 else -sine)
    moved[:, 1] += half * (sine if side == 0 else cosine)
    return moved


def _rough(
    strokes: StrokeMap, points: Floats, directions: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, costs: Floats,
) -> Model:  # fmt: skip
    """The same with fewer points and blanks."""
    few = points[:ROUGH], directions[:ROUGH], weights[:ROUGH], blanks[:ROUGH]
    return strokes, *few, shrink, costs


def _are_hopeful(
    strokes: StrokeMap, points: Floats, directions: Ints, shrink: Floats, poses: Floats
) -> NDArray[np.bool_]:
    """(N,) whether enough of the first points fit somehow."""
    count = min(FIRST, len(points))
    min_fitting = HOPEFUL * np.arange(1, count + 1) - 1.5
    hopeful = [np.zeros(0, np.bool_)]
    for begin in range(0, len(poses), _AT_ONCE):
        part = poses[begin : begin + _AT_ONCE]
        words = _turned(strokes, points[:count], directions[:count], shrink, part)
        fitting = np.cumsum((words >> np.uint32(16)) & np.uint32(1), axis=1)
        hopeful.append(np.all(fitting >= min_fitting, axis=1))
    return np.concatenate(hopeful)


def _coverage(
    strokes: StrokeMap, points: Floats, directions: Ints, weights: Floats, shrink: Floats,
    costs: Floats, poses: Floats,
) -> Floats:  # fmt: skip
    """(N,) how much of the template's strokes the page has at each pose."""
    words = _turned(strokes, points, directions, shrink, poses)
    nearness = [(words & np.uint32(1 << bit)) != 0 for bit in (0, 8, 16)]
    worth = np.select(nearness, [1.0, costs[4], costs[5]], 0.0)
    return np.asarray((worth * weights).sum(1) / (weights.sum() + 1e-9))


def choose_distinct(poses: Floats, radius: float, turn: float, count: int) -> Ints:
    """See `spotlab.spotting.symbols.alignment.chamfer.choose_distinct`."""
    chosen: list[int] = []
    for index, pose in enumerate(poses):
        if len(chosen) == count:
            break
        others = poses[chosen]
        far = ((others[:, :2] - pose[:2]) ** 2).sum(1) >= radius * radius
        turned = np.abs(np.mod(others[:, 2] - pose[2] + np.pi, 2 * np.pi) - np.pi)
        if (far | (turned >= turn) | (others[:, 5] != pose[5])).all():
            chosen.append(index)
    return np.array(chosen, np.int64)


def _turned(
    strokes: StrokeMap, points: Floats, directions: Ints, shrink: Floats, poses: Floats
) -> StrokeMap:
    """(N, P) what is kept of the places of points, shifted by their directions."""
    turned = np.floor(poses[:, 2] * 64 / np.pi + 0.5).astype(np.int64)
    sign = np.where(poses[:, 5] > 0, 1, -1)
    channel = ((sign[:, None] * directions + turned[:, None] + 4) >> 3) & 7
    return _words(strokes, *_laid(points, shrink, poses)) >> channel.astype(np.uint32)


def _laid(points: Floats, shrink: Floats, poses: Floats) -> tuple[Ints, Ints]:
    """(N, P) the x, and the y, of the px where each pose has the points."""
    cosine, sine = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    across, down = np.exp(poses[:, 3]) * poses[:, 5], np.exp(poses[:, 4])
    a, b = cosine * across * shrink[0], -sine * down * shrink[0]
    c, d = sine * across * shrink[1], cosine * down * shrink[1]
    x = a[:, None] * points[:, 0] + b[:, None] * points[:, 1] + poses[:, :1]
    y = c[:, None] * points[:, 0] + d[:, None] * points[:, 1] + poses[:, 1:2]
    return np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)


def _words(kept: NDArray[Word], x: Ints, y: Ints) -> NDArray[Word]:
    """Return what is kept of places, 0 outside of the page."""
    height, width = kept.shape
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    words = kept[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return np.where(inside, words, kept.dtype.type(0))
