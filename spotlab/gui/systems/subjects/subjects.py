"""Systems before subjects who do not agree: precision and recall as distributions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QLabel,
    QLayout,
    QPushButton,
    QSpinBox,
    QSplitter,
    QTabWidget,
    QWidget,
)

from spotlab.api.settings import DisplacementSettings, UncertainTruthSettings
from spotlab.errors import counted
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.kit.widgets import (
    STRETCH,
    Choice,
    EmptyNote,
    Flow,
    Option,
    describe,
    in_column,
    one_of,
)
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.subjects.bands import SubjectBands
from spotlab.gui.systems.subjects.subjects_state import JUDGEMENTS, SHIFT, TREE, Subjects
from spotlab.gui.systems.subjects.tables import (
    BETWEEN,
    MEANS,
    CategoryTreeView,
    SubjectTable,
    between_rows,
    displacement_rows,
    mean_rows,
)
from spotlab.ranking.displacement import Missing, QualityForm
from spotlab.studies.uncertain.study import USUAL_SHIFT, Mixture, Relevance

NOTHING = (
    "Open judgements (subject,item,category)\nand their tree (category,parent) to see how far\n"
    "subjects agree; with answers (system,query,rank,item)\n"
    "also precision and recall as distributions."
)
STILL = {
    JUDGEMENTS: "The tree is open. Open the judgements, too:\nCSV, subject,item,category.",
    TREE: "The judgements are open. Open their tree, too:\nCSV, category,parent.",
}
NO_ANSWERS = "Open answers, too: CSV, [system,]query,rank,item."
NO_ANSWER = "This system does not answer this query."
MIXTURES: tuple[Option[Mixture], ...] = (
    Option("direct", "assigned categories", "A query is mixed over the categories that subjects "
           "assigned it to; their shares sum to 1"),
    Option("whole_tree", "the whole tree", "A query is mixed over all categories above them, too; "
           "their shares pass 1 and are divided by their sum"),
)  # fmt: skip
NOBODY = ""  # of the second system
VIEWS: tuple[Option[bool], ...] = (
    Option(False, "over rank", "Precision and recall over the number of items returned"),
    Option(True, "P over R", "Precision over recall, with the regions that hold 50 % and 95 %"),
)
QUALITIES: tuple[Option[QualityForm], ...] = (
    Option("rational", "quality 1 / (1 + w)^p", "Falls slowly for large displacements w (Santini, "
           "eq. 18)"),
    Option("exponential", "quality exp(−λ w)", "Falls fast for large displacements w (Santini, "
           "eq. 18)"),
)  # fmt: skip
RELEVANCE: tuple[Option[Relevance], ...] = (
    Option("shares", "Santini's own: shares of the subjects",
           "An item is relevant with the share of subjects who say so (Santini). The bands show "
           "how far the subjects agree, not whether they are right"),
    Option("learned", "Calibrated: probability of truth",
           "The probability that an item is truly relevant, learned from how the subjects agree "
           "(Dawid & Skene) and from its rank. The 95 % band of precision is made to hold the true "
           "precision"),
)  # fmt: skip
HYPOTHESES: tuple[Option[Missing], ...] = (
    Option("optimist", "optimist",
           "What a system does not return follows right after its answer (Santini, eq. 22)"),
    Option("pessimist", "pessimist",
           "What a system does not return stands at the end of all (Santini, eq. 23)"),
)  # fmt: skip


class SubjectsPanel(QWidget):
    """Bands over rank, an item's categories, comparisons, displacement."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.subjects = workbench.state(Subjects)
        self.setAcceptDrops(True)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self.refresh()

    def refresh(self) -> None:
        """Show what is open."""
        found, missing = self.subjects.found, self.subjects.missing
        self.nothing.setText(NOTHING if len(missing) == 2 else STILL[missing[0]] if missing else "")
        self.stack.setCurrentWidget(self._empty if found is None else self._filled)
        if found is None:
            return
        study = found.study
        _fill(self.system, study.systems if study else ())
        queries = dict.fromkeys(each.query for each in study.answers) if study else ()
        _fill(self.query, tuple(queries))
        self.categories.show_tree(found.relevance)
        systems = study.systems if study else ()
        self.beside.offer(
            [Option(NOBODY, "no second system"), *(Option(name, name) for name in systems)]
        )
        self.beside.setEnabled(len(systems) > 1)
        with QSignalBlocker(self.compare_at):
            longest = max((len(each.items) for each in study.answers), default=1) if study else 1
            self.compare_at.setMaximum(longest)
            self.compare_at.setValue((study.compared_at or 1) if study else 1)
        self.compare_at.setEnabled(bool(study and study.compared_at))
        self.means.show_rows(MEANS, mean_rows(study) if study else [])
        self.between.show_rows(BETWEEN, between_rows(study) if study else [])
        at = (
            f"At {counted(study.compared_at, 'item')} returned. "
            if study and study.compared_at
            else ""
        )
        captions = " ".join(study.captions) if study else NO_ANSWERS
        self.caption.setText(f"{at}{captions}")
        self.remarks.setText("\n".join(study.remarks) if study else "")
        self.remarks.setVisible(bool(self.remarks.text()))
        self._show_displacement()
        self.follow_choice()

    def follow_choice(self) -> None:
        """Show the chosen answer and item."""
        subjects = self.subjects
        if subjects.found is None:
            return
        answer = subjects.answer
        self.system.show_value(subjects.system)
        self.query.show_value(subjects.query)
        self.beside.show_value(subjects.beside or NOBODY)
        used = subjects.found.settings
        self.shift.setText(f"Shared logit shift (sd {used.deviation or self._usual_shift():g})")
        self.shift.setChecked(used.deviation > 0)
        self.relevance.show_value(used.relevance)
        self.mixture.show_value(used.mixture)
        self.quality.show_value(used.quality)
        with QSignalBlocker(self.steepness):
            self.steepness.setValue(used.steepness)
        self.no_answer.setVisible(answer is None)
        self.no_answer.setText(NO_ANSWER if subjects.found.study else NO_ANSWERS)
        items = answer.items if answer else subjects.found.relevance.judgements.items
        every = items if subjects.query not in subjects.found.relevance.judgements.number else (
            subjects.query or "", *(item for item in items if item != subjects.query)
        )  # fmt: skip
        _fill(self.item, every)
        self.item.show_value(subjects.item)
        self.categories.show_item(subjects.item)
        self.bands.refresh()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped here."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        event.acceptProposedAction()
        urls = event.mimeData().urls()
        self.subjects.open([Path(url.toLocalFile()) for url in urls if url.isLocalFile()])

    def ask_files(self) -> None:
        """Let the user choose files of all three kinds."""
        folder = self.workbench.collection.folder
        title = "Open judgements, their tree and answers"
        FileDialog(self, title, folder, FileDialog.FileMode.ExistingFiles).ask_all(
            self.subjects.open, filters=["Tables (*.csv *.tsv *.txt)", "All files (*)"]
        )

    def _want_quality(self, _: object) -> None:
        self.subjects.set_quality(self.quality.value, self.steepness.value())

    def _usual_shift(self) -> float:
        """The shift that is offered: that of the chosen bands, or `SHIFT`."""
        found = self.subjects.found
        return (USUAL_SHIFT[found.settings.relevance] if found else 0.0) or SHIFT

    def _show_displacement(self) -> None:
        found = self.subjects.found
        studies = {each.missing: each for each in found.displaced} if found else {}
        study = studies.get(self.hypothesis.value)
        heads, rows = displacement_rows(study) if study else ([("Subject", "")], [])
        self.displacement.show_rows(heads, rows)
        self.displaced_remarks.setText(
            "\n".join(study.remarks) if study
            else "No subject judged a query and an item relevant to it: displacement is undefined."
        )  # fmt: skip

    def _make_widgets(self) -> None:
        self.nothing = EmptyNote(NOTHING)
        self.open_files = QPushButton("Open Judgements…")
        self.open_files.setProperty("prominent", True)
        self.open_more = QPushButton("Open…")
        self.open_more.setToolTip("Open other judgements, another tree, other answers")
        self.bands = SubjectBands(self.subjects)
        self.no_answer, self.caption, self.remarks, self.displaced_remarks = (
            QLabel() for _ in range(4)
        )
        for label in (self.no_answer, self.caption, self.remarks, self.displaced_remarks):
            label.setProperty("role", "quiet")
            label.setWordWrap(True)
        self.system: Choice[str] = Choice(name="System")
        self.query: Choice[str] = Choice(name="Query")
        self.item: Choice[str] = Choice(name="Item")
        self.relevance = Choice(RELEVANCE, "Bands")
        self.relevance.give_way()
        self.mixture = Choice(MIXTURES, "Mixed over")
        self.beside: Choice[str] = Choice(name="Second system")
        self.view = Choice(VIEWS, "View")
        self.view.setToolTip("Bands over the rank, or precision over recall as a region")
        self.quality = Choice(QUALITIES, "Quality of a displacement")
        self.steepness = QDoubleSpinBox(minimum=0.01, maximum=100, singleStep=0.1, decimals=2)
        self.steepness.setAccessibleName("Steepness")
        self.steepness.setKeyboardTracking(False)
        self.steepness.setValue(UncertainTruthSettings.steepness)
        self.compare_at = set_up(QSpinBox(minimum=1), name="Rank at which systems are compared")
        self.compare_at.setKeyboardTracking(False)
        self.hypothesis = Choice(HYPOTHESES, "Missing items")
        tips: dict[Choice[Any], str] = {
            self.system: "The system whose answers are shown as bands",
            self.beside: "A second system, whose bands are drawn, too",
            self.query: "The query whose answers are shown, or all of them",
            self.item: "The item whose judgements are shown by category",
            self.mixture: "",
            self.hypothesis: "",
        }
        for box, tip in tips.items():
            box.setToolTip(tip)
            box.setMinimumContentsLength(8)
            box.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.shift = QCheckBox("Shared logit shift (sd 1)")
        for name, field in (
            ("relevance", self.relevance), ("mixture", self.mixture), ("quality", self.quality),
            ("steepness", self.steepness), ("compare_at", self.compare_at), ("shift", self.shift),
        ):  # fmt: skip
            describe(UncertainTruthSettings, name, field)
        describe(DisplacementSettings, "missing", self.hypothesis)
        self.categories = CategoryTreeView()
        self.means, self.between = SubjectTable("Means"), SubjectTable("Comparisons")
        self.displacement = SubjectTable("Weighted displacement")

    def _lay_out(self) -> None:
        self._filled, self._empty, upper = QWidget(), QWidget(), QWidget()
        in_column(
            _row(self.system, self.query, self.beside, self.view, self.open_more),
            _row(QLabel("Bands"), self.relevance),
            _row(self.shift, None, QLabel("over"), self.mixture),
            (self.bands, 1),
            self.no_answer,
            self.remarks,
            of=upper,
            margins=(8, 4, 8, 4),
            spacing=4,
        )
        self.tabs = QTabWidget(documentMode=True)
        self.tabs.addTab(_stacked(_row(self.item), self.categories), "Categories")
        at = _row(QLabel("At rank"), self.compare_at, None)
        self.tabs.addTab(_stacked(at, self.means, self.between, self.caption), "Which Is Better")
        missing = set_up(QLabel("what a system does not return"), role="quiet")
        head = _row(self.hypothesis, missing, None)
        form = _row(self.quality, self.steepness, None)
        displaced = _stacked(head, form, self.displacement, self.displaced_remarks)
        self.tabs.addTab(displaced, "Displacement")
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(upper)
        splitter.addWidget(self.tabs)
        splitter.setSizes([1000, 1000])  # equal shares
        in_column(splitter, of=self._filled, margins=0)
        in_column(
            STRETCH,
            self.nothing,
            (self.open_files, Qt.AlignmentFlag.AlignHCenter),
            STRETCH,
            of=self._empty,
        )
        self.stack = one_of(self, self._empty, self._filled)

    def _connect(self) -> None:
        subjects = self.subjects
        subjects.found_changed.connect(self.refresh)
        subjects.chosen_changed.connect(self.follow_choice)
        for button in (self.open_files, self.open_more):
            button.clicked.connect(lambda _: self.ask_files())
        self.system.chosen.connect(lambda system: subjects.choose(system, subjects.query))
        self.beside.chosen.connect(lambda system: subjects.choose_beside(system or None))
        self.view.chosen.connect(self.bands.show_regions)
        self.compare_at.valueChanged.connect(subjects.set_compare_at)
        self.quality.chosen.connect(self._want_quality)
        self.steepness.valueChanged.connect(self._want_quality)
        self.query.chosen.connect(lambda query: subjects.choose(subjects.system, query))
        self.item.chosen.connect(subjects.choose_item)
        self.mixture.chosen.connect(subjects.set_mixture)
        self.hypothesis.chosen.connect(lambda _: self._show_displacement())
        self.shift.clicked.connect(
            lambda on: subjects.set_shift(self._usual_shift() if on else 0.0)
        )
        self.relevance.chosen.connect(subjects.set_relevance)


def _fill(box: Choice[str], names: tuple[str, ...]) -> None:
    box.offer(Option(name, name) for name in names)
    box.setEnabled(bool(names))


def _row(*widgets: QWidget | None) -> Flow:
    """Side by side, or below each other where it is narrow; None is empty room."""
    row = Flow()
    for widget in widgets:
        if widget is None:
            row.addStretch()
        else:
            row.addWidget(widget)
    return row


def _stacked(*parts: QWidget | QLayout) -> QWidget:
    whole = QWidget()
    column = in_column(of=whole, margins=(8, 6, 8, 6), spacing=4)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    return whole
