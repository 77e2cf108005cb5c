"""Asks for the file that a table of figures is exported to, and writes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from spotlab.formats.rows.csv_rows import safe_csv
from spotlab.gui.kit.files import FileDialog, Say, write_file
from spotlab.report.tables import CSV, TableFormat
from spotlab.representation import utf8

SAFE = "CSV for spreadsheets, names never run as formulas (*.csv)"


def ask(
    parent: QWidget, format: TableFormat, name: str, text: Callable[[], str],
    folder: Path | None, say: Say,
) -> None:  # fmt: skip
    """Write a table to the file that the user chooses.

    Parameters
    ----------
    parent : QWidget
    format : TableFormat
    name : str
        The file name that is suggested, without suffix.
    text : callable
        Gives the content of the file; empty where there is none yet: nothing is written then.
    folder : Path or None
        That of the work at hand; see `start_folder`.
    say : callable
        Told that the file was written, or why not.
    """
    dialog = FileDialog(parent, f"Export {format.title}", folder)
    dialog.setNameFilters(
        [f"{format.title} (*{format.suffix})", *([SAFE] if format is CSV else [])]
    )
    dialog.setDefaultSuffix(format.suffix.removeprefix("."))
    dialog.selectFile(f"{name}{format.suffix}")

    def save() -> None:
        path, safe = dialog.path, dialog.selectedNameFilter() == SAFE
        content = text()
        if not content:
            say(f"{path.name} was not written: the table is not there yet; try again", True)
            return
        write_file(path, utf8(safe_csv(content) if safe else content), say)

    dialog.accepted.connect(save)
    dialog.open()
