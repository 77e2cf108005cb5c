"""Run > Export: every plot and table of the workspace that can be saved as a file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from spotlab.gui.workspace import Action, Window, needs
from spotlab.libraries import late_imports
from spotlab.report.tables import FORMATS, TableFormat

if TYPE_CHECKING:
    from spotlab.gui.inspect.curves.curve_head import CurveHead

with late_imports(__name__):
    from spotlab.gui.inspect.panels import confusion, figures_table
    from spotlab.gui.inspect.state import inspection


SECTION = "Export"
PLOTS = {
    "precision": "Precision",
    "fall_out": "Fall-out",
    "f": "F",
    "score_precision": "Precision over Score",
    "score_recall": "Recall over Score",
    "score_f": "F over Score",
}
PICTURES = "as SVG, PDF or PNG"


@needs("Open a run first, and wait until it is complete")
def _has_run(window: Window) -> bool:
    """Tell whether there is a run, and all of it: what is saved has to be of all pages."""
    runs = window.workbench.state(inspection.Inspection).runs
    return bool(runs) and all(run.so_far is None for run in runs)


def _bring(window: Window, panel: str) -> None:
    """Show what is about to be saved: a panel that is hidden is not up to date."""
    if not window.docks.offered(panel):
        window.enter("inspect")
    window.docks.bring(panel)


def export_confusion(window: Window) -> None:
    """Ask where the confusion table shall go."""
    _bring(window, "confusion")
    window.panel(confusion.ConfusionPanel).ask_export()


def _show_plot(kind: str, window: Window) -> None:
    _bring(window, "confusion")
    panel = window.panel(confusion.ConfusionPanel)
    (panel.ask_plot if kind == "confusion" else panel.ask_errors)()


def _show_ranks(window: Window) -> None:
    _bring(window, "figures")
    window.panel(figures_table.FiguresPanel).export.ask_ranks()


def _curve_head(window: Window) -> CurveHead:
    from spotlab.gui.inspect.curves.curves import CurvesPanel  # noqa: PLC0415 - plots

    _bring(window, "curves")
    return window.panel(CurvesPanel).head


def _save_plot(kind: str, window: Window) -> None:
    _curve_head(window).save_kind(kind)


def _save_means(window: Window) -> None:
    _curve_head(window).save_means()


def _save_points(window: Window) -> None:
    _curve_head(window).save_points()


def _save_table(kind: TableFormat, window: Window) -> None:
    _bring(window, "figures")
    window.panel(figures_table.FiguresPanel).export.ask(kind)


def _copy_table(window: Window) -> None:
    _bring(window, "figures")
    window.panel(figures_table.FiguresPanel).export.copy()


def _plot(kind: str, title: str) -> Action:
    return Action(
        f"run.save_{kind}_plot",
        f"Save {title} Plot…",
        partial(_save_plot, kind),
        enabled=_has_run,
        tip=f"Save the plot of {title if kind == 'f' else title.lower()} {PICTURES}",
        section=SECTION,
    )


def _table(kind: TableFormat) -> Action:
    return Action(
        f"run.figures_{kind.title.lower()}",
        f"Export Figures as {kind.title}…",
        partial(_save_table, kind),
        enabled=_has_run,
        tip=f"Save the table of figures that is shown, of queries or of runs, as {kind.title}",
        section=SECTION,
    )


ACTIONS = (
    *(_plot(kind, title) for kind, title in PLOTS.items()),
    Action(
        "run.save_ranks",
        "Save Critical-Difference Plot…",
        _show_ranks,
        enabled=_has_run,
        words="demsar ranks significance",
        tip=f"Save the mean ranks of the runs, with bars over those that do not differ, {PICTURES}",
        section=SECTION,
    ),
    Action(
        "run.save_confusion_plot",
        "Save Confusion Table as Picture…",
        partial(_show_plot, "confusion"),
        enabled=_has_run,
        tip=f"Save what the spots of the current run were taken for {PICTURES}",
        section=SECTION,
    ),
    Action(
        "run.save_errors_plot",
        "Save Worst Errors as Pictures…",
        partial(_show_plot, "errors"),
        enabled=_has_run,
        words="gallery crops",
        tip=f"Save pictures of the worst errors of each kind of the current run {PICTURES}",
        section=SECTION,
    ),
    Action(
        "run.save_means",
        "Save Mean Curves as CSV…",
        _save_means,
        enabled=_has_run,
        tip="Save the mean curves in sight, of areas or of spots, with deviations or intervals",
        section=SECTION,
    ),
    Action(
        "run.save_points",
        "Save Curve Points as CSV…",
        _save_points,
        enabled=_has_run,
        tip="Save a line for each spot: its rank, score, precision, recall, fall-out and F",
        section=SECTION,
    ),
    *map(_table, FORMATS),
    Action(
        "run.copy_figures",
        "Copy Figures",
        _copy_table,
        enabled=_has_run,
        words="clipboard numbers table",
        tip="Copy the table of figures that is shown, for a spreadsheet",
        section=SECTION,
    ),
)
