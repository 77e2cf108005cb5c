"""The words of a matrix that make good queries, and those that make difficult ones, as buttons."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QLabel, QToolButton, QVBoxLayout, QWidget

from spotlab.gui.kit import icons, paper
from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.cut_pictures import Crop, CutPictures
from spotlab.gui.kit.flow import Flow
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.kit.plots.shades import readable
from spotlab.gui.words.matrix.matrix_plot import DIFFICULT, REPRESENTATIVE
from spotlab.gui.words.matrix.score_matrix import ScoreMatrix
from spotlab.report.figure_text import written

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
        self.pictures = CutPictures(crop, self)
        self.pictures.arrived.connect(lambda _: self._show_pictures())
        icons.repainted.changed.connect(self._show_pictures)
        self._items: dict[str, list[int]] = {kind: [] for kind in KINDS}
        self._columns: dict[str, list[int]] = {kind: [] for kind in KINDS}
        self._labels: dict[str, QLabel] = {}
        self.buttons: dict[str, list[QToolButton]] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        for kind in KINDS:
            label = self._labels[kind] = QLabel()
            label.setToolTip(MEANING)
            self.buttons[kind] = [self._button(kind, number) for number in range(SHOWN)]
            row = Flow()
            row.addWidget(label)
            row.addStretch()
            for button in self.buttons[kind]:
                row.addWidget(button)
            layout.addLayout(row)

    def show_matrix(self, matrix: ScoreMatrix, name: Callable[[int], str]) -> None:
        """Offer the words of a matrix; ``name`` gives the name of a column's word."""
        self._columns = {
            "representative": matrix.representative.tolist(),
            "difficult": matrix.difficult.tolist(),
        }
        self._items = {
            kind: matrix.items[columns].tolist() for kind, columns in self._columns.items()
        }
        self.pictures.fit(PICTURE.width(), PICTURE.height(), self.devicePixelRatioF())
        self.pictures.want([item for items in self._items.values() for item in items])
        self._show_pictures()
        for kind, columns in self._columns.items():
            for number, button in enumerate(self.buttons[kind]):
                button.setVisible(number < len(columns))
                if number < len(columns):
                    column = columns[number]
                    button.setText(written(float(matrix.means[column])))
                    button.setToolTip(rich(f"<p>{name(column)}</p>{MEANING}"))

    def _show_pictures(self) -> None:
        for kind, items in self._items.items():
            for button, item in zip(self.buttons[kind], items, strict=False):
                pixmap = self.pictures.get(item)
                button.setIcon(QIcon(paper.shaded(pixmap)) if pixmap else QIcon())

    def paint_in(self, colours: Colours) -> None:
        """Use the colours of the theme."""
        for kind, (mark, colour) in KINDS.items():
            shade = readable(colour, colours.window)
            shown = f'<span style="color:{shade}">{mark}</span> {kind}'
            self._labels[kind].setText(rich(shown))

    def _button(self, kind: str, number: int) -> QToolButton:
        button = QToolButton()
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setIconSize(PICTURE)
        button.setAccessibleName(f"{kind} query {number + 1}")
        button.clicked.connect(lambda: self.chosen.emit(self._columns[kind][number]))
        return button
