"""Measures the width of the pen from the long thin strokes of a drawing, whatever is written on it.

A stroke that runs from left to right crosses each column in one run of ink. Such runs, chained from
column to column as long as the stroke does not fork, are the line adjacency graph of Pavlidis. Each
chain has a length, a slope and a width across it. Strokes that run from top to bottom are chains
of runs along rows.

References
----------
T. Pavlidis, "A vectorizer and feature extractor for document recognition", Computer Vision,
Graphics, and Image Processing 35(1), 1986.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.imaging.reading.conversion import row_bands
from spotlab.imaging.runs import Runs, concatenate_runs, runs_from_mask
from spotlab.libraries import csgraph, sparse

Ink = NDArray[np.bool_]

THIN = 12.0  # a stroke is at least so many times as long as it is wide
LETTER = 40.0  # px: strokes of letters are shorter; on small images an eighth of the longer side
ENOUGH = 0.25  # of the longer side: what all strokes together are long, or they say nothing
COMMON = 0.1  # of the length of all strokes: a line that has so much is not rare
STEEPEST = 1.05  # px down per px across; steeper strokes are chains of the other direction
GROWTH = 2  # a run is at most so many times as long as the one before, and 1 px longer


@dataclass(frozen=True, eq=False)
class ThinStrokes:
    """The strokes of a drawing that do not fork.

    Attributes
    ----------
    lengths, widths : (N,) float
        Along and across each stroke, in px.
    """

    lengths: Floats
    widths: Floats


def pen_width(ink: Ink) -> float:
    """Measure the width of a usual line from long thin strokes, so that lettering has no say.

    Half of the length of all strokes that are longer than those of letters is at most so wide.
    Where there are hardly any such strokes, it is the median length of all runs of ink, across and
    down.

    Parameters
    ----------
    ink : (H, W) bool

    Returns
    -------
    float
        In steps of half a px, at least 1; 1 where there is no ink.

    References
    ----------
    Pavlidis (1986).

    Examples
    --------
    >>> ink = np.zeros((40, 80), bool)
    >>> ink[10:13, 5:75] = True
    >>> ink[20:35:6, 10:20] = True  # no line is as short as this
    >>> pen_width(ink)
    3.0
    """
    return _line_width(ink, 0.5)


def thinnest_line(ink: Ink) -> float:
    """Measure the width of the thinnest line that a drawing has often, beside thicker ones.

    A tenth of the length of all long thin strokes is at most so wide. Otherwise as `pen_width`.

    Parameters
    ----------
    ink : (H, W) bool

    Returns
    -------
    float
        In steps of half a px, at least 1; 1 where there is no ink.

    Examples
    --------
    >>> ink = np.zeros((40, 80), bool)
    >>> ink[10:13, 5:75] = ink[20:23, 5:75] = ink[30, 5:75] = True
    >>> pen_width(ink), thinnest_line(ink)
    (3.0, 1.0)
    """
    return _line_width(ink, COMMON)


def _line_width(ink: Ink, share: float) -> float:
    """The width that this share of the length of long thin strokes has at most."""
    side = max(ink.shape)
    runs = [_runs(image) for image in (ink, np.ascontiguousarray(ink.T))]
    parts = [_thin_strokes(part) for part in runs]
    lengths = np.concatenate([part.lengths for part in parts])
    widths = np.concatenate([part.widths for part in parts])
    is_long = lengths >= np.maximum(THIN * widths, min(LETTER, side / 8))
    lengths, widths = lengths[is_long], widths[is_long]
    if not len(lengths) or lengths.sum() < ENOUGH * side:
        share = 0.5
        widths = np.concatenate([part.stops - part.starts for part in runs]).astype(np.float64)
        lengths = np.ones(len(widths))
    return max(round(2 * _quantile(widths, lengths, share)) / 2, 1.0) if len(widths) else 1.0


def _runs(ink: Ink) -> Runs:
    """The runs of all rows, in bands: a large page takes much memory at once."""
    height, width = ink.shape
    return concatenate_runs(
        [runs_from_mask(ink[top:bottom], top) for top, bottom in row_bands(width, height)]
    )


def _thin_strokes(runs: Runs) -> ThinStrokes:
    """The strokes across rows: chains in which each run has one before and one after it."""
    rows, starts, stops = (each.astype(np.int64) for each in (runs.rows, runs.starts, runs.stops))
    if not len(rows):
        return ThinStrokes(np.zeros(0), np.zeros(0))
    before, after = _chain_links(rows, starts, stops)
    thick = stops - starts
    alike = (thick[before] <= GROWTH * thick[after] + 1) & (
        thick[after] <= GROWTH * thick[before] + 1
    )
    before, after = before[alike], after[alike]
    graph = sparse.coo_array(
        (np.ones(len(before), np.int8), (before, after)), shape=(len(rows), len(rows))
    )
    count, stroke = csgraph.connected_components(graph, directed=False)
    steps = np.bincount(stroke, minlength=count)
    mean = np.bincount(stroke, thick, minlength=count) / steps
    first, last = _ends(stroke, before, after, count)
    middles = (starts + stops) / 2
    slope = (middles[last] - middles[first]) / np.maximum(steps - 1, 1)
    slant = np.hypot(1, slope)
    flat = np.abs(slope) <= STEEPEST
    lengths = np.asarray(steps * slant, np.float64)
    return ThinStrokes(lengths[flat], (mean / slant)[flat])


def _chain_links(rows: Ints, starts: Ints, stops: Ints) -> tuple[Ints, Ints]:
    """Pairs of runs in neighbouring rows that touch each other and no other run there."""
    width = int(stops.max()) + 2
    firsts, lasts = rows * width + starts, rows * width + stops
    links = []
    for step in (1, -1):
        near = (rows + step) * width
        low = np.searchsorted(lasts, near + starts, "left")
        links.append((low, np.searchsorted(firsts, near + stops, "right") - low == 1))
    (below, has_one_below), (_, has_one_above) = links
    before = np.flatnonzero(has_one_below)
    before = before[has_one_above[below[before]]]
    return before, below[before]


def _ends(stroke: Ints, before: Ints, after: Ints, count: int) -> tuple[Ints, Ints]:
    """The first and the last run of each chain."""
    ends = []
    for linked in (after, before):
        is_end = np.ones(len(stroke), np.bool_)
        is_end[linked] = False
        end = np.zeros(count, np.int64)
        end[stroke[is_end]] = np.flatnonzero(is_end)
        ends.append(end)
    return ends[0], ends[1]


def _quantile(values: Floats, weights: Floats, share: float) -> float:
    """The smallest value that this share of the weight does not exceed."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(below, share * below[-1])])
