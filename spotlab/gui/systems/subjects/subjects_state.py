"""The state of subjects: judgements over a tree, systems' answers, and what follows from both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.errors import BadInput, SpotlabError
from spotlab.files import is_file
from spotlab.formats.judgement_trees import read_judgements, read_tree
from spotlab.formats.lists.rankings import Ranking, read_answers
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.votes.format import first_names
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task
from spotlab.gui.systems.state import tell_bad_lines
from spotlab.progress import Progress
from spotlab.ranking.displacement import QualityForm
from spotlab.signal import Signal
from spotlab.studies.uncertain.study import (
    CategoryRelevance,
    JudgedAnswer,
    Mixture,
    Relevance,
    UncertainSettings,
    UncertainStudy,
    study_uncertainty,
)
from spotlab.studies.uncertain.subject_displacement import displace
from spotlab.studies.words.displacement import DisplacementStudy

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

TREE, JUDGEMENTS, ANSWERS = "tree", "judgements", "answers"
COLUMNS: Mapping[str, frozenset[str]] = {
    TREE: frozenset({"category", "parent"}),
    JUDGEMENTS: frozenset({"subject", "item", "category"}),
    ANSWERS: frozenset({"query", "rank", "item"}),
}
EXPECTED = (
    "a tree (category,parent), judgements (subject,item,category) "
    "or answers ([system,]query,rank,item)"
)
SHIFT = 1.0  # standard deviation of the shared shift of the log odds, where it is asked for


@dataclass(frozen=True, eq=False)
class OpenSubjects:
    """Data read from subjects' files, and the results derived from them.

    Attributes
    ----------
    relevance : CategoryRelevance
    settings : UncertainSettings
        Those in use: nothing is left open.
    rankings : tuple of Ranking
        Systems' answers; () where none are open.
    study : UncertainStudy or None
        None without answers.
    displaced : tuple of DisplacementStudy
        For both hypotheses; () where it is undefined.
    bad_lines : tuple of BadLine
    """

    relevance: CategoryRelevance
    settings: UncertainSettings
    rankings: tuple[Ranking, ...]
    study: UncertainStudy | None
    displaced: tuple[DisplacementStudy, ...]
    bad_lines: tuple[BadLine, ...] = ()


class Subjects:
    """Judgements that are open, and what is looked at.

    Attributes
    ----------
    files : dict of str to tuple of Path
        What is open, by "tree", "judgements", "answers".
    found : OpenSubjects or None
        None as long as the tree or the judgements are missing.
    settings : UncertainSettings
    awaited : object or None
        What is looked at as soon as the files are there that are being read again.
    system, query, item : str or None
        The chosen ones.
    beside : str or None
        A second system, whose bands are shown, too.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.files: dict[str, tuple[Path, ...]] = {}
        self.found: OpenSubjects | None = None
        self.settings = UncertainSettings()
        self.awaited: object | None = None
        self.system: str | None = None
        self.beside: str | None = None
        self.query: str | None = None
        self.item: str | None = None
        self.found_changed = Signal[[]]()
        self.chosen_changed = Signal[[]]()
        self._task = Task(workbench)
        self.busy_changed = self._task.busy_changed

    @property
    def busy(self) -> bool:
        """Tell whether something is being read or computed."""
        return self._task.busy

    @property
    def answer(self) -> JudgedAnswer | None:
        """That of the chosen system to the chosen query."""
        study = self.found.study if self.found else None
        chosen = (self.system, self.query)
        every = study.answers if study else ()
        return next((each for each in every if (each.system, each.query) == chosen), None)

    @property
    def second_answer(self) -> JudgedAnswer | None:
        """That of the second system to the chosen query."""
        study = self.found.study if self.found else None
        wanted = (self.beside, self.query)
        every = study.answers if study and self.beside != self.system else ()
        return next((each for each in every if (each.system, each.query) == wanted), None)

    @property
    def missing(self) -> tuple[str, ...]:
        """Return what is still needed before anything can be shown."""
        return tuple(kind for kind in (TREE, JUDGEMENTS) if kind not in self.files)

    def open(self, paths: Sequence[Path]) -> None:
        """Read files of each kind; those of a kind replace the ones before."""
        try:
            files: dict[str, tuple[Path, ...]] = {}
            for path in paths:
                kind = background.call(kind_of, path)
                files[kind] = (*files.get(kind, ()), path)
        except SpotlabError as error:
            self.workbench.said.emit(str(error), True)
            return
        self._run({**self.files, **files}, self.settings)

    def reopen(
        self,
        files: Mapping[str, tuple[Path, ...]],
        settings: UncertainSettings,
        chosen: tuple[str | None, str | None, str | None],
        awaited: object,
    ) -> None:
        """Read files again and look at a system, a query and an item of before."""
        self.settings, self.awaited = settings, awaited
        system, query, item = chosen

        def look() -> None:
            answers = self.found.study.answers if self.found and self.found.study else ()
            if (system, query) in {(each.system, each.query) for each in answers}:
                self.choose(system, query)
            if self.found and item in self.found.relevance.judgements.items:
                self.choose_item(item)

        self._run(files, settings, look)

    def set_shift(self, shift: float) -> None:
        """Let all items' log odds share a shift of this standard deviation; 0 for none."""
        self._set(replace(self.settings, shift=shift))

    def set_relevance(self, how: Relevance) -> None:
        """Read bands from the subjects' shares, or calibrated; with the shift that goes with it."""
        self._set(replace(self.settings, relevance=how, shift=None))

    def set_compare_at(self, rank: int | None) -> None:
        """Compare systems at this rank; None for the one that is chosen by itself."""
        self._set(replace(self.settings, compare_at=rank))

    def set_quality(self, form: QualityForm, steepness: float) -> None:
        """Turn displacements into qualities by this function."""
        self._set(replace(self.settings, quality=form, steepness=steepness))

    def choose_beside(self, system: str | None) -> None:
        """Look at the bands of a second system, too."""
        if system != self.beside:
            self.beside = system
            self.chosen_changed.emit()

    def set_mixture(self, mixture: Mixture) -> None:
        """Mix a query over the categories it was assigned to, or all above them too."""
        self._set(replace(self.settings, mixture=mixture))

    def choose(self, system: str | None, query: str | None) -> None:
        """Look at a system's answer to a query."""
        if (system, query) != (self.system, self.query):
            self.system, self.query = system, query
            self.item = self._first_item()
            self.chosen_changed.emit()

    def choose_item(self, item: str | None) -> None:
        """Look at one item."""
        if item != self.item:
            self.item = item
            self.chosen_changed.emit()

    def close(self) -> None:
        """Let go of all."""
        self._task.cancel()
        self.files, self.found = {}, None
        self.system = self.query = self.item = None
        self.found_changed.emit()

    def _set(self, settings: UncertainSettings) -> None:
        if settings != self.settings:
            self.settings = settings
            if not self.missing:
                self._run(self.files, settings)

    def _run(
        self,
        files: Mapping[str, tuple[Path, ...]],
        settings: UncertainSettings,
        then: Callable[[], object] | None = None,
    ) -> None:
        """Read and compute in a thread; what was there stays if that fails."""

        def work(progress: Progress) -> OpenSubjects | None:
            try:
                return judge(files, settings, progress)
            except ValueError as error:
                raise SpotlabError(str(error)) from error

        def done(found: OpenSubjects | None) -> None:
            self.awaited = None
            self._done(dict(files), found)
            if then:
                then()

        def failed(error: Exception) -> None:
            self.awaited = None
            self._task.tell(error)

        self._task.start(work, done=done, failed=failed)

    def _done(self, files: dict[str, tuple[Path, ...]], found: OpenSubjects | None) -> None:
        self.files, self.found = files, found
        study = found.study if found else None
        kept = self.answer is not None
        if not kept:
            first = study.answers[0] if study and study.answers else None
            self.system, self.query = (first.system, first.query) if first else (None, None)
        items = found.relevance.judgements.items if found else ()
        if not kept or self.item not in items:
            self.item = self._first_item()
        self.found_changed.emit()
        tell_bad_lines(self.workbench, found.bad_lines if found else ())

    def _first_item(self) -> str | None:
        """The query where it is an item, else the best of the answer."""
        if self.found is None:
            return None
        judgements = self.found.relevance.judgements
        if self.query in judgements.number:
            return self.query
        items = self.answer.items if self.answer else judgements.items
        return items[0] if items else None


