"""Precision, fall-out and F over recall of the runs that are shown, and where the cut is there."""

from __future__ import annotations

import html
import math

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton, QStackedLayout, QToolTip, QWidget

from spotlab.errors import counted
from spotlab.gui.inspect.curves.curve_head import CurveHead, curve_of_spot, drawn_of
from spotlab.gui.inspect.curves.curve_values import (
    OVER_SCORE,
    best_points,
    place_at_cut,
    standing_at_cut,
)
from spotlab.gui.inspect.curves.cut_bar import CutBar, CutTable
from spotlab.gui.inspect.dialogs.run_dialogs import ask_runs
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.run_cuts import CurveView
from spotlab.gui.inspect.tool import GoTo
from spotlab.gui.kit import theme
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.plots.curve_items import Drawn, extent_of, nearest_point
from spotlab.gui.kit.plots.curve_plot import CurveHit, CurvePlot, PlotBoard, link
from spotlab.gui.kit.plots.polylines import polylines
from spotlab.gui.kit.plots.readout import FiguresArea, Place
from spotlab.gui.kit.settings import Settings
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import STRETCH, EmptyNote, in_column
from spotlab.measures.figures import ListFigures
from spotlab.measures.matching import ErrorKind, ErrorPlace
from spotlab.report.colours import RunStyle
from spotlab.report.figure_text import written
from spotlab.studies.evaluate.cuts import (
    ListCut,
    MeanCurve,
    place_of_spot,
    queries_reaching,
    score_cut,
)
from spotlab.studies.evaluate.inspected_run import InspectedRun

NOTHING = "Open a run to see its curves:\nprecision, fall-out and F over recall."
COMPUTING = "Computing the curves …"
HIDDEN = "No run is shown. Tick the box of a run\nin the list to see its curves."


