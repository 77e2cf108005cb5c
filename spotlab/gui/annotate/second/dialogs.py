"""Asks for the second annotator's folder, and for that of what is decided."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog

from spotlab.gui.annotate.second.adjudication import Adjudication
from spotlab.gui.annotate.second.second_annotator import SecondAnnotator
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.pages.offers import account_name
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


def ask_second(window: Window) -> None:
    """Open a second annotator's folder beside the collection."""

    def chosen(path: Path) -> None:
        window.docks.bring("second")
        window.workbench.state(SecondAnnotator).open(path)

    _ask(window, "Folder of the second annotator", chosen)


def ask_decisions(window: Window) -> None:
    """Choose the folder that decisions and the third truth are kept in."""
    deciding = window.workbench.state(Adjudication)
    _ask(window, "Folder for what is decided: an empty one, or one with decisions", deciding.open)


def _ask(window: Window, title: str, chosen: Callable[[Path], object]) -> None:
    folder = window.workbench.collection.folder
    beside = None if folder is None else folder.parent
    dialog = FileDialog(window.frame, title, beside, FileDialog.FileMode.Directory)
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.open()
