"""Asks for a folder and writes the report of all open runs there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFont, QIcon
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from spotlab.errors import SpotlabError
from spotlab.formats.runs import ReadRun
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import theme
from spotlab.gui.kit import theme as icons
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.plots.readout import HEIGHT, WIDTH, ShareAxis, line_pen, line_sample
from spotlab.gui.kit.table_view import NAME_STYLE, tabular
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.theme import Colours
from spotlab.gui.kit.widgets import in_column
from spotlab.gui.workspace import Window
from spotlab.measures.figures import RunFigures
from spotlab.measures.matching import Errors
from spotlab.measures.scalability import CurveFamily
from spotlab.model import Primitive, Truth
from spotlab.progress import Progress
from spotlab.report.figure_text import written
from spotlab.report.tables import SUFFIXES, write_columns
from spotlab.studies.evaluate.evaluation import spot_columns
from spotlab.studies.evaluate.inspected_run import InspectedRun
from spotlab.studies.evaluate.scalability import RunScalability, Scalability, measure_scalability
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


EVERY = 5  # samples between two error bars
CAP = 0.012  # half a bar's end, as a share of the axis


class ErrorBarPlot(pg.PlotWidget):  # type: ignore[misc] # pyqtgraph has no types
    """Curves whose deviation is drawn as bars; nothing to be dragged."""

    def __init__(self, x: str, y: str, shares: bool = True) -> None:
        axes = {"bottom": ShareAxis("bottom", x), "left": ShareAxis("left", y)}
        super().__init__(axisItems=axes)
        self._axes = tuple(axes.values())
        self.setMenuEnabled(False)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.setMinimumSize(230, 190)
        if shares:
            self.setRange(xRange=(0, 1), yRange=(0, 1), padding=0.03)
        self._base = "#ffffff"

    def paint_in(self, colours: Colours) -> None:
        """Take the theme's colours."""
        self._base = colours.base
        self.setBackground(colours.base)
        font = QFont(QApplication.font())
        font.setPointSizeF(font.pointSizeF() * 0.85)
        for axis in self._axes:
            axis.paint_in(colours, font)

    def draw(
        self,
        x: Sequence[float] | np.ndarray,
        y: Sequence[float] | np.ndarray,
        across: np.ndarray | None,
        up: np.ndarray | None,
        colour: str,
        dash: tuple[float, ...] = (),
        every: int = EVERY,
    ) -> None:
        """Add a curve; ``across`` and ``up`` are deviations to both sides, NaN for none."""
        pen = line_pen(readable(colour, self._base), dash, 2)
        x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
        marked = {"symbol": "o", "symbolSize": 7, "symbolBrush": pen.color()} if every == 1 else {}
        self.addItem(pg.PlotDataItem(x, y, pen=pen, connect="finite", antialias=True, **marked))
        thin = pg.mkPen(readable(colour, self._base), width=1)
        for deviation, horizontal in ((across, True), (up, False)):
            if deviation is None:
                continue
            chosen = np.flatnonzero(~np.isnan(x) & ~np.isnan(y) & ~np.isnan(deviation))[::every]
            sides = {"left": deviation[chosen], "right": deviation[chosen]}
            if not horizontal:
                sides = {"top": deviation[chosen], "bottom": deviation[chosen]}
            self.addItem(
                pg.ErrorBarItem(x=x[chosen], y=y[chosen], pen=thin, beam=CAP, **sides)
                if every > 1
                else pg.ErrorBarItem(x=x[chosen], y=y[chosen], pen=thin, **sides)
            )


def draw_run(
    plots: tuple[ErrorBarPlot, ErrorBarPlot, ErrorBarPlot],
    run: RunScalability,
    recalls: np.ndarray,
    colour: str,
    dash: tuple[float, ...] = (),
) -> None:
    """Add a run to the plots of P over R, of F over r, and of what is recognised (Fig. 10)."""
    curve, f, sizes = plots
    curve.draw(
        run.recall.centre, run.precision.centre, run.recall.deviation, run.precision.deviation,
        colour, dash,
    )  # fmt: skip
    f.draw(recalls, run.f.centre, None, run.f.deviation, colour, dash)
    rates = [np.nan if s.recognition_rate is None else s.recognition_rate for s in run.sizes]
    spread = [np.nan if s.recognition_spread is None else s.recognition_spread for s in run.sizes]
    sizes.draw(
        [s.false_positives for s in run.sizes], rates,
        np.array([s.false_positives_spread for s in run.sizes]), np.array(spread), colour, dash,
        every=1,
    )  # fmt: skip


HEADS = (
    ("Recall: mean", "Mean of the standard deviation of recall between numbers of queries"),
    ("largest", "Its maximum over all decision thresholds"),
    ("Precision: mean", "Mean of the standard deviation of precision"),
    ("largest", "Its maximum over all decision thresholds"),
    ("F: mean", "Mean of the standard deviation of F(r)"),
    ("largest", "Its maximum over all recalls"),
)


