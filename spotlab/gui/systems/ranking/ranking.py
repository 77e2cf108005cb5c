"""Two rankings of the systems side by side: without truth and with it, or by two methods."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from spotlab.consensus.comparison import kendall
from spotlab.gui.kit.choice import Choice, Option
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.ranking.slope import SlopeChart, Slopes
from spotlab.gui.systems.ranking.superiority import BetterThan
from spotlab.gui.systems.ranking.system_methods import TRUE, figures_by, offered, system_colours
from spotlab.gui.systems.state import Systems
from spotlab.report.figure_text import written

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
        self.superiority = BetterThan(self.systems)
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
        line = QHBoxLayout()
        line.setContentsMargins(8, 4, 8, 2)
        line.addWidget(self.left, 1)
        line.addWidget(self.tau)
        line.addWidget(self.right, 1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.chart)
        column = QVBoxLayout(self._filled)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(scroll, 1)
        column.addWidget(self.superiority)
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
