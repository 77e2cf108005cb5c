"""A slider that ends all lists at a rank or a score, and says how many spots are left."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spotlab.gui.inspection import Cut, Inspection
from spotlab.gui.panels.figure_delegate import tabular
from spotlab.gui.plots.cutting import (
    STEPS,
    rank_keeping,
    score_digits,
    score_keeping,
    score_steps,
    step_of_score,
)
from spotlab.measures.tally import Floats, Ints, Tally

PAGES = 20  # how many times Page Down goes from one end to the other


class CutBar(QWidget):
    """Bound both ways to the inspection's cut: the right end keeps everything."""

    def __init__(self, inspection: Inspection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inspection = inspection
        self._following = False
        self._steps_of: tuple[Tally, str | None, Floats] | None = None
        self.by_rank = self._chip("Rank", "Each query keeps its first spots, up to a rank")
        self.by_score = self._chip("Score", "Each query keeps its spots down to a score")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Cut")
        self.slider.valueChanged.connect(self._slid)
        self.field = QDoubleSpinBox()
        self.field.setKeyboardTracking(False)
        self.field.setAccessibleName("Rank or score of the cut")
        self.field.setMinimumWidth(86)
        self.field.valueChanged.connect(self._typed)
        self.kept = QLabel()
        self.kept.setProperty("role", "quiet")
        self.kept.setFont(tabular(self.kept.font()))
        self._lay_out()

    def follow(self) -> None:
        """Show the inspection's cut, query and run."""
        tally = self._tally()
        self.setEnabled(tally is not None)
        if tally is None:
            self.kept.setText("")
            self._steps_of = None  # hold nothing of a run that is closed
            return
        self._following = True
        steps = self._steps(tally)
        self.by_score.setEnabled(bool(len(steps)))
        by_score = self.inspection.cut.by == "score"
        (self.by_score if by_score else self.by_rank).setChecked(True)
        if by_score:
            self._show_score(steps)
        else:
            self._show_rank(int(self._lengths(tally).max(initial=0)))
        self.kept.setText(self._kept_text(tally))
        self._following = False

    def _tally(self) -> Tally | None:
        current = self.inspection.current
        return current.tally if current else None

    def _number(self, tally: Tally) -> int | None:
        """The chosen query's place."""
        query = self.inspection.query
        return tally.queries.index(query) if query in tally.queries else None

    def _lengths(self, tally: Tally) -> Ints:
        """Of the lists that are looked at."""
        lengths, number = tally.starts[1:] - tally.starts[:-1], self._number(tally)
        return lengths if number is None else lengths[number : number + 1]

    def _scores(self, tally: Tally) -> Floats:
        number = self._number(tally)
        if number is None:
            return tally.score
        return tally.score[tally.starts[number] : tally.starts[number + 1]]

    def _steps(self, tally: Tally) -> Floats:
        query = self.inspection.query
        if self._steps_of is None or self._steps_of[:2] != (tally, query):
            self._steps_of = tally, query, score_steps(self._scores(tally))
        return self._steps_of[2]

    def _show_rank(self, longest: int) -> None:
        value = self.inspection.cut.value
        rank = longest if value is None else min(int(value), longest)
        self._set_ranges(longest, 0, longest, 0)
        self.slider.setValue(rank)
        self.field.setValue(rank)

    def _show_score(self, steps: Floats) -> None:
        if not len(steps):
            return
        value = self.inspection.cut.value
        low, high = float(steps[-1]), float(steps[0])
        self._set_ranges(STEPS, low, high, score_digits(low, high))
        self.slider.setValue(STEPS if value is None else step_of_score(steps, value))
        self.field.setValue(low if value is None else value)

    def _set_ranges(self, last: int, low: float, high: float, digits: int) -> None:
        self.slider.setRange(0, last)
        self.slider.setPageStep(max(1, last // PAGES))
        self.field.setDecimals(digits)
        self.field.setSingleStep(max((high - low) / 100, 10.0**-digits) if digits else 1)
        self.field.setRange(low, high)

    def _kept_text(self, tally: Tally) -> str:
        counts, number = self.inspection.counts, self._number(tally)
        if number is None:
            return f"keeps {int(counts.sum()):,} of {len(tally):,} spots"
        start, count = int(tally.starts[number]), int(counts[number])
        text = f"keeps {count:,} of {int(tally.starts[number + 1]) - start:,} spots"
        score = float(tally.score[start + count - 1]) if count else math.nan
        return text if math.isnan(score) else f"{text}, down to score {score:.4g}"

    def _slid(self, step: int) -> None:
        tally = self._tally()
        if self._following or tally is None:
            return
        if step == self.slider.maximum():
            self._cut(None)
        elif self.by_score.isChecked():
            self._cut(float(self._steps(tally)[step]))
        else:
            self._cut(step)

    def _typed(self, value: float) -> None:
        if self._following:
            return
        everything = (
            value <= self.field.minimum()
            if self.by_score.isChecked()
            else value >= self.field.maximum()
        )
        self._cut(None if everything else value)

    def _switched(self) -> None:
        """Keep about as many spots as before."""
        tally = self._tally()
        if tally is None:
            return
        kept = int(self.inspection.counts.sum())
        if self.by_score.isChecked():
            self.inspection.set_cut(Cut("score", score_keeping(tally.score, kept)))
        else:
            lengths = tally.starts[1:] - tally.starts[:-1]
            self.inspection.set_cut(Cut("rank", rank_keeping(lengths, kept)))

    def _cut(self, value: float | None) -> None:
        self.inspection.set_cut(Cut("score" if self.by_score.isChecked() else "rank", value))

    def _chip(self, text: str, tip: str) -> QToolButton:
        chip = QToolButton()
        chip.setText(text)
        chip.setToolTip(tip)
        chip.setCheckable(True)
        return chip

    def _lay_out(self) -> None:
        self.switch = QButtonGroup(self)
        row = QHBoxLayout()
        row.setSpacing(2)
        for chip in (self.by_rank, self.by_score):
            self.switch.addButton(chip)
            row.addWidget(chip)
        self.switch.buttonClicked.connect(lambda _: self._switched())
        row.addSpacing(6)
        row.addWidget(self.slider, 1)
        row.addSpacing(6)
        row.addWidget(self.field)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 12, 2)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.kept)
        self.kept.setContentsMargins(4, 0, 0, 0)
