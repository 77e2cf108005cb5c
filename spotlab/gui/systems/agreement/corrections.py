"""Corrections that are offered for groups, and rankings of the systems of each group."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spotlab.errors import counted
from spotlab.gui.kit.table_view import tabular
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import in_column, set_up_tree
from spotlab.gui.systems.state import KENDALL
from spotlab.report.figure_text import UNDEFINED, written
from spotlab.studies.systems.comparison import SystemComparison
from spotlab.studies.systems.method_results import GroupComparison, MethodResult

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
        note = QLabel(OFFERED if comparison.corrections else NONE)
        note.setProperty("role", "quiet")
        note.setWordWrap(True)
        column = in_column(note, of=body, margins=(8, 6, 8, 8), spacing=3)
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


SYSTEM = Qt.ItemDataRole.UserRole
HEADS = (
    ("System", "Systems of a group stand together, the best first"),
    ("Rank", "By F within its group, judged by that group, ⊤ and ⊥ alone (Fig. 4)"),
    ("F", "Without truth, judged by its group alone"),
    ("True", "Rank within its group by F with truth"),
    ("True F", "With truth"),
)


class GroupRankings(QTreeWidget):
    """A head for each group, its systems below."""

    chosen = Signal(int)  # a system

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_tree(self, "Rankings within groups", HEADS)
        self.setIndentation(12)
        self.setFont(tabular(self.font()))
        self._rows: dict[int | None, QTreeWidgetItem] = {}
        self.currentItemChanged.connect(self._choose)

    def show_groups(self, comparison: SystemComparison, colours: dict[str, str]) -> None:
        """Show how the systems of each group compare among themselves."""
        self.blockSignals(True)
        self.clear()
        self._rows = {}
        known = comparison.truth is not None
        for column in (3, 4):
            self.setColumnHidden(column, not known)
        for group in comparison.grouped:
            self._add(group, comparison.systems, colours)
        self.expandAll()
        self.blockSignals(False)

    def show_chosen(self, system: int | None) -> None:
        """Select the system's row."""
        self.blockSignals(True)
        self.setCurrentItem(self._rows.get(system))  # type: ignore[arg-type] # None selects none
        self.blockSignals(False)

    def _add(self, group: GroupComparison, names: tuple[str, ...], colours: dict[str, str]) -> None:
        near = group.result.nearness
        tau = f", τ to the truth {written(near.kendall)}" if near and len(group.systems) > 1 else ""
        size = len(group.systems)
        count = counted(size, "system")
        head = QTreeWidgetItem(self, [f"{group.name}: {count}{tau}"])
        head.setFirstColumnSpanned(True)
        if tau:
            head.setToolTip(0, KENDALL)
        head.setFlags(Qt.ItemFlag.ItemIsEnabled)
        if group.name in colours:
            head.setForeground(0, QColor(colours[group.name]))
        figures, truth = group.result.figures, group.truth
        for place in np.argsort(-np.nan_to_num(figures.f, nan=-1.0), kind="stable"):
            system = int(group.systems[place])
            values = [
                names[system], _rank(figures.rank[place]), written(float(figures.f[place])),
            ]  # fmt: skip
            if truth is not None:
                values += [_rank(truth.rank[place]), written(float(truth.f[place]))]
            row = QTreeWidgetItem(head, values)
            row.setData(0, SYSTEM, system)
            self._rows[system] = row
            row.setToolTip(0, names[system])
            for column in range(1, len(HEADS)):
                row.setTextAlignment(column, Qt.AlignmentFlag.AlignRight)

    def _choose(self, row: QTreeWidgetItem | None, _: object) -> None:
        system = row.data(0, SYSTEM) if row is not None else None
        if system is not None:
            self.chosen.emit(system)


def _rank(rank: float) -> str:
    return UNDEFINED if np.isnan(rank) else f"{rank:g}"
