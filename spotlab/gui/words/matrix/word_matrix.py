"""The scores of the words found with each other: which of them make good queries, and which not."""

from __future__ import annotations

import html
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QPushButton,
    QStackedLayout,
    QToolTip,
    QWidget,
)

from spotlab.arrays import Ints
from spotlab.errors import counted
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import chips_of, set_up
from spotlab.gui.kit.cut_pictures import Crop, PictureButtons
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.plots.curve_plot import ColourScale
from spotlab.gui.kit.plots.export import PlotChoice, PlotOffer, ask_plot
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.theme import Colours
from spotlab.gui.kit.widgets import STRETCH, EmptyNote, Flow, fill, in_column
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.matrix.matrix_plot import (
    DIFFICULT,
    MAP,
    REPRESENTATIVE,
    Cell,
    MatrixPlot,
    ScoreMatrix,
    instances,
    listed,
)
from spotlab.gui.words.state.queries import word_line
from spotlab.gui.words.state.word_search import KNOWN
from spotlab.gui.words.state.words import Words
from spotlab.progress import Progress
from spotlab.report.figure_text import written

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 3  # words of each kind
PICTURE = QSize(72, 22)  # px of a word's picture
KINDS = {"representative": ("★", REPRESENTATIVE), "difficult": ("▼", DIFFICULT)}
MEANING = rich(
    "<p>The mean of a column, without the diagonal, is how similar a word is to all the others. "
    "The three of highest mean are <b>representative</b> queries, the three of lowest mean "
    "<b>difficult</b> ones (Hast 2020, §4).</p>"
)


class SuggestedQueries(QWidget):
    """A row of buttons for each kind; a click chooses the word of a column.

    Parameters
    ----------
    crop : callable
        Gives the picture of an item, (h, w) grey; None where there is none.

    Attributes
    ----------
    buttons : dict of str to list of QToolButton
    """

    chosen = Signal(int)  # a column of the matrix

    def __init__(self, crop: Crop) -> None:
        super().__init__()
        self.choices = PictureButtons(KINDS, SHOWN, PICTURE, crop, self)
        self.choices.clicked.connect(
            lambda kind, number: self.chosen.emit(self._columns[kind][number])
        )
        self._columns: dict[str, list[int]] = {}
        self._labels = {kind: set_up(QLabel(), tip=MEANING) for kind in KINDS}
        rows = [fill(Flow(), self._labels[kind], STRETCH, *self.choices.buttons[kind])
                for kind in KINDS]  # fmt: skip
        in_column(*rows, of=self, margins=0, spacing=3)

    def show_matrix(self, matrix: ScoreMatrix, name: Callable[[int], str]) -> None:
        """Offer the words of a matrix; ``name`` gives the name of a column's word."""
        self._columns = {
            "representative": matrix.representative.tolist(),
            "difficult": matrix.difficult.tolist(),
        }
        items = {kind: matrix.items[columns].tolist() for kind, columns in self._columns.items()}
        self.choices.show_numbers(items, self.devicePixelRatioF())
        for kind, columns in self._columns.items():
            for button, column in zip(self.choices.buttons[kind], columns, strict=False):
                button.setText(written(float(matrix.means[column])))
                button.setToolTip(rich(f"<p>{name(column)}</p>{MEANING}"))

    def paint_in(self, colours: Colours) -> None:
        """Use the colours of the theme."""
        for kind, (mark, colour) in KINDS.items():
            shade = readable(colour, colours.window)
            shown = f'<span style="color:{shade}">{mark}</span> {kind}'
            self._labels[kind].setText(rich(shown))


MOST = 400  # words in a matrix: a column is then still a pixel of a narrow panel
BESIDE = QPoint(14, 10)  # px from the pointer to its tooltip
NOTHING = (
    "Search a word to see the scores\nbetween its instances,\nand which of them are good queries."
)
NO_SCORES = "These lists have no scores between their items.\nSearch a word instead."
FEW = (
    "Fewer than two words are known to be relevant.\nMark words ✓ in the lists, "
    "or show all listed words."
)
WHICH = {
    "instances": ("Instances", "Words that are known to be instances of the query"),
    "listed": ("All Listed", "All words in any list, the best ranks first"),
}


