"""Asks for the name that goes into the history of regions."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog

from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.pages.author import account_name
from spotlab.gui.workspace.window import Window


def ask_author(window: Window) -> QInputDialog:
    """Open a small dialog with the name that is used now; the window can be used beside it."""
    author = window.workbench.author
    dialog = QInputDialog(window.frame)
    OnScreen(dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle("Author")
    dialog.setLabelText(
        "Your name, which is kept with each region that you draw or change.\n"
        f"Leave it empty to use the name of your account, {account_name() or 'which has none'}."
    )
    dialog.setTextValue(author.name)
    dialog.textValueSelected.connect(author.set)
    dialog.textValueSelected.connect(
        lambda _: window.workbench.said.emit(f"Regions are now signed by {author.name}", False)
    )
    dialog.open()
    return dialog
