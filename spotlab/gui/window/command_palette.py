"""Ctrl+K: any action, label, page or recent collection by a few letters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout

from spotlab.gui.kit import icons
from spotlab.gui.kit.command_delegate import HINT, CommandDelegate
from spotlab.gui.kit.fuzzy import best
from spotlab.gui.kit.on_screen import fitted
from spotlab.gui.window.action_table import Actions
from spotlab.gui.workspace.window import Window

ROWS = 11
TOP = 70  # px
PLACE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Command:
    """A line of the palette."""

    text: str
    hint: str
    icon: str
    run: Callable[[], object]


class CommandPalette(QFrame):
    """A box over the window; Enter does what is chosen, Esc leaves."""

    def __init__(self, window: Window, actions: Actions) -> None:
        super().__init__(window.frame)
        self._window, self._actions = window, actions
        self._frame = window.frame
        self._commands: list[Command] = []
        self.setProperty("role", "popup")
        self.setAutoFillBackground(True)
        self.setFixedWidth(560)
        self.box = QLineEdit(self)
        self.box.setPlaceholderText("Search actions, labels and pages …")
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
        self.leave()
        if item:
            self._commands[item.data(PLACE)].run()

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
        commands = [
            Command(
                f"{action.section}: {_plain(actions[id])}"
                if action.section
                else _plain(actions[id]),
                actions.keymap.shown(id),
                action.icon or "circle-small",
                partial(actions.trigger, id),
            )
            for id, action in actions.by_id.items()
            if actions[id].isEnabled() and not id.startswith(("edit.commands", "label.key"))
        ]
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
        return commands

    def _fill(self, text: str) -> None:
        self.list.clear()
        places: dict[str, list[int]] = {}
        for place, command in enumerate(self._commands):
            places.setdefault(command.text, []).append(place)
        found = [place for name in best(text, list(places), ROWS) for place in places[name]]
        for place in found[:ROWS]:
            command = self._commands[place]
            item = QListWidgetItem(icons.icon(command.icon), command.text)
            item.setData(PLACE, place)
            item.setData(HINT, command.hint)
            self.list.addItem(item)
        if not found:
            nothing = QListWidgetItem("No available action, label or page has this name")
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(nothing)
        self.list.setCurrentRow(0 if found else -1)
        height = max(1, self.list.count()) * CommandDelegate.ROW + 4
        self.list.setFixedHeight(height)
        self.adjustSize()


def _plain(action: QAction) -> str:
    return action.text().replace("&", "").rstrip("…")
