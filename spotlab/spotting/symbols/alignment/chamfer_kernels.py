"""Fit of a template to a page, in machine code: see `chamfer`."""

from __future__ import annotations

from math import cos, exp, floor, pi, sin

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.spotting.symbols.alignment.chamfer_reference import (
    CHAMFER,
    FINE,
    FIRST,
    HOPEFUL,
    KINDS,
    LOOSELY,
    ROUGH,
    SURE,
)

StrokeMap = NDArray[np.uint32]
Channels = NDArray[np.uint8]


@CHAMFER.compiled
def match_shapes(
    nearby: Channels, anchors: Ints, starts: Channels, offsets: Ints, masks: Channels,
    min_fitting: Ints,
) -> Ints:  # fmt: skip
    """See `spotlab.spotting.symbols.alignment.chamfer.match_shapes`."""
    height, width = nearby.shape
    best = np.full((len(anchors), 2), -1, np.int64)
    shapes, count = masks.shape
    alike = np.zeros(shapes, np.int64)  # the next shape that starts with another direction
    for shape in range(shapes - 1, -1, -1):
        same = shape + 1 < shapes and masks[shape, 0] == masks[shape + 1, 0]
        alike[shape] = alike[shape + 1] if same else shape + 1
    for anchor in range(len(anchors)):
        left, top = anchors[anchor, 0], anchors[anchor, 1]
        shape = 0
        while shape < shapes:
            if starts[anchor] & masks[shape, 0] == 0:
                shape = alike[shape]
                continue
            fitting = 1
            for point in range(1, count):
                x, y = left + offsets[shape, point, 0], top + offsets[shape, point, 1]
                if 0 <= x < width and 0 <= y < height and nearby[y, x] & masks[shape, point]:
                    fitting += 1
                elif fitting < min_fitting[point]:
                    fitting = -1
                    break
            if fitting > best[anchor, 1]:
                best[anchor, 0], best[anchor, 1] = shape, fitting
            shape += 1
    return best


@CHAMFER.compiled
def _measure(
    strokes: StrokeMap, points: Floats, directions: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, costs: Floats, pose: Floats,
) -> tuple[float, float]:  # fmt: skip
    """Shares of the template's strokes that the page has, and of its blanks that are inked."""
    height, width = strokes.shape
    a, b, c, d = _pose_matrix(pose, shrink)
    turned = floor(pose[2] * 64 / pi + 0.5)
    sign = 1 if pose[5] > 0 else -1
    total, most = 0.0, 1e-9
    exact, nearer, far = 1 - costs[4], costs[4] - costs[5], costs[5]
    for point in range(len(points)):
        most += weights[point]
        x = floor(a * points[point, 0] + b * points[point, 1] + pose[0])
        y = floor(c * points[point, 0] + d * points[point, 1] + pose[1])
        if 0 <= x < width and 0 <= y < height:
            word = strokes[y, x] >> np.uint32(((sign * directions[point] + turned + 4) >> 3) & 7)
            # what is at the place is also near it and not far off; without branches, which cost
            worth = far * (word >> np.uint32(16) & np.uint32(1))
            worth += nearer * (word >> np.uint32(8) & np.uint32(1))
            worth += exact * (word & np.uint32(1))
            total += worth * weights[point]
    inked = 0.0
    for blank in range(len(blanks)):
        x = floor(a * blanks[blank, 0] + b * blanks[blank, 1] + pose[0])
        y = floor(c * blanks[blank, 0] + d * blanks[blank, 1] + pose[1])
        if 0 <= x < width and 0 <= y < height:
            hit = 1 if strokes[y, x] & np.uint32(0x8000FF00) else 0
            inked += hit * (1 - (1 - LOOSELY) * (strokes[y, x] >> np.uint32(24) & np.uint32(1)))
    return total / most, inked / max(len(blanks), 1)


@CHAMFER.compiled
def score_poses(
    strokes: StrokeMap, points: Floats, directions: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, costs: Floats, poses: Floats,
) -> Floats:  # fmt: skip
    """See `spotlab.spotting.symbols.alignment.chamfer.score_poses`."""
    scores = np.zeros(len(poses))
    few_points, few_directions, few_weights, few_blanks = (
        points[:ROUGH],
        directions[:ROUGH],
        weights[:ROUGH],
        blanks[:ROUGH],
    )
    for pose in range(len(poses)):
        if _is_hopeful(strokes, points, directions, shrink, poses[pose]):
            score = _pose_score(
                strokes,
                few_points,
                few_directions,
                few_weights,
                few_blanks,
                shrink,
                costs,
                poses[pose],
            )
            scores[pose] = score
    return scores


@CHAMFER.compiled
def _is_hopeful(
    strokes: StrokeMap, points: Floats, directions: Ints, shrink: Floats, pose: Floats
) -> bool:
    """Tell whether enough of the first points fit somehow."""
    height, width = strokes.shape
    a, b, c, d = _pose_matrix(pose, shrink)
    turned = floor(pose[2] * 64 / pi + 0.5)
    sign = 1 if pose[5] > 0 else -1
    fitting = 0
    for point in range(min(FIRST, len(points))):
        x = floor(a * points[point, 0] + b * points[point, 1] + pose[0])
        y = floor(c * points[point, 0] + d * points[point, 1] + pose[1])
        channel = ((sign * directions[point] + turned + 4) >> 3) & 7
        if 0 <= x < width and 0 <= y < height:
            fitting += (strokes[y, x] >> np.uint32(16 + channel)) & np.uint32(1)
        if fitting < HOPEFUL * (point + 1) - 1.5:
            return False
    return True


