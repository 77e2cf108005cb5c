"""From a finished stroke to the outline that is drawn, of a new region or of one that changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Points
from spotlab.geometry import polygon
from spotlab.imaging.cutting import Cut, StrokeInk, change_ink, held_ink, take_ink
from spotlab.imaging.page_ink import PageInk
from spotlab.model import Primitive


class Outcome(StrEnum):
    """What became of a stroke."""

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
    """What a stroke takes, which is looked for once: whoever else asks waits for that.

    Parameters
    ----------
    ink : PageInk
        Of the page.
    stroke : sequence of (x, y)
        In px; closed automatically.
    share : float
        See `spotlab.imaging.sketch.select_components`.
    cut : Cut
        Where ink is cut that continues outside.

    Examples
    --------
    >>> page = np.full((60, 90), 255, np.uint8); page[20:41, 30:51] = 0
    >>> stroke = ((22, 12), (60, 12), (60, 48), (22, 48))
    >>> search = InkSearch(PageInk(page), stroke, 0.5, Cut.NONE)
    >>> found = search.find()
    >>> found.taken.runs.bounds if found else None
    (30, 20, 51, 41)
    >>> search.find() is found
    True
    """

    ink: PageInk
    stroke: tuple[tuple[float, float], ...]
    share: float
    cut: Cut
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
    >>> search = InkSearch(PageInk(page), stroke, 0.5, Cut.NONE)
    >>> drawn = outline_stroke(search, Primitive.HULL)
    >>> drawn.points.tolist(), str(drawn.outcome)
    ([[30.0, 20.0], [51.0, 20.0], [51.0, 41.0], [30.0, 41.0]], 'drawn')
    >>> line = InkSearch(PageInk(page), stroke[:2], 0.5, Cut.NONE)
    >>> str(outline_stroke(line, Primitive.HULL).outcome)
    'empty'
    """
    found, ink = search.find(), search.ink
    if found is None:
        uncut = search.cut is Cut.NONE
        beyond = uncut and taken_ink(ink, search.stroke, 0.5, Cut.STROKE) is not None
        return StrokeOutline(np.empty((0, 2)), Outcome.BEYOND if beyond else Outcome.EMPTY)
    selection = found.taken
    if changed is not None:
        selection = change_ink(held_ink(ink, changed), selection, away=away)
        if not selection:
            return StrokeOutline(np.empty((0, 2)), Outcome.ALL_GONE)
    outcome = Outcome.CUT if found.is_cut else Outcome.DRAWN
    return StrokeOutline(selection.outline(primitive), outcome)


def taken_ink(ink: PageInk, stroke: ArrayLike, share: float, cut: Cut) -> StrokeInk | None:
    """Take the ink of a stroke as `take_ink` does.

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
    StrokeInk or None
        None where the stroke takes no ink or is no ring.

    Examples
    --------
    >>> page = np.full((60, 90), 255, np.uint8); page[20:41, 30:51] = 0
    >>> stroke = [(22, 12), (60, 12), (60, 48), (22, 48)]
    >>> found = taken_ink(PageInk(page), stroke, 0.5, Cut.NONE)
    >>> found.taken.runs.bounds if found else None
    (30, 20, 51, 41)
    >>> taken_ink(PageInk(page), stroke[:2], 0.5, Cut.NONE) is None
    True
    """
    try:
        found = take_ink(ink, polygon.as_points(stroke), share, cut)
    except ValueError:
        return None
    return found if found.taken else None
