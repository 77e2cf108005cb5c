"""What a hand does: presses, drags, wheels and keys, sent as the events that Qt would send."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabWidget, QWidget

from spotlab.gui.annotate.tools.drawing import Landing
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import background
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.workspace import layer_kinds, tool_kinds
from spotlab.model import Region
from tests.gui import windows

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NONE = Qt.MouseButton.NoButton
PLAIN, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
ALT, CONTROL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier

Place = tuple[float, float]


def mouse(
    widget: QWidget,
    kind: QEvent.Type,
    place: Place,
    button: Qt.MouseButton = NONE,
    buttons: Qt.MouseButton = NONE,
    held: Qt.KeyboardModifier = PLAIN,
) -> None:
    """One mouse event at a place of the widget."""
    local = QPointF(*place)
    event = QMouseEvent(kind, local, QPointF(widget.mapToGlobal(local)), button, buttons, held)
    QApplication.sendEvent(widget, event)


def press(widget: QWidget, place: Place, button: Qt.MouseButton = LEFT,
          held: Qt.KeyboardModifier = PLAIN) -> None:  # fmt: skip
    mouse(widget, QEvent.Type.MouseButtonPress, place, button, button, held)


def move(widget: QWidget, place: Place, buttons: Qt.MouseButton = NONE,
         held: Qt.KeyboardModifier = PLAIN) -> None:  # fmt: skip
    mouse(widget, QEvent.Type.MouseMove, place, NONE, buttons, held)


def release(widget: QWidget, place: Place, button: Qt.MouseButton = LEFT,
            held: Qt.KeyboardModifier = PLAIN) -> None:  # fmt: skip
    """The button is up; waits until what was drawn is there, as a hand does."""
    mouse(widget, QEvent.Type.MouseButtonRelease, place, button, NONE, held)
    if isinstance(widget, Canvas):
        assert background.wait_until(lambda: not isinstance(widget.pointing.gesture, Landing))


def click(widget: QWidget, place: Place, held: Qt.KeyboardModifier = PLAIN) -> None:
    move(widget, place, held=held)
    press(widget, place, held=held)
    release(widget, place, held=held)


def double_click(widget: QWidget, place: Place) -> None:
    click(widget, place)
    mouse(widget, QEvent.Type.MouseButtonDblClick, place, LEFT, LEFT)
    release(widget, place)


def drag(
    widget: QWidget,
    places: Sequence[Place],
    held: Qt.KeyboardModifier = PLAIN,
    button: Qt.MouseButton = LEFT,
    *,
    let_go: bool = True,
) -> None:
    """Press at the first place, move through the others, release at the last."""
    move(widget, places[0], held=held)
    press(widget, places[0], button, held)
    for place in places[1:]:
        move(widget, place, button, held)
    if let_go:
        release(widget, places[-1], button, held)


def wheel(widget: QWidget, place: Place, notches: float = 1,
          held: Qt.KeyboardModifier = PLAIN) -> None:  # fmt: skip
    local = QPointF(*place)
    event = QWheelEvent(
        local, QPointF(widget.mapToGlobal(local)), QPoint(), QPoint(0, round(120 * notches)),
        NONE, held, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def key(widget: QWidget, what: Qt.Key, held: Qt.KeyboardModifier = PLAIN, text: str = "") -> None:
    """A key pressed and released."""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, what, held, text))


def hold_key(widget: QWidget, what: Qt.Key, down: bool) -> None:
    kind = QEvent.Type.KeyPress if down else QEvent.Type.KeyRelease
    QApplication.sendEvent(widget, QKeyEvent(kind, what, PLAIN))


def on_screen(canvas: Canvas, places: Iterable[Place]) -> list[Place]:
    """Places of the page on the canvas."""
    return [canvas.view.to_view(*place) for place in places]


def around(left: float, top: float, right: float, bottom: float, points: int = 40) -> list[Place]:
    """A rough closed stroke around a box."""
    angles = np.linspace(0, 2 * np.pi, points)
    x = (left + right) / 2 + (right - left) * 0.75 * np.cos(angles)
    y = (top + bottom) / 2 + (bottom - top) * 0.75 * np.sin(angles)
    return list(zip(x.tolist(), y.tolist(), strict=True))


def open_page(
    folder: Path,
    pixels: np.ndarray,
    regions: Sequence[Region] = (),
    size: tuple[int, int] = (900, 700),
) -> Canvas:
    """A canvas that shows a page with these pixels and regions."""
    canvas = empty_canvas(folder)
    begin_page(canvas, folder, pixels, regions, size)
    return canvas


def empty_canvas(settings: Path) -> Canvas:
    """A canvas with all tools and layers that shows nothing yet."""
    workbench = Workbench(Settings(settings / "settings.json"))
    canvas = Canvas(workbench, {kind.name: kind for kind in tool_kinds()})
    for layer in layer_kinds():
        canvas.add_layer(layer.name, layer.make(canvas))
    workbench.set_workspace("annotate", "sketch", draws=True)
    return canvas


def begin_page(
    canvas: Canvas,
    folder: Path,
    pixels: np.ndarray,
    regions: Sequence[Region] = (),
    size: tuple[int, int] = (900, 700),
) -> None:
    """Show another page with the tool, the label and the settings of the first start."""
    Image.fromarray(pixels).save(folder / "page.png", compress_level=1)
    workbench = canvas.workbench
    canvas.cancel()
    workbench.close()
    windows.put_settings_back(workbench)
    workbench.set_tool("select")
    workbench.set_tool("sketch")
    workbench.editing.label = ""
    canvas.resize(*size)
    canvas.show()
    assert workbench.open_paths([folder])
    assert background.wait_for_all(60)
    assert workbench.document is not None
    if regions:
        workbench.editing.do("Set up", workbench.document.adding(*regions))


def close(canvas: Canvas) -> None:
    """Let go of all."""
    canvas.workbench.close()
    canvas.stop()
    background.wait_for_all()
    canvas.close()
    canvas.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def click_tab(tabs: QTabWidget, title: str) -> None:
    """Click the tab of this title."""
    bar = tabs.tabBar()
    (at,) = (at for at in range(bar.count()) if bar.tabText(at) == title)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(at).center())
