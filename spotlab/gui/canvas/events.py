"""The canvas' events, handed to the navigation, to the tool, and to the selection."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from spotlab.editing.hit import RegionIndex
from spotlab.editing.operations import bounds_of
from spotlab.geometry import polygon
from spotlab.gui.annotate.similar.proposal_keys import Answer, answer_for
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.similar.proposals_layer import caption
from spotlab.gui.canvas.navigation import Navigation
from spotlab.gui.canvas.overlay import Overlay
from spotlab.gui.canvas.pointer_note import PointerNote
from spotlab.gui.canvas.pointing import Pointing
from spotlab.gui.canvas.tool import Pointer
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Region

_SHIFT = Qt.KeyboardModifier.ShiftModifier


class CanvasEvents(QWidget):
    """A widget that knows who an event is for; `Canvas` paints it."""

    context_requested = Signal(QPoint)  # on the screen
    pointer_moved = Signal(str)  # what is under the pointer, in words

    workbench: Workbench
    view: ViewTransform
    index: RegionIndex
    overlay: Overlay
    navigation: Navigation
    pointing: Pointing
    note: PointerNote

    @property
    def pointer(self) -> Pointer | None:
        """Where the pointer is on the page as it is shown now; None while it is elsewhere."""
        return self.pointing.pointer

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the page, or begin a gesture."""
        self.note.hide()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if not self.navigation.press(event) and self._for_tools(event):
            self.pointing.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the page, go on with the gesture, or look what is under the pointer."""
        self.pointing.follow(event)
        if self.navigation.move(event) or self.workbench.document is None:
            return
        self._show_shape(self.pointing.move(event))
        self._tell_pointer()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the page, or end the gesture."""
        if not self.navigation.release(event) and self._for_tools(event):
            self.pointing.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Close a polygon, add a point, …"""
        if not self.navigation.press(event) and self._for_tools(event):
            self.pointing.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom or move; also in the middle of a gesture."""
        self.navigation.wheel(event)
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Choose what is under the pointer; whoever owns the canvas shows a menu of it."""
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            self._ask_for_menu()
        elif self._may_offer() and self.childAt(event.pos()) is None:  # what floats has no menu
            self.pointing.point_out(QPointF(event.pos()))
            self.context_requested.emit(event.globalPos())

    def _may_offer(self) -> bool:
        return self.pointing.gesture is None and self.workbench.document is not None

    def _ask_for_menu(self) -> None:
        """By a key: of what is selected, at its place."""
        if not self._may_offer():
            return
        place, selected = self.rect().center(), self.workbench.selected
        if selected:
            left, top, right, bottom = bounds_of(selected)
            middle = self.view.to_view((left + right) / 2, (top + bottom) / 2)
            shown = QPointF(*middle).toPoint()
            place = shown if self.rect().contains(shown) else place
        self.context_requested.emit(self.mapToGlobal(place))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space, zoom, the tool's keys, then the selection's."""
        if self.navigation.key(event, True):
            if self.navigation.space:
                self.setCursor(Qt.CursorShape.OpenHandCursor)
        elif event.key() == Qt.Key.Key_F10 and event.modifiers() == _SHIFT:
            self._ask_for_menu()
        elif not self.pointing.key(event) and not self._selection_key(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space is up."""
        if self.navigation.key(event, False):
            self.setCursor(self.pointing.tool.cursor)
            self.look_again()
        else:
            super().keyReleaseEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer."""
        self.pointing.leave()
        self.overlay.hovered = None
        self.pointer_moved.emit("")
        self.update()

    def event(self, event: QEvent) -> bool:
        """Keys that are meant for the gesture are no shortcuts; pinches zoom."""
        kind = event.type()
        if kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            self.note.hide()
        if kind == QEvent.Type.ShortcutOverride and self._wants(event):
            event.accept()
            return True
        if kind == QEvent.Type.KeyPress and (answer := self._answer(event)):  # Tab comes no further
            answer(self.workbench.state(Proposals))
            return True
        if isinstance(event, QNativeGestureEvent) and self.navigation.native(event):
            return True
        if kind in (QEvent.Type.FocusOut, QEvent.Type.WindowDeactivate):
            self.navigation.forget()
        return super().event(event)

    def _wants(self, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        tools = event.key() == Qt.Key.Key_Space or self.pointing.wants(event)
        return tools or self._answer(event) is not None

    def _answer(self, event: QEvent) -> Answer | None:
        """What a key says of the current proposal; None where it means something else."""
        if not isinstance(event, QKeyEvent) or self.pointing.gesture is not None:
            return None
        return None if self.pointing.wants(event) else answer_for(self.workbench, event)

    def _for_tools(self, event: QMouseEvent) -> bool:
        left = event.button() == Qt.MouseButton.LeftButton
        return left and self.workbench.document is not None

    def _selection_key(self, event: QKeyEvent) -> bool:
        selection, document = self.workbench.selection, self.workbench.document
        if document is None or self.workbench.workspace != "annotate":
            return False
        if event.key() == Qt.Key.Key_Escape and len(selection):
            selection.clear()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.workbench.remove_selected()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            selection.set([region.id for region in document])
        else:
            return False
        return True

    def _proposed(self, pointer: Pointer) -> str | None:
        """What is proposed at a place and why, where a click would mean that."""
        proposal = self.workbench.state(Proposals).at(*pointer.place)
        if proposal is None:
            return None
        found = self.index.regions_at(*pointer.place)
        if found and found[0].area <= polygon.area(proposal.outline):
            return None
        why = f" · {proposal.why}" if proposal.why else ""
        return f"{_place(*pointer.place)} · proposed: {caption(proposal)}{why}"

    def look_again(self) -> None:
        """The page, its regions or the view are others: so is what the pointer is over."""
        if self.pointing.pointer is None:
            return
        if self.workbench.document is None:
            self.overlay.hovered = None
            self.pointer_moved.emit("")
            return
        self._show_shape(self.pointing.look())
        self._tell_pointer()

    def _show_shape(self, shape: Qt.CursorShape | None) -> None:
        if shape is not None:
            self.setCursor(Qt.CursorShape.OpenHandCursor if self.navigation.space else shape)

    def _tell_pointer(self) -> None:
        pointer = self.pointing.pointer
        if pointer is None:
            return
        told = self.pointing.tool.describe(pointer) or self._proposed(pointer)
        found = self.index.regions_at(pointer.x, pointer.y) if told is None else []
        hovered = found[0].id if found else None
        if hovered != self.overlay.hovered:
            self.overlay.hovered = hovered
            self.update()
        self.pointer_moved.emit(told or _described(pointer.x, pointer.y, found))


def _place(x: float, y: float) -> str:
    return f"x {int(x // 1):,}  y {int(y // 1):,}"


def _described(x: float, y: float, found: list[Region]) -> str:
    parts = [_place(x, y)]
    if found:
        more = f" (+{len(found) - 1})" if len(found) > 1 else ""
        parts.append((found[0].label or "unlabeled") + more)
        parts.append(f"{found[0].area:,.0f} px²")
    return " · ".join(parts)
