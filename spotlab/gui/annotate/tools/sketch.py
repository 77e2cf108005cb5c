"""Sketch: a rough stroke takes the ink inside, and the region is its hull or another outline.

Ink that hangs on something larger is cut off it. What is cut off is tinted while one draws, and the
cuts are marked.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent, QKeySequence, QPainter, QPainterPath, QPen

from spotlab.arrays import Points
from spotlab.editing.document import Edit
from spotlab.editing.operations import reshaped, split
from spotlab.errors import SpotlabError
from spotlab.gui.annotate.tools import drawing
from spotlab.gui.annotate.tools.drawing import ClickOr, DrawingTool, Landing, ShapeDrawing, pick
from spotlab.gui.canvas.tool import Gesture, Pointer, Surface
from spotlab.gui.canvas.view import ViewTransform, faint
from spotlab.gui.kit.background import Task
from spotlab.imaging.outlines import Runs
from spotlab.imaging.page_ink import InkSelection, PageInk
from spotlab.imaging.stroke_outline import (
    InkCut,
    InkSearch,
    Outcome,
    StrokeOutline,
    change_ink,
    held_ink,
    outline_stroke,
)
from spotlab.model import Primitive, Region
from spotlab.progress import Progress

Place = tuple[float, float]

TINT = QColor("#0ea5e9")
TINT_AWAY = QColor("#ef4444")
TINT_LEFT = QColor("#f59e0b")  # ink that is cut off
_NOTHING = {
    Outcome.EMPTY: "No ink inside that stroke: nothing was drawn",
    Outcome.BEYOND: "The ink extends beyond the stroke: hold Ctrl to cut it at the stroke",
    Outcome.ALL_GONE: "That would leave nothing of the region",
}
_CUT_OFF = "Cut off larger ink · press C while drawing to take whole components"
_MARK = 4.0  # radius of the mark of a cut, screen px
_PART = 0.1  # of a stroke that Backspace takes back, and
_FEWEST = 6  # points at least


class SketchTool(DrawingTool):
    """Draws strokes; clicks select, or add and remove a single component."""

    def press(self, pointer: Pointer) -> Gesture | None:
        """Begin a stroke."""
        return SketchStroke(self.surface, pointer)


class SketchStroke(ShapeDrawing):
    """A rough closed stroke. Shift adds what it takes to the selected region, Alt takes it away.

    Ink that hangs on something larger is cut off it; C takes whole components instead. Ctrl takes
    all ink inside and nothing outside.
    """

    primitive: Primitive | None = None  # the user's choice

    def __init__(self, surface: Surface, pointer: Pointer) -> None:
        super().__init__(surface, pointer, changes=True)
        self.points: list[tuple[float, float]] = []
        self._tint: _Tint | None = None
        self._tinting = Task(urgent=True)
        self._tinted = 0  # how many points the tint is of
        self._search: InkSearch | None = None  # the latest
        self.cut = InkCut.NONE if pointer.alt else InkCut.PROPOSED
        if pointer.control:
            self.cut = InkCut.STROKE

    def begin(self, pointer: Pointer) -> None:
        """Put the pen down."""
        super().begin(pointer)
        self.points = [pointer.place]

    def drag(self, pointer: Pointer) -> None:
        """Draw on, and look which components the stroke would take if it ended here."""
        if self.points[-1] != pointer.place:
            self.points.append(pointer.place)
        self._look()

    def key(self, event: QKeyEvent) -> bool:
        """Backspace and undo take the last part of the stroke back; C cuts, or does not."""
        if event.key() == Qt.Key.Key_C and not event.modifiers():
            self.cut = InkCut.NONE if self.cut is InkCut.PROPOSED else InkCut.PROPOSED
            self._tinted = 0
            self._look()
            return True
        if event.key() != Qt.Key.Key_Backspace and not event.matches(QKeySequence.StandardKey.Undo):
            return False
        gone = max(_FEWEST, round(len(self.points) * _PART))
        self.points = self.points[: max(1, len(self.points) - gone)]
        self._tinted = 0
        self._look()
        self.surface.refresh()
        return True

    def cancel(self) -> None:
        """Forget the stroke."""
        self._tinting.cancel()
        super().cancel()

    def drop(self, pointer: Pointer) -> None:
        """Turn the stroke into a region, or change the selected one."""
        self._tinting.cancel()
        workbench = self.surface.workbench
        ink = workbench.ink.page
        if ink is None:
            self._take_nothing("The page is still being binarised: wait a moment")
            return
        changed = self.to_change() if self.changes else None
        if self.changes and changed is None:
            return
        primitive = changed.primitive if changed else self.primitive or workbench.ink.primitive
        self.following = Landing(
            self, _outlined, self._search_in(ink), primitive,
            changed.array if changed else None, self.removes,
            then=lambda found: self._draw(found, changed, primitive),
        )  # fmt: skip

    def _draw(self, found: StrokeOutline, changed: Region | None, primitive: Primitive) -> None:
        """The region is new, or another."""
        editing = self.surface.workbench.editing
        if found.outcome not in (Outcome.DRAWN, Outcome.CUT):
            (editing.refuse if changed else editing.draw_nothing)(_NOTHING[found.outcome])
            return
        if changed:
            reshape(self.surface, changed, found.points, away=self.removes)
        else:
            editing.draw(found.points, primitive)
        if found.outcome is Outcome.CUT:
            self.surface.workbench.said.emit(_CUT_OFF, False)

    def click(self, pointer: Pointer) -> None:
        """Select; with Shift or Alt add or remove the component under the pointer."""
        if not self.changes or len(self.surface.workbench.selected) != 1:
            pick(self.surface, pointer)
            return
        ink = self.surface.workbench.ink.page
        taken = ink.component_at(*pointer.place) if ink else None
        if taken:
            change(self.surface, taken, away=self.removes)
        elif not pick(self.surface, pointer):
            self.surface.workbench.editing.draw_nothing("No ink there")

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The components that would be taken, and the stroke."""
        if not self.dragged:
            return
        if self._tint:
            self._tint.paint(painter, view)
        colour = TINT_AWAY if self.removes else self.surface.colour(None)
        path = drawing.smooth_path(self.points, view)
        closing = QPainterPath(path)
        closing.closeSubpath()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.fillPath(closing, faint(colour, 26))
        drawing.outline(
            painter, [self.points[-1], self.points[0]], view, faint(colour, 120),
            closed=False, dashes=True,
        )  # fmt: skip
        drawing.stroke(painter, path, colour)

    def _take_nothing(self, why: str) -> None:
        """Say why; nothing stays selected, unless the stroke was about what is."""
        editing = self.surface.workbench.editing
        (editing.refuse if self.changes else editing.draw_nothing)(why)

    def _look(self) -> None:
        """Find out in a thread what the stroke takes; the latest state of it counts."""
        ink = self.surface.workbench.ink.page
        if ink is None or self._tinting.busy or len(self.points) < 3:
            return
        if self._tinted == len(self.points):
            return
        self._tinted = len(self.points)
        view = self.surface.view
        factor = max(1, int(1 / (view.scale * view.ratio)))
        colour = TINT_AWAY if self.removes else TINT
        self._tinting.start(
            _look_up, self._search_in(ink), colour, factor,
            done=self._tint_arrived,
            failed=lambda _: None,  # the release says what is wrong
        )  # fmt: skip

    def _search_in(self, ink: PageInk) -> InkSearch:
        """For what the stroke takes as it is now: the search under way, if that is for the same."""
        search = InkSearch(ink, tuple(self.points), self.surface.workbench.ink.share, self.cut)
        if search != self._search:
            self._search = search
        return self._search

    def _tint_arrived(self, found: _Tint | None) -> None:
        self._tint = found
        self.surface.refresh()
        self._look()


