"""Two rankings of the systems side by side: without truth and with it, or by two methods."""

from __future__ import annotations

import html
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStyle,
    QWidget,
)

from spotlab.consensus.comparison import kendall
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import (
    SLIDER,
    STRETCH,
    Choice,
    EmptyNote,
    Flow,
    Option,
    SliderRow,
    fill,
    in_column,
    in_row,
    one_of,
)
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.partial_truth.partial_truth_state import PartialTruth
from spotlab.gui.systems.ranking.slope import SlopeChart, Slopes
from spotlab.gui.systems.ranking.superiority import SuperiorityMatrix
from spotlab.gui.systems.ranking.systems_rows import (
    TRUE,
    figures_by,
    in_sight,
    offered,
    system_colours,
)
from spotlab.gui.systems.state import BY_WEIGHTS, Systems, paper_weights
from spotlab.report.figure_text import written
from spotlab.studies.systems.voters import ANSWERS

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
        self.text = QLabel(wordWrap=True)
        self.answer = set_up(QPushButton(), tip=ASK_TIP)
        self.answer.setProperty("prominent", True)
        self.follow = QPushButton("Show the Recommended Estimate")
        self.paper = set_up(QPushButton("Lamiroy && Sun"), tip=PAPER_TIP)
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
            doubt = advice.uncertainty
            parts += [html.escape(advice.disagreement), doubt[:1].upper() + doubt[1:]]
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
        buttons = fill(Flow(6), self.answer, self.follow, self.paper)
        in_column(self.text, buttons, of=self, margins=(12, 6, 10, 6), spacing=6)


NOTHING = "Open votes to see how the systems rank."
WITH_TRUTH = "With truth"
OTHERS = ("paper", "majority")  # what is compared with where the truth is not known
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
        choices = [Option(each.name, each.title) for each in in_sight(self.systems)]
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
        self.nothing = EmptyNote(NOTHING)
        self.stack = one_of(self, self.nothing, self._filled)

    def _connect(self) -> None:
        systems = self.systems
        self.left.chosen.connect(systems.set_method)
        self.right.chosen.connect(lambda _: self._choose_right())
        self.chart.chosen.connect(systems.choose_system)
        systems.table_changed.connect(self._rebuild)
        systems.comparison_changed.connect(self._rebuild)
        systems.answered_changed.connect(self._rebuild)
        systems.weights_changed.connect(self.refresh)
        systems.method_changed.connect(self._rebuild)
        systems.chosen_changed.connect(lambda: self.chart.show_chosen(systems.system), self)


STEP = 0.01
FIELD, SHARE, GAP = 42, 44, 5  # px
NAME, NARROWEST = 180, 72  # px of a name, at most and at least
LEFT, RIGHT = 8, 6  # px of margin
BESIDE = LEFT + SLIDER + FIELD + SHARE + 3 * GAP + RIGHT  # px that stand beside a name
NO_VOTERS = "Open votes to weigh who casts them."
TOP = (
    "Votes for every item. It keeps P(δ) above 0 and makes bold systems look better "
    "(Lamiroy & Sun 2013, §3.2)."
)
BOTTOM = (
    "Votes for no item. It keeps P(δ) below 1 and makes careful systems look better "
    "(Lamiroy & Sun 2013, §3.2)."
)
ORACLE = (
    "What is known to be true, as one more voter. If it alone counts, the figures are ordinary "
    "precision and recall (Lamiroy & Sun 2013, §3.3)."
)
VOTER = (
    "How much its votes count: κ in P(δ) = Σκ·S(δ) / Σκ (Lamiroy & Sun 2013, eq. 13). Larger: what "
    "it finds counts more as true, and it looks better itself. With 0, the others alone judge it."
)
STATE = rich(
    "<p><b>ΣP(δ)</b></p><p>The sum of the items' probabilities to be relevant, as the voters have "
    "it: how many items are expected to be.</p>"
)
PAPER = rich(
    "<p><b>As in the paper</b></p><p>All systems, ⊤ and ⊥ count the same, 1 / (s + 2) each for s "
    "systems; the truth counts nothing (eq. 10).</p>"
)
SHARES = rich(
    "<p><b>Without ⊤ ⊥</b></p><p>All systems count the same, 1 / s each: P(δ) is the share of the "
    "systems that vote for δ.</p>"
)
ANSWERED = rich(
    "<p><b>Your answers</b></p><p>What you answered in Partial Truth, as one more voter with a "
    "weight of its own (Lamiroy &amp; Sun 2013, §5.1). Press again to take later answers.</p>"
)
ALONE = rich(
    "<p><b>Truth alone</b></p><p>Only the truth counts: the figures are ordinary precision and "
    "recall. Items of which the truth is not known are left out.</p>"
)


@dataclass(frozen=True)
class Voter:
    """Voter with a weight: its name, its displayed title, and the system it is, if any."""

    name: str
    title: str
    tip: str
    system: int | None


def voters(systems: Systems) -> tuple[Voter, ...]:
    """All who have a weight: ⊤, ⊥, the truth where it is known, then the systems."""
    loaded = systems.loaded
    if loaded is None:
        return ()
    top, bottom = loaded.virtual
    found = [Voter(top, "⊤ all", TOP, None), Voter(bottom, "⊥ none", BOTTOM, None)]
    if systems.oracle is not None:
        title = "Your answers" if systems.oracle == ANSWERS else "Truth"
        found.append(Voter(systems.oracle, title, ORACLE, None))
    own = [Voter(name, name, VOTER, place) for place, name in enumerate(systems.names)]
    return (*found, *own)


