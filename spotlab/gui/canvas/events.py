"""Hands the canvas' events to the navigation, to the tool, to the layers and to the selection."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QRegion,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from spotlab.editing.operations import bounds_of
from spotlab.gui.canvas.overlay import banner
from spotlab.gui.canvas.shown_page import ShownPage
from spotlab.model import Region


def paint(painter: QPainter, canvas: ShownPage, exposed: QRegion) -> None:
    """The page, its regions, what stands out, and the gesture, as far as it is exposed."""
    dark = canvas.palette().window().color().lightness() < 128
    behind = QColor("#202327" if dark else "#d5d9df")  # neither paper nor ink
    workbench, view = canvas.workbench, canvas.view
    if workbench.document is None:
        painter.fillRect(canvas.rect(), behind)
        empty = "Open a folder of pages, or drop images here"
        text = workbench.problem or (empty if workbench.index is None else "")
        banner(painter, view, text, QColor("#9aa3af" if dark else "#4b5563"))
        return
    layers = [layer for layer in canvas.layers.values() if layer.shown]
    hidden = any(layer.hides_regions for layer in layers)
    canvas.backdrop.paint(painter, view, behind, regions=not hidden)
    for layer in layers:
        layer.paint(painter, view)
    if not hidden and canvas.region_layer.visible:
        gone = canvas.region_layer.hidden
        index = canvas.region_layer.index
        part = None if exposed.contains(canvas.rect()) else exposed
        canvas.overlay.waits = canvas.region_layer.lacks(view)
        canvas.overlay.paint(painter, view, index, workbench.selection.ids, gone, part)
    if hidden or canvas.region_layer.visible:
        (canvas.pointing.gesture or canvas.pointing.tool).paint(painter, view)


_SHIFT = Qt.KeyboardModifier.ShiftModifier
_HELD = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta)
_TABS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class CanvasEvents(QObject):
    """Filters the events of a canvas: each goes to whom it is for."""

    def __init__(self, canvas: ShownPage, widget: QWidget) -> None:
        super().__init__(widget)
        self._canvas = canvas
        self._pointing, self._navigation = canvas.pointing, canvas.navigation
        self._workbench, self._overlay, self._note = (
            canvas.workbench,
            canvas.overlay,
            canvas.note,
        )
        self._looked_until = 0.0  # ms, by the clock of the events
        self._look_soon = QTimer(self, singleShot=True, interval=0)
        self._look_soon.timeout.connect(self.look_again)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """True where the event has been dealt with and the widget needs not see it."""
        match event:
            case QMouseEvent():
                return self._mouse(event)
            case QWheelEvent():
                self._navigation.wheel(event)
                event.accept()
                return True
            case QKeyEvent():
                return self._key(event)
            case QNativeGestureEvent():
                return self._navigation.native(event)
            case QContextMenuEvent():
                self._offer_menu(event)
                return True
        match event.type():
            case QEvent.Type.Leave:
                self._leave()
            case QEvent.Type.FocusOut | QEvent.Type.WindowDeactivate:
                self._navigation.forget()
        return False

    def _mouse(self, event: QMouseEvent) -> bool:
        match event.type():
            case QEvent.Type.MouseButtonPress:
                self._note.hide()
                self._workbench.acted.emit()
                self._canvas.setFocus(Qt.FocusReason.MouseFocusReason)
                if not self._navigation.press(event) and self._for_tools(event):
                    self._pointing.press(event)
            case QEvent.Type.MouseButtonDblClick:
                self._note.hide()
                self._workbench.acted.emit()
                if not self._navigation.press(event) and self._for_tools(event):
                    self._pointing.double_click(event)
                    self._tell_pointer()
            case QEvent.Type.MouseButtonRelease:
                if self._navigation.release(event):
                    self.look_again()
                elif self._for_tools(event):
                    self._pointing.release(event)
                    self._tell_pointer()
            case QEvent.Type.MouseMove:
                self._pointing.follow(event)
                if not self._navigation.move(event) and self._workbench.document is not None:
                    self._move(event)
            case _:
                return False
        return True

    def _move(self, event: QMouseEvent) -> None:
        """Go on with the gesture, or look what the pointer is over.

        No move is merged with the next one, for strokes; where looking takes long, the moves that
        have come meanwhile are passed over.
        """
        if self._pointing.gesture is None and 0 < event.timestamp() < self._looked_until:
            self._look_soon.start()
            return
        began = perf_counter()
        self._show_shape(self._pointing.move(event))
        self._tell_pointer()
        self._looked_until = event.timestamp() + 1000 * (perf_counter() - began)

    def _key(self, event: QKeyEvent) -> bool:
        """Keys that are meant for the page are no shortcuts of the window."""
        if event.type() == QEvent.Type.KeyRelease:
            return self._key_up(event)
        self._note.hide()
        if event.key() not in _HELD:
            self._workbench.acted.emit()
        answer = self._answer(event)
        if event.type() == QEvent.Type.ShortcutOverride:
            space = event.key() == Qt.Key.Key_Space
            if space or self._pointing.wants(event) or answer is not None:
                event.accept()
                return True
            return False
        if answer is not None:
            answer()
            return True
        return event.key() not in _TABS and self._key_down(event)

    def _key_down(self, event: QKeyEvent) -> bool:
        """Space, zoom, the tool's keys, then the selection's."""
        if self._navigation.key(event, True):
            if self._navigation.space:
                self._canvas.setCursor(Qt.CursorShape.OpenHandCursor)
            return True
        if event.key() == Qt.Key.Key_F10 and event.modifiers() == _SHIFT:
            self._ask_for_menu()
            return True
        return self._pointing.key(event) or self._selection_key(event)

    def _key_up(self, event: QKeyEvent) -> bool:
        if not self._navigation.key(event, False):
            return False
        self._canvas.setCursor(self._pointing.tool.cursor)
        self.look_again()
        return True

    def _offer_menu(self, event: QContextMenuEvent) -> None:
        """Choose what is under the pointer; whoever owns the canvas shows a menu of it."""
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            self._ask_for_menu()
        elif self._may_offer() and self._canvas.childAt(event.pos()) is None:
            # what floats over the canvas has no menu
            self._pointing.point_out(QPointF(event.pos()))
            self._canvas.context_requested.emit(event.globalPos())

    def _may_offer(self) -> bool:
        return self._pointing.gesture is None and self._workbench.document is not None

    def _ask_for_menu(self) -> None:
        """By a key: of what is selected, at its place."""
        if not self._may_offer():
            return
        canvas, selected = self._canvas, self._workbench.selected
        place = canvas.rect().center()
        if selected:
            left, top, right, bottom = bounds_of(selected)
            middle = canvas.view.to_view((left + right) / 2, (top + bottom) / 2)
            shown = QPointF(*middle).toPoint()
            place = shown if canvas.rect().contains(shown) else place
        canvas.context_requested.emit(canvas.mapToGlobal(QPoint(place)))

    def _leave(self) -> None:
        self._pointing.leave()
        self._overlay.hovered = None
        self._canvas.pointer_moved.emit("")
        self._canvas.refresh()

    def _answer(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key means to a layer; None where it means something else."""
        if self._pointing.wants(event) or self._pointing.gesture is not None:
            return None
        answers = (layer.answer(event) for layer in self._canvas.layers.values())
        return next((answer for answer in answers if answer is not None), None)

    def _for_tools(self, event: QMouseEvent) -> bool:
        left = event.button() == Qt.MouseButton.LeftButton
        return left and self._workbench.document is not None

    def _selection_key(self, event: QKeyEvent) -> bool:
        selection, document = self._workbench.selection, self._workbench.document
        if document is None or not self._workbench.draws:
            return False
        if event.key() == Qt.Key.Key_Escape and len(selection):
            selection.clear()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and len(selection):
            self._workbench.editing.remove_selected()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            reachable = self._canvas.index
            selection.set(filter(reachable.__contains__, document.ids))
        else:
            return False
        return True

    def look_again(self) -> None:
        """The page, its regions or the view are others: so is what the pointer is over."""
        if self._pointing.pointer is None:
            return
        if self._workbench.document is None:
            self._overlay.hovered = None
            self._canvas.pointer_moved.emit("")
            return
        self._show_shape(self._pointing.look())
        self._tell_pointer()

    def _show_shape(self, shape: Qt.CursorShape | None) -> None:
        if shape is not None:
            space = self._navigation.space
            self._canvas.setCursor(Qt.CursorShape.OpenHandCursor if space else shape)

    def _tell_pointer(self) -> None:
        """Say what the pointer is over; during a gesture, or with the page, only where it is."""
        pointer = self._pointing.pointer
        if pointer is None:
            return
        if self._navigation.holds:
            self._overlay.hovered = None  # all of the window is painted anyway
        if self._navigation.holds or self._pointing.gesture is not None:
            self._canvas.pointer_moved.emit(_place(pointer.x, pointer.y))
            return
        text = self._pointing.tool.describe(pointer)
        for layer in self._canvas.layers.values():
            text = text or layer.describe(pointer)
        regions = self._canvas.index.regions_at(*pointer.place) if text is None else []
        hovered = regions[0].id if regions else None
        if hovered != self._overlay.hovered:
            changed = self._overlay.hover(hovered, self._canvas.view)
            if changed is None:
                self._canvas.refresh()
            else:
                self._canvas.update(changed)
        self._canvas.pointer_moved.emit(text or _described(pointer.x, pointer.y, regions))


def _place(x: float, y: float) -> str:
    return f"x {int(x // 1):,}  y {int(y // 1):,}"


def _described(x: float, y: float, regions: list[Region]) -> str:
    """The place, and the smallest region there with its area."""
    parts = [_place(x, y)]
    if regions:
        more = f" (+{len(regions) - 1})" if len(regions) > 1 else ""
        parts.append((regions[0].label or "unlabeled") + more)
        parts.append(f"{regions[0].area:,.0f} px²")
    return " · ".join(parts)
