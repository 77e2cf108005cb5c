"""Finds what is no symbol's own ink in a window around a stroke: long lines, solid walls, spurs.

All images are small masks of the same size; ``inside`` is True inside the stroke.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.ink import Ink

_BLOCK = 12  # px of a line that are judged together
_FILLED = 0.8  # of a block's columns that a line has ink in
_UNBROKEN = 0.9  # of the blocks of a line that are filled
_BEYOND = 2  # blocks that a line goes on outside the stroke, at both ends
_TILTS = np.arange(-1.5, 1.51, 0.5)  # px by which a line climbs in a block: up to 7°
_THICKEST = 0.08  # of the stroke's short side; what is thicker is no line
_WALL = 0.25  # of the short side: lines farther apart are no wall
_HATCHED = 0.08  # of the blocks between two lines that hatching fills
_BAND = 2  # px of way that a spur is followed at a time
_WIDER = 2.2  # times the pen: where a spur becomes so wide, it has met something
_DEPTH = 0.5  # of the short side: no spur is followed farther

_NEIGHBOURS = np.ones((3, 3), np.uint8)


def find_passing_lines(ink: Ink, inside: Ink, short: float) -> Ink:
    """Find straight lines that enter a stroke and leave it again: rulings, walls, hatched ones.

    Parameters
    ----------
    ink, inside : (H, W) bool
        Ink of the window, and the stroke's inside.
    short : float
        The shorter side of the stroke in px.

    Returns
    -------
    (H, W) bool
        Ink of lines within 7° of x or y, inside the stroke and outside.

    Examples
    --------
    >>> ink = np.zeros((90, 120), bool); ink[40] = True; ink[10:80, 60] = True
    >>> inside = np.zeros_like(ink); inside[30:60, 30:90] = True
    >>> lines = find_passing_lines(ink, inside, 30)
    >>> bool(lines[40, 30:50].all()), int(lines[:39].sum())
    (True, 0)
    """
    upright = _passing(np.ascontiguousarray(ink.T), inside.T, short).T
    return _passing(ink, inside, short) | upright


def _passing(ink: Ink, inside: Ink, short: float) -> Ink:
    """Lines along x."""
    height, width = ink.shape
    lines = np.zeros((height, width), np.bool_)
    count = width // _BLOCK
    columns = np.flatnonzero(inside[:, : count * _BLOCK].any(axis=0)) // _BLOCK
    if not len(columns):
        return lines
    first = max(0, int(columns[0]) - _BEYOND)
    last = min(count, int(columns[-1]) + 1 + _BEYOND)
    count = last - first
    if count < 4:
        return lines
    thin = _thinner_than(ink, max(4, round(_THICKEST * short)))
    part = slice(first * _BLOCK, last * _BLOCK)
    blocks = _filled(ink.astype(np.uint8)[:, part], count) >= _FILLED
    blocks &= _filled(thin[:, part], count) >= _FILLED / 2  # other lines may cross it
    shares = ink[:, part].reshape(height, count, _BLOCK).mean(axis=2)
    widest = round(_WALL * short)
    on_line, in_wall = np.zeros_like(blocks), np.zeros_like(blocks)
    numbers = np.arange(count)
    for tilt in _TILTS:
        rows = np.arange(height)[:, None] + np.rint(tilt * (numbers - count / 2)).astype(int)
        on_page = (rows >= 0) & (rows < height)
        seen = blocks[np.clip(rows, 0, height - 1), numbers] & on_page
        hits = (seen.mean(axis=1) >= _UNBROKEN) & seen[:, 0] & seen[:, -1]
        found = np.flatnonzero(hits)
        hatched = _between(found, shares[np.clip(rows, 0, height - 1), numbers], widest)
        there = rows[np.concatenate([found, hatched])]
        across = np.broadcast_to(numbers, there.shape)
        valid = (there >= 0) & (there < height)
        on_line[there[valid], across[valid]] = True
        in_wall[rows[hatched].clip(0, height - 1), numbers] = True
    if on_line.any():
        lines[:, part] = np.repeat(on_line, _BLOCK, axis=1)
        walls = np.repeat(in_wall, _BLOCK, axis=1)
        lines[:, part] &= (thin[:, part] > 0) | (walls & ink[:, part])
    return lines


def _between(lines: NDArray[np.intp], shares: NDArray[np.float64], widest: int) -> NDArray[np.intp]:
    """Rows between two neighbouring lines that are hatched all along."""
    rows: list[int] = []
    before = np.concatenate([np.zeros((1, shares.shape[1])), np.cumsum(shares, axis=0)])
    for first, last in zip(lines[:-1].tolist(), lines[1:].tolist(), strict=True):
        top, bottom = first + 2, last - 1  # what is between, without the lines
        if 1 < bottom - top <= widest:
            filled = (before[bottom] - before[top]) / (bottom - top)
            if (filled >= _HATCHED).mean() >= _UNBROKEN:
                rows += range(first + 1, last)
    return np.array(rows, np.intp)


def _filled(pixels: NDArray[np.uint8], count: int) -> NDArray[np.float64]:
    """(H, count) which part of each block's columns has ink, within a px above and below."""
    near = cv2.dilate(pixels, np.ones((3, 1), np.uint8))
    return np.asarray(near.reshape(len(pixels), count, _BLOCK).mean(axis=2))


