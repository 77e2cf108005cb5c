"""The Run menu: open runs, step through their errors, say how they are measured."""

from __future__ import annotations

from spotlab.gui.inspect import export_actions, overlay_actions
from spotlab.gui.inspect.compare import actions as comparing
from spotlab.gui.inspect.dialogs import (
    reports,
    run_settings,
    scalability,
    spot_symbols,
)
from spotlab.gui.inspect.dialogs.runs import ask_runs
from spotlab.gui.inspect.dialogs.spots_export import SpotsExport
from spotlab.gui.inspect.live_actions import LIVE, live_signals
from spotlab.gui.inspect.panels.confusion import ConfusionPanel
from spotlab.gui.inspect.panels.errors import ErrorsPanel
from spotlab.gui.inspect.panels.spot import SpotPanel
from spotlab.gui.inspect.state.comparison import Comparison
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.overlay_choice import OverlayChoice
from spotlab.gui.inspect.state.run_cuts import Relation
from spotlab.gui.inspect.state.symbol_spotting import SymbolSpotting
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.workspace.action import Action, Menu, has_pages
from spotlab.gui.workspace.window import Window
from spotlab.signal import Signal
from spotlab.studies.areas.list_cut import ListCut


def _has_run(window: Window) -> bool:
    return bool(window.workbench.state(Inspection).runs)


def _inspecting(window: Window) -> bool:
    """Letters are keys only there: elsewhere they find labels."""
    return _has_run(window) and window.workbench.workspace == "inspect"


def _may_spot(window: Window) -> bool:
    return has_pages(window) and not window.workbench.state(SymbolSpotting).busy


def _has_spot(window: Window) -> bool:
    return window.workbench.state(Inspection).spot is not None


def _is_cut(window: Window) -> bool:
    return window.workbench.state(Inspection).cut.value is not None


def _errors(window: Window) -> ErrorsPanel:
    return window.panel(ErrorsPanel)


def _step_rank(window: Window, by: int) -> None:
    window.panel(SpotPanel).step(by)


def _signals(workbench: Workbench) -> tuple[Signal[...], ...]:
    inspection = workbench.state(Inspection)
    return (
        workbench.page_changed,
        workbench.entries_changed,
        workbench.workspace_changed,
        inspection.runs.changed,
        inspection.spot_changed,
        inspection.cut_changed,
        workbench.state(OverlayChoice).changed,
        workbench.shown.changed,
        workbench.state(SymbolSpotting).busy_changed,
        *live_signals(workbench),
        workbench.state(Comparison).changed,
        workbench.state(Comparison).side_changed,
    )


def _close(window: Window) -> None:
    inspection = window.workbench.state(Inspection)
    inspection.runs.close(inspection.runs.current_index)


def _close_all(window: Window) -> None:
    inspection = window.workbench.state(Inspection)
    while inspection.runs:
        inspection.runs.close(len(inspection.runs) - 1)


def _switch_pages(window: Window) -> None:
    shown = window.workbench.shown
    shown.set_only(not shown.only)


_OPENING = (
    Action(
        "run.open",
        "&Open Run…",
        lambda window: ask_runs(window.workbench.state(Inspection), window.frame),
        ("Ctrl+R",),
        enabled=has_pages,
        icon="playlist-plus",
        tip="Open a spotting run: CSV, Parquet, COCO results or PAGE with confidence",
    ),
    Action(
        "run.spot_symbols",
        "Spot S&ymbols…",
        spot_symbols.ask,
        enabled=_may_spot,
        icon="magnify-scan",
        tip="Search all pages for each label with the embedded spotter, and open the run",
    ),
    *LIVE,
    Action(
        "run.close",
        "&Close Run",
        _close,
        ("Ctrl+W",),
        enabled=_has_run,
        icon="playlist-minus",
        tip="Close the run that is shown on the page; its file is kept",
    ),
    Action(
        "run.close_all",
        "Close A&ll Runs",
        _close_all,
        enabled=_has_run,
        tip="Close all runs; their files are kept",
    ),
)

