"""Dialog that asks for the columns of a table of detections which their names do not tell."""

from __future__ import annotations

import csv

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
)

from spotlab.errors import SpotlabError
from spotlab.formats.rows.csv_rows import rows_of
from spotlab.formats.rows.text_files import read_head
from spotlab.formats.runs.box_columns import FORMS, ColumnChoice, UnknownColumns, find_roles
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.widgets import Choice, Option
from spotlab.gui.workspace.window import Window

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
