"""The canvas: shows a page and its regions, hands what the user does to a tool."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from spotlab.editing.document import Edit
from spotlab.gui.canvas import navigation
from spotlab.gui.canvas.minimap import Minimap
from spotlab.gui.canvas.page_layer import PageLayer
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.region_layer import RegionLayer, draw_caption
from spotlab.gui.canvas.selection_layer import paint_hovered, paint_selected
from spotlab.gui.canvas.tiles import Source
from spotlab.gui.canvas.view import View
from spotlab.gui.tools.base import Gesture, Tool, ToolKind
from spotlab.gui.workbench import Workbench
from spotlab.model import Region
from spotlab.registry import discover

GESTURE_KEYS = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Backspace)
UNDO = QKeySequence.StandardKey.Undo
CAPTIONS_UP_TO = 50  # selected regions that have their labels written


class Canvas(QWidget):
    """A page with its regions, and the tool that works on them.

    Signals
    -------
    viewed : the scale, the place or the angle of the page is another one
    pointed : a line about what the pointer is over
    """

    viewed = Signal()
    pointed = Signal(str)
    context_requested = Signal(QPoint)

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.view = View()
        self.page_layer = PageLayer(self.update)
        self.regions = RegionLayer(self.update)
        self.gesture: Gesture | None = None
        self.hovered: Region | None = None
        self.active_handle: int | None = None
        self.fitted = True
        self.brightness = self.contrast = 0.0
        self.navigation = navigation.Navigation(self)
        self.minimap = Minimap(self)
        self.tools: dict[str, ToolKind] = discover("spotlab.gui.tools", ToolKind)
        self.tool: Tool = self.tools[workbench.tool].make(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(200, 150)
        self.setAccessibleName("Page")
        workbench.page_changed.connect(self._use_page)
        workbench.pixels_changed.connect(self._use_pixels)
        workbench.ink_changed.connect(self._use_pixels)
        workbench.document_changed.connect(self._follow)
        workbench.selection_changed.connect(self.update)
        workbench.labels_changed.connect(self._colour)
        workbench.tool_changed.connect(self._use_tool)
        self._use_page()

    # What is shown

    @property
    def settled(self) -> bool:
        """Whether all that is to be seen is drawn at its best."""
        return self.page_layer.tiles.settled and self.regions.settled

    def set_view(self, view: View) -> None:
        """Look at the page like this."""
        if view != self.view:
            self.view = view
            self.viewed.emit()
            self.update()

    def fit(self) -> None:
        """Show the whole page, also when the widget changes its size."""
        self.set_view(self.view.fitted())
        self.fitted = True

    def show_region(self, region: Region) -> None:
        """Bring a region into the widget."""
        self.set_view(self.view.showing(region.bounds))
        self.fitted = False

    def set_tones(self, brightness: float, contrast: float) -> None:
        """Show the page brighter or with more contrast, both −1 … 1; the file stays as it is."""
        self.brightness, self.contrast = brightness, contrast
        self._use_pixels()

    def _use_page(self) -> None:
        self.cancel()
        document = self.workbench.document
        self.hovered = None
        self.regions.use(document, self.workbench.labels)
        if document is not None:
            self.view = replace(self.view, page=(document.page.width, document.page.height))
            self.view = replace(self.view, angle=0.0).fitted()
            self.fitted = True
            self.viewed.emit()
        self._use_pixels()

    def _use_pixels(self) -> None:
        pixels = self.workbench.pixels
        source = None
        if pixels is not None:
            ink = self.workbench.ink.page
            view = self.workbench.ink.view
            source = Source(
                pixels.pyramid,
                ink if view != "raw" else None,
                view,
                view == "components" and ink is not None and ink.ready,
                self.brightness,
                self.contrast,
            )
        self.page_layer.use(source)
        self.update()

    def _follow(self, edits: tuple[Edit, ...]) -> None:
        self.regions.follow(edits)
        if self.hovered is not None:
            self.hovered = self.regions.index.get(self.hovered.id)
        self.update()

    def _colour(self) -> None:
        self.regions.colour(self.workbench.labels)
        self.update()

    # Tools and gestures

    @property
    def tool_kind(self) -> ToolKind:
        """The tool in use, as it is offered."""
        return self.tools[self.workbench.tool]

    def cancel(self) -> None:
        """End the gesture without a trace."""
        if self.gesture is not None:
            self.gesture.cancel()
            self.gesture = None
            self.update()

    def _use_tool(self) -> None:
        self.cancel()
        self.tool.leave()
        self.active_handle = None
        self.tool = self.tool_kind.make(self)
        self.setCursor(self.tool.cursor)
        self.update()

    def _tidy(self) -> None:
        """Forget the gesture if it is over."""
        if self.gesture is not None and self.gesture.over:
            self.gesture = None
        self.update()

    # Events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture or go on with it."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self.navigation.press(event) or self.minimap.press(event):
            return
        if event.button() != Qt.MouseButton.LeftButton or self.workbench.document is None:
            return
        pointer = Pointer.of(event, self.view)
        if self.gesture is not None:
            self.gesture.press(pointer)
        else:
            self.gesture = self.tool.begin(pointer)
        self._tidy()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with a gesture, or say what the pointer is over."""
        if self.navigation.move(event) or self.minimap.move(event):
            return
        if self.workbench.document is None:
            return
        pointer = Pointer.of(event, self.view)
        if self.gesture is not None:
            self.gesture.move(pointer)
            self._tidy()
        else:
            self.tool.hover(pointer)
        self._point(pointer)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a gesture, or a part of it."""
        if self.navigation.release(event) or self.minimap.release(event):
            return
        if event.button() == Qt.MouseButton.LeftButton and self.gesture is not None:
            self.gesture.release(Pointer.of(event, self.view))
            self._tidy()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Close an outline, add a point."""
        if event.button() != Qt.MouseButton.LeftButton or self.workbench.document is None:
            self.mousePressEvent(event)
            return
        pointer = Pointer.of(event, self.view)
        if self.gesture is not None:
            self.gesture.double_click(pointer)
        else:
            self.tool.double_click(pointer)
        self._tidy()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom, or pan with a touchpad."""
        self.navigation.wheel(event)

    def event(self, event: QEvent) -> bool:
        """Pinch to zoom; keys of a gesture come before shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and self.wants(event):
            event.accept()
            return True
        return self.navigation.pinch(event) or super().event(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer is over something else."""
        self.hovered = None
        self.tool.leave()
        self.pointed.emit("")
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the region here."""
        if self.gesture is not None:
            self.cancel()
            return
        if self.workbench.document is not None:
            x, y = self.view.to_page(event.pos().x(), event.pos().y())
            here = self.regions.index.regions_at(x, y)
            if here and not any(region.id in self.workbench.selection for region in here):
                self.workbench.selection.set([here[0].id])
        self.context_requested.emit(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the middle, or all of the page, in sight."""
        self.view = self.view.resized(self.width(), self.height())
        if self.fitted:
            self.view = self.view.fitted()
        self.viewed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys of a gesture; all others are actions of the window."""
        if not self.navigation.key_press(event) and not self._gesture_key(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space was let go."""
        if not self.navigation.key_release(event):
            super().keyReleaseEvent(event)

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key belongs to the gesture under way and not to a shortcut."""
        return self.gesture is not None and (event.key() in GESTURE_KEYS or event.matches(UNDO))

    def _gesture_key(self, event: QKeyEvent) -> bool:
        gesture = self.gesture
        if gesture is None:
            return False
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.cancel()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            gesture.confirm()
        elif key == Qt.Key.Key_Backspace or event.matches(UNDO):
            if not gesture.step_back():
                self.cancel()
        else:
            return False
        self._tidy()
        return True

    # Painting

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the page, its regions, what is selected and what is under way."""
        painter = QPainter(self)
        desk = self.palette().color(QPalette.ColorRole.Mid)
        painter.fillRect(self.rect(), desk)
        if self.workbench.document is None:
            painter.end()
            return
        view, ratio = self.view, self.devicePixelRatioF()
        self._paint_sheet(painter, view)
        self.page_layer.paint(painter, view, ratio)
        selected = [region for region in self.workbench.selected]
        gesture = self.gesture
        away = gesture.hidden if gesture else frozenset()
        drawn_over = away | {region.id for region in selected}
        self.regions.paint(painter, view, ratio, frozenset(drawn_over))
        shown = [region for region in selected if region.id not in away]
        if self.hovered and gesture is None and self.hovered.id not in drawn_over:
            paint_hovered(painter, view, self.hovered)
        if shown:
            paint_selected(painter, view, shown, self.regions.colour_of(shown[-1]))
            for region in shown[-CAPTIONS_UP_TO:]:
                draw_caption(painter, view, region, self.regions.colour_of(region))
        if gesture is not None:
            gesture.paint(painter, view)
        else:
            self.tool.paint(painter, view)
        self.minimap.paint(painter)
        painter.end()

    def _paint_sheet(self, painter: QPainter, view: View) -> None:
        """White paper with a soft edge, whatever the page is."""
        painter.save()
        painter.setTransform(view.transform, True)
        sheet = QRectF(0, 0, *view.page)
        painter.setPen(Qt.PenStyle.NoPen)
        for spread, alpha in ((6, 14), (3, 22), (1, 46)):
            around = spread / view.scale
            painter.fillRect(
                sheet.adjusted(-around, -around, around, around), QColor(0, 0, 0, alpha)
            )
        painter.fillRect(sheet, Qt.GlobalColor.white)
        painter.restore()

    def _point(self, pointer: Pointer) -> None:
        """Say what the pointer is over."""
        x, y = math.floor(pointer.x), math.floor(pointer.y)
        region = self.hovered
        text = f"x {x}  y {y}"
        if region is not None:
            text += f"   ·   {region.label or 'no label'}, {region.area:,.0f} px²"
        self.pointed.emit(text)
