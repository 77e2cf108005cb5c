"""The choices of an export: pages, labels, format, parts, images and where to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from spotlab.errors import SpotlabError
from spotlab.files import is_file, is_folder
from spotlab.formats.collection.dataset import PARTS, Dataset, Images, Split
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.collection.export import ExportChoice, Selection
from spotlab.formats.truth.format import Format
from spotlab.gui.kit import background
from spotlab.gui.kit.choice import Choice, Option
from spotlab.gui.kit.file_dialog import FileDialog, start_folder

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

    changed = Signal()

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self.pages: Choice[str] = Choice(name="Pages")
        self.labels = QListWidget()
        self.labels.setAccessibleName("Labels")
        self.labels.setFixedHeight(100)
        self.all_labels, self.no_labels = QPushButton("All"), QPushButton("None")
        self.format: Choice[Format] = Choice(
            (Option(format, _titled(format)) for format in known_formats().values()
             if format.write is not None), "Format",
        )  # fmt: skip
        self.split = QCheckBox("Split by chance")
        self.split.setToolTip("Parts for training, validation and test, each page in one of them")
        self.shares = [QSpinBox(minimum=0, maximum=100, suffix=" %", value=value)
                       for value in SHARES]  # fmt: skip
        self.seed = QSpinBox(minimum=0, maximum=999_999, prefix="seed ")
        self.seed.setToolTip("The same seed gives the same parts")
        self.images: Choice[Images] = Choice(IMAGES, "Images")
        self.target = QLineEdit()
        self.browse = QPushButton("Browse…")
        self.replace = QCheckBox("Replace what is there")
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
        """What is chosen, but for which pages are shown."""
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
        return ExportChoice(dataset, Selection(self.pages.value == CHECKED, names))

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
        beside = QVBoxLayout()
        beside.addWidget(self.all_labels)
        beside.addWidget(self.no_labels)
        beside.addStretch()
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
        needs_images = format.layout is not None and format.layout.needs_images
        if needs_images and self.images.value is Images.NONE:
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
        dialog.selectFile(str(target))
        dialog.accepted.connect(lambda: self.target.setText(str(dialog.path)))
        dialog.open()


def _look_at(path: Path) -> tuple[bool, bool]:
    """Return whether the path is a file, and whether it is one or a folder with something in it."""
    is_a_file = is_file(path)
    return is_a_file, is_a_file or (is_folder(path) and any(path.iterdir()))


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    for widget in widgets:
        row.addWidget(widget)
    return row


def _titled(format: Format) -> str:
    if format.layout is not None:
        return f"{format.title} (a folder)"
    return f"{format.title} (one {format.suffixes[0]} file{'' if format.many_pages else ' a page'})"
