"""The middle of the Systems workspace: the ranking first, then the votes, then the subjects."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QTabWidget, QWidget

from spotlab.gui.kit.panel_area import PanelArea
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.ranking.systems_figures import SystemsFiguresPanel
from spotlab.gui.systems.shown_tables import ShownTables
from spotlab.gui.systems.start_page import StartPage
from spotlab.gui.systems.state import Systems
from spotlab.gui.systems.subjects.subjects import SubjectsPanel
from spotlab.gui.systems.votes.vote_table import VoteTablePanel

TIPS = {
    "Ranking": "Precision, recall and F of every system, the best first",
    "Votes": "Which system votes for which item",
    "Subjects": "Judgements of subjects who disagree, and the answers of systems before them",
}


class SystemsCentre(QTabWidget):
    """Votes and subjects are two things to open: each says how to begin.

    Attributes
    ----------
    figures : SystemsFiguresPanel
    votes : VoteTablePanel
    subjects : SubjectsPanel
    """

    def __init__(
        self,
        workbench: Workbench,
        ask: Callable[[], object],
        example: Callable[[], object],
        sample: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setDocumentMode(True)
        systems = workbench.state(Systems)
        self.figures = SystemsFiguresPanel(workbench)
        self.votes = VoteTablePanel(workbench)
        self.subjects = SubjectsPanel(workbench)
        self.starts = tuple(
            StartPage(systems, page, ask, example, sample) for page in (self.figures, self.votes)
        )
        self._subjects = PanelArea(self.subjects)
        pages = (*self.starts, self._subjects)
        for page, (title, tip) in zip(pages, TIPS.items(), strict=True):
            self.setTabToolTip(self.addTab(page, title), tip)
        self._shown = workbench.state(ShownTables)
        self._show_kept()
        self._shown.changed.connect(self._show_kept)
        self.currentChanged.connect(self._follow_page)
        self.setFocusProxy(self.currentWidget())

    def show_subjects(self) -> None:
        """Bring the page of subjects in front."""
        self.setCurrentWidget(self._subjects)

    def _follow_page(self, index: int) -> None:
        self.setFocusProxy(self.currentWidget())
        self._shown.choose(page=self.tabText(index))

    def _show_kept(self) -> None:
        titles = [self.tabText(at) for at in range(self.count())]
        if self._shown.choices.page in titles:
            self.setCurrentIndex(titles.index(self._shown.choices.page))
