"""Asks for runs to open."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from spotlab.errors import SpotlabError
from spotlab.formats.runs.reading import runs_in
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.file_dialog import FileDialog

FILTERS = (
    "Runs (*.csv *.tsv *.parquet *.json *.xml)",
    "CSV (*.csv *.tsv)",
    "Parquet (*.parquet)",
    "COCO results (*.json)",
    "PAGE with confidence (*.xml)",
    "All files (*)",
)


def ask_runs(inspection: Inspection, parent: QWidget) -> None:
    """Open the runs that the user chooses."""
    folder = inspection.collection.folder
    dialog = FileDialog(parent, "Open runs", folder, FileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters(list(FILTERS))
    dialog.accepted.connect(lambda: open_runs(inspection, dialog.selectedFiles()))
    dialog.open()


def open_runs(inspection: Inspection, names: list[str]) -> None:
    """Open these files or folders as runs; say so if there are no pages to evaluate them on."""
    if not inspection.collection.entries:
        inspection.collection.said.emit(
            "Open the pages first: a run is evaluated against their truth", True
        )
        return
    paths: list[Path] = []
    for name in names:
        try:
            paths += runs_in(Path(name))
        except (SpotlabError, OSError) as error:
            inspection.collection.said.emit(str(error), True)
    inspection.runs.open(paths)
