"""Small widgets and layouts: choices, labels that give way, rows that wrap, sliders."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from PySide6.QtCore import QObject, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLayout,
    QLayoutItem,
    QSizePolicy,
    QSlider,
    QSpacerItem,
    QStackedLayout,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QTableWidget,
    QTreeWidget,
    QVBoxLayout,
    QWidget,
)

from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.text import plain, rich
from spotlab.libraries import late_imports
from spotlab.representation import visible

with late_imports(__name__):
    from spotlab.measures import measure

T = TypeVar("T")

SETTING = "setting"  # property of a widget: the setting of a job that it shows
EDGES = 4  # px of an edit field that no text stands in
FEW = 6  # letters that a box that gives way always shows


def describe(kind: type, name: str, *widgets: QWidget) -> None:
    """Have a field and its label say of a setting what its command and its function say.

    Parameters
    ----------
    kind : type
        Of `spotlab.api.settings`.
    name : str
        Of the setting.
    *widgets : QWidget
    """
    from spotlab.api.job import setting_texts  # noqa: PLC0415 - not at the start

    said = setting_texts(kind)[name]
    text, _, _ = said.text.partition(" [default")
    paragraphs = [f"<p>{html.escape(each)}</p>" for each in (text, said.more) if each]
    for widget in widgets:
        widget.setToolTip(rich("".join(paragraphs)))
        widget.setProperty(SETTING, name)


class Option(NamedTuple, Generic[T]):
    """A value that can be chosen, its name and what it means."""

    value: T
    title: str
    tip: str = ""


class Choice(QComboBox, Generic[T]):
    """One value out of several.

    Parameters
    ----------
    options : iterable of Option
        What can be chosen; the first one is, at first.
    name : str
        What the box is called for those who cannot see what stands beside it.
    """

    chosen = Signal(object)  # a value, by the user; what the program shows emits nothing

    def __init__(
        self, options: Iterable[Option[T]] = (), name: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._options: tuple[Option[T], ...] = ()
        self.setAccessibleName(name)
        self.offer(options)
        self.activated.connect(lambda place: self.chosen.emit(self._options[place].value))

    @property
    def value(self) -> T:
        """The chosen value; LookupError where none is."""
        place = self.currentIndex()
        if place < 0:
            raise LookupError("nothing is chosen")
        return self._options[place].value

    @property
    def values(self) -> tuple[T, ...]:
        """All that can be chosen."""
        return tuple(option.value for option in self._options)

    def offer(self, options: Iterable[Option[T]]) -> None:
        """Offer these from now on; what is chosen stays so where it is among them."""
        options = tuple(options)
        if options == self._options:
            return
        kept = self.value if self.currentIndex() >= 0 else None
        self._options = options
        with QSignalBlocker(self):
            self.clear()
            for place, option in enumerate(options):
                self.addItem(visible(option.title))
                self.setItemData(place, plain(option.tip), Qt.ItemDataRole.ToolTipRole)
        self.show_value(kept if kept in self.values else options[0].value if options else None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """As Qt paints it, but text that has no room ends in dots."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part, whole = QStyle.SubControl.SC_ComboBoxEditField, QStyle.ComplexControl.CC_ComboBox
        room = self.style().subControlRect(whole, option, part, self).width() - EDGES
        painter = QStylePainter(self)
        painter.drawComplexControl(whole, option)
        shown = self.currentText()
        if self.currentIndex() < 0:
            shown = self.placeholderText()
            quiet = self.palette().placeholderText()
            option.palette.setBrush(QPalette.ColorRole.ButtonText, quiet)
        option.currentText = self.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideRight, room)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def give_way(self) -> None:
        """Be as wide as there is room, a few letters of its text at least."""
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(FEW)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_value(self, value: T | None) -> None:
        """Let this be the chosen value; the box is blank where it is not offered."""
        values = self.values
        with QSignalBlocker(self):
            self.setCurrentIndex(values.index(value) if value in values else -1)