def _thinner_than(ink: Ink, thickness: int) -> NDArray[np.uint8]:
    """(H, W) 0 or 1: ink whose columns are shorter than that."""
    pixels = ink.astype(np.uint8)
    column = np.ones((thickness, 1), np.uint8)
    thick = np.asarray(cv2.morphologyEx(pixels, cv2.MORPH_OPEN, column), np.uint8)
    return np.asarray(pixels & ~thick, np.uint8)


def find_solid_walls(ink: Ink, inside: Ink, pen: float) -> Ink:
    """Find ink much thicker than the pen that continues outside the stroke.

    Parameters
    ----------
    ink, inside : (H, W) bool
        Ink of the window, and the stroke's inside.
    pen : float
        Width of the pen in px.

    Returns
    -------
    (H, W) bool

    Examples
    --------
    >>> ink = np.zeros((60, 60), bool); ink[20:34] = True; ink[40:50, 25:35] = True
    >>> inside = np.zeros_like(ink); inside[15:55, 15:45] = True
    >>> walls = find_solid_walls(ink, inside, 3)
    >>> bool(walls[27, 30]), bool(walls[45, 30])
    (True, False)
    """
    radius = 1.2 * pen + 1
    core = distance_inside(ink) > radius
    count, labels = cv2.connectedComponents(core.astype(np.uint8), connectivity=8)
    leaves = np.zeros(count, np.bool_)
    leaves[np.intersect1d(labels[~inside], labels[inside])] = True
    leaves[0] = False
    if not leaves.any():
        return np.zeros_like(ink)
    return ink & (distance_to(leaves[labels]) <= radius + 0.5)


