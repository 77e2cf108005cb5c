"""Agreement with a second annotator, the differences, and the decisions on them."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedLayout,
    QWidget,
)

from spotlab.gui.annotate.second.actions import COMMANDS, ask_decisions, ask_second
from spotlab.gui.annotate.second.adjudication import Adjudication
from spotlab.gui.annotate.second.layer import answer_for
from spotlab.gui.annotate.second.second_annotator import SecondAnnotator
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.rows import RowColumn, RowModel
from spotlab.gui.kit.table_view import row_table
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import STRETCH, Choice, EmptyNote, Flow, Option, in_column, in_row
from spotlab.gui.workspace import Window
from spotlab.measures.agreement import KAPPA
from spotlab.model import Deed, Region
from spotlab.report.figure_text import UNDEFINED, written, written_area
from spotlab.studies.annotators.decisions import Decision, Outline
from spotlab.studies.annotators.differences import AnnotatorAgreement, DifferenceKind, RegionPair

OPEN = ("circle-outline", "#8a9099")
LOOKS = {
    Deed.KEPT: ("account-check-outline", "#009E73"),
    Deed.TAKEN: ("account-arrow-left-outline", "#be185d"),
    Deed.MERGED: ("set-merge", "#0072B2"),
    Deed.UNDECIDED: ("help-circle-outline", "#D55E00"),
}


class LabelRow(NamedTuple):
    """A label's agreement."""

    label: str
    mine: int
    theirs: int
    iou: float


class DifferenceRow(NamedTuple):
    """A difference as the table shows it."""

    pair: RegionPair
    decision: Decision | None


def label_rows(agreement: AnnotatorAgreement) -> list[LabelRow]:
    """A row for each label, in alphabetical order."""
    pairs = agreement.differences.pairs
    mine, theirs = (Counter(pair.labels[side] for pair in pairs) for side in (0, 1))
    return [
        LabelRow(label, mine[label], theirs[label], iou)
        for label, iou in sorted(agreement.iou_by_label.items())
    ]


def _label(region: Region | None) -> str:
    return UNDEFINED if region is None else region.label or "unlabeled"


def _look(row: DifferenceRow) -> tuple[str, str]:
    return OPEN if row.decision is None else LOOKS[row.decision.verdict]


def _decided(row: DifferenceRow) -> str:
    if row.decision is None:
        return "open"
    return f"{row.decision.verdict} by {row.decision.author}"


LABEL_COLUMNS = (
    RowColumn[LabelRow]("Label", lambda row: row.label),
    RowColumn[LabelRow]("Mine", lambda row: f"{row.mine:,}", right=True),
    RowColumn[LabelRow]("Theirs", lambda row: f"{row.theirs:,}", right=True),
    RowColumn[LabelRow](
        "Area IoU",
        lambda row: written(row.iou),
        right=True,
        head_tip="Area that both mark with the label, divided by the area that one of the two does",
    ),
)
DIFFERENCE_COLUMNS = (
    RowColumn[DifferenceRow](
        "Difference", lambda row: row.pair.kind.value, icon=lambda row: theme.icon(*_look(row))
    ),
    RowColumn[DifferenceRow]("Mine", lambda row: _label(row.pair.first)),
    RowColumn[DifferenceRow]("Theirs", lambda row: _label(row.pair.second)),
    RowColumn[DifferenceRow](
        "IoU",
        lambda row: written(row.pair.iou),
        right=True,
        head_tip="Intersection over union of the two outlines; regions match from 0.5 on",
    ),
    RowColumn[DifferenceRow](
        "Disputed",
        lambda row: written_area(row.pair.disputed),
        right=True,
        head_tip="Area that the two do not agree on: all of it where the labels differ or one has "
        "no region, else what only one outline encloses. The table is sorted by it",
    ),
    RowColumn[DifferenceRow]("Decision", _decided),
)


EMPTY = "Open the folder of a person who has drawn the same pages, to compare and decide."
AREA = "Area that both mark with the same label, divided by the area that one of the two does."
OUTLINES = (
    Option(Outline.HULL, "as hull", "The convex hull of both"),
    Option(Outline.UNION, "as union", "What one of the two encloses"),
    Option(Outline.COMMON, "as common part", "What both enclose"),
)


_ROOMY = 480  # px


