"""The queries that are found best and worst, as pictures; a click opens one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QLabel, QToolButton, QVBoxLayout, QWidget

from spotlab.gui.kit import icons, paper
from spotlab.gui.kit.cut_pictures import CutPictures
from spotlab.gui.kit.flow import Flow
from spotlab.report.figure_text import written
from spotlab.studies.words.query_means import QueryComparison

EACH = 3
PICTURE = QSize(92, 30)  # px
KINDS = {
    "best": ("Highest AP", "The queries with the highest average precision of the best list"),
    "worst": ("Lowest AP", "The most difficult queries: those with the lowest average precision"),
}


class ExtremeQueries(QWidget):
    """Two rows of pictures, the best queries and the worst ones.

    Parameters
    ----------
    crop : callable
        Gives the picture of the query at a place, (h, w) grey; None where there is none.
    """

    chosen = Signal(int)  # the place of a query

    def __init__(
        self, crop: Callable[[int], NDArray[np.uint8] | None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.places: dict[str, list[int]] = {kind: [] for kind in KINDS}
        self.pictures = CutPictures(crop, self)
        self.pictures.arrived.connect(lambda _: self._show_pictures())
        icons.repainted.changed.connect(self._show_pictures)
        self.buttons: dict[str, list[QToolButton]] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for kind, (title, tip) in KINDS.items():
            label = QLabel(title)
            label.setProperty("role", "quiet")
            label.setToolTip(tip)
            layout.addWidget(label)
            row = Flow()
            self.buttons[kind] = [self._button(kind, number) for number in range(EACH)]
            for button in self.buttons[kind]:
                row.addWidget(button)
            row.addStretch()
            layout.addLayout(row)

    def show_comparison(self, comparison: QueryComparison, titles: list[str]) -> None:
        """Show the extremes by the list that is best on average; nothing without two queries."""
        best = comparison.best
        order = {id(query): place for place, query in enumerate(comparison.queries)}
        rising = comparison.hardest(best) if best else []
        each = min(EACH, len(rising) // 2)
        self.setVisible(each > 0)
        chosen = {"best": rising[: -each - 1 : -1] if each else [], "worst": rising[:each]}
        for kind, queries in chosen.items():
            self.places[kind] = [order[id(query)] for query in queries]
            for number, button in enumerate(self.buttons[kind]):
                button.setVisible(number < len(queries))
                if number < len(queries):
                    title = titles[self.places[kind][number]]
                    value = queries[number].value(best, "average_precision")
                    button.setText(f"{title} {written(value)}")
                    button.setToolTip(f"Show the lists of {title}: AP {written(value)}")
        self.pictures.fit(PICTURE.width(), PICTURE.height(), self.devicePixelRatioF())
        self.pictures.want([place for places in self.places.values() for place in places])
        self._show_pictures()

    def _show_pictures(self) -> None:
        for kind, places in self.places.items():
            for button, place in zip(self.buttons[kind], places, strict=False):
                pixmap = self.pictures.get(place)
                button.setIcon(QIcon(paper.shaded(pixmap)) if pixmap else QIcon())

    def _button(self, kind: str, number: int) -> QToolButton:
        button = QToolButton(self)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setIconSize(PICTURE)
        button.setAccessibleName(f"{kind} query {number + 1}")
        button.clicked.connect(lambda: self.chosen.emit(self.places[kind][number]))
        return button
