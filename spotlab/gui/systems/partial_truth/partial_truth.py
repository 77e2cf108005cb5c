"""Says of a few items whether they are relevant, and sees what follows for every system."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QToolButton,
    QWidget,
)

from spotlab.consensus.answers import FEW
from spotlab.gui.kit import theme
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.kit.panel import InFront
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import STRETCH, Choice, Elided, EmptyNote, Flow, in_column, one_of
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.partial_truth.asked_item import (
    AnsweredFigures,
    AskedItem,
    ItemCrops,
    ItemPicture,
)
from spotlab.gui.systems.partial_truth.partial_truth_state import PartialTruth
from spotlab.gui.systems.state import KENDALL, Systems
from spotlab.gui.systems.votes.vote_table import show_item_at
from spotlab.progress import Progress
from spotlab.report.figure_text import written

NOTHING = (
    "Open votes, then say of some items\nwhether they are relevant:\n"
    "from some 20 answers on, every system's\nfigures are estimated from them."
)
DONE = "Something is said of every item."
BEFORE = (
    "Is this item relevant? Items are drawn by chance, more often where an answer matters more. "
    f"From {FEW} answers on, the figures of every system follow from them; 50 are better."
)
MEANINGS = {
    Qt.Key.Key_Y: ("Yes", "Y", "It is relevant"),
    Qt.Key.Key_N: ("No", "N", "It is not relevant"),
    Qt.Key.Key_U: ("Unknown", "U", "Nobody can tell: it is not asked for again"),
    Qt.Key.Key_Space: ("Later", "Space", "Ask for another item first"),
}
STALE = 400  # ms after which figures turn pale while others are computed
SAYS = {Qt.Key.Key_Y: True, Qt.Key.Key_N: False, Qt.Key.Key_U: None}


class PartialTruthPanel(QWidget):
    """One item at a time, answered by keys that count in the whole window while it is in sight."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.systems = workbench.state(Systems)
        self.truth = workbench.state(PartialTruth)
        self._files: dict[str, tuple[Path, int]] = {}
        self._crops = ItemCrops(self._files)
        self._cropping = Task(urgent=True)
        self._shown: tuple[object, int] | None = None
        self._leading = False
        self._in_front = InFront(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self.refresh()

    def refresh(self) -> None:
        """Show the item that is asked for, and what is known."""
        table, asked = self.systems.table, self.truth.current
        self.stack.setCurrentWidget(self.nothing if table is None else self._filled)
        self.undo.setEnabled(self.truth.can_undo)
        for button in self.buttons.values():
            button.setEnabled(asked is not None)
        self._offer_keys()
        if table is None:
            self._shown = None
            return
        self._count()
        self.finished.setVisible(self.truth.finished)
        self.card.setVisible(asked is not None)
        if asked is not None and self._shown != (table, asked.item):
            self._shown = table, asked.item
            self.card.show_item(table, asked.item)
            self._crop(asked.item)
        said = self.truth.said.get(asked.item) if asked is not None else None
        for key, button in self.buttons.items():
            button.setChecked(said is not None and SAYS.get(key, "later") is said.relevant)
        if self._leading and asked is not None:
            self._lead()

    def show_figures(self) -> None:
        """Show what follows from the answers."""
        found = self.truth.estimates
        if self.truth.estimating:
            self._slow.start()
        else:
            self._slow.stop()
            self.figures.setEnabled(True)
        self.figures.setVisible(found is not None)
        self.caption.setText(BEFORE if found is None else found.assumption)
        self.tau.setVisible(found is not None and self.systems.truth is not None)
        if found is None:
            return
        self.figures.show_estimates(self.systems.names, found, self.systems.truth)
        self.figures.show_chosen(self.systems.system)
        comparison = self.systems.comparison
        near = comparison.recommended.nearness if comparison else None
        before = near.kendall if near else None
        self.tau.setText(
            f"Kendall's τ to the truth {written(self.truth.tau)}, {written(before)} without answers"
        )

    def answer(self, key: Qt.Key) -> None:
        """Answer what a key says."""
        if key == Qt.Key.Key_Space:
            self.truth.postpone()
        else:
            self.truth.mark(SAYS[key])
        self._lead()

    def take_back(self) -> None:
        """Undo the last answer."""
        self.truth.undo()
        self._lead()

    def event(self, event: QEvent) -> bool:
        """To undo is to take an answer back while it has the focus."""
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and _undoes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys that undo, undo."""
        if _undoes(event):
            self.take_back()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click anywhere lets the keys come here."""
        self.setFocus()
        super().mousePressEvent(event)

    def ask_import(self) -> None:
        """Let the user choose a file of answers."""
        folder = self.systems.paths[0].parent if self.systems.paths else None
        FileDialog(self, "Import answers", folder, FileDialog.FileMode.ExistingFile).ask(
            self.truth.import_answers, filters=["Answers (*.csv)", "All files (*)"]
        )

    def _follow_sight(self, in_front: bool) -> None:
        """Items are drawn while it is in sight, and shown; where it is not, nobody answers."""
        self._leading = in_front
        self.truth.set_wanted(in_front)
        self._offer_keys()

    def _offer_keys(self, *_: object) -> None:
        """The keys count wherever the focus is, but for Space on what Space presses or opens."""
        asked = bool(self._in_front) and self.truth.current is not None
        presses = isinstance(QApplication.focusWidget(), QAbstractButton | Choice)
        for key, shortcut in self._shortcuts.items():
            shortcut.setEnabled(asked and not (presses and key == Qt.Key.Key_Space))

    def _count(self) -> None:
        table, truth = self.systems.table, self.truth
        assert table is not None  # it is what is shown
        unknown = len(truth.said) - truth.answered
        more = f", {unknown:,} unknown" if unknown else ""
        self.count.setText(rich(f"<b>{truth.answered:,} answered</b> of {len(table):,}{more}"))
        self.progress.setVisible(bool(truth.missing) and not truth.finished)
        self.progress.setRange(0, truth.answered + truth.missing or 1)
        self.progress.setValue(truth.answered)
        self.progress.setToolTip(f"{truth.missing:,} more answers until figures follow")
        path = truth.keeping.path
        self.kept.setText(f"kept in {path.name}" if path else "not kept in a file")
        self.kept.setToolTip(
            f"Each answer is written at once to {path}" if path
            else "These votes are from no file, or what stands beside it is something else"
        )  # fmt: skip

    def _lead(self) -> None:
        """Choose what is asked for everywhere, as soon as it is drawn."""
        asked = self.truth.current
        self._leading = asked is None
        if asked is not None:
            self.systems.choose_item(asked.item)

    def _follow_choice(self) -> None:
        """Somebody chose another item elsewhere: ask for that."""
        item, asked = self.systems.item, self.truth.current
        self.figures.show_chosen(self.systems.system)
        if item is not None and self._in_front and (asked is None or asked.item != item):
            self.truth.pick(item)

    def _crop(self, item: int) -> None:
        """Cut the item out of its page in a thread, where it is open here."""
        self._cropping.cancel()
        self.card.show_picture(None)
        table = self.systems.table
        if table is None or not table.pages:
            return
        files = {entry.name: (entry.image, entry.frame) for entry in self.workbench.entries}
        if files != self._files:
            self._files, self._crops = files, ItemCrops(files)
        crops = self._crops

        def work(progress: Progress) -> ItemPicture | None:
            return crops.picture(table, item)

        def done(picture: ItemPicture | None) -> None:
            self.card.show_picture(picture)
            if picture is not None:
                show_item_at(self.systems, item, picture.box)

        self._cropping.start(work, done=done)

    def _make_widgets(self) -> None:
        self.nothing = EmptyNote(NOTHING)
        self.finished = QLabel(DONE, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self.card = AskedItem()
        self.progress = set_up(QProgressBar(textVisible=False), name="Answers until figures follow")
        self.figures = AnsweredFigures()
        self.count, self.caption, self.tau, self.kept = QLabel(), QLabel(), QLabel(), Elided()
        self.tau.setToolTip(KENDALL)
        for label in (self.kept, self.caption):
            label.setProperty("role", "quiet")
        self.caption.setWordWrap(True)
        self.caption.setText(BEFORE)
        self.buttons: dict[Qt.Key, QPushButton] = {}
        self._shortcuts: dict[Qt.Key, QShortcut] = {}
        for key, (title, name, tip) in MEANINGS.items():
            button = self.buttons[key] = QPushButton(f"{title}  {name}")
            button.setToolTip(f"{tip} ({name})")
            button.setAccessibleName(title)
            button.setCheckable(key in SAYS)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Space is an answer, not a press
            button.clicked.connect(partial(self._press, key))
            shortcut = self._shortcuts[key] = QShortcut(key, self)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(partial(self._press, key))
            shortcut.activatedAmbiguously.connect(partial(self._press, key))
        self.undo, self.import_ = QToolButton(), QToolButton()
        self.undo.setToolTip("Take the last answer back")
        self.import_.setToolTip("Import answers: item,relevant and, where known, inclusion")
        for tool, name, do in (
            (self.undo, "undo", self.take_back), (self.import_, "import", self.ask_import)
        ):  # fmt: skip
            tool.setIcon(theme.icon(name))
            tool.setAccessibleName(tool.toolTip())
            tool.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            tool.clicked.connect(lambda _=False, do=do: do())

    def _press(self, key: Qt.Key, *_: object) -> None:
        self.setFocus()
        self.answer(key)
        self.refresh()

    def _lay_out(self) -> None:
        head, answers = QHBoxLayout(), Flow()
        head.addWidget(self.count)
        head.addWidget(self.kept, 1)
        head.addWidget(self.undo)
        head.addWidget(self.import_)
        for button in self.buttons.values():
            answers.addWidget(button)
        self._filled = QWidget()
        in_column(
            head,
            self.progress,
            self.card,
            self.finished,
            answers,
            self.tau,
            (self.figures, 1),
            self.caption,
            STRETCH,
            of=self._filled,
            margins=(8, 4, 8, 6),
        )
        self._slow = QTimer(self, singleShot=True, interval=STALE)
        self._slow.timeout.connect(lambda: self.figures.setEnabled(False))
        self.stack = one_of(self, self.nothing, self._filled)
        self.show_figures()

    def _connect(self) -> None:
        self._in_front.changed.connect(self._follow_sight)
        self.truth.offered_changed.connect(self.refresh)
        self.truth.answers_changed.connect(self.refresh)
        self.truth.estimates_changed.connect(self.show_figures)
        self.systems.comparison_changed.connect(self.show_figures)
        self.systems.chosen_changed.connect(self._follow_choice)
        self.workbench.collection.entries_changed.connect(self._forget_picture)
        QApplication.instance().focusChanged.connect(self._offer_keys)  # type: ignore[union-attr]

    def _forget_picture(self) -> None:
        """Other pages are open."""
        self._shown = None
        self.refresh()


def _undoes(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Undo)
