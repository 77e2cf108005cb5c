"""Dialogs that spot symbols: the built-in spotter, and spotters of the user."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from spotlab.api.settings import SymbolSpottingSettings
from spotlab.errors import BadArgument
from spotlab.gui.inspect.state.spotting import Order, OwnSpotters, SymbolSpottingState
from spotlab.gui.kit.controls import set_up, show_only
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import STRETCH, Choice, Option, describe, in_column, in_row
from spotlab.spotting.symbols.methods import learning_methods, methods
from spotlab.spotting.symbols.search.symbol_search import BEST_METHOD
from spotlab.studies.own_spotter import PLACES, Spotter

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench
    from spotlab.gui.workspace import Window


WIDTH = 520  # px
CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
NAME = Qt.ItemDataRole.UserRole
TYPICAL, PAGE, ALL = "typical", "page", "all"  # which regions are models, or are learned from
MODELS = (
    Option(TYPICAL, "Regions of typical size"),
    Option(PAGE, "All regions of the open page, together"),
)
LESSONS = (
    Option(ALL, "All labelled pages, each left out of its own search"),
    Option(PAGE, "All regions of the open page"),
)


class SpotSymbolsDialog(QDialog):
    """Method, labels, models; the run is made beside the window, which stays free."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.setWindowTitle("Spot symbols")
        self.setMinimumWidth(WIDTH)
        OnScreen(self)
        self.method = Choice(
            Option(name, f"{name} — {method.title}") for name, method in methods().items()
        )
        self.definition = set_up(QLabel(wordWrap=True), role="quiet")
        self.labels = QListWidget()
        for name, count in sorted(workbench.collection.counts().items()):
            item = QListWidgetItem(f"{name}   {count:,}")
            item.setData(NAME, name)
            item.setCheckState(CHECKED)
            self.labels.addItem(item)
        self.models = Choice(MODELS)
        self.needs = set_up(QLabel(wordWrap=True), role="quiet")
        self.each = QSpinBox(minimum=1, maximum=20)
        self.most = QSpinBox(minimum=0, maximum=1_000_000, singleStep=100)
        self.most.setSpecialValueText("All")
        self.name = QLineEdit()
        self._name_given = False
        self._form = QFormLayout()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.spot = self.buttons.addButton("Spot", QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out()
        self.method.chosen.connect(lambda _: self._follow_method())
        self.models.chosen.connect(lambda _: self._check())
        self.labels.itemChanged.connect(self._check)
        self.name.textEdited.connect(self._name_edited)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        if BEST_METHOD in self.method.values:
            self.method.show_value(BEST_METHOD)
        self._follow_method()

    @property
    def order(self) -> Order:
        """Return what is chosen."""
        return Order(
            method=self.method.value,
            labels=tuple(
                item.data(NAME)
                for item in map(self.labels.item, range(self.labels.count()))
                if item.checkState() == CHECKED
            ),
            each=self.each.value(),
            most=self.most.value() or None,
            name=self.name.text().strip(),
            lessons=self.workbench.entry if self.models.value == PAGE else None,
        )

    def accept(self) -> None:
        """Begin."""
        super().accept()
        self.workbench.state(SymbolSpottingState).start(self.order)

    def _lay_out(self) -> None:
        form = self._form
        form.setHorizontalSpacing(18)
        for text, field, tip in (
            ("Method", self.method, ""),
            ("", self.definition, ""),
            ("Labels", self.labels, "A model of each is cropped from the pages and searched on all "
             "of them, as the paper does"),
            ("", self._all_or_none(), ""),
            ("Models", self.models, ""),
            ("", self.needs, ""),
            ("Models per label", self.each, ""),
            ("Spots per label", self.most, ""),
            ("Name", self.name, "Name of the run and of its file in the folder “runs” beside "
             "the pages"),
        ):  # fmt: skip
            label = set_up(QLabel(text), role="quiet")
            for widget in (label, field):
                widget.setToolTip(rich(f"<p>{tip}</p>" if tip else ""))
            if text:
                field.setAccessibleName(text)
            form.addRow(label, field)
        for name, field in (
            ("method", self.method), ("lessons", self.models), ("models_per_label", self.each),
            ("max_spots", self.most),
        ):  # fmt: skip
            describe(SymbolSpottingSettings, name, field, form.labelForField(field))
        in_column(form, self.buttons, of=self, margins=(14, 12, 14, 12), spacing=12)

    def _all_or_none(self) -> QWidget:
        row = QWidget()
        layout = in_row(of=row, margins=0)
        for text, state in (("All", CHECKED), ("None", UNCHECKED)):
            button = QPushButton(text)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _=False, state=state: self._set_all(state))
            layout.addWidget(button)
        layout.addStretch()
        return row

    def _set_all(self, state: Qt.CheckState) -> None:
        for row in range(self.labels.count()):
            self.labels.item(row).setCheckState(state)

    @property
    def _learns(self) -> bool:
        return self.method.value in learning_methods()

    def _follow_method(self) -> None:
        name = self.method.value
        self.definition.setText(methods()[name].definition)
        options = LESSONS if self._learns else MODELS
        if self.models.values != tuple(option.value for option in options):
            self.models.offer(options)
        label = self._form.labelForField(self.models)
        assert isinstance(label, QLabel)
        label.setText("Learn from" if self._learns else "Models")
        self.models.setAccessibleName(label.text())
        if not self._name_given:
            self.name.setText(self.workbench.state(SymbolSpottingState).free_name(name))
        self._check()

    def _name_edited(self) -> None:
        self._name_given = True
        self._check()

    def _check(self) -> None:
        order = self.order
        self.each.setEnabled(order.lessons is None and not self._learns)
        missing = self._missing(order)
        self.needs.setText(missing)
        self._form.setRowVisible(self.needs, bool(missing))
        sound = order.name and not set(order.name) & set('/\\:*?"<>|')
        self.spot.setEnabled(bool(order.labels and sound and not missing))

    def _missing(self, order: Order) -> str:
        """Return what there is to learn from, if that is too little."""
        if order.lessons is not None and not set(order.labels) & self._labels_here():
            return "The open page has no region of these labels."
        if self._learns and len(self.workbench.entries) < 2:
            return "Open a second page: a page is not searched with its own regions."
        return ""

    def _labels_here(self) -> set[str]:
        """The labels on the open page."""
        session = self.workbench.session
        return {region.label for region in session.document.truth.regions} if session else set()


