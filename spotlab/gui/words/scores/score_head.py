"""The line over the score plot: what was searched, the cut as a number, what can be saved."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from spotlab.gui.kit import icons
from spotlab.gui.kit.elided import Elided
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.kit.plots.cut_slider import score_digits
from spotlab.gui.kit.plots.save_dialog import ask_picture
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.scores.score_plot import ScorePlot
from spotlab.gui.words.scores.threshold_scale import CUT
from spotlab.gui.words.scores.threshold_steps import ThresholdSteps

Table = Callable[[], list[list[object]]]


class ScoreHead(QWidget):
    """Names the query, takes a threshold that is typed, and has the plot's menu."""

    threshold_wanted = Signal(float)

    def __init__(self, workbench: Workbench, plot: ScorePlot, table: Table) -> None:
        super().__init__()
        self._workbench, self._plot, self._table = workbench, plot, table
        self._following = False
        self.title = Elided()
        self.title.setProperty("role", "heading")
        self.field = QDoubleSpinBox()
        self.field.setKeyboardTracking(False)
        self.field.setAccessibleName("Purge threshold as a number")
        self.field.setToolTip(CUT)
        self.field.setMinimumWidth(86)
        self.field.valueChanged.connect(self._typed)
        self.more = QToolButton()
        self.more.setToolTip("Save the plot, or the figures at the threshold")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = self._make_menu()
        self.more.setMenu(self.menu)
        self._lay_out()
        icons.repainted.changed.connect(self._paint_icons)
        self._paint_icons()

    def show_scores(self, steps: ThresholdSteps) -> None:
        """Let thresholds be typed that tell these scores apart."""
        self.field.setEnabled(len(steps) > 0)
        if len(steps):
            self._following = True
            span = steps.highest - steps.lowest
            self.field.setDecimals(min(4, score_digits(steps.lowest, steps.highest)))
            self.field.setSingleStep(max(span / 100, 10.0 ** -self.field.decimals()))
            self.field.setRange(steps.lowest - span - 1, steps.highest + span + 1)
            self._following = False

    def show_threshold(self, threshold: float) -> None:
        """Say where the threshold is."""
        self._following = True
        self.field.setMinimum(min(self.field.minimum(), threshold))
        self.field.setMaximum(max(self.field.maximum(), threshold))
        self.field.setValue(threshold)
        self._following = False

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

    def _typed(self, value: float) -> None:
        if not self._following and np.isfinite(value):
            self.threshold_wanted.emit(value)

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction("Show All of the Plot", self._plot.show_all)
        menu.addSeparator()
        action = menu.addAction("Save Score Plot…")
        action.triggered.connect(lambda _: self.save_picture())
        menu.addAction("Save What the Threshold Leaves as CSV…", self.save_table)
        return menu

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 2)
        row.addWidget(self.title, 1)
        name = QLabel("Cut")
        name.setToolTip(CUT)
        row.addWidget(name)
        row.addWidget(self.field)
        row.addWidget(self.more)

    def _paint_icons(self) -> None:
        self.more.setIcon(icons.icon("dots-horizontal"))


def _csv(rows: list[list[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)  # None is written as nothing
    return text.getvalue()