def prune_spurs(ink: Ink, inside: Ink, pen: float, short: float) -> Ink:
    """Remove lines that cross the stroke, up to where they meet something.

    Each is followed inwards from the stroke by its way through the ink. It ends where the front
    splits or becomes wider than a line. A line that only passes is removed altogether.

    Parameters
    ----------
    ink, inside : (H, W) bool
        Ink of the window, and the stroke's inside.
    pen, short : float
        Width of the pen, and the shorter side of the stroke, in px.

    Returns
    -------
    (H, W) bool
        The ink inside that remains.

    Examples
    --------
    >>> ink = np.zeros((40, 60), bool); ink[10:30, 20:40] = True; ink[20, 40:] = True
    >>> inside = np.zeros_like(ink); inside[5:35, 10:55] = True
    >>> kept = prune_spurs(ink, inside, 1, 30)
    >>> bool(kept[20, 37]), bool(kept[20, 45])
    (True, False)
    """
    kept = ink & inside
    outside = cv2.dilate((ink & ~inside).astype(np.uint8), _NEIGHBOURS) > 0
    way = _ways(kept, kept & outside, round(_DEPTH * short))
    bands = np.where(way >= 0, way // _BAND, -1)
    nodes, count = _nodes(bands)
    level = np.zeros(count + 1, np.int64)
    level[nodes.ravel()] = bands.ravel()
    width = np.bincount(nodes.ravel(), minlength=count + 1) / _BAND
    following, before = _graph(nodes, level)
    spurs = np.zeros(count + 1, np.bool_)
    for start in np.flatnonzero(level[1:] == 0) + 1:
        for node in _follow(int(start), width, pen, following, before):
            spurs[node] = True
    return kept & ~spurs[nodes]


def _follow(
    start: int,
    width: NDArray[np.float64],
    pen: float,
    following: dict[int, list[int]],
    before: dict[int, list[int]],
) -> list[int]:
    """The nodes of one spur."""
    if width[start] > 3.5 * pen + 2:
        return []
    widest = max(_WIDER * pen, 1.6 * width[start] + 1)
    spur, node = [start], start
    while len(following.get(node, ())) == 1:
        (node,) = following[node]
        if width[node] > widest or len(before[node]) > 1:
            break
        spur.append(node)
    return spur


def _ways(ink: Ink, start: Ink, depth: int) -> NDArray[np.int32]:
    """(H, W) px of way through the ink from the start; -1 where it does not lead within depth."""
    way = np.full(ink.shape, -1, np.int32)
    way[start] = 0
    free = (ink & ~start).astype(np.uint8)
    front = start.astype(np.uint8)
    for step in range(1, depth + 1):
        front = np.asarray(cv2.dilate(front, _NEIGHBOURS), np.uint8) & free
        if not front.any():
            break
        way[front > 0] = step
        free &= ~front
    return way


def _nodes(bands: NDArray[np.int32]) -> tuple[NDArray[np.int32], int]:
    """Number the connected pieces of each band from 1."""
    nodes = np.zeros(bands.shape, np.int32)
    total = 0
    for parity in (0, 1):  # pieces of the same parity never touch, but where they are one
        count, labels = cv2.connectedComponents(
            ((bands >= 0) & (bands % 2 == parity)).astype(np.uint8), connectivity=8
        )
        nodes[labels > 0] = labels[labels > 0] + total
        total += count - 1
    return nodes, total


def _graph(
    nodes: NDArray[np.int32], level: NDArray[np.int64]
) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """The nodes of the next band that each touches, and those of the band before."""
    height, width = nodes.shape
    pairs = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        one = nodes[: height - down, max(0, -right) : width - max(0, right)]
        other = nodes[down:, max(0, right) : width - max(0, -right)]
        touching = (one > 0) & (other > 0) & (one != other)
        pairs.append(np.column_stack([one[touching], other[touching]]))
    links = np.unique(np.concatenate(pairs).astype(np.int64), axis=0)
    following: dict[int, list[int]] = {}
    before: dict[int, list[int]] = {}
    for one_node, other_node in {
        (low, high) if level[low] < level[high] else (high, low) for low, high in links.tolist()
    }:
        if level[other_node] == level[one_node] + 1:
            following.setdefault(one_node, []).append(other_node)
            before.setdefault(other_node, []).append(one_node)
    return following, before


def distance_inside(mask: Ink) -> NDArray[np.float32]:
    """Measure px from each pixel of a mask to the nearest pixel outside, which the border is not.

    Parameters
    ----------
    mask : (H, W) bool
        Any image.

    Returns
    -------
    (H, W) float32
        0 outside the mask; infinite where the mask fills the image.

    Examples
    --------
    >>> float(distance_inside(np.ones((1, 3), bool)).min())
    inf
    """
    if mask.all():
        return np.full(mask.shape, np.inf, np.float32)
    distances = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 3)
    return np.asarray(distances, np.float32)


def distance_to(mask: Ink) -> NDArray[np.float32]:
    """Measure px from each pixel to the nearest one of a mask.

    Parameters
    ----------
    mask : (H, W) bool
        Any image.

    Returns
    -------
    (H, W) float32
        Infinite where the mask is empty.

    Examples
    --------
    >>> distance_to(np.array([[True, False, False]])).round().tolist()
    [[0.0, 1.0, 2.0]]
    """
    return distance_inside(~mask)
