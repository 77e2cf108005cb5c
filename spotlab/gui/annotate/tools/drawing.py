"""Gestures that draw: their frames, what they paint, where they land."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from spotlab.editing.operations import bounds_of, nearest_edge
from spotlab.editing.region_index import Hit, Part, clicked, hit
from spotlab.geometry import polygon
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.canvas.tool import NEAR, Gesture, Pointer, Surface, Tool
from spotlab.gui.canvas.view import SELECTED, ViewTransform, faint
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.settings import SNAP
from spotlab.model import Region

HANDLE = 4.0  # half its side, screen px


def transform_of(view: ViewTransform) -> QTransform:
    """From page px to screen px."""
    return QTransform(*view.matrix)


def polygon_in_view(points: ArrayLike, view: ViewTransform) -> QPolygonF:
    """The points on the screen."""
    return QPolygonF([QPointF(x, y) for x, y in view.points_to_view(points).tolist()])


def outline(
    painter: QPainter,
    points: ArrayLike,
    view: ViewTransform,
    colour: QColor,
    *,
    closed: bool = True,
    fill: int = 0,
    dashes: bool = False,
) -> None:
    """A line with a light border, and a translucent inside."""
    shape = QPainterPath()
    shape.addPolygon(polygon_in_view(points, view))
    if closed:
        shape.closeSubpath()
    stroke(painter, shape, colour, fill=fill, dashes=dashes)


def stroke(
    painter: QPainter, shape: QPainterPath, colour: QColor, *, fill: int = 0, dashes: bool = False
) -> None:
    """A path in screen px, drawn like the outlines of regions."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    if fill:
        painter.fillPath(shape, faint(colour, fill))
    for pen in (QPen(QColor(255, 255, 255, 200), 4), QPen(colour, 2)):
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        if dashes and pen.width() == 2:
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setDashPattern([3, 2])
        painter.strokePath(shape, pen)


def smooth_path(points: ArrayLike, view: ViewTransform) -> QPainterPath:
    """A freehand line through the middles of its parts, so that it does not look jagged."""
    shown = view.points_to_view(points)
    path = QPainterPath()
    if not len(shown):
        return path
    path.moveTo(*shown[0].tolist())
    middles = (shown[:-1] + shown[1:]) / 2
    for (x, y), (to_x, to_y) in zip(shown[:-1].tolist(), middles.tolist(), strict=True):
        path.quadTo(x, y, to_x, to_y)
    path.lineTo(*shown[-1].tolist())
    return path


