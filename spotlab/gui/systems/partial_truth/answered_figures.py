"""Precision, recall and F of all systems from the answers so far, with their intervals."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from spotlab.consensus.comparison import SystemFigures
from spotlab.consensus.estimates import Estimates
from spotlab.gui.systems.partial_truth.interval_delegate import INTERVAL, LINE, IntervalDelegate
from spotlab.report.figure_text import written

SYSTEM = Qt.ItemDataRole.UserRole
HEADS = (
    ("System", "The best F first"),
    ("Precision", "What share of the items that it votes for is relevant"),
    ("Recall", "For what share of the relevant items it votes"),
    ("F", "Harmonic mean of precision and recall"),
)
FIGURES = ("precision", "recall", "f")


class AnsweredFigures(QTableWidget):
    """A row for each system."""

    chosen = Signal(int)  # a system

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, len(HEADS), parent)
        self.setAccessibleName("Figures from the answers")
        for column, (title, tip) in enumerate(HEADS):
            head = QTableWidgetItem(title)
            head.setToolTip(f"{tip}. The bar is the interval of 95 %, the line the truth")
            if column == 0:
                head.setToolTip(tip)
            self.setHorizontalHeaderItem(column, head)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(LINE)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys answer
        self._delegate = IntervalDelegate(self)
        for column in range(1, len(HEADS)):
            self.setItemDelegateForColumn(column, self._delegate)
        self.cellClicked.connect(self._choose)

    def show_estimates(
        self, names: tuple[str, ...], found: Estimates, truth: SystemFigures | None
    ) -> None:
        """Show these, the best first."""
        self.setRowCount(len(names))
        order = np.argsort(-np.nan_to_num(found.f, nan=-1.0), kind="stable")
        for row, system in enumerate(order.tolist()):
            name = QTableWidgetItem(names[system])
            name.setData(SYSTEM, system)
            name.setToolTip(names[system])
            self.setItem(row, 0, name)
            for column, figure in enumerate(FIGURES, 1):
                value = float(getattr(found, figure)[system])
                low, high = getattr(found, f"{figure}_interval")[system].tolist()
                real = float("nan") if truth is None else float(getattr(truth, figure)[system])
                cell = QTableWidgetItem()
                cell.setData(INTERVAL, (value, low, high, real))
                known = "" if truth is None else f", with truth {written(real)}"
                cell.setToolTip(f"{written(value)} [{written(low)}, {written(high)}]{known}")
                self.setItem(row, column, cell)

    def show_chosen(self, system: int | None) -> None:
        """Select the system's row."""
        self.clearSelection()
        for row in range(self.rowCount()):
            cell = self.item(row, 0)
            if cell is not None and cell.data(SYSTEM) == system:
                self.selectRow(row)

    def _choose(self, row: int, _: int) -> None:
        cell = self.item(row, 0)
        if cell is not None:
            self.chosen.emit(cell.data(SYSTEM))