class SecondPanel(LivePanel):
    """Follows the open page while it is drawn; N and P step, K, T, M and U decide."""

    def __init__(self, window: Window) -> None:
        super().__init__()
        self.workbench = window.workbench
        self.second = self.workbench.state(SecondAnnotator)
        self.deciding = self.workbench.state(Adjudication)
        self.title, self.figures, self.counts = QLabel(), QLabel(), QLabel()
        self.title.setProperty("role", "heading")
        self.figures.setToolTip(rich(f"<p><b>Area IoU</b> {AREA}</p><p><b>κ</b> {KAPPA}</p>"))
        for label in (self.figures, self.counts):
            label.setWordWrap(True)
        self.label_model = RowModel[LabelRow](LABEL_COLUMNS, self)
        self.labels = row_table(self.label_model, "Agreement by label", (120, 55, 60, 70), self)
        self.labels.setMaximumHeight(130)
        self.model = RowModel[DifferenceRow](DIFFERENCE_COLUMNS, self)
        widths = (115, 76, 76, 44, 80, 120)
        self.table = row_table(self.model, "Differences, worst first", widths, self)
        self.table.installEventFilter(self)
        self.table.setMinimumHeight(110)
        self.match = _limit(0.05, "Minimum IoU of regions that match, whatever their labels")
        self.alike = _limit(0.5, "Minimum IoU of outlines that count as alike")
        self.outline = Choice(OUTLINES, "Outline of merged regions")
        self.progress = QProgressBar()
        self.progress.setMinimumHeight(22)
        self.folder = QPushButton("Folder for decisions…")
        self.folder.clicked.connect(partial(ask_decisions, window))
        self.opener = set_up(QPushButton("Open Folder…"), does=partial(ask_second, window))
        self.buttons = {
            each.name: set_up(
                QPushButton(f"{each.button} ({each.key})"),
                tip=each.tip,
                focus=False,
                does=lambda _, does=each.does: does(self.deciding),
            )
            for each in COMMANDS
            if each.button
        }
        self._lay_out()
        self.table.clicked.connect(self._choose)
        for field in (self.match, self.alike):
            field.valueChanged.connect(self._set_limits)
        self.outline.chosen.connect(self._set_outline)
        theme.repainted.changed.connect(self.refresh_soon)
        self.redraw_on(self.second.changed, self.deciding.changed)
        self.follow(self.second.current_changed, self._follow_current)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys mean in the table what they mean on the page."""
        if isinstance(event, QKeyEvent) and event.type() in (
            QEvent.Type.KeyPress,
            QEvent.Type.ShortcutOverride,
        ):
            answer = answer_for(self.workbench, event)
            if answer is not None:
                if event.type() == QEvent.Type.KeyPress:
                    answer()
                event.accept()
                return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the table of labels where there is little room."""
        self.labels.setVisible(event.size().height() >= _ROOMY)
        super().resizeEvent(event)

    def draw(self) -> None:
        """Show everything as it is now."""
        second = self.second
        self._stack.setCurrentIndex(1 if second.active else 0)
        for field, value in ((self.match, second.match), (self.alike, second.alike)):
            with QSignalBlocker(field):
                field.setValue(value)
        agreement = second.agreement
        self.title.setText(f"{second.name} and me")
        self.figures.setText(self._figures())
        self.counts.setVisible(agreement is not None)
        rows = []
        if agreement is not None:
            counts = agreement.differences.counts
            parts = [f"{counts[kind]:,} {kind}" for kind in reversed(DifferenceKind)]
            self.counts.setText(" · ".join(parts))
            pairs = agreement.differences.differences
            rows = [DifferenceRow(pair, self.deciding.decision(pair)) for pair in pairs]
        self.label_model.show_rows([] if agreement is None else label_rows(agreement))
        self.model.show_rows(
            rows, same=[r.pair for r in rows] == [r.pair for r in self.model.shown]
        )
        decided, count = self.deciding.progress
        self.progress.setVisible(self.deciding.log is not None)
        self.progress.setMaximum(max(1, count))
        self.progress.setValue(decided)
        if count == 0:
            self.progress.setFormat("no differences")
        else:
            self.progress.setFormat(f"{decided:,} of {count:,} decided")
        self.folder.setVisible(self.deciding.log is None)
        self._follow_current()

    def _figures(self) -> str:
        second = self.second
        if second.problem:
            return second.problem
        if second.agreement is None:
            here = second.here is not None
            return "Comparing …" if here else f"{second.name} has no truth of this page."
        agreement = second.agreement
        return f"Area IoU {written(agreement.iou)} · κ {written(agreement.differences.kappa)}"

    def _follow_current(self) -> None:
        """Select the current pair, and show it."""
        current = self.second.current
        both = current is not None and None not in (current.first, current.second)
        for name, button in self.buttons.items():
            button.setEnabled(both if name == "merge" else current is not None)
        row = next((at for at, row in enumerate(self.model.shown) if row.pair is current), -1)
        if row < 0 or current is None:
            self.table.clearSelection()
        else:
            self.table.selectRow(row)
            self.table.scrollTo(self.model.index(row, 0))

    def _choose(self, index: QModelIndex) -> None:
        self.second.set_current(self.model.shown[index.row()].pair)

    def _set_limits(self) -> None:
        self.second.set_limits(round(self.match.value(), 2), round(self.alike.value(), 2))

    def _set_outline(self, outline: Outline) -> None:
        self.deciding.outline = outline

    def _lay_out(self) -> None:
        nothing = EmptyNote(EMPTY)
        empty, filled = QWidget(), QWidget()
        in_column(
            STRETCH,
            nothing,
            (self.opener, Qt.AlignmentFlag.AlignCenter),
            STRETCH,
            of=empty,
            margins=(12, 10, 12, 10),
        )
        column = in_column(of=filled, margins=(12, 10, 12, 10), spacing=6)
        alike, deciding = Flow(6, 2), Flow(4, 2)
        for text, field in (("IoU: match ≥", self.match), ("alike ≥", self.alike)):
            alike.addWidget(_named(text, field))
        for name, button in self.buttons.items():
            deciding.addWidget(button)
            if name == "merge":
                deciding.addWidget(self.outline)
        for widget in (self.title, self.figures, self.counts, self.labels):
            column.addWidget(widget)
        column.addLayout(alike)
        column.addWidget(self.table, 1)
        column.addLayout(deciding)
        column.addWidget(self.folder)
        column.addWidget(self.progress)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(empty)
        self._stack.addWidget(filled)


def _named(text: str, field: QWidget) -> QWidget:
    """A field and what is left of it, in the same line however narrow the panel is."""
    both = QWidget()
    in_row(QLabel(text), field, of=both, margins=0, spacing=6)
    return both


def _limit(least: float, tip: str) -> QDoubleSpinBox:
    """A field for an IoU."""
    field = set_up(QDoubleSpinBox(), tip=tip, name=tip)
    field.setRange(least, 1.0)
    field.setSingleStep(0.05)
    field.setKeyboardTracking(False)
    return field
