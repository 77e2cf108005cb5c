"""The ranking: precision, recall and F of every system, without truth and with it, best first."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QToolButton, QWidget

from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.rows import BY_NAME, Rows
from spotlab.gui.kit.table_view import FiguresView
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Choice, EmptyNote, Flow, Option, fill, in_column
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.ranking.ranking import AdviceStrip
from spotlab.gui.systems.ranking.systems_rows import (
    VIRTUAL,
    VIRTUAL_ROWS,
    Offered,
    Shown,
    columns_menu,
    figures_shown,
    in_sight,
    interval_parts,
    intervals_by,
    offered,
    shown_by,
    system_colours,
    system_rows,
    virtual_rows,
)
from spotlab.gui.systems.state import KENDALL, ShownTables, Systems
from spotlab.report.figure_text import written

NOTHING = "Open votes to see how good each system is, by what all of them agree on."
WAITING = "This method is being computed …"
SPEARMAN = rich(
    "<p><b>Spearman's ρ</b></p><p>The correlation of the ranks by F with those with truth: 1 same "
    "order, 0 none, −1 opposite. Larger: the estimate ranks the systems more as the truth does.</p>"
)
ERRORS = rich(
    "<p><b>Mean errors</b></p><p>The mean absolute difference of precision, recall and F from "
    "those with truth, over the systems where both are defined. Smaller: the estimate is "
    "nearer.</p>"
)
OTHERS = "others"  # chosen to be offered all methods
OTHERS_TIP = "Offer all methods, and the corrections for groups of systems"
NAMES, WIDEST, SWATCH, NARROWEST = 90, 230, 44, 44  # px


class SystemsFiguresPanel(QWidget):
    """A line for each system, by the chosen method; a click on a line chooses the system."""

    answers_wanted = Signal()

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.systems = workbench.state(Systems)
        self._shown = workbench.state(ShownTables)
        self._offered: tuple[Offered, ...] = ()
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._rebuild()

    def refresh(self) -> None:
        """Show what the chosen method says of all systems."""
        shown = self._fill()
        self.table.mark(self.systems.system)
        self._say_method()
        self._say_nearness(shown)

    def _rebuild(self) -> None:
        """Other systems, other methods, or the truth is known."""
        self._offer_methods()
        figures = figures_shown(self.systems.truth is not None)
        if figures != self.table.model.figures:
            self.table.model.use_figures(figures)
            self.table.summary.use_figures(figures)
            self._sort_as_chosen()
        self._use_columns()
        names = [*self.systems.names, *VIRTUAL]
        longest = max(self.table.fontMetrics().horizontalAdvance(name) for name in names)
        self.table.use_name_width(min(max(longest + SWATCH, NAMES), WIDEST))
        self.refresh()

    def _sort_as_chosen(self) -> None:
        """Sort by what was chosen, as soon as there is a column of it."""
        column = self._column_named(self._shown.choices.column)
        if column is not None:
            self.table.sort_by(column, self._shown.choices.falling)

    def _column_named(self, name: str) -> int | None:
        columns = {figure.name: at for at, figure in enumerate(self.table.model.figures)}
        return BY_NAME if not name else columns.get(name)

    def _keep_order(self, column: int, falling: bool) -> None:
        name = "" if column == BY_NAME else self.table.model.figures[column].name
        self._shown.choose(column=name, falling=falling)

    def _use_columns(self) -> None:
        self.table.use_columns(self.columns.chosen)

    def _show_columns(self) -> None:
        """Other columns are chosen."""
        self._use_columns()
        self.refresh()
        self.table.fit_columns()

    def _offer_methods(self) -> None:
        self._offered = offered(self.systems)
        shown = in_sight(self.systems)
        advice = self.systems.advice
        best = advice.method if advice else ""
        options = [
            Option(each.name, each.title + " (recommended)" * (each.name == best), _tip(each))
            for each in shown
        ]
        if len(shown) < len(self._offered):
            options.append(Option(OTHERS, "Other methods …", OTHERS_TIP))
        self.method.offer(options)
        self.method.show_value(self.systems.method)

    def _choose_method(self, name: str) -> None:
        """Judge by a method, or offer all."""
        if name != OTHERS:
            self.systems.set_method(name)
            return
        self.systems.offer_all()
        self.method.showPopup()

    def _fill(self) -> Shown | None:
        systems, loaded = self.systems, self.systems.loaded
        shown = shown_by(systems, systems.method)
        if loaded is None or shown is None:
            self.nothing.setText(NOTHING if loaded is None else WAITING)
            self.stack.setCurrentWidget(self.nothing)
            return None
        rows = system_rows(
            systems.names, shown, systems.truth, intervals_by(systems, systems.method),
            system_colours(systems), interval_parts(self.columns.chosen),
        )  # fmt: skip
        virtual = Rows()
        if VIRTUAL_ROWS in self.columns.chosen:
            virtual = virtual_rows(loaded, shown, systems.truth is not None)
        before = self.table.model.rows, self.table.summary.rows
        same = rows.names == before[0].names and virtual.names == before[1].names
        if (
            self.stack.currentWidget() is self.table
            and same
            and bool(before[0].notes) >= bool(rows.notes)
        ):
            self.table.model.set_rows(rows)  # widths stay while a slider moves
            self.table.summary.set_rows(virtual)
        else:
            self.stack.setCurrentWidget(self.table)
            self.table.show_rows(rows, virtual)
        return shown

    def _say_method(self) -> None:
        self.method.setEnabled(self.systems.table is not None)
        chosen = next((e for e in self._offered if e.name == self.systems.method), None)
        if chosen is None:
            return
        self.method.setToolTip(_tip(chosen))
        offered_only = "A correction for groups of systems. " * chosen.correction
        remark = f" {chosen.remark[:1].upper()}{chosen.remark[1:]}." if chosen.remark else ""
        first, _, more = chosen.assumption.partition(". ")
        said = first + "." * bool(more)  # all of it is in the tooltip
        self.assumption.setText(f"{offered_only}{said}{remark}")
        self.assumption.setToolTip(_tip(chosen))
        self.assumption.setVisible(self.systems.table is not None)

    def _say_nearness(self, shown: Shown | None) -> None:
        near = shown.nearness if shown else None
        self.near.setVisible(near is not None)
        if near is None:
            return
        self.tau.setText(rich(f"τ <b>{written(near.kendall)}</b>"))
        self.rho.setText(rich(f"ρ <b>{written(near.spearman)}</b>"))
        errors = (near.precision_error, near.recall_error, near.f_error)
        told = " · ".join(
            f"{name} {written(error)}" for name, error in zip(("P", "R", "F"), errors, strict=True)
        )
        self.errors.setText(f"errors {told}")

    def _choose(self, key: object) -> None:
        if isinstance(key, int):  # not ⊤ or ⊥
            self.systems.choose_system(key)

    def _make_widgets(self) -> None:
        self.method: Choice[str] = Choice(name="Method")
        self.method.give_way()
        self.assumption = set_up(QLabel(wordWrap=True), role="quiet")
        self.tau, self.rho, self.errors = QLabel(), QLabel(), QLabel()
        for label, tip in ((self.tau, KENDALL), (self.rho, SPEARMAN), (self.errors, ERRORS)):
            label.setToolTip(tip)
        self.advice = AdviceStrip(self.systems)
        self.columns = columns_menu(self.workbench.settings, self)
        self.choose_columns = set_up(
            QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon),
            text="Columns", icon="chevron-down", menu=self.columns,
            tip="Choose the columns, the intervals, and rows of ⊤ and ⊥",
        )  # fmt: skip
        self.table = FiguresView("System", tall=False, narrowest=NARROWEST, inline=True)
        self.setFocusProxy(self.table.body)
        self.nothing = EmptyNote(NOTHING)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(self.table)

    def _lay_out(self) -> None:
        self.near = QWidget()
        line = Flow(12, 0)
        line.setContentsMargins(6, 2, 4, 2)
        self.near.setLayout(line)
        for label in (self.tau, self.rho, self.errors):
            line.addWidget(label)
        self.assumption.setContentsMargins(12, 0, 12, 2)
        head = fill(Flow(), self.method, self.near, self.choose_columns, margins=(8, 4, 8, 2))
        self.head = QWidget()
        self.head.setLayout(head)
        in_column(
            self.advice, self.head, self.assumption, (self.stack, 1), of=self, margins=0, spacing=2
        )

    def _connect(self) -> None:
        systems = self.systems
        self.method.chosen.connect(self._choose_method)
        self.advice.answers_wanted.connect(self.answers_wanted.emit)
        self.table.columns_wanted.connect(self.columns.popup)
        self.columns.changed.connect(self._show_columns)
        self.table.chosen.connect(self._choose)
        self.table.copied.connect(self.table.copy)
        self.table.order_chosen.connect(self._keep_order)
        self._shown.changed.connect(self._sort_as_chosen)
        systems.table_changed.connect(self._rebuild)
        systems.comparison_changed.connect(self._rebuild)
        systems.answered_changed.connect(self._rebuild)
        systems.weights_changed.connect(self.refresh)
        systems.method_changed.connect(self._offer_methods)
        systems.method_changed.connect(self.refresh)
        systems.chosen_changed.connect(lambda: self.table.mark(systems.system), self)


def _tip(offer: Offered) -> str:
    remark = f"<p>{html.escape(offer.remark)}</p>" if offer.remark else ""
    return rich(
        f"<p><b>{html.escape(offer.title)}</b></p><p>{html.escape(offer.definition)}</p>"
        f"<p>{html.escape(offer.assumption)}</p>{remark}"
    )
