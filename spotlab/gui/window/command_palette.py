"""Commands by a few letters, by keys and by the right button."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QDockWidget,
    QLineEdit,
    QListWidgetItem,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QToolBar,
    QWidget,
)

from spotlab.errors import SpotlabError
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import SearchPopup
from spotlab.gui.kit.rows import HINT, QUIET
from spotlab.gui.kit.text import Match, matches
from spotlab.gui.kit.widgets import Choice, in_column
from spotlab.gui.window.actions import Actions
from spotlab.gui.workspace import PageMenu, Window
from spotlab.resources import help_pages

if TYPE_CHECKING:
    from spotlab.gui.window.docking.docks import Docks


VIEW = ("view.fit", "view.actual")


def menu_for_page(actions: Actions, offered: PageMenu) -> QMenu:
    """Return what a workspace offers on the page.

    Only what can be done now, unless it wants all.
    """
    actions.update()
    menu = QMenu(actions.owner)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for ids in offered.groups if offered.all else (*offered.groups, VIEW):
        shown = [id for id in ids if offered.all or actions[id].isEnabled()]
        actions.add_to(menu, [actions.by_id[id] for id in shown])
        if ids is not offered.groups[-1] or not offered.all:
            menu.addSeparator()
    return menu


def menu_of_panels(actions: Actions, docks: Docks) -> QMenu:
    """The panels of this workspace, each with a mark where it is shown."""
    actions.update()
    menu = QMenu(actions.owner)
    names: Iterable[str] = (name for name in docks.by_name if docks.offered(name))
    for name in names:
        menu.addAction(actions[f"view.{name}"])
    return menu


CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    Choice,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
)


def walk_panels(window: QMainWindow, by: int) -> None:
    """Give the focus to the next panel (1) or the previous one (-1): canvas, docks, rail."""
    middle = window.centralWidget()
    parts: list[QWidget] = [] if middle is None else [middle]
    parts += [dock for dock in window.findChildren(QDockWidget) if _is_seen(dock)]
    parts += [bar for bar in window.findChildren(QToolBar) if _is_seen(bar)]
    focus = QApplication.focusWidget()
    holds = (place for place, part in enumerate(parts) if focus and part.isAncestorOf(focus))
    at = next(holds, 0 if by > 0 else 1)
    for step in range(1, len(parts) + 1):
        target = _entrance(parts[(at + by * step) % len(parts)])
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
            return


def name_controls(window: QWidget) -> None:
    """Name each control that has no text, for readers of the screen.

    A control is named by what it declares; without that, by its tip or by what stands in it while
    it is empty, or by the panel that it is in.
    """
    for widget in window.findChildren(QWidget):
        if not isinstance(widget, CONTROLS):
            continue
        if not accessible_name(widget):
            widget.setAccessibleName(_described(widget))


def accessible_name(widget: QWidget) -> str:
    """Return what a reader of the screen says for a widget.

    Its own text or a label in front of it.
    """
    found = QAccessible.queryAccessibleInterface(widget)
    name = found.text(QAccessible.Text.Name) if found is not None else ""
    return name or widget.accessibleName()


def _described(widget: QWidget) -> str:
    tip = widget.toolTip().partition("\n")[0]
    empty = widget.placeholderText() if isinstance(widget, QLineEdit | QPlainTextEdit) else ""
    return tip or empty or _place(widget)


def _place(widget: QWidget) -> str:
    """The title of the panel that the widget is in."""
    parent = widget.parentWidget()
    while parent is not None:
        name = parent.accessibleName() or parent.windowTitle()
        if name:
            return name
        parent = parent.parentWidget()
    return "spotlab"


def _is_seen(widget: QWidget) -> bool:
    if not widget.isVisible():
        return False
    # `visibleRegion` leaves out what opaque children cover; docks behind other tabs lie outside
    shown, inside = widget.rect(), widget
    while not inside.isWindow() and isinstance(parent := inside.parentWidget(), QWidget):
        shown, inside = shown.translated(inside.pos()) & parent.rect(), parent
    return not shown.isEmpty()


def _entrance(part: QWidget) -> QWidget | None:
    """The first widget of a part that takes the focus by Tab."""
    for widget in part.findChildren(QWidget):
        by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if by_tab and widget.isEnabled() and _is_seen(widget) and widget.focusProxy() is None:
            return widget
    return None


ROWS = 11
TOP = 70  # px
PLACE = Qt.ItemDataRole.UserRole
HELP_WORDS = {
    "howto-purge-threshold": "cut tau τ",
    "install": "setup requirements",
    "keys": "shortcuts hotkeys keyboard",
    "measures": "formula precision recall definition",
    "python": "script notebook api pandas",
    "troubleshooting": "problem bug error slow crash",
    "tutorial": "start learn beginner introduction",
}


@dataclass(frozen=True)
class Command:
    """A line of the palette.

    Attributes
    ----------
    text, hint, icon : str
        The hint stands at the right.
    run : callable
    words : str
        Other words that it is found by.
    obstacle : str
        Why it cannot be done now; empty if it can.
    later : bool
        Whether it comes after others that fit as well.
    """

    text: str
    hint: str
    icon: str
    run: Callable[[], object]
    words: str = ""
    obstacle: str = ""
    later: bool = False


class CommandPalette(SearchPopup):
    """A box over the window; Enter does what is chosen, Esc leaves.

    What cannot be done now is listed with the reason. A name that is only similar to what is typed
    is listed, too, but has to be chosen before Enter does it.
    """

    def __init__(self, window: Window, actions: Actions) -> None:
        super().__init__(
            window.frame, window.canvas, 640, "Search actions, labels, pages and help …",
            "Command palette",
        )  # fmt: skip
        self._window, self._actions = window, actions
        self._commands: list[Command] = []
        in_column(self.box, self.list, of=self, margins=10)
        self.box.textChanged.connect(self._fill)

    def open(self, text: str = "") -> None:
        """Show the box with this typed already."""
        self._actions.update()
        self._commands = self._all()
        self.box.setText(text)
        self._fill(text)
        self.appear(TOP)

    def accept(self) -> None:
        """Do what is chosen."""
        item = self.list.currentItem()
        if item is None:
            return
        command = self._commands[item.data(PLACE)]
        self.leave()
        if command.obstacle:
            self._window.workbench.said.emit(f"{command.text}: {command.obstacle}", False)
        else:
            command.run()

    def _all(self) -> list[Command]:
        window, workbench = self._window, self._window.workbench
        actions = self._actions
        commands = []
        for id, action in actions.by_id.items():
            if id.startswith(("edit.commands", "label.key")):
                continue
            name = _plain(actions[id])
            commands.append(
                Command(
                    f"{action.section.replace('&', '')}: {name}" if action.section else name,
                    actions.keymap.shown(id),
                    action.icon or "circle-small",
                    partial(actions.trigger, id),
                    action.words,
                    actions.obstacle(id),
                )
            )
        commands += [
            Command(
                f"Label {label.name}",
                label.digit,
                "tag-outline",
                partial(workbench.editing.apply_label, label.name),
            )
            for label in workbench.labels
        ]
        commands += [
            Command(
                f"Recent {path.name}",
                str(path.parent),
                "history",
                partial(window.open_paths, [path]),
            )
            for path in window.recent_paths
        ]
        commands += [
            Command(
                f"Page {entry.name}",
                entry.image.parent.name,
                "file-outline",
                partial(workbench.open_page, page),
            )
            for page, entry in enumerate(workbench.entries)
        ]
        with suppress(SpotlabError):  # the help is not installed
            commands += [
                Command(
                    f"Help: {title}",
                    "",
                    "help-circle-outline",
                    partial(window.show_help, name),
                    HELP_WORDS.get(name, ""),
                    later=True,
                )
                for name, title in help_pages().items()
            ]
        return commands

    def _fill(self, text: str) -> None:
        self.list.clear()
        rows, weak = self._found(text)
        for row in rows:
            command = self._commands[row]
            item = QListWidgetItem(theme.icon(command.icon), command.text)
            item.setData(PLACE, row)
            item.setData(HINT, command.obstacle or command.hint)
            item.setData(QUIET, bool(command.obstacle))
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole,
                ", ".join(filter(None, (command.text, command.obstacle or command.hint))),
            )
            self.list.addItem(item)
        if not rows:
            nothing = QListWidgetItem("No action, label, page or help page has this name")
            nothing.setFlags(Qt.ItemFlag.ItemIsEnabled)
            nothing.setData(QUIET, True)
            self.list.addItem(nothing)
        self.list.setCurrentRow(-1 if weak or not rows else 0)
        self.fit_list()
        self.adjustSize()

    def _found(self, text: str) -> tuple[list[int], bool]:
        """Return the commands to list, and whether even the first is only similar to the text."""
        commands = self._commands
        if not text.strip():
            return [row for row, each in enumerate(commands) if not each.obstacle][:ROWS], False
        found = matches(text, [each.text for each in commands], [each.words for each in commands])

        def order(match: Match) -> tuple[int, bool, bool]:
            command = commands[match.row]
            return int(match.rank), command.later, bool(command.obstacle)

        found.sort(key=order)
        return [match.row for match in found[:ROWS]], not found or found[0].weak


def _plain(action: QAction) -> str:
    return action.text().replace("&", "").rstrip("…")
