"""A way through the panels by keys, and names of controls for readers of the screen."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QDockWidget,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QToolBar,
    QWidget,
)

from spotlab.gui.kit.choice import Choice

CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    Choice,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
)


def walk_panels(window: QMainWindow, by: int) -> None:
    """Give the focus to the next panel (1) or the previous one (-1): canvas, docks, rail."""
    middle = window.centralWidget()
    parts: list[QWidget] = [] if middle is None else [middle]
    parts += [dock for dock in window.findChildren(QDockWidget) if _is_seen(dock)]
    parts += [bar for bar in window.findChildren(QToolBar) if _is_seen(bar)]
    focus = QApplication.focusWidget()
    holds = (place for place, part in enumerate(parts) if focus and part.isAncestorOf(focus))
    at = next(holds, 0 if by > 0 else 1)
    for step in range(1, len(parts) + 1):
        target = _entrance(parts[(at + by * step) % len(parts)])
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
            return


def name_controls(window: QWidget) -> None:
    """Name each control that has no text, for readers of the screen.

    A control is named by what it declares; without that, by its tip or by what stands in it while
    it is empty, or by the panel that it is in.
    """
    for widget in window.findChildren(QWidget):
        if not isinstance(widget, CONTROLS):
            continue
        if not accessible_name(widget):
            widget.setAccessibleName(_described(widget))


def accessible_name(widget: QWidget) -> str:
    """What a reader of the screen says for a widget; its own text or a label in front of it."""
    found = QAccessible.queryAccessibleInterface(widget)
    name = found.text(QAccessible.Text.Name) if found is not None else ""
    return name or widget.accessibleName()


def _described(widget: QWidget) -> str:
    tip = widget.toolTip().partition("\n")[0]
    empty = widget.placeholderText() if isinstance(widget, QLineEdit | QPlainTextEdit) else ""
    return tip or empty or _place(widget)


def _place(widget: QWidget) -> str:
    """The title of the panel that the widget is in."""
    parent = widget.parentWidget()
    while parent is not None:
        name = parent.accessibleName() or parent.windowTitle()
        if name:
            return name
        parent = parent.parentWidget()
    return "spotlab"


def _is_seen(widget: QWidget) -> bool:
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def _entrance(part: QWidget) -> QWidget | None:
    """The first widget of a part that takes the focus by Tab."""
    for widget in part.findChildren(QWidget):
        by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if by_tab and widget.isEnabled() and _is_seen(widget) and widget.focusProxy() is None:
            return widget
    return None
