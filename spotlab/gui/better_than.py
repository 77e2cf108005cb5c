"""Which of two systems is better, how sure that is, and what this stands on."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from spotlab.gui.flow import Flow, give_way
from spotlab.gui.systems import Systems
from spotlab.report.figure_text import written

USUAL = "By Lamiroy & Sun's weights. "
NOT_SAID = "not said"


class BetterThan(QWidget):
    """P(one system is better than another); the first follows the chosen one."""

    def __init__(self, systems: Systems, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.systems = systems
        self._names: tuple[str, ...] = ()
        self.first, self.second = QComboBox(), QComboBox()
        self.probability, self.caption = QLabel(), QLabel()
        self._lay_out()
        for combo in (self.first, self.second):
            combo.currentIndexChanged.connect(lambda _: self.refresh())
        systems.table_changed.connect(self._rebuild)
        systems.comparison_changed.connect(self.refresh)
        systems.chosen_changed.connect(self._follow_system)
        self._rebuild()

    def refresh(self) -> None:
        """Say it of the two that are named; nothing while it is not known."""
        comparison = self.systems.comparison
        found = comparison.intervals if comparison else None
        self.setVisible(len(self._names) > 1 and found is not None)
        if found is None:
            return
        one, other = self.first.currentIndex(), self.second.currentIndex()
        value = math.nan if one == other else float(found.better[one, other])
        self.probability.setText(f"<b>{NOT_SAID if math.isnan(value) else written(value)}</b>")
        self.caption.setText(USUAL + found.assumption)

    def _rebuild(self) -> None:
        names = self.systems.names
        if names != self._names:
            self._names = names
            for combo in (self.first, self.second):
                combo.blockSignals(True)
                combo.clear()
                combo.addItems(list(names))
                combo.blockSignals(False)
            self.second.setCurrentIndex(min(1, len(names) - 1))
        self.refresh()

    def _follow_system(self) -> None:
        system = self.systems.system
        if system is not None and system != self.first.currentIndex():
            if system == self.second.currentIndex():
                self.second.setCurrentIndex(self.first.currentIndex())
            self.first.setCurrentIndex(system)

    def _lay_out(self) -> None:
        for combo, name in ((self.first, "First system"), (self.second, "Second system")):
            combo.setAccessibleName(name)
            give_way(combo)
        self.caption.setWordWrap(True)
        self.caption.setProperty("role", "quiet")
        line = Flow(4)
        parts = (
            QLabel("P("), self.first, QLabel("better than"), self.second, QLabel(") ="),
            self.probability,
        )  # fmt: skip
        for widget in parts:
            line.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 4, 12, 6)
        column.setSpacing(4)
        column.addLayout(line)
        column.addWidget(self.caption)
