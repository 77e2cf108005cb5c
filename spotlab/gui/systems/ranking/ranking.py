"""Two rankings of the systems side by side: without truth and with it, or by two methods."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QWidget,
)

from spotlab.consensus.comparison import kendall
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Choice, Flow, Option, in_column, in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.ranking.slope import SlopeChart, Slopes
from spotlab.gui.systems.ranking.superiority import SuperiorityMatrix
from spotlab.gui.systems.ranking.systems_rows import TRUE, figures_by, offered, system_colours
from spotlab.gui.systems.state import BY_WEIGHTS, Systems, paper_weights
from spotlab.report.figure_text import written

WAIT = "The methods are being compared …"
PAPER_TIP = rich(
    "<p>Show the figures of Lamiroy &amp; Sun (2013), with the weights of the paper: all systems, "
    "⊤ and ⊥ count the same. The sliders at the left change these weights.</p>"
)
ASK_TIP = rich(
    "<p>Say of some items whether they are relevant. Items are drawn for you, one after another; "
    "each takes a key. Figures follow from 20 answers on.</p>"
)


class AdviceStrip(QFrame):
    """A sentence or two, and a button for each thing that can be done about it."""

    answers_wanted = Signal()

    def __init__(self, systems: Systems, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.systems = systems
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.answer = QPushButton()
        self.answer.setProperty("prominent", True)
        self.answer.setToolTip(ASK_TIP)
        self.follow = QPushButton("Show the Recommended Estimate")
        self.paper = QPushButton("Lamiroy && Sun")
        self.paper.setToolTip(PAPER_TIP)
        self.answer.clicked.connect(lambda _: self.answers_wanted.emit())
        self.follow.clicked.connect(lambda _: systems.follow_advice())
        self.paper.clicked.connect(lambda _: systems.reset_weights())
        self._lay_out()
        systems.table_changed.connect(self.refresh)
        systems.comparison_changed.connect(self.refresh)
        systems.answered_changed.connect(self.refresh)
        systems.method_changed.connect(self.refresh)
        systems.weights_changed.connect(self._offer_paper)
        self.refresh()

    def refresh(self) -> None:
        """Say what is recommended now."""
        systems, advice = self.systems, self.systems.advice
        self.setVisible(systems.table is not None)
        if advice is None:
            self.text.setText(WAIT if systems.busy else "")
            self.text.setVisible(systems.busy)
            for button in (self.answer, self.follow, self.paper):
                button.hide()
            return
        result = systems.result(advice.method)
        title = html.escape(result.title if result else advice.method)
        parts = [f"<b>Recommended: {title}.</b>", html.escape(advice.reason)]
        if advice.answer_items:
            parts.append(html.escape(advice.disagreement))
        self.text.setText(rich(" ".join(part for part in parts if part)))
        self.text.show()
        self.answer.setText(f"Answer {advice.answer_items:,} Items")
        self.answer.setVisible(bool(advice.answer_items))
        self.follow.setVisible(advice.method != systems.method)
        self._offer_paper()

    def _offer_paper(self) -> None:
        loaded, method = self.systems.loaded, self.systems.method
        sliders = loaded is not None and self.systems.weights == paper_weights(loaded)
        self.paper.setVisible(method != "paper" and not (method == BY_WEIGHTS and sliders))

    def _lay_out(self) -> None:
        self.setProperty("role", "strip")
        buttons = Flow(6)
        for button in (self.answer, self.follow, self.paper):
            buttons.addWidget(button)
        in_column(self.text, buttons, of=self, margins=(12, 6, 10, 6), spacing=6)


NOTHING = "Open votes to see how the systems rank."
WITH_TRUTH = "With truth"
OTHERS = ("paper", "share")  # what is compared with where the truth is not known
TAU = rich(
    "<p><b>Kendall's τ</b> of these two rankings by F: 1 where each two systems are in the same "
    "order, −1 where each two are in the opposite order. Larger: the rankings agree more.</p>"
)
TIP = "A ranking by F: of a method, or with truth where that is known"


class RankingPanel(QWidget):
    """A slope chart; the ranking at its left is that of the table."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.systems = workbench.state(Systems)
        self.chart = SlopeChart()
        self.left: Choice[str] = Choice(name="Left ranking")
        self.right: Choice[str] = Choice(name="Right ranking")
        self.tau = QLabel()
        self.superiority = SuperiorityMatrix(self.systems)
        self.tau.setToolTip(TAU)
        self._truth: bool | None = None
        self._own_choice = False  # whether the user chose the ranking at the right
        self._lay_out()
        self._connect()
        self._rebuild()

    def refresh(self) -> None:
        """Draw the two rankings as they are now."""
        systems = self.systems
        names = [systems.method, self.right.value]
        self.left.show_value(systems.method)
        figures = [figures_by(systems, name) for name in names]
        first, second = figures
        there = systems.table is not None
        self.stack.setCurrentWidget(self._filled if there else self.nothing)
        if first is None or second is None:
            self.tau.clear()
            self.chart.show_slopes(Slopes())
            return
        known = {TRUE: WITH_TRUTH} | {each.name: each.title for each in offered(systems)}
        titles = (known[names[0]], known[names[1]])
        self.chart.show_slopes(
            Slopes(systems.names, system_colours(systems), first.rank, second.rank, titles)
        )
        self.tau.setText(rich(f"τ <b>{written(kendall(first.f, second.f))}</b>"))

    def _rebuild(self) -> None:
        truth = self.systems.truth is not None
        choices = [Option(each.name, each.title) for each in offered(self.systems)]
        self.left.offer(choices)
        self.right.offer([Option(TRUE, WITH_TRUTH), *choices] if truth else choices)
        if truth != self._truth:
            self._truth = truth
            self._own_choice = False
        if not self._own_choice:
            other = next(name for name in OTHERS if name != self.systems.method)
            self.right.show_value(TRUE if truth else other)
        self.refresh()

    def _choose_right(self) -> None:
        self._own_choice = True
        self.refresh()

    def _lay_out(self) -> None:
        for combo in (self.left, self.right):
            combo.setToolTip(TIP)
            combo.give_way()
        self._filled = QWidget()
        line = in_row((self.left, 1), self.tau, (self.right, 1), margins=(8, 4, 8, 2))
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.chart)
        in_column(line, (scroll, 1), self.superiority, of=self._filled, margins=0, spacing=2)
        self.nothing = QLabel(NOTHING, wordWrap=True)
        self.nothing.setProperty("role", "quiet")
        self.nothing.setContentsMargins(12, 12, 12, 12)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.stack = QStackedLayout(self)
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(self._filled)

    def _connect(self) -> None:
        systems = self.systems
        self.left.chosen.connect(systems.set_method)
        self.right.chosen.connect(lambda _: self._choose_right())
        self.chart.chosen.connect(systems.choose_system)
        systems.table_changed.connect(self._rebuild)
        systems.comparison_changed.connect(self._rebuild)
        systems.answered_changed.connect(self._rebuild)
        systems.weights_changed.connect(self.refresh)
        systems.method_changed.connect(self.refresh)
        systems.chosen_changed.connect(lambda: self.chart.show_chosen(systems.system))
