"""Hands the pointer and the keys to the tool and to the gesture under way."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent

from spotlab.gui.canvas.pointer import NEAR, Pointer
from spotlab.gui.canvas.tool import Gesture, Surface, Tool, ToolKind
from spotlab.registry import guarded

_OF_GESTURES = (
    Qt.Key.Key_Escape,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_Delete,
)


class Pointing:
    """The tool that is chosen and its gesture."""

    def __init__(self, surface: Surface, tools: Mapping[str, ToolKind]) -> None:
        self._surface = surface
        self._tools = tools
        self._kind: ToolKind | None = None
        self._tool: Tool | None = None  # made when it is used first
        self._gesture: Gesture | None = None
        self._place: QPointF | None = None  # on the canvas
        self._held = Qt.KeyboardModifier.NoModifier

    @property
    def tool(self) -> Tool:
        """The tool that is chosen."""
        if self._tool is None:
            kind = self._kind
            made = guarded(kind, partial(kind.make, self._surface)) if kind else None
            self._tool = made or Tool(self._surface)
        return self._tool

    @property
    def gesture(self) -> Gesture | None:
        """What is under way; a gesture may end by itself."""
        while self._gesture is not None and self._gesture.over:
            self._gesture = self._gesture.following
        return self._gesture

    @property
    def pointer(self) -> Pointer | None:
        """Where the pointer is on the page as it is shown now; None while it is elsewhere."""
        return None if self._place is None else self.at(self._place, self._held)

    def choose(self, name: str) -> None:
        """Use another tool, "" for none; what was under way is given up."""
        self.cancel()
        self._kind, self._tool = self._tools.get(name), None
        self._surface.refresh()

    def cancel(self) -> bool:
        """Give up what is under way, without a trace."""
        gesture, self._gesture = self.gesture, None
        if gesture is None:
            return False
        gesture.cancel()
        self._surface.refresh()
        return True

    def follow(self, event: QMouseEvent) -> Pointer:
        """The pointer is where an event says; every event of the mouse comes by here."""
        self._place, self._held = event.position(), event.modifiers()
        return self.at(self._place, self._held)

    def leave(self) -> None:
        """The pointer is elsewhere."""
        self._place = None

    def look(self) -> Qt.CursorShape | None:
        """See what the pointer is over now; gives the shape that it should have, as `move`."""
        pointer = self.pointer
        return None if pointer is None or self.gesture else self.tool.hover(pointer)

    def document_changed(self) -> None:
        """The gesture under way may hold what is no longer there."""
        if self.gesture:
            self.gesture.document_changed()
            self._surface.refresh()

    def at(self, place: QPointF, held: Qt.KeyboardModifier) -> Pointer:
        """The pointer at a place of the window."""
        view = self._surface.view
        x, y = view.to_page(place.x(), place.y())
        return Pointer(
            x,
            y,
            place.x(),
            place.y(),
            NEAR / view.scale,
            shift=bool(held & Qt.KeyboardModifier.ShiftModifier),
            alt=bool(held & Qt.KeyboardModifier.AltModifier),
            control=bool(held & Qt.KeyboardModifier.ControlModifier),
        )

    def press(self, event: QMouseEvent) -> None:
        """A button is down."""
        self.settle()
        pointer = self.follow(event)
        if self.gesture:
            self.gesture.press(pointer)
        else:
            self._gesture = self.tool.press(pointer)
        self._surface.workbench.editing.forget_labelled()
        self._surface.refresh()

    def move(self, event: QMouseEvent) -> Qt.CursorShape | None:
        """The pointer has moved; gives the shape that it should have outside of gestures."""
        pointer = self.follow(event)
        if self.gesture is None:
            return self.tool.hover(pointer)
        self.gesture.move(pointer)
        self._surface.refresh()
        return None

    def release(self, event: QMouseEvent) -> None:
        """The button is up."""
        pointer = self.follow(event)
        if self.gesture:
            self.gesture.release(pointer)
            self._surface.refresh()

    def double_click(self, event: QMouseEvent) -> None:
        """The second press of a double click."""
        self.settle()
        pointer = self.follow(event)
        if self.gesture:
            meant = self.gesture.double_click(pointer)
            self._surface.refresh()
            if meant:
                return
        self._gesture = _SecondPress(self._surface, self.tool, pointer)

    def point_out(self, place: QPointF) -> None:
        """Choose what a menu at a place of the canvas is about."""
        pointer = self.at(place, Qt.KeyboardModifier.NoModifier)
        if not any(layer.point_out(pointer) for layer in self._surface.layers.values()):
            self.tool.point_out(pointer)

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key must not be taken for a shortcut of the window."""
        self.settle()
        if self.gesture is not None:
            undo = event.matches(QKeySequence.StandardKey.Undo)
            return event.key() in _OF_GESTURES or undo
        return self.tool.wants(event)

    def key(self, event: QKeyEvent) -> bool:
        """A key, and whether the gesture or the tool took it."""
        self.settle()
        if self.gesture is not None:
            if event.key() == Qt.Key.Key_Escape:
                return self.cancel()
            took = self.gesture.key(event)
            self._surface.refresh()
            undo = event.matches(QKeySequence.StandardKey.Undo)
            return took or event.key() in _OF_GESTURES or undo
        return self.tool.key(event)

    def settle(self) -> None:
        """Wait for what goes on by itself: what was drawn is there."""
        if self.gesture:
            self.gesture.settle()


class _SecondPress(Gesture):
    """The second press of a double click; a drag makes it the beginning of something new.

    Strokes that follow each other quickly begin at the same place where walls meet.
    """

    def __init__(self, surface: Surface, tool: Tool, pointer: Pointer) -> None:
        super().__init__(surface)
        self._tool, self._start = tool, pointer

    def move(self, pointer: Pointer) -> None:
        """Begin something new once the pointer has moved far enough."""
        if pointer.moved_from(self._start):
            self._begin()
            if self.following is not None:
                self.following.move(pointer)

    def release(self, pointer: Pointer) -> None:
        """Tell the tool of a double click, then the layers; else it is one more click."""
        self.move(pointer)
        if not self.over and not self._is_meant():
            self._begin()
        self.over = True
        if self.following is not None:
            self.following.release(pointer)

    def _is_meant(self) -> bool:
        layers = self.surface.layers.values()
        return self._tool.double_click(self._start) or any(
            layer.double_click(self._start) for layer in layers
        )

    def _begin(self) -> None:
        self.following = self._tool.press(self._start)
        self.surface.workbench.editing.forget_labelled()
        self.over = True