def _printed(matrix: ScoreMatrix, choice: PlotChoice, _progress: Progress) -> Figure:
    from spotlab.report.studies.word_sheets import matrix_figure  # noqa: PLC0415 - matplotlib

    marked = matrix.representative.tolist(), matrix.difficult.tolist()
    return matrix_figure(matrix.scores, *marked, choice.width)


class WordMatrixPanel(LivePanel):
    """An image of scores by falling mean; a click chooses a word, a double click searches it."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.words = workbench.state(Words)
        self.plot = MatrixPlot()
        self.which = "instances"
        self.scale = ColourScale(
            MAP,
            "Colours of scores, from the lowest to the highest shown: words with a high score look "
            "alike. The diagonal is left out",
        )
        self._found = 0
        self._shown: tuple[object, Ints] | None = None  # whose scores, of which items
        self._make_widgets()
        self._lay_out()
        self._connect()
        self.paint_in_theme()

    @property
    def matrix(self) -> ScoreMatrix | None:
        """Return what is shown; None where there is nothing to show."""
        if self._shown is None or self._shown[0] is not self.words.queries.current:
            return None  # what is drawn belongs to a query that was left
        return self.plot.matrix if self.stack.currentWidget() is self._filled else None

    def draw(self) -> None:
        """Show the scores of the words as they are listed and judged now."""
        items, why = self._wanted()
        self.nothing.setText(why)
        self.stack.setCurrentWidget(self._empty if why else self._filled)
        self.all_listed.setVisible(why == FEW)
        if why:
            self._shown = None
            return
        shown = items[:MOST]
        if not self._is_shown(shown):
            scores = self.words.queries.between(shown)
            assert scores is not None  # else that is why there is nothing
            if self._shown is None or self._shown[0] is not self.words.queries.current:
                self.suggested.choices.pictures.forget()  # items have other numbers now
            self._shown = self.words.queries.current, shown
            self.plot.show_matrix(ScoreMatrix.of(shown, scores))
        self._say(len(items))
        self._follow_item()

    def choose_which(self, which: str) -> None:
        """Look at the instances of the word, or at all that is listed."""
        self.which = which
        self.chips[which].setChecked(True)
        self.refresh()

    def search(self, column: int = -1) -> None:
        """Search the word of this column, or the chosen one."""
        matrix = self.matrix
        item = self.words.item if column < 0 or matrix is None else int(matrix.items[column])
        if item is not None:
            self.words.search_item(item)

    def _wanted(self) -> tuple[Ints, str]:
        """The items to show, and why there is nothing; empty if there is."""
        words = self.words
        lists = [each.ranked for each in words.ranking.lists]
        none = np.zeros(0, np.int64)
        if words.queries.items is None:
            return none, NOTHING
        if words.queries.between(none) is None:
            return none, NO_SCORES
        if self.which == "instances":
            items = words.queries.scored(instances(words.judgements.relevance, lists))
            return items, FEW if len(items) < 2 else ""
        items = listed(len(words.queries.items), lists)
        return items, NOTHING if len(items) < 2 else ""

    def _is_shown(self, items: Ints) -> bool:
        """Lists change with every step of a slider, the scores between their items do not."""
        if self._shown is None or self._shown[0] is not self.words.queries.current:
            return False
        return np.array_equal(self._shown[1], items)

    def _say(self, found: int) -> None:
        matrix = self.plot.matrix
        assert matrix is not None  # it was just shown
        capped = (
            f"the best {len(matrix):,} of {counted(found, 'word')}" if found > len(matrix) else ""
        )
        self.count.setText(capped or counted(found, "word"))
        self.scale.show_levels(*self.plot.levels())
        self.suggested.show_matrix(matrix, self._name)

    def _name(self, column: int) -> str:
        matrix, items = self.plot.matrix, self.words.queries.items
        assert matrix is not None and items is not None
        item = int(matrix.items[column])
        known = KNOWN.get(int(self.words.judgements.relevance[item]), "")
        return f"<b>{html.escape(word_line(items, item))}</b>{known}"

    def _follow_item(self) -> None:
        matrix = self.matrix
        self.go.setEnabled(self.words.item is not None)
        if matrix is not None and self.isVisible():
            self.plot.show_chosen(matrix.place_of(self.words.item))

    def _hover(self, cell: Cell | None) -> None:
        self.plot.show_hover(cell)
        matrix = self.matrix
        if cell is None or matrix is None:
            QToolTip.hideText()
            return
        row, column = cell
        score = float(matrix.scores[row, column])
        with_itself = "with itself" if row == column else f"score {written(score)} with"
        other = "" if row == column else f"<br>{self._name(row)}"
        mean = written(float(matrix.means[column]))
        tip = f"{self._name(column)}<br>{with_itself}{other}<br>mean of the column {mean}"
        QToolTip.showText(
            QCursor.pos() + BESIDE,
            rich(f"<p style='white-space:pre'>{tip}</p>"),
            self.plot.viewport(),
        )

    def _click(self, cell: Cell | None) -> None:
        if cell is not None:
            self._choose(cell[1])

    def _choose(self, column: int) -> None:
        matrix = self.matrix
        if matrix is not None:
            self.words.choose_item(int(matrix.items[column]))

    def _move(self, step: int) -> None:
        matrix = self.matrix
        if matrix is not None:
            now = matrix.place_of(self.words.item)
            start = now if now is not None else -1 if step > 0 else len(matrix)
            self._choose(min(max(start + step, 0), len(matrix) - 1))

    def paint_in_theme(self) -> None:
        """Use the colours of the palette in the plot."""
        colours = theme.colours(self.palette())
        self.plot.paint_in(colours)
        self.suggested.paint_in(colours)

    def _make_widgets(self) -> None:
        self.nothing = EmptyNote()
        self.all_listed = QPushButton("Show All Listed")
        self.all_listed.clicked.connect(lambda _: self.choose_which("listed"))
        self.chips = chips_of(WHICH, self.which, self.choose_which, self)
        self.count = QLabel()
        self.suggested = SuggestedQueries(self.words.crop)
        self.count.setProperty("role", "quiet")
        self.count.setToolTip(f"The matrix shows at most {MOST} words: those with the best ranks")
        self.go = QPushButton("Search This Word")
        self.go.setToolTip(
            "Search with the chosen word as the query. A double click does the same."
        )
        self.go.clicked.connect(lambda _: self.search())
        self.menu = QMenu(self)
        self.menu.addAction("Show All of the Matrix", self.plot.reset_view)
        action = self.menu.addAction("Save Matrix…")
        action.triggered.connect(lambda _: self.save_picture())

    def save_picture(self) -> None:
        """Offer the matrix for print."""
        workbench, matrix = self.workbench, self.matrix
        if matrix is not None:
            offer = PlotOffer("matrix", partial(_printed, matrix))
            ask_plot(self, offer, workbench.collection.folder, workbench.said.emit)

    def _lay_out(self) -> None:
        head, foot = Flow(), Flow()
        for chip in self.chips.values():
            head.addWidget(chip)
        head.addStretch()
        head.addWidget(self.count)
        foot.addWidget(self.scale)
        foot.addWidget(self.go)
        self._filled, self._empty = QWidget(), QWidget()
        in_column(
            head,
            (self.plot, 1),
            self.suggested,
            foot,
            of=self._filled,
            margins=(8, 4, 8, 6),
            spacing=3,
        )
        in_column(
            STRETCH,
            self.nothing,
            (self.all_listed, Qt.AlignmentFlag.AlignHCenter),
            STRETCH,
            of=self._empty,
        )
        self.stack = QStackedLayout(self)
        self.stack.addWidget(self._empty)
        self.stack.addWidget(self._filled)

    def _connect(self) -> None:
        words = self.words
        self.redraw_on(words.ranking.changed, words.judgements.changed, words.queries.changed)
        words.item_changed.connect(self._follow_item)
        self.plot.hovered.connect(self._hover)
        self.plot.clicked.connect(self._click)
        self.plot.moved.connect(self._move)
        self.suggested.chosen.connect(self._choose)
        self.plot.searched.connect(self.search)
        self.plot.menu_wanted.connect(self.menu.popup)
