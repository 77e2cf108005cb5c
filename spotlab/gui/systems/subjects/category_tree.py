"""The tree of categories with an item's share in each: p(ω|q) as bars."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from spotlab.gui.kit import theme
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.kit.plots.shades import mixed
from spotlab.gui.kit.table_delegate import tabular
from spotlab.report.figure_text import UNDEFINED, written
from spotlab.studies.uncertain.study import CategoryRelevance

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
        self.setAccessibleName("Categories")
        self.setColumnCount(len(HEADS))
        self.setHeaderLabels([title for title, _ in HEADS])
        for column, (_, tip) in enumerate(HEADS):
            self.headerItem().setToolTip(column, rich(f"<p>{tip}</p>"))
        self.setIndentation(14)
        self.setUniformRowHeights(True)
        self._delegate = _ShareDelegate(self)
        self.setItemDelegateForColumn(1, self._delegate)
        head = self.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
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
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, written(share))
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
