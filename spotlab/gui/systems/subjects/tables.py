"""Tables of subjects: an item's categories; means, comparisons and displacements of systems."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.curve_items import mixed
from spotlab.gui.kit.table_view import tabular
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import set_up_table, set_up_tree
from spotlab.report.figure_text import UNDEFINED, written
from spotlab.studies.uncertain.study import CategoryRelevance, UncertainStudy
from spotlab.studies.words.displacement import DisplacementStudy

Index = QModelIndex | QPersistentModelIndex
SHARES = Qt.ItemDataRole.UserRole + 1  # p(ω|q), and the share assigned to just this category
HEADS = (
    ("Category", "Each belongs to all above it too"),
    ("p(ω|q)", "The share of the item's subjects that assigned it to this category or to one below "
     "it; the strong part to just this one. The root has 1"),
    ("|ω|", "How many items the category is expected to have: the sum of all items' shares"),
)  # fmt: skip
PALE = 0.45
WIDTH = 150


class CategoryTreeView(QTreeWidget):
    """Made anew for another tree, and filled in for another item."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_tree(self, "Categories", HEADS)
        self.setIndentation(14)
        self._delegate = _ShareDelegate(self)
        self.setItemDelegateForColumn(1, self._delegate)
        self.relevance: CategoryRelevance | None = None
        self.rows: list[QTreeWidgetItem] = []

    def show_tree(self, relevance: CategoryRelevance) -> None:
        """Make a row for each category."""
        if relevance is self.relevance:
            return
        self.relevance = relevance
        self.clear()
        self.rows = []
        tree = relevance.judgements.tree
        for at, name in enumerate(tree.categories):
            above = int(tree.parent[at])
            row = QTreeWidgetItem(self) if above < 0 else QTreeWidgetItem(self.rows[above])
            row.setText(0, name)
            row.setText(2, f"{relevance.size[at]:,.1f}")
            row.setTextAlignment(2, Qt.AlignmentFlag.AlignRight)
            row.setFont(2, tabular(self.font()))
            self.rows.append(row)
        self.expandAll()

    def show_item(self, item: str | None) -> None:
        """Fill in what the subjects say of an item."""
        relevance = self.relevance
        if relevance is None:
            return
        judgements = relevance.judgements
        at = judgements.number.get(item) if item is not None else None
        nothing = np.full(len(self.rows), np.nan)
        shares = nothing if at is None else relevance.probability[at]
        direct = nothing if at is None else relevance.direct[at]
        for row, share, own in zip(self.rows, shares.tolist(), direct.tolist(), strict=True):
            row.setData(1, SHARES, (share, own))
            said = UNDEFINED if math.isnan(own) else f"{written(own)} assigned it to just this"
            row.setToolTip(1, f"{written(share)}; {said}")


class _ShareDelegate(QStyledItemDelegate):
    """A bar from 0 to 1 and its number."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        share, own = index.data(SHARES) or (math.nan, math.nan)
        palette: QPalette = option.palette
        colours = theme.colours(palette)
        painter.save()
        painter.setFont(tabular(option.font))
        text = palette.color(QPalette.ColorRole.Text)
        painter.setPen(theme.quiet(palette) if math.isnan(share) or share == 0 else text)
        place = option.rect.adjusted(6, 0, -6, 0)
        width = painter.fontMetrics().horizontalAdvance("1.000") + 8
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, written(round(share, 3)))
        bar = QRectF(place.left() + width, place.center().y() - 4, place.width() - width, 9)
        painter.fillRect(bar, QColor(mixed(colours.line, colours.base, 0.6)))
        if not math.isnan(share):
            whole, just = QRectF(bar), QRectF(bar)
            whole.setWidth(bar.width() * share)
            just.setWidth(bar.width() * own)
            painter.fillRect(whole, QColor(mixed(colours.accent, colours.base, PALE)))
            painter.fillRect(just, QColor(colours.accent))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(WIDTH, 26)


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
        set_up_table(self, name, 26)
        self.setFont(tabular(self.font()))

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
        difference = f"{written(found.mean)} {_interval(found.interval)}"
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
        ("mean", *(_displaced(system.displacement) for system in study.systems)),
        ("quality", *(written(system.quality) for system in study.systems)),
    ]
    rows += [(name, *(_displaced(each.get(name)) for each in own)) for name in subjects]
    return heads, rows


def _displaced(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:,.2f}"


def _interval(ends: tuple[float, float]) -> str:
    return f"[{written(ends[0])}, {written(ends[1])}]"
