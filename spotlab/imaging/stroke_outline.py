"""From a finished stroke to the outline that is drawn, without the ink that it hangs on."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Points
from spotlab.geometry import polygon
from spotlab.imaging.page_ink import InkSelection, PageInk
from spotlab.imaging.runs import Runs, runs_from_mask
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
    search: InkSearch,
    primitive: Primitive,
    changed: ArrayLike | None = None,
    *,
    away: bool = False,
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
