"""What a tool is: it begins gestures; a gesture lives from a press until it is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.view import View

if TYPE_CHECKING:
    from spotlab.gui.canvas.canvas import Canvas


class Gesture:
    """Something under way. It changes nothing until it ends well; cancelled, it leaves no trace.

    Attributes
    ----------
    over : bool
        It has ended; the canvas forgets it.
    hidden : frozenset of str
        Ids of regions that it draws itself.
    """

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.workbench = canvas.workbench
        self.over = False
        self.hidden: frozenset[str] = frozenset()

    def press(self, pointer: Pointer) -> None:
        """Another press, for gestures of several clicks."""

    def move(self, pointer: Pointer) -> None:
        """The pointer is here now."""

    def release(self, pointer: Pointer) -> None:
        """The button was let go."""

    def double_click(self, pointer: Pointer) -> None:
        """The second press of a double click."""

    def confirm(self) -> None:
        """Enter was pressed."""

    def step_back(self) -> bool:
        """Take the last part back; False if there is none, and the gesture is cancelled."""
        return False

    def cancel(self) -> None:
        """Leave no trace."""
        self.over = True

    def paint(self, painter: QPainter, view: View) -> None:
        """Draw what is under way, in widget px."""


class Tool:
    """Begins gestures and knows what the pointer would do; has no state that outlives it."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.workbench = canvas.workbench

    def begin(self, pointer: Pointer) -> Gesture | None:
        """A press of the left button; the gesture that it begins."""
        raise NotImplementedError  # pragma: no cover

    def hover(self, pointer: Pointer) -> None:
        """The pointer moves and no gesture is under way."""

    def double_click(self, pointer: Pointer) -> None:
        """A double click while no gesture is under way."""

    def delete(self) -> bool:
        """Delete was pressed; whether the tool had something special to delete."""
        return False

    def leave(self) -> None:
        """Another tool is used from now on, or the pointer has left the canvas."""

    def paint(self, painter: QPainter, view: View) -> None:
        """Draw what the tool shows while no gesture is under way, in widget px."""


@dataclass(frozen=True)
class ToolKind:
    """How a tool is found and offered.

    Attributes
    ----------
    name : str
        By which it is set, for instance in ``workbench.set_tool("sketch")``.
    title : str
        In menus.
    icon : str
        Of the icon set, for instance ``"mdi6.lasso"``.
    shortcut : str
        The key unless the user has chosen another.
    hint : str
        What to do, in the status line.
    make : callable
        Makes the tool for a canvas.
    order : int
        Its place in menus.
    """

    name: str
    title: str
    icon: str
    shortcut: str
    hint: str
    make: Callable[[Canvas], Tool]
    order: int = 50
