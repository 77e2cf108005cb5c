"""File > Export: what is written, what will be lost, and the progress of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QProgressBar,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from spotlab.errors import InTheWay, counted
from spotlab.formats.collection.export import (
    Converted,
    ExportChoice,
    Preview,
    export,
    preview,
    read_entries,
)
from spotlab.gui.kit.file_dialog import note_saved
from spotlab.gui.kit.known_settings import EXPORT, ExportChoices
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.kit.task import Task, raise_unexpected
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.window.export_form import ALL, CHECKED, SHOWN, ExportForm
from spotlab.model import Truth
from spotlab.progress import Progress
from spotlab.signal import Signal

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
        texts = QVBoxLayout(inner)
        texts.setContentsMargins(10, 8, 10, 8)
        texts.addWidget(self.summary)
        texts.addWidget(self.details)
        texts.addStretch()
        area = QScrollArea()
        area.setWidget(inner)
        area.setWidgetResizable(True)
        area.setMinimumHeight(80)
        self.progress.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(10)
        layout.addWidget(self.form)
        layout.addWidget(area, 1)
        layout.addWidget(self.progress)
        layout.addWidget(self.buttons)
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
    """What a task tells the dialog."""

    def __init__(self) -> None:
        self.progressed = Signal[[int, int | None, str]]()
        self.finished = Signal[[]]()
        self.said = Signal[[str, bool]]()
        self.retried = Signal[[str]]()


def _block(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *(f"•  {line}" for line in lines)]) if lines else ""
