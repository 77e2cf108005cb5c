"""Characters that a network recognises along whole lines, window by window.

Words that are boxed one by one are seen once; the line is a second opinion, in which letters of
neighbours stand where they are written. It is read in windows that overlap by half. Of two windows
the line takes over from one to the other where both see no character.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Boxes, Floats, Ints
from spotlab.geometry.compiled.machine_code import is_installed
from spotlab.representation import short_repr
from spotlab.spotting.words.embedding.characters import NEVER, leaps_of, log_of_steps
from spotlab.spotting.words.embedding.machine_code import CHARACTERS
from spotlab.spotting.words.embedding.network import (
    HEIGHT,
    WIDTH,
    Grey,
    WordNetwork,
    fit_window,
)

# all in heights of small letters; chosen on five pages of letters, 270 to 274 of George
# Washington's
_ABOVE, _BELOW = 2.2, 2.0  # the middle of small letters
_WIDE, _STEP = 12.0, 6.0  # of a window, and from one to the next
_BESIDE = 0.5  # of paper beside the line
_OF_PITCH = 1.25  # from line to line, that a window is high at most
_SEAM = 0.33  # of what two windows share, at its ends, in which no seam is
_MOST = 400  # places along a word
_NEAR = 0.35  # of a box's height, from its middle to that of its line, at most


@dataclass(frozen=True, eq=False)
class LineCharacters:
    """Characters along the lines of a page, and where on them words are.

    Attributes
    ----------
    characters : (P, 1 + C) uint8
        Line after line, as of `spotlab.spotting.words.embedding.characters.stored_characters`.
    points : (P, 4) float32
        Where each place is, as of `spotlab.spotting.words.extraction.page_words.PageWords.lines`:
        number of the line, x and y of the middle of its small letters, and their height, in px.
    span : (N, 2) int64
        The first place of each word's box and the one behind its last; twice the same where it is
        on no line.
    """

    characters: NDArray[np.uint8]
    points: NDArray[np.float32]
    span: Ints

    __repr__ = short_repr


def describe_lines(network: WordNetwork, grey: Grey, lines: Floats, boxes: Boxes) -> LineCharacters:
    """Recognise the characters along the lines of a page.

    Parameters
    ----------
    network : WordNetwork
    grey : (H, W) uint8
        The page.
    lines : (M, 4) float
        As of `spotlab.spotting.words.extraction.page_words.PageWords`.
    boxes : (N, 4) float
        left, top, right, bottom in px of words.
    """
    letters = 1 + len(network.alphabet)
    pictures, places = [], []
    numbers = np.unique(lines[:, 0])
    most = _OF_PITCH * _pitch([lines[lines[:, 0] == number] for number in numbers.tolist()])
    for number in numbers.tolist():
        line = lines[lines[:, 0] == number]
        for left, right, middle, height in _windows(line):
            part = min(most / ((_ABOVE + _BELOW) * height), 1) * height
            box = (left, middle - _ABOVE * part, right, middle + _BELOW * part)
            picture, x = fit_window(grey, box, network.sizes[1])
            pictures.append(picture)
            places.append((number, x))
    seen = np.array(pictures) if pictures else np.zeros((0, HEIGHT, WIDTH), np.uint8)
    rows = network.describe_pictures(seen).characters
    of_lines = []
    for number in numbers.tolist():
        own = [(x, row) for (line, x), row in zip(places, rows, strict=True) if line == number]
        of_lines.append(_joined(own))
    x = np.concatenate([np.zeros(0), *(each for each, _ in of_lines)])
    points = [np.zeros((0, 4)), *(_points(lines, number, each) for number, (each, _) in zip(
        numbers.tolist(), of_lines, strict=True))]  # fmt: skip
    characters = np.concatenate([np.zeros((0, letters), np.uint8), *(each for _, each in of_lines)])
    starts = np.cumsum([0, *(len(each) for each, _ in of_lines)])
    along = np.concatenate(points).astype(np.float32)
    return LineCharacters(characters, along, _spans(lines, numbers, x, starts, boxes))


def _points(lines: Floats, number: float, x: Floats) -> Floats:
    """(P, 4) places on a line, as of `LineCharacters`."""
    line = lines[lines[:, 0] == number]
    middle = np.interp(x, line[:, 1], line[:, 2])
    whole = np.full(len(x), number), x, middle, np.full(len(x), line[0, 3])
    return np.stack(whole, axis=1)


def _pitch(lines: list[Floats]) -> float:
    """px from a line to the nearest one, mostly; infinite for a single line."""
    spans = [(line[0, 1], line[-1, 1], float(line[:, 2].mean())) for line in lines]
    nearest = [
        min(
            (abs(y - there) for start, stop, there in spans
             if there != y and start < right and left < stop),
            default=np.inf,
        )
        for left, right, y in spans
    ]  # fmt: skip
    known = [apart for apart in nearest if np.isfinite(apart)]
    return float(np.median(known)) if known else np.inf


def _windows(line: Floats) -> list[tuple[float, float, float, float]]:
    """left, right, the middle of small letters, and their height in px."""
    height = float(line[0, 3])
    start, end = float(line[0, 1]), float(line[-1, 1])
    last = max(start, end - _WIDE * height)
    lefts = [*np.arange(start, last, _STEP * height).tolist(), last]
    windows = []
    for left in lefts:
        right = min(left + _WIDE * height, end)
        inside = (line[:, 1] >= left) & (line[:, 1] <= right)
        middle = float(line[inside, 2].mean()) if inside.any() else float(line[0, 2])
        windows.append((left - _BESIDE * height, right + _BESIDE * height, middle, height))
    return windows


def _joined(
    windows: list[tuple[Floats, NDArray[np.uint8]]],
) -> tuple[Floats, NDArray[np.uint8]]:
    """The places of windows and what is there, each part of the line once."""
    columns, rows = [], []
    begin = -math.inf
    for number, (x, own) in enumerate(windows):
        end = math.inf
        if number + 1 < len(windows):
            after, others = windows[number + 1]
            shared = float(x[-1] - after[0])
            low, high = after[0] + _SEAM * shared, x[-1] - _SEAM * shared
            able = np.flatnonzero((x >= low) & (x <= high))
            end = float((low + high) / 2)
            if len(able):
                blank = own[able, 0] + np.interp(x[able], after, others[:, 0].astype(np.float64))
                end = float(x[able[blank.argmin()]])
        kept = (x > begin) & (x <= end)
        columns.append(x[kept])
        rows.append(own[kept])
        begin = end
    return np.concatenate(columns), np.concatenate(rows)


def _spans(lines: Floats, numbers: Floats, x: Floats, starts: Ints, boxes: Boxes) -> Ints:
    """(N, 2) the places of each box on the line that it lies on; of several the nearest."""
    span = np.zeros((len(boxes), 2), np.int64)
    best = np.full(len(boxes), np.inf)
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    high = boxes[:, 3] - boxes[:, 1]
    for number, start, stop in zip(numbers.tolist(), starts[:-1], starts[1:], strict=True):
        line = lines[lines[:, 0] == number]
        along = (middle[:, 0] >= line[0, 1]) & (middle[:, 0] <= line[-1, 1])
        away = np.abs(np.interp(middle[:, 0], line[:, 1], line[:, 2]) - middle[:, 1])
        first, last = np.searchsorted(x[start:stop], boxes[:, [0, 2]].T)
        is_best = along & (away < _NEAR * high) & (away < best) & (last - first >= 2)
        is_best &= last - first <= _MOST
        best[is_best] = away[is_best]
        span[is_best] = start + np.stack([first, last], axis=1)[is_best]
    return span


# log-odds that a gap between two characters is a space: constant; per height of small letters that
# it is wide, and for the share of boxes there that reach over it; by the words of five pages of
# letters, 270 to 274 of George Washington's
_SPACE = np.array([-0.4, 0.82, -11.0])


@dataclass(frozen=True, eq=False)
class Spaces:
    """How unlikely spaces between words are along lines, in nats.

    Attributes
    ----------
    before, behind : (P,) float
        That there is a space before the character at a place, or behind it; where there is none,
        in this gap.
    over : (P,) float
        That there is no space at a place.
    """

    before: Floats
    behind: Floats
    over: Floats

    __repr__ = short_repr


def find_spaces(characters: NDArray[np.uint8], points: NDArray[np.float32], span: Ints) -> Spaces:
    """Tell spaces from gaps inside of words, by how wide they are and how boxes were cut.

    Parameters
    ----------
    characters : (P, 1 + C) uint8
    points : (P, 4) float32
    span : (N, 2) int
        As of `LineCharacters`.

    Examples
    --------
    Two characters close to each other, and a third one:

    >>> rows = np.array([[9, 0], [0, 9], [9, 0], [0, 9], [0, 9], [0, 9], [9, 0]], np.uint8)
    >>> x = np.array([0, 1, 2, 3, 5, 7, 8]) * 5
    >>> points = np.stack([np.zeros(7), x, np.zeros(7), np.full(7, 5)], axis=1).astype(np.float32)
    >>> found = find_spaces(rows, points, np.array([[0, 3], [5, 7]]))
    >>> (found.behind[[0, 2, 6]] < 0.7).tolist()
    [False, True, True]
    """
    count, read = len(characters), characters.argmin(axis=1)
    is_new = np.ones(count, np.bool_)
    is_new[1:] = (read[1:] != read[:-1]) | (points[1:, 0] != points[:-1, 0])
    begin = np.flatnonzero(is_new)
    end = np.append(begin[1:], count) - 1
    begin, end = begin[read[begin] > 0], end[read[begin] > 0]
    odds = np.full(len(begin) + 1, np.inf)  # lines end with a space
    inner = np.flatnonzero(points[end[:-1], 0] == points[begin[1:], 0])
    last, after = end[inner], begin[inner + 1]
    wide = (points[after, 1] - points[last, 1]) / points[last, 3]
    on_line = span[span[:, 1] > span[:, 0]]
    starts, stops = (np.cumsum(np.bincount(each, minlength=count + 1)) for each in on_line.T)
    across = np.maximum(starts[last] - stops[after], 0)
    cut = starts[after] - starts[last] + stops[after] - stops[last]
    odds[inner + 1] = _SPACE @ np.stack([np.ones(len(inner)), wide, across / (1 + across + cut)])
    begun = np.searchsorted(begin, np.arange(count), side="right")
    is_read = read > 0
    over = np.zeros(count)
    over[(last + after) // 2] = np.logaddexp(0, odds[inner + 1])
    return Spaces(np.logaddexp(0, -odds[begun - is_read]), np.logaddexp(0, -odds[begun]), over)


def span_log_likelihoods(
    characters: NDArray[np.uint8],
    spans: Ints,
    path: Ints,
    places: int,
    over: Floats | None = None,
) -> Floats:
    """Compute how likely a text is what stands along parts of lines.

    Parameters
    ----------
    characters : (P, 1 + C) uint8
        As of `LineCharacters`.
    spans : (K, 2) int
        First places, and the ones behind the last; with two places or more.
    path : (S,) int
        As of `spotlab.spotting.words.embedding.characters.text_path`.
    places : int
        Along a word of the network, which says what bytes stand for.
    over : (P,) float, optional
        How unlikely any characters are at each place, in nats; 0 by default: what stands there
        counts neither for the text nor against it.

    Returns
    -------
    (K,) float
        Natural logarithms of probabilities; `NEVER` where a text is too long to be read.

    Examples
    --------
    Of no character, a and b, at forty places a and at forty more b is likely:

    >>> from spotlab.spotting.words.embedding import characters
    >>> row = np.log([[[0.1, 0.8, 0.1]] * 40 + [[0.1, 0.1, 0.8]] * 40])
    >>> path = characters.text_path("a", characters.Alphabet("ab"))
    >>> rows, spans = characters.stored_characters(row)[0], np.array([[0, 40], [40, 80]])
    >>> (span_log_likelihoods(rows, spans, path, 80) / 10).round().tolist()
    [-1.0, -9.0]
    """
    probability = np.exp(log_of_steps(places))
    inside = np.ones(len(characters)) if over is None else np.exp(-over)
    if CHARACTERS.is_stored() or (is_installed() and CHARACTERS.compile_ahead()):
        from spotlab.spotting.words.embedding import character_kernels as kernels  # noqa: PLC0415

        found = kernels.span_log_likelihoods(characters, probability, inside, spans, path)
    else:
        found = reference_span_log_likelihoods(characters, probability, inside, spans, path)
    return np.maximum(found, NEVER)


def reference_span_log_likelihoods(
    characters: NDArray[np.uint8], probability: Floats, inside: Floats, spans: Ints, path: Ints
) -> Floats:
    """`span_log_likelihoods` by numpy, where numba is missing.

    Parameters
    ----------
    characters : (P, 1 + C) uint8
    probability : (256,) float
        Of each byte.
    inside : (P,) float
        Of any characters at each place.
    spans : (K, 2) int
    path : (S,) int

    Returns
    -------
    (K,) float
        -inf where a text is too long to be read.

    Examples
    --------
    >>> rows = np.zeros((3, 2), np.uint8)
    >>> reference_span_log_likelihoods(
    ...     rows, np.ones(256), np.ones(3), np.array([[0, 3]]), np.array([0, 1, 0])).round(2)
    array([1.79])
    """
    leaps, is_any = leaps_of(path), path < 0
    opening, closing = (slice(2 if path[0] <= 0 else 1), slice(-2 if path[-1] <= 0 else -1, None))
    result = np.full(len(spans), -np.inf)
    length = spans[:, 1] - spans[:, 0]
    for size in np.unique(length).tolist():
        rows = np.flatnonzero(length == size)
        logs = np.zeros(len(rows))
        sums = np.zeros((len(path), len(rows)))
        for place in range(size):
            at = spans[rows, 0] + place
            arrived = sums.copy()
            arrived[1:] += sums[:-1]
            arrived[leaps] += sums[leaps - 2]
            if not place:
                arrived[opening] = 1
            likely = probability[characters[at][:, path]].T
            likely[is_any] = inside[at]
            sums = arrived * likely
            most = np.maximum(sums.max(axis=0), 1e-300)
            sums, logs = sums / most, logs + np.log(most)
        with np.errstate(divide="ignore"):
            result[rows] = np.log(sums[closing].sum(axis=0)) + logs
    return result
