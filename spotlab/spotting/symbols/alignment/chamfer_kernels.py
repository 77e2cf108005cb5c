"""How well a template lies on a page, in machine code: see `chamfer`."""

from __future__ import annotations

from math import cos, exp, floor, pi, sin

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.alignment.chamfer_reference import (
    FINE,
    FIRST,
    HOPEFUL,
    KINDS,
    LOOSELY,
    ROUGH,
    SURE,
)
from spotlab.spotting.symbols.alignment.machine_code import CHAMFER

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Map = NDArray[np.uint32]


@CHAMFER.compiled
def probe(strokes: Map, places: Ints, offsets: Ints, masks: Map, least: Ints) -> Ints:
    """See `spotlab.spotting.symbols.alignment.chamfer.probe`."""
    height, width = strokes.shape
    found = np.full((len(places), 2), -1, np.int64)
    shapes, count = masks.shape
    for place in range(len(places)):
        left, top = places[place, 0], places[place, 1]
        word = strokes[top, left]
        for shape in range(shapes):
            if word & masks[shape, 0] == 0:
                continue
            fitting = 1
            for point in range(1, count):
                x, y = left + offsets[shape, point, 0], top + offsets[shape, point, 1]
                if 0 <= x < width and 0 <= y < height and strokes[y, x] & masks[shape, point]:
                    fitting += 1
                elif fitting < least[point]:
                    fitting = -1
                    break
            if fitting > found[place, 1]:
                found[place, 0], found[place, 1] = shape, fitting
    return found


@CHAMFER.compiled
def measure(
    strokes: Map, points: Floats, turns: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, unlike: Floats, pose: Floats,
) -> tuple[float, float]:  # fmt: skip
    """How much of the template the page has there, and how much of its blanks is inked, 0 to 1."""
    height, width = strokes.shape
    a, b, c, d = linear(pose, shrink)
    turned = floor(pose[2] * 64 / pi + 0.5)
    sign = 1 if pose[5] > 0 else -1
    total, most = 0.0, 1e-9
    exact, nearer, far = 1 - unlike[4], unlike[4] - unlike[5], unlike[5]
    for point in range(len(points)):
        most += weights[point]
        x = floor(a * points[point, 0] + b * points[point, 1] + pose[0])
        y = floor(c * points[point, 0] + d * points[point, 1] + pose[1])
        if 0 <= x < width and 0 <= y < height:
            word = strokes[y, x] >> np.uint32(((sign * turns[point] + turned + 4) >> 3) & 7)
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
def rate(
    strokes: Map, points: Floats, turns: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, unlike: Floats, poses: Floats,
) -> Floats:  # fmt: skip
    """See `spotlab.spotting.symbols.alignment.chamfer.rate`."""
    scores = np.zeros(len(poses))
    some, their_turns, theirs, few = points[:ROUGH], turns[:ROUGH], weights[:ROUGH], blanks[:ROUGH]
    for pose in range(len(poses)):
        if hopeful(strokes, points, turns, shrink, poses[pose]):
            score = goodness(strokes, some, their_turns, theirs, few, shrink, unlike, poses[pose])
            scores[pose] = score
    return scores


@CHAMFER.compiled
def hopeful(strokes: Map, points: Floats, turns: Ints, shrink: Floats, pose: Floats) -> bool:
    """Whether enough of the first points fit somehow."""
    height, width = strokes.shape
    a, b, c, d = linear(pose, shrink)
    turned = floor(pose[2] * 64 / pi + 0.5)
    sign = 1 if pose[5] > 0 else -1
    fitting = 0
    for point in range(min(FIRST, len(points))):
        x = floor(a * points[point, 0] + b * points[point, 1] + pose[0])
        y = floor(c * points[point, 0] + d * points[point, 1] + pose[1])
        channel = ((sign * turns[point] + turned + 4) >> 3) & 7
        if 0 <= x < width and 0 <= y < height:
            fitting += (strokes[y, x] >> np.uint32(16 + channel)) & np.uint32(1)
        if fitting < HOPEFUL * (point + 1) - 1.5:
            return False
    return True


