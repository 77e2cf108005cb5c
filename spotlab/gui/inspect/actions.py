"""The Run menu: open runs, step through their errors, say how they are measured."""

from __future__ import annotations

from spotlab.gui.inspect import cut_actions as cutting
from spotlab.gui.inspect import export_actions, overlay_actions
from spotlab.gui.inspect.compare import actions as comparing
from spotlab.gui.inspect.live_actions import LIVE
from spotlab.gui.workspace.action import Action, Menu, always, has_pages, needs
from spotlab.gui.workspace.window import Window
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.gui.inspect.dialogs import reports, run_settings, runs, spot_symbols, spots_export
    from spotlab.gui.inspect.panels import errors, spot
    from spotlab.gui.inspect.state import inspection, symbol_spotting
    from spotlab.gui.pages.panel import pages


@needs("Open a run first")
def _has_run(window: Window) -> bool:
    return bool(window.workbench.state(inspection.Inspection).runs)


@needs("Go to Inspect first", _has_run)
def _inspecting(window: Window) -> bool:
    """Letters are keys only there: elsewhere they find labels."""
    return window.workbench.workspace == "inspect"


@needs("Symbols are being spotted already", has_pages)
def _may_spot(window: Window) -> bool:
    return not window.workbench.state(symbol_spotting.SymbolSpottingState).busy


@needs("No spot is selected", _has_run)
def _has_spot(window: Window) -> bool:
    return window.workbench.state(inspection.Inspection).spot is not None


def _measure_scalability(window: Window) -> None:
    from spotlab.gui.inspect.dialogs import scalability  # noqa: PLC0415 - plots

    scalability.show(window)


def _errors(window: Window) -> errors.ErrorsPanel:
    return window.panel(errors.ErrorsPanel)


def _step_rank(window: Window, by: int) -> None:
    window.panel(spot.SpotPanel).step(by)


def _close(window: Window) -> None:
    opened = window.workbench.state(inspection.Inspection).runs
    opened.close(opened.current_index)


def _close_all(window: Window) -> None:
    opened = window.workbench.state(inspection.Inspection).runs
    while opened:
        opened.close(len(opened) - 1)


def _switch_pages(window: Window) -> None:
    shown = window.workbench.shown
    shown.set_only(not shown.only)


_OPENING = (
    Action(
        "run.open",
        "&Open Run…",
        lambda window: runs.ask_runs(window.workbench.state(inspection.Inspection), window.frame),
        ("Ctrl+R",),
        enabled=has_pages,
        before=has_pages,
        icon="playlist-plus",
        words="results detections predictions load",
        tip="Open a spotting run: CSV, Parquet, COCO results or PAGE with confidence",
    ),
    Action(
        "run.spot_symbols",
        "Spot S&ymbols…",
        lambda window: spot_symbols.ask(window),
        enabled=_may_spot,
        before=has_pages,
        icon="magnify-scan",
        words="search detect find run",
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
        words="mistake wrong false missed",
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

MENU = Menu(
    "run",
    "&Run",
    6,
    (
        *_OPENING,
        *_STEPPING,
        *cutting.ACTIONS,
        *comparing.ACTIONS,
        *overlay_actions.ACTIONS,
        Action(
            "run.measures",
            "&Measures…",
            lambda window: run_settings.show(window),
            ("Ctrl+Alt+M",),
            before=always,
            icon="tune-variant",
            words="settings metrics iou options",
            tip="Set overlap, β, the thresholds of recognition and IoU, and how means are taken",
            rule=True,
        ),
        Action(
            "run.shown_pages",
            "Figures of S&hown Pages Only",
            _switch_pages,
            before=always,
            checked=lambda window: window.workbench.shown.only,
            icon="filter-outline",
            tip="Compute all figures, curves and tables from the pages that the page list shows",
        ),
        Action(
            "run.save_subset",
            "Save Shown Pages as a Su&bset…",
            lambda window: window.panel(pages.PagesPanel).save_subset(),
            enabled=has_pages,
            before=has_pages,
            tip="Write the names of the shown pages to a file, for the page list and --subset",
        ),
        Action(
            "run.report",
            "&Save Report…",
            lambda window: reports.ask(window),
            ("Ctrl+Shift+E",),
            enabled=_has_run,
            icon="file-chart-outline",
            words="print pdf html summary results",
            tip="Write an HTML report with figures, curves and the worst pages; CSV, JSON, LaTeX",
        ),
        *export_actions.ACTIONS,
        Action(
            "run.export_spots",
            "Export S&pots…",
            lambda window: window.part(spots_export.SpotsExport).ask(),
            enabled=_has_run,
            icon="table-arrow-right",
            tip="Write all spots of the run with kind of error, region, IoU and shares of area",
        ),
        Action(
            "run.export_confusion",
            "Export Con&fusion Table…",
            export_actions.export_confusion,
            enabled=_has_run,
            tip="Write what was taken for what, by spots or by area, as CSV",
        ),
        Action(
            "run.scalability",
            "Scalabilit&y…",
            _measure_scalability,
            enabled=_has_run,
            icon="chart-bell-curve-cumulative",
            words="distractors growth",
            tip="Measure how the figures of the open runs change with more queries and more pages",
        ),
    ),
)
