"""Canvas contributions of a workspace: layers, and tools with their current gestures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter

from spotlab.editing.region_index import RegionIndex
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Region
from spotlab.registry import guarded

NEAR = 7.0  # screen px within which the pointer is on a thing
A_DRAG = 4.0  # screen px that make a drag of a click


@dataclass(frozen=True)
class Pointer:
    """Position of the pointer and the modifier keys held with it.

    Attributes
    ----------
    x, y : float
        On the page, in px.
    view_x, view_y : float
        On the screen.
    near : float
        How far off counts as on a thing, in px of the page.
    """

    x: float
    y: float
    view_x: float = 0.0
    view_y: float = 0.0
    near: float = NEAR
    shift: bool = False
    alt: bool = False
    control: bool = False

    @property
    def place(self) -> tuple[float, float]:
        """(x, y) on the page."""
        return self.x, self.y

    def moved_from(self, other: Pointer) -> bool:
        """Tell whether it is so far from the other that it is a drag."""
        return self.far_from(other.x, other.y)

    def far_from(self, x: float, y: float) -> bool:
        """Tell whether it is farther from a place of the page than a click's tremble."""
        return max(abs(self.x - x), abs(self.y - y)) > self.near * A_DRAG / NEAR


class Layer:
    """Paints over the page and answers for what it paints.

    A layer inherits from this class and overrides what it needs. It calls the canvas'
    ``layer_changed`` when it has something else to show.

    Attributes
    ----------
    hides_regions : bool
        Whether the regions of the truth are left out while the layer is shown.
    workspace : str
        The workspace that has it: in others it is not shown and not asked. Empty for all.
    """

    hides_regions: bool = False
    workspace: str = ""

    @property
    def shown(self) -> bool:
        """Tell whether the layer is painted now."""
        return True

    @property
    def busy(self) -> bool:
        """Tell whether a thread is still painting."""
        return False

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint over the page, in screen px."""

    def follow(self) -> None:
        """The page or the workspace has changed."""

    def place(self) -> None:
        """The canvas has another size."""

    def describe(self, pointer: Pointer) -> str | None:
        """Return what is at a place, in words; None where the layer has nothing to say."""
        return None

    def answer(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Return what a key does; None where the layer has no use for it."""
        return None

    def double_click(self, pointer: Pointer) -> bool:
        """A double click that neither a gesture nor the tool has used; True if the layer has."""
        return False

    def point_out(self, pointer: Pointer) -> bool:
        """Choose what a menu at a place is about; False where the tool is to do that."""
        return False

    def stop(self) -> None:
        """The window goes: stop listening and painting."""


class Surface(Protocol):
    """Interface of the canvas for tools."""

    workbench: Workbench
    view: ViewTransform
    index: RegionIndex

    @property
    def pointer(self) -> Pointer | None:
        """Tell where the pointer is on the page as it is shown now; None while it is elsewhere."""

    def layers_here(self) -> list[Layer]:
        """Layers of the current workspace and of all workspaces, from below upwards."""

    def refresh(self) -> None:
        """Paint again soon."""

    def show_instead(self, regions: Iterable[Region], hidden: Iterable[str] = ()) -> None:
        """Show these, as selected, in place of the hidden ones, until called with none."""

    def colour(self, region: Region | None) -> QColor:
        """The colour of a region, or of what is drawn next."""


class Gesture:
    """From the press of a button to its release, or over several clicks until it is ``over``.

    Nothing has changed until it ends; `cancel` leaves no trace.
    """

    over = False
    following: Gesture | None = None  # what goes on when this one is over

    def __init__(self, surface: Surface) -> None:
        self.surface = surface

    def press(self, pointer: Pointer) -> None:
        """A further click of a gesture that goes on between clicks."""

    def move(self, pointer: Pointer) -> None:
        """The pointer has moved, with or without a button."""

    def release(self, pointer: Pointer) -> None:
        """The button is up; most gestures end here."""
        self.over = True

    def double_click(self, pointer: Pointer) -> bool:
        """A second click came at once; False if it ends the gesture and means something else."""
        return True

    def settle(self) -> None:
        """End what goes on by itself, before a press or a key that comes next is answered."""

    def document_changed(self) -> None:
        """Something else than this gesture has changed the document meanwhile."""

    def key(self, event: QKeyEvent) -> bool:
        """A key, and whether it meant something."""
        return False

    def cancel(self) -> None:
        """Leave everything as it was."""
        self.over = True

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint what is under way, in screen px."""


class Tool:
    """Behaviour of the pointer while the tool is active.

    What the pointer is over is asked of the surface whenever it is needed and never kept: regions,
    points and the view may be others by then.
    """

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, surface: Surface) -> None:
        self.surface = surface

    @property
    def workbench(self) -> Workbench:
        """Return what is worked on."""
        return self.surface.workbench

    def press(self, pointer: Pointer) -> Gesture | None:
        """The gesture that a press begins."""
        return None

    def hover(self, pointer: Pointer) -> Qt.CursorShape:
        """The pointer moves without a button; gives the shape that it should have."""
        return self.cursor

    def describe(self, pointer: Pointer) -> str | None:
        """Return what is under the pointer, in words; None where that is the region there."""
        return None

    def double_click(self, pointer: Pointer) -> bool:
        """A double click outside of gestures, and whether it meant something."""
        return False

    def point_out(self, pointer: Pointer) -> None:
        """Choose what a menu at the pointer is about."""

    def wants(self, event: QKeyEvent) -> bool:
        """Tell whether a key that may be a shortcut of the window is meant for the tool now."""
        return False

    def key(self, event: QKeyEvent) -> bool:
        """A key outside of gestures, and whether it meant something."""
        return False

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint what the tool shows between gestures, in screen px."""


@dataclass(frozen=True)
class ToolKind:
    """A tool that can be chosen.

    Attributes
    ----------
    name : str
        By which it is known to settings and commands.
    title : str
        In menus.
    icon : str
        Of qtawesome.
    shortcut : str
        By default.
    hint : str
        A short line on what to do, which the status line has room for.
    keys : str
        What keys and clicks change in that.
    caption : str
        A shorter title, below its icon; empty: the title.
    order : int
        Its place in the menu.
    make : callable
        Makes the tool on a canvas.
    workspace : str
        Where it is offered.
    """

    name: str
    title: str
    icon: str
    shortcut: str
    hint: str
    order: int
    make: Callable[[Surface], Tool]
    workspace: str
    keys: str = ""
    caption: str = ""


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
        """Return what is under way; a gesture may end by itself."""
        while self._gesture is not None and self._gesture.over:
            self._gesture = self._gesture.following
        return self._gesture

    @property
    def pointer(self) -> Pointer | None:
        """Tell where the pointer is on the page as it is shown now; None while it is elsewhere."""
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
        if not any(layer.point_out(pointer) for layer in self._surface.layers_here()):
            self.tool.point_out(pointer)

    def wants(self, event: QKeyEvent) -> bool:
        """Tell whether a key must not be taken for a shortcut of the window."""
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
        return self._tool.double_click(self._start) or any(
            layer.double_click(self._start) for layer in self.surface.layers_here()
        )

    def _begin(self) -> None:
        self.following = self._tool.press(self._start)
        self.surface.workbench.editing.forget_labelled()
        self.over = True
