"""Systems: compare systems by their votes, without truth."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spotlab.gui.dialogs.votes import ask_votes
from spotlab.gui.panels.agreement import AgreementPanel
from spotlab.gui.panels.partial_truth import PartialTruthPanel
from spotlab.gui.panels.ranking import RankingPanel
from spotlab.gui.panels.subjects import SubjectsPanel
from spotlab.gui.panels.systems_figures import SystemsFiguresPanel
from spotlab.gui.panels.vote_table import VoteTablePanel
from spotlab.gui.panels.weights import WeightsPanel
from spotlab.gui.vote_files import open_example, open_sample
from spotlab.gui.vote_in_sight import VoteInSight
from spotlab.gui.workspaces.base import Panel, Workspace

if TYPE_CHECKING:
    from spotlab.gui.main_window import MainWindow

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
        lambda: open_example(workbench.systems),
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
