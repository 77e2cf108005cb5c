"""The purge threshold as a slider and a number, and thresholds that a list suggests."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QHBoxLayout,
    QMenu,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spotlab.gui.kit.flow import Flow
from spotlab.gui.kit.plots.cut_slider import STEPS, score_digits, score_steps, step_of_score
from spotlab.measures.tally import Floats
from spotlab.ranking.purge import Suggestion
from spotlab.report.figure_text import written

SHORT = {"largest_drop": "drop"}  # there is little room
NAME = 36  # px, of a list's name
NARROW = "padding: 3px 2px"
TIP = (
    "<p><b>Purge threshold</b></p><p>Every list keeps the items with score ≥ threshold; the "
    "others are purged. Each step of the slider to the right keeps about the same number of "
    "additional items; at the right end all items are kept.</p>"
)


class ThresholdBar(QWidget):
    """Says where the threshold is and asks for another; it keeps none of its own."""

    threshold_wanted = Signal(float)
    list_wanted = Signal(str)  # whose suggestions are looked at

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps: Floats = np.zeros(0)
        self._following = False
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(STEPS // 20)
        self.slider.setAccessibleName("Purge threshold")
        self.slider.setToolTip(TIP)
        self.slider.valueChanged.connect(self._slid)
        self.field = QDoubleSpinBox()
        self.field.setKeyboardTracking(False)
        self.field.setAccessibleName("Purge threshold as a number")
        self.field.setToolTip(TIP)
        self.field.setMinimumWidth(86)
        self.field.valueChanged.connect(self._typed)
        self.of = QToolButton()
        self.of.setStyleSheet(NARROW)
        self.of.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.of)
        self.of.setMenu(self.menu)
        self._buttons: list[QToolButton] = []
        self._lay_out()

    def show_scores(self, scores: Floats, threshold: float) -> None:
        """Let the slider go over these scores, of all lists together."""
        self._steps = score_steps(scores)
        self.setEnabled(bool(len(self._steps)))
        if len(self._steps):
            low, high = float(self._steps[-1]), float(self._steps[0])
            self._following = True
            self.field.setDecimals(min(4, score_digits(low, high)))
            self.field.setSingleStep(max((high - low) / 100, 10.0 ** -self.field.decimals()))
            self._following = False
        self.follow(threshold)

    def follow(self, threshold: float) -> None:
        """Show the threshold; one beyond the scores is shown as it is."""
        if not len(self._steps):
            return
        self._following = True
        low, high = float(self._steps[-1]), float(self._steps[0])
        self.field.setRange(min(low, threshold), max(high, threshold))
        self.field.setValue(threshold)
        self.slider.setValue(step_of_score(self._steps, threshold))
        self._following = False

    def show_lists(self, names: Sequence[tuple[str, str]], chosen: str) -> None:
        """Offer the suggestions of these lists, (name, title), where there are several."""
        titles = dict(names)
        self.of.setVisible(len(titles) > 1)
        title, side = titles.get(chosen, ""), Qt.TextElideMode.ElideRight
        self.of.setText(f"{self.of.fontMetrics().elidedText(title, side, NAME)}▾")
        self.of.setToolTip(f"Suggested thresholds of “{title}”. Click to choose another list.")
        self.menu.clear()
        for name, title in names:
            action = self.menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(name == chosen)
            action.triggered.connect(partial(self.list_wanted.emit, name))

    def show_suggestions(self, suggestions: Sequence[Suggestion], title: str) -> None:
        """A button each; one that has no threshold says why."""
        while len(self._buttons) < len(suggestions):
            self._buttons.append(self._make_button())
        for button, suggestion in zip(self._buttons, suggestions, strict=False):
            threshold = suggestion.threshold
            title_here = SHORT.get(suggestion.name, suggestion.title)
            button.setText(f"{title_here} {written(threshold)}")
            button.setEnabled(threshold is not None)
            button.setToolTip(suggestion_tip(suggestion, title))
            button.setProperty("threshold", threshold)
        for number, button in enumerate(self._buttons):
            button.setVisible(number < len(suggestions))

    def buttons(self) -> list[QToolButton]:
        """Those of the suggestions, in their order."""
        return [button for button in self._buttons if not button.isHidden()]

    def _slid(self, step: int) -> None:
        if not self._following and len(self._steps):
            self.threshold_wanted.emit(float(self._steps[step]))

    def _typed(self, value: float) -> None:
        if not self._following:
            self.threshold_wanted.emit(value)

    def _make_button(self) -> QToolButton:
        button = QToolButton()
        button.setStyleSheet(NARROW)
        button.clicked.connect(
            lambda: self.threshold_wanted.emit(float(button.property("threshold")))
        )
        self._row.addWidget(button)
        return button

    def _lay_out(self) -> None:
        upper = QHBoxLayout()
        upper.setSpacing(8)
        upper.addWidget(self.slider, 1)
        upper.addWidget(self.field)
        self._row = Flow(2, 0)
        self._row.addWidget(self.of)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 8, 2)
        column.setSpacing(2)
        column.addLayout(upper)
        column.addLayout(self._row)


def suggestion_tip(suggestion: Suggestion, title: str) -> str:
    """Why a list is better cut there, or why nothing is suggested."""
    value = "" if suggestion.threshold is None else f" {suggestion.threshold:.4g}"
    reason = html.escape(suggestion.reason)
    return (
        f"<p><b>{html.escape(title)}: {html.escape(suggestion.title)}{value}</b></p><p>{reason}</p>"
    )