def handle(
    painter: QPainter,
    x: float,
    y: float,
    *,
    hot: bool = False,
    ring: bool = False,
    selected: bool = False,
) -> None:
    """Paint a control point, square or round, at a place on the screen."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    half = HANDLE + 1.5 if hot or selected else HANDLE
    if selected:
        painter.setPen(QPen(QColor("#ffffff"), 1.5))
        painter.setBrush(QColor("#d55e00"))
        painter.drawRect(QRectF(x - half - 1, y - half - 1, 2 * half + 2, 2 * half + 2))
        return
    place = QRectF(x - half, y - half, 2 * half, 2 * half)
    painter.setPen(QPen(QColor(SELECTED), 1.5))
    painter.setBrush(QColor(SELECTED) if hot else QColor("#ffffff"))
    if ring:
        painter.drawEllipse(place)
    else:
        painter.drawRoundedRect(place, 1.5, 1.5)


def tint(mask: np.ndarray, colour: QColor, factor: int) -> QImage:
    """An image of a mask in a colour, ``factor`` times smaller.

    Parameters
    ----------
    mask : (h, w) bool
    colour : QColor
    factor : int
        How many px of the page one of the image stands for in each direction.
    """
    height, width = -(-mask.shape[0] // factor), -(-mask.shape[1] // factor)
    small = np.zeros((height, width), np.bool_)
    for row in range(factor):  # whatever has ink shows, however thin
        for column in range(factor):
            part = mask[row::factor, column::factor]
            small[: part.shape[0], : part.shape[1]] |= part
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    memory = np.frombuffer(image.bits(), np.uint8).reshape(height, width, 4)
    memory[:] = 0
    memory[small] = (colour.blue(), colour.green(), colour.red(), 255)
    return image


_OUT = 12.0  # screen px from the regions to the frame
_ARM = 26.0  # screen px from the frame to the handle that turns

TURN = "turn"
CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


@dataclass(frozen=True)
class SelectionFrame:
    """The bounds of regions, in px of the page, and its handles on the screen."""

    left: float
    top: float
    right: float
    bottom: float

    @staticmethod
    def around(regions: Sequence[Region]) -> SelectionFrame | None:
        """The frame of these regions; None around nothing."""
        return SelectionFrame(*bounds_of(regions)) if regions else None

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle, to the nearest half px."""
        return round(self.left + self.right) / 2, round(self.top + self.bottom) / 2

    def corner(self, across: int, down: int) -> tuple[float, float]:
        """A corner of the bounds: -1 is left and top, 1 right and bottom."""
        return (self.left if across < 0 else self.right, self.top if down < 0 else self.bottom)

    def corners_in_view(self, view: ViewTransform) -> list[tuple[float, float]]:
        """Its four corners on the screen, somewhat outside of the bounds."""
        out = _OUT / view.scale
        return [
            view.to_view(x + across * out, y + down * out)
            for across, down in CORNERS
            for x, y in [self.corner(across, down)]
        ]

    def turner_in_view(self, view: ViewTransform) -> tuple[float, float]:
        """The handle that turns, on the screen."""
        return view.to_view((self.left + self.right) / 2, self.top - (_OUT + _ARM) / view.scale)

    def hit(self, pointer: Pointer, view: ViewTransform) -> str | tuple[int, int] | None:
        """`TURN`, or which corner the pointer is on; None elsewhere."""
        places = [(TURN, self.turner_in_view(view))]
        places += list(zip(CORNERS, self.corners_in_view(view), strict=True))  # type: ignore[arg-type]
        for what, (x, y) in places:
            if max(abs(pointer.view_x - x), abs(pointer.view_y - y)) <= NEAR:
                return what
        return None

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Thin lines and the handles."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        corners = [QPointF(x, y) for x, y in self.corners_in_view(view)]
        turner = QPointF(*self.turner_in_view(view))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(faint(QColor(SELECTED), 170), 1, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawPolygon(corners)
        painter.drawLine((corners[0] + corners[1]) / 2, turner)
        handle(painter, turner.x(), turner.y(), ring=True)
        painter.setPen(QPen(QColor(SELECTED), 1.5))
        painter.setBrush(QColor("#ffffff"))
        for corner in corners:
            painter.drawRect(QRectF(corner.x() - 3, corner.y() - 3, 6, 6))


def under(surface: Surface, pointer: Pointer) -> Hit:
    """Return what the pointer is on."""
    ids = surface.workbench.selection.ids
    return hit(surface.index, pointer.x, pointer.y, pointer.near, ids)


def snapped(surface: Surface, pointer: Pointer, without: Collection[str] = ()) -> Pointer:
    """The pointer on the corner or else the edge of another region that is near, if that is wanted.

    Alt leaves it where it is.
    """
    if pointer.alt or not surface.workbench.settings.get(SNAP):
        return pointer
    here, near = np.array(pointer.place), pointer.near
    others = [each for each in surface.index.near(*pointer.place, near) if each.id not in without]
    corners = np.vstack([np.empty((0, 2)), *(region.array for region in others)])
    distances = np.hypot(*(corners - here).T)
    if not len(corners) or distances.min() > near:
        edges = [nearest_edge(region, *pointer.place) for region in others]
        corners = np.array([foot for _, _, foot in edges]).reshape(-1, 2).round()
        distances = np.array([distance for _, distance, _ in edges])
    if not len(corners) or distances.min() > near:
        return pointer
    x, y = corners[distances.argmin()].tolist()
    return replace(pointer, x=x, y=y)


def _on_outline(found: Hit) -> bool:
    return found.part in (Part.HANDLE, Part.EDGE)


def pick(surface: Surface, pointer: Pointer) -> bool:
    """Select what is under the pointer; Shift adds it or takes it out. False on empty paper.

    On the outline of a selected region a click means that one, so that a double click finds it.
    A proposal there that is smaller than the region is meant by keys from then on.
    """
    selection, proposals = surface.workbench.selection, surface.workbench.state(Proposals)
    found = under(surface, pointer)
    if pointer.shift:
        region = found.candidates[0] if found.candidates else None
        if region is not None:
            selection.toggle(region.id)
        return region is not None
    region = found.region if _on_outline(found) else clicked(found, selection.primary)
    proposal = proposals.at(pointer.x, pointer.y)
    if proposal and (region is None or polygon.area(proposal.outline) < region.area):
        proposals.choose(proposal)
        return True
    selection.set([region.id] if region else [])
    return region is not None


def point_out(surface: Surface, pointer: Pointer) -> None:
    """Select what a menu at the pointer is about; what is selected already stays so.

    That is what a first click selects there: the smallest region or proposal. On empty paper it is
    the page, and nothing is selected.
    """
    selection, proposals = surface.workbench.selection, surface.workbench.state(Proposals)
    found = under(surface, pointer)
    smallest = found.candidates[0] if found.candidates else None
    region = found.region if _on_outline(found) else smallest
    proposal = proposals.at(pointer.x, pointer.y)
    if proposal and (region is None or polygon.area(proposal.outline) < region.area):
        proposals.choose(proposal)
    elif region is None:
        selection.clear()
    elif region.id not in selection:
        selection.set([region.id])


class ClickOr(Gesture):
    """A press that selects if it stays a click; a drag becomes what ``drag`` makes of it."""

    def __init__(self, surface: Surface, pointer: Pointer) -> None:
        super().__init__(surface)
        self.start = pointer
        self.dragged = False

    def move(self, pointer: Pointer) -> None:
        """Begin to drag once the pointer has moved far enough."""
        if not self.dragged and pointer.moved_from(self.start):
            self.dragged = True
            self.begin(self.start)
        if self.dragged:
            self.drag(pointer)
            self.surface.refresh()

    def release(self, pointer: Pointer) -> None:
        """End the drag, or select."""
        self.move(pointer)  # the button may go up where no move was told of
        self.over = True
        if self.dragged:
            self.drop(pointer)
        else:
            self.click(pointer)
        self.surface.refresh()

    def begin(self, pointer: Pointer) -> None:
        """It is a drag; this is where it began."""

    def drag(self, pointer: Pointer) -> None:
        """The pointer moves on."""

    def drop(self, pointer: Pointer) -> None:
        """The drag is over."""

    def click(self, pointer: Pointer) -> None:
        """It was a click."""
        pick(self.surface, pointer)


Result = TypeVar("Result")

_FRAME = 0.012  # s: what is found within is seen in the next frame, without one of the stroke
_LONGEST = 60.0  # s that a key waits for what is being found


class Landing(Gesture):
    """Finds something in a thread and does something with it; the window goes on meanwhile.

    A press or a key that comes before waits, so that a digit labels what was drawn.

    Parameters
    ----------
    drawn : Gesture
        What was drawn; it is painted until the result is there.
    find : callable
        Plain work on frozen values; its last argument is the progress to report to.
    *arguments : object
        Its other arguments.
    then : callable
        Called with the result, if the document is still the same.
    """

    def __init__(
        self,
        drawn: Gesture,
        find: Callable[..., Result],
        *arguments: object,
        then: Callable[[Result], object],
    ) -> None:
        super().__init__(drawn.surface)
        self._drawn, self._then = drawn, then
        self._document = drawn.surface.workbench.document
        self._finding = Task(urgent=True)
        self._finding.start(find, *arguments, done=self._arrived, failed=self._failed)
        self._finding.wait(_FRAME)

    def release(self, pointer: Pointer) -> None:
        """It goes on."""

    def settle(self) -> None:
        """Wait until it is there; the page is painted meanwhile, further input waits."""
        background.wait_for(lambda: not self._finding.busy, _LONGEST)

    def cancel(self) -> None:
        """Finish what was drawn, unless the page is another."""
        if self.surface.workbench.document is self._document:
            self.settle()
        self._finding.cancel()
        super().cancel()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint what was drawn."""
        self._drawn.paint(painter, view)

    def _arrived(self, result: Any) -> None:
        self.over = True
        if self.surface.workbench.document is self._document:
            self._then(result)
        self.surface.refresh()

    def _failed(self, error: Exception) -> None:
        self.over = True
        self.surface.refresh()
        raise error


EDITING = "select"  # the tool that changes outlines


class DrawingTool(Tool):
    """A tool that draws; outlines are changed in Select, where a double click leads."""

    def double_click(self, pointer: Pointer) -> bool:
        """Go to Select with the region there, until it is no longer selected."""
        self.workbench.selection.clear()
        if not pick(self.surface, pointer) or not self.workbench.selected:
            return False
        self.workbench.borrow_tool(EDITING)
        return True


class ShapeDrawing(ClickOr):
    """A press in a drawing tool; a drag draws, and ends the selection unless it changes that.

    Parameters
    ----------
    surface : Surface
    pointer : Pointer
        The press.
    changes : bool
        Whether Shift and Alt mean the selected region, not a new one.
    """

    def __init__(self, surface: Surface, pointer: Pointer, *, changes: bool = False) -> None:
        super().__init__(surface, pointer)
        self.removes = changes and pointer.alt
        self.changes = changes and (pointer.shift or pointer.alt)
        if self.changes:
            surface.workbench.editing.select_at_hand()
        self._selected = surface.workbench.selection.ids  # others may be, before the drag ends

    def begin(self, pointer: Pointer) -> None:
        """Something new begins."""
        if not self.changes:
            self.surface.workbench.editing.begin_drawing()

    def cancel(self) -> None:
        """Forget what was being drawn; what was selected before is selected again."""
        super().cancel()
        if self.dragged and not self.changes:
            self.surface.workbench.editing.select_again(self._selected)

    def to_change(self) -> Region | None:
        """Return the region that Shift or Alt changes; None, and said why, if it is not one."""
        document = self.surface.workbench.document
        selected = document.regions_of(self._selected) if document is not None else ()
        if len(selected) == 1:
            return selected[0]
        what = "Alt takes away from it" if self.removes else "Shift adds to it"
        found = f"{len(selected)} are selected" if selected else "none is selected"
        self.surface.workbench.editing.refuse(f"Select one region first: {what}, and {found}")
        return None
