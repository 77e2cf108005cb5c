"""The figures at the cut in one line, a line for each run or list."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from spotlab.gui.panels.figure_delegate import tabular
from spotlab.measures.figures import FIGURES, Figure
from spotlab.report.figure_text import UNDEFINED, hint, written

HEADS = {
    "area_precision": "Precision",
    "area_recall": "Recall",
    "f": "F",
    "fall_out": "Fall-out",
    "recognition_rate": "Recogn.",
    "false_positives": "FP",
}
NARROWEST = 36  # px, of names
_FIGURES = {figure.name: figure for figure in FIGURES}


class Readout(QWidget):
    """Labels made once; those that nothing is shown in are hidden.

    ``heads`` are the figures in their order and what stands over them; ``named`` says that names
    stand beside the colours.
    """

    def __init__(
        self,
        heads: Mapping[str, str] = HEADS,
        figures: Mapping[str, Figure] = _FIGURES,
        named: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._heads, self._figures, self._named = heads, figures, named
        self._rows: list[tuple[QLabel, dict[str, QLabel]]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(12, 2, 12, 8)
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(1)
        for column, (name, text) in enumerate(heads.items(), start=1):
            head = self._label(hint(figures[name]))
            head.setText(text)
            head.setProperty("role", "quiet")
            font = head.font()
            font.setPointSizeF(font.pointSizeF() * 0.85)
            head.setFont(font)
            _keep_room(head)
            self._grid.addWidget(head, 0, column)
            self._grid.setColumnStretch(column, 1)

    def show_runs(
        self, runs: Sequence[tuple[str, str, Mapping[str, float | None]]], mean: bool
    ) -> None:
        """Show name, colour and figures of each run; ``mean`` says that they are means."""
        while len(self._rows) < len(runs):
            self._rows.append(self._make_row(len(self._rows) + 1))
        for (dot, labels), run in zip(self._rows, runs, strict=False):
            name, colour, figures = run
            dot.setVisible(len(runs) > 1 or self._named)
            _set_text(dot, f'<span style="color:{colour}">●</span>{self._beside(dot, name)}')
            dot.setToolTip(name)
            for figure, label in labels.items():
                _set_text(label, text_of(self._figures[figure], figures[figure], mean))
                _keep_room(label)
                label.setVisible(True)
        for dot, labels in self._rows[len(runs) :]:
            for each in (dot, *labels.values()):
                each.setVisible(False)

    def texts(self, row: int = 0) -> dict[str, str]:
        """What a line says."""
        return {name: label.text() for name, label in self._rows[row][1].items()}

    def _beside(self, dot: QLabel, name: str) -> str:
        """As much of the name as leaves room for the figures."""
        if not self._named:
            return ""
        room = max(NARROWEST, self.width() // (len(self._heads) // 2 + 2))
        shown = dot.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, room)
        return f"&nbsp;{html.escape(shown)}"

    def _make_row(self, row: int) -> tuple[QLabel, dict[str, QLabel]]:
        dot = QLabel()
        self._grid.addWidget(dot, row, 0)
        labels = {name: self._label(hint(self._figures[name])) for name in self._heads}
        for column, (name, label) in enumerate(labels.items(), start=1):
            label.setFont(tabular(label.font()))
            label.setAccessibleName(self._figures[name].title)
            self._grid.addWidget(label, row, column)
        return dot, labels

    def _label(self, tip: str) -> QLabel:
        label = QLabel()
        label.setToolTip(tip)
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return label


def text_of(figure: Figure, value: float | None, mean: bool) -> str:
    """A figure as the readout writes it: fall-out is small, so in percent.

    Examples
    --------
    >>> text_of(_FIGURES["fall_out"], 0.00213, True), text_of(_FIGURES["f"], None, False)
    ('0.21 %', '–')
    >>> text_of(_FIGURES["recognition_rate"], 50.0, True)
    '50.0 %'
    >>> text_of(_FIGURES["false_positives"], 3.5, True)
    '3.50'
    """
    if value is None:
        return UNDEFINED
    if figure.name == "fall_out":
        return f"{100 * value:.2f} %"
    text = written(value, figure.unit, mean=mean)
    return f"{text} %" if figure.unit == "%" else text


def _set_text(label: QLabel, text: str) -> None:
    if label.text() != text:
        label.setText(text)


def _keep_room(label: QLabel) -> None:
    """As wide as the widest text it has shown: no digit is cut off, and columns seldom move."""
    label.setMinimumWidth(max(label.minimumWidth(), label.sizeHint().width()))
