"""Asks for a folder and writes the report of all open runs there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from spotlab.formats.runs import ReadRun
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.workspace.window import Window
from spotlab.measures.errors import Errors
from spotlab.model import Primitive, Truth
from spotlab.progress import Progress
from spotlab.report.tables import SUFFIXES, write_columns
from spotlab.studies.evaluate.evaluation import spot_columns
from spotlab.studies.tally.label_areas import label_areas

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


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


def ask(window: Window) -> None:
    """Write the report into the folder that the user names."""
    dialog = FileDialog(window.frame, "Save report", window.workbench.collection.folder)
    dialog.save_to_folder("New folder:")
    dialog.selectFile("report")
    dialog.accepted.connect(lambda: save(window, dialog.path))
    dialog.open()


def save(window: Window, folder: Path) -> None:
    """Evaluate the open runs with intervals and write all of it, in the background."""
    workbench = window.workbench

    def done(page: Path) -> None:
        workbench.said.emit(f"Wrote {page}", False)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(page)))

    task = Task(workbench)
    task.start(_work(workbench, folder), done=done)
    window.status.watch(task)


def _work(workbench: Workbench, folder: Path) -> Callable[[Progress], Path]:
    inspection = workbench.state(Inspection)
    request, judging = inspection.runs.truth.request(), inspection.runs.judging
    opened = tuple(inspection.runs)
    runs = [ReadRun(run.run, run.bad_lines, run.remarks) for run in opened]

    def work(progress: Progress) -> Path:
        from spotlab.report.write import write_report  # noqa: PLC0415 - matplotlib takes long
        from spotlab.studies.evaluate.evaluate import evaluate  # noqa: PLC0415

        truths = request.read(progress)
        if judging.pages is not None:
            truths = truths.only(judging.pages)
        found = evaluate(
            truths, runs, judging.settings, primitive=judging.primitive, progress=progress
        )
        styled = [
            replace(evaluated, colour=run.colour, dash=run.dash)
            for evaluated, run in zip(found.runs, opened, strict=True)
        ]
        return write_report(replace(found, runs=tuple(styled)), folder, progress)

    return work
