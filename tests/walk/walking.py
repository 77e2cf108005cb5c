"""The walk itself: panels, their widgets, the canvas with every tool, menus and all actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMenu,
    QMessageBox,
    QWidget,
)
from shiboken6 import isValid

from spotlab.gui.kit import background, theme
from spotlab.gui.window.app import application
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.workspace import tool_kinds
from tests.gui import gestures
from tests.walk.checks import check_fits, check_places, check_saved
from tests.walk.deeds import (
    can_be_reached,
    click_action,
    deeds_of,
    name_of,
    widgets_in,
)
from tests.walk.opened import Guard, escape, opened_over, popup
from tests.walk.situations import Situation, open_window, settle, write_collection
from tests.walk.walker import PATIENCE, Walked
from tests.walk.watch import Watch

STROKE = ((30, 30), (110, 34), (112, 96), (36, 98), (30, 32))  # on the page, around its first ink


class Walking:
    """A walk through all workspaces of one window in one situation."""

    def __init__(self, walked: Walked, folder: Path) -> None:
        self.walked = walked
        self.watch = Watch()
        self.folder = write_collection(folder / "collection" / "pages")
        self.settings = folder / "settings.json"
        self.situation = Situation(walked.situation, self.folder)
        self.workspace = "annotate"
        self.window: MainWindow
        self._guard = Guard()
        self._dialogs: set[str] = set()  # that were walked already
        self._known: set[str] = set()  # widgets that were walked in this workspace

    def go(self, workspaces: tuple[str, ...] = ()) -> None:
        """Walk, and put what was wrong into ``walked``."""
        app = application()
        theme.apply(app, "light")
        with self.watch.listening():
            self.window = open_window(self.settings, self.walked.size)
            self._guard.start()
            for name in workspaces or tuple(self.window.workspaces):
                self.workspace = name
                self._known = set()
                self.do("enter", self._check_places)
                self._walk_panels()
                self._walk_canvas()
                self._walk_menus()
                with self.watch.while_doing(f"{name}, {self.walked.situation}: save"):
                    check_saved(self.window, self.watch)
            self._guard.stop()
            self.situation.job.stop()
            with self.watch.while_doing("close"):
                self.window.close()
                background.wait_for_all(20)
        self.walked.faults = self.watch.faults

    # One deed

    def do(self, what: str, deed: Callable[[], object]) -> None:
        """Do something in the situation, close what it has opened, and note what goes wrong."""
        with self.watch.while_doing(f"{self.workspace}, {self.walked.situation}"):
            self._reach()
        with self.watch.while_doing(f"{self.workspace}, {self.walked.situation}: {what}"):
            self._guard.do(deed)
            QApplication.processEvents()
            self._walk_what_opened()
            settle()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.walked.counts["deeds"] += 1

    def _reach(self) -> None:
        """The situation, in a new window if the one before was closed."""
        if not self.window.isVisible():
            background.wait_for_all(20)
            self.window.deleteLater()
            self.window = open_window(self.settings, self.walked.size)
        self.situation.reach(self.window, self.workspace)
        if self.window.size().toTuple() != self.walked.size:
            self.watch.note(f"the window became {self.window.size().toTuple()}")
            self.window.resize(*self.walked.size)

    def _check_places(self) -> None:
        check_places(self.window, self.walked.size, self.watch)

    # Panels and dialogs

    def _walk_panels(self) -> None:
        for name, dock in self.window.docks.by_name.items():
            if not self.window.docks.offered(name):
                continue

            self.walked.counts["panels"] += 1
            self.do(f"show {name}", partial(self._show, dock))
            self.do(f"look at {name}", self._check_places)
            self._walk_widgets(dock, name)
        self._walk_widgets(self.window, "window")

    def _show(self, dock: QWidget) -> None:
        dock.show()
        dock.raise_()

    def _walk_widgets(self, root: QWidget, where: str) -> None:
        """Walk every widget in the root that was not walked yet in this workspace."""
        for widget in list(widgets_in(root)):
            if not can_be_reached(widget) or widget is self.window.canvas:
                continue
            name, deeds = name_of(widget), deeds_of(widget)
            if not deeds or name in self._known:
                continue
            self._known.add(name)
            self.walked.counts["widgets"] += 1
            for what, deed in deeds:
                self.do(f"{where}: {name}: {what}", partial(self._on, widget, root, deed))

    def _on(self, widget: QWidget, root: QWidget, deed: Callable[[], None]) -> None:
        if isValid(root) and root.isHidden():
            root.show()
        if can_be_reached(widget):
            deed()

    def _walk_what_opened(self) -> None:
        """Walk dialogs and menus that have opened, and close them by Esc."""
        for _ in range(PATIENCE):
            opened = opened_over(self.window)
            if opened is None:
                return
            check_fits(self.window, opened, self.watch)
            kind = f"{type(opened).__name__} {opened.windowTitle()!r} in {self.workspace}"
            if isinstance(opened, QMenu):
                self._walk_menu(opened)
            elif kind not in self._dialogs and not isinstance(opened, QFileDialog | QMessageBox):
                self._dialogs.add(kind)
                self.walked.counts["dialogs"] += 1
                self._walk_dialog(opened)
            self._escape(opened)

    def _walk_dialog(self, dialog: QWidget) -> None:
        for widget in list(widgets_in(dialog)):
            if not can_be_reached(widget):
                continue
            name, deeds = name_of(widget), deeds_of(widget)
            self.walked.counts["widgets"] += bool(deeds)
            for what, deed in deeds:
                if not can_be_reached(dialog):
                    return
                with self.watch.while_doing(f"{self.watch.doing}: {name}: {what}"):
                    self._on(widget, dialog, deed)
                    QApplication.processEvents()
                    for _ in range(PATIENCE):
                        above = popup() or QApplication.activeModalWidget()
                        if above in (None, dialog):
                            break
                        check_fits(self.window, above, self.watch)
                        self._escape(above)

    def _walk_menu(self, menu: QMenu) -> None:
        """Choose each action of a menu that something else than the menu bar has opened."""
        actions = [action for action in menu.actions() if not action.isSeparator()]
        self.walked.counts["menu entries"] += len(actions)
        for action in actions:
            with self.watch.while_doing(f"{self.watch.doing}: {action.text()!r}"):
                if action.isEnabled() and action.menu() is None:
                    self._guard.do(action.trigger)
                    QApplication.processEvents()
                    for _ in range(PATIENCE):
                        above = opened_over(self.window)
                        if above in (None, menu):
                            break
                        check_fits(self.window, above, self.watch)
                        self._escape(above)

    def _escape(self, opened: QWidget) -> None:
        """Close something as users close it."""
        if not isValid(opened):
            return
        kind = f"{type(opened).__name__} {opened.windowTitle()!r}"
        if not escape(opened):
            self.watch.note(f"Esc does not close {kind}")

    # Canvas

    def _walk_canvas(self) -> None:
        canvas = self.window.canvas
        for kind in tool_kinds(self.workspace):
            self.walked.counts["tools"] += 1
            for what, deed in (
                ("drag", self._drag),
                ("click", self._click),
                ("double click", self._double_click),
                ("a stroke that Esc ends", self._escaped),
                ("keys", self._keys),
            ):
                self.do(f"tool {kind.name}: {what}", partial(self._use_tool, kind.name, deed))
        self.do("canvas menu", partial(self._menu_on, canvas))

    def _use_tool(self, tool: str, deed: Callable[[], None]) -> None:
        self.window.actions_by_id.trigger(f"tool.{tool}")
        if self.window.workbench.tool != tool:
            self.window.workbench.set_tool(tool)
        if can_be_reached(self.window.canvas):
            deed()

    def _on_canvas(self) -> list[gestures.Place]:
        return gestures.on_screen(self.window.canvas, STROKE)

    def _drag(self) -> None:
        gestures.drag(self.window.canvas, self._on_canvas())

    def _click(self) -> None:
        for place in self._on_canvas()[:3]:
            gestures.click(self.window.canvas, place)
        QTest.keyClick(self.window.canvas, Qt.Key.Key_Return)

    def _double_click(self) -> None:
        gestures.double_click(self.window.canvas, self._on_canvas()[1])

    def _escaped(self) -> None:
        gestures.drag(self.window.canvas, self._on_canvas(), let_go=False)
        QTest.keyClick(self.window.canvas, Qt.Key.Key_Escape)
        gestures.release(self.window.canvas, self._on_canvas()[-1])

    def _keys(self) -> None:
        canvas = self.window.canvas
        for key in (Qt.Key.Key_1, Qt.Key.Key_Right, Qt.Key.Key_Tab, Qt.Key.Key_Return,
                    Qt.Key.Key_C, Qt.Key.Key_Escape, Qt.Key.Key_Delete):  # fmt: skip
            QTest.keyClick(QApplication.focusWidget() or canvas, key)

    def _menu_on(self, canvas: QWidget) -> None:
        place = self._on_canvas()[0]
        QTest.mouseClick(canvas, Qt.MouseButton.RightButton, pos=QPoint(*map(int, place)))
        dict(deeds_of(canvas)).get("menu", lambda: None)()

    # Menus

    def _walk_menus(self) -> None:
        bar = self.window.menuBar()
        for entry in filter(QAction.isVisible, bar.actions()):  # of other workspaces not
            self.walked.counts["menus"] += 1
            self.do(f"open {entry.text()}", partial(self._open_menu, entry))
        for id in self.window.actions_by_id.by_id:
            self.walked.counts["actions"] += 1
            self.do(f"action {id}", partial(self._choose, id))
            self._walk_widgets(self.window, f"after {id}")

    def _open_menu(self, entry: QAction) -> None:
        bar = self.window.menuBar()
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.actionGeometry(entry).center())
        opened = popup()
        if opened is None:
            self.watch.note("the menu does not open")
            return
        check_fits(self.window, opened, self.watch)
        for action in entry.menu().actions():
            below = action.menu()
            if below is not None and action.isEnabled():
                entry.menu().setActiveAction(action)
                QTest.keyClick(entry.menu(), Qt.Key.Key_Right)
                if below.isVisible():
                    check_fits(self.window, below, self.watch)
                    QTest.keyClick(below, Qt.Key.Key_Escape)
        opened.hide()

    def _choose(self, id: str) -> None:
        """Click the action in its menu, or press its key where it is in none."""
        self.window.actions_by_id.update()
        qaction = self.window.actions_by_id[id]
        if not qaction.isEnabled():
            return
        self.walked.counts["actions done"] += 1
        for menu in self.window.menuBar().findChildren(QMenu):
            if qaction in menu.actions():
                menu.popup(self.window.mapToGlobal(QPoint(40, 20)))
                click_action(menu, menu.actions().index(qaction))
                if menu.isVisible():
                    menu.hide()
                return
        qaction.trigger()
