"""Settings for measuring runs: a small separate window whose choices apply immediately."""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spotlab.api.settings import EvaluationSettings
from spotlab.errors import SpotlabError
from spotlab.formats.rows.csv_rows import rows_of
from spotlab.formats.rows.text_files import read_head
from spotlab.formats.runs.format import FORMS, ColumnChoice, UnknownColumns, find_roles
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.controls import set_up, show_only
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.widgets import Choice, Option, describe, in_column
from spotlab.gui.workspace import Window
from spotlab.measures.measure import MeasureSettings, Missing, Sizes
from spotlab.measures.tally import Overlap
from spotlab.model import Primitive

PAUSE = 250  # ms of stillness until everything is computed again
OVERLAPS = (Option(Overlap.UNION, "Union"), Option(Overlap.SUM, "Sum, as printed"))
MISSED: tuple[Option[Missing], ...] = (Option("zero", "Counted as 0"), Option("drop", "Left out"))
SIZES: tuple[Option[Sizes], ...] = (
    Option("coco", "As in COCO: 32², 96² px²"),
    Option("tertiles", "Thirds of all regions"),
)
OUTLINES: tuple[Option[Primitive | None], ...] = (
    Option(None, "As they are"),
    Option(Primitive.HULL, "Convex hulls"),
    Option(Primitive.BOX, "Bounding boxes"),
    Option(Primitive.ELLIPSE, "Ellipses"),
    Option(Primitive.ISOTHETIC, "Isothetic polygons"),
    Option(Primitive.CELLS, "Quad-tree cells"),
)


class MeasuresDialog(QDialog):
    """One row for each option; its tooltip says what it means."""

    def __init__(self, inspection: Inspection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Measures")
        OnScreen(self)
        self.inspection = inspection
        self.overlap = Choice(OVERLAPS)
        self.missing = Choice(MISSED)
        self.outlines = Choice(OUTLINES)
        self.sizes = Choice(SIZES)
        self.beta = _number(0.05, 20.0, 0.25)
        self.iou = _number(0.05, 0.95, 0.05)
        self.at_recall, self.at_precision = (_number(0.05, 1.0, 0.05) for _ in range(2))
        self.at_rank = QSpinBox(minimum=1, maximum=100_000)
        self.recognised = QSpinBox(minimum=1, maximum=100, singleStep=5, suffix=" %")
        self._form = QFormLayout(horizontalSpacing=18)
        for name, title, field in (
            ("overlap", "Overlap", self.overlap),
            ("beta", "β", self.beta),
            ("recognised", "Recognised from", self.recognised),
            ("iou", "IoU from", self.iou),
            ("at_recall", "P at recall", self.at_recall),
            ("at_precision", "R at precision", self.at_precision),
            ("at_rank", "P at rank", self.at_rank),
            ("missing", "Missed recall", self.missing),
            ("sizes", "Sizes", self.sizes),
            ("primitive", "Outlines", self.outlines),
        ):
            self._add(name, title, field)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.RestoreDefaults | QDialogButtonBox.StandardButton.Close
        )
        restore = buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
        restore.setAutoDefault(False)
        restore.clicked.connect(self.reset)
        buttons.rejected.connect(self.close)
        in_column(self._form, buttons, of=self, margins=(14, 12, 14, 12), spacing=12)
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self.apply)
        self._follow()
        for box in (self.overlap, self.missing, self.sizes, self.outlines):
            box.chosen.connect(lambda _: self._timer.start())
        for spin in (
            self.beta, self.iou, self.recognised, self.at_recall, self.at_precision, self.at_rank,
        ):  # fmt: skip
            spin.valueChanged.connect(lambda _: self._timer.start())
        inspection.runs.settings_changed.connect(self._follow)

    def apply(self) -> None:
        """Let all figures be computed like this, if anything has changed."""
        self._timer.stop()
        inspection, before = self.inspection, self.inspection.runs.settings
        share = self.recognised.value()
        settings = replace(
            before,
            overlap=self.overlap.value,
            beta=_chosen(self.beta, before.beta),
            recognised=before.recognised if share == _percent(before) else share / 100,
            iou=_chosen(self.iou, before.iou),
            at_recall=_chosen(self.at_recall, before.at_recall),
            at_precision=_chosen(self.at_precision, before.at_precision),
            at_rank=self.at_rank.value(),
            missing=self.missing.value,
            sizes=self.sizes.value,
        )
        primitive = self.outlines.value
        if (settings, primitive) != (inspection.runs.settings, inspection.runs.primitive):
            inspection.runs.set_settings(settings, primitive)

    def reset(self) -> None:
        """Everything as it comes."""
        self.inspection.runs.set_settings(MeasureSettings(), None)

    def _follow(self) -> None:
        """Show what holds now: the menu of the curves changes it, too."""
        self._show(self.inspection.runs.settings, self.inspection.runs.primitive)

    def _show(self, settings: MeasureSettings, primitive: Primitive | None) -> None:
        self.overlap.show_value(settings.overlap)
        self.missing.show_value(settings.missing)
        self.sizes.show_value(settings.sizes)
        self.outlines.show_value(primitive)
        self.beta.setValue(settings.beta)
        self.iou.setValue(settings.iou)
        self.at_recall.setValue(settings.at_recall)
        self.at_precision.setValue(settings.at_precision)
        self.at_rank.setValue(settings.at_rank)
        self.recognised.setValue(_percent(settings))

    def _add(self, name: str, title: str, field: QWidget) -> None:
        """Add a setting; its tip is what the option of the command says."""
        label = set_up(QLabel(title), role="quiet")
        describe(EvaluationSettings, name, label, field)
        field.setAccessibleName(title)
        self._form.addRow(label, field)


