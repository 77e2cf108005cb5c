"""Tables of systems before subjects who do not agree: which is better, how far from each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from spotlab.gui.kit.plain_text import rich
from spotlab.gui.kit.table_delegate import tabular
from spotlab.report.figure_text import UNDEFINED, written
from spotlab.studies.uncertain.study import UncertainStudy
from spotlab.studies.words.displacement import DisplacementStudy

Heads = Sequence[tuple[str, str]]
MEANS: Heads = (
    ("System", "The mean over its queries, at the cut-off at which systems are compared"),
    ("Precision", "The expected mean precision and its middle 95 %"),
    ("Recall", "The mean of the expected recalls k/|ω|; it can pass 1, as |ω| is an expectation"),
    ("Queries", "How many it answers long enough"),
)
BETWEEN: Heads = (
    ("a, b", "System a beside system b, over the queries that both answer long enough"),
    ("P(a > b)", "The probability that a's mean precision is higher; items that both return "
     "are relevant to both or to neither"),
    ("P(a < b)", "The probability that b's is higher; what lacks to 1 is that both are equal"),
    ("Difference", "a's expected mean precision less b's, and its middle 95 %"),
)  # fmt: skip
DISPLACEMENT = (
    "Weighted displacement Σ s |k − π|: how far the system's answer is from the order in which the "
    "subject would rank; smaller is better (Santini, eq. 17)"
)


class SubjectTable(QTableWidget):
    """Rows of text; the first column takes what room is left."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(26)
        self.setShowGrid(False)
        self.setFont(tabular(self.font()))
        self.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)

    def show_rows(self, heads: Heads, rows: Sequence[Sequence[str]]) -> None:
        """Show these."""
        self.setColumnCount(len(heads))
        self.setRowCount(len(rows))
        for column, (title, tip) in enumerate(heads):
            head = QTableWidgetItem(title)
            head.setToolTip(rich(f"<p>{tip}</p>"))
            left = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
            head.setTextAlignment(left | Qt.AlignmentFlag.AlignVCenter)
            self.setHorizontalHeaderItem(column, head)
            for row, values in enumerate(rows):
                cell = QTableWidgetItem(values[column])
                cell.setToolTip(values[column] if column == 0 else "")
                cell.setTextAlignment(left | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(row, column, cell)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        if heads:
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)


def mean_rows(study: UncertainStudy) -> list[tuple[str, ...]]:
    """Each system's mean precision and recall."""
    rows: list[tuple[str, ...]] = []
    for each in study.means:
        precision = UNDEFINED
        if each.precision is not None:
            precision = f"{written(each.precision.mean)} {_interval(each.precision.band(0.95))}"
        rows.append((each.system, precision, written(each.recall), f"{each.queries:,}"))
    return rows


def between_rows(study: UncertainStudy) -> list[tuple[str, ...]]:
    """Each two systems."""
    rows: list[tuple[str, ...]] = []
    for each in study.comparisons:
        name, found = f"{each.a}, {each.b}", each.comparison
        if found is None:
            rows.append((name, UNDEFINED, UNDEFINED, UNDEFINED))
            continue
        difference = f"{_signed(found.mean)} {_interval(found.interval)}"
        rows.append((name, written(found.superiority), written(found.inferiority), difference))
    return rows


def displacement_rows(study: DisplacementStudy) -> tuple[Heads, list[tuple[str, ...]]]:
    """The mean of each system, then a row for each subject; the best system first."""
    heads = [("Subject", DISPLACEMENT)]
    heads += [
        (each.system, f"{DISPLACEMENT}. Mean quality {written(each.quality)}")
        for each in study.systems
    ]
    own = [
        {each.subject: each.displacement for each in system.subjects} for system in study.systems
    ]
    subjects = dict.fromkeys(name for each in own for name in each)
    rows: list[tuple[str, ...]] = [
        ("mean", *(_displaced(system.displacement) for system in study.systems))
    ]
    rows += [(name, *(_displaced(each.get(name)) for each in own)) for name in subjects]
    return heads, rows


def _displaced(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:,.2f}"


def _interval(ends: tuple[float, float]) -> str:
    return f"[{_signed(ends[0])}, {_signed(ends[1])}]"


def _signed(value: float) -> str:
    return f"−{written(-value)}" if value < 0 else written(value)
