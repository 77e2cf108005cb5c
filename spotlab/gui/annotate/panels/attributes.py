"""A small table of the names and values that regions have beside label and text."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from spotlab.model import Attributes, AttributeValue
from spotlab.model.attributes import NONE, learned_spec, parse_value, value_text

MOST_ROWS = 5  # that are in sight at once
_ROW = 24  # px
_TIP = "Attributes of the region: names and values of your own, such as a group. Delete removes one"


_KINDS: dict[type, str] = {
    str: "text", bool: "yes or no", int: "whole number", float: "number", tuple: "list",
}  # fmt: skip


class AttributeTable(QTableWidget):
    """Attributes, with an empty row at the end for a new one."""

    edited = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(1, 2, parent)
        self.setAccessibleName("Attributes of the region")
        self.setToolTip(_TIP)
        self.setHorizontalHeaderLabels(["Attribute", "Value"])
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)  # the key leaves the table, as it leaves a field
        self._shown: Attributes | None = NONE
        self._fill(NONE)
        self.itemChanged.connect(self._read)

    def show_attributes(self, attributes: Attributes | None) -> None:
        """Show what all selected regions have; None where they differ."""
        self.setEnabled(attributes is not None)
        self.setToolTip(_TIP if attributes is not None else "The regions have several attributes")
        if attributes != self._shown:
            self._shown = attributes
            self._fill(attributes or NONE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes the chosen attribute away."""
        row = self.currentRow()
        if event.key() == Qt.Key.Key_Delete and 0 <= row < self.rowCount() - 1:
            kept = [pair for at, pair in enumerate(self._rows()) if at != row and all(pair)]
            self._take(self._typed(kept))
            return
        super().keyPressEvent(event)

    def _fill(self, attributes: Attributes) -> None:
        row, column = self.currentRow(), self.currentColumn()
        self.blockSignals(True)
        self.setRowCount(len(attributes) + 1)
        for at, (name, value) in enumerate((*attributes, ("", ""))):
            for place, text in enumerate((name, value_text(value))):
                item = QTableWidgetItem(text)
                item.setToolTip(f"{text} ({_KINDS[type(value)]})" if place else text)
                self.setItem(at, place, item)
        self.blockSignals(False)
        shown = min(self.rowCount(), MOST_ROWS)
        head = self.horizontalHeader().sizeHint().height()
        self.setFixedHeight(head + _ROW * shown + 2 * self.frameWidth())
        if 0 <= row < self.rowCount():
            self.setCurrentCell(row, max(column, 0))

    def _rows(self) -> list[tuple[str, str]]:
        return [
            (self._text(row, 0), self._text(row, 1)) for row in range(self.rowCount())
        ]  # fmt: skip

    def _text(self, row: int, column: int) -> str:
        item = self.item(row, column)
        return item.text().strip() if item is not None else ""

    def _read(self) -> None:
        """Take what was written, once a name has a value."""
        rows = self._rows()
        if all(bool(name) == bool(value) for name, value in rows):
            self._take(self._typed(pair for pair in rows if pair[0]))

    def _typed(self, rows: Iterable[tuple[str, str]]) -> Attributes:
        """The values that were shown, where they were not changed; others are of their kinds."""
        shown = dict(self._shown or ())
        found: dict[str, AttributeValue] = {}
        for name, text in rows:
            before = shown.get(name, text)
            found[name] = before
            if value_text(before).strip() != text:
                value = parse_value(text, learned_spec(name, [before]).kind)
                found[name] = text if value is None else value
        return Attributes(found)

    def _take(self, attributes: Attributes) -> None:
        if attributes != self._shown:
            self.edited.emit(attributes)
