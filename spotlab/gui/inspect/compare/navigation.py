"""Brings a chosen change into sight, as soon as its page is open."""

from __future__ import annotations

import numpy as np

from spotlab.gui.inspect.navigation import ShowBounds
from spotlab.gui.inspect.state.comparison import ComparisonState
from spotlab.gui.pages.workbench import Workbench


class ChangeNavigation:
    """Chooses a change, opens its page, and brings it into view when the page is there."""

    def __init__(self, workbench: Workbench, show: ShowBounds) -> None:
        self._workbench = workbench
        self._show = show
        self._waiting = False
        workbench.page_changed.connect(self._arrived)

    def go_to(self, entry: int) -> None:
        """Choose this change of the list, open its page, show it."""
        self._waiting = True
        self._workbench.state(ComparisonState).choose_change(entry)
        self._arrived()

    def _arrived(self) -> None:
        comparison, entry = self._workbench.state(ComparisonState), self._workbench.entry
        changes, chosen, document = comparison.changes, comparison.chosen, self._workbench.document
        if not self._waiting or entry is None or document is None:
            return
        if changes is None or chosen is None:
            self._waiting = False
            return
        if changes.page_name(chosen) != entry.name:
            return
        self._waiting = False
        id, rings = changes.region_id(chosen), [np.empty((0, 2))]
        if id is not None and id in document:
            rings.append(document[id].array)
        for run, spot in (
            (changes.first, changes.first_spot[chosen]),
            (changes.second, changes.second_spot[chosen]),
        ):
            if spot >= 0:
                rings.append(run.tally.run.outlines[int(run.tally.spot[spot])])
        points = np.concatenate(rings)
        if len(points):
            (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
            self._show(float(left), float(top), float(right), float(bottom))
