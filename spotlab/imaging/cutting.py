"""From a stroke to the ink that it is meant for, cut off what the ink hangs on.

Ink hangs if its component continues outside the stroke: a symbol on a wall, on a line of the
diagram, or on a ruling.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Points
from spotlab.geometry import convexity, polygon
from spotlab.imaging.ink_selection import InkSelection
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.run_masks import paint_runs, select_runs
from spotlab.imaging.runs import Runs, runs_from_mask
from spotlab.imaging.stroke_window import open_window

_HELD = 0.9  # of a region's hull at least, and the inverse at most, is that of ink that it holds


class Cut(StrEnum):
    """What is done with ink that continues outside a stroke."""

    PROPOSED = "proposed"  # cut off where it hangs on something larger
    STROKE = "stroke"  # cut at the stroke
    NONE = "none"  # whole components, or nothing of them


@dataclass(frozen=True, eq=False)
class StrokeInk:
    """What a stroke takes.

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
        """Whether the ink taken continues in ink that was left."""
        return len(self.left) > 0


def take_ink(
    ink: PageInk, stroke: ArrayLike, share: float = 0.5, cut: Cut = Cut.PROPOSED
) -> StrokeInk:
    """Take the ink that a stroke is drawn around, cut off what it hangs on.

    Parameters
    ----------
    ink : PageInk
        Of the page.
    stroke : (N, 2) array_like
        x, y in px; closed automatically.
    share : float
        See `spotlab.imaging.sketch.select_components`.
    cut : Cut
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
    if cut is Cut.STROKE:
        return _uncut(ink.cut_out(stroke))
    whole = ink.select(stroke, share)
    if cut is Cut.NONE:
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
    wanted = polygon.area(convexity.convex_hull(points))
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