class ScalabilityDialog(QDialog):
    """Stands beside the window; what it shows is of the runs as they were when it was opened."""

    def __init__(self, runs: Sequence[InspectedRun], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Scalability")
        self.resize(960, 520)
        OnScreen(self)
        self._runs = [run for run in runs if run.figures is not None]
        self.found: Scalability | None = None
        self.head = QLabel("Drawing queries …")
        self.head.setProperty("role", "quiet")
        self.head.setWordWrap(True)
        self.table = self._table()
        self.plots = (
            ErrorBarPlot("Recall", "Precision"),
            ErrorBarPlot("Recall", "F"),
            ErrorBarPlot("False positives per query", "Recognised (%)", shares=False),
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy Table", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setAutoDefault(False)
        copy.clicked.connect(self.copy)
        buttons.rejected.connect(self.close)
        row = QHBoxLayout()
        for plot in self.plots:
            row.addWidget(plot, 1)
        in_column(
            self.head, self.table, (row, 1), buttons, of=self, margins=(14, 12, 14, 12), spacing=10
        )
        icons.repainted.changed.connect(self._paint)
        self._paint()
        figures = [run.figures for run in self._runs if run.figures is not None]
        self.task = Task(say=lambda text, _: self.head.setText(text))
        self.destroyed.connect(self.task.cancel)  # Escape closes without a close event
        self.task.start(_measure, [run.name for run in self._runs], figures, done=self._show)

    def copy(self) -> None:
        """Put the table on the clipboard."""
        lines = [["run", *(f"{head}" for head, _ in HEADS)]]
        for row, run in enumerate(self._runs):
            cells = [self.table.item(row, column) for column in range(len(HEADS))]
            lines.append([run.name, *(cell.text() if cell else "" for cell in cells)])
        QApplication.clipboard().setText("\n".join("\t".join(line) for line in lines) + "\n")

    def _table(self) -> QTableWidget:
        table = QTableWidget(len(self._runs), len(HEADS))
        table.setShowGrid(False)
        table.setFrameShape(QTableWidget.Shape.NoFrame)
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setFont(tabular(table.font()))
        behind = theme.colours(self.palette()).base
        table.setIconSize(QSize(WIDTH, HEIGHT))
        for row, run in enumerate(self._runs):
            swatch = line_sample(readable(run.colour, behind), run.dash)
            table.setVerticalHeaderItem(row, QTableWidgetItem(QIcon(swatch), run.name))
        table.verticalHeader().setStyleSheet(NAME_STYLE)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        table.verticalHeader().setDefaultSectionSize(26)
        for column, (title, tip) in enumerate(HEADS):
            item = QTableWidgetItem(title)
            item.setToolTip(rich(f"<p>{tip}, in shares of 1 (Table 3)</p>"))
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            table.setHorizontalHeaderItem(column, item)
        shown = min(len(self._runs), 6)
        table.setFixedHeight(table.horizontalHeader().sizeHint().height() + 26 * shown + 4)
        return table

    def _paint(self) -> None:
        for plot in self.plots:
            plot.paint_in(theme.colours(self.palette()))
        if self.found is not None:
            self._draw(self.found)

    def _show(self, found: Scalability) -> None:
        self.found = found
        counts = ", ".join(str(count) for count in found.counts)
        self.head.setText(
            f"{counts} of {len(found.classes):,} queries drawn at random, {found.draws:,} times "
            "each: deviation between their mean curves. Right: a third, two thirds and all of the "
            "queries and pages. Bars show one standard deviation."
        )
        for row, run in enumerate(found.runs):
            families = (run.recall, run.precision, run.f)
            for column, family in enumerate(families):
                self._put(row, 2 * column, family.mean_deviation, family)
                self._put(row, 2 * column + 1, family.largest_deviation, family)
        self._draw(found)

    def _put(self, row: int, column: int, value: float | None, family: CurveFamily) -> None:
        item = QTableWidgetItem(written(value))
        item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        chance = written(family.mean_by_chance)
        item.setToolTip(rich(f"<p>Random draws alone would give a mean of {chance}</p>"))
        self.table.setItem(row, column, item)

    def _draw(self, found: Scalability) -> None:
        for plot in self.plots:
            plot.clear()
        for inspected, run in zip(self._runs, found.runs, strict=True):
            draw_run(self.plots, run, found.recalls, inspected.colour, inspected.dash)


def show(window: Window) -> None:
    """Measure the runs that are open."""
    ScalabilityDialog(tuple(window.workbench.state(Inspection).runs), window.frame).show()


def _measure(
    names: Sequence[str], figures: Sequence[RunFigures], progress: Progress
) -> Scalability:
    if not figures:
        raise SpotlabError("The runs are still being computed")
    return measure_scalability(names, figures, progress=progress)
