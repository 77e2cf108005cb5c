"""Score over rank of the ranked lists, the threshold that purges them, and what it leaves."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QLabel,
    QMenu,
    QStackedLayout,
    QToolButton,
    QToolTip,
    QWidget,
)

from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.kit.plots.curve_plot import CurveHit, score_digits
from spotlab.gui.kit.plots.export import ONE_COLUMN, PlotChoice, PlotOffer, ask_plot
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Elided, EmptyNote, in_column, in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.scores.purge_table import (
    PURGE_FIGURES,
    PurgeRow,
    PurgeTable,
    judged_note,
    purge_values,
)
from spotlab.gui.words.scores.score_plot import (
    ScoreLine,
    ScorePlot,
    in_its_range,
    score_extent,
    score_focus,
    score_line,
)
from spotlab.gui.words.scores.threshold_scale import (
    AT_LEAST,
    CUT,
    TAU,
    TIGHT,
    ThresholdMark,
    ThresholdScale,
    ThresholdSteps,
    named_mark,
    suggested_marks,
)
from spotlab.gui.words.state.queries import short_title, word_line
from spotlab.gui.words.state.word_search import KNOWN, WordList
from spotlab.gui.words.state.words import Words
from spotlab.model.ranked_list import RankedList
from spotlab.progress import Progress
from spotlab.ranking.list_scale import ListScale, cut_after, rank_of_cut
from spotlab.report.colours import RunStyle
from spotlab.report.tables import CSV, csv_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Table = Callable[[], list[list[object]]]
AXES = {
    ListScale.SCORE: "Score",
    ListScale.PROBABILITY: "Probability",
    ListScale.RANK: "Score in its range",
}
CUT_NAMES = {
    ListScale.SCORE: "Cut",
    ListScale.PROBABILITY: "Cut at probability",
    ListScale.RANK: "Cut after rank",
}


class ScoreHead(QWidget):
    """Names the query, takes a threshold that is typed, and has the plot's menu."""

    threshold_wanted = Signal(float)

    def __init__(
        self, workbench: Workbench, plot: ScorePlot, table: Table, offer: Callable[[], PlotOffer]
    ) -> None:
        super().__init__()
        self._workbench, self._plot, self._table, self._offer = workbench, plot, table, offer
        self._following = False
        self._scale = ListScale.SCORE
        self.name = QLabel(CUT_NAMES[self._scale])
        self.title = set_up(Elided(), role="heading")
        self.field = set_up(QDoubleSpinBox(), tip=CUT, name="Purge threshold as a number")
        self.field.setKeyboardTracking(False)
        self.field.setMinimumWidth(86)
        self.field.valueChanged.connect(self._typed)
        self.menu = self._make_menu()
        self.more = set_up(
            QToolButton(), tip="Save the plot, or the figures at the threshold",
            icon="dots-horizontal", menu=self.menu,
        )  # fmt: skip
        self._lay_out()

    def show_scores(self, steps: ThresholdSteps, scale: ListScale) -> None:
        """Let thresholds be typed that tell these scores apart."""
        self._scale = scale
        self.name.setText(CUT_NAMES[scale])
        self.field.setEnabled(len(steps) > 0)
        if len(steps) and scale is ListScale.RANK:
            self._following = True
            self.field.setDecimals(0)
            self.field.setSingleStep(1)
            self.field.setRange(0, rank_of_cut(steps.lowest))
            self._following = False
        elif len(steps):
            self._following = True
            span = steps.highest - steps.lowest
            self.field.setDecimals(min(4, score_digits(steps.lowest, steps.highest)))
            self.field.setSingleStep(max(span / 100, 10.0 ** -self.field.decimals()))
            self.field.setRange(steps.lowest - span - 1, steps.highest + span + 1)
            self._following = False

    def show_threshold(self, threshold: float) -> None:
        """Say where the threshold is."""
        self._following = True
        value = threshold
        if self._scale is ListScale.RANK:
            value = min(rank_of_cut(threshold), self.field.maximum())
        self.field.setMinimum(min(self.field.minimum(), value))
        self.field.setMaximum(max(self.field.maximum(), value))
        self.field.setValue(value)
        self._following = False

    def save_table(self) -> None:
        """Ask where to save the figures of each list at the threshold."""
        workbench = self._workbench
        export_figures.ask(
            self, CSV, "purged", lambda: csv_text(self._table()),
            workbench.collection.folder, workbench.said.emit,
        )  # fmt: skip

    def save_picture(self) -> None:
        """Offer the plot for print."""
        workbench = self._workbench
        ask_plot(self, self._offer(), workbench.collection.folder, workbench.said.emit)

    def _typed(self, value: float) -> None:
        if not self._following and np.isfinite(value):
            is_rank = self._scale is ListScale.RANK
            self.threshold_wanted.emit(cut_after(round(value)) if is_rank else value)

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction("Show All of the Plot", self._plot.show_all)
        menu.addSeparator()
        action = menu.addAction("Save Score Plot…")
        action.triggered.connect(lambda _: self.save_picture())
        menu.addAction("Save What the Threshold Leaves as CSV…", self.save_table)
        return menu

    def _lay_out(self) -> None:
        self.name.setToolTip(CUT)
        in_row((self.title, 1), self.name, self.field, self.more, of=self, margins=(12, 4, 8, 2))


