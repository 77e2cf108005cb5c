"""Asks which files hold votes, and how they become items."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QSpinBox,
    QWidget,
)

from spotlab.api.settings import SystemComparisonSettings
from spotlab.errors import SpotlabError
from spotlab.formats.votes.format import Method, VoteOptions
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.files import FileDialog, Mode
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.widgets import STRETCH, Choice, Option, describe, in_column, in_row
from spotlab.gui.systems.state import Systems, load
from spotlab.progress import silent
from spotlab.resources import VOTES, own_sample
from spotlab.studies.systems.voters import paper_example

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


CONTEST = "contest.csv"


def open_example(systems: Systems) -> None:
    """Look at the example of the paper, by the weights of the paper."""
    systems.cancel()
    systems.use(load(paper_example(), silent))
    systems.reset_weights()


def open_sample(workbench: Workbench) -> None:
    """Look at this user's copy of the sample: answers are kept beside it."""
    try:
        workbench.state(Systems).open([own_sample(VOTES) / CONTEST])
    except SpotlabError as error:
        workbench.said.emit(str(error), True)


METHODS: tuple[Option[Method], ...] = (
    Option(
        "bag_of_words",
        "Words that a page holds (Method I)",
        "An item is a word of a page and how often it comes: its place on the page does not count "
        "(Lamiroy & Sun 2013, §4.2)",
    ),
    Option(
        "alignment",
        "Words in their places (Method II)",
        "All texts of a page are aligned; an item is a word at its place (Lamiroy & Sun 2013, "
        "§4.2)",
    ),
)
WIDTH = 560  # px


class VotesDialog(QDialog):
    """A list of files and folders, and what texts, ranked lists and spots become."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.paths: list[Path] = []
        self.setWindowTitle("Open votes")
        self.setMinimumWidth(WIDTH)
        OnScreen(self)
        self._make_widgets(workbench.state(Systems).options)
        self._lay_out()
        self.add([])

    def add(self, paths: list[Path]) -> None:
        """Take these, too."""
        self.paths = list(dict.fromkeys([*self.paths, *paths]))
        self.list.clear()
        self.list.addItems([str(path) for path in self.paths])
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(bool(self.paths))

    def forget(self) -> None:
        """Take none of these."""
        self.paths.clear()
        self.add([])

    @property
    def options(self) -> VoteOptions:
        """Return what is chosen."""
        return VoteOptions(self.method.value, self.ranks.value(), self.overlap.value())

    def accept(self) -> None:
        """Read the votes."""
        super().accept()
        self.workbench.state(Systems).options = self.options
        self.workbench.state(Systems).open(self.paths)

    def _ask(self, mode: Mode) -> None:
        start = self.paths[-1].parent if self.paths else self.workbench.collection.folder
        dialog = FileDialog(self, "Files or folders of votes", start, mode)
        if mode is Mode.Directory:
            dialog.setOption(FileDialog.Option.ShowDirsOnly)
        dialog.ask_all(self.add)

    def _make_widgets(self, options: VoteOptions) -> None:
        self.list = set_up(QListWidget(), name="Files and folders of votes")
        self.files = QPushButton("Add Files…")
        self.folder = QPushButton("Add Folder…")
        self.files.clicked.connect(lambda _: self._ask(Mode.ExistingFiles))
        self.folder.clicked.connect(lambda _: self._ask(Mode.Directory))
        self.clear = set_up(QPushButton("Clear"), does=lambda _: self.forget())
        self.method = Choice(METHODS, "Texts become")
        self.method.show_value(options.method)
        self.ranks = QSpinBox()
        self.ranks.setRange(1, 1_000_000)
        self.ranks.setValue(options.depth)
        self.overlap = QDoubleSpinBox()
        self.overlap.setRange(0.01, 1.0)
        self.overlap.setSingleStep(0.05)
        self.overlap.setValue(options.overlap)
        describe(SystemComparisonSettings, "method", self.method)
        describe(SystemComparisonSettings, "depth", self.ranks)
        describe(SystemComparisonSettings, "overlap", self.overlap)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Open | kinds.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _lay_out(self) -> None:
        said = QLabel(
            "A table of votes (CSV), TREC runs and judgements, spotting runs, or a folder of\n"
            "texts, PAGE or ALTO files for each system. What is called “truth” is the truth."
        )
        said.setProperty("role", "quiet")
        line = in_row(self.files, self.folder, self.clear, STRETCH)
        form = QFormLayout()
        form.addRow("Texts become", self.method)
        form.addRow("Ranks of a run that count", self.ranks)
        form.addRow("Overlap of spots", self.overlap)
        in_column(said, (self.list, 1), line, form, self.buttons, of=self)


def ask_votes(workbench: Workbench, parent: QWidget) -> VotesDialog:
    """Let the user choose votes to open."""
    dialog = VotesDialog(workbench, parent)
    dialog.finished.connect(lambda _: dialog.deleteLater())
    dialog.open()
    return dialog
