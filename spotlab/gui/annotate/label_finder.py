"""A small box over the canvas: type a few letters of a label, Enter sets it or makes a new one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPixmap
from PySide6.QtWidgets import QLabel, QListWidgetItem, QWidget

from spotlab.errors import SpotlabError, counted
from spotlab.formats.collection.label_table import read_label_table, write_label_table
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import SearchPopup, set_up
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.kit.rows import HINT
from spotlab.gui.kit.text import best
from spotlab.gui.kit.widgets import in_column
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.workspace import Window, may_draw
from spotlab.model import Label

_WORD = re.compile(r"[^\W_]+")


def meant(text: str, names: Iterable[str]) -> str | None:
    """The label that was surely meant; None where a new one is.

    The same name comes first, in the same case if it can be; then names that begin like the text,
    those of which a word does, and those whose words have these initials; of several the shortest.
    A name shorter than the text is never meant, nor one that merely holds it or resembles it.

    Examples
    --------
    >>> names = ["armchair", "bed", "coffee table", "sofa", "Sofa bed"]
    >>> meant("SOFA", names), meant("cof", names), meant("tab", names), meant("CT", names)
    ('sofa', 'coffee table', 'coffee table', 'coffee table')
    >>> meant("chair", names), meant("double bed", names), meant("sofabed", names), meant("", names)
    (None, None, None, None)
    """
    typed = normal(text)
    if not typed:
        return None
    ranked = [
        (rank, len(name), number, name)
        for number, name in enumerate(names)
        if (rank := _rank(typed, name)) is not None
    ]
    return min(ranked)[-1] if ranked else None


def normal(text: str) -> str:
    """A label as it is kept: single spaces, none around.

    Examples
    --------
    >>> normal("  double   bed ")
    'double bed'
    """
    return " ".join(text.split())


def _rank(typed: str, name: str) -> int | None:
    """Tell how surely the name was meant, 0 for most surely; None if it was not."""
    if typed == name:
        return 0
    if len(name) < len(typed):
        return None
    text, folded = typed.casefold(), name.casefold()
    if text == folded:
        return 1
    if folded.startswith(text):
        return 2
    words = list(_WORD.finditer(folded))
    if any(folded.startswith(text, word.start()) for word in words):
        return 3
    initials = "".join(word[0][0] for word in words)
    return 4 if len(words) > 1 and text == initials else None


_READ = ("Label sets (*.csv *.tsv *.json *.xml *.txt)", "All files (*)")
_WRITTEN = ("Table (*.csv)", "JSON (*.json)", "Names only (*.txt)")


def ask_import(workbench: Workbench, parent: QWidget) -> None:
    """Take over the labels of the file that the user points at."""
    here = workbench.collection.folder
    FileDialog(parent, "Import label set", here, FileDialog.FileMode.ExistingFile).ask(
        lambda path: import_labels(workbench, path), filters=_READ
    )


def ask_export(workbench: Workbench, parent: QWidget) -> None:
    """Write the labels where the user says."""
    dialog = FileDialog(parent, "Export label set", workbench.collection.folder)
    dialog.setDefaultSuffix("csv")
    dialog.filterSelected.connect(
        lambda chosen: dialog.setDefaultSuffix(chosen.rsplit(".", 1)[-1].rstrip(")"))
    )
    dialog.ask(lambda path: export_labels(workbench, path), filters=_WRITTEN, suggested="labels")


def import_labels(workbench: Workbench, path: Path) -> None:
    """Put the labels of a file first; those that only the collection has stay behind them."""
    try:
        found = read_label_table(path)
    except SpotlabError as error:
        workbench.said.emit(str(error), True)
        return
    before = workbench.labels
    names = {label.name for label in found}
    others = [label.name for label in before if label.name not in names]
    workbench.collection.set_labels(before.joined(found))
    said = f"Imported {counted(len(found), 'label')} from {path.name}"
    if others:
        verb = "is" if len(others) == 1 else "are"
        said += f"; {len(others):,} of the collection {verb} not in the file and stay at the end"
    workbench.said.emit(said, False)


def export_labels(workbench: Workbench, path: Path) -> None:
    """Write all labels with colours, digits and descriptions."""
    try:
        write_label_table(path, workbench.labels)
    except SpotlabError as error:
        workbench.said.emit(str(error), True)
    else:
        workbench.said.emit(f"Wrote {path}", False)


ROWS = 8
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
NAME = Qt.ItemDataRole.UserRole


class LabelFinder(SearchPopup):
    """Enter labels the selection or what is drawn next, Esc leaves.

    The first row is what Enter takes: the label that was surely meant, or a new one. Labels that
    only resemble what was typed follow; the arrows and the mouse choose them.
    """

    def __init__(self, window: Window) -> None:
        canvas = window.canvas
        super().__init__(canvas, canvas, 300, "Label", "Find a label")
        self._window = window
        self.workbench = window.workbench
        self._canvas = canvas
        canvas.installEventFilter(self)
        self.hint = set_up(QLabel(wordWrap=True), role="quiet")
        in_column(self.box, self.list, self.hint, of=self, margins=(10, 10, 10, 8), spacing=6)
        self.box.textEdited.connect(self._fill)
        self.list.currentRowChanged.connect(self._tell)

    def open(self, text: str = "") -> None:
        """Show the box with this typed already."""
        if self.workbench.document is None:
            return
        self.box.setText(text)
        self._fill(text)
        self.appear(24, round(self._canvas.view.covered))
        self.box.end(False)

    def accept(self) -> None:
        """Set the chosen label."""
        item = self.list.currentItem()
        if item is None:  # the set is locked: that is said, and unlocking offered
            self.accept_new()
            return
        self.leave()
        self.workbench.editing.apply_label(item.data(NAME))

    def accept_new(self) -> None:
        """Set a label with the very name that was typed."""
        name = normal(self.box.text())
        self.leave()
        if name:
            self.workbench.editing.apply_label(name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A letter typed on the page opens the finder; keys of the box that are not text."""
        if watched is self._canvas:
            return self._typed_on_page(event)
        if isinstance(event, QKeyEvent):
            enters = event.key() in _ENTER
            if event.type() == QEvent.Type.ShortcutOverride and enters:
                event.accept()  # with Ctrl it is a shortcut of the window elsewhere
                return True
            if event.type() == QEvent.Type.KeyPress and enters and _is_control(event):
                self.accept_new()
                return True
            if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Tab:
                self.accept()
                return True
        return super().eventFilter(watched, event)

    def _typed_on_page(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and may_draw(self._window)
            and self._canvas.pointing.gesture is None
            and event.text().isalpha()
            and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
            and all(layer.answer(event) is None for layer in self._canvas.layers_here())
        ):
            self.open(event.text())
            return True
        return False

    def _fill(self, text: str) -> None:
        self.list.clear()
        labels, typed = self.workbench.labels, normal(text)
        known = {label.name: label for label in labels}
        if not labels.locked:
            others = self.workbench.collection.labels_beside_set()
            known |= {name: Label(name, "") for name in others}
        names = list(known)
        first, found = meant(text, names), best(text, names, ROWS)
        rows = [*([] if first is None else [first]), *(name for name in found if name != first)]
        for name in rows[:ROWS]:
            item = QListWidgetItem(_swatch(known[name].colour), name)
            item.setData(NAME, name)
            item.setData(HINT, known[name].digit)
            item.setToolTip(known[name].description)
            self.list.addItem(item)
        if typed and typed not in known and not labels.locked:
            item = QListWidgetItem(_swatch(""), f"New label “{typed}”")
            item.setData(NAME, typed)
            self.list.insertItem(self.list.count() if first else 0, item)
        self.list.setCurrentRow(0)
        self.fit_list()
        self._tell()

    def _tell(self) -> None:
        """Say what Enter and Ctrl+Enter will do."""
        item, typed = self.list.currentItem(), normal(self.box.text())
        name = item.data(NAME) if item else ""
        labels = self.workbench.labels
        parts = [f"Enter: {self._called(name)}"] if name else []
        if labels.locked:
            parts += [] if name else ["No label begins like this, and the label set is locked"]
        elif typed and typed != name:
            parts.append(f"Ctrl+Enter: {self._called(typed)}")
        if self.list.count() > 1:
            parts.append("↑ ↓ to choose")
        said = labels[name].description if name in labels else ""
        self.hint.setText("\n".join(filter(None, (said, " · ".join(parts)))))
        room = self.width() - 20
        self.hint.setFixedHeight(self.hint.heightForWidth(room))
        self.adjustSize()

    def _called(self, name: str) -> str:
        known = name in self.workbench.labels or self.workbench.collection.counts()[name]
        return f"“{name}”" if known else f"new label “{name}”"


def _is_control(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


def _swatch(colour: str) -> QPixmap:
    return theme.swatch(QColor(colour) if colour else None, 12, inset=1)