@CHAMFER.compiled
def linear(pose: Floats, shrink: Floats) -> tuple[float, float, float, float]:
    """The matrix that a pose applies to a template's points."""
    cosine, sine = cos(pose[2]), sin(pose[2])
    across, down = exp(pose[3]) * pose[5], exp(pose[4])
    return (
        cosine * across * shrink[0], -sine * down * shrink[0],
        sine * across * shrink[1], cosine * down * shrink[1],
    )  # fmt: skip


@CHAMFER.compiled
def goodness(
    strokes: Map, points: Floats, turns: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, unlike: Floats, pose: Floats,
) -> float:  # fmt: skip
    """The score of a pose, 0 to 1."""
    coverage, inked = measure(strokes, points, turns, weights, blanks, shrink, unlike, pose)
    if coverage <= unlike[0]:
        return 0.0
    scale = (pose[3] + pose[4]) / 2
    share = coverage / (coverage + unlike[1] * inked * exp(scale))
    stretch = abs(pose[3] - pose[4])
    cost = 1 + unlike[2] * scale * scale + unlike[3] * stretch * stretch
    return float((coverage - unlike[0]) / (1 - unlike[0]) * share / cost)


@CHAMFER.compiled
def settle(
    strokes: Map, points: Floats, turns: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, unlike: Floats, poses: Floats, steps: Floats, rounds: int,
) -> tuple[Floats, Floats]:  # fmt: skip
    """See `spotlab.spotting.symbols.alignment.chamfer.settle`."""
    found, scores = poses.copy(), np.zeros(len(poses))
    some, their_turns, theirs, few = points[:ROUGH], turns[:ROUGH], weights[:ROUGH], blanks[:ROUGH]
    for index in range(len(poses)):
        pose = found[index]
        for level in range(rounds):
            if level == FINE:
                some, their_turns, theirs, few = points, turns, weights, blanks
            finer = steps.copy()
            finer[:5] /= 2**level
            move(strokes, some, their_turns, theirs, few, shrink, unlike, pose, finer)
        scores[index] = goodness(strokes, points, turns, weights, blanks, shrink, unlike, pose)
        some, their_turns, theirs, few = (
            points[:ROUGH],
            turns[:ROUGH],
            weights[:ROUGH],
            blanks[:ROUGH],
        )
    return found, scores


@CHAMFER.compiled
def move(
    strokes: Map, points: Floats, turns: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, unlike: Floats, pose: Floats, steps: Floats,
) -> None:  # fmt: skip
    """Let a pose go up to three steps of each kind, back or forth, while that is better."""
    best = goodness(strokes, points, turns, weights, blanks, shrink, unlike, pose)
    moved = pose.copy()
    for kind in range(KINDS):
        for direction in (-1.0, 1.0):
            for _ in range(3):
                step(pose, kind, direction, steps, moved)
                score = goodness(strokes, points, turns, weights, blanks, shrink, unlike, moved)
                if score <= best + SURE:
                    break
                best = score
                pose[:] = moved


@CHAMFER.compiled
def step(pose: Floats, kind: int, direction: float, steps: Floats, moved: Floats) -> None:
    """Write to ``moved`` where the pose is after a step; see `chamfer.settle`."""
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
    half = half_side(steps, side, pose[3 + side]) * grown
    if kind % 2:
        half = -half
    moved[0] += half * (cos(pose[2]) if side == 0 else -sin(pose[2]))
    moved[1] += half * (sin(pose[2]) if side == 0 else cos(pose[2]))


@CHAMFER.compiled
def half_side(steps: Floats, side: int, scale: float) -> float:
    """Half of a side of the template as it lies there, in small px."""
    return float(steps[5 + side] * exp(scale))
