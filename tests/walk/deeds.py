"""What a hand can do to a widget: a list of deeds for each kind, by real events.

A new widget needs nothing here: what it is, or that it takes the mouse, says what can be done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QHeaderView,
    QLineEdit,
    QListView,
    QMenu,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from tests.gui import gestures

Deed = tuple[str, Callable[[], None]]

LEFT = Qt.MouseButton.LeftButton
ROWS, SECTIONS = 3, 12  # of a table, that are clicked
TYPED = "sofa"
PLACES = ((0.5, 0.5), (0.1, 0.2), (0.9, 0.8))  # shares of a widget, that a drag goes through


def deeds_of(widget: QWidget) -> list[Deed]:
    """Everything that can be done to a widget, by what it is; nothing for one that only shows."""
    match widget:
        case QFileDialog() | QScrollBar():
            return []
        case QComboBox():
            deeds: list[Deed] = [
                (f"choose {widget.itemText(row)!r}", partial(_choose, widget, row))
                for row in range(widget.count())
            ]
        case QAbstractSpinBox():
            deeds = [
                ("most", partial(_keys, widget, Qt.Key.Key_Up, 200)),
                ("least", partial(_keys, widget, Qt.Key.Key_Down, 200)),
                ("type 3", partial(_type, widget, "3")),
            ]
        case QAbstractSlider():
            deeds = [
                ("to its end", partial(_keys, widget, Qt.Key.Key_End)),
                ("to its start", partial(_keys, widget, Qt.Key.Key_Home)),
                ("a page up", partial(_keys, widget, Qt.Key.Key_PageUp)),
                ("drag", partial(_drag, widget)),
            ]
        case QAbstractButton():
            deeds = [("click", partial(_click, widget))]
            if widget.isCheckable():
                deeds *= 2
        case QLineEdit():
            deeds = [("type", partial(_type, widget, TYPED)), ("clear", partial(_clear, widget))]
        case QHeaderView():
            deeds = [
                (f"click section {section}", partial(_click_section, widget, section))
                for section in range(min(widget.count(), SECTIONS))
                if not widget.isSectionHidden(section)
            ]
        case QTabBar():
            deeds = [
                (f"tab {widget.tabText(tab)!r}", partial(_click_at, widget, widget.tabRect(tab)))
                for tab in range(widget.count())
            ]
        case QAbstractItemView():
            deeds = [*_on_rows(widget), ("menu", partial(_context_menu, widget.viewport()))]
        case QTextEdit():
            deeds = [("drag", partial(_drag, widget.viewport()))]
        case QAbstractScrollArea():
            takes = _takes_mouse(widget) or _takes_mouse(widget.viewport())
            deeds = _with_mouse(widget.viewport()) if takes else []
        case _:
            deeds = _with_mouse(widget) if _takes_mouse(widget) else []
    return deeds


def widgets_in(root: QWidget) -> Iterator[QWidget]:
    """All widgets that can be reached now; parts of others, as of a spin box, are not listed."""
    for widget in root.findChildren(QWidget):
        parent = widget.parentWidget()
        inside = isinstance(parent, QComboBox | QAbstractSpinBox | QFileDialog)
        if not inside and widget.window() is root.window() and can_be_reached(widget):
            yield widget


def can_be_reached(widget: QWidget) -> bool:
    """Whether the widget is still there, and somebody sees it and may use it."""
    return (
        isValid(widget)
        and widget.isVisible()
        and widget.isEnabled()
        and not widget.visibleRegion().isEmpty()
    )


def click_action(menu: QMenu, row: int) -> None:
    """Click what stands in a row of an open menu."""
    _click_at(menu, menu.actionGeometry(menu.actions()[row]))


def name_of(widget: QWidget) -> str:
    """How a widget is called in a list of faults: what it is, where, and what it says."""
    said = widget.accessibleName() or widget.objectName() or widget.toolTip()
    if isinstance(widget, QAbstractButton):
        said = widget.text() or said
    parents = [type(widget).__name__]
    parent = widget.parentWidget()
    while parent is not None and len(parents) < 3:
        if type(parent).__module__.startswith("spotlab"):
            parents.append(type(parent).__name__)
        parent = parent.parentWidget()
    same = re.sub(r"\d+", "#", said)  # what only counts differently is the same widget
    return f"{'.'.join(reversed(parents))} {same[:40]!r}"


def _takes_mouse(widget: QWidget) -> bool:
    """Whether a class of the program, or of its plots, looks at presses of the mouse."""
    own = type(widget).__mro__
    return any(
        "mousePressEvent" in vars(kind)
        for kind in own
        if kind.__module__.startswith(("spotlab", "pyqtgraph"))
    )


def _with_mouse(widget: QWidget) -> list[Deed]:
    return [
        ("hover", partial(_hover, widget)),
        ("drag", partial(_drag, widget)),
        ("double click", partial(_double_click, widget)),
        ("wheel", partial(_wheel, widget)),
        ("keys", partial(_some_keys, widget)),
        ("menu", partial(_context_menu, widget)),
    ]


def _on_rows(view: QAbstractItemView) -> Iterator[Deed]:
    model, root = view.model(), view.rootIndex()
    if model is None:
        return
    rows = model.rowCount(root)
    columns = 1 if isinstance(view, QListView) else model.columnCount(root)
    for row in sorted({*range(min(rows, ROWS)), max(rows - 1, 0)} if rows else ()):
        for column in range(min(columns, SECTIONS)):
            yield f"click row {row}, column {column}", partial(_click_row, view, row, column, False)
    if rows:
        yield "double click", partial(_click_row, view, 0, 0, True)
        yield "down", partial(_keys, view, Qt.Key.Key_Down)
        yield "up", partial(_keys, view, Qt.Key.Key_Up)


def _click_row(view: QAbstractItemView, row: int, column: int, twice: bool) -> None:
    model = view.model()
    if model is None:
        return
    index = model.index(row, column, view.rootIndex())
    place = view.visualRect(index).center() if index.isValid() else QPoint(-1, -1)
    if view.viewport().rect().contains(place):
        QTest.mouseClick(view.viewport(), LEFT, pos=place)
        if twice:
            QTest.mouseDClick(view.viewport(), LEFT, pos=place)


def _choose(combo: QComboBox, row: int) -> None:
    """Open the list and click a row of it."""
    QTest.mouseClick(combo, LEFT)
    view = combo.view()
    if row < combo.count() and view.isVisible():
        index = combo.model().index(row, combo.modelColumn(), combo.rootModelIndex())
        view.scrollTo(index)
        QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())
    combo.hidePopup()


def _keys(widget: QWidget, key: Qt.Key, times: int = 1) -> None:
    widget.setFocus()
    for _ in range(times):
        QTest.keyClick(widget, key)


def _type(widget: QWidget, text: str) -> None:
    widget.setFocus()
    QTest.keySequence(widget, QKeySequence.StandardKey.SelectAll)
    QTest.keyClicks(widget, text)
    QTest.keyClick(widget, Qt.Key.Key_Return)


def _clear(widget: QLineEdit) -> None:
    widget.setFocus()
    QTest.keySequence(widget, QKeySequence.StandardKey.SelectAll)
    QTest.keyClick(widget, Qt.Key.Key_Backspace)
    QTest.keyClick(widget, Qt.Key.Key_Escape)


def _click(button: QAbstractButton) -> None:
    QTest.mouseClick(button, LEFT)


def _click_at(widget: QWidget, place: QRect) -> None:
    if not place.isEmpty():
        QTest.mouseClick(widget, LEFT, pos=place.center())


def _click_section(header: QHeaderView, section: int) -> None:
    across = header.orientation() is Qt.Orientation.Horizontal
    at = header.sectionViewportPosition(section) + header.sectionSize(section) // 2
    middle = header.height() // 2 if across else header.width() // 2
    place = QPoint(at, middle) if across else QPoint(middle, at)
    if header.viewport().rect().contains(place):
        QTest.mouseClick(header.viewport(), LEFT, pos=place)


def _places(widget: QWidget) -> list[gestures.Place]:
    return [(widget.width() * x, widget.height() * y) for x, y in PLACES]


def _hover(widget: QWidget) -> None:
    for place in _places(widget):
        gestures.move(widget, place)
    QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))


def _drag(widget: QWidget) -> None:
    gestures.drag(widget, _places(widget))


def _double_click(widget: QWidget) -> None:
    gestures.double_click(widget, _places(widget)[0])


def _wheel(widget: QWidget) -> None:
    for notches in (1, -2, 1):
        gestures.wheel(widget, _places(widget)[0], notches)


def _some_keys(widget: QWidget) -> None:
    widget.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up,
                Qt.Key.Key_Return, Qt.Key.Key_Escape):  # fmt: skip
        QTest.keyClick(widget, key)


def _context_menu(widget: QWidget) -> None:
    place = QPoint(widget.width() // 2, min(widget.height() // 2, 30))
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(QPointF(place)).toPoint()
    )
    QApplication.sendEvent(widget, event)
