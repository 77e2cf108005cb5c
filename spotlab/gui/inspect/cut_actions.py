"""Actions that cut the lists of runs."""

from __future__ import annotations

from spotlab.gui.workspace.action import Action, needs
from spotlab.gui.workspace.window import Window
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.gui.inspect.state import inspection, run_cuts
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


ACTIONS = (
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
