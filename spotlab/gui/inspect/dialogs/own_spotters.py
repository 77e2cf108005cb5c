"""Runs somebody's own spotter: its command line, its output, and those that are remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from spotlab.errors import BadArgument
from spotlab.gui.inspect.state.own_spotters import OwnSpotters
from spotlab.gui.kit.choice import Choice, Option
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.kit.plain_text import rich
from spotlab.studies.own_spotter import PLACES, Spotter

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench
    from spotlab.gui.workspace.window import Window

NEW = "New spotter"
EXAMPLE = "python my_spotter.py --pages {pages} --truth {truth} --out {out}"
ENDINGS = (".csv", ".parquet", ".json", ".xml")
REFRESH = 200  # ms between two looks at the output
NOT_IN_NAMES = set('/\\:*?"<>|')


class OwnSpottersDialog(QDialog):
    """Stays open beside the window while a spotter works; closing it ends nothing."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spotters = workbench.state(OwnSpotters)
        self.setWindowTitle("Spotters")
        self.resize(680, 520)
        OnScreen(self)
        self.which: Choice[str] = Choice(name="Spotter")
        self.name, self.command = QLineEdit(), QLineEdit()
        self.command.setPlaceholderText(EXAMPLE)
        self.command.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.ending: Choice[str] = Choice((Option(each, each) for each in ENDINGS), "File type")
        self.problem = QLabel(wordWrap=True)
        self.problem.setProperty("role", "quiet")
        self.output = QPlainTextEdit()
        self.output.setReadOnly(True)
        self.output.setAccessibleName("Output of the spotter")
        self.output.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.output.setPlaceholderText("What the spotter writes stands here.")
        self.run = QPushButton("Run")
        self.cancel = QPushButton("Cancel")
        self.remove = QPushButton("Remove")
        self.remove.setToolTip("Forget this spotter; the runs that it made are kept")
        self._written = 0
        self._of: list[str] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH)
        self._lay_out()
        self._connect()
        self._offer()
        last = self.spotters.last
        if last is not None:
            self.which.show_value(last.name)
        self._show_chosen()
        self._follow()

    @property
    def spotter(self) -> Spotter:
        """What the fields say."""
        return Spotter(self.name.text().strip(), self.command.text().strip(), self.ending.value)

    def _start(self) -> None:
        spotter = self.spotter
        self.spotters.run(spotter)
        self._offer()
        self.which.show_value(spotter.name)
        self._follow()

    def _offer(self) -> None:
        self.which.offer([Option("", NEW), *(Option(name, name) for name in self.spotters.known)])

    def _show_chosen(self) -> None:
        spotter = self.spotters.known.get(self.which.value) or Spotter("", "")
        self.name.setText(spotter.name)
        self.command.setText(spotter.command)
        self.command.setCursorPosition(0)
        self.ending.show_value(spotter.ending if spotter.ending in ENDINGS else ENDINGS[0])
        self._check()

    def _forget(self) -> None:
        self.spotters.remove(self.which.value)
        self._offer()
        self.which.show_value("")
        self._show_chosen()

    def _check(self) -> None:
        """Say what is missing; only what can be run is offered to be."""
        spotter, problem = self.spotter, ""
        if not spotter.name or set(spotter.name) & NOT_IN_NAMES or spotter.name.startswith("."):
            problem = "Give the spotter a name that a file can have; its run is called so."
        else:
            try:
                spotter.arguments(dict.fromkeys(PLACES, ""))
            except BadArgument as error:
                problem = f"{str(error)[:1].upper()}{str(error)[1:]}."
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.run.setEnabled(not problem and not self.spotters.busy)
        self.remove.setEnabled(self.which.value in self.spotters.known)

    def _follow(self) -> None:
        """Show the output so far."""
        busy = self.spotters.busy
        self.cancel.setEnabled(busy)
        self._check()
        lines = self.spotters.lines
        if lines is not self._of:
            self._of, self._written = lines, 0
            self.output.clear()
        for line in lines[self._written :]:
            self.output.appendPlainText(line)
        self._written = len(lines)
        if busy and not self._timer.isActive():
            self._timer.start()
        elif not busy:
            self._timer.stop()

    def _connect(self) -> None:
        self.which.chosen.connect(lambda _: self._show_chosen())
        for field in (self.name, self.command):
            field.textEdited.connect(lambda _: self._check())
        self.run.clicked.connect(self._start)
        self.cancel.clicked.connect(self.spotters.cancel)
        self.remove.clicked.connect(self._forget)
        self._timer.timeout.connect(self._follow)
        signals = (self.spotters.busy_changed, self.spotters.changed)
        leave = [signal.connect(self._follow) for signal in signals]
        self.destroyed.connect(lambda _: [each() for each in leave])

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(18)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for text, field in (
            ("Spotter", self.which),
            ("Name", self.name),
            ("Command line", self.command),
            ("", self._places()),
            ("File type of {out}", self.ending),
        ):
            label = QLabel(text)
            label.setProperty("role", "quiet")
            if text:
                field.setAccessibleName(text)
            form.addRow(label, field)
        buttons = QHBoxLayout()
        for button in (self.run, self.cancel):
            buttons.addWidget(button)
        buttons.addStretch()
        buttons.addWidget(self.remove)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        buttons.addWidget(close)
        for button in (self.run, self.cancel, self.remove, close):
            button.setAutoDefault(button is self.run)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(10)
        layout.addLayout(form)
        layout.addWidget(self.problem)
        layout.addWidget(self.output, 1)
        layout.addLayout(buttons)

    def _places(self) -> QLabel:
        lines = [f"<b>{{{name}}}</b> {meaning}" for name, meaning in PLACES.items()]
        note = "No shell reads the line. The run of an earlier call is replaced."
        label = QLabel(rich("<br>".join([*lines, note])))
        label.setProperty("role", "quiet")
        label.setWordWrap(True)
        return label


def show(window: Window) -> None:
    """Show the spotters, also while one works; there is one dialog of them."""
    dialog = window.frame.findChild(OwnSpottersDialog)
    if dialog is None:
        dialog = OwnSpottersDialog(window.workbench, window.frame)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
