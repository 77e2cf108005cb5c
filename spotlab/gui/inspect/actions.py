"""The Run menu: open runs, step through their errors, say how they are measured."""

from __future__ import annotations

from spotlab.gui.inspect import export_actions
from spotlab.gui.inspect.compare import actions as comparing
from spotlab.gui.workspace import Action, Menu, Window, always, has_pages, needs
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.gui.inspect.dialogs import reports, run_dialogs, run_settings, spotter_dialogs
    from spotlab.gui.inspect.dialogs import spotter_dialogs as spotters_dialog
    from spotlab.gui.inspect.panels import errors, spot
    from spotlab.gui.inspect.panels import runs as runs_panel
    from spotlab.gui.inspect.state import inspection, run_cuts, spotting
    from spotlab.gui.pages.panel import pages
    from spotlab.studies.evaluate import cuts


@needs("Open a run first")
def _has_run(window: Window) -> bool:
    return bool(window.workbench.state(inspection.Inspection).runs)


@needs("There is no cut", _has_run)
def _is_cut(window: Window) -> bool:
    return window.workbench.state(inspection.Inspection).cut.value is not None


def _relation(relation: str, title: str, tip: str) -> Action:
    return Action(
        f"run.relate_{relation}",
        title,
        lambda window: window.workbench.state(inspection.Inspection).cuts.relate(
            run_cuts.Relation(relation)
        ),
        enabled=needs("Open two runs first")(
            lambda window: len(window.workbench.state(inspection.Inspection).runs) > 1
        ),
        checked=lambda window: (
            window.workbench.state(inspection.Inspection).cuts.relation == relation
        ),
        tip=tip,
        section="Runs Are C&ut",
    )


_CUTS = (
    Action(
        "run.cut_all",
        "Keep &Everything",
        lambda window: window.workbench.state(inspection.Inspection).set_cut(
            cuts.ListCut(value=None)
        ),
        ("Alt+End",),
        enabled=_is_cut,
        words="threshold purge off",
        tip="Remove the cut: keep all spots of every query",
        rule=True,
    ),
    Action(
        "run.cut_best_f",
        "Cut at &Best F",
        lambda window: window.workbench.state(inspection.Inspection).cut_at_best_f(),
        ("Alt+Home",),
        enabled=_has_run,
        words="threshold purge optimal",
        tip="Cut all lists where F is highest: of the chosen query, or in the mean over all",
    ),
    _relation("same", "At the &Same Rank or Score", "Cut all runs at the same rank or score"),
    _relation("own", "Each at Its &Own Cut", "Let the slider cut the current run only"),
    _relation(
        "recall",
        "At Equal &Recall",
        "Cut the other runs where they first reach the recall of this run at its cut",
    ),
    _relation(
        "precision",
        "At Equal &Precision",
        "Cut the other runs at the last place where they have the precision of this run",
    ),
    _relation("best_f", "Each at Its &Best F", "Cut each run where its F is highest"),
)


def _switch_view(window: Window) -> None:
    inspected = window.workbench.state(inspection.Inspection)
    areas, detector = run_cuts.CurveView.AREAS, run_cuts.CurveView.DETECTOR
    inspected.choose_view(detector if inspected.view is areas else areas)


def _is_detector_view(window: Window) -> bool:
    view = window.workbench.state(inspection.Inspection).view
    return view is run_cuts.CurveView.DETECTOR


SECTION = "Show on the Pa&ge"


def _choice(window: Window) -> inspection.OverlayChoice:
    return window.workbench.state(inspection.OverlayChoice)


@needs("Open a run in Inspect first")
def _inspects_run(window: Window) -> bool:
    """The letter is a key only there: elsewhere it finds labels."""
    has_run = bool(window.workbench.state(inspection.Inspection).runs)
    return has_run and window.workbench.workspace == "inspect"


def _show(value: str, title: str, tip: str) -> Action:
    return Action(
        f"run.show_{value}",
        title,
        lambda window: _choice(window).choose(inspection.OverlayKind(value)),
        enabled=_inspects_run,
        checked=lambda window: _choice(window).value == value,
        tip=tip,
        section=SECTION,
    )


