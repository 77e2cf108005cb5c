"""Score over rank of the ranked lists, the threshold that purges them, and what it leaves."""

from __future__ import annotations

import html

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QStackedLayout, QToolTip, QVBoxLayout, QWidget

from spotlab.gui.kit import theme
from spotlab.gui.kit.live_panel import LivePanel
from spotlab.gui.kit.plots.curve_plot import Hit
from spotlab.gui.kit.plots.figures_area import FiguresArea
from spotlab.gui.kit.plots.pointed import Named
from spotlab.gui.kit.plots.readout import Readout
from spotlab.gui.kit.plots.shades import readable
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.scores.purge_figures import (
    COUNTS,
    PURGE_FIGURES,
    SHARES,
    purge_values,
)
from spotlab.gui.words.scores.score_head import ScoreHead
from spotlab.gui.words.scores.score_lines import score_extent, score_line
from spotlab.gui.words.scores.score_plot import ScorePlot
from spotlab.gui.words.scores.score_signs import ScoreLine, Suggested
from spotlab.gui.words.scores.threshold_bar import ThresholdBar, suggestion_tip
from spotlab.gui.words.state.word_lists import WordList
from spotlab.gui.words.state.word_naming import KNOWN, short_title, word_line
from spotlab.gui.words.state.words import Words

BESIDE = QPoint(14, 10)  # px from a line's point to its tooltip
WIDE = 520  # px from which counts and shares stand beside each other
NOTHING = (
    "Search a word or open ranked lists\nto see their scores by rank\n"
    "and to purge items with low scores."
)
MAKING = "Making the lists…"
HIDDEN = "No list is selected. Select one in the panel Ranking."