@CHAMFER.compiled
def _pose_matrix(pose: Floats, shrink: Floats) -> tuple[float, float, float, float]:
    """The matrix that a pose applies to a template's points."""
    cosine, sine = cos(pose[2]), sin(pose[2])
    across, down = exp(pose[3]) * pose[5], exp(pose[4])
    return (
        cosine * across * shrink[0], -sine * down * shrink[0],
        sine * across * shrink[1], cosine * down * shrink[1],
    )  # fmt: skip


@CHAMFER.compiled
def _pose_score(
    strokes: StrokeMap, points: Floats, directions: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, costs: Floats, pose: Floats,
) -> float:  # fmt: skip
    """The score of a pose, 0 to 1."""
    coverage, inked = _measure(strokes, points, directions, weights, blanks, shrink, costs, pose)
    if coverage <= costs[0]:
        return 0.0
    scale = costs[6] * pose[3] + costs[7] * pose[4]
    share = coverage / (coverage + costs[1] * inked * exp(scale))
    stretch = abs(pose[3] - pose[4])
    cost = 1 + costs[2] * scale * scale + costs[3] * stretch * stretch
    return float((coverage - costs[0]) / (1 - costs[0]) * share / cost)


@CHAMFER.compiled
def refine_poses(
    strokes: StrokeMap, points: Floats, directions: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, costs: Floats, poses: Floats, steps: Floats, first: int, end: int,
) -> tuple[Floats, Floats]:  # fmt: skip
    """See `spotlab.spotting.symbols.alignment.chamfer.refine_poses`."""
    refined, scores = poses.copy(), np.zeros(len(poses))
    few_points, few_directions, few_weights, few_blanks = (
        points[:ROUGH],
        directions[:ROUGH],
        weights[:ROUGH],
        blanks[:ROUGH],
    )
    for index in range(len(poses)):
        pose = refined[index]
        for level in range(first, end):
            if level == FINE:
                few_points, few_directions, few_weights, few_blanks = (
                    points,
                    directions,
                    weights,
                    blanks,
                )
            finer = steps.copy()
            finer[:5] /= 2**level
            _climb(
                strokes,
                few_points,
                few_directions,
                few_weights,
                few_blanks,
                shrink,
                costs,
                pose,
                finer,
            )
        scores[index] = _pose_score(
            strokes, points, directions, weights, blanks, shrink, costs, pose
        )
        few_points, few_directions, few_weights, few_blanks = (
            points[:ROUGH],
            directions[:ROUGH],
            weights[:ROUGH],
            blanks[:ROUGH],
        )
    return refined, scores


@CHAMFER.compiled
def choose_distinct(poses: Floats, radius: float, turn: float, count: int) -> Ints:
    """See `spotlab.spotting.symbols.alignment.chamfer.choose_distinct`."""
    chosen = np.zeros(len(poses), np.int64)
    number = 0
    for index in range(len(poses)):
        if number == count:
            break
        is_new = True
        for place in range(number):
            other = chosen[place]
            across, down = poses[other, 0] - poses[index, 0], poses[other, 1] - poses[index, 1]
            if across * across + down * down >= radius * radius:
                continue
            turned = (poses[other, 2] - poses[index, 2] + pi) % (2 * pi) - pi
            if abs(turned) < turn and poses[other, 5] == poses[index, 5]:
                is_new = False
                break
        if is_new:
            chosen[number] = index
            number += 1
    return chosen[:number].copy()


@CHAMFER.compiled
def _climb(
    strokes: StrokeMap, points: Floats, directions: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, costs: Floats, pose: Floats, steps: Floats,
) -> None:  # fmt: skip
    """Move a pose by up to three steps of each kind, back or forth, while the score rises."""
    best = _pose_score(strokes, points, directions, weights, blanks, shrink, costs, pose)
    moved = pose.copy()
    for kind in range(KINDS):
        for direction in (-1.0, 1.0):
            for _ in range(3):
                _step_pose(pose, kind, direction, steps, moved)
                score = _pose_score(
                    strokes, points, directions, weights, blanks, shrink, costs, moved
                )
                if score <= best + SURE:
                    break
                best = score
                pose[:] = moved


@CHAMFER.compiled
def _step_pose(pose: Floats, kind: int, direction: float, steps: Floats, moved: Floats) -> None:
    """Write to ``moved`` where the pose is after a step; see `chamfer.refine_poses`."""
    moved[:] = pose
    if kind < 3:
        moved[kind] += direction * steps[kind]
        return
    if kind == 3:
        moved[3] += direction * steps[3]
        moved[4] += direction * steps[4]
        return
    side = (kind - 4) // 2
    grown = direction * steps[3 + side]
    moved[3 + side] += grown
    half = _half_side(steps, side, pose[3 + side]) * grown
    if kind % 2:
        half = -half
    moved[0] += half * (cos(pose[2]) if side == 0 else -sin(pose[2]))
    moved[1] += half * (sin(pose[2]) if side == 0 else cos(pose[2]))


@CHAMFER.compiled
def _half_side(steps: Floats, side: int, scale: float) -> float:
    """Half of a side of the template as it lies there, in small px."""
    return float(steps[5 + side] * exp(scale))
