"""Asks for the second annotator's folder, and for that of what is decided."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from spotlab.gui.annotate.second.adjudication import Adjudication
from spotlab.gui.annotate.second.second_annotator import SecondAnnotator
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.workspace.window import Window


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
    dialog = QFileDialog(window.frame, title)
    OnScreen(dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    folder = window.workbench.collection.folder
    if folder is not None:
        dialog.setDirectory(str(folder.parent))
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.open()
