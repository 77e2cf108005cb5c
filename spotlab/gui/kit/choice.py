"""A combo box that holds Python values and gives back the very object that it was given.

Qt keeps an item's data as a variant of its own, which turns a `StrEnum` into a plain string. Values
therefore stay on this side; no other module reads a combo box.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from spotlab.gui.kit.plain_text import plain
from spotlab.representation import visible

T = TypeVar("T")

EDGES = 4  # px of an edit field that no text stands in
FEW = 6  # letters that a box that gives way always shows


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
        option.currentText = self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, room
        )
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