class NoCurves(QWidget):
    """A line and, where there is no run, a button."""

    def __init__(self, inspection: Inspection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inspection = inspection
        self.text = EmptyNote()
        self.open = QPushButton("Open Run…")
        self.open.setToolTip("CSV, Parquet, COCO results or PAGE with confidence")
        self.open.clicked.connect(lambda: ask_runs(inspection, self))
        in_column(
            STRETCH,
            self.text,
            (self.open, Qt.AlignmentFlag.AlignHCenter),
            STRETCH,
            of=self,
            spacing=12,
        )

    def follow(self) -> None:
        """Say why there are no plots."""
        runs = self.inspection.runs
        waiting = self.inspection.runs.busy or any(run.figures is None for run in runs)
        self.text.setText(COMPUTING if waiting else HIDDEN if runs else NOTHING)
        self.open.setVisible(not waiting and not runs)


KINDS = {"precision": "precision", "fall_out": "fall-out", "f": "F"}


def undefined_note(runs: list[tuple[str, ListFigures]], query: str | None) -> str:
    """Why there is less to see than expected; empty if there is not. Each reason stands once.

    Parameters
    ----------
    runs : list of (name, RunFigures)
        Those that are shown.
    query : str or None
    """
    named: dict[str, list[str]] = {}
    for name, figures in runs:
        if note := _note(figures, query):
            named.setdefault(note, []).append(name)
    if len(runs) == 1:
        return "\n".join(named)
    return "\n".join(
        f"{'All runs' if len(names) == len(runs) else ', '.join(names)}: {note}"
        for note, names in named.items()
    )


def point_tip(figures: ListFigures, spot: int, run: str = "") -> str:
    """Return what stands beside the pointer at a curve's point.

    Parameters
    ----------
    figures : RunFigures
    spot : int
        Place in the tally.
    run : str
        The run's name, where there are several.
    """
    tally = figures.tally
    score = float(tally.score[spot])
    known = "" if math.isnan(score) else f" · score {score:.4g}"
    values = {"P": figures.precision, "R": figures.recall, "F": figures.f}
    line = "&nbsp; ".join(f"{name} {written(float(each[spot]))}" for name, each in values.items())
    name = html.escape(tally.queries[tally.query[spot]])
    of = f" · {html.escape(run)}" if run else ""
    rank = f"rank {tally.rank[spot]:,}{known}"
    return rich(f"<p style='white-space:pre'><b>{name}</b>{of}<br>{rank}<br>{line}</p>")


def mean_tip(run: str, kind: str, mean: MeanCurve, point: int, reaching: int | None) -> str:
    """Return what stands beside the pointer at a mean curve.

    Parameters
    ----------
    run : str
        The run's name.
    kind : str
        "precision", "fall_out" or "f".
    mean : MeanCurve
    point : int
        Place among its samples.
    reaching : int or None
        How many of the queries reach this recall; None where the samples are no recalls.
    """
    recall, value = written(float(mean.x[point])), written(float(mean.y[point]))
    count = int(mean.count[point])
    queries = counted(count, "query")
    reach = "" if reaching is None else f", {reaching:,} of them at this recall"
    return rich(
        f"<p style='white-space:pre'><b>{html.escape(run)}</b><br>"
        f"recall {recall}&nbsp; {KINDS[kind]} {value}<br>mean of {queries}{reach}</p>"
    )


def score_tip(run: str, title: str, curve: MeanCurve, point: int) -> str:
    """Return what stands beside the pointer at a curve over the score.

    Parameters
    ----------
    run : str
        The run's name.
    title : str
        What the curve is of.
    curve : MeanCurve
    point : int
        Place among its samples.
    """
    low, high = (math.nan, math.nan) if curve.ends is None else curve.ends[:, point].tolist()
    ends = "" if math.isnan(low) else f" [{written(low)}, {written(high)}]"
    line = f"score {curve.x[point]:.4g}&nbsp; {title} {written(float(curve.y[point]))}{ends}"
    return rich(f"<p style='white-space:pre'><b>{html.escape(run)}</b><br>{line}</p>")


def _note(figures: ListFigures, query: str | None) -> str:
    if query is not None:
        return _note_of_query(figures, query)
    tally = figures.tally
    lacking, count = int((figures.truth <= 0).sum()), len(tally.queries)
    if not count:
        return "There are no queries, so all figures are undefined."
    if lacking == count:
        return "No query has truth on these pages: recall is undefined, so there are no curves."
    if not len(tally):
        return "The run has no spots on pages with truth: nothing is retrieved."
    if lacking:
        queries = counted(lacking, "query")
        return f"Left out of the curves: {queries} without truth, where recall is undefined."
    return ""


def _note_of_query(figures: ListFigures, query: str) -> str:
    tally = figures.tally
    if query not in tally.queries:
        return f"“{query}” is not among the run's queries."
    number = tally.queries.index(query)
    if figures.truth[number] <= 0:
        return f"There is no truth for “{query}”: its recall is undefined, so it has no curve."
    if tally.starts[number] == tally.starts[number + 1]:
        return (
            f"Nothing is retrieved for “{query}”: its recall is 0, and its precision is undefined."
        )
    return ""


OF_AREA = "of area"
BESIDE = QPoint(14, 10)  # px from a curve's point to its tooltip
FIGURES = 0.26  # of the panel's height at most, for figures of many runs


class CurvesPanel(LivePanel):
    """Three plots that move together, a slider for the cut, and the figures there.

    A click on a curve of many chooses its query; on the curve of a query, its spot, and cuts there.
    """

    def __init__(
        self, inspection: Inspection, settings: Settings, go_to: GoTo, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.inspection = inspection
        self._go_to = go_to
        self.plots = (
            CurvePlot("precision", "Precision", of=OF_AREA),
            CurvePlot("fall_out", "Fall-out", of=OF_AREA),
            CurvePlot("f", "F", of=OF_AREA),
        )
        self.of_detector = (
            CurvePlot("precision", "Precision"),
            *(
                CurvePlot(f"{OVER_SCORE}{kind}", title, "Score")
                for kind, title in (("precision", "Precision"), ("recall", "Recall"), ("f", "F"))
            ),
        )
        link(self.plots)
        link(self.of_detector[1:])
        self.every = (*self.plots, *self.of_detector)
        self.board = PlotBoard(self.plots)
        for plot in self.of_detector:
            plot.setParent(self.board)
            plot.hide()
        self.head = CurveHead(
            inspection,
            settings,
            self.board,
            {CurveView.AREAS: self.plots, CurveView.DETECTOR: self.of_detector},
        )
        self.cut = CutBar(self.inspection, tuple(self.head.views.values()))
        self.readout = CutTable(inspection, settings)
        self.head.menu.addSeparator()
        self.head.menu.addMenu(self.readout.menu)
        self.nothing = NoCurves(inspection)
        self._runs: list[InspectedRun] = []  # as they are drawn, the current one first
        self._in_order: list[InspectedRun] = []  # of opening
        self._drawn: dict[str, list[Drawn]] = {}
        self._lay_out()
        self._connect()
        self.paint_in_theme()

    def is_empty(self) -> bool:
        """Tell whether no run is open."""
        return not self.inspection.runs

    def draw(self) -> None:
        """Draw all curves as they are now."""
        runs = self.inspection.runs
        self._in_order = [run for run in runs if run.shown and run.figures is not None]
        self._runs = sorted(self._in_order, key=lambda run: run is not runs.current)
        self.stack.setCurrentIndex(1 if self._runs else 0)
        self.nothing.follow()
        named = [(run.name, figures) for run, figures in self._with_lists(self._in_order)]
        of = f"at IoU {runs.settings.iou:g}".replace(" 0.", " .")
        for plot in self.of_detector:
            plot.say(of)
        self._drawn.clear()
        self.head.follow(self._in_order, undefined_note(named, self.inspection.query))
        self._draw_plots()
        if not self._runs:  # plots out of sight, too, let go of what they have shown
            for plot in self.every:
                plot.show_curves((), (1.0, 1.0))

    def _draw_plots(self) -> None:
        """Draw the curves of the plots in sight that are not drawn yet."""
        known = [
            (RunStyle(run.colour, run.dash), lists) for run, lists in self._with_lists(self._runs)
        ]
        for plot in self.board.in_sight:
            if plot.kind in self._drawn:
                continue
            shown = drawn_of(known, plot.kind, self.inspection.query, self.head.choice)
            self._drawn[plot.kind] = shown
            extent, left = extent_of(shown, 0.0 if plot.kind == "fall_out" else 1.0), 0.0
            if plot.kind.startswith(OVER_SCORE):
                left, right = _range_of(shown)
                extent = right, 1.0
            plot.show_curves(shown, extent, left=left)
            plot.show_hover(None)
        self._follow_cut()
        self._follow_spot()

    def paint_in_theme(self) -> None:
        """Use the colours of the palette in the plots."""
        colours = theme.colours(self.palette())
        for plot in self.every:
            plot.paint_in(colours)

    def _follow_cut(self) -> None:
        """Move the marks and say the figures there; called for every step of the slider."""
        self.cut.follow()
        standing = standing_at_cut(self.inspection, self._in_order)
        best = best_points(self.inspection, self._in_order)
        self.cut.say_uncut([(each.run.name, each.reason) for each in standing if each.reason])
        for plot in self.board.in_sight:
            places = [
                (place_at_cut(self.inspection, each, plot.kind), each.run.colour)
                for each in standing
            ]
            marks = [(place, colour) for place, colour in places if place is not None]
            plot.show_cut(marks, mean=self.inspection.query is None)
            plot.best_marks.show(best.get(plot.kind, ()))
        self.readout.show_standing(standing)

    def _follow_spot(self) -> None:
        """Mark the chosen spot's point."""
        spot, current = self.inspection.spot, self.inspection.runs.current
        figures = self._lists(current) if current in self._runs and current else None
        for plot in self.board.in_sight:
            place = None
            if figures is not None and spot is not None and spot < len(figures.tally):
                place = _place_of_spot(figures, plot.kind, spot)
            plot.show_spot(place)

    def _hover(self, plot: CurvePlot, hit: CurveHit | None) -> None:
        if hit is not None and hit.mean:
            self._hover_mean(plot, hit)
            return
        spot_of = self._spot_at(plot, hit)
        if hit is None or spot_of is None:
            for each in self.board.in_sight:
                each.show_hover(None)
            QToolTip.hideText()
            return
        run, spot = spot_of
        figures = self._lists(run)
        assert figures is not None  # only those are drawn
        for each in self.board.in_sight:
            each.show_hover(
                _place_of_spot(figures, each.kind, spot),
                curve_of_spot(self._drawn[each.kind][hit.drawn], spot),
            )
        place = _place_of_spot(figures, plot.kind, spot)
        if place is not None:
            _say(plot, place, point_tip(figures, spot, self._name_of(run)))

    def _hover_mean(self, plot: CurvePlot, hit: CurveHit) -> None:
        """Name the run, and show its means at the same recall in all plots."""
        run, mean = self._runs[hit.drawn], self._drawn[plot.kind][hit.drawn].mean
        figures = self._lists(run)
        assert figures is not None and mean is not None  # else there is nothing to point at
        recall = float(mean.x[hit.point])
        for each in self.board.in_sight:
            alike = each.over == plot.over
            of_plot = self._drawn[each.kind][hit.drawn].mean if alike else None
            each.show_hover(None if of_plot is None else of_plot.near(recall))
        if plot.kind.startswith(OVER_SCORE):
            at = recall, float(mean.y[hit.point])
            _say(plot, at, score_tip(run.name, plot.title, mean, hit.point))
            return
        by_recall = plot.kind != "precision" or self.head.choice.by == "recall"
        reaching = queries_reaching(figures, recall) if by_recall else None
        place = recall, float(mean.y[hit.point])
        _say(plot, place, mean_tip(run.name, plot.kind, mean, hit.point, reaching))

    def _click_mean(self, plot: CurvePlot, hit: CurveHit) -> None:
        """Choose the query whose curve passes closest to that point of the mean."""
        run, mean = self._runs[hit.drawn], self._drawn[plot.kind][hit.drawn].mean
        if mean is None or run.figures is None or run not in self.inspection.runs:
            return
        if plot.kind.startswith(OVER_SCORE):
            self._make_current(run)
            scores = run.figures.tally.score
            self.inspection.set_cut(score_cut(scores, float(mean.x[hit.point])))
            return
        at, pixel = (float(mean.x[hit.point]), float(mean.y[hit.point])), plot.box.viewPixelSize()
        lists = self.inspection.view.lists(run.figures)
        near = nearest_point(lines := polylines(lists, plot.kind), at, pixel)
        if near is not None:
            self._make_current(run)
            tally = run.figures.tally
            self.inspection.choose_query(tally.queries[tally.query[lines.spot[near[0]]]])

    def _click(self, plot: CurvePlot, hit: CurveHit | None) -> None:
        if hit is not None and hit.mean:
            self._click_mean(plot, hit)
            return
        spot_of = self._spot_at(plot, hit)
        if spot_of is None:
            return
        run, spot = spot_of
        figures, inspection = run.figures, self.inspection
        if figures is None or run not in inspection.runs:
            return
        self._make_current(run)
        tally = figures.tally
        if inspection.query is None:
            inspection.choose_query(tally.queries[tally.query[spot]])
            return
        score = float(tally.score[spot])
        by_score = inspection.cut.by == "score" and not math.isnan(score)
        by_rank = ListCut("rank", float(tally.rank[spot]))
        inspection.set_cut(score_cut(tally.score, score) if by_score else by_rank)
        self._go_to(ErrorPlace(ErrorKind.CORRECT, spot=spot))

    def _make_current(self, run: InspectedRun) -> None:
        if run is not self.inspection.runs.current:
            self.inspection.runs.choose(list(self.inspection.runs).index(run))

    def _spot_at(self, plot: CurvePlot, hit: CurveHit | None) -> tuple[InspectedRun, int] | None:
        if hit is None:
            return None
        lines = self._drawn[plot.kind][hit.drawn].lines
        return (self._runs[hit.drawn], int(lines.spot[hit.point])) if lines else None

    def _lists(self, run: InspectedRun) -> ListFigures | None:
        return None if run.figures is None else self.inspection.view.lists(run.figures)

    def _with_lists(self, runs: list[InspectedRun]) -> list[tuple[InspectedRun, ListFigures]]:
        known = [(run, self._lists(run)) for run in runs]
        return [(run, lists) for run, lists in known if lists is not None]

    def _name_of(self, run: InspectedRun) -> str:
        return run.name if len(self._runs) > 1 else ""

    def _lay_out(self) -> None:
        filled = QWidget()
        column = in_column(of=filled, margins=0, spacing=0)
        column.addWidget(self.cut)  # above what grows, so that it stays where it is
        column.addWidget(FiguresArea(self.readout, FIGURES))  # many runs leave the plot its room
        column.addWidget(self.cut.uncut)
        column.addWidget(self.head)
        column.addWidget(self.board, 1)
        self.stack = QStackedLayout(self)
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(filled)

    def _connect(self) -> None:
        inspection = self.inspection
        self.redraw_on(
            inspection.runs.changed,
            inspection.runs.figures_changed,
            inspection.query_changed,
            inspection.view_changed,
            inspection.runs.busy_changed,
            self.head.choice_changed,
        )
        self.follow(self.board.sight_changed, self._draw_plots)
        self.follow(inspection.cut_changed, self._follow_cut)
        self.follow(inspection.spot_changed, self._follow_spot)
        for plot in self.every:
            plot.hovered.connect(lambda hit, plot=plot: self._hover(plot, hit))
            plot.clicked.connect(lambda hit, plot=plot: self._click(plot, hit))
            plot.menu_wanted.connect(self.head.menu.popup)
            plot.viewport().setCursor(Qt.CursorShape.CrossCursor)


def _say(plot: CurvePlot, place: Place, text: str) -> None:
    """Show a tooltip beside a place of a plot."""
    at = plot.viewport().mapToGlobal(plot.place_on_viewport(place).toPoint() + BESIDE)
    QToolTip.showText(at, text, plot.viewport())


def _place_of_spot(figures: ListFigures, kind: str, spot: int) -> Place | None:
    """Point of a query after one of its spots; none over the score, where curves are of all."""
    return None if kind.startswith(OVER_SCORE) else place_of_spot(figures, kind, spot)


def _range_of(shown: list[Drawn]) -> Place:
    """The lowest and highest score of curves."""
    scores = [each.mean.x[[0, -1]] for each in shown if each.mean is not None and len(each.mean.x)]
    low, high = (min(x[0] for x in scores), max(x[1] for x in scores)) if scores else (0.0, 1.0)
    return (float(low), float(high)) if high > low else (float(low) - 0.5, float(low) + 0.5)
