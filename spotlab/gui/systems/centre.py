"""The middle of the Systems workspace: the ranking first, then the votes, then the subjects."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QPushButton, QStackedWidget, QTabWidget, QWidget

from spotlab.gui.canvas.tool import Gesture, Pointer, Tool
from spotlab.gui.canvas.view import ViewTransform, in_view
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import PanelArea
from spotlab.gui.kit.widgets import STRETCH, EmptyNote, Flow, in_column, in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.ranking.systems_figures import SystemsFiguresPanel
from spotlab.gui.systems.state import ShownTables, Systems
from spotlab.gui.systems.subjects.subjects import SubjectsPanel
from spotlab.gui.systems.votes.vote_table import VoteTablePanel, chosen_box, item_at

NOTHING = (
    "Systems that look for the same things can be compared without knowing the truth: each is "
    "judged by how far the others agree with it.\n\n"
    "Open what they found – a table of votes as CSV, TREC runs, spotting runs, or a folder of "
    "texts or PAGE and ALTO files for each system – or drop it here."
)
READING = "Reading votes …"
HIGH, WIDE = 34, 620  # px, of a button and of the text


class StartPage(QStackedWidget):
    """Shows a page of votes where votes are open, and before that how to open them."""

    def __init__(
        self,
        systems: Systems,
        page: QWidget,
        act: Callable[[str], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.systems, self.page, self._act = systems, page, act
        self.nothing = EmptyNote(NOTHING)
        self.nothing.setMaximumWidth(WIDE)
        tip = "Choose files or folders of votes"
        self.open_button = self._button("Open Votes…", "open", tip)
        self.open_button.setProperty("prominent", True)
        self.sample_button = self._button(
            "Open the Sample Contest", "sample",
            "24 simulated text pipelines on three engines, one of which always errs the same way",
        )  # fmt: skip
        self.example_button = self._button(
            "Open the Paper's Example", "example",
            "Three systems and seven items: Table 1 of Lamiroy & Sun (2013)",
        )  # fmt: skip
        self._lay_out()
        self.setFocusProxy(page)
        systems.table_changed.connect(self._follow)
        systems.busy_changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        there = self.systems.table is not None
        self.setCurrentWidget(self._filled if there else self._empty)
        self.nothing.setText(READING if self.systems.busy and not there else NOTHING)

    def _button(self, text: str, way: str, tip: str) -> QPushButton:
        button = set_up(QPushButton(text), tip=tip, does=lambda _: self._act(way))
        button.setMinimumHeight(HIGH)
        return button

    def _lay_out(self) -> None:
        inside = QWidget()
        buttons = Flow(10, 8, centred=True)
        for button in (self.open_button, self.sample_button, self.example_button):
            buttons.addWidget(button)
        line = in_row(self.nothing)
        in_column(STRETCH, line, 10, buttons, STRETCH, of=inside)
        self._empty = PanelArea(inside)
        self.addWidget(self._empty)
        self._filled = PanelArea(self.page)  # scrolled where the window is low
        self.addWidget(self._filled)


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
        self, workbench: Workbench, act: Callable[[str], object], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setDocumentMode(True)
        systems = workbench.state(Systems)
        self.figures = SystemsFiguresPanel(workbench)
        self.votes = VoteTablePanel(workbench)
        self.subjects = SubjectsPanel(workbench)
        self.starts = tuple(StartPage(systems, page, act) for page in (self.figures, self.votes))
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


LINE = "#2563eb"


class SystemsTool(Tool):
    """A click chooses the item under the pointer."""

    cursor = Qt.CursorShape.ArrowCursor

    def describe(self, pointer: Pointer) -> str | None:
        """The item under the pointer."""
        item, table = self._item_at(pointer), self.workbench.state(Systems).table
        return None if item is None or table is None else table.items[item]

    def press(self, pointer: Pointer) -> Gesture | None:
        """Choose what is there."""
        item = self._item_at(pointer)
        if item is not None:
            self.workbench.state(Systems).choose_item(item)
        return None

    def wants(self, event: QKeyEvent) -> bool:
        """Escape lets go of the chosen item."""
        return self.workbench.state(Systems).item is not None and event.key() == Qt.Key.Key_Escape

    def key(self, event: QKeyEvent) -> bool:
        """Let go of what is chosen."""
        if not self.wants(event):
            return False
        self.workbench.state(Systems).choose_item(None)
        return True

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The chosen item."""
        box = chosen_box(self.workbench)
        if box is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(LINE), 3))
            painter.drawRect(in_view(view, box))

    def _item_at(self, pointer: Pointer) -> int | None:
        return item_at(self.workbench, pointer.x, pointer.y)