BESIDE = QPoint(14, 10)  # px from a line's point to its tooltip
NOTHING = (
    "Search a word or open ranked lists\nto see their scores by rank\n"
    "and to purge items with low scores."
)
MAKING = "Making the lists…"
HIDDEN = "No list is selected. Select one in the panel Ranking."


class ScoresPanel(LivePanel):
    """The plot with the scale of thresholds at its side, and a line of figures for each list.

    A click on a line chooses the word there; the threshold is dragged, typed or taken by its name.
    """

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.words = workbench.state(Words)
        self.plot = ScorePlot()
        self.scale = ThresholdScale(self.plot)
        self.head = ScoreHead(workbench, self.plot, self.table, self.offer)
        self.figures = PurgeTable()
        self.note, self.nothing = QLabel(), EmptyNote()
        self._lists: tuple[WordList, ...] = ()
        self._lines: list[ScoreLine] = []
        self._suggesting = ""  # the list that was chosen
        self._lay_out()
        self._connect()
        self.paint_in_theme()

    def draw(self) -> None:
        """Draw all lists as they are now."""
        self._lists = self.words.ranking.lists
        self.stack.setCurrentIndex(1 if self._lists else 0)
        self.nothing.setText(self._why_nothing())
        self._draw_lists()
        self._mark_thresholds()
        self._follow_threshold()
        self._follow_item()

    def is_wanted(self) -> bool:
        """Tell whether the lists are visible, and not about to be made anew after a judgement."""
        ranking = self.words.ranking
        drawn = [id(shown.ranked) for shown in self._lists]
        remade = ranking.busy and bool(drawn) and drawn == [id(now.ranked) for now in ranking.lists]
        return super().is_wanted() and not remade

    def table(self) -> list[list[object]]:
        """Return what the threshold leaves of each list, unrounded, with a head.

        None is undefined.
        """
        threshold = self.words.threshold
        rows: list[list[object]] = [["list", "threshold", *PURGE_FIGURES]]
        for each in self._lists:
            values = purge_values(each.purge, threshold, each.ranked)
            rows.append([each.name_in_files, threshold, *values.values()])
        return rows

    def offer(self) -> PlotOffer:
        """Offer the plot for print, with the lists, ranks and threshold that are in sight."""
        title, relevance = self.words.queries.title, self.words.judgements.relevance
        lists = {
            short_title(each.title): (each, drawn.line)
            for each, drawn in zip(self._lists, self._lines, strict=True)
        }
        threshold = None if self.plot.by_rank else self.words.threshold
        last = None if self.plot.focus is None else self.plot.focus[0]
        axis = self.plot.title

        def draw(choice: PlotChoice, _progress: Progress) -> Figure:
            from spotlab.report.charts import Chart  # noqa: PLC0415 - matplotlib takes long
            from spotlab.report.studies.word_sheets import (  # noqa: PLC0415
                ScoredList,
                score_plot,
            )

            scored = []
            for name in choice.runs:
                each, line = lists[name]
                ranked = RankedList(each.name, line.spot, line.y)
                scored.append(ScoredList(each.name, name, each.colour, ranked))
            cut = threshold if "threshold" in choice.options else None
            shown = None if "all" in choice.options else last
            plot = score_plot(title, scored, relevance, cut, shown, axis)
            return Chart([plot], size=(5.2, 3.6), level="threshold").figure(choice.width)

        options = {} if threshold is None else {"threshold": "The threshold"}
        options |= {} if last is None else {"all": "All ranks"}
        styles = {name: RunStyle(each.colour) for name, (each, _) in lists.items()}
        wanted = frozenset({"threshold"})
        chosen = PlotChoice(runs=tuple(lists), options=wanted, width=ONE_COLUMN)
        return PlotOffer("scores", draw, chosen, runs=styles, options=options)

    def _draw_lists(self) -> None:
        relevance = self.words.judgements.relevance
        ranked, scale = [each.ranked for each in self._lists], self.words.queries.scale
        by_rank = scale is ListScale.RANK
        self.plot.cut_by_rank(by_rank)
        longest, low, high = score_extent(ranked, [self.words.threshold] if ranked else [])
        if by_rank:
            low, high = 0.0, 1.0
        self._lines = []
        for each in self._lists:
            line = score_line(each.ranked, in_its_range(each.shape) if by_rank else None)
            known = relevance[line.spot]
            self._lines.append(ScoreLine(each.colour, line, known == 1, known == 0))
        focus = score_focus(ranked, min(self.words.threshold, self.words.queries.tau))
        if by_rank and focus is not None:
            focus = focus[0], low
        self.plot.title = AXES[scale]
        self.plot.say("")
        self.plot.show_lists(self._lines, (float(longest), high), low, focus)
        self.plot.show_hover(None)
        self.head.title.setText(self.words.queries.title)
        steps = ThresholdSteps([each.score for each in ranked])
        self.head.show_scores(steps, scale)
        self.scale.show_scores(steps, scale)
        self.note.setText(judged_note([each.purge for each in self._lists]))
        self.note.setVisible(bool(self.note.text()))

    def _follow_threshold(self) -> None:
        """Move the line and say what is left; called for every step of a drag."""
        threshold = self.words.threshold
        self.head.show_threshold(threshold)
        self.scale.show_threshold(threshold)
        rows = [self._row(each, threshold) for each in self._lists]
        kept = [(int(row.values["kept"] or 0), row.colour) for row in rows]
        by_rank = self.plot.by_rank
        cuts = [] if by_rank else [((float(n), threshold), colour) for n, colour in kept if n]
        self.plot.show_threshold(threshold, cuts)
        self.figures.show_rows(rows, self._suggesting_list())

    def _row(self, each: WordList, threshold: float) -> PurgeRow:
        values = purge_values(each.purge, threshold, each.ranked)
        return PurgeRow(
            each.name, short_title(each.title), each.definition, each.colour,
            {**values, "average_precision": each.average_precision},
            each.purge.judged < each.purge.judgeable,
        )  # fmt: skip

    def _suggesting_list(self) -> str:
        """The name of the list whose suggestions are marked: the one chosen, or else the best."""
        ranking = self.words.ranking  # the lists drawn may still be those of another query
        if self._suggesting in [each.name for each in ranking.lists]:
            return self._suggesting
        return "" if ranking.best is None else ranking.best.name

    def _mark_thresholds(self) -> None:
        words, chosen = self.words, self._suggesting_list()
        source = words.queries.current
        marks: list[ThresholdMark] = []
        searched = source is not None and source.imported is None
        if source is not None and searched:
            marks.append(named_mark("τ", source.tau, TAU))
            marks.append(named_mark("tight", words.searching.tight, TIGHT))
        re_scores = source is not None and source.evidence and source.evidence.between is not None
        if re_scores and words.queries.scale is not ListScale.RANK:
            marks.append(named_mark("at least", words.ranking.choices.at_least, AT_LEAST))
        for each in self.words.ranking.lists:
            if each.name == chosen:
                found = each.purge.suggestions(words.queries.tau if searched else None)
                if each.purge.one_sided:
                    found = tuple(one for one in found if one.name != "best_f")
                title = short_title(each.title)
                marks += suggested_marks(found, title, each.colour, words.queries.scale)
        self.scale.show_marks(marks)

    def _suggest_for(self, name: str) -> None:
        self._suggesting = name
        self._mark_thresholds()

    def _follow_item(self) -> None:
        """Ring the chosen word on every list."""
        item = self.words.item
        places: list[tuple[float, float]] = []
        for line in (each.line for each in self._lines) if item is not None else ():
            at = np.flatnonzero(line.spot == item)
            places.extend((float(line.x[point]), float(line.y[point])) for point in at)
        self.plot.signs.show_chosen(places)

    def _hover(self, hit: CurveHit | None) -> None:
        if hit is None:
            self.plot.show_hover(None)
            QToolTip.hideText()
            return
        line = self._lines[hit.drawn].line
        place = float(line.x[hit.point]), float(line.y[hit.point])
        self.plot.show_hover(place)
        at = self.plot.viewport().mapToGlobal(self.plot.place_on_viewport(place).toPoint() + BESIDE)
        QToolTip.showText(at, self._tip(hit), self.plot.viewport())

    def _tip(self, hit: CurveHit) -> str:
        """Rank, score and which word."""
        each, line = self._lists[hit.drawn], self._lines[hit.drawn].line
        item, rank = int(line.spot[hit.point]), int(line.x[hit.point])
        known = KNOWN.get(int(self.words.judgements.relevance[item]), "")
        items = self.words.queries.items
        assert items is not None  # lists are of items
        title = html.escape(short_title(each.title))
        return rich(
            f"<p style='white-space:pre'><b>{html.escape(word_line(items, item))}</b>{known}<br>"
            f"{title} · rank {rank:,}{self._scored(each, rank - 1)}</p>"
        )

    def _scored(self, each: WordList, row: int) -> str:
        """The score of a word on the scale of the lists, and in its own list."""
        scale = self.words.queries.scale
        own = f" · score {float(each.shape[row]):.4g}"
        if scale is not ListScale.PROBABILITY:
            return own if scale is ListScale.RANK else f" · score {each.ranked.score[row]:.4g}"
        return f" · probability {each.ranked.score[row]:.3g}{own}"

    def _click(self, hit: CurveHit | None) -> None:
        if hit is not None:
            self.words.choose_item(int(self._lines[hit.drawn].line.spot[hit.point]))

    def _why_nothing(self) -> str:
        if self.words.queries.current is None:
            return NOTHING
        return MAKING if self.words.ranking.busy else HIDDEN

    def paint_in_theme(self) -> None:
        """Use the colours of the palette in the plot."""
        self.plot.paint_in(theme.colours(self.palette()))

    def _lay_out(self) -> None:
        self.note.setProperty("role", "quiet")
        self.note.setWordWrap(True)
        self.note.setContentsMargins(12, 0, 12, 4)
        filled = QWidget()
        beside = in_row((self.plot, 1), self.scale, spacing=0)
        in_column(self.head, (beside, 1), self.figures, self.note, of=filled, margins=0, spacing=0)
        self.stack = QStackedLayout(self)
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(filled)

    def _connect(self) -> None:
        words = self.words
        self.redraw_on(words.ranking.changed, words.judgements.changed, words.ranking.busy_changed)
        self.follow(words.ranking.choices_changed, self._mark_thresholds)
        self.follow(words.threshold_changed, self._follow_threshold)
        self.follow(words.item_changed, self._follow_item)
        for wanted in (
            self.scale.threshold_wanted,
            self.head.threshold_wanted,
            self.plot.line_moved,
        ):
            wanted.connect(words.set_threshold)
        self.figures.list_wanted.connect(self._suggest_for)
        self.plot.hovered.connect(self._hover)
        self.plot.clicked.connect(self._click)
        self.plot.menu_wanted.connect(self.head.menu.popup)
