"""Systems: compare systems by their votes, without truth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spotlab.errors import BadInput
from spotlab.files import is_file
from spotlab.gui.canvas.tool import ToolKind
from spotlab.gui.systems import actions
from spotlab.gui.workspace import OtherFiles, Panel, Window, Workspace
from spotlab.libraries import late_imports
from spotlab.progress import Progress

with late_imports(__name__):
    from spotlab.formats.votes import reading
    from spotlab.gui.kit import background
    from spotlab.gui.systems import centre, kept, state
    from spotlab.gui.systems import centre as tool
    from spotlab.gui.systems.agreement import agreement
    from spotlab.gui.systems.partial_truth import partial_truth, partial_truth_state
    from spotlab.gui.systems.ranking import ranking
    from spotlab.gui.systems.ranking import ranking as weights
    from spotlab.gui.systems.subjects import subjects_state
    from spotlab.gui.systems.votes import vote_table


_Area = Qt.DockWidgetArea
_LEFT, _RIGHT = _Area.LeftDockWidgetArea, _Area.RightDockWidgetArea
NAME = "systems"
RANKING, SUBJECTS = "Ranking", "Subjects"  # pages in the middle


def _agreement(window: Window) -> QWidget:
    return agreement.AgreementPanel(window.workbench)


_PANELS = (
    Panel(
        "weights",
        "Weights",
        _LEFT,
        lambda window: weights.WeightsPanel(window.workbench),
        290,
        shown=False,
        words="sliders kappa",
        menu_title="&Weights",
        tip="How much the vote of each system counts",
    ),
    Panel(
        "ranking",
        "Side by Side",
        _RIGHT,
        lambda window: ranking.RankingPanel(window.workbench),
        350,
        share=0.25,
        words="slope chart",
        menu_title="&Rankings Side by Side",
        tip="Two rankings of the systems side by side",
    ),
    Panel(
        "agreement",
        "Agreement",
        _RIGHT,
        _agreement,
        350,
        share=0.25,
        beside="ranking",
        words="clusters matrix correlation",
        menu_title="&Agreement",
        tip="Which systems agree, and which err together",
    ),
    Panel(
        "partial_truth",
        "Partial Truth",
        _RIGHT,
        lambda window: partial_truth.PartialTruthPanel(window.workbench),
        350,
        share=0.25,
        beside="ranking",
        words="answers oracle",
        menu_title="Partial &Truth",
        tip="Answer for a few items, judge every system",
    ),
)


def _begin(window: Window) -> None:
    """Let the canvas follow the chosen item."""
    workbench = window.workbench
    vote_table.VoteNavigator(
        workbench, window.canvas.show_place, partial(window.centre.want_canvas, NAME), window.frame
    )
    systems = workbench.state(state.Systems)
    window.status.watch_when_busy(systems)

    def show_weights() -> None:
        """Show the weights to whoever chooses them."""
        if systems.chosen_method == state.BY_WEIGHTS and workbench.workspace == NAME:
            window.docks.bring("weights")

    systems.method_changed.connect(show_weights, window.frame)
    window.entered.connect(lambda _: show_weights(), window.frame)


def _open_dropped(window: Window, paths: Sequence[Path]) -> bool:
    """Open votes, or subjects' files, and show them."""
    workbench = window.workbench
    of_subjects = background.call(subjects_state.are_of_subjects, paths)
    if of_subjects:
        workbench.state(subjects_state.Subjects).open(paths)
    else:
        workbench.state(state.Systems).open(paths)
    shown = workbench.state(state.ShownTables)
    if of_subjects or shown.choices.page == SUBJECTS:
        shown.choose(page=SUBJECTS if of_subjects else RANKING)
    return True


def _recognises(paths: tuple[Path, ...], _: Progress) -> bool:
    """Tell whether files are votes, or judgements of subjects.

    Spotted regions can be votes, too, but belong to pages; so may folders.
    """
    if not all(map(is_file, paths)):
        return False
    try:
        return subjects_state.are_of_subjects(paths) or not reading.vote_format_of(paths).on_pages
    except BadInput:
        return False


def _centre(window: Window) -> QWidget:
    ways = {
        "open": actions.open_votes, "sample": actions.open_sample, "example": actions.open_example
    }  # fmt: skip
    shown = centre.SystemsCentre(window.workbench, lambda way: ways[way](window))
    shown.figures.answers_wanted.connect(lambda: actions.ask_for_answers(window))
    return shown


TOOL = ToolKind(
    name="systems",
    title="Systems",
    icon="mdi6.scale-balance",
    shortcut="",
    hint="Click an item to see who votes for it",
    keys="A click on the name of a system chooses it",
    order=40,
    make=lambda surface: tool.SystemsTool(surface),
    workspace="systems",
)

WORKSPACE = Workspace(
    NAME,
    "Systems",
    "scale-balance",
    "Compare systems by their votes, without truth",
    4,
    states=(
        lambda workbench: workbench.state(state.Systems),
        lambda workbench: workbench.state(state.ShownTables),
        lambda workbench: workbench.state(partial_truth_state.PartialTruth),
        lambda workbench: workbench.state(subjects_state.Subjects),
    ),
    panels=_PANELS,
    tools=(TOOL,),
    menus=(actions.MENU,),
    begin=_begin,
    open_dropped=_open_dropped,
    opens=OtherFiles(_recognises, _open_dropped),
    offers=("pages",),
    above=_centre,
    pageless=True,
    arrangement=1,
    middle=480,  # px: names of systems, their ranks, precision, recall and F
    kept=lambda: kept.KEPT,
)
