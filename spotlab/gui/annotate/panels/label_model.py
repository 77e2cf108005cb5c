"""The labels with their colours, digits and counts, as a model for a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QMimeData, QModelIndex, QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from spotlab.gui.canvas.view import UNLABELED
from spotlab.gui.kit import theme
from spotlab.gui.kit import theme as icons
from spotlab.gui.kit.rows import ROW_ROLE, Index, RowColumn, RowDelegate, RowModel
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Label

LABEL_ROLE = ROW_ROLE
LOCKED = ", which is locked"
UNUSED = " yet: it comes in when you use it, or open a page that has it"


class LabelModel(RowModel[Label]):
    """Rows are labels whose names hold what is typed, in the order of the label set.

    Behind those of the set stand the labels that regions have though the set has not: labels of
    pages that were not opened yet, and of all pages if the set is locked.
    """

    renamed = Signal(str, str)  # old and new name, as they were typed into a row
    moved = Signal(str, int)  # a label's name, and its place in the order from now on
    counted = Signal()  # the same labels, on other numbers of regions

    def __init__(self, workbench: Workbench, parent: QObject | None = None) -> None:
        name = RowColumn[Label](
            "",
            lambda label: label.name,
            self._tip,
            more={Qt.ItemDataRole.EditRole: lambda label: label.name},
        )
        super().__init__((name,), parent)
        self.workbench = workbench
        self.visibility = workbench.state(RegionVisibility)
        self._wanted = ""
        self._dragged = ""
        self._on_page: dict[str, int] = {}
        self._in_collection: Counter[str] = Counter()
        self.reread()

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Names can be edited in place; rows are dragged between others."""
        if not index.isValid():
            return Qt.ItemFlag.ItemIsDropEnabled
        own = Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled
        return super().flags(index) | own

    def supportedDropActions(self) -> Qt.DropAction:
        """A row that is dragged moves."""
        return Qt.DropAction.MoveAction

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Keep which label is dragged."""
        self._dragged = self.shown[indexes[0].row()].name
        return super().mimeData(indexes)

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """The dragged label was dropped between rows."""
        names = [label.name for label in self.workbench.labels]
        if self._dragged in names:
            before = self.shown[row].name if 0 <= row < len(self.shown) else ""
            place = names.index(before) if before in names else len(names)
            place -= names.index(self._dragged) < place
            self.moved.emit(self._dragged, place)
        return False  # the list follows the labels

    def _tip(self, label: Label) -> str:
        here, all = self.counts(label.name)
        digit = f", key {label.digit}" if label.digit else ""
        lines = [f"{label.name}{digit}", label.description]
        if not self.is_in_set(label.name):
            locked = self.workbench.labels.locked
            lines.append(f"Not in the label set{LOCKED if locked else UNUSED}")
        lines.append(f"{here:,} on this page, {all:,} in the collection")
        return "\n".join(filter(None, lines))

    def is_in_set(self, name: str) -> bool:
        """Tell whether the collection's label set has the label."""
        return name in self.workbench.labels

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Another name was typed."""
        name = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or not name:
            return False
        self.renamed.emit(self.shown[index.row()].name, name)
        return False  # it is asked first; the list follows the labels

    def counts(self, name: str) -> tuple[int, int]:
        """Tell how many regions carry the label on the page and in the collection."""
        return self._on_page.get(name, 0), self._in_collection[name]

    def row_of(self, name: str) -> int | None:
        """The row of a label; None where it is not shown."""
        return next((row for row, label in enumerate(self.shown) if label.name == name), None)

    def set_wanted(self, text: str) -> None:
        """Show labels with this in their names."""
        self._wanted = text.casefold()
        self.reread()

    def reread(self) -> None:
        """Ask the workbench for labels and counts again."""
        document = self.workbench.document
        on_page = document.labels if document else {}
        self._on_page = {name: count for name, count in on_page.items() if name}
        self._in_collection = self.workbench.collection.counts()
        labels = list(self.workbench.labels)
        others = {*self._on_page, *self._in_collection} - {label.name for label in labels}
        labels += [Label(name, UNLABELED) for name in sorted(others)]
        wanted = [label for label in labels if self._wanted in label.name.casefold()]
        if wanted != self.shown:
            self.show_rows(wanted)
        else:
            self.counted.emit()  # dataChanged would overwrite a name that is being typed


SWATCH = 12
SIGN = 16  # px of an eye or a lock
SIGNS = 46  # px that both take at the right of a row
DIGIT = 18


def sign_places(row: QRect) -> tuple[QRect, QRect]:
    """Tell where the eye and the lock of a row are."""
    top = row.center().y() - SIGN // 2 + 1
    left = row.right() - SIGNS + 4
    return QRect(left, top, SIGN, SIGN), QRect(left + SIGN + 4, top, SIGN, SIGN)


class LabelDelegate(RowDelegate):
    """The label that the next region gets is marked."""

    ROW = 28

    def __init__(self, model: LabelModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        label = index.data(LABEL_ROLE)
        rect: QRect = option.rect
        palette: QPalette = option.palette
        current = label.name == self._model.workbench.label
        self._paint_background(painter, option, current)
        middle = rect.center().y()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(label.colour))
        swatch = QRectF(rect.left() + 12, middle - SWATCH / 2 + 0.5, SWATCH, SWATCH)
        painter.drawRoundedRect(swatch, 3, 3)
        here, all = self._model.counts(label.name)
        counts = f"{here:,} / {all:,}" if all else ""
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        self._paint_signs(painter, rect, label.name, hovered)
        rect = rect.adjusted(0, 0, -SIGNS, 0)
        right = rect.adjusted(0, 0, -6, 0)
        painter.setPen(theme.quiet(palette))
        middle_right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(right, middle_right, counts)
        taken = painter.fontMetrics().horizontalAdvance(counts) + 12
        digit = QRectF(rect.right() - 6 - max(taken, 46) - DIGIT, middle - 8.5, DIGIT, DIGIT)
        if label.digit:
            painter.setPen(palette.color(QPalette.ColorRole.Mid))
            painter.setBrush(palette.color(QPalette.ColorRole.Window))
            painter.drawRoundedRect(digit, 4, 4)
            painter.setPen(palette.color(QPalette.ColorRole.Text))
            painter.drawText(digit, Qt.AlignmentFlag.AlignCenter, label.digit)
        end = int(digit.left()) if label.digit else right.right() - taken + 6
        name = QRect(rect.left() + 34, rect.top(), end - rect.left() - 40, self.ROW)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        font = painter.font()
        font.setBold(current)
        font.setItalic(not self._model.is_in_set(label.name))
        painter.setFont(font)
        text = painter.fontMetrics().elidedText(
            label.name, Qt.TextElideMode.ElideRight, name.width()
        )
        painter.drawText(name, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_signs(self, painter: QPainter, rect: QRect, name: str, hovered: bool) -> None:
        """An eye and a lock: always where they say something, else under the pointer."""
        visibility = self._model.visibility
        signs = (
            (visibility.is_label_hidden(name), "eye-off", "eye-outline"),
            (visibility.is_label_locked(name), "lock", "lock-open-variant-outline"),
        )
        for place, (on, marked, free) in zip(sign_places(rect), signs, strict=True):
            if on or hovered:
                icon = icons.icon(marked) if on else icons.icon(free, "#9aa3af")
                icon.paint(painter, place)

    def _paint_background(
        self, painter: QPainter, option: QStyleOptionViewItem, current: bool
    ) -> None:
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if current:
            colour, alpha = option.palette.color(QPalette.ColorRole.Highlight), 46
        elif hovered or chosen:
            colour, alpha = option.palette.color(QPalette.ColorRole.Midlight), 150
        else:
            return
        colour.setAlpha(alpha)
        painter.fillRect(option.rect, colour)
