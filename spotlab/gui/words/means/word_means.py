"""Means over all open queries: which list is better, how surely, which queries are difficult."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spotlab.errors import counted
from spotlab.gui.kit.flow import Flow
from spotlab.gui.kit.live_panel import LivePanel
from spotlab.gui.kit.table_view import FiguresView
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.means.extreme_queries import ExtremeQueries
from spotlab.gui.words.means.query_rows import list_rows, mean_row, query_figures, query_rows
from spotlab.gui.words.means.save_report import ask_report
from spotlab.gui.words.state.word_lists import WordSource
from spotlab.gui.words.state.word_naming import short_title
from spotlab.gui.words.state.words import Words
from spotlab.report.figure_text import correction_note
from spotlab.studies.words.query_means import FIGURES

PAUSE = 150  # ms of stillness until means are computed again
NAMES, NARROWEST, WIDEST = 76, 58, 150  # px
BESIDE = 36  # px beside a name: its swatch and margins
NOTHING = (
    "Search several words, or open ranked lists of several queries,\n"
    "to see the means of each list over all queries."
)
SHOWN = {
    "intervals": ("Intervals", "95 % bootstrap intervals over the open queries"),
    "differences": (
        "Differences",
        "How far each list is above the marked one, paired by query. A star: significant at "
        "p < .05 by the paired randomisation test, corrected by Holm. Click a list to compare "
        "the others with it.",
    ),
}


class WordMeansPanel(LivePanel):
    """Two tables: lists with their means, and queries with the average precision of each list."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent, delay=PAUSE, settle=True)
        self.workbench = workbench
        self.words = workbench.state(Words)
        self.all = self.words.all
        self.reference: str | None = None
        self.shown = "intervals"
        self._make_widgets()
        self._lay_out()
        self._connect()

    def draw(self) -> None:
        """Have the means computed; `show_means` follows."""
        if self.words.queries.sources:
            self.all.refresh(self.words.threshold, self.reference)
        else:
            self.all.cancel()
            self.stack.setCurrentWidget(self.nothing)

    def show_means(self) -> None:
        """Show what was computed."""
        comparison, sources = self.all.comparison, self.words.queries.sources
        if len(comparison.queries) != len(sources) or not sources:
            return  # other queries are open by now; they are being compared
        self.stack.setCurrentWidget(self.filled)
        names = [short_title(each.title) for each in comparison.lists]
        widest = max(map(self.fontMetrics().horizontalAdvance, names), default=0)
        self.lists.use_name_width(min(max(widest + BESIDE, NAMES), WIDEST))
        self.lists.show_rows(list_rows(comparison, differences=self.shown == "differences"))
        self.lists.mark(comparison.reference if self.shown == "differences" else "")
        figures = query_figures(comparison)
        if figures != self.queries.model.figures:
            self.queries.model.use_figures(figures)
            self.queries.summary.use_figures(figures)
        titles = _titles(sources)
        self.queries.show_rows(query_rows(comparison, titles), mean_row(comparison))
        self.queries.mark(self.words.queries.index)
        self.extremes.show_comparison(comparison, titles)
        count = len(sources)
        self.count.setText(counted(count, "query"))
        tests = correction_note(comparison.tests) if self.shown == "differences" else ""
        self.note.setText(tests)
        self.note.setVisible(bool(tests))

    def choose_shown(self, shown: str) -> None:
        """Show intervals, or differences from a list, under the means."""
        self.shown = shown
        self.chips[shown].setChecked(True)
        self.show_means()

    def _crop(self, place: int) -> NDArray[np.uint8] | None:
        studied = self.all.studied
        image = studied[place].image() if place < len(studied) else None
        return self.words.crops.crop(*image) if image else None

    def _compare_with(self, name: object) -> None:
        self.reference = str(name)
        self.choose_shown("differences")
        self.draw()

    def _choose(self, place: object) -> None:
        if isinstance(place, int) and place != self.words.queries.index:
            self.words.choose_source(place)

    def _forget(self) -> None:
        """Other queries are open: they have other pictures."""
        self.extremes.pictures.forget()
        self.refresh_soon()

    def _make_widgets(self) -> None:
        self.nothing = QLabel(NOTHING, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self.nothing.setProperty("role", "quiet")
        self.group = QButtonGroup(self)
        self.chips: dict[str, QToolButton] = {}
        for name, (title, tip) in SHOWN.items():
            chip = self.chips[name] = QToolButton()
            chip.setText(title)
            chip.setToolTip(tip)
            chip.setCheckable(True)
            chip.setChecked(name == self.shown)
            chip.clicked.connect(lambda _=False, name=name: self.choose_shown(name))
            self.group.addButton(chip)
        self.count, self.note = QLabel(), QLabel(wordWrap=True)
        for label in (self.count, self.note):
            label.setProperty("role", "quiet")
        self.lists = FiguresView("List", True, self, names=NAMES, narrowest=NARROWEST)
        self.lists.model.use_figures(FIGURES)
        self.lists.summary.use_figures(FIGURES)
        self.queries = FiguresView("Query", False, self, names=150, narrowest=NARROWEST)
        self.lists.sort(0)  # the best list first
        self.extremes = ExtremeQueries(self._crop, self)
        self.report = QPushButton("Save Report…")
        self.report.setToolTip(
            "A page with these tables, curves and sheets of words, and all of it as files"
        )

    def _lay_out(self) -> None:
        head = Flow()
        for chip in self.chips.values():
            head.addWidget(chip)
        head.addStretch()
        head.addWidget(self.count)
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(head)
        column.addWidget(self.lists, 1)
        column.addWidget(self.note)
        self.filled = QWidget()
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(upper)
        split.addWidget(self.queries)
        split.setChildrenCollapsible(False)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        layout = QVBoxLayout(self.filled)
        layout.setContentsMargins(8, 4, 8, 6)
        layout.setSpacing(4)
        layout.addWidget(split, 1)
        layout.addWidget(self.extremes)
        layout.addWidget(self.report, 0, Qt.AlignmentFlag.AlignRight)
        self.stack = QStackedLayout(self)
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(self.filled)

    def _connect(self) -> None:
        words = self.words
        self.redraw_on(
            words.queries.changed, words.ranking.changed, words.judgements.changed,
            words.threshold_changed,
        )  # fmt: skip
        self.follow(words.queries.changed, self._forget)
        self.follow(self.all.changed, self.show_means)
        self.extremes.chosen.connect(self._choose)
        self.lists.chosen.connect(self._compare_with)
        self.queries.chosen.connect(self._choose)
        for view in (self.lists, self.queries):
            view.copied.connect(lambda view=view: _copy(view))
        self.report.clicked.connect(lambda _: ask_report(self.workbench, self))


def _titles(sources: Sequence[WordSource]) -> list[str]:
    """What the queries are called; those of the same word have their pages, too."""
    titles = [source.title for source in sources]
    return [
        f"{title} {source.asked.page}" if titles.count(title) > 1 and source.asked else title
        for title, source in zip(titles, sources, strict=True)
    ]


def _copy(view: FiguresView) -> None:
    lines = ("\t".join(row) for row in view.copied_table())
    QApplication.clipboard().setText("\n".join(lines))
