"""Buttons, fields and lists set up in one call; a field over the window that finds by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemDelegate,
    QButtonGroup,
    QDialog,
    QFrame,
    QLineEdit,
    QListView,
    QListWidget,
    QMenu,
    QToolButton,
    QWidget,
)

from spotlab.gui.kit import theme
from spotlab.gui.kit.panel import fitted
from spotlab.gui.kit.rows import CommandDelegate

Set = TypeVar("Set", bound=QWidget)
Key = TypeVar("Key")


def set_up(
    widget: Set, *, text: str = "", tip: str = "", name: str = "", role: str = "", icon: str = "",
    checkable: bool = False, focus: bool = True, does: Callable[..., object] | None = None,
    menu: QMenu | None = None,
) -> Set:  # fmt: skip
    """Set what widgets are usually given; what is left out stays as it is.

    Parameters
    ----------
    widget : QWidget
        ``text``, ``icon``, ``checkable``, ``does`` and ``menu`` are of buttons.
    text, tip : str
    name : str
        What screen readers say.
    role : str
        Its looks in the style sheet, such as "quiet".
    icon : str
        Name of an icon of `theme.icon`.
    checkable : bool
    focus : bool
        Whether it takes the focus.
    does : callable, optional
        Called at each click.
    menu : QMenu, optional
        Of a tool button: opens at each click.

    Returns
    -------
    QWidget
        The widget.
    """
    if tip:
        widget.setToolTip(tip)
    if name:
        widget.setAccessibleName(name)
    if role:
        widget.setProperty("role", role)
    if not focus:
        widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if isinstance(widget, QAbstractButton):
        if text:
            widget.setText(text)
        if icon:
            widget.setIcon(theme.icon(icon))
        if checkable:
            widget.setCheckable(True)
        if does is not None:
            widget.clicked.connect(does)
    if isinstance(widget, QToolButton) and menu is not None:
        widget.setMenu(menu)
        widget.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return widget


def set_up_list(
    view: QListView,
    name: str,
    model: QAbstractItemModel,
    delegate: QAbstractItemDelegate,
    offer: Callable[[QPoint], object] | None = None,
) -> None:
    """Let a view list the rows of a model.

    Parameters
    ----------
    view : QListView
    name : str
        What screen readers say.
    model : QAbstractItemModel
    delegate : QAbstractItemDelegate
        Paints the rows, which are equally high.
    offer : callable, optional
        Opens the menu of the right mouse button, at a place in the view.
    """
    view.setModel(model)
    view.setItemDelegate(delegate)
    view.setAccessibleName(name)
    view.setUniformItemSizes(True)
    view.setMouseTracking(True)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
    if offer is not None:
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(offer)


class SearchPopup(QFrame):
    """A field over the window, and below it a list of what is found.

    Arrows choose, Enter accepts, Escape leaves.

    Parameters
    ----------
    over : QWidget
        Where it appears.
    back : QWidget
        Has the focus afterwards.
    width : int
        Px.
    asks, name : str
        What stands in the empty field, and what screen readers say of it.
    """

    def __init__(self, over: QWidget, back: QWidget, width: int, asks: str, name: str) -> None:
        super().__init__(over)
        self._over, self._back = over, back
        self.setProperty("role", "popup")
        self.setAutoFillBackground(True)
        self.setFixedWidth(width)
        self.box = set_up(QLineEdit(self, placeholderText=asks), name=name)
        self.list = set_up(QListWidget(self), focus=False)
        self.list.setItemDelegate(CommandDelegate(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.box.installEventFilter(self)
        self.list.itemClicked.connect(lambda _: self.accept())
        self.hide()

    def appear(self, top: int, covered: int = 0) -> None:
        """Come up in the middle, so many px below the top or below what covers it."""
        room = self._over.rect().adjusted(0, covered, 0, 0)
        left = max(0, (self._over.width() - self.width()) // 2)
        self.move(fitted(QRect(QPoint(left, room.top() + top), self.size()), room).topLeft())
        self.show()
        self.raise_()
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def accept(self) -> None:
        """Take what is chosen."""
        raise NotImplementedError

    def leave(self) -> None:
        """Go back to the page."""
        self.hide()
        self._back.setFocus(Qt.FocusReason.OtherFocusReason)

    def fit_list(self) -> None:
        """Let the list be as high as its rows."""
        self.list.setFixedHeight(max(1, self.list.count()) * CommandDelegate.ROW + 4)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys in the field."""
        if event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.hide()
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        match event.key():
            case Qt.Key.Key_Escape:
                self.leave()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.accept()
            case Qt.Key.Key_Down | Qt.Key.Key_Up if self.list.count():
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
            case _:
                return super().eventFilter(watched, event)
        return True


def chips_of(
    options: Mapping[Key, tuple[str, str]], chosen: Key, does: Callable[[Key], object],
    parent: QWidget,
) -> dict[Key, QToolButton]:  # fmt: skip
    """Buttons beside each other, of which one is on.

    Parameters
    ----------
    options : mapping
        Title and tip of each.
    chosen : object
        Key of the one that is on.
    does : callable
        Called with the key of a button that is clicked.
    parent : QWidget
    """
    group, chips = QButtonGroup(parent), {}
    for key, (title, tip) in options.items():
        chip = chips[key] = set_up(QToolButton(), text=title, tip=tip, checkable=True)
        chip.setChecked(key == chosen)
        chip.clicked.connect(lambda _=False, key=key: does(key))
        group.addButton(chip)
    return chips


def show_only(parent: QWidget, kind: type[QDialog], make: Callable[[QWidget], QDialog]) -> None:
    """Show the only dialog of a kind that a window has, in front; it is made if there is none."""
    dialog = parent.findChild(kind)
    if dialog is None:
        dialog = make(parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
