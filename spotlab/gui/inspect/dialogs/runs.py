"""Asks for runs to open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.on_screen import OnScreen

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

FILTERS = (
    "Runs (*.csv *.tsv *.parquet *.json *.xml)",
    "CSV (*.csv *.tsv)",
    "Parquet (*.parquet)",
    "COCO results (*.json)",
    "PAGE with confidence (*.xml)",
    "All files (*)",
)


def ask_runs(workbench: Workbench, parent: QWidget) -> None:
    """Open the runs that the user points at."""
    here = workbench.collection.folder
    dialog = QFileDialog(parent, "Open runs", str(here or Path.home()))
    OnScreen(dialog)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters(list(FILTERS))
    dialog.accepted.connect(lambda: open_runs(workbench, dialog.selectedFiles()))
    dialog.finished.connect(lambda _: dialog.deleteLater())
    dialog.open()


def open_runs(workbench: Workbench, names: list[str]) -> None:
    """Open these files or folders as runs; say so if there are no pages to judge them by."""
    if not workbench.entries:
        workbench.said.emit("Open the pages first: a run is judged by their truth", True)
        return
    workbench.state(Inspection).runs.open([Path(name) for name in names])
