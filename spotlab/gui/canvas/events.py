"""Hands the canvas' events to the navigation, to the tool, to the layers and to the selection."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from spotlab.editing.operations import bounds_of
from spotlab.gui.canvas.navigation import Navigation
from spotlab.gui.canvas.overlay import Overlay, PointerNote
from spotlab.gui.canvas.tool import Pointing, Surface
from spotlab.model import Region

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_HELD = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta)
_TABS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class CanvasEvents(QObject):
    """Filters the events of a canvas: each goes to whom it is for.

    Parameters
    ----------
    widget : QWidget
    surface : Surface
        What the widget shows.
    pointing, navigation, overlay, note
        The parts of the canvas that answer events.
    offer_menu : callable
        Called with the place on the screen where a menu is asked for.
    tell : callable
        Called with what is under the pointer, in words.
    """

    def __init__(
        self,
        widget: QWidget,
        surface: Surface,
        pointing: Pointing,
        navigation: Navigation,
        overlay: Overlay,
        note: PointerNote,
        *,
        offer_menu: Callable[[QPoint], object],
        tell: Callable[[str], object],
    ) -> None:
        super().__init__(widget)
        self._widget, self._surface, self._workbench = widget, surface, surface.workbench
        self._pointing, self._navigation = pointing, navigation
        self._overlay, self._note = overlay, note
        self._offer, self._tell = offer_menu, tell
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
                self._widget.setFocus(Qt.FocusReason.MouseFocusReason)
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
                self._widget.setCursor(Qt.CursorShape.OpenHandCursor)
            return True
        if event.key() == Qt.Key.Key_F10 and event.modifiers() == _SHIFT:
            self._ask_for_menu()
            return True
        return self._pointing.key(event) or self._selection_key(event)

    def _key_up(self, event: QKeyEvent) -> bool:
        if not self._navigation.key(event, False):
            return False
        self._widget.setCursor(self._pointing.tool.cursor)
        self.look_again()
        return True

    def _offer_menu(self, event: QContextMenuEvent) -> None:
        """Choose what is under the pointer; whoever owns the canvas shows a menu of it."""
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            self._ask_for_menu()
        elif self._may_offer() and self._widget.childAt(event.pos()) is None:
            # what floats over the canvas has no menu
            self._pointing.point_out(QPointF(event.pos()))
            self._offer(event.globalPos())

    def _may_offer(self) -> bool:
        return self._pointing.gesture is None and self._workbench.document is not None

    def _ask_for_menu(self) -> None:
        """By a key: of what is selected, at its place."""
        if not self._may_offer():
            return
        widget, selected = self._widget, self._workbench.selected
        place = widget.rect().center()
        if selected:
            left, top, right, bottom = bounds_of(selected)
            middle = self._surface.view.to_view((left + right) / 2, (top + bottom) / 2)
            shown = QPointF(*middle).toPoint()
            place = shown if widget.rect().contains(shown) else place
        self._offer(widget.mapToGlobal(QPoint(place)))

    def _leave(self) -> None:
        self._pointing.leave()
        self._overlay.hovered = None
        self._tell("")
        self._surface.refresh()

    def _answer(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Return what a key means to a layer; None where it means something else."""
        if self._pointing.wants(event) or self._pointing.gesture is not None:
            return None
        answers = (layer.answer(event) for layer in self._surface.layers_here())
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
            reachable = self._surface.index
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
            self._tell("")
            return
        self._show_shape(self._pointing.look())
        self._tell_pointer()

    def _show_shape(self, shape: Qt.CursorShape | None) -> None:
        if shape is not None:
            space = self._navigation.space
            self._widget.setCursor(Qt.CursorShape.OpenHandCursor if space else shape)

    def _tell_pointer(self) -> None:
        """Say what the pointer is over; during a gesture, or with the page, only where it is."""
        pointer = self._pointing.pointer
        if pointer is None:
            return
        if self._navigation.holds:
            self._overlay.hovered = None  # all of the window is painted anyway
        if self._navigation.holds or self._pointing.gesture is not None:
            self._tell(_place(pointer.x, pointer.y))
            return
        text = self._pointing.tool.describe(pointer)
        for layer in self._surface.layers_here():
            text = text or layer.describe(pointer)
        regions = self._surface.index.regions_at(*pointer.place) if text is None else []
        hovered = regions[0].id if regions else None
        if hovered != self._overlay.hovered:
            changed = self._overlay.hover(hovered, self._surface.view)
            if changed is None:
                self._surface.refresh()
            else:
                self._widget.update(changed)
        self._tell(text or _described(pointer.x, pointer.y, regions))


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
