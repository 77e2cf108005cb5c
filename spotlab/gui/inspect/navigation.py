"""Brings a chosen spot or missed region into sight, as soon as its page is open."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.pages.workbench import Workbench
from spotlab.measures.errors import ErrorPlace

ShowBounds = Callable[[float, float, float, float], object]  # left, top, right, bottom in px
GoTo = Callable[[ErrorPlace], object]
Bounds = tuple[float, float, float, float]


class ErrorNavigation:
    """Chooses an error, opens its page, and brings it into view when the page is there."""

    def __init__(self, workbench: Workbench, show: ShowBounds) -> None:
        self._workbench = workbench
        self._show = show
        self._page = ""
        workbench.page_changed.connect(self._arrived)

    def go_to(self, place: ErrorPlace) -> None:
        """Choose this error, open its page, show it."""
        inspection = self._workbench.state(Inspection)
        tally = inspection.runs.current.tally if inspection.runs.current else None
        if tally is None:
            return
        if place.spot is not None:
            page = tally.page[place.spot]
        else:
            assert place.region is not None  # a place is one or the other
            page = tally.region_page[place.region]
        self._page = tally.pages[page]
        inspection.go_to(place)
        self._arrived()

    def _arrived(self) -> None:
        entry = self._workbench.entry
        if not self._page or entry is None or self._workbench.document is None:
            return
        if entry.name == self._page:
            bounds = bounds_of_choice(self._workbench)
            if bounds is not None:
                self._show(*bounds)
        self._page = ""


def bounds_of_choice(workbench: Workbench) -> Bounds | None:
    """Around the chosen spot and the region that it is about, on the open page; None if neither.

    Returns
    -------
    tuple of float or None
        Left, top, right, bottom in px.
    """
    inspection, document = workbench.state(Inspection), workbench.document
    current = inspection.runs.current
    if current is None or current.tally is None:
        return None
    tally, regions, rings = current.tally, [inspection.region], []
    if inspection.spot is not None:
        rings.append(current.run.outlines[int(tally.spot[inspection.spot])])
        region = int(current.errors.region[inspection.spot]) if current.errors else -1
        on_page = region >= 0 and tally.region_page[region] == tally.page[inspection.spot]
        regions.append(tally.region_id[region] if on_page else None)
    for id in regions:
        if id is not None and document is not None and id in document:
            rings.append(document[id].array)
    points = np.concatenate([np.empty((0, 2)), *rings])
    if not len(points):
        return None
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right), float(bottom)
