"""Asks for ranked lists to open, and where to save those that are shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from spotlab.errors import SpotlabError
from spotlab.gui.kit.file_dialog import FileDialog
from spotlab.gui.words.state.word_files import save_lists
from spotlab.gui.words.state.words import Words

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

FILTERS = (
    "Ranked lists and judgements (*.csv *.tsv *.run *.trec *.qrels *.txt)",
    "All files (*)",
)


def ask_lists(workbench: Workbench, parent: QWidget) -> None:
    """Open the lists that the user points at."""
    here = workbench.collection.folder
    dialog = FileDialog(parent, "Open ranked lists", here, FileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters(list(FILTERS))
    dialog.accepted.connect(lambda: open_dropped(workbench, dialog.selectedFiles()))
    dialog.open()


def open_dropped(workbench: Workbench, names: list[str]) -> None:
    """Open these files as lists, or as judgements of lists."""
    workbench.state(Words).imported.open([Path(name) for name in names])


def ask_where_to_save(workbench: Workbench, parent: QWidget) -> None:
    """Save the lists that are shown where the user says."""
    dialog = FileDialog(parent, "Save the lists", workbench.collection.folder)
    dialog.setNameFilters(["Ranked lists (*.csv)"])
    dialog.setDefaultSuffix("csv")
    dialog.selectFile(f"{workbench.state(Words).queries.query or 'lists'}.csv")
    dialog.accepted.connect(lambda: save(workbench, dialog.path))
    dialog.open()


def save(workbench: Workbench, path: Path) -> None:
    """Save the lists that are shown, and say so, or why not."""
    try:
        save_lists(workbench.state(Words), path)
    except SpotlabError as error:
        workbench.said.emit(str(error), True)
    else:
        workbench.said.emit(f"Saved the lists in {path.name}", False)
