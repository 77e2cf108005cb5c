"""A second canvas at the right that shows run B; zoom, place and rotation of both are linked."""

from __future__ import annotations

import numpy as np

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.inspect.compare.comparison_layer import ComparisonLayer
from spotlab.gui.inspect.layer import InspectLayer
from spotlab.gui.inspect.state.comparison import ComparisonSide, ComparisonState, SecondRun
from spotlab.gui.inspect.tool import ShowBounds
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.workspace import Window


class SideBySide:
    """Makes the second canvas when it is asked for, and lets go of it afterwards.

    Attributes
    ----------
    canvas : Canvas or None
        The one at the right; None while it is not shown.
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self._comparison = window.workbench.state(ComparisonState)
        self.canvas: Canvas | None = None
        self._linking = False
        self._comparison.side_changed.connect(self._follow)
        window.workbench.workspace_changed.connect(self._follow)
        window.canvas.view_changed.connect(self._left_moved)

    def stop(self) -> None:
        """Let go of the second canvas."""
        canvas, self.canvas = self.canvas, None
        if canvas is not None:
            self._window.centre.show_beside_canvas(None)
            canvas.stop()
            canvas.deleteLater()

    def _follow(self) -> None:
        here = self._window.workbench.workspace == "inspect"
        wanted = here and self._comparison.on and self._comparison.side is ComparisonSide.BOTH
        if wanted and self.canvas is None:
            self._start()
        elif not wanted:
            self.stop()

    def _start(self) -> None:
        workbench, left = self._window.workbench, self._window.canvas
        self.canvas = canvas = Canvas(workbench, {})
        canvas.setAccessibleName("Page with run B")
        canvas.minimap.wanted = False
        canvas.minimap.hide()
        canvas.add_layer("inspect", InspectLayer(canvas, SecondRun(workbench), lambda: True))
        canvas.add_layer("comparison", ComparisonLayer(canvas, ComparisonSide.SECOND))
        canvas.view_changed.connect(self._right_moved)
        canvas.pointer_moved.connect(left.pointer_moved)
        self._window.centre.show_beside_canvas(canvas)
        for layer in canvas.layers.values():
            layer.follow()
        self._left_moved()

    def _left_moved(self) -> None:
        self._link(self._window.canvas, self.canvas)

    def _right_moved(self) -> None:
        self._link(self.canvas, self._window.canvas)

    def _link(self, moved: Canvas | None, other: Canvas | None) -> None:
        """Show the same place of the page, as large and turned alike."""
        if self._linking or moved is None or other is None:
            return
        if self._window.workbench.document is None:
            return
        self._linking = True
        other.view.follow(moved.view)
        other.view_moved()
        self._linking = False


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
