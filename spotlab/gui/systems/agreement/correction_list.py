"""Corrections for groups that are offered: what each does, and what would become of the ranking."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from spotlab.gui.kit.plain_text import rich
from spotlab.gui.systems.advice import KENDALL
from spotlab.report.figure_text import written
from spotlab.studies.systems.comparison import SystemComparison
from spotlab.studies.systems.method_results import MethodResult

SHOWN = 6  # systems named in a line; all are in its tooltip
NONE = (
    "No correction is offered: no systems were found to err together. Group them by a factor, "
    "if you know of one."
)
OFFERED = "Nothing is corrected unless you ask for it; what you look at is named above the figures."
LOOK, BACK = "Look at It", "Back to the Recommended Estimate"


class CorrectionList(QScrollArea):
    """One below the other."""

    wanted = Signal(str)  # the name of a correction; "" for none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.buttons: dict[str, QPushButton] = {}
        self.rankings: dict[str, QLabel] = {}

    def show_corrections(self, comparison: SystemComparison, method: str) -> None:
        """Show those of a comparison; ``method`` is the one that is looked at."""
        self.buttons, self.rankings = {}, {}
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(8, 6, 8, 8)
        column.setSpacing(3)
        note = QLabel(OFFERED if comparison.corrections else NONE)
        note.setProperty("role", "quiet")
        note.setWordWrap(True)
        column.addWidget(note)
        for each in comparison.corrections:
            self._add(column, each, comparison)
        column.addStretch()
        self.setWidget(body)
        self.show_method(method)

    def show_method(self, method: str) -> None:
        """Mark the one that is looked at."""
        for name, button in self.buttons.items():
            button.setText(BACK if name == method else LOOK)
            button.setChecked(name == method)

    def _add(
        self, column: QVBoxLayout, correction: MethodResult, comparison: SystemComparison
    ) -> None:
        head = QHBoxLayout()
        title = QLabel(rich(f"<b>{html.escape(correction.title)}</b>"))
        button = self.buttons[correction.name] = QPushButton(LOOK)
        button.setCheckable(True)
        button.setAccessibleName(f"Look at {correction.title}")
        button.clicked.connect(
            lambda on, name=correction.name: self.wanted.emit(name if on else "")
        )
        head.addWidget(title, 1)
        head.addWidget(button)
        column.addSpacing(6)
        column.addLayout(head)
        lines = ranking_of(correction, comparison)
        ranking = self.rankings[correction.name] = QLabel(_short(lines))
        ranking.setToolTip(
            rich("<p style='white-space:pre'>" + html.escape("\n".join(lines)) + "</p>")
        )
        for label, quiet in (
            (QLabel(correction.definition), False),
            (QLabel(correction.assumption), True),
            (ranking, False),
        ):
            label.setWordWrap(True)
            if quiet:
                label.setProperty("role", "quiet")
            column.addWidget(label)
        if correction.nearness and comparison.main.nearness:
            now, before = correction.nearness.kendall, comparison.main.nearness.kendall
            tau = QLabel(f"τ to the truth {written(now)}, {written(before)} uncorrected")
            tau.setToolTip(KENDALL)
            column.addWidget(tau)


def ranking_of(correction: MethodResult, comparison: SystemComparison) -> list[str]:
    """A line for each system, the best first, with the place that it comes from."""
    now, before = correction.figures.rank, comparison.main.figures.rank
    order = np.argsort(np.where(np.isnan(now), np.inf, now), kind="stable")
    return [_line(comparison.systems[at], float(now[at]), float(before[at])) for at in order]


def _line(name: str, now: float, before: float) -> str:
    if np.isnan(now):
        return f"– {name}"
    moved = "" if np.isnan(before) or now == before else f" (was {before:g})"
    return f"{now:g} {name}{moved}"


def _short(lines: Sequence[str]) -> str:
    rest = len(lines) - SHOWN
    more = f" and {rest} more" if rest > 0 else ""
    return "It would rank: " + "; ".join(lines[:SHOWN]) + more
