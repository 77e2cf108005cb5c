"""Confusion of labels in the current run: a heat table, and pictures of the cases in a cell."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QButtonGroup, QLabel, QMenu, QSplitter, QToolButton, QWidget

from spotlab.arrays import Ints
from spotlab.errors import counted
from spotlab.gui.inspect.panels.case_gallery import (
    Case,
    CaseCrops,
    CaseGallery,
    region_key,
    spot_key,
)
from spotlab.gui.inspect.panels.confusion_table import ConfusionModel, ConfusionTable, PairList
from spotlab.gui.inspect.panels.error_model import LOOKS
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.tool import GoTo
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.kit.plots.export import PlotChoice, PlotOffer
from spotlab.gui.kit.widgets import STRETCH, EmptyNote, in_column, in_row
from spotlab.measures.confusion import Confusion, confuse
from spotlab.measures.matching import ERROR_KINDS, ErrorKind, ErrorPlace, Errors
from spotlab.measures.measure import MeasureSettings
from spotlab.model import Primitive, Truth
from spotlab.progress import Progress, track
from spotlab.report.error_tables import confusion_table
from spotlab.report.tables import CSV, FORMATS, TableFormat
from spotlab.studies.tally.label_areas import label_areas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STILL = 150  # ms without a change until the table follows
PATIENCE = 600.0  # seconds that an export waits for the table
MOST_PRINTED = 48  # cases on a page
NOTHING = "Open a run to see what was taken for what."
HINT = "Click a cell to see its cases."


class ConfusionPanel(LivePanel):
    """Rows are queries, columns what their spots lie on; it follows run, query, cut and truth."""

    def __init__(self, inspection: Inspection, go_to: GoTo, parent: QWidget | None = None) -> None:
        super().__init__(parent, delay=STILL, settle=True)
        self.inspection = inspection
        self._go_to = go_to
        self.model = ConfusionModel()
        self.table = ConfusionTable(self.model)
        self.table.clicked.connect(self._clicked)
        self.gallery = CaseGallery()
        self.gallery.chosen.connect(self._go)
        self.by_spots = self._chip("Spots", "Count spots")
        self.by_area = self._chip("Area", "Sum retrieved area in px²")
        self.whole = self._chip("Whole table", "Make cells so small that all are in sight")
        self.whole.toggled.connect(self.table.show_whole)
        self.worst = self._chip(
            "Worst first", "Begin with the labels that are confused most; else with the alphabet"
        )
        self.worst.setChecked(True)
        self.pairs = PairList()
        self.pairs.chosen.connect(self._choose_pair)
        self.shares = self._chip("Shares of rows", "Show shares of each query's row in %")
        self.state = set_up(QLabel(), role="quiet")
        self._key: object = None
        self._counting, self._measuring = Task(urgent=True), Task(urgent=True)
        self._cases: list[ErrorPlace] = []
        self._cell: tuple[int, int] | None = None
        self._lay_out()
        runs = inspection.runs
        self.redraw_on(runs.changed, runs.figures_changed, inspection.cut_changed)
        self.follow(inspection.query_changed, self._follow_query)

    @property
    def by(self) -> str:
        """Return what is counted: "spots" or "area"."""
        return "area" if self.by_area.isChecked() else "spots"

    def is_empty(self) -> bool:
        """Tell whether no run is open."""
        return not self.inspection.runs

    def draw(self) -> None:
        """Count spots at once in the background; areas take longer the first time."""
        runs, current = self.inspection.runs, self.inspection.runs.current
        if current is None or current.errors is None:
            self._key = None
            self._use(None)
            return
        counts, settings = self.inspection.counts, runs.settings
        key = (current.errors, counts.tobytes(), settings)
        if key == self._key:
            self._show()
            return
        self._key = key
        truths, primitive = runs.truth.all, runs.primitive

        def counted(found: Confusion) -> None:
            if key == self._key:
                self._use(found)
                self._measuring.start(
                    _with_areas, found, truths, primitive, done=partial(measured, found)
                )

        def measured(before: Confusion, found: Confusion) -> None:
            if self.model.confusion is before:
                self._use(found)

        self._counting.start(_counted, current.errors, counts, settings, done=counted)

    def choose_cell(self, row: int, column: int) -> None:
        """List the cases of a cell, by its place in the confusion table."""
        confusion = self.model.confusion
        if confusion is None:
            return
        self._cell = (row, column)
        errors = confusion.errors
        if row == len(confusion.rows) - 1:
            regions = confusion.regions_in(column, self.by).tolist()
            self._cases = [ErrorPlace(ErrorKind.MISSED, region=region) for region in regions]
        else:
            spots = confusion.spots_in(row, column, self.by).tolist()
            self._cases = [ErrorPlace(ERROR_KINDS[errors.kind[spot]], spot=spot) for spot in spots]
        crops = CaseCrops(self.inspection.page_pictures(), errors, self.inspection.runs.truth.all)
        self.gallery.show()
        self.gallery.show_cases(len(self._cases), self._case, crops.crop)
        names = f"{confusion.rows[row]} → {confusion.columns[column]}"
        cases = f"{counted(len(self._cases), 'case')}"
        self.state.setText(f"{names}: {cases}")

    def text(self, kind: TableFormat) -> str:
        """The table as it is written to a file of this kind; waits until it is there."""
        self.refresh()
        background.wait_for(lambda: not self._counting.busy and not self._measuring.busy, PATIENCE)
        confusion, current = self.model.confusion, self.inspection.runs.current
        name = current.name if current is not None else ""
        table = None if confusion is None else confusion_table(name, confusion, self.by)
        return "" if table is None else kind.make(table)

    def ask_export(self, kind: TableFormat = CSV) -> None:
        """Write the table to the file that the user chooses."""
        collection, current = self.inspection.collection, self.inspection.runs.current
        if current is not None:
            export_figures.ask(
                self, kind, f"{current.name}-confusion-{self.by}", lambda: self.text(kind),
                collection.folder, collection.said.emit,
            )  # fmt: skip

    def ask_plot(self) -> None:
        """Offer the table for print, at the cut of the current run."""
        runs, current = self.inspection.runs, self.inspection.runs.current
        if current is None or current.errors is None:
            return
        name, by, settings = current.name, self.by, runs.settings
        errors, counts = current.errors, self.inspection.counts
        truths, primitive = runs.truth.all, runs.primitive

        def draw(choice: PlotChoice, progress: Progress) -> Figure:
            from spotlab.report.run_plots import confusion_figure  # noqa: PLC0415 - matplotlib

            found = _counted(errors, counts, settings, progress)
            if by == "area":
                found = _with_areas(found, truths, primitive, progress)
            drawn = confusion_figure(name, found, by, choice.width)
            assert drawn is not None  # areas are known
            return drawn

        self._ask(PlotOffer(f"{name}-confusion-{by}", draw))

    def ask_errors(self) -> None:
        """Offer pictures of the worst errors of the current run at its cut for print."""
        runs, current = self.inspection.runs, self.inspection.runs.current
        if current is None or current.errors is None:
            return
        name, iou, truths = current.name, runs.settings.iou, runs.truth.all
        run, errors, counts = current.run, current.errors, self.inspection.counts

        def draw(choice: PlotChoice, progress: Progress) -> Figure:
            from spotlab.report.images import RunErrors, error_crops  # noqa: PLC0415
            from spotlab.report.run_plots import errors_figure  # noqa: PLC0415 - matplotlib

            one = RunErrors(name, run, errors.at(counts))
            kinds = error_crops(truths, [one], progress)[name]
            return errors_figure(
                name, kinds, iou, choice.width, 2 if "more" in choice.options else 1
            )

        options = {"more": "Two rows of each kind"}
        self._ask(PlotOffer(f"{name}-errors", draw, options=options))

    def ask_cases(self) -> None:
        """Offer the pictures of the cases in sight for print."""
        confusion, cell = self.model.confusion, self._cell
        if confusion is None or cell is None or not self._cases:
            return
        crops = CaseCrops(
            self.inspection.page_pictures(), confusion.errors, self.inspection.runs.truth.all
        )
        cases = [self._case(at) for at in range(min(len(self._cases), MOST_PRINTED))]
        names = f"{confusion.rows[cell[0]]} → {confusion.columns[cell[1]]}"
        part = f"the first {len(cases)} of " if len(cases) < len(self._cases) else ""
        title = f"{names}: {part}{counted(len(self._cases), 'case')}"

        def draw(choice: PlotChoice, progress: Progress) -> Figure:
            from spotlab.report.run_plots import CutPicture, gallery_figure  # noqa: PLC0415

            shown = [
                CutPicture(crops.crop(case.key), (case.note, case.title))
                for case in track(cases, progress, "Cutting out cases")
            ]
            return gallery_figure(title, {"": shown}, choice.width)

        self._ask(PlotOffer("cases", draw))

    def _ask(self, offer: PlotOffer) -> None:
        collection = self.inspection.collection
        export_figures.ask_plot(self, offer, collection.folder, collection.said.emit)

    def _chip(self, text: str, tip: str) -> QToolButton:
        chip = set_up(QToolButton(), text=text, tip=tip, checkable=True)
        chip.clicked.connect(lambda _: self._switch())
        return chip

    def _lay_out(self) -> None:
        menu = QMenu(self)
        for kind in FORMATS:
            action = menu.addAction(f"Export {kind.title}…")
            action.triggered.connect(lambda _=False, kind=kind: self.ask_export(kind))
        menu.addAction("Save Table as Picture…", self.ask_plot)
        menu.addAction("Save Worst Errors as Pictures…", self.ask_errors)
        cases = menu.addAction("Save These Cases as Pictures…", self.ask_cases)
        menu.aboutToShow.connect(lambda: cases.setEnabled(bool(self._cases)))
        self.more = set_up(
            QToolButton(), tip="Export the table, or save it and its cases as pictures",
            icon="dots-horizontal", menu=menu,
        )  # fmt: skip
        self.switch = QButtonGroup(self)
        for chip in (self.by_spots, self.by_area):
            self.switch.addButton(chip)
        self.by_spots.setChecked(True)
        head = in_row(
            self.by_spots, self.by_area, self.shares, self.worst, self.whole, STRETCH, self.state,
            self.more, margins=(8, 4, 8, 2),
        )  # fmt: skip
        self.nothing = EmptyNote(NOTHING)
        self.split = QSplitter()
        self.split.addWidget(self.pairs)
        self.split.addWidget(self.table)
        self.split.addWidget(self.gallery)
        for place, share in enumerate((0, 2, 1)):
            self.split.setStretchFactor(place, share)
        self.split.setSizes([210, 700, 300])
        self.split.setChildrenCollapsible(False)
        self.gallery.setMinimumWidth(170)
        self.gallery.hide()
        in_column(head, (self.nothing, 1), (self.split, 1), of=self, margins=0, spacing=0)

    def _switch(self) -> None:
        self._show()
        if self._cell is not None:
            self.choose_cell(*self._cell)

    def _use(self, confusion: Confusion | None) -> None:
        before = self.model.confusion
        tallies = [each.errors.tally for each in (before, confusion) if each is not None]
        if len(tallies) < 2 or tallies[0] is not tallies[1]:
            self._cell, self._cases = None, []
            self.gallery.hide()
        self.model.use(confusion, self.by, self.shares.isChecked())
        self._show()
        if self._cell is not None:
            self.choose_cell(*self._cell)

    def _show(self) -> None:
        confusion = self.model.confusion
        self.model.worst_first = self.worst.isChecked()
        self.model.use(confusion, self.by, self.shares.isChecked())
        self.pairs.show_pairs(self.by, confusion)
        waiting = confusion is not None and confusion.table(self.by) is None
        current = self.inspection.runs.current
        self.nothing.setText("Computing …" if waiting or current is not None else NOTHING)
        self.nothing.setVisible(confusion is None or waiting)
        self.split.setVisible(confusion is not None and not waiting)
        self.more.setEnabled(confusion is not None)
        if self._cell is None:
            self.state.setText(HINT if confusion is not None else "")
        self._follow_query()

    def _choose_pair(self, row: int, column: int) -> None:
        rows, across = self.model.rows.tolist(), self.model.across.tolist()
        if row in rows and column in across:
            self.table.setCurrentIndex(self.model.index(rows.index(row), across.index(column)))
        self.choose_cell(row, column)

    def _follow_query(self) -> None:
        """Bring the chosen query's row into sight."""
        confusion, query = self.model.confusion, self.inspection.query
        if confusion is None or query not in confusion.rows:
            return
        rows = self.model.rows.tolist()
        at = confusion.rows.index(query)
        if at in rows:
            self.table.scrollTo(self.model.index(rows.index(at), 0))

    def _clicked(self, index: QModelIndex) -> None:
        row, column = self.model.rows[index.row()], self.model.across[index.column()]
        self.choose_cell(int(row), int(column))

    def _case(self, at: int) -> Case:
        confusion, place = self.model.confusion, self._cases[at]
        assert confusion is not None  # else there are no cases
        tally = confusion.errors.tally
        if place.spot is None:
            region = place.region or 0
            page = tally.pages[tally.region_page[region]]
            return Case(region_key(region), page, "missed", LOOKS[place.kind][1])
        page = tally.pages[tally.page[place.spot]]
        note = f"{place.kind.words} · rank {int(tally.rank[place.spot]):,}"
        return Case(spot_key(place.spot), page, note, LOOKS[place.kind][1])

    def _go(self, at: int) -> None:
        self._go_to(self._cases[at])


def _counted(
    errors: Errors, counts: Ints, settings: MeasureSettings, _progress: Progress
) -> Confusion:
    found = confuse(errors.at(counts), None, settings.overlap)
    _ = found.spots
    return found


def _with_areas(
    found: Confusion, truths: Mapping[str, Truth], primitive: Primitive | None, progress: Progress
) -> Confusion:
    areas = label_areas(found.errors.tally, truths, primitive, progress)
    measured = confuse(found.errors, areas, found.overlap)
    _ = measured.spots, measured.area
    return measured
