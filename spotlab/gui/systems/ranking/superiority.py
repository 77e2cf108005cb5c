"""Superiority of one system over another: its probability and the evidence for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from spotlab.consensus.answers import KnownAnswers
from spotlab.errors import SpotlabError
from spotlab.formats.rows.csv_rows import safe_csv
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import json_text
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.kit.plots.export import PlotChoice, PlotOffer, ask_plot
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Choice, Option
from spotlab.gui.systems.partial_truth.partial_truth_state import PartialTruth
from spotlab.gui.systems.ranking.systems_rows import Shown, offered, shown_by
from spotlab.gui.systems.state import BY_WEIGHTS, Systems, paper_weights
from spotlab.progress import Progress
from spotlab.report.figure_text import written
from spotlab.report.tables import as_csv
from spotlab.representation import utf8
from spotlab.studies.systems.comparison import SUPERIORITY, SystemComparison, compare_systems

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from spotlab.consensus.comparison import SystemFigures
    from spotlab.gui.pages.workbench import Workbench
    from spotlab.gui.workspace import Window


NOT_SAID = "not said"


class SuperiorityMatrix(QWidget):
    """P(one system is better than another); the first follows the chosen one."""

    def __init__(self, systems: Systems, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.systems = systems
        self._names: tuple[str, ...] = ()
        self.first: Choice[int] = Choice(name="First system")
        self.second: Choice[int] = Choice(name="Second system")
        self.probability, self.caption = QLabel(), QLabel(SUPERIORITY, wordWrap=True)
        self.caption.setProperty("role", "quiet")
        self._lay_out()
        for combo in (self.first, self.second):
            combo.setToolTip("A system whose F is compared with that of the other one")
            combo.chosen.connect(lambda _: self.refresh())
        systems.table_changed.connect(self._rebuild)
        systems.comparison_changed.connect(self.refresh)
        systems.chosen_changed.connect(self._follow_system)
        self._rebuild()

    def refresh(self) -> None:
        """Say it of the two that are named; nothing while it is not known."""
        comparison = self.systems.comparison
        found = comparison.superiority if comparison else None
        self.setVisible(len(self._names) > 1 and found is not None)
        if found is None:
            return
        one, other = self.first.value, self.second.value
        value = math.nan if one == other else float(found[one, other])
        said = NOT_SAID if math.isnan(value) else written(value)
        self.probability.setText(rich(f"has the higher F with probability <b>{said}</b>"))

    def _rebuild(self) -> None:
        names = self.systems.names
        if names != self._names:
            self._names = names
            for combo, place in ((self.first, 0), (self.second, min(1, len(names) - 1))):
                combo.offer(Option(system, name) for system, name in enumerate(names))
                combo.show_value(place)
        self.refresh()

    def _follow_system(self) -> None:
        system = self.systems.system
        if system is not None and system != self.first.value:
            if system == self.second.value:
                self.second.show_value(self.first.value)
            self.first.show_value(system)
            self.refresh()

    def _lay_out(self) -> None:
        for combo in (self.first, self.second):
            combo.give_way()
        form = QGridLayout(self)  # below each other: no name is cut off where names begin alike
        form.setContentsMargins(12, 4, 12, 6)
        form.setSpacing(4)
        form.setColumnStretch(1, 1)
        form.addWidget(self.first, 0, 0, 1, 2)
        form.addWidget(self.probability, 1, 0, 1, 2)
        form.addWidget(QLabel("than"), 2, 0)
        form.addWidget(self.second, 2, 1)
        form.addWidget(self.caption, 3, 0, 1, 2)


Write = Callable[[SystemComparison, str, Path], Path]


@dataclass(frozen=True)
class ReportFormat:
    """File format of a written comparison; a folder has no suffix.

    ``write(comparison, method, path)`` knows the method that is looked at.
    """

    title: str
    suffix: str
    write: Write


def _as_file(content: Callable[[SystemComparison, str], str]) -> Write:
    def write(comparison: SystemComparison, method: str, path: Path) -> Path:
        write_atomically(path, utf8(content(comparison, method)))
        return path

    return write


def _csv(comparison: SystemComparison, method: str) -> str:
    """The figures that are looked at."""
    from spotlab.report.studies.consensus_tables import result_table, with_top  # noqa: PLC0415

    results = {each.name: each for each in comparison.every}
    name = comparison.main.name if method == BY_WEIGHTS else method
    shown = results.get(name, comparison.leading)
    return as_csv(with_top(result_table(comparison, shown, comparison.truth), shown))


def _json(comparison: SystemComparison, _: str) -> str:
    from spotlab.studies.systems.comparison_json import as_json  # noqa: PLC0415

    return f"{json_text(as_json(comparison))}\n"


def _write_report(comparison: SystemComparison, _: str, folder: Path) -> Path:
    from spotlab.report.studies.consensus import write_comparison  # noqa: PLC0415 - matplotlib takes long

    return write_comparison(comparison, folder)


CSV = ReportFormat("CSV", ".csv", _as_file(_csv))
SAFE_CSV = ReportFormat("CSV", ".csv", _as_file(lambda *shown: safe_csv(_csv(*shown))))
JSON = ReportFormat("JSON", ".json", _as_file(_json))
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


def _bars(
    names: Sequence[str], shown: Shown, truth: SystemFigures | None, title: str,
    choice: PlotChoice, _progress: Progress,
) -> Figure:  # fmt: skip
    from spotlab.report.studies.consensus import bar_chart  # noqa: PLC0415 - matplotlib takes long

    return bar_chart(names, shown.figures, truth, title, choice.width)


def ask_bars(workbench: Workbench, parent: QWidget) -> None:
    """Show the bars of precision and recall as they will be printed, and save them."""
    systems = workbench.state(Systems)
    shown = shown_by(systems, systems.method)
    title = next(each.title for each in offered(systems) if each.name == systems.method)
    if shown is not None:
        draw = partial(_bars, systems.names, shown, systems.truth, title)
        ask_plot(parent, PlotOffer("bars", draw), workbench.collection.folder, workbench.said.emit)


def save(workbench: Workbench, path: Path, way: ReportFormat) -> None:
    """Compare by the weights that are looked at and write that, in the background."""
    systems = workbench.state(Systems)
    method = systems.method
    wanted = compare_as_weighed(systems, workbench.state(PartialTruth).answers)

    def done(written: Path) -> None:
        workbench.said.emit(f"Wrote {written}", False)

    def work(progress: Progress) -> Path:
        try:
            return way.write(wanted(progress), method, path)
        except ValueError as error:
            raise SpotlabError(str(error)) from error

    Task(workbench).start(work, done=done)


def compare_as_weighed(
    systems: Systems, answers: KnownAnswers
) -> Callable[[Progress], SystemComparison]:
    """The comparison by the answers as they are now, and by the weights if they are looked at."""
    loaded, known, group_by = systems.loaded, systems.comparison, systems.group_by
    if loaded is None:
        raise ValueError("no votes are open")
    weights, oracle = dict(systems.weights), systems.oracle
    usual = systems.method != BY_WEIGHTS or weights == paper_weights(loaded)
    if known is not None and usual and not len(answers):
        return lambda _: known
    if oracle is not None and (usual or not weights[oracle]):
        del weights[oracle]
        oracle = None
    total = sum(weights.values()) or 1.0
    shares = None if usual else {name: weight / total for name, weight in weights.items()}

    def compare(progress: Progress) -> SystemComparison:
        return compare_systems(
            loaded.table, shares, oracle, group_by, answers=answers, progress=progress
        )

    return compare
