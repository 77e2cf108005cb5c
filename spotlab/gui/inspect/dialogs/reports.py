"""Asks for a folder and writes the report of all open runs there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from spotlab.formats.runs import ReadRun
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.file_dialog import FileDialog
from spotlab.gui.kit.task import Task
from spotlab.progress import Progress

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench
    from spotlab.gui.workspace.window import Window


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