@dataclass(frozen=True)
class _Tint:
    """Images of the ink a stroke takes and leaves, in two colours, and marks at the cuts."""

    parts: tuple[tuple[QImage, QRectF], ...]
    cuts: tuple[Place, ...]

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint it in place."""
        painter.save()
        painter.setTransform(drawing.transform_of(view), True)
        painter.setOpacity(0.75)
        for image, place in self.parts:
            painter.drawImage(place, image)
        painter.restore()
        if not self.cuts:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(QPen(TINT_LEFT.darker(160), 1.5))
        painter.setBrush(QColor("#ffffff"))
        for x, y in view.points_to_view(self.cuts).tolist():
            painter.drawEllipse(QPointF(x, y), _MARK, _MARK)


def _look_up(search: InkSearch, colour: QColor, factor: int, progress: Progress) -> _Tint | None:
    found = search.find()
    progress(1, 2, "")  # no tint is needed once the pen is up
    if found is None:
        return None
    parts = [(found.left, TINT_LEFT)] if found.is_cut else []
    images = tuple(
        _image(runs, tint, factor) for runs, tint in [*parts, (found.taken.runs, colour)]
    )
    return _Tint(images, tuple((float(x), float(y)) for x, y in found.places))


def _image(runs: Runs, colour: QColor, factor: int) -> tuple[QImage, QRectF]:
    left, top, mask = runs.mask()
    image = drawing.tint(mask, colour, factor)
    return image, QRectF(left, top, image.width() * factor, image.height() * factor)


def _outlined(
    search: InkSearch, primitive: Primitive, changed: Points | None, away: bool, _: Progress
) -> StrokeOutline:
    return outline_stroke(search, primitive, changed, away=away)


def change(surface: Surface, taken: InkSelection, *, away: bool) -> None:
    """Add components to the selected region, or take them away from it, as one step."""
    workbench = surface.workbench
    (region,) = workbench.selected
    ink = workbench.ink.page
    if ink is None:
        return
    changed = change_ink(held_ink(ink, region.array), taken, away=away)
    if changed:
        reshape(surface, region, changed.outline(region.primitive), away=away)
    else:
        workbench.editing.refuse(_NOTHING[Outcome.ALL_GONE])


def reshape(surface: Surface, region: Region, outline: Points, *, away: bool) -> None:
    """Give a region another outline, as one step."""
    document, editing = surface.workbench.document, surface.workbench.editing
    if document is None or document.get(region.id) is None:
        return
    name = "Take ink away" if away else "Add ink"
    try:
        after = reshaped(region, outline, document.page, region.primitive)
        editing.replace_regions(name, [after])
    except SpotlabError as error:
        editing.refuse(str(error))


class TraceTool(DrawingTool):
    """Clicks and strokes take ink."""

    def press(self, pointer: Pointer) -> Gesture | None:
        """A click or a stroke."""
        return TraceStroke(self.surface, pointer)


class TraceStroke(SketchStroke):
    """Like a sketch, with the exact outline; a click takes the component under the pointer."""

    primitive = Primitive.TRACE

    def click(self, pointer: Pointer) -> None:
        """Trace the component here; Shift and Alt change the selected region."""
        if self.changes:
            super().click(pointer)
            return
        editing = self.surface.workbench.editing
        ink = self.surface.workbench.ink.page
        editing.begin_drawing()
        taken = ink.component_at(*pointer.place) if ink else None
        if taken:
            editing.draw(taken.outline(Primitive.TRACE), Primitive.TRACE)
        else:
            editing.draw_nothing("No ink there: nothing was traced")


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
