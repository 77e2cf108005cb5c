"""Sketch: a rough stroke takes the ink inside, and the region is its hull or another outline."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent, QKeySequence, QPainter, QPainterPath

from spotlab.editing.hit import Hit
from spotlab.editing.operations import reshaped
from spotlab.errors import SpotlabError
from spotlab.geometry.polygon import as_points
from spotlab.gui.annotate.tools import painting as drawing
from spotlab.gui.annotate.tools.picking import ClickOr, pick
from spotlab.gui.annotate.tools.points import PointsTool
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.region_style import faint
from spotlab.gui.canvas.tool import Gesture, Surface, ToolKind
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.kit.task import Task
from spotlab.imaging.ink_selection import InkSelection
from spotlab.imaging.page_ink import PageInk
from spotlab.model import Primitive, Region
from spotlab.progress import Progress

Place = tuple[float, float]

TINT = QColor("#0ea5e9")
TINT_AWAY = QColor("#ef4444")
_PART = 0.1  # of a stroke that Backspace takes back, and
_FEWEST = 6  # points at least


class SketchTool(PointsTool):
    """Draws strokes; clicks select, or add and remove a single component."""

    def begin(self, pointer: Pointer, found: Hit) -> Gesture | None:
        """Begin a stroke."""
        return Stroke(self.surface, pointer)


class Stroke(ClickOr):
    """A rough closed stroke. Shift adds what it takes to the selected region, Alt takes it away.

    Ctrl takes all ink inside and nothing outside: what touches a wall is cut off it.
    """

    primitive: Primitive | None = None  # the user's choice

    def __init__(self, surface: Surface, pointer: Pointer) -> None:
        super().__init__(surface, pointer)
        self.points: list[tuple[float, float]] = []
        self._tint: tuple[QImage, QRectF] | None = None
        self._tinting = Task(urgent=True)
        self._tinted = 0  # how many points the tint is of
        self.adds, self.removes, self.cuts = pointer.shift, pointer.alt, pointer.control

    def begin(self, pointer: Pointer) -> None:
        """Put the pen down."""
        self.points = [pointer.place]

    def drag(self, pointer: Pointer) -> None:
        """Draw on, and look which components the stroke would take if it ended here."""
        if self.points[-1] != pointer.place:
            self.points.append(pointer.place)
        self._look()

    def key(self, event: QKeyEvent) -> bool:
        """Backspace and undo take the last part of the stroke back."""
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
        share = None if self.cuts else workbench.ink.share
        taken = _taken(ink, self.points, share)
        if not taken:
            self._take_nothing(self._why_nothing(ink, share))
        elif self._changes_selected():
            change(self.surface, taken, away=self.removes)
        else:
            primitive = self.primitive or workbench.ink.primitive
            workbench.editing.add_region(taken.outline(primitive), primitive)

    def click(self, pointer: Pointer) -> None:
        """Select; with Shift or Alt add or remove the component under the pointer."""
        if not self._changes_selected():
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
            image, place = self._tint
            painter.save()
            painter.setTransform(drawing.transform_of(view), True)
            painter.setOpacity(0.75)
            painter.drawImage(place, image)
            painter.restore()
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
        workbench = self.surface.workbench
        if self._changes_selected():
            workbench.editing.refuse(why)
        else:
            workbench.editing.draw_nothing(why)

    def _why_nothing(self, ink: PageInk, share: float | None) -> str:
        if share is not None and _taken(ink, self.points, None):
            return "The ink extends beyond the stroke: hold Ctrl to cut it at the stroke"
        return "No ink inside that stroke: nothing was drawn"

    def _changes_selected(self) -> bool:
        return (self.adds or self.removes) and len(self.surface.workbench.selected) == 1

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
        share = None if self.cuts else self.surface.workbench.ink.share
        self._tinting.start(
            _tint, ink, tuple(self.points), share, colour, factor,
            done=self._tint_arrived,
            failed=lambda _: None,  # the release says what is wrong
        )  # fmt: skip

    def _tint_arrived(self, found: tuple[QImage, QRectF] | None) -> None:
        self._tint = found
        self.surface.refresh()
        self._look()


def _tint(
    ink: PageInk,
    points: Sequence[Place],
    share: float | None,
    colour: QColor,
    factor: int,
    _: Progress,
) -> tuple[QImage, QRectF] | None:
    taken = take(ink, points, share)
    if not taken:
        return None
    left, top, mask = taken.mask()
    image = drawing.tint(mask, colour, factor)
    place = QRectF(left, top, image.width() * factor, image.height() * factor)
    return image, place


def take(ink: PageInk, points: Sequence[Place], share: float | None) -> InkSelection:
    """What a stroke takes: components by their share inside, or without one all ink inside."""
    stroke = as_points(points)
    return ink.cut_out(stroke) if share is None else ink.select(stroke, share)


def _taken(ink: PageInk, points: Sequence[Place], share: float | None) -> InkSelection | None:
    """What a finished stroke takes; None where it encloses nothing."""
    try:
        return take(ink, points, share) or None
    except ValueError:
        return None


def change(surface: Surface, taken: InkSelection, *, away: bool) -> None:
    """Add components to the selected region, or take them away from it, as one step."""
    workbench = surface.workbench
    (region,) = workbench.selected
    ink, document = workbench.ink.page, workbench.document
    if ink is None or document is None:
        return
    held = held_by(ink, region)
    changed = held.difference(taken) if away else held.union(taken)
    if not changed:
        workbench.editing.refuse("That would leave nothing of the region")
        return
    name = "Take ink away" if away else "Add ink"
    outline = changed.outline(region.primitive)
    try:
        workbench.editing.replace_regions(
            name, [reshaped(region, outline, document.page, region.primitive)]
        )
    except SpotlabError as error:
        workbench.editing.refuse(str(error))


def held_by(ink: PageInk, region: Region) -> InkSelection:
    """The components that a region consists of: those that its own outline takes."""
    return ink.select(region.array, 0.5)


KIND = ToolKind(
    name="sketch",
    title="Sketch",
    icon="mdi6.draw",
    shortcut="F2",
    hint="Draw a rough stroke around ink. Shift adds to the selected region, Alt takes away, Ctrl "
    "cuts ink at the stroke; click selects, drag a point to move it; Backspace takes back a part",
    order=1,
    make=SketchTool,
    workspace="annotate",
)
