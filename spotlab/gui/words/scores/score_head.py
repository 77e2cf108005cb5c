"""The line over the score plot: what was searched, which colour is whose, what can be saved."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from spotlab.gui.kit import icons, theme
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.kit.plots.save_dialog import ask_picture
from spotlab.gui.kit.plots.shades import readable
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.scores.score_plot import ScorePlot
from spotlab.gui.words.state.word_lists import WordList
from spotlab.gui.words.state.word_naming import short_title
from spotlab.report.figure_text import written

Table = Callable[[], list[list[object]]]
AVERAGE_PRECISION = (
    "AP = Σ P@n · r(n) / R: average precision of the list, summed over the ranks n of relevant "
    "items and divided by the number R of all relevant items (Hast, eq. 3)"
)
MOST_NAMED = 8  # lists; of more, names and colours stand with the figures only


class ScoreHead(QWidget):
    """Names what is drawn, and has the plot's menu."""

    def __init__(self, workbench: Workbench, plot: ScorePlot, table: Table) -> None:
        super().__init__()
        self._workbench, self._plot, self._table = workbench, plot, table
        self.title = QLabel()
        self.title.setProperty("role", "heading")
        self.more = QToolButton()
        self.more.setToolTip("Save the plot, or the figures at the threshold")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = self._make_menu()
        self.more.setMenu(self.menu)
        self.legend = QLabel()
        self.legend.setWordWrap(True)
        self.legend.setContentsMargins(12, 0, 12, 2)
        self._lay_out()
        icons.repainted.changed.connect(self._paint_icons)
        self._paint_icons()

    def follow(self, lists: Sequence[WordList], title: str) -> None:
        """Say what is drawn."""
        behind = theme.colours(self.palette()).window
        self.title.setText(title)
        self.legend.setText("&nbsp;&nbsp; ".join(
            f'<span style="color:{readable(each.colour, behind)}">●</span>&nbsp;'
            f"{_unbroken(short_title(each.title))}&nbsp;AP&nbsp;{written(each.average_precision)}"
            for each in lists
        ))  # fmt: skip
        self.legend.setVisible(len(lists) <= MOST_NAMED)
        tip = "".join(
            f"<p><b>{html.escape(each.title)}</b>: {html.escape(each.definition)}</p>"
            for each in lists
        ) + f"<p>{AVERAGE_PRECISION}</p>"  # fmt: skip
        for label in (self.title, self.legend):
            label.setToolTip(tip)

    def save_table(self) -> None:
        """Ask where to save the figures of each list at the threshold."""
        workbench = self._workbench
        export_figures.ask(
            self, export_figures.CSV, "purged", lambda: _csv(self._table()),
            workbench.collection.folder, workbench.said.emit,
        )  # fmt: skip

    def save_picture(self) -> None:
        """Ask where a picture of the plot shall go."""
        workbench = self._workbench
        ask_picture(self._plot, "scores", workbench.collection.folder, workbench.said.emit)

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction("Show All of the Plot", self._plot.reset_view)
        menu.addSeparator()
        action = menu.addAction("Save Score Plot…")
        action.triggered.connect(lambda _: self.save_picture())
        menu.addAction("Save What the Threshold Leaves as CSV…", self.save_table)
        return menu

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(12, 4, 8, 0)
        row.addWidget(self.title, 1)
        row.addWidget(self.more)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.legend)

    def _paint_icons(self) -> None:
        self.more.setIcon(icons.icon("dots-horizontal"))


def _unbroken(title: str) -> str:
    """A title that stays in one line."""
    return html.escape(title).replace("-", "‑").replace(" ", "&nbsp;")


def _csv(rows: list[list[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)  # None is written as nothing
    return text.getvalue()