_STEPPING = (
    Action(
        "run.next_error",
        "&Next Error or Change",
        lambda window: comparing.step(window, 1),
        ("N",),
        enabled=_inspecting,
        icon="skip-next-outline",
        tip="Go to the next error, worst first; while runs are compared, to the next change",
        rule=True,
        repeats=True,
    ),
    Action(
        "run.previous_error",
        "&Previous Error or Change",
        lambda window: comparing.step(window, -1),
        ("P",),
        enabled=_inspecting,
        icon="skip-previous-outline",
        tip="Go to the previous error; while runs are compared, to the previous change",
        repeats=True,
    ),
    Action(
        "run.next_kind",
        "Worst of the Next &Kind",
        lambda window: _errors(window).step_kind(1),
        ("Shift+N",),
        enabled=_inspecting,
        tip="Go to the worst error of the next kind, such as missed or false",
    ),
    Action(
        "run.previous_kind",
        "Worst of the Kind &Before",
        lambda window: _errors(window).step_kind(-1),
        ("Shift+P",),
        enabled=_inspecting,
        tip="Go to the worst error of the previous kind",
    ),
    Action(
        "run.next_rank",
        "Next &Rank",
        lambda window: _step_rank(window, 1),
        ("Alt+Down",),
        enabled=_has_spot,
        icon="chevron-down",
        tip="Go to the spot with the next rank in its query's list",
        rule=True,
        repeats=True,
    ),
    Action(
        "run.previous_rank",
        "Previous R&ank",
        lambda window: _step_rank(window, -1),
        ("Alt+Up",),
        enabled=_has_spot,
        icon="chevron-up",
        tip="Go to the spot with the previous rank in its query's list",
        repeats=True,
    ),
)


def _relation(relation: Relation, title: str, tip: str) -> Action:
    return Action(
        f"run.relate_{relation}",
        title,
        lambda window: window.workbench.state(Inspection).cuts.relate(relation),
        enabled=lambda window: len(window.workbench.state(Inspection).runs) > 1,
        checked=lambda window: window.workbench.state(Inspection).cuts.relation is relation,
        tip=tip,
        section="Runs Are C&ut",
    )


_CUTTING = (
    Action(
        "run.cut_all",
        "Keep &Everything",
        lambda window: window.workbench.state(Inspection).set_cut(ListCut(value=None)),
        ("Alt+End",),
        enabled=_is_cut,
        tip="Remove the cut: keep all spots of every query",
        rule=True,
    ),
    Action(
        "run.cut_best_f",
        "Cut at &Best F",
        lambda window: window.workbench.state(Inspection).cut_at_best_f(),
        ("Alt+Home",),
        enabled=_has_run,
        tip="Cut all lists where F is highest: of the chosen query, or in the mean over all",
    ),
    _relation(
        Relation.SAME, "At the &Same Rank or Score", "Cut all runs at the same rank or score"
    ),
    _relation(Relation.OWN, "Each at Its &Own Cut", "Let the slider cut the current run only"),
    _relation(
        Relation.RECALL,
        "At Equal &Recall",
        "Cut the other runs where they first reach the recall of this run at its cut",
    ),
    _relation(
        Relation.PRECISION,
        "At Equal &Precision",
        "Cut the other runs at the last place where they have the precision of this run",
    ),
    _relation(Relation.BEST_F, "Each at Its &Best F", "Cut each run where its F is highest"),
)

MENU = Menu(
    "run",
    "&Run",
    6,
    (
        *_OPENING,
        *_STEPPING,
        *_CUTTING,
        *comparing.ACTIONS,
        *overlay_actions.ACTIONS,
        Action(
            "run.measures",
            "&Measures…",
            run_settings.show,
            ("Ctrl+Alt+M",),
            icon="tune-variant",
            tip="Set overlap, β, the thresholds of recognition and IoU, and how means are taken",
            rule=True,
        ),
        Action(
            "run.shown_pages",
            "Figures of S&hown Pages Only",
            _switch_pages,
            checked=lambda window: window.workbench.shown.only,
            icon="filter-outline",
            tip="Compute all figures, curves and tables from the pages that the page list shows",
        ),
        Action(
            "run.save_subset",
            "Save Shown Pages as a Su&bset…",
            lambda window: window.panel(PagesPanel).save_subset(),
            enabled=has_pages,
            tip="Write the names of the shown pages to a file, for the page list and --subset",
        ),
        Action(
            "run.report",
            "&Save Report…",
            reports.ask,
            ("Ctrl+Shift+E",),
            enabled=_has_run,
            icon="file-chart-outline",
            tip="Write an HTML report with figures, curves and the worst pages; CSV, JSON, LaTeX",
        ),
        *export_actions.ACTIONS,
        Action(
            "run.export_spots",
            "Export S&pots…",
            lambda window: window.part(SpotsExport).ask(),
            enabled=_has_run,
            icon="table-arrow-right",
            tip="Write all spots of the run with kind of error, region, IoU and shares of area",
        ),
        Action(
            "run.export_confusion",
            "Export Con&fusion Table…",
            lambda window: window.panel(ConfusionPanel).ask_export(),
            enabled=_has_run,
            tip="Write what was taken for what, by spots or by area, as CSV",
        ),
        Action(
            "run.scalability",
            "Scalabilit&y…",
            scalability.show,
            enabled=_has_run,
            icon="chart-bell-curve-cumulative",
            tip="Measure how the figures of the open runs change with more queries and more pages",
        ),
    ),
    signals=_signals,
)
