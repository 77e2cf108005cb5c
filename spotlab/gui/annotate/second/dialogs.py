"""Asks for the second annotator's folder, and for that of what is decided."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from spotlab.gui.annotate.second.adjudication import Adjudication
from spotlab.gui.annotate.second.second_annotator import SecondAnnotator
from spotlab.gui.kit.file_dialog import FileDialog
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
    folder = window.workbench.collection.folder
    beside = None if folder is None else folder.parent
    dialog = FileDialog(window.frame, title, beside, FileDialog.FileMode.Directory)
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.open()
