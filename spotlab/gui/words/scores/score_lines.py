"""Ranked lists as lines of score over rank, and where on them something is known to be right."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.gui.kit.plots.polylines import Polylines
from spotlab.model.ranked_list import RankedList

APART = 15.0  # px between two marks on a line
CELLS = 1 << 32  # more than a column has, zoomed in as far as it goes
SHOWN, FEWEST = 3, 40  # ranks shown: so many times those that are kept, and at least
FLAT = 1e-9  # a span of scores below this is none


def score_line(ranked: RankedList) -> Polylines:
    """The list's line: ranks from 1, their scores, and as ``spot`` the items.

    Infinite scores are left out: they have no place on an axis.

    Examples
    --------
    >>> line = score_line(RankedList("WS", np.array([7, 3]), np.array([0.9, 0.5])))
    >>> line.x.tolist(), line.y.tolist(), line.spot.tolist()
    ([1.0, 2.0], [0.9, 0.5], [7, 3])
    """
    known = np.isfinite(ranked.score)
    rank = np.flatnonzero(known).astype(np.float64) + 1.0
    score = ranked.score[known]
    starts = np.array([0, len(rank)]) if len(rank) else np.zeros(1, np.int64)
    return Polylines(rank, score, ranked.item[known], starts)


def score_extent(lists: Sequence[RankedList], also: Sequence[float]) -> tuple[int, float, float]:
    """The longest list's length, the lowest and the highest score, rounded to tenths of the span.

    Parameters
    ----------
    lists : sequence of RankedList
        Whose scores are on the same scale.
    also : sequence of float
        Scores that shall be in sight, too, such as a threshold.

    Examples
    --------
    >>> score_extent([RankedList("WS", np.array([7, 3]), np.array([0.93, 0.52]))], [0.7])
    (2, 0.5, 0.95)
    >>> score_extent([], [])
    (1, 0.0, 1.0)
    """
    ends = [np.asarray(also, np.float64), *(each.score for each in lists)]
    scores = np.concatenate([end[np.isfinite(end)] for end in ends])
    longest = max((len(each) for each in lists), default=0) or 1
    if not len(scores):
        return longest, 0.0, 1.0
    low, high = float(scores.min()), float(scores.max())
    if high - low < FLAT:
        return longest, low - 0.5, high + 0.5
    step = 10.0 ** math.floor(math.log10((high - low) / 2)) / 2
    low, high = math.floor(low / step + FLAT) * step, math.ceil(high / step - FLAT) * step
    return longest, round(low, 9), round(high, 9)


def score_focus(lists: Sequence[RankedList], threshold: float) -> tuple[int, float] | None:
    """The last rank and the lowest score that are worth looking at; None: all of them.

    Lists may go on for thousands of words that nobody will keep: three times as many ranks as the
    threshold leaves are shown, and 40 at least.

    Examples
    --------
    >>> ranked = RankedList("WS", np.arange(1000), np.linspace(1, 0, 1000))
    >>> rank, lowest = score_focus([ranked], 0.9)
    >>> rank, round(lowest, 3)
    (300, 0.7)
    >>> score_focus([ranked], 0.1) is None
    True
    """
    kept = [int(np.searchsorted(-each.score, -threshold, side="right")) for each in lists]
    last = max(SHOWN * max(kept, default=0), FEWEST)
    if last >= max((len(each) for each in lists), default=0):
        return None
    ends = [each.score[:last][np.isfinite(each.score[:last])] for each in lists]
    lowest = min([threshold, *(float(end[-1]) for end in ends if len(end))])
    return last, math.floor(lowest / 0.05 + FLAT) * 0.05 if abs(lowest) < 10 else lowest


def sparse(
    lines: Sequence[tuple[Polylines, NDArray[np.bool_]]], pixel: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Few of the wanted points, none on another: the first of each cell of `APART` pixels.

    Parameters
    ----------
    lines : sequence of (Polylines, (M,) bool)
        Lines, and which of their points are wanted.
    pixel : (width, height)
        How much of each axis a pixel spans.

    Returns
    -------
    x, y : (K,) float

    Examples
    --------
    >>> line = score_line(RankedList("WS", np.arange(4), np.array([0.9, 0.9, 0.9, 0.1])))
    >>> wanted = np.array([True, True, False, True])
    >>> sparse([(line, wanted), (line, wanted)], (1.0, 0.01))[1].tolist()
    [0.9, 0.1]
    """
    x = np.concatenate([*(line.x[wanted] for line, wanted in lines), []])
    y = np.concatenate([*(line.y[wanted] for line, wanted in lines), []])
    column, row = (np.floor(each / (size * APART)).astype(np.int64)
                   for each, size in ((x, pixel[0]), (y, pixel[1])))  # fmt: skip
    first = np.unique(column * CELLS + row, return_index=True)[1]
    first.sort()
    return x[first], y[first]
