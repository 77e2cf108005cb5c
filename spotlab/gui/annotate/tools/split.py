"""Split: a line across the selected region cuts it."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from spotlab.editing.document import Edit
from spotlab.editing.operations import split
from spotlab.errors import SpotlabError
from spotlab.gui.annotate.tools import painting as drawing
from spotlab.gui.annotate.tools.drawing import DrawingTool
from spotlab.gui.annotate.tools.picking import ClickOr
from spotlab.gui.annotate.tools.sketch import TINT_AWAY
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Gesture, Surface
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Region


class SplitTool(DrawingTool):
    """Drags cut; clicks select."""

    def press(self, pointer: Pointer) -> Gesture | None:
        """Begin the line."""
        return CutLine(self.surface, pointer)


class CutLine(ClickOr):
    """A straight line; it cuts the selected regions that it crosses, or the one it crosses."""

    def __init__(self, surface: Surface, pointer: Pointer) -> None:
        super().__init__(surface, pointer)
        self._end = pointer

    def drag(self, pointer: Pointer) -> None:
        """The line ends here."""
        self._end = pointer

    def drop(self, pointer: Pointer) -> None:
        """Cut."""
        self._end = pointer
        workbench = self.surface.workbench
        document = workbench.document
        if document is None:
            return
        line = [self.start.place, pointer.place]
        pieces: list[Region] = []
        edits: list[Edit] = []
        problem = "No region there: draw the line across one"
        for region in (*workbench.selected, *self._middle()):
            if edits and region.id not in workbench.selection:
                break  # a selected one was cut: the one in the middle is not meant
            if any(region.id == piece.id for piece in pieces):
                continue
            try:
                parts = split(region, line, document.page)
            except SpotlabError as error:
                problem = str(error)
                continue
            edits += document.replacing(parts[0])
            pieces += parts
        added = [region for region in pieces if region.id not in document]
        edits += document.adding(*added)
        if not edits:
            workbench.editing.refuse(problem)
        elif workbench.editing.do("Split", edits):
            workbench.editing.select_drawn([region.id for region in pieces])

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The line."""
        if self.dragged:
            line = [self.start.place, self._end.place]
            drawing.outline(painter, line, view, TINT_AWAY, closed=False, dashes=True)

    def _middle(self) -> list[Region]:
        """The smallest region under the middle of the line."""
        x = (self.start.x + self._end.x) / 2
        y = (self.start.y + self._end.y) / 2
        return self.surface.index.regions_at(x, y)[:1]
