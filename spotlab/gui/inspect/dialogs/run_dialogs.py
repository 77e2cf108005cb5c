"""Dialogs about runs: opening them, their problems, names and changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QSplitter,
    QTableView,
    QWidget,
)

from spotlab.errors import SpotlabError, counted
from spotlab.formats.rows.csv_rows import split_names
from spotlab.formats.runs import coco_results, csv_run
from spotlab.formats.runs.format import Naming, UnknownColumns
from spotlab.formats.runs.reading import run_format_of, runs_in
from spotlab.formats.votes.format import first_line
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.tool import GoTo
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.rows import ROW_ROLE, RowColumn, RowModel
from spotlab.gui.kit.table_view import tabular
from spotlab.gui.kit.widgets import Choice, Option, in_column
from spotlab.gui.workspace import Choice as BannerChoice
from spotlab.gui.workspace import Window
from spotlab.measures.matching import ErrorKind, ErrorPlace
from spotlab.progress import silent
from spotlab.studies.compare.readings import QueryChange, RunChanges, SymbolChange, difference_text
from spotlab.studies.evaluate.inspected_run import InspectedRun
from spotlab.studies.tally.outlines import spot_places
from spotlab.studies.tally.truth import is_coco

READ = 10_000_000  # bytes of JSON that are read to see whether it is a run


class ProblemsDialog(QDialog):
    """Stands beside the window while the file is put right."""

    def __init__(self, run: InspectedRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Problems of {run.name}")
        self.resize(640, 420)
        OnScreen(self)
        head = QLabel(f"{summary(run)}.", wordWrap=True)
        self.text = QPlainTextEdit("\n".join(lines(run)))
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName("Problems")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy All", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setAutoDefault(False)
        copy.clicked.connect(self.copy)
        buttons.rejected.connect(self.close)
        in_column(head, self.text, buttons, of=self, margins=(14, 12, 14, 12))

    def copy(self) -> None:
        """Put all lines on the clipboard."""
        QApplication.clipboard().setText(self.text.toPlainText())


def summary(run: InspectedRun) -> str:
    """Return what kinds of problems there are, in a line; empty if there are none."""
    found = []
    bad, pages, queries = len(run.bad_lines), run.unknown_pages, run.unknown_queries
    if bad:
        found.append(f"{bad:,} bad line{'s' * (bad != 1)}")
    if pages:
        spots = sum(pages.values())
        found.append(f"{counted(spots, 'spot')} on pages without truth")
    if queries:
        many = len(queries) != 1
        found.append(f"{len(queries):,} unknown {'queries' if many else 'query'}")
    for spots_beyond, how in ((run.off_page.partly, "partly"), (run.off_page.wholly, "wholly")):
        number = len(spots_beyond)
        if number:
            found.append(f"{counted(number, 'spot')} {how} off the page")
    if run.remarks:
        found.append(f"{counted(len(run.remarks), 'remark')}")
    return ", ".join(found)


def lines(run: InspectedRun) -> list[str]:
    """All problems, one a line."""
    found = [f"{bad.place or f'line {bad.line}'}: {bad.problem}" for bad in run.bad_lines]
    found += [
        f"page {name}: not in the collection or without truth; {count:,} "
        f"spot{'s' * (count != 1)} left out"
        for name, count in run.unknown_pages.items()
    ]
    found += [
        f"query {name}: no truth region has this label; all its spots are false, and it is left "
        "out of means"
        for name in run.unknown_queries
    ]
    for spots, how in (
        (run.off_page.partly, "partly off the page; only what lies on it counts"),
        (run.off_page.wholly, "wholly off the page; nothing of it counts"),
    ):
        found += [f"{place}: a spot {how}" for place in spot_places(run.run, spots)]
    return [*found, *run.remarks]


def offer(window: Window, run: object) -> None:
    """Say that nothing of a run fits; of COCO results, offer to choose what names their ids."""
    if not isinstance(run, InspectedRun):
        return
    choices: list[BannerChoice] = []
    if is_coco(run.run):
        tip = "Choose the COCO annotation file whose image and category ids these results use"
        choices.append(("Choose Annotation File…", tip, lambda: ask(window, run)))
    window.banner.show_message("remark", f"Nothing of {run.name} fits: {run.misfit}.", choices)


def ask(window: Window, run: InspectedRun) -> None:
    """Choose the annotation file and read the run again with it."""
    source = run.run.source
    assert source is not None  # it comes from a file
    title = f"Choose the annotation file for {run.name}"
    dialog = FileDialog(window.frame, title, source.parent, FileDialog.FileMode.ExistingFile)
    dialog.setNameFilters(["COCO annotations (*.json)", "All files (*)"])

    def use() -> None:
        window.banner.dismiss()
        window.workbench.state(Inspection).runs.name_ids(source, dialog.path)

    dialog.accepted.connect(use)
    dialog.open()


NOTHING = "The file has not been read again."
_COUNTS = (
    ("Added", "added", "Spots that only the later reading has"),
    ("Removed", "removed", "Spots that only the earlier reading has"),
    ("Moved", "moved", "Spots whose outline changed; their bounding boxes overlap with an IoU of "
     "0.5 or more"),
    ("Re-scored", "rescored", "Spots with the same outline and another score, or another rank "
     "where there are no scores"),
    ("Gained", "gained", "Symbols that only the later reading finds: a spot is matched with them"),
    ("Lost", "lost", "Symbols that only the earlier reading finds"),
)  # fmt: skip
_FIGURES = (
    ("ΔP", "precision", "Difference of area precision after the last spot, later minus earlier"),
    ("ΔR", "recall", "Difference of area recall after the last spot, later minus earlier"),
    ("ΔF", "f", "Difference of F after the last spot, later minus earlier"),
)


class RunChangesDialog(QDialog):
    """Follows the run: each further reading is listed, and shown unless another one is chosen."""

    def __init__(
        self, inspection: Inspection, run: InspectedRun, go_to: GoTo, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Changes of {run.name}")
        self.resize(760, 520)
        OnScreen(self)
        self.inspection, self._go_to = inspection, go_to
        self._source, self._name = run.run.source, run.name
        self._readings: tuple[RunChanges, ...] = ()
        self.reading: Choice[int] = Choice(name="Reading")
        self.reading.give_way()
        self.reading.chosen.connect(lambda _: self._show())
        self.head = QLabel(wordWrap=True)
        self.queries: RowModel[QueryChange] = RowModel(_query_columns(), self)
        self.symbols: RowModel[SymbolChange] = RowModel(_symbol_columns(), self)
        self.query_table = _table(self.queries, "Changes by query")
        self.symbol_table = _table(self.symbols, "Symbols gained and lost", wide=1)
        self.symbol_table.clicked.connect(self._go)
        self.symbol_table.activated.connect(self._go)
        self._lay_out()
        inspection.runs.changed.connect(self.follow)
        self._show()
        self.follow()

    def follow(self) -> None:
        """List the readings that there are now."""
        run = self._run()
        readings = run.changes if run is not None else self._readings
        if readings == self._readings:
            return
        at_end = not self._readings or self.reading.value == len(self._readings)
        self._readings = readings
        self.reading.offer(
            Option(number, f"{number}: {each.time.astimezone():%H:%M:%S} — {each.words}")
            for number, each in reversed(list(enumerate(readings, 1)))
        )
        if at_end and readings:
            self.reading.show_value(len(readings))
        self._show()

    def _run(self) -> InspectedRun | None:
        """The open run of the same file and name."""
        runs = self.inspection.runs
        same = [run for run in runs if (run.run.source, run.name) == (self._source, self._name)]
        return same[0] if same else None

    def _show(self) -> None:
        if not self._readings:  # of a run that was closed and opened again
            self.head.setText(NOTHING)
            return
        changes = self._readings[self.reading.value - 1]
        self.head.setText(
            f"{changes.spots_before:,} → {counted(changes.spots, 'spot')}: {changes.words}."
        )
        self.queries.show_rows((changes.whole, *changes.queries))
        self.symbols.show_rows(changes.symbols)
        self.symbol_table.setVisible(bool(changes.symbols))

    def _go(self, index: QModelIndex) -> None:
        """Show the symbol on its page, if the truth still has it."""
        symbol: SymbolChange = index.data(ROW_ROLE)
        run = self._run()
        if run is None or run.tally is None:
            return
        runs, tally = self.inspection.runs, run.tally
        if run is not runs.current:
            runs.choose(list(runs).index(run))
        for place, (page, id) in enumerate(
            zip(tally.region_page.tolist(), tally.region_id, strict=True)
        ):
            if id == symbol.region and tally.pages[page] == symbol.page:
                self._go_to(ErrorPlace(ErrorKind.MISSED, region=place))
                return

    def _lay_out(self) -> None:
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.addWidget(self.query_table)
        parts.addWidget(self.symbol_table)
        parts.setSizes([300, 160])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        in_column(self.reading, self.head, (parts, 1), buttons, of=self, margins=(14, 12, 14, 12))


def _query_columns() -> list[RowColumn[QueryChange]]:
    columns = [RowColumn[QueryChange]("Query", lambda row: row.query or "All queries")]
    columns += [_count_column(*each) for each in _COUNTS]
    return columns + [_figure_column(*each) for each in _FIGURES]


def _count_column(title: str, name: str, tip: str) -> RowColumn[QueryChange]:
    def text(row: QueryChange) -> str:
        number = getattr(row, name)
        return f"{number:,}" if number else ""

    return RowColumn(title, text, right=True, head_tip=tip)


def _figure_column(title: str, name: str, tip: str) -> RowColumn[QueryChange]:
    def text(row: QueryChange) -> str:
        return difference_text(getattr(row, name))

    return RowColumn(title, text, right=True, head_tip=tip)


def _symbol_columns() -> list[RowColumn[SymbolChange]]:
    return [
        RowColumn("Symbol", lambda row: "gained" if row.gained else "lost"),
        RowColumn("Query", lambda row: row.query),
        RowColumn("Page", lambda row: row.page),
        RowColumn("Region", lambda row: row.region, lambda _: "Click to show it on its page"),
    ]


def _table(
    model: RowModel[QueryChange] | RowModel[SymbolChange], name: str, wide: int = 0
) -> QTableView:
    """A table whose column ``wide`` takes the room that is left."""
    table = set_up(QTableView(), name=name)
    table.setModel(model)
    table.setFont(tabular(table.font()))
    table.setShowGrid(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(24)
    head = table.horizontalHeader()
    head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    head.setMinimumSectionSize(64)
    head.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)
    return table


FILTERS = (
    "Runs (*.csv *.tsv *.parquet *.json *.xml)",
    "CSV (*.csv *.tsv)",
    "Parquet (*.parquet)",
    "COCO results (*.json)",
    "PAGE with confidence (*.xml)",
    "All files (*)",
)


def ask_runs(inspection: Inspection, parent: QWidget) -> None:
    """Open the runs that the user chooses."""
    folder = inspection.collection.folder
    FileDialog(parent, "Open runs", folder, FileDialog.FileMode.ExistingFiles).ask_all(
        lambda paths: open_runs(inspection, paths), filters=FILTERS
    )


def is_run(path: Path) -> bool:
    """Tell whether a file or folder is a run, or some.

    A table has more than two columns then, and detections can be read from JSON.
    """
    try:
        return all(map(_may_be_run, runs_in(path)))
    except (SpotlabError, OSError):
        return False


def _may_be_run(path: Path) -> bool:
    format = run_format_of(path)
    if format is csv_run.FORMAT:
        return len(split_names(first_line(path))) > 2
    if format is coco_results.FORMAT and path.stat().st_size < READ:
        try:
            return bool(format.read(path, Naming(), silent).run)
        except UnknownColumns as error:
            return error.may_be_chosen
    return True


def open_runs(inspection: Inspection, given: Sequence[Path]) -> bool:
    """Open these files or folders as runs; False, and said why, if no pages are open for them."""
    if not inspection.collection.entries:
        inspection.collection.said.emit(
            "Open the pages first: a run is evaluated against their truth", True
        )
        return False
    paths: list[Path] = []
    for path in given:
        try:
            paths += runs_in(path)
        except (SpotlabError, OSError) as error:
            inspection.collection.said.emit(str(error), True)
    inspection.runs.open(paths)
    return True