def show(window: Window) -> None:
    """Show the choices; there is one dialog of them."""
    inspection = window.workbench.state(Inspection)
    show_only(window.frame, MeasuresDialog, partial(MeasuresDialog, inspection))


def _percent(settings: MeasureSettings) -> int:
    return round(settings.recognised * 100)


def _chosen(field: QDoubleSpinBox, before: float) -> float:
    """The number of the field; the one before where the field shows that, with fewer digits."""
    shown = field.value()
    return before if abs(shown - before) <= 0.5001 * 10 ** -field.decimals() else shown


def _number(low: float, high: float, step: float) -> QDoubleSpinBox:
    return QDoubleSpinBox(minimum=low, maximum=high, singleStep=step, decimals=2)


PREVIEWED = 3  # rows
_UNITS = (
    Option("", "By their values"),
    Option("px", "Pixels"),
    Option("share", "Shares of the page"),
)
_ROLES = (("page", "Page"), ("query", "Class"), ("score", "Score"))


def offer_columns(window: Window, error: UnknownColumns) -> None:
    """Ask for the columns of a run, and read it again with them."""
    dialog = ColumnsDialog(window, error)

    def use() -> None:
        runs = window.workbench.state(Inspection).runs
        runs.name_columns(error.path, dialog.choice())

    dialog.accepted.connect(use)
    dialog.rejected.connect(lambda: window.workbench.said.emit(str(error), True))
    dialog.open()


