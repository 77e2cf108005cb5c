"""Common properties of the selected regions, and controls that change them all at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from operator import attrgetter, ne
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QStackedLayout,
    QWidget,
)

from spotlab.editing.document import MANY, Edit, size_of
from spotlab.editing.operations import as_primitive
from spotlab.editing.operations.moving import set_ignore
from spotlab.errors import SpotlabError, counted
from spotlab.geometry.primitives import turned_frame
from spotlab.gui.annotate.panels.attribute_fields import SEVERAL, AttributeFields
from spotlab.gui.annotate.panels.attributes import AttributeTable
from spotlab.gui.annotate.panels.history import TruthTotals, history_text, people_text
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.widgets import STRETCH, Choice, Elided, EmptyNote, Option, in_column
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import (
    Attributes,
    AttributeSpec,
    AttributeValue,
    Contribution,
    Ignore,
    Primitive,
    Region,
)
from spotlab.model.attributes import Specs
from spotlab.model.region import tidy_label, with_values

_PAUSE = 80  # ms until the panel follows a step on many regions
BY = "Who drew, changed and decided on the regions"
TITLES = {
    Primitive.HULL: "Convex hull",
    Primitive.POLYGON: "Free polygon",
    Primitive.BOX: "Box",
    Primitive.ELLIPSE: "Ellipse",
    Primitive.ISOTHETIC: "Isothetic polygon",
    Primitive.TRACE: "Trace",
    Primitive.CELLS: "Cells",
    Primitive.LINE: "Line",
    Primitive.POINT: "Point",
}


IGNORES = {Ignore.NO: "Counted", Ignore.SYMBOL: "Ignored symbol", Ignore.AREA: "Ignored area"}


_CHECKS = {
    None: Qt.CheckState.PartiallyChecked,
    True: Qt.CheckState.Checked,
    False: Qt.CheckState.Unchecked,
}


class _Remark(QPlainTextEdit):
    """A few lines of text that say when the user goes on to something else."""

    left = Signal()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Whatever was written stands."""
        super().focusOutEvent(event)
        self.left.emit()


