"""What a tool is, what it may ask of the canvas, and what a gesture is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter

from spotlab.editing.region_index import RegionIndex
from spotlab.gui.canvas.layer import Layer
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Region


class Surface(Protocol):
    """What tools ask of the canvas."""

    workbench: Workbench
    view: ViewTransform
    index: RegionIndex
    layers: dict[str, Layer]

    @property
    def pointer(self) -> Pointer | None:
        """Where the pointer is on the page as it is shown now; None while it is elsewhere."""

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
    """What the pointer does while it is chosen.

    What the pointer is over is asked of the surface whenever it is needed and never kept: regions,
    points and the view may be others by then.
    """

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, surface: Surface) -> None:
        self.surface = surface

    @property
    def workbench(self) -> Workbench:
        """What is worked on."""
        return self.surface.workbench

    def press(self, pointer: Pointer) -> Gesture | None:
        """The gesture that a press begins."""
        return None

    def hover(self, pointer: Pointer) -> Qt.CursorShape:
        """The pointer moves without a button; gives the shape that it should have."""
        return self.cursor

    def describe(self, pointer: Pointer) -> str | None:
        """What is under the pointer, in words; None where that is the region there."""
        return None

    def double_click(self, pointer: Pointer) -> bool:
        """A double click outside of gestures, and whether it meant something."""
        return False

    def point_out(self, pointer: Pointer) -> None:
        """Choose what a menu at the pointer is about."""

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key that may be a shortcut of the window is meant for the tool now."""
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
