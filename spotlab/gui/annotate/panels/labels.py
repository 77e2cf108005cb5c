"""The label list: what the next region gets, colours, digits, renaming."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QColorDialog,
    QInputDialog,
    QLineEdit,
    QListView,
    QMenu,
    QToolButton,
    QWidget,
)

from spotlab.gui.annotate.label_finder import ask_export, ask_import
from spotlab.gui.annotate.panels.attribute_dialog import edit_attributes
from spotlab.gui.annotate.panels.label_model import (
    LABEL_ROLE,
    LabelDelegate,
    LabelModel,
    sign_places,
)
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up, set_up_list
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.widgets import EmptyNote, in_column, in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Label
from spotlab.model.region import DIGITS

PAUSE = 150  # ms until counts follow
_NONE = "No labels yet. Draw a region and type what it is; Enter makes it a label."
_UNKNOWN = "Enter adds this label, and gives it to the selected regions."
_LOCKED = "No label has this in its name, and the label set is locked."
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class LabelsPanel(QWidget):
    """Click: label the selection, and what is drawn next. A digit pressed on a row is its key."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.model = LabelModel(workbench, self)
        self.box = set_up(
            QLineEdit(placeholderText="Find or add a label", clearButtonEnabled=True),
            tip="Enter gives the label to the selected regions; an unknown name makes a new label",
            name="Find or add a label",
        )
        menu = QMenu(self)
        self.more = set_up(QToolButton(), tip="Actions for labels", menu=menu)
        menu.addAction("Remove unused labels", workbench.collection_steps.remove_unused)
        menu.addSeparator()
        menu.addAction("Attributes…", lambda: self.edit_attributes(""))
        menu.addSeparator()
        menu.addAction("Import label set…", lambda: ask_import(workbench, self))
        menu.addAction("Export label set…", lambda: ask_export(workbench, self))
        self.locks = menu.addAction("Lock label set")
        self.locks.setCheckable(True)
        self.locks.triggered.connect(workbench.collection.lock_labels)
        self.locked = QToolButton()
        self.locked.setToolTip(
            "The label set is locked: no label is added, renamed or deleted. Click to unlock it"
        )
        self.locked.setAccessibleName("Unlock the label set")
        self.locked.clicked.connect(lambda: workbench.collection.lock_labels(False))
        self.list = self._list()
        self.nothing = EmptyNote()
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self.model.reread)
        self.model.counted.connect(self.list.viewport().update)
        self.model.visibility.changed.connect(self.list.viewport().update)
        self.model.renamed.connect(workbench.collection_steps.rename)
        self.box.textChanged.connect(self.model.set_wanted)
        self.box.textChanged.connect(self._show_nothing)
        self.model.modelReset.connect(self._show_nothing)
        self.box.returnPressed.connect(self._enter)
        workbench.labels_changed.connect(self.model.reread)
        workbench.labels_changed.connect(self._show_lock)
        self.model.moved.connect(self.move_label)
        for signal in (workbench.page_changed, workbench.history_moved, workbench.entries_changed):
            signal.connect(self._timer.start)
        workbench.state_changed.connect(
            lambda _: self._timer.isActive() or self._timer.start(), self
        )
        workbench.label_changed.connect(self._follow)
        self.more.setIcon(theme.icon("dots-horizontal"))
        self.locked.setIcon(theme.icon("lock"))
        self._show_lock()

    def set_digit(self, name: str, digit: str) -> None:
        """Let a digit set this label; whoever had it gets this one's."""
        if self.workbench.collection.add_label(name):
            self.workbench.collection.set_labels(self.workbench.labels.with_digit(name, digit))

    def set_colour(self, name: str, colour: str) -> None:
        """Paint a label's regions like this."""
        if self.workbench.collection.add_label(name):
            self.workbench.collection.set_labels(self.workbench.labels.with_colour(name, colour))

    def set_description(self, name: str, description: str) -> None:
        """Say what is labelled like this."""
        if self.workbench.collection.add_label(name):
            labels = self.workbench.labels.with_description(name, description)
            self.workbench.collection.set_labels(labels)

    def edit_attributes(self, name: str) -> None:
        """Say which attributes regions of a label have; an empty name is for all labels."""
        if self.workbench.collection.add_label(name):
            edit_attributes(self.workbench, self, name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A digit on a row is that label's key from now on; Delete deletes the label."""
        if watched is self.list.viewport() and isinstance(event, QMouseEvent):
            return self._sign_pressed(event) or super().eventFilter(watched, event)
        if isinstance(event, QKeyEvent) and event.key() in _STEPS and _has_alt(event):
            label = self._label(self.list.currentIndex())
            if label and event.type() == QEvent.Type.KeyPress:
                self._step(label, _STEPS[Qt.Key(event.key())])
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            label = self._label(self.list.currentIndex())
            if label and event.key() == Qt.Key.Key_Delete:
                self.workbench.collection_steps.delete(label.name)
                return True
            if label and event.text() in DIGITS and event.text():
                self.set_digit(label.name, event.text())
                return True
        return super().eventFilter(watched, event)

    def _sign_pressed(self, event: QMouseEvent) -> bool:
        """Tell whether the event is of a press on an eye or a lock, which changes by it."""
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        place = event.position().toPoint()
        index = self.list.indexAt(place)
        label = self._label(index)
        eye, lock = sign_places(self.list.visualRect(index))
        on_eye, on_lock = eye.contains(place), lock.contains(place)
        if label is None or not (on_eye or on_lock):
            return False
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            visibility = self.model.visibility
            if on_eye:
                visibility.hide_label(label.name, not visibility.is_label_hidden(label.name))
            else:
                visibility.lock_label(label.name, not visibility.is_label_locked(label.name))
        return True

    def _list(self) -> QListView:
        view = QListView(self)
        set_up_list(view, "Labels", self.model, LabelDelegate(self.model, view), self._offer)
        view.setDragDropMode(QListView.DragDropMode.InternalMove)
        view.setDefaultDropAction(Qt.DropAction.MoveAction)
        view.setDropIndicatorShown(True)
        view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        view.clicked.connect(self._apply)
        view.activated.connect(self._apply)
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)
        return view

    def _lay_out(self) -> None:
        head = in_row(self.box, self.locked, self.more, margins=(8, 8, 8, 4))
        in_column(head, (self.nothing, 1), (self.list, 1), of=self, margins=0, spacing=0)

    def _show_lock(self) -> None:
        locked = self.workbench.labels.locked
        self.locked.setVisible(locked)
        self.locks.setChecked(locked)
        self.box.setPlaceholderText("Find a label" if locked else "Find or add a label")
        self._show_nothing()

    def _show_nothing(self) -> None:
        """Say what to do where no label is listed."""
        listed = self.model.rowCount() > 0
        self.list.setVisible(listed)
        self.nothing.setVisible(not listed)
        unknown = _LOCKED if self.workbench.labels.locked else _UNKNOWN
        self.nothing.setText(unknown if self.box.text().strip() else _NONE)

    def move_label(self, name: str, place: int) -> None:
        """Put a label at another place in the order."""
        labels = self.workbench.labels
        if name in labels:
            self.workbench.collection.set_labels(labels.moved(name, place))
            row = self.model.row_of(name)
            if row is not None:
                self.list.setCurrentIndex(self.model.index(row, 0))

    def _step(self, label: Label, by: int) -> None:
        names = [each.name for each in self.workbench.labels]
        if label.name in names:
            self.move_label(label.name, names.index(label.name) + by)

    def _label(self, index: QModelIndex) -> Label | None:
        return index.data(LABEL_ROLE) if index.isValid() else None

    def _apply(self, index: QModelIndex) -> None:
        label = self._label(index)
        if label:
            self.workbench.editing.apply_label(label.name)

    def _enter(self) -> None:
        text = self.box.text().strip()
        if not text:
            return
        shown = self.model.index(0, 0).data(LABEL_ROLE) if self.model.rowCount() == 1 else None
        self.workbench.editing.apply_label(shown.name if shown else text)
        self.box.clear()

    def _follow(self) -> None:
        row = self.model.row_of(self.workbench.label)
        if row is not None:
            self.list.scrollTo(self.model.index(row, 0))
        self.list.viewport().update()

    def _offer(self, place: QPoint) -> None:
        label = self._label(self.list.indexAt(place))
        if label is None:
            return
        menu = QMenu(self)
        menu.addAction("Rename everywhere…", lambda: self._edit_soon(label))
        menu.addAction("Colour…", lambda: self._ask_colour(label))
        menu.addAction("Description…", lambda: self._ask_description(label))
        menu.addAction("Attributes…", lambda: self.edit_attributes(label.name))
        digits = menu.addMenu("Key")
        for digit in DIGITS:
            holder = self.workbench.labels.by_digit(digit)
            title = f"{digit}  (now {holder.name})" if holder and holder != label else digit
            action = digits.addAction(title)
            action.setCheckable(True)
            action.setChecked(label.digit == digit)
            action.triggered.connect(lambda _=False, digit=digit: self.set_digit(label.name, digit))
        menu.addAction("Move Up\tAlt+↑", lambda: self._step(label, -1))
        menu.addAction("Move Down\tAlt+↓", lambda: self._step(label, 1))
        menu.addAction("Select on this page", lambda: self._select(label))
        self._offer_visibility(menu, label)
        menu.addSeparator()
        menu.addAction("Delete everywhere…", lambda: self._delete(label))
        menu.exec(self.list.viewport().mapToGlobal(place))

    def _offer_visibility(self, menu: QMenu, label: Label) -> None:
        visibility, name = self.model.visibility, label.name
        hidden, locked = visibility.is_label_hidden(name), visibility.is_label_locked(name)
        menu.addSeparator()
        only = menu.addAction("Show Only This Label", lambda: visibility.show_only(name))
        only.setCheckable(True)
        only.setChecked(visibility.only == name)
        title = "Show This Label" if hidden else "Hide This Label"
        menu.addAction(title, lambda: visibility.hide_label(name, not hidden))
        title = "Unlock This Label" if locked else "Lock This Label"
        menu.addAction(title, lambda: visibility.lock_label(name, not locked))
        if visibility.hides:
            menu.addAction("Show All Regions", visibility.show_all)

    def _edit_soon(self, label: Label) -> None:
        """Let the name be typed, once the menu is gone: it would take the focus from the field."""

        def edit() -> None:
            row = self.model.row_of(label.name)
            if row is not None:
                self.list.setFocus()
                self.list.edit(self.model.index(row, 0))

        QTimer.singleShot(0, self, edit)

    def _delete(self, label: Label) -> None:
        self.workbench.collection_steps.delete(label.name)

    def _ask_colour(self, label: Label) -> None:
        dialog = QColorDialog(QColor(label.colour), self)
        OnScreen(dialog)
        dialog.setWindowTitle(f"Colour of {label.name}")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.colorSelected.connect(lambda colour: self.set_colour(label.name, colour.name()))
        dialog.open()

    def _ask_description(self, label: Label) -> None:
        dialog = QInputDialog(self)
        OnScreen(dialog)
        dialog.setOption(QInputDialog.InputDialogOption.UsePlainTextEditForTextInput)
        dialog.setWindowTitle(f"Description of {label.name}")
        dialog.setLabelText("What annotators label like this")
        dialog.setTextValue(label.description)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(lambda text: self.set_description(label.name, text))
        dialog.open()

    def _select(self, label: Label) -> None:
        regions = self.workbench.document or ()
        self.workbench.selection.set(
            [region.id for region in regions if region.label == label.name]
        )


def _has_alt(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
