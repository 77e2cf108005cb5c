"""A tool, a panel, a layer, and a workspace with a state, a panel, a layer, a menu and an undo."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QLabel, QWidget

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.tool import Gesture, Layer, Pointer, Tool, ToolKind
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.workspace import Action, LayerKind, Menu, Panel, Window, Workspace
from spotlab.model import Primitive
from spotlab.signal import Signal


class DotTool(Tool):
    """A click draws a small box."""

    def press(self, pointer: Pointer) -> Gesture | None:
        """Draw it at once."""
        x, y = pointer.place
        corners = ((x - 5, y - 5), (x + 5, y - 5), (x + 5, y + 5), (x - 5, y + 5))
        self.workbench.editing.add_region(corners, Primitive.BOX)
        return None


DOT = ToolKind(
    name="dot",
    title="Dot",
    icon="mdi6.circle-small",
    shortcut="",
    hint="Click to draw a small box",
    order=99,
    make=DotTool,
    workspace="annotate",
)


def _notes(window: Window) -> QWidget:
    return QLabel("Notes of another package")


NOTES = Panel(
    "notes",
    "Notes",
    Qt.DockWidgetArea.RightDockWidgetArea,
    _notes,
    tip="Somebody else's notes",
    workspace="annotate",
)


class CornerLayer(Layer):
    """A disc at the page's corner, in every workspace."""

    def __init__(self, canvas: Canvas) -> None:
        self.painted = 0

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint the disc."""
        self.painted += 1
        painter.setBrush(QColor("#ff00ff"))
        painter.drawEllipse(QPointF(*view.to_view(0, 0)), 6, 6)


CORNER = LayerKind("corner", CornerLayer)


class Counter:
    """What the fifth workspace knows: a number, and its steps."""

    undo_name = redo_name = "Count"

    def __init__(self, workbench: Workbench) -> None:
        self.number = 0
        self.most = 0
        self.changed = Signal[[]]()

    @property
    def signals(self) -> tuple[Signal[[]]]:
        """Emitted when the number is another."""
        return (self.changed,)

    @property
    def may_undo(self) -> bool:
        """Whether anything was counted."""
        return self.number > 0

    @property
    def may_redo(self) -> bool:
        """Whether something was taken back."""
        return self.number < self.most

    def count(self) -> None:
        """Count one more."""
        self.number += 1
        self.most = self.number
        self.changed.emit()

    def undo(self) -> None:
        """Count one less."""
        self.number -= 1
        self.changed.emit()

    def redo(self) -> None:
        """Count again."""
        self.number += 1
        self.changed.emit()


def _panel(window: Window) -> QWidget:
    counter, label = window.workbench.state(Counter), QLabel("0")
    counter.changed.connect(lambda: label.setText(str(counter.number)))
    return label


class CountLayer(Layer):
    """The number on the page, in this workspace alone."""

    hides_regions = True

    def __init__(self, canvas: Canvas) -> None:
        self._workbench = canvas.workbench
        self.painted = 0

    @property
    def shown(self) -> bool:
        """Whether this workspace is worked in."""
        return self._workbench.workspace == "count"

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Write the number."""
        self.painted += 1
        painter.drawText(20, 40, str(self._workbench.state(Counter).number))


COUNT = Workspace(
    "count",
    "Count",
    "counter",
    "Count clicks",
    5,
    states=(Counter,),
    panels=(Panel("number", "Number", Qt.DockWidgetArea.LeftDockWidgetArea, _panel),),
    layers=(LayerKind("count", CountLayer),),
    menus=(
        Menu(
            "count",
            "&Count",
            9,
            (
                Action(
                    "count.more",
                    "Count &More",
                    lambda window: window.workbench.state(Counter).count(),
                    ("Ctrl+Alt+Shift+C",),
                    enabled=lambda window: window.workbench.workspace == "count",
                ),
            ),
        ),
    ),
    undo=lambda workbench: workbench.state(Counter),
    shares=("pages",),
    pageless=True,
)