def kind_of(path: Path) -> str:
    """Tell which of the three kinds a file is, by its first line.

    Raises
    ------
    BadInput
        It is none of them, or cannot be read.
    """
    if is_file(path):
        names = {name.strip().casefold() for name in first_names(path)}
        for kind, needed in COLUMNS.items():
            if needed <= names:
                return kind
    raise BadInput(path, "it is none of the files that this needs", expected=EXPECTED)


def are_of_subjects(paths: Sequence[Path]) -> bool:
    """Tell whether files are judgements, their tree, or answers beside one of these."""
    try:
        kinds = {kind_of(path) for path in paths}
    except BadInput:
        return False
    return not kinds.isdisjoint((TREE, JUDGEMENTS))


def judge(
    files: Mapping[str, Sequence[Path]], settings: UncertainSettings, progress: Progress
) -> OpenSubjects | None:
    """Read the files and hold answers against judgements; None where one of them is missing.

    Raises
    ------
    BadInput
        A file cannot be read, or the tree is none.
    ValueError
        A system answers a query twice.
    """
    if TREE not in files or JUDGEMENTS not in files:
        return None
    tree = read_tree(files[TREE][-1], progress)
    if tree.tree is None:
        first, count = tree.bad_lines[0], len(tree.bad_lines)
        more = f" (and {count - 1:,} more lines)" if count > 1 else ""
        raise SpotlabError(f"{first}{more}; a tree has to be right as a whole")
    read = read_judgements(files[JUDGEMENTS][-1], tree.tree, progress)
    answers = [read_answers(path, progress) for path in files.get(ANSWERS, ())]
    rankings = tuple(ranking for each in answers for ranking in each.rankings)
    bad = (*read.bad_lines, *(line for each in answers for line in each.bad_lines))
    used = settings.resolve(read.judgements)
    relevance = CategoryRelevance.of(read.judgements, used.relevance)
    if not rankings:
        return OpenSubjects(relevance, used, (), None, (), bad)
    study = study_uncertainty(read.judgements, rankings, settings, progress)
    displaced = displace(read.judgements, rankings, progress, settings.quality, settings.steepness)
    return OpenSubjects(relevance, used, rankings, study, displaced, bad)
