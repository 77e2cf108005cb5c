"""The line over the tables of a comparison: which runs, how F changes, and what the page shows."""

from __future__ import annotations

import html

from PySide6.QtWidgets import QButtonGroup, QLabel, QToolButton, QWidget

from spotlab.errors import counted
from spotlab.gui.inspect.state.comparison import ComparisonSide, ComparisonState
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import icons
from spotlab.gui.kit.choice import Choice, Option
from spotlab.gui.kit.flow import Flow
from spotlab.gui.kit.plain_text import rich
from spotlab.report.figure_text import UNDEFINED, written, written_difference
from spotlab.studies.evaluate.inspected_run import InspectedRun

NOBODY = "Nothing"
SIDES = {
    ComparisonSide.DIFFERENCES: (
        "Differences",
        "Show what only A found, only B, both, and neither (Shift+B)",
    ),
    ComparisonSide.FIRST: ("A", "Show run A alone; B flips between A and B"),
    ComparisonSide.SECOND: ("B", "Show run B alone; B flips between A and B"),
    ComparisonSide.BOTH: (
        "Side by Side",
        "Show A at the left and B at the right, with linked zoom (Ctrl+B)",
    ),
}


class CompareHead(QWidget):
    """Boxes to choose both runs, a button that swaps them, and what the page shows."""

    def __init__(self, comparison: ComparisonState, inspection: Inspection) -> None:
        super().__init__()
        self._comparison = comparison
        self._inspection = inspection
        self.first: Choice[InspectedRun | None] = Choice(name="Run A")
        self.second: Choice[InspectedRun | None] = Choice(name="Run B")
        for box, name in ((self.first, "Run A, the current run"), (self.second, "Run B")):
            box.setToolTip(f"{name}; changes go from A to B")
            box.give_way()
            box.setFixedWidth(112)
        self.first.chosen.connect(self._choose_first)
        self.second.chosen.connect(comparison.choose)
        self.swap = QToolButton()
        self.swap.setToolTip("Swap A and B")
        self.swap.setAccessibleName("Swap A and B")
        self.swap.clicked.connect(comparison.swap)
        self.sides = {side: self._chip(side) for side in ComparisonSide}
        self.change = QLabel()
        self._group = QButtonGroup(self)
        row = Flow(4, 2)
        row.setContentsMargins(8, 4, 8, 2)
        for widget in (QLabel("A"), self.first, self.swap, QLabel("B"), self.second):
            row.addWidget(widget)
        for chip in self.sides.values():
            self._group.addButton(chip)
            row.addWidget(chip)
        row.addStretch()
        row.addWidget(self.change)
        self.setLayout(row)
        comparison.side_changed.connect(self._follow_side)
        icons.repainted.changed.connect(self._paint_icons)
        self._paint_icons()

    def follow(self) -> None:
        """Show the runs that are compared, and how F changes."""
        comparison, runs = self._comparison, tuple(self._inspection.runs)
        self.first.offer(Option(run, run.name) for run in runs)
        self.first.show_value(comparison.first)
        options: list[Option[InspectedRun | None]] = [Option(None, NOBODY, "Compare nothing")]
        options += [Option(run, run.name) for run in comparison.others]
        self.second.offer(options)
        self.second.show_value(comparison.second)
        self.swap.setEnabled(comparison.on)
        self.second.setEnabled(bool(comparison.others))
        self._follow_side()
        self._follow_change()

    def _follow_side(self) -> None:
        for side, chip in self.sides.items():
            chip.setVisible(self._comparison.on)
            chip.setChecked(side is self._comparison.side)

    def _follow_change(self) -> None:
        comparison, figures = self._comparison, self._comparison.figures
        self.change.setVisible(comparison.on)
        if figures is None:
            self.change.setText("comparing …")
            return
        mean = figures.mean["f"]
        if mean.value is None:
            said = UNDEFINED
        elif mean.difference is None:
            said = written(mean.value, "change")
        else:
            said = written_difference(mean.difference)
        self.change.setText(rich(f"<b>ΔF {html.escape(said)}</b>"))
        lines = [
            f"<p>{title}: A {written(each.before)}, B {written(each.after)}, change "
            f"{UNDEFINED if each.value is None else written(each.value, 'change')}</p>"
            for title, each in (
                ("F", mean),
                ("Area precision", figures.mean["area_precision"]),
                ("Area recall", figures.mean["area_recall"]),
            )
        ]
        self.change.setToolTip(
            rich(
                f"{''.join(lines)}<p>Means at the cut over the "
                f"{counted(mean.queries, 'query')} that both "
                "runs have the figure of. B minus A; in brackets the 95 % bootstrap interval over "
                "queries, and p of the paired randomisation test.</p>"
            )
        )

    def _choose_first(self, run: InspectedRun | None) -> None:
        runs = list(self._inspection.runs)
        if run is self._comparison.second:
            self._comparison.swap()
        elif run is not None and run in runs:
            self._inspection.runs.choose(runs.index(run))

    def _chip(self, side: ComparisonSide) -> QToolButton:
        title, tip = SIDES[side]
        chip = QToolButton()
        chip.setText(title)
        chip.setToolTip(tip)
        chip.setCheckable(True)
        chip.clicked.connect(lambda _=False: self._comparison.show(side))
        return chip

    def _paint_icons(self) -> None:
        self.swap.setIcon(icons.icon("swap-horizontal"))
