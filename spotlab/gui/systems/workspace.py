"""Systems: compare systems by their votes, without truth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spotlab.gui.systems import actions
from spotlab.gui.systems.agreement.agreement import AgreementPanel
from spotlab.gui.systems.centre import SystemsCentre
from spotlab.gui.systems.kept import KEPT
from spotlab.gui.systems.partial_truth.partial_truth import PartialTruthPanel
from spotlab.gui.systems.partial_truth.partial_truth_state import PartialTruth
from spotlab.gui.systems.ranking.ranking import RankingPanel
from spotlab.gui.systems.ranking.weights import WeightsPanel
from spotlab.gui.systems.state import BY_WEIGHTS, Systems
from spotlab.gui.systems.subjects.subjects_state import Subjects
from spotlab.gui.systems.tool import TOOL
from spotlab.gui.systems.votes.dialog import ask_votes
from spotlab.gui.systems.votes.follow_selection import VoteNavigator
from spotlab.gui.systems.votes.vote_files import open_example, open_sample
from spotlab.gui.workspace.window import Window
from spotlab.gui.workspace.workspace import Panel, Workspace

_Area = Qt.DockWidgetArea
_LEFT, _RIGHT = _Area.LeftDockWidgetArea, _Area.RightDockWidgetArea
NAME = "systems"


_PANELS = (
    Panel(
        "weights",
        "Weights",
        _LEFT,
        lambda window: WeightsPanel(window.workbench),
        290,
        shown=False,
        menu_title="&Weights",
        tip="How much the vote of each system counts",
    ),
    Panel(
        "ranking",
        "Side by Side",
        _RIGHT,
        lambda window: RankingPanel(window.workbench),
        350,
        menu_title="&Rankings Side by Side",
        tip="Two rankings of the systems side by side",
    ),
    Panel(
        "agreement",
        "Agreement",
        _RIGHT,
        lambda window: AgreementPanel(window.workbench),
        350,
        beside="ranking",
        menu_title="&Agreement",
        tip="Which systems agree, and which err together",
    ),
    Panel(
        "partial_truth",
        "Partial Truth",
        _RIGHT,
        lambda window: PartialTruthPanel(window.workbench),
        350,
        beside="ranking",
        menu_title="Partial &Truth",
        tip="Answer for a few items, judge every system",
    ),
)


def _begin(window: Window) -> None:
    """Let the canvas follow the chosen item."""
    workbench = window.workbench
    VoteNavigator(
        workbench, window.canvas.show_place, partial(window.centre.want_canvas, NAME), window.frame
    )
    systems = workbench.state(Systems)
    window.status.watch_when_busy(systems)

    def show_weights() -> None:
        """Who chooses the weights sees them."""
        if systems.chosen_method == BY_WEIGHTS and workbench.workspace == NAME:
            window.docks.bring("weights")

    systems.method_changed.connect(show_weights)
    window.entered.connect(lambda _: show_weights())


def _open_dropped(window: Window, paths: Sequence[Path]) -> None:
    window.workbench.state(Systems).open(paths)


def _centre(window: Window) -> QWidget:
    workbench = window.workbench
    centre = SystemsCentre(
        workbench,
        lambda: ask_votes(workbench, window.frame),
        lambda: open_example(workbench.state(Systems)),
        lambda: open_sample(workbench),
    )
    centre.figures.answers_wanted.connect(lambda: actions.ask_for_answers(window))
    return centre


WORKSPACE = Workspace(
    NAME,
    "Systems",
    "scale-balance",
    "Compare systems by their votes, without truth",
    4,
    states=(Systems, PartialTruth, Subjects),
    panels=_PANELS,
    tools=(TOOL,),
    menus=(actions.MENU,),
    begin=_begin,
    open_dropped=_open_dropped,
    offers=("pages",),
    above=_centre,
    pageless=True,
    arrangement=1,
    kept=KEPT,
)
