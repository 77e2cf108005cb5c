"""Typed fields for the attributes that the label set has rules for: one for each rule."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Choice, Option, in_column
from spotlab.model import AttributeKind, AttributeSpec, AttributeValue, Region
from spotlab.model.attributes import Specs, value_text
from spotlab.representation import visible

SEVERAL, NONE = "several", "none"
_LARGEST = 2.0**53  # up to which whole numbers are exact
_DECIMALS = 12


class _TextField(QLineEdit):
    """A line of text."""

    edited = Signal(object)

    def __init__(self, spec: AttributeSpec) -> None:
        super().__init__()
        self.setAccessibleName(f"Attribute {spec.name}")
        self.editingFinished.connect(self._read)
        self._shown = ""

    def show_value(self, value: AttributeValue | None, note: str) -> None:
        """Show a value, or a note where there is none."""
        self._shown = "" if value is None else value_text(value)
        self.setText(self._shown)
        self.setPlaceholderText(note)

    def _read(self) -> None:
        if self.text() != self._shown:
            self._shown = self.text()
            self.edited.emit(self.text() or None)


class _NumberField(QDoubleSpinBox):
    """A number; empty for none."""

    edited = Signal(object)

    def __init__(self, spec: AttributeSpec) -> None:
        super().__init__()
        self.setAccessibleName(f"Attribute {spec.name}")
        self._is_whole = spec.kind is AttributeKind.WHOLE
        self.setDecimals(0 if self._is_whole else _DECIMALS)
        self.setRange(-_LARGEST, _LARGEST)  # the least value stands for none
        self.setKeyboardTracking(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setStepType(QDoubleSpinBox.StepType.DefaultStepType)
        self.valueChanged.connect(self._read)

    def show_value(self, value: AttributeValue | None, note: str) -> None:
        """Show a value, or a note where there is none."""
        with QSignalBlocker(self):
            self.setSpecialValueText(note)
            is_number = isinstance(value, int | float)
            self.setValue(float(value) if is_number else self.minimum())  # type: ignore[arg-type]

    def textFromValue(self, value: float) -> str:
        """Write a number without zeros at the end."""
        return f"{value:.0f}" if value == round(value) else f"{value:.{_DECIMALS}g}"

    def valueFromText(self, text: str) -> float:
        """Read a number; nothing stands for none."""
        return super().valueFromText(text) if text.strip() else self.minimum()

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Allow the field to be emptied."""
        if not text.strip():
            return QValidator.State.Acceptable, text, place
        return super().validate(text, place)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Take the note away, so that what is typed stands in its place."""
        super().focusInEvent(event)
        if self.value() == self.minimum():
            QTimer.singleShot(0, self, self.selectAll)

    def stepBy(self, steps: int) -> None:
        """Begin with 0 where there is no number."""
        if self.value() == self.minimum():
            self.setValue(0)
        else:
            super().stepBy(steps)

    def _read(self, value: float) -> None:
        none = value == self.minimum()
        whole = self._is_whole or value == round(value)
        self.edited.emit(None if none else int(value) if whole else value)


class _TickField(QCheckBox):
    """Yes or no; half ticked for neither."""

    edited = Signal(object)

    def __init__(self, spec: AttributeSpec) -> None:
        super().__init__()
        self.setAccessibleName(f"Attribute {spec.name}")
        self.clicked.connect(self._read)

    def show_value(self, value: AttributeValue | None, note: str) -> None:
        """Show a value, or a note where there is none."""
        self.setTristate(value is None)
        state = Qt.CheckState.Checked if value else Qt.CheckState.Unchecked
        self.setCheckState(Qt.CheckState.PartiallyChecked if value is None else state)
        told = note if value is None else "yes" if value else "no"
        self.setText(visible(told).replace("&", "&&"))

    def _read(self) -> None:
        self.setTristate(False)
        self.edited.emit(self.isChecked())


class _ChoiceField(Choice[str]):
    """One of a list, or none."""

    edited = Signal(object)

    def __init__(self, spec: AttributeSpec) -> None:
        options = [Option("", "none"), *(Option(name, name) for name in spec.choices)]
        super().__init__(options, f"Attribute {spec.name}")
        self.give_way()
        self.chosen.connect(lambda value: self.edited.emit(value or None))

    def show_value(self, value: object, note: str = "") -> None:
        """Show a value, or a note where there is none."""
        self.setPlaceholderText(note)
        super().show_value(value if isinstance(value, str) else None)


class _ChoicesField(QWidget):
    """Several of a list."""

    edited = Signal(object)

    def __init__(self, spec: AttributeSpec) -> None:
        super().__init__()
        self.note = set_up(QLabel(), role="quiet")
        self.boxes = {name: QCheckBox(visible(name).replace("&", "&&")) for name in spec.choices}
        column = in_column(self.note, of=self, margins=0, spacing=2)
        for name, box in self.boxes.items():
            box.setAccessibleName(f"Attribute {spec.name}: {name}")
            box.clicked.connect(self._read)
            column.addWidget(box)

    def show_value(self, value: AttributeValue | None, note: str) -> None:
        """Show a value, or a note where there is none."""
        chosen = value if isinstance(value, tuple) else ()
        for name, box in self.boxes.items():
            box.setChecked(name in chosen)
        self.note.setText(note)
        self.note.setVisible(note not in ("", NONE) and value is None)

    def _read(self) -> None:
        chosen = tuple(name for name, box in self.boxes.items() if box.isChecked())
        self.edited.emit(chosen or None)


_Field = _TextField | _NumberField | _TickField | _ChoiceField | _ChoicesField
_FIELDS: dict[AttributeKind, Callable[[AttributeSpec], _Field]] = {
    AttributeKind.TEXT: _TextField,
    AttributeKind.WHOLE: _NumberField,
    AttributeKind.NUMBER: _NumberField,
    AttributeKind.YES_NO: _TickField,
    AttributeKind.CHOICE: _ChoiceField,
    AttributeKind.CHOICES: _ChoicesField,
}


class AttributeFields(QWidget):
    """A row for each rule; a value that does not fit it is shown, and stays until it is changed.

    ``edited`` is emitted with the name of an attribute and its value, None for none; ``mended``
    with a rule whose values are to be read from text.
    """

    edited = Signal(str, object)
    mended = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setVerticalSpacing(6)
        policy = QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow
        self._form.setFieldGrowthPolicy(policy)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._specs: Specs = ()
        self.fields: dict[str, _Field] = {}
        self.problems: dict[str, QLabel] = {}

    def show_regions(self, specs: Specs, regions: Sequence[Region]) -> None:
        """Show what these regions have of the attributes that there are rules for."""
        if specs != self._specs:
            self._specs = specs
            self._build()
        self.setVisible(bool(specs))
        given = {region.attributes: dict(region.attributes) for region in regions}
        for spec in specs:
            values = [attributes.get(spec.name) for attributes in given.values()]
            self._show(spec, values)

    def _show(self, spec: AttributeSpec, values: Sequence[AttributeValue | None]) -> None:
        wrong = list(dict.fromkeys(
            spec.problem(value) for value in values if value is not None and spec.problem(value)
        ))  # fmt: skip
        same = len({(type(value), value) for value in values}) == 1
        value = values[0] if same else None
        note = SEVERAL if not same else "required" if spec.required else NONE
        if same and value is not None and wrong:
            note = value_text(value)
            value = value if spec.kind is AttributeKind.TEXT else None
        self.fields[spec.name].show_value(value, note)
        problem = self.problems[spec.name]
        problem.setVisible(bool(wrong))
        mendable = any(spec.problem(value) and spec.fitted(value) is not None
                       for value in values if value is not None)  # fmt: skip
        mend = f' · <a href="mend">Read as {html.escape(spec.kind)}</a>' if mendable else ""
        text = html.escape("; ".join(wrong[:3])) + (" …" if len(wrong) > 3 else "")
        problem.setText(rich(f"{text}{mend}"))

    def _build(self) -> None:
        while self._form.rowCount():
            self._form.removeRow(0)
        self.fields, self.problems = {}, {}
        for spec in self._specs:
            field, problem = _FIELDS[spec.kind](spec), QLabel()
            problem.setProperty("role", "serious")
            problem.setWordWrap(True)
            problem.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
            problem.linkActivated.connect(lambda _, spec=spec: self.mended.emit(spec))
            label = set_up(QLabel(f"{spec.name} *" if spec.required else spec.name), role="quiet")
            label.setMinimumWidth(self.fontMetrics().horizontalAdvance("Evaluation"))
            kind = f"{spec.kind}, required" if spec.required else str(spec.kind)
            tip = "\n".join(filter(None, (f"{spec.name}: {kind}", spec.description)))
            for widget in (label, field):
                widget.setToolTip(tip)
            field.edited.connect(partial(self.edited.emit, spec.name))
            self._form.addRow(label, field)
            self._form.addRow(problem)
            self.fields[spec.name], self.problems[spec.name] = field, problem