class ColumnsDialog(QDialog):
    """Choices for page, class, score and box of a table, with its first rows.

    Parameters
    ----------
    window : Window
    error : UnknownColumns
        Of reading the table, with the names of its columns.
    """

    def __init__(self, window: Window, error: UnknownColumns) -> None:
        super().__init__(window.frame)
        OnScreen(self)
        self.setWindowTitle(f"Columns of {error.path.name}")
        self._names = list(error.names)
        self._headless = sum(map(_is_number, self._names)) > 2  # the first line is a row
        layout = QVBoxLayout(self)
        told = QLabel(f"{error.problem.capitalize()}. Choose the columns of this table.")
        told.setWordWrap(True)
        layout.addWidget(told)
        layout.addWidget(self._preview(error))
        form = QFormLayout()
        layout.addLayout(form)
        found = find_roles(self._names)
        self.roles = {role: self._columns(role == "page") for role, _ in _ROLES}
        for role, title in _ROLES:
            form.addRow(f"{title}:", self.roles[role])
            if role in found.places:
                self.roles[role].show_value(found.places[role])
        self.form = Choice(
            Option(name, words[:1].upper() + words[1:]) for name, words in FORMS.items()
        )
        form.addRow("Box:", self.form)
        self.box = [self._columns(False) for _ in range(4)]
        self._box_labels = [QLabel() for _ in self.box]
        for label, box in zip(self._box_labels, self.box, strict=True):
            label.setBuddy(box)
            form.addRow(label, box)
        self.unit = Choice(_UNITS)
        form.addRow("Numbers are:", self.unit)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout.addWidget(self.buttons)
        self.form.currentIndexChanged.connect(lambda _: self._name_box())
        for each in (*self.roles.values(), *self.box):
            each.currentIndexChanged.connect(lambda _: self._check())
        self._name_box()
        self._check()

    def choice(self) -> ColumnChoice:
        """The columns that are chosen."""
        names = {role: self._named(box) for role, box in self.roles.items()}
        return ColumnChoice(
            {role: name for role, name in names.items() if name},
            tuple(map(self._named, self.box)),
            self.form.value,
            self.unit.value,
        )

    def _named(self, box: Choice[int | None]) -> str:
        place = box.value
        if place is None:
            return ""
        return str(place + 1) if self._headless else self._names[place].strip()

    def _columns(self, may_lack: bool) -> Choice[int | None]:
        options: list[Option[int | None]] = [Option(None, "None" if may_lack else "Choose…")]
        for place, name in enumerate(self._names):
            shown = f"{place + 1} ({name.strip()[:30]})" if self._headless else name.strip()
            options.append(Option(place, shown))
        return Choice(options)

    def _preview(self, error: UnknownColumns) -> QTableWidget:
        rows = [row for row in _first_rows(error) if row != self._names or self._headless]
        table = QTableWidget(len(rows), len(self._names))
        table.setHorizontalHeaderLabels(
            [f"Column {at}" for at in range(1, len(self._names) + 1)]
            if self._headless
            else [name.strip() for name in self._names]
        )
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        for at, row in enumerate(rows):
            for place, text in enumerate(row[: len(self._names)]):
                table.setItem(at, place, QTableWidgetItem(text[:60]))
        table.setAccessibleName("First rows of the table")
        table.resizeColumnsToContents()
        return table

    def _name_box(self) -> None:
        words = FORMS[self.form.value].split(", ")
        for label, word in zip(self._box_labels, words, strict=True):
            label.setText(f"{word[:1].upper()}{word[1:]}:")

    def _check(self) -> None:
        needed = (self.roles["query"], self.roles["score"], *self.box)
        chosen = all(box.value is not None for box in needed)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(chosen)


def _first_rows(error: UnknownColumns) -> list[list[str]]:
    """The first rows of a table of text; none of any other file."""
    try:
        text = read_head(error.path, 2**16).decode("utf-8-sig", "replace")
        lines = [line for line in text.splitlines(keepends=True) if not line.startswith("# ")]
        rows = [row for _, row in rows_of("".join(lines[: 2 * PREVIEWED]))]
    except (SpotlabError, csv.Error):
        return []
    whole = [row for row in rows if len(row) == len(error.names)]
    start = 0 if sum(map(_is_number, error.names)) > 2 else 1
    return whole[start : start + PREVIEWED]


def _is_number(text: str) -> bool:
    try:
        float(text.strip().replace(",", "."))
    except ValueError:
        return False
    return True
