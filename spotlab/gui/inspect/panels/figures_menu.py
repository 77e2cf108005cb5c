"""What can be done with a table of figures: copied, exported, with other columns and intervals."""

from __future__ import annotations

from functools import partial
from typing import get_args

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from spotlab.gui.inspect.panels.figure_columns import FigureColumns
from spotlab.gui.inspect.panels.table_export import TableExport
from spotlab.gui.inspect.state.uncertainty import Over, Uncertainty
from spotlab.gui.kit.plots import export as export_figures


class FiguresMenu(QMenu):
    """The menu of the figures' panel."""

    def __init__(
        self,
        export: TableExport,
        columns: FigureColumns,
        uncertainty: Uncertainty,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.addAction("Copy", export.copy)
        for kind in export_figures.FORMATS:
            action = self.addAction(f"Export {kind.title}…")
            action.triggered.connect(partial(export.ask, kind))
        self.addSeparator()
        self.addMenu(columns.menu)
        drawn = self.addMenu("Intervals over")
        offers: dict[Over, QAction] = {}
        for over in get_args(Over):
            action = drawn.addAction(over.capitalize())
            action.setCheckable(True)
            offers[over] = action
            action.triggered.connect(lambda _=False, over=over: uncertainty.draw_over(over))

        def check() -> None:
            for over, action in offers.items():
                action.setChecked(over == uncertainty.over)

        drawn.aboutToShow.connect(check)
