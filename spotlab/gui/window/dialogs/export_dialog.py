"""File > Export: what is written and where to, what will be lost, and the progress of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtCore import Signal as QtSignal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from spotlab.api.settings import ConversionSettings
from spotlab.errors import InTheWay, SpotlabError, counted
from spotlab.files import is_file, is_folder
from spotlab.formats.collection.dataset import PARTS, Dataset, Images, Split
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.collection.export import (
    Converted,
    ExportChoice,
    ExportSelection,
    Preview,
    export,
    preview,
    read_entries,
)
from spotlab.formats.truth.format import Format
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task, raise_unexpected
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.files import FileDialog, note_saved, start_folder
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.settings import EXPORT, ExportChoices
from spotlab.gui.kit.widgets import STRETCH, Choice, Option, describe, in_column, in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Truth
from spotlab.progress import Progress
from spotlab.signal import Signal

ALL, SHOWN, CHECKED = "all", "shown", "checked"
SHARES = (80, 10, 10)  # %, of train, val and test at first
IMAGES = (
    Option(Images.NONE, "Leave where they are"),
    Option(Images.COPY, "Copy"),
    Option(Images.LINK, "Link", "Symbolic links, which take no room on the disk"),
)
_NAME = Qt.ItemDataRole.UserRole


class ExportForm(QWidget):
    """Emits ``changed`` when something else is to be exported, or somewhere else.

    Parameters
    ----------
    folder : Path
        The collection's, beside which the target is proposed.
    """

    changed = QtSignal()

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self.pages: Choice[str] = Choice(name="Pages")
        self.labels = set_up(QListWidget(), name="Labels")
        self.labels.setFixedHeight(100)
        self.all_labels, self.no_labels = QPushButton("All"), QPushButton("None")
        self.format: Choice[Format] = Choice(
            (Option(format, _titled(format)) for format in known_formats().values()
             if format.write is not None), "Format",
        )  # fmt: skip
        self.split = QCheckBox("Split by chance")
        self.shares = [QSpinBox(minimum=0, maximum=100, suffix=" %", value=value)
                       for value in SHARES]  # fmt: skip
        self.seed = QSpinBox(minimum=0, maximum=999_999, prefix="seed ")
        self.images: Choice[Images] = Choice(IMAGES, "Images")
        self.target = QLineEdit()
        self.browse = QPushButton("Browse…")
        self.replace = QCheckBox("Replace what is there")
        for name, field in (
            ("to", self.format), ("split", self.split), ("seed", self.seed),
            ("images", self.images), ("overwrite", self.replace),
        ):  # fmt: skip
            describe(ConversionSettings, name, field)
        self._lay_out()
        self._connect()

    def offer(
        self, pages: Mapping[str, int], labels: Mapping[str, int], format: str, images: str
    ) -> None:
        """Offer these pages and labels, each with how many there are, and choose as last time."""
        titles = {ALL: "All", SHOWN: "Shown in the page list", CHECKED: "Checked"}
        self.pages.offer(Option(key, f"{titles[key]} ({count:,})") for key, count in pages.items())
        with QSignalBlocker(self.labels):
            self.labels.clear()
            for name, count in labels.items():
                item = QListWidgetItem(f"{name or 'without label'}  ({count:,})", self.labels)
                item.setData(_NAME, name)
                item.setCheckState(Qt.CheckState.Checked)
        formats = {each.name: each for each in self.format.values}
        self.format.show_value(formats.get(format, formats["coco"]))
        self.images.show_value(Images(images) if images in list(Images) else Images.NONE)
        self._propose()

    @property
    def choice(self) -> ExportChoice:
        """Return what is chosen, but for which pages are shown."""
        split = None
        shares = [spin.value() for spin in self.shares]
        if self.split.isChecked() and shares[0]:
            train, val, test = (share / sum(shares) for share in shares)
            split = Split((train, val, test), self.seed.value())
        items = [self.labels.item(row) for row in range(self.labels.count())]
        chosen = [item for item in items if item.checkState() is Qt.CheckState.Checked]
        names = None
        if len(chosen) < len(items):
            names = frozenset(str(item.data(_NAME)) for item in chosen)
        dataset = Dataset(self.format.value, split, self.images.value)
        return ExportChoice(dataset, ExportSelection(self.pages.value == CHECKED, names))

    @property
    def problem(self) -> str:
        """Why nothing can be exported like this; empty if it can."""
        if self.split.isChecked() and not self.shares[0].value():
            return "The share for training is 0 %."
        target = self.target.text().strip()
        if not target:
            return "Choose where to write."
        path = Path(target)
        try:
            is_a_file, in_the_way = background.call(_look_at, path)
        except (SpotlabError, OSError) as error:
            return f"{error}."
        is_whole = self.choice.dataset.is_folder or is_a_file
        if is_whole and in_the_way and not self.replace.isChecked():
            tick = f"tick “{self.replace.text()}”"
            return f"{path.name} is there already. Choose another name, or {tick}."
        return ""

    def _lay_out(self) -> None:
        beside = in_column(self.all_labels, self.no_labels, STRETCH)
        labels = _row(self.labels)
        labels.addLayout(beside)
        parts = QHBoxLayout()
        for name, spin in zip(PARTS, self.shares, strict=True):
            parts.addWidget(QLabel(name))
            parts.addSpacing(4)
            parts.addWidget(spin)
            parts.addSpacing(8)
        parts.addWidget(self.seed)
        parts.addStretch()
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(16)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow("Pages", self.pages)
        form.addRow("Labels", labels)
        form.addRow("Format", self.format)
        form.addRow("Parts", self.split)
        form.addRow("", parts)
        form.addRow("Images", self.images)
        form.addRow("Write to", _row(self.target, self.browse))
        form.addRow("", self.replace)

    def _connect(self) -> None:
        self.format.chosen.connect(self._take_format)
        self.images.chosen.connect(lambda _: self._propose())
        self.split.toggled.connect(lambda _: self._propose())
        self.pages.chosen.connect(lambda _: self.changed.emit())
        self.labels.itemChanged.connect(lambda _: self.changed.emit())
        self.all_labels.clicked.connect(lambda _: self._check(Qt.CheckState.Checked))
        self.no_labels.clicked.connect(lambda _: self._check(Qt.CheckState.Unchecked))
        for spin in (*self.shares, self.seed):
            spin.valueChanged.connect(lambda _: self.changed.emit())
        self.target.textChanged.connect(lambda _: self.changed.emit())
        self.replace.toggled.connect(lambda _: self.changed.emit())
        self.browse.clicked.connect(lambda _: self._ask_target())

    def _check(self, state: Qt.CheckState) -> None:
        with QSignalBlocker(self.labels):
            for row in range(self.labels.count()):
                self.labels.item(row).setCheckState(state)
        self.changed.emit()

    def _take_format(self, format: Format) -> None:
        """Copy the images for a format that is of no use without them."""
        if format.needs_images and self.images.value is Images.NONE:
            self.images.show_value(Images.COPY)
        self._propose()

    def _propose(self) -> None:
        """A target beside the collection for what is chosen, unless another folder was chosen."""
        for widget in (*self.shares, self.seed):
            widget.setEnabled(self.split.isChecked())
        dataset = self.choice.dataset
        old = Path(self.target.text().strip()) if self.target.text().strip() else None
        parent = old.parent if old is not None else start_folder(self._folder.parent, saves=True)
        name = f"{self._folder.name}-{dataset.format.name}"
        is_file = dataset.format.many_pages and not dataset.is_folder
        with QSignalBlocker(self.target):
            self.target.setText(str(parent / (name + dataset.format.suffixes[0] * is_file)))
        self.replace.setChecked(False)
        self.changed.emit()

    def _ask_target(self) -> None:
        target = Path(self.target.text())
        dialog = FileDialog(self.window(), "Export to", target.parent)
        dialog.setOption(FileDialog.Option.DontConfirmOverwrite)  # the box "Replace" asks
        dialog.ask(lambda path: self.target.setText(str(path)), suggested=str(target))


def _look_at(path: Path) -> tuple[bool, bool]:
    """Return whether the path is a file, and whether it is one or a folder with something in it."""
    is_a_file = is_file(path)
    return is_a_file, is_a_file or (is_folder(path) and any(path.iterdir()))


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = in_row(*widgets, margins=0, spacing=6)
    return row


def _titled(format: Format) -> str:
    if format.layout is not None:
        return f"{format.title} (a folder)"
    return f"{format.title} (one {format.suffixes[0]} file{'' if format.many_pages else ' a page'})"


PAUSE = 120  # ms of stillness until the preview follows


class ExportDialog(QDialog):
    """Reads the truth of all pages when it opens, and then previews every choice.

    Parameters
    ----------
    workbench : Workbench
        With a collection, whose truth files are saved.
    exported : callable
        Called with what was written and where, when the dialog has closed.
    """

    def __init__(
        self,
        workbench: Workbench,
        exported: Callable[[Converted, Path], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        OnScreen(self)
        self._workbench = workbench
        self._exported = exported
        folder = workbench.collection.folder
        assert folder is not None  # the action is enabled with a collection
        self.form = ExportForm(folder, self)
        self.form.setEnabled(False)
        self.summary, self.details = QLabel("Reading the truth of all pages…"), QLabel()
        self.progress = QProgressBar()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.accept_button = self.buttons.addButton(
            "Export", QDialogButtonBox.ButtonRole.AcceptRole
        )
        self._truths: Sequence[Truth] = ()
        self._shown: frozenset[str] | None = None
        self._without = 0
        reporter = _Reporter()
        reporter.progressed.connect(self._progressed)
        reporter.finished.connect(self.progress.hide)
        self.reading, self.writing = Task(reporter), Task(reporter)
        self.previewing = Task(urgent=True, say=lambda text, _: self._say_problem(text))
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self._preview)
        self._lay_out()
        self.form.changed.connect(self._follow)
        self.buttons.accepted.connect(self._export)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(lambda _: self._stop())
        self._read(folder)

    def reject(self) -> None:
        """Give up what is being written; with nothing to give up, close."""
        if self.writing.busy:
            self.writing.cancel()
            self.form.setEnabled(True)
            self.summary.setText("The export was cancelled. Nothing was written.")
            self._timer.start()
            return
        super().reject()

    def _lay_out(self) -> None:
        for label in (self.summary, self.details):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
        inner = QWidget()
        in_column(self.summary, self.details, STRETCH, of=inner, margins=(10, 8, 10, 8))
        area = QScrollArea()
        area.setWidget(inner)
        area.setWidgetResizable(True)
        area.setMinimumHeight(80)
        self.progress.hide()
        in_column(
            self.form,
            (area, 1),
            self.progress,
            self.buttons,
            of=self,
            margins=(14, 12, 14, 12),
            spacing=10,
        )
        self.accept_button.setEnabled(False)
        self.resize(560, 540)

    def _read(self, folder: Path) -> None:
        entries = self._workbench.collection.entries
        names = self._workbench.shown.names
        self._shown = None if names is None else frozenset(names)
        self.reading.start(
            read_entries, tuple(entries), folder, done=self._offer, failed=self._fail
        )

    def _offer(self, truths: Sequence[Truth]) -> None:
        self._truths = truths
        self._without = len(self._workbench.collection.entries) - len(truths)
        pages = {ALL: len(truths)}
        if self._shown is not None:
            pages[SHOWN] = len(self._of_shown())
        pages[CHECKED] = sum(truth.page.checked for truth in truths)
        counts = Counter(region.label for truth in truths for region in truth.regions)
        known = [label.name for label in self._workbench.labels if label.name in counts]
        labels = {name: counts[name] for name in dict.fromkeys([*known, *sorted(counts)])}
        last = self._workbench.settings.get(EXPORT)
        self.form.setEnabled(True)
        self.form.offer(pages, labels, last.format, last.images)

    def _of_shown(self) -> list[Truth]:
        shown = self._shown
        return [truth for truth in self._truths if shown is None or truth.page.name in shown]

    @property
    def _pages(self) -> Sequence[Truth]:
        return self._of_shown() if self.form.pages.value == SHOWN else self._truths

    def _follow(self) -> None:
        self.accept_button.setEnabled(False)
        self._timer.start()

    def _preview(self) -> None:
        if self.form.isEnabled():
            choice = self.form.choice
            self.previewing.start(preview, self._pages, choice,
                                  done=partial(self._show, choice))  # fmt: skip

    def _show(self, choice: ExportChoice, found: Preview) -> None:
        pages = sum(found.parts.values())
        text = f"{counted(pages, 'page')} with {counted(found.regions, 'region')}"
        if choice.dataset.split is not None:
            text += ": " + ", ".join(f"{part} {count:,}" for part, count in found.parts.items())
        problem = self.form.problem or ("" if pages else "No page is chosen.")
        self.summary.setText(problem or f"Writes {text}.")
        without = [f"{counted(self._without, 'page')} without truth"] if self._without else []
        title = choice.dataset.format.title
        lost = [line.removeprefix(f"{title}: ") for line in found.losses]
        blocks = [_block("Left out:", [*without, *found.left_out]),
                  _block(f"{title} cannot hold everything:", lost)]  # fmt: skip
        text = "\n\n".join(block for block in blocks if block)
        self.details.setText(text or "Nothing is lost.")
        self.accept_button.setEnabled(not problem)

    def _export(self) -> None:
        form = self.form
        choice, target = form.choice, Path(form.target.text().strip())
        sources = {entry.truth_path.resolve() for entry in self._workbench.collection.entries}
        self._workbench.settings.set(
            EXPORT, ExportChoices(choice.dataset.format.name, choice.dataset.images.value)
        )
        overwrite, pages = form.replace.isChecked(), self._pages

        def write(progress: Progress) -> Converted:
            return export(pages, target, choice, sources, overwrite=overwrite, progress=progress)

        form.setEnabled(False)
        self.accept_button.setEnabled(False)
        self.summary.setText(f"Writing {target}…")
        self.writing.start(write, done=lambda done: self._finish(done, target), failed=self._fail)

    def _finish(self, done: Converted, target: Path) -> None:
        note_saved(target)
        self.accept()
        self._exported(done, target)

    def _fail(self, error: Exception) -> None:
        raise_unexpected(error)
        self.form.setEnabled(bool(self._truths))
        if isinstance(error, InTheWay):
            way_out = f"Choose another folder, or tick “{self.form.replace.text()}”."
            self._say_problem(f"{error.path.name}: {error.problem}. {way_out}")
        else:
            self._say_problem(str(error))

    def _say_problem(self, text: str) -> None:
        self.summary.setText(f"Nothing was written. {text}")
        self.accept_button.setEnabled(False)

    def _progressed(self, done: int, total: int | None, doing: str) -> None:
        self.progress.setRange(0, total or 0)
        self.progress.setValue(done)
        self.progress.setFormat(f"{doing}  %p %")
        self.progress.show()

    def _stop(self) -> None:
        self._timer.stop()
        for task in (self.reading, self.previewing, self.writing):
            task.cancel()


class _Reporter:
    """Signals from a task to the dialog."""

    def __init__(self) -> None:
        self.progressed = Signal[[int, int | None, str]]()
        self.finished = Signal[[]]()
        self.said = Signal[[str, bool]]()
        self.retried = Signal[[str]]()


def _block(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *(f"•  {line}" for line in lines)]) if lines else ""
