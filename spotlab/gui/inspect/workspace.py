"""Inspect: look at what spotting runs found, area by area."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spotlab.gui.canvas.tool import ToolKind
from spotlab.gui.inspect import actions
from spotlab.gui.workspace import LayerKind, OtherFiles, PageMenu, Panel, Window, Workspace
from spotlab.libraries import late_imports
from spotlab.progress import Progress

with late_imports(__name__):
    from spotlab.gui.inspect import kept, tool
    from spotlab.gui.inspect.compare import comparison_layer, side_by_side
    from spotlab.gui.inspect.compare import side_by_side as change_navigation
    from spotlab.gui.inspect.curves import curves
    from spotlab.gui.inspect.dialogs import run_dialogs, run_settings
    from spotlab.gui.inspect.panels import compare, confusion, errors, figures_table, runs, spot
    from spotlab.gui.inspect.state import comparison, inspection, spotting
    from spotlab.gui.inspect.state import inspection as overlay_choice


_Area = Qt.DockWidgetArea
_LEFT, _RIGHT = _Area.LeftDockWidgetArea, _Area.RightDockWidgetArea
_BOTTOM = _Area.BottomDockWidgetArea
NAME = "inspect"
DRAWER, HIGHEST = 330, 0.38  # px of height below the page, and at most this share of the window's


def _navigation(window: Window) -> tool.ErrorNavigation:
    return tool.ErrorNavigation(window.workbench, window.canvas.show_place)


def _change_navigation(window: Window) -> change_navigation.ChangeNavigation:
    return change_navigation.ChangeNavigation(window.workbench, window.canvas.show_place)


def _curves(window: Window) -> QWidget:
    workbench = window.workbench
    inspected, settings = workbench.state(inspection.Inspection), workbench.settings
    return curves.CurvesPanel(inspected, settings, window.part(_navigation).go_to)


_PANELS = (
    Panel(
        "runs",
        "Runs",
        _LEFT,
        lambda window: runs.RunsPanel(
            window.workbench.state(inspection.Inspection), window.part(_navigation).go_to
        ),
        236,
        beside="pages",
        share=0.15,
        front=True,
        words="list legend",
        menu_title="R&uns",
        tip="The open runs and their queries",
        help="runs",
    ),
    Panel(
        "curves",
        "Curves",
        _RIGHT,
        _curves,
        312,
        share=0.215,
        height=390,
        words="plot graph precision recall",
        menu_title="&Curves",
        tip="Curves of precision, fall-out and F over recall; they follow every edit",
        help="curves",
    ),
    Panel(
        "spot",
        "Spot",
        _RIGHT,
        lambda window: spot.SpotPanel(
            window.workbench.state(inspection.Inspection), window.part(_navigation).go_to
        ),
        312,
        height=190,
        words="details",
        menu_title="Sp&ot",
        tip="What one spot changes in precision and recall",
    ),
    Panel(
        "figures",
        "Figures",
        _BOTTOM,
        lambda window: figures_table.FiguresPanel(
            window.workbench.state(inspection.Inspection), window.workbench.settings
        ),
        DRAWER,
        share=HIGHEST,
        words="statistics table numbers results metrics",
        menu_title="&Figures",
        tip="Tables of all figures, for every query and every run",
        help="report",
    ),
    Panel(
        "errors",
        "Errors",
        _BOTTOM,
        lambda window: errors.ErrorsPanel(
            window.workbench.state(inspection.Inspection), window.part(_navigation).go_to
        ),
        DRAWER,
        share=HIGHEST,
        beside="figures",
        words="mistakes false missed",
        menu_title="&Errors",
        tip="All errors of the collection, the worst first",
        help="errors",
    ),
    Panel(
        "confusion",
        "Confusion",
        _BOTTOM,
        lambda window: confusion.ConfusionPanel(
            window.workbench.state(inspection.Inspection), window.part(_navigation).go_to
        ),
        DRAWER,
        share=HIGHEST,
        beside="figures",
        words="table matrix mix",
        menu_title="Co&nfusion",
        tip="What was taken for what: a table of queries and labels, and its cases as pictures",
        help="errors",
    ),
    Panel(
        "compare",
        "Compare",
        _BOTTOM,
        lambda window: compare.ComparePanel(
            window.workbench.state(comparison.ComparisonState),
            window.workbench.state(inspection.Inspection),
            window.part(_change_navigation).go_to,
        ),
        DRAWER,
        share=HIGHEST,
        beside="figures",
        words="difference",
        menu_title="Co&mpare",
        tip="What changes from the current run to another one: symbols, pages, labels",
        help="compare-runs",
    ),
)


def _begin(window: Window) -> None:
    """Open the runs beside a collection, and ask for the names that a run lacks."""
    opened = window.workbench.state(inspection.Inspection).runs

    def open_beside() -> None:
        if window.workbench.workspace == NAME:
            opened.open_beside()

    window.entered.connect(lambda _: open_beside(), window.frame)
    window.opened.connect(open_beside, window.frame)
    opened.unfit.connect(lambda run: run_dialogs.offer(window, run), window.frame)
    opened.columns_unknown.connect(lambda e: run_settings.offer_columns(window, e), window.frame)
    window.status.watch_when_busy(opened)
    window.part(side_by_side.SideBySide)
    window.status.watch_when_busy(window.workbench.state(spotting.SymbolSpottingState))
    window.status.watch_when_busy(window.workbench.state(spotting.OwnSpotters))


def _are_runs(paths: tuple[Path, ...], _: Progress) -> bool:
    return all(map(run_dialogs.is_run, paths))


def _open_runs(window: Window, paths: Sequence[Path]) -> bool:
    return run_dialogs.open_runs(window.workbench.state(inspection.Inspection), paths)


def _page_menu(_: Window) -> PageMenu:
    steps = ("run.next_error", "run.previous_error", "run.next_rank", "run.previous_rank")
    return PageMenu((steps,))


TOOL = ToolKind(
    name="inspect",
    title="Inspect",
    icon="mdi6.magnify-scan",
    shortcut="",
    hint="Click a spot to see its rank, score and overlap",
    keys="N and P step through the errors",
    order=20,
    make=lambda surface: tool.InspectTool(surface),
    workspace=NAME,
)

WORKSPACE = Workspace(
    NAME,
    "Inspect",
    "eye-outline",
    "Look at what spotting runs found, area by area",
    2,
    states=(
        lambda workbench: workbench.state(inspection.Inspection),
        lambda workbench: workbench.state(spotting.SymbolSpottingState),
        lambda workbench: workbench.state(spotting.OwnSpotters),
        lambda workbench: workbench.state(comparison.ComparisonState),
        lambda workbench: workbench.state(overlay_choice.OverlayChoice),
    ),
    panels=_PANELS,
    layers=(
        LayerKind("inspect", lambda canvas: comparison_layer.current_run(canvas)),
        LayerKind("inspect_second", lambda canvas: comparison_layer.second_run(canvas)),
        LayerKind("comparison", lambda canvas: comparison_layer.ComparisonLayer(canvas)),
    ),
    tools=(TOOL,),
    menus=(actions.MENU,),
    page_menu=_page_menu,
    begin=_begin,
    opens=OtherFiles(_are_runs, _open_runs),
    shares=("pages",),
    arrangement=2,
    folds=(_LEFT,),
    kept=lambda: kept.KEPT,
)
