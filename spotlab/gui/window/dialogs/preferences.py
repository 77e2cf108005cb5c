"""The choices about the window, each of which holds at once, and all keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.settings import PAPER, THEME
from spotlab.gui.kit.widgets import STRETCH, Choice, Option, in_column, in_row
from spotlab.gui.pages.offers import account_name
from spotlab.gui.window.actions import FIXED, normal
from spotlab.gui.workspace import Window

if TYPE_CHECKING:
    from spotlab.gui.window.actions import Actions


ID = Qt.ItemDataRole.UserRole


class KeysDialog(QWidget):
    """Stands beside the window; what is changed holds at once. Esc closes it."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Dialog)
        self.actions_by_id = actions
        self.keymap = actions.keymap
        self.setWindowTitle("Keys")
        self.resize(620, 620)
        OnScreen(self)
        self.search = QLineEdit(placeholderText="Search by name or key", clearButtonEnabled=True)
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels(["Action", "Keys"])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setColumnWidth(0, 400)
        self.edit = QKeySequenceEdit()
        self.edit.setMaximumSequenceLength(1)
        self.edit.installEventFilter(self)
        self.edit.setToolTip("Click here and press the new keys for the action")
        self.conflict = set_up(QLabel(wordWrap=True), role="serious")
        self.assign = QPushButton("Assign")
        self.take = QPushButton("Reassign")
        self.take.setToolTip("Remove the keys from the other action and use them here")
        self.clear = QPushButton("No keys")
        self.reset = QPushButton("Default")
        self.reset_all = QPushButton("All defaults")
        self._lay_out()
        self.search.textChanged.connect(self._fill)
        self.tree.currentItemChanged.connect(lambda *_: self._choose())
        self.edit.keySequenceChanged.connect(lambda _: self._check())
        self.assign.clicked.connect(lambda _: self._assign(False))
        self.take.clicked.connect(lambda _: self._assign(True))
        self.clear.clicked.connect(lambda _: self.keymap.assign(self.chosen, ""))
        self.reset.clicked.connect(lambda _: self.keymap.reset(self.chosen))
        self.reset_all.clicked.connect(lambda _: self.keymap.reset())
        self.keymap.changed.connect(self._fill)
        self._fill()

    @property
    def chosen(self) -> str:
        """The id of the action that is being changed."""
        item = self.tree.currentItem()
        return str(item.data(0, ID)) if item else ""

    def choose(self, id: str) -> None:
        """Go to an action."""
        for row in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(row)
            if item is not None and item.data(0, ID) == id:
                self.tree.setCurrentItem(item)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, wherever the focus is."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field for keys would take Esc for a key to assign; no action can have it."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and not event.modifiers()
        ):
            self.close()
            return True
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        row = in_row(
            self.edit, self.assign, self.take, self.clear, self.reset, STRETCH, self.reset_all
        )
        in_column(self.search, (self.tree, 1), self.conflict, row, of=self, margins=14, spacing=10)

    def _fill(self, *_: object) -> None:
        chosen = self.chosen
        wanted = self.search.text().casefold()
        self.tree.clear()
        for menu in self.actions_by_id.menus:
            for action in menu.actions:
                keys = self._shown(action.id)
                section = f"{action.section}: " if action.section else ""
                title = f"{menu.title.replace('&', '')} › {section}{action.plain_title}"
                if wanted in title.casefold() or wanted in keys.casefold():
                    item = QTreeWidgetItem([title, keys])
                    item.setData(0, ID, action.id)
                    item.setToolTip(0, action.tip)
                    if not self.keymap.is_default(action.id):
                        font = item.font(1)
                        font.setBold(True)
                        item.setFont(1, font)
                    self.tree.addTopLevelItem(item)
        self.choose(chosen)
        first = self.tree.topLevelItem(0)
        if self.tree.currentItem() is None and first is not None:
            self.tree.setCurrentItem(first)

    def _shown(self, id: str) -> str:
        native = QKeySequence.SequenceFormat.NativeText
        return ", ".join(QKeySequence(key).toString(native) for key in self.keymap.keys(id))

    def _choose(self) -> None:
        self.edit.clear()
        self._check()

    def _check(self) -> None:
        """Say who has the keys that were pressed."""
        key = normal(self.edit.keySequence().toString())
        holder = self.keymap.holder(key, self.chosen) if key else None
        fixed = FIXED.get({"Esc": "Escape"}.get(key, key), "")
        text = f"{key} has a fixed function: {fixed}" if fixed else ""
        if holder:
            text = f"{key} belongs to “{self.keymap.title(holder)}”"
        self.conflict.setText(text)
        self.assign.setEnabled(bool(key and self.chosen and not holder and not fixed))
        self.take.setVisible(bool(holder))

    def _assign(self, take: bool) -> None:
        self.keymap.assign(self.chosen, self.edit.keySequence().toString(), take)
        self._choose()


class PreferencesDialog(QDialog):
    """Theme, author and keys, and a box for each action that is declared as a preference."""

    def __init__(self, window: Window, actions: Actions) -> None:
        super().__init__(window.frame)
        OnScreen(self)
        self.setWindowTitle("Preferences")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        author = window.workbench.author
        self.theme = Choice(
            [
                Option(name, "As the desktop" if name == "system" else name.capitalize())
                for name in theme.THEMES
            ]
        )
        self.theme.show_value(window.workbench.settings.get(THEME))
        self.theme.chosen.connect(window.set_theme)
        self.paper = Choice(Option(name, title) for name, title in theme.PAPERS.items())
        self.paper.setToolTip("Pixels of pages, the ink and what is exported stay as they are")
        self.paper.show_value(window.workbench.settings.get(PAPER))
        self.paper.chosen.connect(lambda name: actions.trigger(f"view.paper_{name}"))
        self.author = QLineEdit(author.name)
        self.author.setPlaceholderText(account_name())
        self.author.setToolTip("The name that is kept with each region that you draw or change")
        self.author.editingFinished.connect(lambda: author.set(self.author.text()))
        self.keys = QPushButton("Change keys…")
        self.keys.setToolTip("Show and change the keyboard shortcuts")
        self.keys.clicked.connect(lambda _: window.show_keys())
        form = QFormLayout()
        form.addRow("Theme", self.theme)
        form.addRow("Paper", self.paper)
        form.addRow("Author", self.author)
        form.addRow("Keyboard", self.keys)
        self.switches: dict[str, QCheckBox] = {}
        for id, action in actions.by_id.items():
            if action.preference and action.checked is not None:
                switch = QCheckBox(action.plain_title)
                switch.setToolTip(action.tip)
                switch.setChecked(action.checked(window))
                switch.clicked.connect(lambda _, id=id: actions.trigger(id))
                self.switches[id] = switch
                form.addRow("" if len(self.switches) > 1 else "Window", switch)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        in_column(form, buttons, of=self)
