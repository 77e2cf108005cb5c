"""The edge between the canvas and the panels at a side: folds them away, and lists them then."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spotlab.gui.kit import icons

OPEN, FOLDED, ICON = 6, 22, 12  # px across, of an open and a folded side; of the arrow

Area = Qt.DockWidgetArea
LEFT, RIGHT, BOTTOM = Area.LeftDockWidgetArea, Area.RightDockWidgetArea, Area.BottomDockWidgetArea
NAMES = {LEFT: "left", RIGHT: "right", BOTTOM: "lower"}
_ARROWS = {  # towards the side, and away from it
    LEFT: ("chevron-left", "chevron-right"),
    RIGHT: ("chevron-right", "chevron-left"),
    BOTTOM: ("chevron-down", "chevron-up"),
}


class SideStrip(QWidget):
    """A narrow bar along one edge of the canvas.

    Its arrow folds the panels of the side away, or brings them back. While they are folded, their
    names stand beside it; a click on a name brings them back with that panel in front.

    Attributes
    ----------
    arrow : QToolButton
    tabs : dict of str to QToolButton
        The names of what is folded, by the panels' names.
    pressed : Signal
        The arrow is pressed.
    chosen : Signal
        The name of a panel that is folded.
    """

    pressed = Signal()
    chosen = Signal(str)

    def __init__(self, area: Area, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "strip")
        self._area = area
        self.tabs: dict[str, QToolButton] = {}
        self.arrow = _Arrow(_ARROWS[area])
        self.arrow.clicked.connect(self.pressed)
        self._row: QBoxLayout = QHBoxLayout(self) if area is BOTTOM else QVBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2)
        self._row.addStretch(1)
        self._row.addWidget(self.arrow)
        self._row.addStretch(1)
        self.show_folded({})
        self.hide()

    def show_folded(self, titles: Mapping[str, str]) -> None:
        """List the panels that are folded, by name and title; none: the side is open."""
        for tab in self.tabs.values():
            tab.hide()
            self._row.removeWidget(tab)
            tab.deleteLater()
        self.tabs = {name: self._tab(name, title) for name, title in titles.items()}
        self._row.setStretch(0, 0 if titles else 1)  # the arrow of an open side is in the middle
        for at, tab in enumerate(self.tabs.values(), 2):
            self._row.insertWidget(at, tab)
        hints = [tab.minimumSizeHint() for tab in self.tabs.values()]
        sides = [hint.height() if self._area is BOTTOM else hint.width() for hint in hints]
        across = max([FOLDED, *sides]) if titles else OPEN
        deed = "Show" if titles else "Fold away"
        self.arrow.setToolTip(f"{deed} the {NAMES[self._area]} panels")
        self.arrow.setAccessibleName(self.arrow.toolTip())
        if self._area is BOTTOM:
            self.setFixedHeight(across)
            self.arrow.setFixedSize(48 if not titles else FOLDED, across)
        else:
            self.setFixedWidth(across)
            self.arrow.setFixedSize(across, 48 if not titles else FOLDED)
        self.arrow.point(outwards=not titles)

    def _tab(self, name: str, title: str) -> QToolButton:
        tab = QToolButton() if self._area is BOTTOM else _UpwardButton()
        tab.setAutoRaise(True)
        tab.setText(title)
        tab.setToolTip(f"Show {title}")
        tab.clicked.connect(lambda: self.chosen.emit(name))
        return tab


class _Arrow(QToolButton):
    """A button that is no wider than the strip; its icons point towards the side, and away."""

    def __init__(self, names: tuple[str, str]) -> None:
        super().__init__()
        self._names, self._outwards = names, True
        self.setAutoRaise(True)
        self.setProperty("role", "cross")
        self.setIconSize(QSize(ICON, ICON))
        icons.repainted.changed.connect(self._paint_icon)

    def point(self, *, outwards: bool) -> None:
        """Point towards the side, or away from it."""
        self._outwards = outwards
        self._paint_icon()

    def _paint_icon(self) -> None:
        self.setIcon(icons.icon(self._names[0 if self._outwards else 1]))

    def sizeHint(self) -> QSize:
        """The size that the strip gives it."""
        return self.maximumSize()

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.maximumSize()


class _UpwardButton(QToolButton):
    """A button whose text runs upwards."""

    def sizeHint(self) -> QSize:
        """As of a button whose text runs to the right, turned."""
        return super().sizeHint().transposed()

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button turned to the left."""
        painter = QStylePainter(self)
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        painter.rotate(-90)
        painter.translate(-self.height(), 0)
        option.rect = option.rect.transposed()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