class WeightsPanel(QWidget):
    """Rows that scroll where there are many; what a row asks for is done at once."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.systems = workbench.state(Systems)
        self._partial = workbench.state(PartialTruth)
        self.voters: tuple[Voter, ...] = ()
        self.rows: dict[str, SliderRow] = {}
        self.shares: dict[str, QLabel] = {}
        self._of: dict[QObject, int] = {}  # the system of a slider or name
        self.paper = self._button("As in the Paper", PAPER)
        self.without = self._button("Without ⊤ ⊥", SHARES)
        self.alone = self._button("Truth Alone", ALONE)
        self.answers = self._button("Your Answers", ANSWERED)
        self.state = set_up(QLabel(NO_VOTERS, wordWrap=True), tip=STATE, role="quiet")
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setMinimumWidth(BESIDE + NARROWEST + self._bar)
        self._lay_out()
        self.paper.clicked.connect(lambda _: self.systems.reset_weights())
        self.without.clicked.connect(lambda _: self.systems.leave_out_virtual())
        self.alone.clicked.connect(lambda _: self.systems.trust_truth())
        self.answers.clicked.connect(lambda _: self.systems.use_answers(self._partial.answers))
        self._partial.answers_changed.connect(self._offer_answers)
        self.systems.table_changed.connect(self._rebuild)
        self.systems.weights_changed.connect(self._rebuild)
        self.systems.chosen_changed.connect(self._mark)
        self._rebuild()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Choose the system whose slider is used."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.MouseButtonPress):
            system = self._of.get(watched)
            if system is not None:
                self.systems.choose_system(system)
        return super().eventFilter(watched, event)

    def _rebuild(self) -> None:
        """Other voters."""
        found = voters(self.systems)
        if found != self.voters:
            self.voters = found
            self._make_rows()
        self.alone.setVisible(self.systems.oracle is not None)
        self._offer_answers()
        for button in (self.paper, self.without, self.alone):
            button.setEnabled(bool(found))
        self._follow()
        self._mark()

    def _offer_answers(self) -> None:
        """Offer answers as an oracle as soon as there is one."""
        there = self.systems.table is not None and len(self._partial.answers) > 0
        self.answers.setVisible(there)

    def _make_rows(self) -> None:
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(LEFT, 4, RIGHT, 8)
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        self.rows, self.shares, self._of = {}, {}, {}
        for voter in self.voters:
            row = SliderRow(grid, voter.title, html.escape(voter.tip), 0.0, 1.0, STEP)
            row.field.setButtonSymbols(QDoubleSpinBox.ButtonSymbols.NoButtons)
            row.field.setFixedWidth(FIELD)
            row.wanted.connect(lambda value, name=voter.name: self.systems.set_weight(name, value))
            share = QLabel(alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            share.setFixedWidth(SHARE)
            share.setToolTip(rich(f"<p>The part of {html.escape(voter.title)} of all weights</p>"))
            grid.addWidget(share, grid.rowCount() - 1, 3)
            if voter.system is not None:
                row.label.setCursor(Qt.CursorShape.PointingHandCursor)
                for widget in (row.label, row.slider):
                    self._of[widget] = voter.system
                    widget.installEventFilter(self)
            self.rows[voter.name], self.shares[voter.name] = row, share
        grid.setRowStretch(grid.rowCount(), 1)
        self.area.setWidget(holder)
        self._fit_names()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give way with the names, not with sliders or numbers."""
        super().resizeEvent(event)
        self._fit_names()

    @property
    def _bar(self) -> int:
        return self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, self.area)

    def _fit_names(self) -> None:
        beside = BESIDE + self._bar
        bold = self.font()
        bold.setBold(True)  # as the chosen one is
        metrics, side = QFontMetrics(bold), Qt.TextElideMode.ElideMiddle
        widest = max((metrics.horizontalAdvance(each.title) for each in self.voters), default=0)
        width = max(NARROWEST, min(NAME, widest + 2, self.width() - beside))
        for voter in self.voters:
            label = self.rows[voter.name].label
            label.setText(metrics.elidedText(voter.title, side, width))
            label.setFixedWidth(width)

    def _follow(self) -> None:
        weights = self.systems.weights
        if not self.voters:
            self.state.setText(NO_VOTERS)
            return
        total = sum(weights.values())
        for name, row in self.rows.items():
            row.show_value(weights[name])
            self.shares[name].setText(f"{weights[name] / total:.1%}" if total else "–")
        found = self.systems.by_weights
        relevant = found.expected_relevant if found else None
        if not total:
            self.state.setText("Nobody counts: everything is undefined.")
        elif relevant is not None:
            self.state.setText(
                f"About {relevant:,.1f} items are relevant by these weights (ΣP(δ))."
            )
        else:
            self.state.setText("No item has a vote that counts: everything is undefined.")

    def _mark(self) -> None:
        for voter in self.voters:
            label = self.rows[voter.name].label
            chosen = voter.system is not None and voter.system == self.systems.system
            role = "" if chosen else "quiet"
            if label.property("role") != role or label.font().bold() != chosen:
                label.setProperty("role", role)
                label.style().polish(label)  # takes the font of its role
                font = label.font()
                font.setBold(chosen)
                label.setFont(font)
                if chosen:
                    self.area.ensureWidgetVisible(label)

    def _button(self, text: str, tip: str) -> QPushButton:
        button = set_up(QPushButton(text), tip=tip)
        button.setStyleSheet("padding: 4px 7px")
        return button

    def _lay_out(self) -> None:
        line = fill(
            Flow(4),
            self.paper,
            self.without,
            self.alone,
            self.answers,
            STRETCH,
            margins=(LEFT, 6, RIGHT, 4),
        )
        self.state.setContentsMargins(LEFT, 2, RIGHT, 4)
        in_column(line, self.state, (self.area, 1), of=self, margins=0, spacing=0)
