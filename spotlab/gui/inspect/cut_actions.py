"""Actions that cut the lists of runs."""

from __future__ import annotations

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.run_cuts import Relation
from spotlab.gui.workspace.action import Action
from spotlab.gui.workspace.window import Window
from spotlab.studies.areas.list_cut import ListCut


def _has_run(window: Window) -> bool:
    return bool(window.workbench.state(Inspection).runs)


def _is_cut(window: Window) -> bool:
    return window.workbench.state(Inspection).cut.value is not None


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


ACTIONS = (
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
