"""Dialog of the rules for attributes: of all labels, and of each label by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from spotlab.errors import SpotlabError, counted
from spotlab.formats.collection.folder import PageEntry, expand
from spotlab.formats.truth import page_xml
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.widgets import STRETCH, Choice, Option, in_column, in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import AttributeKind, AttributeSpec, AttributeValue, Region
from spotlab.model.attributes import Specs, learned_specs, merged_specs, parse_value, value_text
from spotlab.progress import Progress, track

_HEADS = {
    "Name": "What the attribute is called in files",
    "Kind": "What its values are",
    "List": "The values that can be chosen, separated by |",
    "Default": "What a region gets with its label",
    "Required": "Every region has to have a value",
    "Description": "What annotators should know",
}
_NAME, _KIND, _LIST, _DEFAULT, _REQUIRED, _DESCRIPTION = range(len(_HEADS))
_ALL = "All labels"


_SEPARATOR = " | "


def _parts(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split("|") if each.strip())


def _default_text(default: AttributeValue | None) -> str:
    if isinstance(default, tuple):
        return _SEPARATOR.join(default)
    return "" if default is None else value_text(default)


def edit_attributes(workbench: Workbench, parent: QWidget, label: str = "") -> None:
    """Let the user edit the rules for attributes, those of one label at first."""
    dialog = AttributeDialog(workbench, parent, label)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def learn(
    entries: Sequence[PageEntry], regions: Sequence[Region] | None, at: int, progress: Progress
) -> dict[str, Specs]:
    """Find the rules that the attributes of a collection's regions follow.

    Parameters
    ----------
    entries : sequence of PageEntry
        Pages that cannot be read are passed over.
    regions : sequence of Region or None
        Of the open page, which may not be saved.
    at : int
        Which of the pages is open.
    progress : Progress

    Returns
    -------
    dict of str to tuple of AttributeSpec
        By label. Under "" those that all labels of the collection share.
    """
    found: dict[str, list[Region]] = {}
    for index, entry in enumerate(track(entries, progress, "Reading attributes")):
        here = regions if index == at and regions is not None else _regions_of(entry)
        for region in here:
            found.setdefault(region.label, []).append(region)
    rules = {label: learned_specs(each.attributes for each in of) for label, of in found.items()}
    first = next(iter(rules.values()), ())
    shared = tuple(spec for spec in first if all(spec in specs for specs in rules.values()))
    if len(rules) < 2:
        shared = ()
    own = {label: tuple(spec for spec in specs if spec not in shared)
           for label, specs in rules.items() if label}  # fmt: skip
    return {"": shared, **own}


def _regions_of(entry: PageEntry) -> list[Region]:
    found: list[Region] = []
    try:
        for page in expand(entry):
            if page.has_truth:
                found += page_xml.read(page.truth_path).regions
    except SpotlabError:
        pass  # opening the page, and validating, say what is wrong
    return found


@dataclass(frozen=True)
class _AttributeRow:
    """A rule, and what its row said when it was filled."""

    spec: AttributeSpec
    values: tuple[object, ...]


class AttributeDialog(QDialog):
    """A table with a row for each rule.

    Parameters
    ----------
    workbench : Workbench
    parent : QWidget
    label : str
        Whose rules are shown at first; empty for those of all labels.
    """

    def __init__(self, workbench: Workbench, parent: QWidget, label: str = "") -> None:
        super().__init__(parent)
        OnScreen(self)
        self.setWindowTitle("Attributes")
        self.workbench = workbench
        labels = workbench.labels
        names = [each.name for each in labels]
        self._rules: dict[str, Specs] = {
            "": labels.attributes, **{each.name: each.attributes for each in labels}
        }  # fmt: skip
        options = [Option("", _ALL), *(Option(name, name) for name in names)]
        self.label = Choice(options, "Label")
        self.label.show_value(label if label in names else "")
        self._label = self.label.value
        self.table = self._table()
        self.problem = set_up(QLabel(wordWrap=True), role="serious")
        self.problem.hide()
        self.add = QPushButton("Add")
        self.remove = QPushButton("Remove")
        self.learn = QPushButton("From the Regions")
        self.learn.setToolTip("Add the attributes that regions of this collection have already")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._learning = Task(workbench)
        self._lay_out()
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.learn.clicked.connect(self._learn)
        self.label.chosen.connect(self._show_label)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._fill(self._rules[self._label])

    def _table(self) -> QTableWidget:
        table = set_up(QTableWidget(0, len(_HEADS)), name="Attributes of the label")
        for column, (title, tip) in enumerate(_HEADS.items()):
            head = QTableWidgetItem(title)
            head.setToolTip(tip)
            table.setHorizontalHeaderItem(column, head)
        table.verticalHeader().hide()
        table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        for column in (_LIST, _DESCRIPTION):
            table.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        table.setColumnWidth(_KIND, 150)
        table.setTabKeyNavigation(False)
        return table

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow("Regions of:", self.label)
        row = in_row(self.add, self.remove, STRETCH, self.learn)
        in_column(form, self.table, row, self.problem, self.buttons, of=self)
        self.resize(760, 380)

    def accept(self) -> None:
        """Use the rules, if they make sense."""
        if not self._take():
            return
        labels = self.workbench.labels
        for name, specs in self._rules.items():
            labels = labels.with_specs(name, specs)
        self.workbench.collection.set_labels(labels)
        super().accept()

    def done(self, result: int) -> None:
        """Look no further."""
        self._learning.cancel()
        super().done(result)

    def _show_label(self, label: str) -> None:
        if self._take():
            self._label = label
            self._fill(self._rules[label])
        else:
            self.label.show_value(self._label)

    def _take(self) -> bool:
        """Keep the rows of the table; False, and said why, if one makes no sense."""
        specs: dict[str, AttributeSpec] = {}
        for row in range(self.table.rowCount()):
            try:
                spec = self._spec(row)
                if spec.name in specs:
                    raise ValueError(f"there is another attribute “{spec.name}”")
                specs[spec.name] = spec
            except ValueError as error:
                name = self._text(row, _NAME)
                self._say(f"Row {row + 1}{f', “{name}”' if name else ''}: {error}")
                self.table.selectRow(row)
                return False
        self._rules[self._label] = tuple(specs.values())
        self._say("")
        return True

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    def _spec(self, row: int) -> AttributeSpec:
        """The rule in a row; ValueError where it makes no sense."""
        shown = self._item(row, _NAME).data(Qt.ItemDataRole.UserRole)
        if isinstance(shown, _AttributeRow) and shown.values == self._values(row):
            return shown.spec  # what has not been touched stays as it is
        kind = self._kind(row).value
        choices = _parts(self._text(row, _LIST)) if kind.chooses else ()
        text = self._text(row, _DEFAULT)
        default = parse_value(text, kind) if text else None
        if kind is AttributeKind.CHOICES:
            default = _parts(text)
        required = self._item(row, _REQUIRED).checkState() is Qt.CheckState.Checked
        if text and default is None:
            raise ValueError(f"the default “{text}” is not a {kind}")
        said = self._text(row, _DESCRIPTION)
        return AttributeSpec(self._text(row, _NAME), kind, choices, default, required, said)

    def _values(self, row: int) -> tuple[object, ...]:
        """All that a row says."""
        texts = (self._text(row, column) for column in (_NAME, _LIST, _DEFAULT, _DESCRIPTION))
        return self._kind(row).value, self._item(row, _REQUIRED).checkState(), *texts

    def _item(self, row: int, column: int) -> QTableWidgetItem:
        item = self.table.item(row, column)
        assert item is not None
        return item

    def _text(self, row: int, column: int) -> str:
        return self._item(row, column).text().strip()

    def _kind(self, row: int) -> Choice[AttributeKind]:
        choice = self.table.cellWidget(row, _KIND)
        assert isinstance(choice, Choice)
        return choice

    def _fill(self, specs: Iterable[AttributeSpec]) -> None:
        self.table.setRowCount(0)
        for spec in specs:
            self._append(spec)

    def _append(self, spec: AttributeSpec | None) -> None:
        row = self.table.rowCount()
        self.table.setRowCount(row + 1)
        default = spec.default if spec is not None else None
        texts = {
            _NAME: spec.name if spec else "",
            _LIST: _SEPARATOR.join(spec.choices) if spec else "",
            _DEFAULT: _default_text(default),
            _DESCRIPTION: spec.description if spec else "",
        }
        for column, text in texts.items():
            self.table.setItem(row, column, QTableWidgetItem(text))
        required = QTableWidgetItem()
        flags = Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled
        required.setFlags(flags | Qt.ItemFlag.ItemIsSelectable)
        is_required = spec is not None and spec.required
        required.setCheckState(Qt.CheckState.Checked if is_required else Qt.CheckState.Unchecked)
        self.table.setItem(row, _REQUIRED, required)
        kinds = (Option(kind, kind[:1].upper() + kind[1:]) for kind in AttributeKind)
        choice = Choice(kinds, "Kind")
        choice.show_value(spec.kind if spec else AttributeKind.TEXT)
        self.table.setCellWidget(row, _KIND, choice)
        choice.currentIndexChanged.connect(lambda _: self._show_lists())
        self._show_lists()
        if spec is not None:
            shown = _AttributeRow(spec, self._values(row))
            self._item(row, _NAME).setData(Qt.ItemDataRole.UserRole, shown)

    def _show_lists(self) -> None:
        """Only kinds that choose have a list."""
        for row in range(self.table.rowCount()):
            item, choice = self.table.item(row, _LIST), self.table.cellWidget(row, _KIND)
            if item is not None and isinstance(choice, Choice):
                flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsEditable
                chooses = choice.value.chooses
                item.setFlags(flags if chooses else Qt.ItemFlag.NoItemFlags)
                item.setToolTip("" if chooses else "Only for one or several of a list")

    def _add(self) -> None:
        self._append(None)
        row = self.table.rowCount() - 1
        self.table.setCurrentCell(row, _NAME)
        self.table.editItem(self._item(row, _NAME))

    def _remove(self) -> None:
        rows = {index.row() for index in self.table.selectedIndexes()} or {self.table.currentRow()}
        for row in sorted(rows, reverse=True):
            if row >= 0:
                self.table.removeRow(row)

    def _learn(self) -> None:
        if not self._take():
            return
        document, index = self.workbench.document, self.workbench.index
        self.learn.setEnabled(False)
        self._learning.start(
            learn, tuple(self.workbench.collection.entries),
            document.regions if document is not None else None, -1 if index is None else index,
            done=self._learned,
        )  # fmt: skip

    def _learned(self, found: Mapping[str, Specs]) -> None:
        self.learn.setEnabled(True)
        count = 0
        for label, specs in found.items():
            known = {spec.name for spec in (*self._rules[""], *self._rules.get(label, ()))}
            new = tuple(spec for spec in specs if spec.name not in known)
            if label in self._rules:
                self._rules[label] = merged_specs(self._rules[label], new)
                count += len(new)
        self._fill(self._rules[self._label])
        labels = [name or _ALL for name, specs in found.items() if specs]
        told = f" for {', '.join(labels[:5])}" if count else ""
        self._say(f"{counted(count, 'attribute')} found in the regions{told}")