class Elided(QLabel):
    """As much of a text as there is room for."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._whole = ""

    def setText(self, text: str) -> None:
        """As much of this as there is room for."""
        self._whole = text
        self._elide()

    def whole(self) -> str:
        """All of the text."""
        return self._whole

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more or less room."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(
            self._whole, Qt.TextElideMode.ElideRight, max(0, self.width() - 4)
        )
        super().setText(shown)


class Fitted(QLabel):
    """Shows the first of its texts that fits, the shortest if none does; all of it as its tip."""

    def __init__(self) -> None:
        super().__init__()
        self._texts = [""]
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def say(self, *texts: str) -> None:
        """Show the first of these texts that fits; each is shorter than the one before."""
        self._texts = list(texts)
        self.setToolTip(texts[0])
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:  # noqa: D102
        return QSize(self._width(self._texts[0]), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: D102
        return QSize(self._width(self._texts[-1]), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        fitting = (text for text in self._texts if self._width(text) <= self.width())
        self.setText(next(fitting, self._texts[-1]))

    def _width(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text) + 2


@dataclass
class _FlowLine:
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
        """Put what follows at the right, where it has room in the line."""
        policy = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum
        self.addItem(QSpacerItem(0, 0, *policy))

    def addItem(self, item: QLayoutItem) -> None:
        """One more at the end."""
        self._items.append(item)
        self.invalidate()

    def count(self) -> int:
        """Tell how many there are, stretches included."""
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

    def _place(self, line: _FlowLine, room: QRect, top: int) -> None:
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

    def _lines(self) -> list[_FlowLine]:
        lines = [_FlowLine()]
        for item in self._shown():
            if item.spacerItem():
                lines[-1].items.append(item)
                continue
            size, line = item.sizeHint(), lines[-1]
            gap = self.spacing() if line.width else 0
            if line.width and line.width + gap + _wanted(item) > self._width:
                line, gap = _FlowLine(), 0
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


STRETCH = None  # takes the room that is left
Part = QWidget | QLayout | int | None | tuple[QWidget | QLayout, int | Qt.AlignmentFlag]
Margins = int | tuple[int, int, int, int]  # px: all alike, or left, top, right, bottom
Filled = TypeVar("Filled", QVBoxLayout, QHBoxLayout, Flow)


def fill(
    layout: Filled, *parts: Part, margins: Margins | None = None, spacing: int | None = None
) -> Filled:
    """Put parts into a layout, one after the other.

    Parameters
    ----------
    layout : QVBoxLayout, QHBoxLayout or Flow
    *parts : QWidget, QLayout, int, STRETCH or tuple
        A number is so many px of room. In a tuple, a part stands with its share of the room that
        is left, or with its alignment.
    margins : int or tuple of int, optional
        Px around all parts; by default, what the style has.
    spacing : int, optional
        Px between parts; by default, what the style has.
    """
    if margins is not None:
        layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        layout.setSpacing(spacing)
    for each in parts:
        part, how = each if isinstance(each, tuple) else (each, 0)
        if part is None:
            layout.addStretch()
        elif isinstance(layout, QBoxLayout):
            _add(layout, part, how)
        elif isinstance(part, QWidget):
            layout.addWidget(part)
    return layout


def _add(box: QBoxLayout, part: QWidget | QLayout | int, how: int | Qt.AlignmentFlag) -> None:
    share = 0 if isinstance(how, Qt.AlignmentFlag) else how
    if isinstance(part, int):
        box.addSpacing(part)
    elif isinstance(part, QLayout):
        box.addLayout(part, share)
    elif isinstance(how, Qt.AlignmentFlag):
        box.addWidget(part, 0, how)
    else:
        box.addWidget(part, share)


def in_column(
    *parts: Part, of: QWidget | None = None, margins: Margins | None = None,
    spacing: int | None = None,
) -> QVBoxLayout:  # fmt: skip
    """A layout of parts below each other, of a widget or to be put into another layout."""
    return fill(
        QVBoxLayout() if of is None else QVBoxLayout(of), *parts, margins=margins, spacing=spacing
    )


def one_of(parent: QWidget, *pages: QWidget) -> QStackedLayout:
    """Let a widget show one of some pages, the first to begin with."""
    stack = QStackedLayout(parent)
    for page in pages:
        stack.addWidget(page)
    return stack


def in_row(
    *parts: Part, of: QWidget | None = None, margins: Margins | None = None,
    spacing: int | None = None,
) -> QHBoxLayout:  # fmt: skip
    """A layout of parts beside each other, of a widget or to be put into another layout."""
    return fill(
        QHBoxLayout() if of is None else QHBoxLayout(of), *parts, margins=margins, spacing=spacing
    )


FIELD, SLIDER = 76, 60  # px, at least


class SliderRow(QObject):
    """Adds itself as a row to a grid; says when the user wants another number.

    The slider goes from ``low`` to ``high`` in steps; what is typed may lie beyond, in ``widest``.
    """

    wanted = Signal(float)

    def __init__(
        self,
        grid: QGridLayout,
        title: str,
        tip: str,
        low: float,
        high: float,
        step: float = 1.0,
        widest: tuple[float, float] | None = None,
    ) -> None:
        super().__init__(grid)
        self._low, self._step = low, step
        self._following = False
        self.label = set_up(QLabel(title), role="quiet")
        self.slider = set_up(QSlider(Qt.Orientation.Horizontal), name=title)
        self.slider.setRange(0, round((high - low) / step))
        self.slider.setPageStep(max(1, self.slider.maximum() // 10))
        self.slider.setMinimumWidth(SLIDER)
        self.field = QDoubleSpinBox()
        self.field.setDecimals(0 if step >= 1 else len(f"{step:g}".partition(".")[2]))
        self.field.setRange(*(widest or (low, high)))
        self.field.setSingleStep(step)
        self.field.setKeyboardTracking(False)
        self.field.setMinimumWidth(FIELD)
        self.field.setAccessibleName(f"{title} as a number")
        row = grid.rowCount()
        for column, widget in enumerate((self.label, self.slider, self.field)):
            widget.setToolTip(rich(f"<p><b>{html.escape(title)}</b></p><p>{tip}</p>"))
            grid.addWidget(widget, row, column)
        self.slider.valueChanged.connect(self._slid)
        self.field.valueChanged.connect(self._typed)

    def describe(self, kind: type, name: str) -> None:
        """Say of a setting what its command says: see the function of this name."""
        describe(kind, name, self.label, self.slider, self.field)

    @property
    def value(self) -> float:
        """The number that stands there."""
        return self.field.value()

    def show_value(self, value: float) -> None:
        """Show it; nobody is asked for anything."""
        self._following = True
        self.field.setValue(value)
        place = min(max((value - self._low) / self._step, 0.0), float(self.slider.maximum()))
        self.slider.setValue(round(place))
        self._following = False

    def set_visible(self, visible: bool) -> None:
        """Show or hide the whole row."""
        for widget in (self.label, self.slider, self.field):
            widget.setVisible(visible)

    def _slid(self, step: int) -> None:
        if not self._following:
            self._want(round(self._low + step * self._step, 9))

    def _typed(self, value: float) -> None:
        if not self._following:
            self._want(value)

    def _want(self, value: float) -> None:
        self.show_value(value)
        self.wanted.emit(value)


class EmptyNote(QLabel):
    """Quiet words in the middle of a panel, as many lines as they need."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setProperty("role", "quiet")
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setContentsMargins(12, 16, 12, 16)


def set_up_tree(tree: QTreeWidget, name: str, heads: Sequence[tuple[str, str]]) -> None:
    """Name a tree and its columns, with tips; the first column takes what room is left."""
    tree.setAccessibleName(name)
    tree.setColumnCount(len(heads))
    tree.setHeaderLabels([title for title, _ in heads])
    for column, (_, tip) in enumerate(heads):
        tree.headerItem().setToolTip(column, rich(f"<p>{tip}</p>"))
    tree.setUniformRowHeights(True)
    head = tree.header()
    head.setStretchLastSection(False)
    head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)


def set_up_table(table: QTableWidget, name: str, line: int) -> None:
    """Let a table only show rows, so many px high, of which one is chosen."""
    table.setAccessibleName(name)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(line)
    table.setShowGrid(False)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)


def name_thresholds(
    actions: Iterable[tuple[QAction, measure.Figure]], settings: measure.MeasureSettings
) -> None:
    """Have the entries of a menu of figures name the thresholds of these settings."""
    for action, figure in actions:
        action.setText(figure.titled(settings))