class PropertiesPanel(QWidget):
    """Label, outline, size, flag and remark of the selection; edits are steps like any other."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.label = QLineEdit()
        self.label.setAccessibleName("Label of the region")
        self.label.setToolTip("Label of the selected regions; a new name makes a new label")
        self.primitive = Choice(
            (Option(primitive, title) for primitive, title in TITLES.items()), "Outline"
        )
        self.primitive.setToolTip("Type of the outline; it determines how edits change the region")
        self.uncertain = set_up(QCheckBox("uncertain"), tip="Mark the region as uncertain")
        self.ignore = Choice(
            (Option(ignore, title) for ignore, title in IGNORES.items()), "Evaluation"
        )
        for choice in (self.primitive, self.ignore):
            choice.give_way()
        self.ignore.setToolTip(
            "Whether evaluation counts the region. Spots on an ignored region are neither right "
            "nor false: on an ignored symbol if the IoU is high enough, in an ignored area if "
            "enough of the spot lies in it"
        )
        self.comment = _Remark()
        self.comment.setAccessibleName("Comment on the region")
        self.comment.setFixedHeight(52)
        self.comment.setPlaceholderText("Comment")
        self.comment.setTabChangesFocus(True)
        self.comment.setToolTip("Comment on the region; it is saved when you leave the field")
        self.fields = AttributeFields()
        self.attributes = AttributeTable()
        self.text = QLineEdit()
        self.text.setAccessibleName("Text of the region")
        self.text.setPlaceholderText("Transcription")
        self.text.setToolTip("Transcription, if the region contains text")
        self.figures = {name: QLabel() for name in ("Area", "Points", "Place", "Size")}
        self.people = Elided()
        tips = {
            "Area": "Enclosed area in px², by the even-odd rule",
            "Points": "Number of corners of the outline",
            "Place": "Left and top edge, in px from the page's upper left corner",
            "Size": "Width × height of the bounding box, or of a turned box, in px; its first side "
            "runs to the right at 0°, and down at 90°",
        }
        for name, figure in self.figures.items():
            figure.setToolTip(tips[name])
            figure.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.title = set_up(QLabel(), role="heading")
        self.nothing = EmptyNote("Select a region to see and change its properties.")
        self._lay_out()
        self._connect()
        self._shown: Sequence[Region] = ()
        self._specs: Specs = ()
        self._totals = TruthTotals(self._show_totals)
        self._texts: dict[QLineEdit, str] = {}
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE)
        self._soon.timeout.connect(self._follow)
        workbench.selection_changed.connect(self._follow)
        workbench.document_changed.connect(self._follow_edits)
        workbench.page_changed.connect(self._follow)
        workbench.labels_changed.connect(self._follow)
        self._follow()

    def _connect(self) -> None:
        self.label.editingFinished.connect(self._set_label)
        self.primitive.chosen.connect(self._set_primitive)
        self.uncertain.clicked.connect(self._set_uncertain)
        self.ignore.chosen.connect(self._set_ignore)
        self.text.editingFinished.connect(self._set_text)
        self.comment.left.connect(self._set_comment)
        self.fields.edited.connect(self._set_attribute)
        self.fields.mended.connect(self._mend_attribute)
        self.attributes.edited.connect(self._set_attributes)

    def focus_comment(self) -> None:
        """Let the user write a remark."""
        self.comment.setFocus()
        self.comment.selectAll()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setContentsMargins(12, 4, 12, 10)
        form.setVerticalSpacing(6)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(_quiet("Label"), self.label)
        form.addRow(self.fields)
        form.addRow(_quiet("Outline"), self.primitive)
        for name, figure in self.figures.items():
            form.addRow(_quiet(name), figure)
        form.addRow(_quiet("Flag"), self.uncertain)
        form.addRow(_quiet("Evaluation"), self.ignore)
        form.addRow(_quiet("Text"), self.text)
        form.addRow(self.comment)
        form.addRow(self.attributes)
        form.addRow(_quiet("By"), self.people)
        filled = QWidget()
        self.title.setContentsMargins(12, 10, 12, 0)
        in_column(self.title, form, STRETCH, of=filled, margins=0)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.nothing)
        self._stack.addWidget(filled)

    def _follow_edits(self, edits: Sequence[Edit]) -> None:
        """After a step on many regions, the page is painted first."""
        if size_of(edits) < MANY:
            self._follow()
        else:
            self._soon.start()

    def _follow(self) -> None:
        regions = self.workbench.selected
        if self.comment.hasFocus() and [r.id for r in self._shown] != [r.id for r in regions]:
            self._set_comment()  # what was written belongs to those that were selected
        self._shown = regions
        self._stack.setCurrentIndex(1 if regions else 0)
        if not regions:
            return
        common = _CommonValues(regions)
        count = len(regions)
        self.title.setText(counted(count, "region"))
        self._show_text(self.label, common.of("label"))
        self._show_text(self.text, common.of("text"))
        self.primitive.show_value(common.of("primitive"))
        self.primitive.setPlaceholderText(SEVERAL)
        self.ignore.show_value(common.of("ignore"))
        self.ignore.setPlaceholderText(SEVERAL)
        flag = common.of("uncertain")
        self.uncertain.setTristate(flag is None)
        self.uncertain.setCheckState(_CHECKS[flag])
        comment = common.of("comment")
        if not self.comment.hasFocus():
            self.comment.setPlainText(comment or "")
            self.comment.setPlaceholderText(SEVERAL if comment is None else "Comment")
        self._show_attributes(regions)
        self._show_totals()
        histories = common.histories()
        people = people_text(histories[0])
        same = all(people_text(history) == people for history in histories[1:])
        self.people.setText(people if same else SEVERAL)
        same = all(history == histories[0] for history in histories[1:])
        self.people.setToolTip(history_text(histories[0]) if same else BY)

    def _show_attributes(self, regions: Sequence[Region]) -> None:
        """Those that all selected labels have a rule for, and below them all others."""
        labels = self.workbench.labels
        several = [labels.specs(name) for name in dict.fromkeys(r.label for r in regions)]
        self._specs = tuple(spec for spec in several[0] if all(spec in its for its in several))
        self.fields.show_regions(self._specs, regions)
        others = {self._others(given) for given in {region.attributes for region in regions}}
        self.attributes.show_attributes(others.pop() if len(others) == 1 else None)

    def _others(self, attributes: Attributes) -> Attributes:
        named = {spec.name for spec in self._specs}
        return Attributes(pair for pair in attributes if pair[0] not in named)

    def _show_totals(self) -> None:
        totals = self._totals.of(self._shown) if self._shown else None
        if totals is None:
            for figure in self.figures.values():
                figure.setText("…")
            return
        left, top, right, bottom = totals.bounds
        self.figures["Area"].setText(f"{totals.area:,.0f} px²")
        self.figures["Points"].setText(f"{totals.points:,}")
        self.figures["Place"].setText(f"{left:,.0f}, {top:,.0f} px")
        size = f"{right - left:,.0f} × {bottom - top:,.0f} px"
        frame = turned_frame(self._shown[0].array) if len(self._shown) == 1 else None
        if frame is not None and self._shown[0].primitive is Primitive.BOX:
            size = f"{frame.width:,.0f} × {frame.height:,.0f} px, {frame.angle:.1f}°"
        self.figures["Size"].setText(size)

    def _show_text(self, field: QLineEdit, text: str | None) -> None:
        field.setText(text or "")
        field.setPlaceholderText(SEVERAL if text is None else "none")
        self._texts[field] = field.text()

    def _was_edited(self, field: QLineEdit) -> bool:
        """Tell whether the field holds something else than was shown or taken last."""
        before, self._texts[field] = self._texts.get(field, ""), field.text()
        return before != field.text()

    def _change(self, name: str, how: Callable[[Region], Region]) -> None:
        """Take a step with those regions that become others."""
        document = self.workbench.document
        if document is None:
            return
        regions = [document[region.id] for region in self._shown if region.id in document]
        try:
            changed = [how(region) for region in regions]
        except SpotlabError as error:
            self.workbench.said.emit(str(error), True)
            self._follow()
            return
        others = [new for new, old in zip(changed, regions, strict=True) if new != old]
        if others:
            self.workbench.editing.replace_regions(name, others)

    def _set(self, field: str, value: object, name: str) -> None:
        self.workbench.editing.set_values(name, [region.id for region in self._shown], field, value)

    def _set_label(self) -> None:
        if not self._was_edited(self.label):
            return
        name = tidy_label(self.label.text())
        if not self.workbench.collection.add_label(name):
            self._follow()
            return
        self._set("label", name, f"Label {name}" if name else "Remove label")

    def _set_primitive(self, primitive: Primitive) -> None:
        document = self.workbench.document
        if document is None:
            return
        page = document.page
        self._change(
            f"Make {TITLES[primitive].lower()}",
            lambda region: (
                region if region.primitive is primitive else as_primitive(region, primitive, page)
            ),
        )
        self._follow()

    def _set_uncertain(self, flag: bool) -> None:
        self.uncertain.setTristate(False)
        self._set("uncertain", flag, "Flag uncertain" if flag else "Clear uncertain flag")

    def _set_ignore(self, ignore: Ignore) -> None:
        self._change(
            f"Ignore as {ignore}" if ignore is not Ignore.NO else "Count again",
            lambda region: set_ignore([region], ignore)[0],
        )

    def _set_comment(self) -> None:
        comment = self.comment.toPlainText().strip()
        if comment != (_CommonValues(self._shown).of("comment") or ""):
            self._set("comment", comment, "Comment")

    def _set_attributes(self, others: Attributes) -> None:
        named = {spec.name for spec in self._specs}
        self._change_attributes("Change attributes", lambda given: Attributes(
            (*(pair for pair in given if pair[0] in named), *others)
        ))  # fmt: skip

    def _set_attribute(self, name: str, value: AttributeValue | None) -> None:
        step = f"Set {name}" if value is not None else f"Remove {name}"
        self._change_attributes(step, lambda given: given.with_value(name, value))

    def _mend_attribute(self, spec: AttributeSpec) -> None:
        """Read values from text where they are then of the kind."""

        def mended(given: Attributes) -> Attributes:
            value = dict(given).get(spec.name)
            fitted = None if value is None else spec.fitted(value)
            return given if fitted is None else given.with_value(spec.name, fitted)

        self._change_attributes(f"Read {spec.name} as {spec.kind}", mended)

    def _change_attributes(self, name: str, how: Callable[[Attributes], Attributes]) -> None:
        document = self.workbench.document
        regions = document.regions_of([r.id for r in self._shown]) if document is not None else ()
        after = with_values(regions, {"attributes": [how(each.attributes) for each in regions]})
        others = [new for new, old in zip(after, regions, strict=True) if new != old]
        if others:
            self.workbench.editing.replace_regions(name, others)

    def _set_text(self) -> None:
        if self._was_edited(self.text):
            self._set("text", self.text.text(), "Transcribe")


class _CommonValues:
    """Values shared by several regions; usually found in a single pass over all fields."""

    _values = attrgetter("label", "text", "primitive", "ignore", "uncertain", "comment", "history")

    def __init__(self, regions: Sequence[Region]) -> None:
        self._regions = regions
        values = map(self._values, regions)
        first = next(values, None)
        self._alike = not any(map(ne, values, repeat(first)))

    def of(self, field: str) -> Any:
        """Return what they all have; None where they differ."""
        regions = self._regions[:1] if self._alike else self._regions
        values = map(attrgetter(field), regions)
        first = next(values, None)
        return None if any(map(ne, values, repeat(first))) else first

    def histories(self) -> list[tuple[Contribution, ...]]:
        """Their histories, each that several share once."""
        regions = self._regions[:1] if self._alike else self._regions
        histories = list(map(attrgetter("history"), regions))
        return list(dict(zip(map(id, histories), histories, strict=True)).values())


def _quiet(text: str) -> QLabel:
    return set_up(QLabel(text), role="quiet")
