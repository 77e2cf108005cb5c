"""Inspect: look at what spotting runs found, area by area."""

from __future__ import annotations

from PySide6.QtCore import Qt

from spotlab.gui.inspect import actions
from spotlab.gui.inspect.compare import layers
from spotlab.gui.inspect.compare.comparison_layer import ComparisonLayer
from spotlab.gui.inspect.compare.navigation import ChangeNavigation
from spotlab.gui.inspect.compare.side_by_side import SideBySide
from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.dialogs import run_naming
from spotlab.gui.inspect.kept import KEPT
from spotlab.gui.inspect.navigation import ErrorNavigation
from spotlab.gui.inspect.panels.compare import ComparePanel
from spotlab.gui.inspect.panels.confusion import ConfusionPanel
from spotlab.gui.inspect.panels.errors import ErrorsPanel
from spotlab.gui.inspect.panels.figures_table import FiguresPanel
from spotlab.gui.inspect.panels.runs import RunsPanel
from spotlab.gui.inspect.panels.spot import SpotPanel
from spotlab.gui.inspect.state.comparison import Comparison
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.overlay_choice import OverlayChoice
from spotlab.gui.inspect.state.own_spotters import OwnSpotters
from spotlab.gui.inspect.state.symbol_spotting import SymbolSpotting
from spotlab.gui.inspect.tool import TOOL
from spotlab.gui.workspace.window import Window
from spotlab.gui.workspace.workspace import LayerKind, PageMenu, Panel, Workspace

_Area = Qt.DockWidgetArea
_LEFT, _RIGHT = _Area.LeftDockWidgetArea, _Area.RightDockWidgetArea
_BOTTOM = _Area.BottomDockWidgetArea
NAME = "inspect"
DRAWER, HIGHEST = 330, 0.38  # px of height below the page, and at most this share of the window's


def _navigation(window: Window) -> ErrorNavigation:
    return ErrorNavigation(window.workbench, window.canvas.show_place)


def _change_navigation(window: Window) -> ChangeNavigation:
    return ChangeNavigation(window.workbench, window.canvas.show_place)


_PANELS = (
    Panel(
        "runs",
        "Runs",
        _LEFT,
        lambda window: RunsPanel(
            window.workbench.state(Inspection), window.part(_navigation).go_to
        ),
        270,
        beside="pages",
        share=0.15,
        front=True,
        menu_title="R&uns",
        tip="The open runs and their queries",
    ),
    Panel(
        "curves",
        "Curves",
        _RIGHT,
        lambda window: CurvesPanel(
            window.workbench.state(Inspection),
            window.workbench.settings,
            window.part(_navigation).go_to,
        ),
        420,
        share=0.29,
        height=390,
        menu_title="&Curves",
        tip="Curves of precision, fall-out and F over recall; they follow every edit",
    ),
    Panel(
        "spot",
        "Spot",
        _RIGHT,
        lambda window: SpotPanel(
            window.workbench.state(Inspection), window.part(_navigation).go_to
        ),
        420,
        height=190,
        menu_title="Sp&ot",
        tip="What one spot changes in precision and recall",
    ),
    Panel(
        "figures",
        "Figures",
        _BOTTOM,
        lambda window: FiguresPanel(window.workbench.state(Inspection), window.workbench.settings),
        DRAWER,
        share=HIGHEST,
        menu_title="&Figures",
        tip="Tables of all figures, for every query and every run",
    ),
    Panel(
        "errors",
        "Errors",
        _BOTTOM,
        lambda window: ErrorsPanel(
            window.workbench.state(Inspection), window.part(_navigation).go_to
        ),
        DRAWER,
        share=HIGHEST,
        beside="figures",
        menu_title="&Errors",
        tip="All errors of the collection, the worst first",
    ),
    Panel(
        "confusion",
        "Confusion",
        _BOTTOM,
        lambda window: ConfusionPanel(
            window.workbench.state(Inspection), window.part(_navigation).go_to
        ),
        DRAWER,
        share=HIGHEST,
        beside="figures",
        menu_title="Co&nfusion",
        tip="What was taken for what: a table of queries and labels, and its cases as pictures",
    ),
    Panel(
        "compare",
        "Compare",
        _BOTTOM,
        lambda window: ComparePanel(
            window.workbench.state(Comparison),
            window.workbench.state(Inspection),
            window.part(_change_navigation).go_to,
        ),
        DRAWER,
        share=HIGHEST,
        beside="figures",
        menu_title="Co&mpare",
        tip="What changes from the current run to another one: symbols, pages, labels",
    ),
)


def _begin(window: Window) -> None:
    """Open the runs beside a collection, and ask for the names that a run lacks."""
    inspection = window.workbench.state(Inspection)

    def open_beside() -> None:
        if window.workbench.workspace == NAME:
            inspection.runs.open_beside()

    window.entered.connect(lambda _: open_beside())
    window.opened.connect(open_beside)
    inspection.runs.unfit.connect(lambda run: run_naming.offer(window, run))
    window.status.watch_when_busy(inspection.runs)
    window.part(SideBySide)
    window.status.watch_when_busy(window.workbench.state(SymbolSpotting))
    window.status.watch_when_busy(window.workbench.state(OwnSpotters))


def _page_menu(_: Window) -> PageMenu:
    steps = ("run.next_error", "run.previous_error", "run.next_rank", "run.previous_rank")
    return PageMenu((steps,))


WORKSPACE = Workspace(
    NAME,
    "Inspect",
    "eye-outline",
    "Look at what spotting runs found, area by area",
    2,
    states=(Inspection, SymbolSpotting, OwnSpotters, Comparison, OverlayChoice),
    panels=_PANELS,
    layers=(
        LayerKind("inspect", layers.current_run),
        LayerKind("inspect_second", layers.second_run),
        LayerKind("comparison", ComparisonLayer),
    ),
    tools=(TOOL,),
    menus=(actions.MENU,),
    page_menu=_page_menu,
    begin=_begin,
    shares=("pages",),
    arrangement=1,
    kept=KEPT,
)
