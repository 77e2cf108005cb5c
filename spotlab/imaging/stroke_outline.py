"""From a finished stroke to the outline that is drawn, without the ink that it hangs on."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints, Points
from spotlab.extras import csgraph, sparse
from spotlab.geometry import polygon
from spotlab.imaging.outlines import Runs, concatenate_runs, runs_from_mask
from spotlab.imaging.page_ink import InkSelection, PageInk
from spotlab.imaging.reading.pyramid import row_bands
from spotlab.imaging.stroke_window import open_window, paint_runs, select_runs
from spotlab.model import Primitive

_HELD = 0.9  # of a region's hull at least, and the inverse at most, is that of ink that it holds


class InkCut(StrEnum):
    """Treatment of ink that continues outside a stroke."""

    PROPOSED = "proposed"  # cut off where it hangs on something larger
    STROKE = "stroke"  # cut at the stroke
    NONE = "none"  # whole components, or nothing of them


@dataclass(frozen=True, eq=False)
class StrokeInk:
    """Ink selected by a stroke.

    Attributes
    ----------
    taken : InkSelection
        False where the stroke encloses no ink.
    left : Runs
        Ink near the stroke that was cut off; empty if nothing was cut.
    places : (K, 2) float
        Where it was cut, in px.
    """

    taken: InkSelection
    left: Runs
    places: Points

    @property
    def is_cut(self) -> bool:
        """Tell whether the ink taken continues in ink that was left."""
        return len(self.left) > 0


def take_ink(
    ink: PageInk, stroke: ArrayLike, share: float = 0.5, cut: InkCut = InkCut.PROPOSED
) -> StrokeInk:
    """Take the ink that a stroke is drawn around, cut off what it hangs on.

    Parameters
    ----------
    ink : PageInk
        Of the page.
    stroke : (N, 2) array_like
        x, y in px; closed automatically.
    share : float
        See `spotlab.imaging.page_ink.select_components`.
    cut : InkCut
        Where ink is cut that continues outside.

    Returns
    -------
    StrokeInk
        Whole components where nothing hangs on something larger, as `PageInk.select` finds them.

    Examples
    --------
    >>> page = np.full((60, 90), 255, np.uint8)
    >>> page[20:41, 30:51] = 0; page[22:39, 32:49] = 255  # a square
    >>> page[30:32, 50:] = 0  # on a line that goes on
    >>> found = take_ink(PageInk(page), [(22, 12), (60, 12), (60, 48), (22, 48)])
    >>> found.taken.runs.bounds, found.is_cut
    ((30, 20, 53, 41), True)
    """
    if cut is InkCut.STROKE:
        return _uncut(ink.cut_out(stroke))
    whole = ink.select(stroke, share)
    if cut is InkCut.NONE:
        return _uncut(whole)
    window = open_window(ink, polygon.as_points(stroke), whole)
    if window is None or not window.hangs:
        return _uncut(whole)
    kept = window.choose()
    taken, left = window.selection(ink, kept, whole)
    if not taken:
        return _uncut(whole)
    return StrokeInk(taken, left, window.places(kept))


def held_ink(ink: PageInk, outline: ArrayLike) -> InkSelection:
    """Find the ink that a region was sketched from.

    Parameters
    ----------
    ink : PageInk
        Of the page.
    outline : (N, 2) array_like
        Of the region, in px.

    Returns
    -------
    InkSelection
        The components that the outline takes; all ink inside where their hull is another, because
        the region's ink was cut off something larger.

    Examples
    --------
    >>> page = np.full((9, 9), 255, np.uint8); page[4] = 0
    >>> held_ink(PageInk(page), [(2, 2), (6, 2), (6, 6), (2, 6)]).runs.bounds
    (2, 4, 6, 5)
    """
    points = polygon.as_points(outline)
    whole = ink.select(points)
    wanted = polygon.area(polygon.convex_hull(points))
    if whole and abs(polygon.area(whole.outline()) - wanted) <= (1 - _HELD) * wanted:
        return whole
    return ink.cut_out(points)


def change_ink(held: InkSelection, taken: InkSelection, *, away: bool) -> InkSelection:
    """Add pixels to a selection, or take them away.

    Parameters
    ----------
    held, taken : InkSelection
        Of the same page; the first is not empty.
    away : bool
        Whether pixels are taken away.

    Returns
    -------
    InkSelection
        Each run is a component of its own.

    Examples
    --------
    >>> one, other = (InkSelection((9, 9), Runs.of([2], [start], [7]), np.array([start]))
    ...               for start in (1, 4))
    >>> change_ink(one, other, away=True).runs.bounds
    (1, 2, 4, 3)
    """
    bounds = np.array([held.runs.bounds, taken.runs.bounds] if taken else [held.runs.bounds])
    left, top = bounds[:, :2].min(axis=0).tolist()
    right, bottom = bounds[:, 2:].max(axis=0).tolist()
    pixels, others = (paint_runs(part.runs, left, top, right, bottom) for part in (held, taken))
    changed = pixels & ~others if away else pixels | others
    return select_runs(held.page_size, runs_from_mask(changed).translate(left, top))


def _uncut(whole: InkSelection) -> StrokeInk:
    return StrokeInk(whole, Runs.of([], [], []), np.empty((0, 2)))


class Outcome(StrEnum):
    """Result of drawing a stroke."""

    DRAWN = "drawn"
    CUT = "cut"  # drawn, and cut off larger ink
    EMPTY = "empty"  # there is no ink inside
    BEYOND = "beyond"  # the ink extends beyond the stroke and may not be cut
    ALL_GONE = "all gone"  # nothing would be left of the region


@dataclass(frozen=True, eq=False)
class StrokeOutline:
    """The outline that a stroke gives.

    Attributes
    ----------
    points : (N, 2) float
        An open ring in px; empty where nothing is drawn.
    outcome : Outcome
    """

    points: Points
    outcome: Outcome


@dataclass(frozen=True)
class InkSearch:
    """Search for the ink that a stroke selects. It runs once; other callers wait for its result.

    Parameters
    ----------
    ink : PageInk
        Of the page.
    stroke : sequence of (x, y)
        In px; closed automatically.
    share : float
        See `spotlab.imaging.page_ink.select_components`.
    cut : InkCut
        Where ink is cut that continues outside.

    Examples
    --------
    >>> page = np.full((60, 90), 255, np.uint8); page[20:41, 30:51] = 0
    >>> stroke = ((22, 12), (60, 12), (60, 48), (22, 48))
    >>> search = InkSearch(PageInk(page), stroke, 0.5, InkCut.NONE)
    >>> found = search.find()
    >>> found.taken.runs.bounds if found else None
    (30, 20, 51, 41)
    >>> search.find() is found
    True
    """

    ink: PageInk
    stroke: tuple[tuple[float, float], ...]
    share: float
    cut: InkCut
    _lock: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)
    _found: list[StrokeInk | None] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    def find(self) -> StrokeInk | None:
        """Look for the ink, or wait until another thread has.

        Returns
        -------
        StrokeInk or None
            None where the stroke takes no ink or is no ring.
        """
        with self._lock:
            if not self._found:
                self._found.append(taken_ink(self.ink, self.stroke, self.share, self.cut))
            return self._found[0]


def outline_stroke(
    search: InkSearch, primitive: Primitive, changed: ArrayLike | None = None, *, away: bool = False
) -> StrokeOutline:
    """Outline the ink that a stroke is drawn around.

    Parameters
    ----------
    search : InkSearch
        For the stroke's ink.
    primitive : Primitive
        The kind of outline.
    changed : (N, 2) array_like, optional
        Outline of a region in px: the ink is added to what it holds, or taken away from it.
    away : bool
        Whether ink is taken away.

    Returns
    -------
    StrokeOutline

    Examples
    --------
    >>> page = np.full((60, 90), 255, np.uint8); page[20:41, 30:51] = 0
    >>> stroke = ((22, 12), (60, 12), (60, 48), (22, 48))
    >>> search = InkSearch(PageInk(page), stroke, 0.5, InkCut.NONE)
    >>> drawn = outline_stroke(search, Primitive.HULL)
    >>> drawn.points.tolist(), str(drawn.outcome)
    ([[30.0, 20.0], [51.0, 20.0], [51.0, 41.0], [30.0, 41.0]], 'drawn')
    >>> line = InkSearch(PageInk(page), stroke[:2], 0.5, InkCut.NONE)
    >>> str(outline_stroke(line, Primitive.HULL).outcome)
    'empty'
    """
    found, ink = search.find(), search.ink
    if found is None:
        uncut = search.cut is InkCut.NONE
        beyond = uncut and taken_ink(ink, search.stroke, 0.5, InkCut.STROKE) is not None
        return StrokeOutline(np.empty((0, 2)), Outcome.BEYOND if beyond else Outcome.EMPTY)
    selection = found.taken
    if changed is not None:
        selection = change_ink(held_ink(ink, changed), selection, away=away)
        if not selection:
            return StrokeOutline(np.empty((0, 2)), Outcome.ALL_GONE)
    outcome = Outcome.CUT if found.is_cut else Outcome.DRAWN
    return StrokeOutline(selection.outline(primitive), outcome)


def taken_ink(ink: PageInk, stroke: ArrayLike, share: float, cut: InkCut) -> StrokeInk | None:
    """Take the ink of a stroke as `take_ink` does.

    Parameters
    ----------
    ink : PageInk
        Of the page.
    stroke : (N, 2) array_like
        x, y in px; closed automatically.
    share : float
        See `spotlab.imaging.page_ink.select_components`.
    cut : InkCut
        Where ink is cut that continues outside.

    Returns
    -------
    StrokeInk or None
        None where the stroke takes no ink or is no ring.

    Examples
    --------
    >>> page = np.full((60, 90), 255, np.uint8); page[20:41, 30:51] = 0
    >>> stroke = [(22, 12), (60, 12), (60, 48), (22, 48)]
    >>> found = taken_ink(PageInk(page), stroke, 0.5, InkCut.NONE)
    >>> found.taken.runs.bounds if found else None
    (30, 20, 51, 41)
    >>> taken_ink(PageInk(page), stroke[:2], 0.5, InkCut.NONE) is None
    True
    """
    try:
        found = take_ink(ink, polygon.as_points(stroke), share, cut)
    except ValueError:
        return None
    return found if found.taken else None


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
