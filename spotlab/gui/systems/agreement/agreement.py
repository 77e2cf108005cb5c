"""Agreement of systems, groups that err together, and the ranking without that effect."""

from __future__ import annotations

import html
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QLabel, QMenu, QSplitter, QTabWidget, QToolTip, QWidget

from spotlab.consensus.agreement import Agreement
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import chips_of
from spotlab.gui.kit.panel import LivePanel, PanelArea
from spotlab.gui.kit.plots.curve_plot import ColourScale
from spotlab.gui.kit.plots.export import PlotChoice, PlotOffer, ask_plot
from spotlab.gui.kit.plots.readout import stepped
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import (
    STRETCH,
    Choice,
    EmptyNote,
    Flow,
    Option,
    fill,
    in_column,
    in_row,
    one_of,
)
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.agreement.agreement_plot import MAP, AgreementPlot, Cell
from spotlab.gui.systems.agreement.corrections import CorrectionList, GroupRankings
from spotlab.gui.systems.state import Systems
from spotlab.progress import Progress
from spotlab.report.colours import run_colour
from spotlab.report.figure_text import written
from spotlab.studies.systems.comparison import SystemComparison

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALONE = "No groups: no systems were found to err together."


def describe_pair(agreed: Agreement, cell: Cell) -> str:
    """Return what is known of the agreement of two systems.

    ``cell`` has their places in the matrix.
    """
    one, other = (int(agreed.order[place]) for place in cell)
    names = [html.escape(agreed.systems[at]) for at in (one, other)]
    shared = f"{int(agreed.both[one, other]):,} shared items"
    if one == other:
        return rich(f"<p style='white-space:pre'><b>{names[0]}</b><br>{shared}</p>")
    phi, jaccard = float(agreed.phi[one, other]), float(agreed.jaccard[one, other])
    return rich(
        f"<p style='white-space:pre'><b>{names[0]}</b><br><b>{names[1]}</b><br>"
        f"φ {written(phi)}, Jaccard {written(jaccard)}, {shared}</p>"
    )


def describe_groups(comparison: SystemComparison, colour_of: Callable[[int], str]) -> str:
    """Every group of several systems, by name, colour and members."""
    groups, parts = comparison.groups, []
    for number, name in enumerate(groups.names):
        if groups.sizes[number] > 1:
            members = [comparison.systems[at] for at in np.flatnonzero(groups.label == number)]
            parts.append(
                f'<span style="color:{colour_of(number)}">■</span> '
                f"<b>{html.escape(name)}</b>: {html.escape(', '.join(members))}"
            )
    return rich("<br>".join(parts) or ALONE)


BESIDE = QPoint(14, 10)  # px from the pointer to its tooltip
NOTHING = "Open votes to see which systems agree,\nand which err together."
WAIT = "Comparing the systems…"
ONE = "There is one system only: it agrees with nobody else."
NO_GROUPS = "No systems share a group. Group them by a factor, if the votes tell one (#engine,…)."
FOUND = "as found"
MEASURES = {
    "phi": ("φ", "Correlation of two systems' votes over the items that both voted on: 1 alike, "
            "0 unrelated, −1 opposite. Undefined below 5 such items, or where one votes alike on "
            "all of them."),
    "jaccard": ("Jaccard", "Items that both vote for over items that either votes for, among those "
                "that both voted on. Undefined where neither votes for any."),
}  # fmt: skip


def _printed(
    comparison: SystemComparison, measure: str, choice: PlotChoice, _progress: Progress
) -> Figure:
    from spotlab.report.studies.consensus import agreement_chart  # noqa: PLC0415 - matplotlib

    groups = comparison.groups
    colours = {name: run_colour(number) for number, name in enumerate(groups.names)}
    return agreement_chart(comparison.agreement, groups.label, measure, colours, choice.width)