_OVERLAYS = (
    _show("areas", "&Areas", "Fill areas by their kinds: found, other label, false, missed"),
    _show("symbols", "&Symbols", "Mark symbols as recognised, partly found or missed"),
    _show("both", "&Both", "Fill areas, and mark symbols"),
    Action(
        "run.show_next",
        "&Next of These",
        lambda window: _choice(window).next(),
        ("S",),
        enabled=_inspects_run,
        icon="layers-outline",
        tip="Show areas, then symbols, then both",
        section=SECTION,
        rule=True,
    ),
)


def _reads_changed(window: Window) -> bool:
    return window.workbench.state(inspection.Inspection).runs.live.watch.wanted


def _switch_reading(window: Window) -> None:
    watch = window.workbench.state(inspection.Inspection).runs.live.watch
    watch.set_wanted(not watch.wanted)


@needs("The file of this run has not changed")
def _has_changes(window: Window) -> bool:
    current = window.workbench.state(inspection.Inspection).runs.current
    return current is not None and bool(current.changes)


def _show_changes(window: Window) -> None:
    window.panel(runs_panel.RunsPanel).show_changes(
        window.workbench.state(inspection.Inspection).runs.current_index
    )


@needs("No spotter of yours has run, or it is still running", has_pages)
def _may_run_again(window: Window) -> bool:
    spotters = window.workbench.state(spotting.OwnSpotters)
    return spotters.last is not None and not spotters.busy


def _run_again(window: Window) -> None:
    spotters = window.workbench.state(spotting.OwnSpotters)
    if spotters.last is not None:
        spotters.run(spotters.last)


LIVE = (
    Action(
        "run.add_spotter",
        "Add a Spo&tter…",
        lambda window: spotters_dialog.show(window),
        enabled=has_pages,
        before=has_pages,
        icon="console",
        tip="Run a spotter of your own on all pages by its command line, and open its run",
    ),
    Action(
        "run.spotter_again",
        "R&un the Spotter Again",
        _run_again,
        enabled=_may_run_again,
        tip="Run the spotter that was run last; its run is replaced, and what changed is listed",
    ),
    Action(
        "run.read_changed",
        "Rea&d Changed Runs",
        _switch_reading,
        before=always,
        preference=True,
        checked=_reads_changed,
        tip="Read the file of an open run again when it changes, and list what changed",
        rule=True,
    ),
    Action(
        "run.changes",
        "Chan&ges of the Run…",
        _show_changes,
        enabled=_has_changes,
        icon="playlist-edit",
        tip="List the spots, symbols and figures that changed when the file was read again",
    ),
)


@needs("Go to Inspect first", _has_run)
def _inspecting(window: Window) -> bool:
    """Letters are keys only there: elsewhere they find labels."""
    return window.workbench.workspace == "inspect"


@needs("Symbols are being spotted already", has_pages)
def _may_spot(window: Window) -> bool:
    return not window.workbench.state(spotting.SymbolSpottingState).busy


@needs("No spot is selected", _has_run)
def _has_spot(window: Window) -> bool:
    return window.workbench.state(inspection.Inspection).spot is not None


def _measure_scalability(window: Window) -> None:
    from spotlab.gui.inspect.dialogs import reports as scalability  # noqa: PLC0415 - plots

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
        lambda window: run_dialogs.ask_runs(
            window.workbench.state(inspection.Inspection), window.frame
        ),
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
        lambda window: spotter_dialogs.ask(window),
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
        *_CUTS,
        *comparing.ACTIONS,
        *_OVERLAYS,
        Action(
            "run.detector_view",
            "&Detector's View",
            _switch_view,
            ("D",),
            enabled=_inspects_run,
            checked=_is_detector_view,
            icon="chart-bell-curve",
            words="iou object detection coco precision recall score threshold ap ar",
            tip="Show precision and recall of spots at an IoU, also over the score, not of areas",
        ),
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
            lambda window: window.part(reports.SpotsExport).ask(),
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
