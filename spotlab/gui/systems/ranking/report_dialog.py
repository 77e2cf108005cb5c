"""Asks where a comparison of systems shall go, and writes it: CSV, JSON or a report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.consensus.answers import Answers
from spotlab.errors import SpotlabError
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import json_text
from spotlab.gui.kit.file_dialog import FileDialog
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.kit.task import Task
from spotlab.gui.systems.loaded_votes import paper_weights
from spotlab.gui.systems.partial_truth.partial_truth_state import PartialTruth
from spotlab.gui.systems.state import DRAWS, Systems
from spotlab.progress import Progress
from spotlab.representation import utf8
from spotlab.studies.systems.comparison import SystemComparison, compare_systems

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench
    from spotlab.gui.workspace.window import Window


@dataclass(frozen=True)
class ReportFormat:
    """How a comparison is written; a folder has no suffix."""

    title: str
    suffix: str
    write: Callable[[SystemComparison, Path], Path]


def _write_csv(comparison: SystemComparison, path: Path) -> Path:
    from spotlab.report.studies.consensus_tables import systems_table  # noqa: PLC0415
    from spotlab.report.tables import as_csv  # noqa: PLC0415

    write_atomically(path, utf8(as_csv(systems_table(comparison))))
    return path


def _write_safe_csv(comparison: SystemComparison, path: Path) -> Path:
    from spotlab.formats.rows.csv_rows import safe_csv  # noqa: PLC0415
    from spotlab.report.studies.consensus_tables import systems_table  # noqa: PLC0415
    from spotlab.report.tables import as_csv  # noqa: PLC0415

    write_atomically(path, utf8(safe_csv(as_csv(systems_table(comparison)))))
    return path


def _write_json(comparison: SystemComparison, path: Path) -> Path:
    from spotlab.studies.systems.comparison_json import as_json  # noqa: PLC0415

    write_atomically(path, utf8(f"{json_text(as_json(comparison))}\n"))
    return path


def _write_report(comparison: SystemComparison, folder: Path) -> Path:
    from spotlab.report.studies.consensus import write_comparison  # noqa: PLC0415 - matplotlib takes long

    return write_comparison(comparison, folder)


CSV = ReportFormat("CSV", ".csv", _write_csv)
SAFE_CSV = ReportFormat("CSV", ".csv", _write_safe_csv)
JSON = ReportFormat("JSON", ".json", _write_json)
REPORT = ReportFormat("report", "", _write_report)


def ask_where(workbench: Workbench, window: Window, way: ReportFormat) -> None:
    """Write what is compared to where the user says."""
    here = workbench.collection.folder
    dialog = FileDialog(window.frame, f"Export {way.title}", here)
    if way.suffix:
        filters = [f"{way.title} (*{way.suffix})"]
        dialog.setNameFilters([*filters, export_figures.SAFE] if way is CSV else filters)
        dialog.setDefaultSuffix(way.suffix[1:])
    else:
        dialog.save_to_folder("Folder to make:")
    dialog.selectFile(f"systems{way.suffix}")

    def write() -> None:
        safe = dialog.selectedNameFilter() == export_figures.SAFE
        save(workbench, dialog.path, SAFE_CSV if safe else way)

    dialog.accepted.connect(write)
    dialog.open()


def save(workbench: Workbench, path: Path, way: ReportFormat) -> None:
    """Compare by the weights of the sliders and write that, in the background."""
    systems = workbench.state(Systems)
    wanted = compare_as_weighed(systems, workbench.state(PartialTruth).answers)

    def done(written: Path) -> None:
        workbench.said.emit(f"Wrote {written}", False)

    def work(progress: Progress) -> Path:
        try:
            return way.write(wanted(progress), path)
        except ValueError as error:
            raise SpotlabError(str(error)) from error

    Task(workbench).start(work, done=done)


def compare_as_weighed(
    systems: Systems, answers: Answers
) -> Callable[[Progress], SystemComparison]:
    """The comparison by the weights and answers as they are now; made anew where there are any."""
    loaded, known, group_by = systems.loaded, systems.comparison, systems.group_by
    if loaded is None:
        raise ValueError("no votes are open")
    weights, oracle = dict(systems.weights), systems.oracle
    usual = weights == paper_weights(loaded)
    if known is not None and usual and not len(answers):
        return lambda _: known
    if oracle is not None and not weights[oracle]:
        del weights[oracle]
        oracle = None
    total = sum(weights.values()) or 1.0
    shares = None if usual else {name: weight / total for name, weight in weights.items()}

    def compare(progress: Progress) -> SystemComparison:
        return compare_systems(
            loaded.table, shares, oracle, group_by, draws=DRAWS, answers=answers, progress=progress
        )

    return compare
