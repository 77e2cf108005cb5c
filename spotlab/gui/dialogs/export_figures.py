"""Asks where a table of figures shall go, and writes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from spotlab.errors import SpotlabError
from spotlab.formats.atomic import write_atomically
from spotlab.gui.workbench import Workbench


@dataclass(frozen=True)
class Kind:
    """A way of writing figures."""

    title: str
    suffix: str


CSV = Kind("CSV", ".csv")
JSON = Kind("JSON", ".json")
LATEX = Kind("LaTeX", ".tex")
KINDS = (CSV, JSON, LATEX)


def ask(
    workbench: Workbench, parent: QWidget, kind: Kind, name: str, text: Callable[[], str]
) -> None:
    """Write what ``text`` gives to the file that the user chooses."""
    folder = workbench.collection.folder or Path.home()
    dialog = QFileDialog(parent, f"Export {kind.title}", str(folder))
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilter(f"{kind.title} (*{kind.suffix})")
    dialog.setDefaultSuffix(kind.suffix.removeprefix("."))
    dialog.selectFile(f"{name}{kind.suffix}")
    dialog.accepted.connect(lambda: write(workbench, Path(dialog.selectedFiles()[0]), text()))
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
