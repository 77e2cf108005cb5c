"""A row of widgets that goes on in the next line where there is too little width."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QSpacerItem, QWidget


@dataclass
class _Line:
    items: list[QLayoutItem] = field(default_factory=list)
    width: int = 0
    height: int = 0


class Flow(QLayout):
    """Nothing in it is cut off, and it needs no more width than its widest widget.

    Widgets that can grow share what is left of their line; else a stretch takes it. As high as its
    lines are at the width that it has now.
    """

    def __init__(self, spacing: int = 6, between: int = 4, *, centred: bool = False) -> None:
        super().__init__()
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)
        self._between = between  # px between lines
        self._centred = centred
        self._items: list[QLayoutItem] = []
        self._width = 1 << 16  # px that there were last

    def addStretch(self) -> None:
        """What follows stands at the right, where it has room in the line."""
        policy = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum
        self.addItem(QSpacerItem(0, 0, *policy))

    def addItem(self, item: QLayoutItem) -> None:
        """One more at the end."""
        self._items.append(item)
        self.invalidate()

    def count(self) -> int:
        """How many there are, stretches included."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The one at a place."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove the one at a place."""
        taken = self._items.pop(index) if 0 <= index < len(self._items) else None
        self.invalidate()
        return taken

    def expandingDirections(self) -> Qt.Orientation:
        """As wide as there is room."""
        return Qt.Orientation.Horizontal

    def minimumSize(self) -> QSize:
        """The widest widget, and the lines that there are now."""
        around = self.contentsMargins()
        width = max((_least(item) for item in self._shown()), default=0)
        return QSize(width, self._height()).grownBy(around)

    def sizeHint(self) -> QSize:
        """All in one line, as high as the lines that there are now."""
        around = self.contentsMargins()
        widths = [item.sizeHint().width() for item in self._shown() if not item.spacerItem()]
        width = sum(widths) + self.spacing() * max(0, len(widths) - 1)
        return QSize(width, self._height()).grownBy(around)

    def setGeometry(self, place: QRect) -> None:
        """Put everything into lines."""
        super().setGeometry(place)
        before, room = self._height(), place.marginsRemoved(self.contentsMargins())
        self._width = room.width()
        top = room.top()
        for line in self._lines():
            self._place(line, room, top)
            top += line.height + self._between
        if self._height() != before:
            self.update()  # there are more or fewer lines

    def _place(self, line: _Line, room: QRect, top: int) -> None:
        """Share what is left of a line among what can grow, or give it to the stretch."""
        spare = max(0, room.width() - line.width)
        widgets = [item for item in line.items if not item.spacerItem()]
        growing = [item for item in widgets if _grows(item)]
        stretches = [item for item in line.items if item.spacerItem()]
        takers = [] if self._centred else growing or stretches
        left = room.left() + (spare // 2 if self._centred else 0)
        for item in line.items:
            more = spare // len(takers) if any(item is each for each in takers) else 0
            if item.spacerItem():
                left += more
                continue
            width = min(_wanted(item) + more, room.width())
            height = min(item.sizeHint().height(), line.height)
            item.setGeometry(QRect(left, top + (line.height - height) // 2, width, height))
            left += width + self.spacing()

    def _lines(self) -> list[_Line]:
        lines = [_Line()]
        for item in self._shown():
            if item.spacerItem():
                lines[-1].items.append(item)
                continue
            size, line = item.sizeHint(), lines[-1]
            gap = self.spacing() if line.width else 0
            if line.width and line.width + gap + _wanted(item) > self._width:
                line, gap = _Line(), 0
                lines.append(line)
            line.items.append(item)
            line.width += gap + _wanted(item)
            line.height = max(line.height, size.height(), item.minimumSize().height())
        return lines

    def _height(self) -> int:
        lines = self._lines()
        return sum(line.height for line in lines) + self._between * (len(lines) - 1)

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if item.spacerItem() or not item.isEmpty()]


def _wanted(item: QLayoutItem) -> int:
    """Px of width: of what can do with any width, the least."""
    return max(_least(item), 0 if _ignores(item) else item.sizeHint().width())


def _least(item: QLayoutItem) -> int:
    return item.minimumSize().width()


def _grows(item: QLayoutItem) -> bool:
    return _ignores(item) or bool(item.expandingDirections() & Qt.Orientation.Horizontal)


def _ignores(item: QLayoutItem) -> bool:
    widget = item.widget()
    policy = QSizePolicy.Policy.Ignored
    return isinstance(widget, QWidget) and widget.sizePolicy().horizontalPolicy() is policy
