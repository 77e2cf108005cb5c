"""How well a template lies on a page's strokes, by numpy: what the machine code has to give."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Map = NDArray[np.uint32]
Model = tuple[Map, Floats, Ints, Floats, Floats, Floats, Floats]

FIRST, HOPEFUL = 24, 0.55  # a pose is given up if less than this share of the first points fits
ROUGH = 64  # points, and blanks, by which poses are rated before they are moved
FINE = 2  # from this round on poses are moved by all points and blanks
SURE = 1e-9  # more than two ways to add up differ
KINDS = 8  # of steps: x, y, turn, scale, and each of the four sides
_INKED = np.uint32(0x8000FF00)  # bits of which a place has one if a stroke or much ink is near
_LOOSE = np.uint32(1 << 24)
LOOSELY = 0.4  # what ink counts that is no larger than a letter
_AT_ONCE = 2048  # poses


def probe(strokes: Map, places: Ints, offsets: Ints, masks: Map, least: Ints) -> Ints:
    """See `spotlab.spotting.symbols.alignment.chamfer.probe`."""
    found = np.full((len(places), 2), -1, np.int64)
    for shape in range(len(masks)):
        here = np.flatnonzero(strokes[places[:, 1], places[:, 0]] & masks[shape, 0])
        fitting = np.ones(len(here), np.int64)
        for point in range(1, masks.shape[1]):
            x, y = (places[here] + offsets[shape, point]).T
            fitting += (_words(strokes, x, y) & masks[shape, point]) != 0
            going_on = fitting >= least[point]
            here, fitting = here[going_on], fitting[going_on]
        better = fitting > found[here, 1]
        found[here[better], 0], found[here[better], 1] = shape, fitting[better]
    return found


def rate(
    strokes: Map, points: Floats, turns: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, unlike: Floats, poses: Floats,
) -> Floats:  # fmt: skip
    """See `spotlab.spotting.symbols.alignment.chamfer.rate`."""
    scores = np.zeros(len(poses))
    there = np.flatnonzero(_hopeful(strokes, points, turns, shrink, poses))
    model = _rough(strokes, points, turns, weights, blanks, shrink, unlike)
    scores[there] = _goodness(*model, poses[there])
    return scores


def _goodness(
    strokes: Map, points: Floats, turns: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, unlike: Floats, poses: Floats,
) -> Floats:  # fmt: skip
    """(N,) the scores of poses."""
    scores = [np.zeros(0)]
    for begin in range(0, len(poses), _AT_ONCE):
        some = poses[begin : begin + _AT_ONCE]
        coverage = _coverage(strokes, points, turns, weights, shrink, unlike, some)
        words = _words(strokes, *_laid(blanks, shrink, some))
        inked = np.where(words & _LOOSE, LOOSELY, 1.0) * ((words & _INKED) != 0)
        inked_share = inked.sum(1) / max(len(blanks), 1)
        scale, stretch = (some[:, 3] + some[:, 4]) / 2, np.abs(some[:, 3] - some[:, 4])
        explained = np.maximum(coverage + unlike[1] * inked_share * np.exp(scale), 1e-9)
        cost = 1 + unlike[2] * scale * scale + unlike[3] * stretch * stretch
        above = np.maximum(coverage - unlike[0], 0) / (1 - unlike[0])
        scores.append(above * (coverage / explained) / cost)
    return np.concatenate(scores)


def settle(
    strokes: Map, points: Floats, turns: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, unlike: Floats, poses: Floats, steps: Floats, rounds: int,
) -> tuple[Floats, Floats]:  # fmt: skip
    """See `spotlab.spotting.symbols.alignment.chamfer.settle`."""
    found = poses.copy()
    model = (strokes, points, turns, weights, blanks, shrink, unlike)
    rough = _rough(strokes, points, turns, weights, blanks, shrink, unlike)
    for level in range(rounds):
        finer = np.concatenate([steps[:5] / 2**level, steps[5:]])
        _move(model if level >= FINE else rough, found, finer)
    return found, _goodness(*model, found)


def _move(model: Model, poses: Floats, steps: Floats) -> None:
    """Let poses go up to three steps of each kind, back or forth, while that is better."""
    best = _goodness(*model, poses)
    for kind in range(KINDS):
        for direction in (-1.0, 1.0):
            going_on = np.arange(len(poses))
            for _ in range(3):
                moved = _stepped(poses[going_on], kind, direction, steps)
                scores = _goodness(*model, moved)
                better = scores > best[going_on] + SURE
                going_on = going_on[better]
                poses[going_on], best[going_on] = moved[better], scores[better]


def _stepped(poses: Floats, kind: int, direction: float, steps: Floats) -> Floats:
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
    strokes: Map, points: Floats, turns: Ints, weights: Floats, blanks: Floats,
    shrink: Floats, unlike: Floats,
) -> Model:  # fmt: skip
    """The same with fewer points and blanks."""
    some = points[:ROUGH], turns[:ROUGH], weights[:ROUGH], blanks[:ROUGH]
    return strokes, some[0], some[1], some[2], some[3], shrink, unlike


def _hopeful(
    strokes: Map, points: Floats, turns: Ints, shrink: Floats, poses: Floats
) -> NDArray[np.bool_]:
    """(N,) whether enough of the first points fit somehow."""
    count = min(FIRST, len(points))
    least = HOPEFUL * np.arange(1, count + 1) - 1.5
    found = [np.zeros(0, np.bool_)]
    for begin in range(0, len(poses), _AT_ONCE):
        some = poses[begin : begin + _AT_ONCE]
        words = _turned(strokes, points[:count], turns[:count], shrink, some)
        fitting = np.cumsum((words >> np.uint32(16)) & np.uint32(1), axis=1)
        found.append(np.all(fitting >= least, axis=1))
    return np.concatenate(found)


def _coverage(
    strokes: Map, points: Floats, turns: Ints, weights: Floats, shrink: Floats,
    unlike: Floats, poses: Floats,
) -> Floats:  # fmt: skip
    """(N,) how much of the template's strokes the page has at each pose."""
    words = _turned(strokes, points, turns, shrink, poses)
    nearness = [(words & np.uint32(1 << bit)) != 0 for bit in (0, 8, 16)]
    worth = np.select(nearness, [1.0, unlike[4], unlike[5]], 0.0)
    return np.asarray((worth * weights).sum(1) / (weights.sum() + 1e-9))


def _turned(strokes: Map, points: Floats, turns: Ints, shrink: Floats, poses: Floats) -> Map:
    """(N, P) what is kept of the places of points, shifted by their directions."""
    turned = np.floor(poses[:, 2] * 64 / np.pi + 0.5).astype(np.int64)
    sign = np.where(poses[:, 5] > 0, 1, -1)
    channel = ((sign[:, None] * turns + turned[:, None] + 4) >> 3) & 7
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


def _words(strokes: Map, x: Ints, y: Ints) -> Map:
    """What is kept of places, 0 outside of the page."""
    height, width = strokes.shape
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    words = strokes[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return np.where(inside, words, np.uint32(0))