class AgreementPanel(LivePanel):
    """An image, the groups in it, rankings within these, corrections that are offered."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.systems = workbench.state(Systems)
        self.measure = "phi"
        self._make_widgets()
        self._lay_out()
        self._connect()
        self.paint_in_theme()

    def paint_in_theme(self) -> None:
        """Use the colours of the palette in the plot."""
        self.plot.paint_in(theme.colours(self.palette()))

    def draw(self) -> None:
        """Show the comparison as it is now."""
        comparison, loaded = self.systems.comparison, self.systems.loaded
        why = ""
        if loaded is None:
            why = NOTHING
        elif loaded.systems < 2:
            why = ONE
        elif comparison is None:
            why = WAIT
        self.nothing.setText(why)
        self.stack.setCurrentWidget(self.nothing if why else self._filled)
        if why or comparison is None:
            return
        self._offer_factors()
        agreed = comparison.agreement
        values = agreed.phi if self.measure == "phi" else agreed.jaccard
        self.plot.show_agreement(agreed, comparison.groups, values)
        self.scale.show_levels(*self.plot.levels())
        groups, warnings = comparison.groups, comparison.warnings
        said = [groups.brief_warning if each == groups.warning else each for each in warnings]
        self.warning.setText("\n".join(filter(None, said)))
        whole = "".join(f"<p>{html.escape(each)}</p>" for each in warnings)
        self.warning.setToolTip(rich(whole))
        self._warning.setVisible(bool(comparison.warnings))
        self.legend.setText(describe_groups(comparison, self.plot.colour_of))
        self.rankings.show_groups(comparison, self._colours())
        self.rankings.setVisible(bool(comparison.grouped))
        self.no_groups.setVisible(not comparison.grouped)
        self.corrections.show_corrections(comparison, self.systems.method)
        self._follow_choice()

    def choose_measure(self, measure: str) -> None:
        """Show "phi" or "jaccard"."""
        self.measure = measure
        self.chips[measure].setChecked(True)
        self.refresh()

    def _colours(self) -> dict[str, str]:
        comparison = self.systems.comparison
        names = comparison.groups.names if comparison else ()
        return {name: self.plot.colour_of(number) for number, name in enumerate(names)}

    def _offer_factors(self) -> None:
        table = self.systems.table
        factors = list(table.factors) if table else []
        choices: list[Option[str | None]] = [Option(None, FOUND)]
        choices += [Option(name, name) for name in factors]
        self.factor.offer(choices)
        self.factor.show_value(self.systems.group_by)
        self.factor.setEnabled(bool(factors))

    def _follow_choice(self) -> None:
        self.plot.show_chosen(self.systems.system)
        self.rankings.show_chosen(self.systems.system)

    def _hover(self, cell: Cell | None) -> None:
        self.plot.show_hover(cell)
        agreed = self.plot.agreement
        if cell is None or agreed is None:
            QToolTip.hideText()
            return
        QToolTip.showText(QCursor.pos() + BESIDE, describe_pair(agreed, cell), self.plot.viewport())

    def _click(self, cell: Cell | None) -> None:
        agreed = self.plot.agreement
        if cell is not None and agreed is not None:
            self.systems.choose_system(int(agreed.order[cell[0]]))

    def _move(self, step: int) -> None:
        agreed = self.plot.agreement
        if agreed is None:
            return
        place = stepped(self.plot.place_of(self.systems.system), step, len(self.plot))
        self.systems.choose_system(int(agreed.order[place]))

    def _make_widgets(self) -> None:
        self.nothing = EmptyNote()
        self.warning, self.legend = QLabel(), QLabel()
        self.no_groups = EmptyNote(NO_GROUPS)
        self.warning.setWordWrap(True)
        self.legend.setWordWrap(True)
        self.plot = AgreementPlot()
        self.scale = ColourScale(
            MAP, "Colours of agreement, from the lowest shown, at most 0, to 1, the same votes"
        )
        self.rankings, self.corrections = GroupRankings(), CorrectionList()
        self.factor: Choice[str | None] = Choice(name="Group by")
        self.factor.setToolTip(
            "Compare the systems that share a factor, as a line #engine in the votes tells it, "
            "among themselves; else those that were found to err together"
        )
        options = {name: (title, rich(f"<p>{tip}</p>")) for name, (title, tip) in MEASURES.items()}
        self.chips = chips_of(options, self.measure, self.choose_measure, self)
        self.menu = QMenu(self)
        self.menu.addAction("Show All of the Matrix", self.plot.reset_view)
        action = self.menu.addAction("Save Matrix…")
        action.triggered.connect(lambda _: self.save_picture())

    def save_picture(self) -> None:
        """Offer the matrix for print."""
        workbench, comparison = self.workbench, self.systems.comparison
        if comparison is not None:
            offer = PlotOffer("agreement", partial(_printed, comparison, self.measure))
            ask_plot(self, offer, workbench.collection.folder, workbench.said.emit)

    def _lay_out(self) -> None:
        self._filled, self._warning = QWidget(), QWidget()
        strip = in_row(of=self._warning, margins=(0, 0, 0, 2))
        sign = QLabel("⚠")
        strip.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        strip.addWidget(self.warning, 1)
        head = fill(Flow(), *self.chips.values(), STRETCH, QLabel("Group by"), self.factor)
        upper = QWidget()
        in_column(
            self._warning,
            head,
            (self.plot, 1),
            self.scale,
            self.legend,
            of=upper,
            margins=(8, 4, 8, 6),
            spacing=3,
        )
        self.tabs = QTabWidget(documentMode=True)
        within = QWidget()
        in_column(self.rankings, self.no_groups, of=within, margins=0)
        self.tabs.addTab(within, "Within Groups")
        self.tabs.addTab(self.corrections, "Corrections")
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(PanelArea(upper))  # scrolled where it is low
        splitter.addWidget(self.tabs)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        in_column(splitter, of=self._filled, margins=0)
        self.stack = one_of(self, self.nothing, self._filled)

    def _connect(self) -> None:
        systems = self.systems
        self.redraw_on(systems.table_changed, systems.comparison_changed)
        self.follow(systems.chosen_changed, self._follow_choice)
        systems.method_changed.connect(lambda: self.corrections.show_method(systems.method), self)
        self.plot.hovered.connect(self._hover)
        self.plot.clicked.connect(self._click)
        self.plot.moved.connect(self._move)
        self.plot.menu_wanted.connect(self.menu.popup)
        self.rankings.chosen.connect(systems.choose_system)
        self.corrections.wanted.connect(
            lambda name: systems.set_method(name) if name else systems.follow_advice()
        )
        self.factor.chosen.connect(systems.set_group_by)
