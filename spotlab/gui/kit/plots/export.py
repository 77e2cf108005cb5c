"""Asks where a table of figures shall go, and writes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from spotlab.errors import SpotlabError
from spotlab.formats.rows.atomic import write_atomically
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.pages.workbench import Workbench
from spotlab.report.safe_cells import safe_csv


@dataclass(frozen=True)
class Kind:
    """A way of writing figures."""

    title: str
    suffix: str


CSV = Kind("CSV", ".csv")
JSON = Kind("JSON", ".json")
LATEX = Kind("LaTeX", ".tex")
SAFE = "CSV for spreadsheets, names never run as formulas (*.csv)"
KINDS = (CSV, JSON, LATEX)


def ask(
    workbench: Workbench, parent: QWidget, kind: Kind, name: str, text: Callable[[], str]
) -> None:
    """Write what ``text`` gives to the file that the user chooses."""
    folder = workbench.collection.folder or Path.home()
    dialog = QFileDialog(parent, f"Export {kind.title}", str(folder))
    OnScreen(dialog)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([f"{kind.title} (*{kind.suffix})", *([SAFE] if kind is CSV else [])])
    dialog.setDefaultSuffix(kind.suffix.removeprefix("."))
    dialog.selectFile(f"{name}{kind.suffix}")

    def save() -> None:
        path, safe = Path(dialog.selectedFiles()[0]), dialog.selectedNameFilter() == SAFE
        write(workbench, path, safe_csv(text()) if safe else text())

    dialog.accepted.connect(save)
    dialog.finished.connect(lambda _: dialog.deleteLater())
    dialog.open()


def write(workbench: Workbench, path: Path, text: str) -> None:
    """Write the file, and say so or why not."""
    try:
        write_atomically(path, text.encode())
    except SpotlabError as error:
        workbench.said.emit(str(error), True)
    else:
        workbench.said.emit(f"Wrote {path}", False)
