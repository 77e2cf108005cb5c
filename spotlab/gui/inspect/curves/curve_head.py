"""The line over the plots: what they show, which colour is whose, and what can be saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QMenu, QToolButton, QWidget

from spotlab.gui.inspect.curves.curve_values import (
    FEW_BANDS,
    OVER_SCORE,
    CurveChoice,
    means_csv,
    plot_offer,
    points_csv,
)
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.run_cuts import CurveView
from spotlab.gui.kit.controls import chips_of, set_up
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.kit.plots.curve_items import Drawn
from spotlab.gui.kit.plots.curve_plot import CurvePlot, PlotBoard
from spotlab.gui.kit.plots.polylines import polylines
from spotlab.gui.kit.settings import (
    CURVES_BAND,
    CURVES_BANDS_OF_MANY,
    CURVES_BY,
    CURVES_QUERIES,
    LARGE_CURVE,
    KnownSetting,
    Settings,
)
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Flow, fill, in_column, in_row
from spotlab.measures.figures import ListFigures, RunFigures
from spotlab.report.colours import RunStyle
from spotlab.report.tables import CSV
from spotlab.studies.evaluate.cuts import mean_curve, score_curve
from spotlab.studies.evaluate.inspected_run import InspectedRun, pages_so_far

if TYPE_CHECKING:
    pass

FEW = 40  # thin curves of several runs together that can still be told apart


def drawn_of(
    runs: Sequence[tuple[RunStyle, ListFigures]], kind: str, query: str | None, choice: CurveChoice
) -> list[Drawn]:
    """Return what a plot shows.

    Parameters
    ----------
    runs : sequence of (RunStyle, RunFigures)
        The current one first: where there are many curves, only it has thin ones.
    kind : str
        "precision", "fall_out" or "f" over recall; "score_precision" and others over the score.
    query : str or None
        None: means over all queries.
    choice : CurveChoice
    """
    if kind.startswith(OVER_SCORE):
        part = kind.removeprefix(OVER_SCORE)
        return [
            Drawn(
                style.colour,
                mean=score_curve(each, part, query),
                band=choice.bands(len(runs)),
                dash=style.dash,
            )
            for style, each in runs
        ]
    if query is not None:
        return [
            Drawn(style.colour, polylines(each, kind, query), bold=True, dash=style.dash)
            for style, each in runs
        ]
    few = sum(len(each.tally.queries) for _, each in runs) <= FEW
    return [
        Drawn(
            style.colour,
            polylines(each, kind) if choice.queries and (few or number == 0) else None,
            mean=mean_curve(each, kind, choice.by),
            band=choice.bands(len(runs)),
            dash=style.dash,
        )
        for number, (style, each) in enumerate(runs)
    ]


def curve_of_spot(drawn: Drawn, spot: int) -> Drawn | None:
    """The thin curve that a spot is on, alone; None where it is on none."""
    if drawn.bold or drawn.lines is None:
        return None
    at = int(drawn.lines.spot.searchsorted(spot))
    if at == len(drawn.lines.spot) or drawn.lines.spot[at] != spot:
        return None
    return Drawn(drawn.colour, drawn.lines.alone(drawn.lines.curve_of(at)))


CHOICES: Mapping[str, KnownSetting[Any]] = {
    "queries": CURVES_QUERIES,
    "band": CURVES_BAND,
    "bands_of_many": CURVES_BANDS_OF_MANY,
    "by": CURVES_BY,
}
BY = {
    "recall": "Mean Precision at Equal Recall",
    "threshold": "Mean Precision at Equal Share of Each List",
}
MISSING = {
    "zero": "Count Recall That Is Not Reached as 0",
    "drop": "Leave Out Recall That Is Not Reached",
}


BAND_TIP = rich(
    "<p>Show a band: over recall, of one standard deviation over the queries; over the score, of "
    "95 % intervals over the pages. With more than two runs it is off unless you switch it on.</p>"
)
VIEWS = {
    CurveView.AREAS: ("Areas", "Precision and recall of <b>areas</b>: each place counts once."),
    CurveView.DETECTOR: (
        "Detector",
        "Precision and recall of <b>spots</b>, as for object detectors: a spot is right if its "
        "intersection over union with a truth region reaches the threshold of <i>Run → "
        "Measures</i>. Also over the score. <b>D</b> switches.",
    ),
}
SHORT = {
    "precision": "P–R", "score_precision": "P", "score_recall": "R", "score_f": "F",
}  # fmt: skip


class CurveHead(QWidget):
    """Switches and a menu; what they say is remembered from one start to the next."""

    choice_changed = Signal()

    def __init__(
        self,
        inspection: Inspection,
        settings: Settings,
        board: PlotBoard,
        plots_of: Mapping[CurveView, Sequence[CurvePlot]],
    ) -> None:
        super().__init__()
        self.inspection = inspection
        self.settings = settings
        self.board = board
        self.plots_of = plots_of
        self.plots = [plot for plots in plots_of.values() for plot in plots]
        self._runs: Sequence[InspectedRun] = ()
        self.choice = CurveChoice(
            **{name: settings.get(setting) for name, setting in CHOICES.items()}
        )
        self.views = self._make_views()
        self.chips = {view: self._make_choice(view) for view in plots_of}
        self.queries = self._chip("Queries", "queries", "Show a thin curve for each query")
        self.band = self._chip("±", "band", BAND_TIP)
        self.band.setAccessibleName("Band")
        self.query = QToolButton()
        self.query.setToolTip("Show all queries again")
        self.query.clicked.connect(lambda: self.inspection.choose_query(None))
        self.state = set_up(QLabel("computing …"), role="quiet")
        self.menu = self._make_menu()
        self.more = set_up(
            QToolButton(), tip="Choose how means are taken, and save plots and curves",
            icon="dots-horizontal", menu=self.menu,
        )  # fmt: skip
        self.note = set_up(QLabel(wordWrap=True), role="quiet")
        self.note.setContentsMargins(12, 2, 12, 2)
        self._lay_out()

    @property
    def large(self) -> QButtonGroup:
        """Chips of the plots of the view, of which the checked one is large."""
        return self.chips[self.inspection.view]

    def follow(self, runs: Sequence[InspectedRun], note: str) -> None:
        """Say what is drawn: these runs, in the order in which they were opened."""
        self._runs = runs
        query, view = self.inspection.query, self.inspection.view
        self.views[view].setChecked(True)
        for each, group in self.chips.items():
            for chip in group.buttons():
                chip.setVisible(each is view)
        shown = self.plots_of[view]
        checked = [chip.isChecked() for chip in self.chips[view].buttons()]
        self.board.use(shown, shown[checked.index(True)])
        self.of_queries.setVisible(query is None)
        self.band.setChecked(self.choice.bands(len(runs)))
        self.query.setVisible(query is not None)
        self.query.setText(f"{query or ''}  ✕")
        self.state.setVisible(self.inspection.runs.busy)
        unfinished = [pages_so_far(run) for run in runs if run.so_far is not None]
        said = [f"Figures of {pages}; the others are being read." for pages in unfinished]
        self.note.setText("\n".join(said) or note)
        self.note.setVisible(bool(self.note.text()))

    def save_means(self) -> None:
        """Ask where the mean curves shall go."""
        view = self.inspection.view
        self._save("means", lambda known: means_csv(known, self.choice.by, view))

    def save_points(self) -> None:
        """Ask where the exact curves of the chosen query, or of all, shall go."""
        query, view = self.inspection.query, self.inspection.view
        self._save("points", lambda known: points_csv(known, query, view))

    def _save(self, name: str, table: Callable[[Sequence[tuple[str, RunFigures]]], str]) -> None:
        known = [(run.name, run.figures) for run in self._runs if run.figures is not None]
        collection = self.inspection.collection
        of = "detector-" if self.inspection.view is CurveView.DETECTOR else ""
        export_figures.ask(
            self, CSV, f"{of}curves-{name}", lambda: table(known),
            collection.folder, collection.said.emit,
        )  # fmt: skip

    def save_kind(self, kind: str, *_: object) -> None:
        """Offer a kind of plot for print: of this view, or else of another."""
        shown = self.plots_of[self.inspection.view]
        self.save_plot(next(plot for plot in (*shown, *self.plots) if plot.kind == kind))

    def save_plot(self, plot: CurvePlot) -> None:
        """Make a plot the large one, and offer it for print."""
        view = next(view for view, plots in self.plots_of.items() if plot in plots)
        self.inspection.choose_view(view)
        self.chips[view].buttons()[list(self.plots_of[view]).index(plot)].setChecked(True)
        collection = self.inspection.collection
        offer = plot_offer(self.inspection, view, plot.kind, self._runs, self.choice)
        export_figures.ask_plot(self, offer, collection.folder, collection.said.emit)

    def _choose_band(self, shown: bool) -> None:
        """Of few runs and of many it is chosen separately."""
        count = len(self._runs)
        if shown != self.choice.bands(count):
            self._choose("band" if count <= FEW_BANDS else "bands_of_many", shown)

    def _choose(self, name: str, value: Any) -> None:
        self.settings.set(CHOICES[name], value)
        self.choice = replace(self.choice, **{name: value})
        self.choice_changed.emit()

    def _reset_views(self) -> None:
        for plot in self.plots:
            plot.reset_view()

    def _choose_missing(self, missing: Any) -> None:
        inspection = self.inspection
        settings = replace(inspection.runs.settings, missing=missing)
        inspection.runs.set_settings(settings, inspection.runs.primitive)

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        by = self._group(menu, BY, partial(self._choose, "by"))
        menu.addSeparator()
        missing = self._group(menu, MISSING, self._choose_missing)
        menu.addSeparator()
        menu.addAction("Show All of the Plots", self._reset_views)
        menu.addSeparator()
        for kind, plot in {plot.kind: plot for plot in self.plots}.items():
            over = "" if plot.over == "Recall" else f" over {plot.over}"
            action = menu.addAction(f"Save {plot.title}{over} Plot…")
            action.triggered.connect(partial(self.save_kind, kind))
        menu.addAction("Save Mean Curves as CSV…", self.save_means)
        menu.addAction("Save Curve Points as CSV…", self.save_points)

        def check() -> None:
            for name, action in by.items():
                action.setChecked(name == self.choice.by)
            for name, action in missing.items():
                action.setChecked(name == self.inspection.runs.settings.missing)

        menu.aboutToShow.connect(check)
        return menu

    def _group(
        self, menu: QMenu, titles: dict[str, str], choose: Callable[[str], object]
    ) -> dict[str, QAction]:
        group = QActionGroup(menu)
        found = {}
        for name, title in titles.items():
            action = found[name] = menu.addAction(title)
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, name=name: choose(name))
        return found

    def _chip(self, text: str, name: str, tip: str) -> QToolButton:
        chip = set_up(QToolButton(), text=text, tip=tip, checkable=True)
        chip.setChecked(getattr(self.choice, name))
        choose = self._choose_band if name == "band" else partial(self._choose, name)
        chip.toggled.connect(choose)
        return chip

    def _make_views(self) -> dict[CurveView, QToolButton]:
        """A chip for each view of precision and recall."""
        options = {view: (title, rich(f"<p>{tip}</p>")) for view, (title, tip) in VIEWS.items()}
        return chips_of(options, self.inspection.view, self.inspection.choose_view, self)

    def _make_choice(self, view: CurveView) -> QButtonGroup:
        """A chip for each plot of a view: the checked one is large."""
        group = QButtonGroup(self)
        kept = self.settings.get(LARGE_CURVE)
        for plot in self.plots_of[view]:
            chip = QToolButton()
            chip.setText(SHORT.get(plot.kind, plot.title))
            chip.setToolTip(
                f"Show {plot.title.lower()} over {plot.over.lower()} large".replace(" f ", " F ")
            )
            chip.setCheckable(True)
            group.addButton(chip)
            chip.toggled.connect(partial(self._enlarge, plot))
            chip.setChecked(plot.kind == kept)
        if group.checkedButton() is None:
            group.buttons()[0].setChecked(True)
        return group

    def _enlarge(self, plot: CurvePlot, checked: bool) -> None:
        if checked:
            self.board.enlarge(plot)
            self.settings.set(LARGE_CURVE, plot.kind)

    def _lay_out(self) -> None:
        chips = [chip for group in self.chips.values() for chip in group.buttons()]
        row = fill(Flow(1, 0), *chips, margins=(6, 4, 4, 2))
        line = set_up(QFrame(), role="divider")
        row.addWidget(line)
        self.of_queries = QWidget()  # both in one line: alone, one would take another
        in_row(self.queries, self.band, of=self.of_queries, margins=0, spacing=1)
        row.addWidget(self.of_queries)
        row.addWidget(self.query)
        row.addStretch()
        row.addWidget(self.state)
        row.addWidget(self.more)
        in_column(row, self.note, of=self, margins=0, spacing=0)
