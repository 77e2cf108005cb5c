"""A small box over the canvas: type a few letters of a label, Enter sets it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
)

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.command_delegate import HINT, CommandDelegate
from spotlab.gui.fuzzy import best
from spotlab.gui.on_screen import fitted
from spotlab.gui.workbench import Workbench

ROWS = 8
NAME = Qt.ItemDataRole.UserRole


class LabelFinder(QFrame):
    """Arrows choose, Enter labels the selection or what is drawn next, Esc leaves."""

    def __init__(self, canvas: Canvas, workbench: Workbench) -> None:
        super().__init__(canvas)
        self.workbench = workbench
        self._canvas = canvas
        self.setProperty("role", "popup")
        self.setAutoFillBackground(True)
        self.setFixedWidth(300)
        self.box = QLineEdit(self)
        self.box.setPlaceholderText("Label")
        self.box.setAccessibleName("Find a label")
        self.list = QListWidget(self)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setItemDelegate(CommandDelegate(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hint = QLabel("↑ ↓ choose · Enter sets · Esc leaves")
        self.hint.setProperty("role", "quiet")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 8)
        layout.setSpacing(6)
        layout.addWidget(self.box)
        layout.addWidget(self.list)
        layout.addWidget(self.hint)
        self.box.installEventFilter(self)
        self.box.textEdited.connect(self._fill)
        self.list.itemClicked.connect(lambda _: self.accept())
        self.hide()

    def open(self, text: str = "") -> None:
        """Show the box with this typed already."""
        if self.workbench.document is None:
            return
        self.box.setText(text)
        self._fill(text)
        self._place()
        self.show()
        self.raise_()
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)
        self.box.end(False)

    def _place(self) -> None:
        """At the top of the canvas, below what lies over it, and inside of it."""
        room = self._canvas.rect().adjusted(0, round(self._canvas.view.covered), 0, 0)
        left = max(0, (self._canvas.width() - self.width()) // 2)
        self.move(fitted(QRect(QPoint(left, room.top() + 24), self.size()), room).topLeft())

    def accept(self) -> None:
        """Set the chosen label."""
        item = self.list.currentItem()
        self.leave()
        if item:
            self.workbench.apply_label(item.data(NAME))

    def leave(self) -> None:
        """Close without a trace."""
        self.hide()
        self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that are not for the box."""
        if event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.hide()
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        match event.key():
            case Qt.Key.Key_Escape:
                self.leave()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Tab:
                self.accept()
            case Qt.Key.Key_Down | Qt.Key.Key_Up:
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                count = self.list.count()
                if count:
                    self.list.setCurrentRow((self.list.currentRow() + step) % count)
            case _:
                return super().eventFilter(watched, event)
        return True

    def _fill(self, text: str) -> None:
        self.list.clear()
        labels = self.workbench.labels
        found = best(text, [label.name for label in labels], ROWS)
        for name in found:
            item = QListWidgetItem(_swatch(labels[name].colour), name)
            item.setData(NAME, name)
            item.setData(HINT, labels[name].digit)
            self.list.addItem(item)
        typed = " ".join(text.split())
        if typed and typed not in labels:
            item = QListWidgetItem(_swatch(""), f"New label “{typed}”")
            item.setData(NAME, typed)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.setFixedHeight(max(1, self.list.count()) * CommandDelegate.ROW + 4)
        self.adjustSize()


def _swatch(colour: str) -> QPixmap:
    pixmap = QPixmap(24, 24)
    pixmap.setDevicePixelRatio(2)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen if colour else QColor(128, 128, 128))
    painter.setBrush(QColor(colour) if colour else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(1, 1, 10, 10, 3, 3)
    painter.end()
    return pixmap
