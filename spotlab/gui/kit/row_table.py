"""A table of rows to choose from: one line each, one of them selected."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from spotlab.gui.kit.table_delegate import tabular

ROW = 25  # px


def row_table(
    model: QAbstractItemModel, name: str, widths: Sequence[int], parent: QWidget
) -> QTableView:
    """A table of the model's rows with columns of these widths in px.

    ``name`` is what screen readers say.
    """
    table = QTableView(parent)
    table.setModel(model)
    table.setAccessibleName(name)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setFrameShape(QTableView.Shape.NoFrame)
    table.setFont(tabular(table.font()))
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.verticalHeader().setDefaultSectionSize(ROW)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    for column, width in enumerate(widths):
        header.resizeSection(column, width)
    return table
