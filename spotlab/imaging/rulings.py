"""Removes the lines of ruled and squared paper from ink, and leaves what crosses them whole."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Ints
from spotlab.extras import cv2
from spotlab.imaging.ruled_lines import RuledLines, find_ruled_lines
from spotlab.progress import Progress, silent

Mask = NDArray[np.bool_]

ROUGH = 1.0  # px by which a line's ink may be thicker, and farther from its middle, than usual
SHALLOWEST = 12.0  # degrees at which a stroke crosses a line and is still mended
SLANTED = 0.5  # sine of the angle up to which a stroke has to be thin
STEPS = 13  # directions in which strokes are followed across a line, 13 degrees apart


def remove_rulings(ink: Mask, progress: Progress = silent) -> Mask:
    """Remove the lines of ruled or squared paper.

    Parameters
    ----------
    ink : (H, W) bool
        A page. Lines may be as dark as the pen, bent, broken, and tilted by up to 6 degrees.
    progress : Progress

    Returns
    -------
    (H, W) bool
        The same ink where the paper has no lines. A stroke that lies on a line is kept only where
        it is thicker than the line.

    Examples
    --------
    >>> ink = np.zeros((200, 300), bool)
    >>> ink[10:200:20] = True
    >>> ink[:, 150:153] = True
    >>> left = remove_rulings(ink)
    >>> int(left.sum()), bool(left[:, 150:153].all())
    (600, True)
    """
    progress(0, 3, "removing rulings")
    turned = np.ascontiguousarray(ink.T)
    level, upright = find_ruled_lines(ink), find_ruled_lines(turned)
    if level is None and upright is None:
        return ink
    progress(1, 3, "removing rulings")
    first = _on_lines(ink, level)
    second = _on_lines(np.ascontiguousarray((ink & ~first).T), upright)
    progress(2, 3, "removing rulings")
    kept = ink & ~first & ~second.T
    turned = np.ascontiguousarray(kept.T)
    removed = ink & ~kept
    kept |= _crossings(kept, level, removed)
    kept |= _crossings(turned, upright, np.ascontiguousarray(removed.T)).T
    return kept


def _on_lines(ink: Mask, lines: RuledLines | None) -> Mask:
    """The ink of some lines: upright runs at their places that are no thicker than they are."""
    if lines is None:
        return np.zeros(ink.shape, np.bool_)
    limit = int(lines.thickness + ROUGH)
    full = ink.view(np.uint8)
    thick = cv2.morphologyEx(full, cv2.MORPH_OPEN, np.ones((limit + 1, 1), np.uint8))
    reach = int(np.ceil(lines.thickness / 2 + ROUGH))
    near = np.zeros(ink.shape, np.bool_)
    line, column = np.nonzero(np.isfinite(lines.places))
    row = np.floor(lines.places[line, column]).astype(np.int64)
    for step in range(-reach, reach + 1):
        there = row + step
        inside = (there >= 0) & (there < len(ink))
        near[there[inside], column[inside]] = True
    return np.asarray(ink & near & (thick == 0))


def _crossings(kept: Mask, lines: RuledLines | None, removed: Mask) -> Mask:
    """The removed ink that lies between two parts of a stroke, on both sides of a level line.

    Both parts go on in the direction in which they meet the line, for as long as it is thick. At a
    small angle they are thin across that direction: walls and letters beside a line are not.
    """
    restored = np.zeros(kept.shape, np.bool_)
    if lines is None:
        return restored
    across, tail = lines.thickness + ROUGH, int(lines.thickness)
    longest = int(np.ceil(across / np.sin(np.radians(SHALLOWEST)))) + 1
    square = np.ones((2 * longest + 1, 2 * longest + 1), np.uint8)
    near = cv2.dilate(kept.view(np.uint8), square) > 0
    row, column = np.nonzero(removed & near)
    aside = 2.0 * lines.thickness + ROUGH
    border = longest + tail + int(aside) + 2
    padded = np.pad(kept, border)
    width = padded.shape[1]
    flat, places = padded.ravel(), (row + border) * width + column + border
    ways = np.linspace(SHALLOWEST, 180 - SHALLOWEST, STEPS)
    reaches = [int(np.ceil(across / np.sin(np.radians(way)))) + 1 for way in ways]
    ends = []
    for sign in (1, -1):
        for way, reach in zip(np.radians(ways), reaches, strict=True):
            numbers = np.arange(1, reach + tail + 1)
            offsets = np.rint(numbers * np.sin(way)) * width + np.rint(numbers * np.cos(way))
            beside = 0
            if np.sin(way) < SLANTED:
                beside = round(aside * np.cos(way)) * width - round(aside * np.sin(way))
            steps = sign * offsets.astype(np.int64)
            ends.append(_reached(flat, places, steps, reach, tail, beside))
    down, up = ends[:STEPS], ends[STEPS:]
    for number, reach in enumerate(reaches):
        bent = np.minimum.reduce(up[max(number - 1, 0) : number + 2])  # strokes may be round
        between = down[number] + bent <= reach + 1
        restored[row[between], column[between]] = True
    return restored


def _reached(flat: Mask, places: Ints, steps: Ints, reach: int, tail: int, beside: int) -> Ints:
    """In how many steps each place comes to ink that goes on, or more than the reach.

    Ink ``beside`` its steps on both sides, unless that is 0, means that it is no stroke.
    """
    inked = np.array([flat[places + step] for step in steps])
    if beside:
        for step, ink in zip(steps, inked, strict=True):
            thin = np.flatnonzero(ink)
            at = places[thin] + step
            ink[thin] = ~(flat[at + beside] & flat[at - beside])
    runs = np.array([inked[start : start + tail].all(axis=0) for start in range(reach)])
    steps_taken = runs.argmax(axis=0) + 1
    return np.where(runs.any(axis=0), steps_taken, 999).astype(np.int16)
