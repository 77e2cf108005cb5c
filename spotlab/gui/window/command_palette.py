"""Ctrl+K: any action, label, page, help page or recent collection by a few letters."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout

from spotlab.errors import SpotlabError
from spotlab.gui.kit import icons
from spotlab.gui.kit.command_delegate import HINT, QUIET, CommandDelegate
from spotlab.gui.kit.fuzzy import Match, matches
from spotlab.gui.kit.on_screen import fitted
from spotlab.gui.window.action_table import Actions
from spotlab.gui.workspace.window import Window
from spotlab.resources import help_pages

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


class CommandPalette(QFrame):
    """A box over the window; Enter does what is chosen, Esc leaves.

    What cannot be done now is listed with the reason. A name that is only similar to what is typed
    is listed, too, but has to be chosen before Enter does it.
    """

    def __init__(self, window: Window, actions: Actions) -> None:
        super().__init__(window.frame)
        self._window, self._actions = window, actions
        self._frame = window.frame
        self._commands: list[Command] = []
        self.setProperty("role", "popup")
        self.setAutoFillBackground(True)
        self.setFixedWidth(640)
        self.box = QLineEdit(self)
        self.box.setPlaceholderText("Search actions, labels, pages and help …")
        self.box.setAccessibleName("Command palette")
        self.list = QListWidget(self)
        self.list.setItemDelegate(CommandDelegate(self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 10)
        layout.addWidget(self.box)
        layout.addWidget(self.list)
        self.box.installEventFilter(self)
        self.box.textChanged.connect(self._fill)
        self.list.itemClicked.connect(lambda _: self.accept())
        self.hide()

    def open(self, text: str = "") -> None:
        """Show the box with this typed already."""
        self._actions.update()
        self._commands = self._all()
        self.box.setText(text)
        self._fill(text)
        wanted = QRect(QPoint((self._frame.width() - self.width()) // 2, TOP), self.size())
        self.move(fitted(wanted, self._frame.rect()).topLeft())
        self.show()
        self.raise_()
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)

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

    def leave(self) -> None:
        """Close."""
        self.hide()
        self._window.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that are not for the box."""
        if event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.hide()
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        row, count = self.list.currentRow(), self.list.count()
        match event.key():
            case Qt.Key.Key_Escape:
                self.leave()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.accept()
            case Qt.Key.Key_Down | Qt.Key.Key_Up if count:
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                self.list.setCurrentRow((row + step) % count)
            case _:
                return super().eventFilter(watched, event)
        return True

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
                f"Page {title}",
                entry.image.parent.name,
                "file-outline",
                partial(workbench.open_page, page),
            )
            for page, (entry, title) in enumerate(
                zip(workbench.entries, workbench.collection.titles, strict=True)
            )
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
            item = QListWidgetItem(icons.icon(command.icon), command.text)
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
        height = max(1, self.list.count()) * CommandDelegate.ROW + 4
        self.list.setFixedHeight(height)
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
