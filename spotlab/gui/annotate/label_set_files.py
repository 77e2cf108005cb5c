"""Takes a collection's label set from a file, and writes it to one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from spotlab.errors import SpotlabError, counted
from spotlab.formats.collection.label_table import read_label_table, write_label_table
from spotlab.gui.kit.file_dialog import FileDialog
from spotlab.gui.pages.workbench import Workbench

_READ = ("Label sets (*.csv *.tsv *.json *.txt)", "All files (*)")
_WRITTEN = ("Table (*.csv)", "JSON (*.json)", "Names only (*.txt)")


def ask_import(workbench: Workbench, parent: QWidget) -> None:
    """Take over the labels of the file that the user points at."""
    here = workbench.collection.folder
    dialog = FileDialog(parent, "Import label set", here, FileDialog.FileMode.ExistingFile)
    dialog.setNameFilters(list(_READ))
    dialog.accepted.connect(lambda: import_labels(workbench, dialog.path))
    dialog.open()


def ask_export(workbench: Workbench, parent: QWidget) -> None:
    """Write the labels where the user says."""
    dialog = FileDialog(parent, "Export label set", workbench.collection.folder)
    dialog.setNameFilters(list(_WRITTEN))
    dialog.setDefaultSuffix("csv")
    dialog.filterSelected.connect(
        lambda chosen: dialog.setDefaultSuffix(chosen.rsplit(".", 1)[-1].rstrip(")"))
    )
    dialog.selectFile("labels")
    dialog.accepted.connect(lambda: export_labels(workbench, dialog.path))
    dialog.open()


def import_labels(workbench: Workbench, path: Path) -> None:
    """Put the labels of a file first; those that only the collection has stay behind them."""
    try:
        found = read_label_table(path)
    except SpotlabError as error:
        workbench.said.emit(str(error), True)
        return
    before = workbench.labels
    names = {label.name for label in found}
    others = [label.name for label in before if label.name not in names]
    workbench.collection.set_labels(before.joined(found))
    said = f"Imported {counted(len(found), 'label')} from {path.name}"
    if others:
        verb = "is" if len(others) == 1 else "are"
        said += f"; {len(others):,} of the collection {verb} not in the file and stay at the end"
    workbench.said.emit(said, False)


def export_labels(workbench: Workbench, path: Path) -> None:
    """Write all labels with colours, digits and descriptions."""
    try:
        write_label_table(path, workbench.labels)
    except SpotlabError as error:
        workbench.said.emit(str(error), True)
    else:
        workbench.said.emit(f"Wrote {path}", False)
