"""Annotate: draw the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from spotlab.gui.annotate.panels.findings import FindingsPanel
from spotlab.gui.annotate.panels.history import HistoryPanel
from spotlab.gui.annotate.panels.labels import LabelsPanel
from spotlab.gui.annotate.panels.properties import PropertiesPanel
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.workspace.workspace import Panel, Workspace

if TYPE_CHECKING:
    from spotlab.gui.window.main_window import MainWindow

_Area = Qt.DockWidgetArea


def _panels(window: MainWindow) -> list[Panel]:
    workbench, canvas = window.workbench, window.canvas
    left, right, bottom = (
        _Area.LeftDockWidgetArea,
        _Area.RightDockWidgetArea,
        _Area.BottomDockWidgetArea,
    )
    findings = FindingsPanel(workbench, window.validate, canvas.show_selected)
    return [
        Panel("pages", "Pages", left, PagesPanel(workbench), 250),
        Panel("labels", "Labels", right, LabelsPanel(workbench), 260),
        Panel("properties", "Region", right, PropertiesPanel(workbench), 260),
        Panel("history", "Steps", right, HistoryPanel(workbench), 260, shown=False),
        Panel("findings", "Findings", bottom, findings, 200, shown=False),
    ]


WORKSPACE = Workspace(
    "annotate",
    "Annotate",
    "shape-polygon-plus",
    "Draw the truth of your pages",
    1,
    _panels,
    offers=("curves",),
)
