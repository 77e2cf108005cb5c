"""What a random user may do next, and how often."""

from __future__ import annotations

import random
from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from spotlab.editing.operations import handles
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.workspace import tool_kinds
from tests.gui import gestures
from tests.walk.deeds import can_be_reached, deeds_of, name_of, widgets_in
from tests.walk.opened import escape, opened_over, popup

LEAVES = ("file.quit", "file.close", "file.sample", "help.")  # actions that end or leave the page
HELD = (gestures.PLAIN,) * 6 + (gestures.SHIFT, gestures.ALT, gestures.CONTROL)
KEYS = (
    *(Qt.Key.Key_Delete, Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Space),
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Backspace),
    *(Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_N, Qt.Key.Key_P, Qt.Key.Key_F2),
)
WITH_CONTROL = (
    *(Qt.Key.Key_Z,) * 4,
    *(Qt.Key.Key_Y,) * 2,
    *(Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_V, Qt.Key.Key_X, Qt.Key.Key_D, Qt.Key.Key_S),
    *(Qt.Key.Key_0, Qt.Key.Key_Plus, Qt.Key.Key_Minus),
)
LABELS = ("sofa", "chair", "armchair", "bed", "double bed", "t", "x y")
MENU_ROWS = 30


class RandomDeeds:
    """Deeds of one user in one window.

    Attributes
    ----------
    events : int
        Mouse, wheel and key events that were sent so far; one for each deed of a widget.
    """

    def __init__(self, window: MainWindow, rng: random.Random) -> None:
        self.window = window
        self.rng = rng
        self.events = 0
        self._choices: list[tuple[int, Callable[[], tuple[str, Callable[[], object]]]]] = [
            (14, self._stroke),
            (10, self._clicks),
            (4, self._double_click),
            (3, self._right_click),
            (14, self._keys),
            (6, self._label),
            (6, self._tool),
            (4, self._wheel),
            (3, self._page),
            (1, self._workspace),
            (4, self._action),
            (5, self._widget),
        ]

    def choose(self) -> tuple[str, Callable[[], object]]:
        """The next deed and its name."""
        weights = [weight for weight, _ in self._choices]
        _, make = self.rng.choices(self._choices, weights)[0]
        return make()

    def tidy(self) -> None:
        """Close what has opened over the window, or choose something of it first."""
        for _ in range(4):
            opened = opened_over(self.window)
            if opened is None:
                break
            if isinstance(opened, QMenu) and self.rng.random() < 0.5:
                self._choose_of(opened)
            elif not isinstance(opened, QFileDialog) and self.rng.random() < 0.5:
                self._touch_in(opened)
            escape(opened)
        if not self.window.isVisible():
            self.window.show()

    # On the page

    def _place(self) -> gestures.Place:
        """Somewhere on the canvas, mostly on the page, often where something is."""
        canvas, rng = self.window.canvas, self.rng
        document = self.window.workbench.document
        if document is not None and len(document) and rng.random() < 0.6:
            region = rng.choice(list(document))
            handle = rng.choice(handles(region))  # corners, and middles of a box's sides
            x, y = handle.x, handle.y
            if rng.random() < 0.5:
                left, top, right, bottom = region.bounds
                x, y = (left + right) / 2, (top + bottom) / 2
            return canvas.view.to_view(x + rng.uniform(-3, 3), y + rng.uniform(-3, 3))
        return canvas.view.to_view(rng.uniform(-20, 340), rng.uniform(-20, 260))

    def _stroke(self) -> tuple[str, Callable[[], object]]:
        rng, canvas = self.rng, self.window.canvas
        x, y = rng.uniform(10, 250), rng.uniform(10, 180)
        if rng.random() < 0.5:
            outline = gestures.around(x, y, x + rng.uniform(2, 90), y + rng.uniform(2, 80), 14)
            places = gestures.on_screen(canvas, outline)
        else:
            places = [self._place() for _ in range(rng.randint(2, 6))]
        held = rng.choice(HELD)
        self.events += len(places) + 2
        return f"stroke {places} {held}", lambda: gestures.drag(canvas, places, held)

    def _clicks(self) -> tuple[str, Callable[[], object]]:
        places = [self._place() for _ in range(self.rng.randint(1, 4))]
        held = self.rng.choice(HELD)
        self.events += 3 * len(places)

        def click() -> None:
            for place in places:
                gestures.click(self.window.canvas, place, held)

        return f"clicks {places} {held}", click

    def _double_click(self) -> tuple[str, Callable[[], object]]:
        place = self._place()
        self.events += 5
        return f"double click {place}", lambda: gestures.double_click(self.window.canvas, place)

    def _right_click(self) -> tuple[str, Callable[[], object]]:
        place = QPoint(*map(int, self._place()))
        canvas = self.window.canvas
        self.events += 3

        def click() -> None:
            QTest.mouseClick(canvas, Qt.MouseButton.RightButton, pos=place)
            if canvas.rect().contains(place):
                dict(deeds_of(canvas)).get("menu", lambda: None)()

        return f"right click {place}", click

    def _wheel(self) -> tuple[str, Callable[[], object]]:
        place, notches = self._place(), self.rng.choice((-3, -1, 1, 2))
        self.events += 1
        return f"wheel {notches}", lambda: gestures.wheel(self.window.canvas, place, notches)

    # Keys

    def _keys(self) -> tuple[str, Callable[[], object]]:
        held, keys = gestures.PLAIN, KEYS
        if self.rng.random() < 0.5:
            held, keys = gestures.CONTROL, WITH_CONTROL
        pressed = [self.rng.choice(keys) for _ in range(self.rng.randint(1, 5))]
        self.events += 2 * len(pressed)

        def press() -> None:
            for key in pressed:
                QTest.keyClick(self._focused(), key, held)

        return f"keys {pressed} {held}", press

    def _label(self) -> tuple[str, Callable[[], object]]:
        text, held = self.rng.choice(LABELS), self.rng.choice(HELD)
        self.events += 2 * len(text) + 2

        def label() -> None:
            self.window.canvas.setFocus()
            for letter in text:
                QTest.keyClicks(self._focused(), letter)
            QTest.keyClick(self._focused(), Qt.Key.Key_Return, held)

        return f"type {text!r} {held}", label

    def _focused(self) -> object:
        return QApplication.focusWidget() or self.window.canvas

    # Around the page

    def _tool(self) -> tuple[str, Callable[[], object]]:
        kind = self.rng.choice(tool_kinds(self.window.workbench.workspace))
        self.events += 1
        return f"tool {kind.name}", lambda: self.window.actions_by_id.trigger(f"tool.{kind.name}")

    def _page(self) -> tuple[str, Callable[[], object]]:
        id = self.rng.choice(("page.next", "page.previous"))
        self.events += 1
        return id, lambda: self.window.actions_by_id.trigger(id)

    def _workspace(self) -> tuple[str, Callable[[], object]]:
        others = [name for name in self.window.workspaces if name != "annotate"]
        here = self.window.workbench.workspace
        name = self.rng.choice(others) if here == "annotate" else "annotate"
        self.events += 1
        return f"enter {name}", lambda: self.window.enter(name)

    def _action(self) -> tuple[str, Callable[[], object]]:
        actions = self.window.actions_by_id
        ids = [id for id in actions.by_id if not id.startswith(LEAVES)]
        id = self.rng.choice(ids)
        self.events += 1
        return f"action {id}", lambda: actions.trigger(id)

    def _widget(self) -> tuple[str, Callable[[], object]]:
        widgets = [w for w in widgets_in(self.window) if w is not self.window.canvas]
        return self._one_of(widgets)

    def _one_of(self, widgets: list[object]) -> tuple[str, Callable[[], object]]:
        for _ in range(10):
            if not widgets:
                break
            widget = self.rng.choice(widgets)
            deeds = deeds_of(widget)  # type: ignore[arg-type]
            if deeds and can_be_reached(widget):  # type: ignore[arg-type]
                what, deed = self.rng.choice(deeds)
                self.events += 1
                return f"{name_of(widget)}: {what}", deed  # type: ignore[arg-type]
        return "nothing", lambda: None

    def _touch_in(self, opened: object) -> None:
        _, deed = self._one_of(list(widgets_in(opened)))  # type: ignore[arg-type]
        deed()
        QApplication.processEvents()

    def _choose_of(self, menu: QMenu) -> None:
        actions = [a for a in menu.actions() if a.isEnabled() and not a.isSeparator()]
        actions = [a for a in actions if a.menu() is None and not a.objectName().startswith(LEAVES)]
        if actions:
            action = self.rng.choice(actions)
            self.events += 1
            place = menu.actionGeometry(action).center()
            QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
            QApplication.processEvents()
        left = popup()
        if left is not None:
            escape(left)