def ask(window: Window) -> None:
    """Show the choices; say what is missing where there is nothing to crop models from."""
    workbench = window.workbench
    if not workbench.collection.counts():
        workbench.said.emit(
            "Draw and label at least one symbol first: models are cropped from labelled regions",
            True,
        )
        return
    dialog = SpotSymbolsDialog(workbench, window.frame)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


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
        self.problem = set_up(QLabel(wordWrap=True), role="quiet")
        self.output = set_up(QPlainTextEdit(readOnly=True), name="Output of the spotter")
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
        """Return what the fields say."""
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
        self.spotters.busy_changed.connect(self._follow)
        self.spotters.changed.connect(self._follow)

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
            label = set_up(QLabel(text), role="quiet")
            if text:
                field.setAccessibleName(text)
            form.addRow(label, field)
        close = set_up(QPushButton("Close"), does=self.close)
        buttons = in_row(self.run, self.cancel, STRETCH, self.remove, close)
        for button in (self.run, self.cancel, self.remove, close):
            button.setAutoDefault(button is self.run)
        in_column(
            form,
            self.problem,
            (self.output, 1),
            buttons,
            of=self,
            margins=(14, 12, 14, 12),
            spacing=10,
        )

    def _places(self) -> QLabel:
        lines = [f"<b>{{{name}}}</b> {meaning}" for name, meaning in PLACES.items()]
        note = "No shell reads the line. The run of an earlier call is replaced."
        return set_up(QLabel(rich("<br>".join([*lines, note])), wordWrap=True), role="quiet")


def show(window: Window) -> None:
    """Show the spotters, also while one works; there is one dialog of them."""
    show_only(window.frame, OwnSpottersDialog, partial(OwnSpottersDialog, window.workbench))
