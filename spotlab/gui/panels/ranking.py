"""Two rankings of the systems side by side: without truth and with it, or by two methods."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from spotlab.consensus.comparison import kendall
from spotlab.gui.better_than import BetterThan
from spotlab.gui.flow import give_way
from spotlab.gui.plots.slope import SlopeChart, Slopes
from spotlab.gui.system_methods import TRUE, figures_by, offered, system_colours
from spotlab.gui.workbench import Workbench
from spotlab.report.figure_text import written

NOTHING = "Open votes to see how the systems rank."
CHOSEN = "chosen"  # the method that the figures show
WITH_TRUTH = "With truth"
OTHER = "share"  # is compared with where the truth is not known
TAU = (
    "<p><b>Kendall's τ</b> of these two rankings by F: 1 where each two systems are in the same "
    "order, −1 where each two are in the opposite order.</p>"
)
TIP = "A ranking by F: of a method, or with truth where that is known"


class RankingPanel(QWidget):
    """A slope chart, and which rankings it compares."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.systems = workbench.systems
        self.chart = SlopeChart()
        self.left, self.right = QComboBox(), QComboBox()
        self.tau = QLabel()
        self.better = BetterThan(self.systems)
        self.tau.setToolTip(TAU)
        self._truth: bool | None = None
        self._choices: tuple[tuple[str, str], ...] = ()
        self._lay_out()
        self._connect()
        self._rebuild()

    def refresh(self) -> None:
        """Draw the two rankings as they are now."""
        systems = self.systems
        names = [self._method(combo) for combo in (self.left, self.right)]
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
        self.tau.setText(f"τ <b>{written(kendall(first.f, second.f))}</b>")

    def _method(self, combo: QComboBox) -> str:
        place = combo.currentIndex()
        name = self._choices[place][0] if 0 <= place < len(self._choices) else CHOSEN
        return self.systems.method if name == CHOSEN else name

    def _rebuild(self) -> None:
        truth = self.systems.truth is not None
        choices = [(CHOSEN, "Chosen method")]
        choices += [(TRUE, WITH_TRUTH)] if truth else []
        choices += [(each.name, each.title) for each in offered(self.systems)]
        if tuple(choices) != self._choices:
            kept = [self._choices[c.currentIndex()][0] for c in (self.left, self.right)
                    if self._choices]  # fmt: skip
            self._choices = tuple(choices)
            names = [name for name, _ in choices]
            first = kept[0] if kept else CHOSEN
            second = kept[1] if kept and truth == self._truth else TRUE if truth else OTHER
            for combo, name in ((self.left, first), (self.right, second)):
                combo.blockSignals(True)
                combo.clear()
                combo.addItems([title for _, title in choices])
                combo.setCurrentIndex(names.index(name) if name in names else 0)
                combo.blockSignals(False)
            self._truth = truth
        self.refresh()

    def _lay_out(self) -> None:
        for combo, name in ((self.left, "Left ranking"), (self.right, "Right ranking")):
            combo.setAccessibleName(name)
            combo.setToolTip(TIP)
            give_way(combo)
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
        column.addWidget(self.better)
        self.nothing = QLabel(NOTHING, wordWrap=True)
        self.nothing.setProperty("role", "quiet")
        self.nothing.setContentsMargins(12, 12, 12, 12)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.stack = QStackedLayout(self)
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(self._filled)

    def _connect(self) -> None:
        systems = self.systems
        for combo in (self.left, self.right):
            combo.currentIndexChanged.connect(lambda _: self.refresh())
        self.chart.chosen.connect(systems.choose_system)
        systems.table_changed.connect(self._rebuild)
        systems.comparison_changed.connect(self._rebuild)
        systems.weights_changed.connect(self.refresh)
        systems.method_changed.connect(self.refresh)
        systems.chosen_changed.connect(lambda: self.chart.show_chosen(systems.system))
