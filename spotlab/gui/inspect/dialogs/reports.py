"""Asks for a folder and writes the report of all open runs there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QIcon, QPixmap
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QWidget,
)

from spotlab.errors import SpotlabError
from spotlab.formats.runs import ReadRun
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import theme
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.plots.export import PlotDialog, PlotOffer, ask_plot
from spotlab.gui.kit.table_view import NAME_STYLE, tabular
from spotlab.gui.kit.text import HEIGHT, WIDTH, line_sample, rich
from spotlab.gui.kit.widgets import in_column
from spotlab.gui.workspace import Window
from spotlab.measures.figures import RunFigures
from spotlab.measures.matching import Errors
from spotlab.model import Primitive, Truth
from spotlab.progress import Progress
from spotlab.report.colours import RunStyle, run_style
from spotlab.report.tables import SUFFIXES, Table, write_columns
from spotlab.studies.evaluate.evaluation import spot_columns
from spotlab.studies.evaluate.inspected_run import InspectedRun
from spotlab.studies.evaluate.scalability import Scalability, measure_scalability
from spotlab.studies.tally.label_areas import label_areas

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench
    from spotlab.report.charts import Chart


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
        return dialog.ask(self.write, suggested=f"{current.name if current else 'run'}-spots")

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
    dialog.ask(lambda path: save(window, path), suggested="report")


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


SHARP = 2  # pixels of a shown picture for each one of the screen


class ScalabilityDialog(QDialog):
    """Table 3, Figs. 9 and 10 of the runs that were open, as `spotlab scalability` makes them.

    Attributes
    ----------
    found : Scalability or None
        None while it is being measured.
    pictures : QTabWidget
        The plots, as they are saved.
    """

    def __init__(self, runs: Sequence[InspectedRun], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Scalability")
        self.resize(960, 620)
        OnScreen(self)
        self._runs = [run for run in runs if run.figures is not None]
        self.found: Scalability | None = None
        self._charts: dict[str, Chart] = {}
        self._table: Table | None = None
        self.head = set_up(QLabel("Drawing queries …", wordWrap=True), role="quiet")
        self.table = QTableWidget(0, 0)
        self.pictures = QTabWidget()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.offers = [
            buttons.addButton(title, QDialogButtonBox.ButtonRole.ActionRole)
            for title in ("Copy Table", "Save Plot…", "Save All…")
        ]
        offered = zip(self.offers, (self.copy, self.ask_plot, self.ask_all), strict=True)
        for button, do in offered:
            button.setAutoDefault(False)
            button.setEnabled(False)
            button.clicked.connect(do)
        buttons.rejected.connect(self.close)
        in_column(
            self.head, self.table, (self.pictures, 1), buttons, of=self, margins=(14, 12, 14, 12),
            spacing=10,
        )  # fmt: skip
        self.task, self._saving = Task(say=self._say), Task(say=self._say)
        self.destroyed.connect(self.task.cancel)  # Escape closes without a close event
        figures = [run.figures for run in self._runs if run.figures is not None]
        names, styles = [run.name for run in self._runs], self._styles()
        self.task.start(_measure, names, figures, styles, done=self._show)

    def copy(self) -> None:
        """Put the table on the clipboard."""
        if self._table is not None:
            lines = [[column.title for column in self._table.columns]]
            lines += [[cell.text for cell in row] for row in self._table.rows]
            QApplication.clipboard().setText("\n".join("\t".join(line) for line in lines) + "\n")

    def ask_plot(self) -> PlotDialog:
        """Offer the plot in sight for print."""
        name = self.pictures.currentWidget().objectName()
        chart = self._charts[name]
        offer = PlotOffer(name, lambda choice, _progress: chart.figure(choice.width))
        return ask_plot(self, offer, None, self._say)

    def ask_all(self) -> FileDialog:
        """Ask for a folder for all tables and plots."""
        dialog = FileDialog(self, "Save scalability", None)
        dialog.save_to_folder("New folder:")
        return dialog.ask(self.save_all, suggested="scalability")

    def save_all(self, folder: Path) -> None:
        """Write what `spotlab scalability --out` writes."""
        from spotlab.report.studies.scalability import write_scalability  # noqa: PLC0415

        if self.found is not None:
            found, styles = self.found, self._styles()

            def write(progress: Progress) -> Path:
                return write_scalability(found, folder, progress, styles=styles)

            self._saving.start(write, done=lambda _: self._say(f"Wrote {folder}"))

    def _styles(self) -> list[RunStyle]:
        return [
            RunStyle(run.colour, run.dash) if run.colour else run_style(number)
            for number, run in enumerate(self._runs)
        ]

    def _say(self, text: str, failed: bool = False) -> None:
        self.head.setText(text)

    def _show(self, measured: MeasuredScalability) -> None:
        found = self.found = measured.found
        self._charts, self._table = measured.charts, measured.table
        counts = ", ".join(str(count) for count in found.counts)
        self.head.setText(
            f"{counts} of {len(found.classes):,} queries drawn at random, {found.draws:,} times "
            "each. Table 3: standard deviation between numbers of queries, in %."
        )
        self._fill(measured.table)
        for name, content in measured.images.items():
            pixmap = QPixmap()
            pixmap.loadFromData(content)
            pixmap.setDevicePixelRatio(SHARP)
            shown, scrolled = QLabel(), QScrollArea()
            shown.setPixmap(pixmap)
            shown.setAlignment(Qt.AlignmentFlag.AlignCenter)
            scrolled.setWidget(shown)
            scrolled.setWidgetResizable(True)
            scrolled.setObjectName(name)
            scrolled.setAccessibleName(TABS[name])
            self.pictures.addTab(scrolled, TABS[name])
        for button in self.offers:
            button.setEnabled(True)

    def _fill(self, table: Table) -> None:
        """Show the table of deviations, a row for each run."""
        view = self.table
        view.setShowGrid(False)
        view.setFrameShape(QTableWidget.Shape.NoFrame)
        view.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        view.setFont(tabular(view.font()))
        view.setIconSize(QSize(WIDTH, HEIGHT))
        view.setRowCount(len(table.rows))
        view.setColumnCount(len(table.columns) - 1)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for place, column in enumerate(table.columns[1:]):
            head = QTableWidgetItem(column.title.replace(", ", ",\n"))
            head.setToolTip(rich(f"<p>{column.definition}</p>"))
            head.setTextAlignment(right)
            view.setHorizontalHeaderItem(place, head)
        behind = theme.colours(self.palette()).base
        for row, (run, cells) in enumerate(zip(self._runs, table.rows, strict=True)):
            swatch = line_sample(readable(run.colour, behind), run.dash)
            view.setVerticalHeaderItem(row, QTableWidgetItem(QIcon(swatch), run.name))
            for place, cell in enumerate(cells[1:]):
                item = QTableWidgetItem(cell.text)
                item.setTextAlignment(right)
                view.setItem(row, place, item)
        view.verticalHeader().setStyleSheet(NAME_STYLE)
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        view.verticalHeader().setDefaultSectionSize(26)
        shown = min(len(self._runs), 6)
        view.setFixedHeight(view.horizontalHeader().sizeHint().height() + 26 * shown + 4)


TABS = {"curves-by-number": "Fig. 9a", "curves": "Fig. 9b, c", "sizes": "Fig. 10"}


@dataclass(frozen=True, eq=False)
class MeasuredScalability:
    """The scalability of runs with its table, plots and their pictures by the names of files."""

    found: Scalability
    table: Table
    charts: dict[str, Chart]
    images: dict[str, bytes]


def show(window: Window) -> None:
    """Measure the runs that are open."""
    ScalabilityDialog(tuple(window.workbench.state(Inspection).runs), window.frame).show()


def _measure(
    names: Sequence[str],
    figures: Sequence[RunFigures],
    styles: Sequence[RunStyle],
    progress: Progress,
) -> MeasuredScalability:
    if not figures:
        raise SpotlabError("The runs are still being computed")
    from spotlab.report.charts import file  # noqa: PLC0415 - matplotlib takes long
    from spotlab.report.studies.scalability import curves, deviations_table, sizes  # noqa: PLC0415

    found = measure_scalability(names, figures, progress=progress)
    progress(0, None, "Drawing plots")
    charts = {**curves(found, styles), "sizes": sizes(found, styles)}
    images = {name: file(each.figure(SHOWN), "png", SHARP * 100) for name, each in charts.items()}
    return MeasuredScalability(found, deviations_table(found), charts, images)


SHOWN = 8.8  # inches of a shown plot
