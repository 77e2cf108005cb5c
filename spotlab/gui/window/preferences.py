"""All choices about the window in one place; each holds at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
)

from spotlab.gui.kit import paper, theme
from spotlab.gui.kit.choice import Choice, Option
from spotlab.gui.kit.known_settings import PAPER, THEME
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.pages.author import account_name
from spotlab.gui.workspace.window import Window

if TYPE_CHECKING:
    from spotlab.gui.window.action_table import Actions


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
        self.paper = Choice(Option(name, title) for name, title in paper.PAPERS.items())
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
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(buttons)
