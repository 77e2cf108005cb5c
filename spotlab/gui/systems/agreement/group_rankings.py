"""The systems of each group, ranked by each other only (Lamiroy & Sun 2013, Fig. 4)."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from spotlab.errors import counted
from spotlab.gui.kit.table_delegate import tabular
from spotlab.gui.systems.advice import KENDALL
from spotlab.report.figure_text import UNDEFINED, written
from spotlab.studies.systems.comparison import SystemComparison
from spotlab.studies.systems.method_results import GroupComparison

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
        self.setAccessibleName("Rankings within groups")
        self.setColumnCount(len(HEADS))
        self.setHeaderLabels([title for title, _ in HEADS])
        for column, (_, tip) in enumerate(HEADS):
            self.headerItem().setToolTip(column, tip)
        self.setIndentation(12)
        self.setUniformRowHeights(True)
        self.setFont(tabular(self.font()))
        head = self.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
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