class ScoresPanel(LivePanel):
    """The plot, the threshold under it, and a line of figures for each list.

    A click on a line chooses the word there; the threshold is dragged, slid, typed or suggested.
    """

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.words = workbench.state(Words)
        self.plot = ScorePlot()
        self.head = ScoreHead(workbench, self.plot, self.table)
        self.bar = ThresholdBar()
        self.counts = Readout(COUNTS, PURGE_FIGURES, named=True)
        self.shares = Readout(SHARES, PURGE_FIGURES, named=True)
        self.nothing = QLabel()
        self._lists: tuple[WordList, ...] = ()
        self._lines: list[ScoreLine] = []
        self._rank_of: list[dict[int, int]] = []
        self._suggesting = "cr"
        self._lay_out()
        self._connect()
        self.paint_in_theme()

    def draw(self) -> None:
        """Draw all lists as they are now."""
        self._lists = self.words.ranking.lists
        self.stack.setCurrentIndex(1 if self._lists else 0)
        self.nothing.setText(self._why_nothing())
        self._draw_lists()
        self._follow_suggestions()
        self._follow_threshold()
        self._follow_item()

    def is_wanted(self) -> bool:
        """Whether the lists are visible, and not about to be made anew after a judgement."""
        ranking = self.words.ranking
        drawn = [id(shown.ranked) for shown in self._lists]
        remade = ranking.busy and bool(drawn) and drawn == [id(now.ranked) for now in ranking.lists]
        return super().is_wanted() and not remade

    def table(self) -> list[list[object]]:
        """What the threshold leaves of each list, unrounded, with a head; None is undefined."""
        threshold = self.words.threshold
        rows: list[list[object]] = [["list", "threshold", *PURGE_FIGURES]]
        for each in self._lists:
            rows.append([each.ranked.name, threshold, *self._values(each, threshold).values()])
        return rows

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Counts and shares beside each other where there is room, else under each other."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE
        sides = QBoxLayout.Direction
        self._figures.setDirection(sides.LeftToRight if wide else sides.TopToBottom)

    def _draw_lists(self) -> None:
        relevance = self.words.judgements.relevance
        same = [each.ranked for each in self._lists]
        also = [self.words.threshold] if same else []
        longest, low, high = score_extent(same, also)
        self._lines = []
        for each in self._lists:
            line = score_line(each.ranked)
            known = relevance[line.spot]
            self._lines.append(ScoreLine(each.colour, line, known == 1, known == 0))
        self.plot.names = [Named(short_title(each.title), each.colour) for each in self._lists]
        self.plot.show_lists(self._lines, (float(longest), high), low)
        self.plot.show_hover(None)
        self.head.follow(self._lists, self.words.queries.title)
        scores = np.concatenate([each.score for each in same]) if same else np.zeros(0)
        self.bar.show_scores(scores, self.words.threshold)

    def _follow_threshold(self) -> None:
        """Move the line and say what is left; called for every step of the slider."""
        threshold, behind = self.words.threshold, theme.colours(self.palette()).window
        self.bar.follow(threshold)
        rows, places = [], []
        for each in self._lists:
            values = self._values(each, threshold)
            rows.append((short_title(each.title), readable(each.colour, behind), values))
            if values["kept"]:
                places.append(((values["kept"], threshold), each.colour))
        self.plot.show_threshold(threshold, places)
        for readout in (self.counts, self.shares):
            readout.show_runs(rows, mean=False)

    def _values(self, each: WordList, threshold: float) -> dict[str, float | None]:
        return dict(purge_values(each.purge.at(threshold), each.ranked))

    def _follow_suggestions(self) -> None:
        purged = list(self._lists)
        chosen = next((each for each in purged if each.name == self._suggesting), None)
        chosen = chosen or (purged[-1] if purged else None)
        suggestions = chosen.purge.suggestions(self.words.queries.tau) if chosen else ()
        title = short_title(chosen.title) if chosen else ""
        self.bar.show_lists(
            [(each.name, short_title(each.title)) for each in purged], chosen.name if chosen else ""
        )
        self.bar.show_suggestions(suggestions, title)
        self.plot.show_suggested([
            Suggested(each.threshold, chosen.colour, suggestion_tip(each, title))
            for each in suggestions if chosen and each.threshold is not None
        ])  # fmt: skip

    def _suggest_for(self, name: str) -> None:
        self._suggesting = name
        self._follow_suggestions()

    def _follow_item(self) -> None:
        """Ring the chosen word on every list."""
        item = self.words.item
        places: list[tuple[float, float]] = []
        for line in (each.line for each in self._lines) if item is not None else ():
            at = np.flatnonzero(line.spot == item)
            places.extend((float(line.x[point]), float(line.y[point])) for point in at)
        self.plot.signs.show_chosen(places)

    def _hover(self, hit: Hit | None) -> None:
        if hit is None:
            self.plot.show_hover(None)
            QToolTip.hideText()
            return
        line = self._lines[hit.drawn].line
        place = float(line.x[hit.point]), float(line.y[hit.point])
        self.plot.show_hover(place)
        at = self.plot.viewport().mapToGlobal(self.plot.place_on_viewport(place).toPoint() + BESIDE)
        QToolTip.showText(at, self._tip(hit), self.plot.viewport())

    def _tip(self, hit: Hit) -> str:
        """Rank, score and which word."""
        each, line = self._lists[hit.drawn], self._lines[hit.drawn].line
        item, rank = int(line.spot[hit.point]), int(line.x[hit.point])
        known = KNOWN.get(int(self.words.judgements.relevance[item]), "")
        items = self.words.queries.items
        assert items is not None  # lists are of items
        title = html.escape(short_title(each.title))
        return (
            f"<p style='white-space:pre'><b>{html.escape(word_line(items, item))}</b>{known}<br>"
            f"{title} · rank {rank:,} · score {float(each.ranked.score[rank - 1]):.4g}</p>"
        )

    def _click(self, hit: Hit | None) -> None:
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
        self.nothing.setProperty("role", "quiet")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setWordWrap(True)
        filled = QWidget()
        column = QVBoxLayout(filled)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.plot, 1)
        column.addWidget(self.bar)
        inside = QWidget()
        self._figures = QBoxLayout(QBoxLayout.Direction.TopToBottom, inside)
        self._figures.setContentsMargins(0, 0, 0, 0)
        self._figures.setSpacing(0)
        self._figures.addWidget(self.counts, 1)
        self._figures.addWidget(self.shares, 1)
        self.figures = FiguresArea(inside)
        column.addWidget(self.figures)
        self.stack = QStackedLayout(self)
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(filled)

    def _connect(self) -> None:
        words = self.words
        self.redraw_on(words.ranking.changed, words.judgements.changed, words.ranking.busy_changed)
        self.follow(words.threshold_changed, self._follow_threshold)
        self.follow(words.item_changed, self._follow_item)
        self.bar.threshold_wanted.connect(words.set_threshold)
        self.bar.list_wanted.connect(self._suggest_for)
        self.plot.threshold_moved.connect(words.set_threshold)
        self.plot.hovered.connect(self._hover)
        self.plot.clicked.connect(self._click)
        self.plot.menu_wanted.connect(self.head.menu.popup)
