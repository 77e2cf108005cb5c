"""Asks for the file that all spots of the current run are written to, and writes it in a thread."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.file_dialog import FileDialog
from spotlab.gui.kit.task import Task
from spotlab.gui.workspace.window import Window
from spotlab.measures.errors import Errors
from spotlab.model import Primitive, Truth
from spotlab.progress import Progress
from spotlab.report.tables import SUFFIXES, write_columns
from spotlab.studies.evaluate.evaluation import spot_columns
from spotlab.studies.tally.label_areas import label_areas


class SpotsExport:
    """Writes one table at a time."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._inspection = window.workbench.state(Inspection)
        self._writing = Task(window.workbench)

    def ask(self) -> FileDialog:
        """Let the user choose a file."""
        current, folder = self._inspection.runs.current, self._inspection.collection.folder
        dialog = FileDialog(self._window.frame, "Export spots", folder)
        dialog.offer_kinds(SUFFIXES)
        dialog.selectFile(f"{current.name if current else 'run'}-spots")
        dialog.accepted.connect(lambda: self.write(dialog.path))
        dialog.open()
        return dialog

    def write(self, path: Path) -> None:
        """Write all spots of the current run, in the format that the suffix says."""
        runs, current = self._inspection.runs, self._inspection.runs.current
        if current is None or current.errors is None:
            return
        say = self._inspection.collection.said.emit
        self._writing.start(
            _written, current.name, current.errors, runs.truth.all, runs.primitive, path,
            done=lambda _: say(f"Wrote {path}", False),
        )  # fmt: skip


def _written(
    name: str,
    errors: Errors,
    truths: Mapping[str, Truth],
    primitive: Primitive | None,
    path: Path,
    progress: Progress,
) -> None:
    areas = label_areas(errors.tally, truths, primitive, progress)
    progress(0, None, f"Writing {path.name}")
    write_columns(spot_columns(name, errors, areas), path)
