"""Systems: compare systems by their votes, without truth."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spotlab.gui.systems.agreement.agreement import AgreementPanel
from spotlab.gui.systems.partial_truth.partial_truth import PartialTruthPanel
from spotlab.gui.systems.ranking.ranking import RankingPanel
from spotlab.gui.systems.ranking.systems_figures import SystemsFiguresPanel
from spotlab.gui.systems.ranking.weights import WeightsPanel
from spotlab.gui.systems.state import Systems
from spotlab.gui.systems.subjects.subjects import SubjectsPanel
from spotlab.gui.systems.votes.dialog import ask_votes
from spotlab.gui.systems.votes.follow_selection import VoteInSight
from spotlab.gui.systems.votes.vote_files import open_example, open_sample
from spotlab.gui.systems.votes.vote_table import VoteTablePanel
from spotlab.gui.workspace.workspace import Panel, Workspace

if TYPE_CHECKING:
    from spotlab.gui.window.main_window import MainWindow

_Area = Qt.DockWidgetArea
NAME = "systems"


def _panels(window: MainWindow) -> list[Panel]:
    workbench = window.workbench
    left, right, bottom = (
        _Area.LeftDockWidgetArea,
        _Area.RightDockWidgetArea,
        _Area.BottomDockWidgetArea,
    )
    VoteInSight(
        workbench, window.canvas.show_place, partial(window.centre.want_canvas, NAME), window
    )
    return [
        Panel("weights", "Weights", left, WeightsPanel(workbench), 310),
        Panel("systems_figures", "Figures", bottom, SystemsFiguresPanel(workbench), 300),
        Panel("ranking", "Ranking", right, RankingPanel(workbench), 370),
        Panel("agreement", "Agreement", right, AgreementPanel(workbench), 370, beside="ranking"),
        Panel(
            "partial_truth",
            "Partial Truth",
            right,
            PartialTruthPanel(workbench),
            370,
            beside="ranking",
        ),
        Panel("subjects", "Subjects", right, SubjectsPanel(workbench), 370, beside="ranking"),
    ]


def _votes(window: MainWindow) -> QWidget:
    workbench = window.workbench
    return VoteTablePanel(
        workbench,
        lambda: ask_votes(workbench, window),
        lambda: open_example(workbench.state(Systems)),
        lambda: open_sample(workbench),
    )


WORKSPACE = Workspace(
    NAME,
    "Systems",
    "scale-balance",
    "Compare systems by their votes, without truth",
    4,
    _panels,
    offers=("pages",),
    above=_votes,
    pageless=True,
)
