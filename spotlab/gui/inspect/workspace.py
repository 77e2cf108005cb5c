"""Inspect: look at what spotting runs found, area by area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.panels.errors import ErrorsPanel
from spotlab.gui.inspect.panels.figures_table import FiguresPanel
from spotlab.gui.inspect.panels.runs import RunsPanel
from spotlab.gui.inspect.panels.spot import SpotPanel
from spotlab.gui.workspace.workspace import Panel, Workspace

if TYPE_CHECKING:
    from spotlab.gui.window.main_window import MainWindow

_Area = Qt.DockWidgetArea


def _panels(window: MainWindow) -> list[Panel]:
    workbench = window.workbench
    left, right, bottom = (
        _Area.LeftDockWidgetArea,
        _Area.RightDockWidgetArea,
        _Area.BottomDockWidgetArea,
    )
    errors = ErrorsPanel(workbench, window.canvas.show_place)
    return [
        Panel("runs", "Runs", left, RunsPanel(workbench), 280),
        Panel("curves", "Curves", right, CurvesPanel(workbench, window.canvas.show_place), 400),
        Panel("spot", "Spot", right, SpotPanel(workbench, window.canvas.show_place), 400),
        Panel("figures", "Figures", bottom, FiguresPanel(workbench), 220),
        Panel("errors", "Errors", bottom, errors, 220, beside="figures"),
    ]


WORKSPACE = Workspace(
    "inspect",
    "Inspect",
    "eye-outline",
    "Look at what spotting runs found, area by area",
    2,
    _panels,
    shares=("pages",),
)
