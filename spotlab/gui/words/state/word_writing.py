"""Writes the ✓ words of queries into the truth: looks first, asks, and does it as one step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.editing.collection_step import CollectionStep, obstacles, page_key
from spotlab.editing.journal import has_journal, user_of
from spotlab.editing.session import EditingSession
from spotlab.errors import SpotlabError, counted
from spotlab.files import is_missing
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.lists.judgements import known_name
from spotlab.formats.lists.place_lines import Place
from spotlab.formats.lists.query_list import ListedQuery
from spotlab.formats.page.read import WORD_LABEL
from spotlab.formats.truth import page_xml
from spotlab.gui.kit.task import Task
from spotlab.gui.pages.step_questions import Question, pages_text
from spotlab.gui.words.state.judgement_keeper import JudgementKeeper
from spotlab.imaging.reading.pixels import read_header
from spotlab.model import Page, Truth
from spotlab.progress import Progress, track
from spotlab.signal import Signal
from spotlab.studies.words.transcription import JudgedWord, WordPlan, plan_words, word_step

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

OTHERS = "Everything else in the truth stays as it is."


@dataclass
class WrittenPage:
    """The pages with ✓ words as they are.

    Attributes
    ----------
    truths : dict of str to Truth
        By page name.
    new : dict of str to Page
        Those that have no truth file yet.
    paths : dict of str to Path
        Their truth files.
    problems : dict of str to str
        Pages that cannot be read or changed, and why.
    """

    truths: dict[str, Truth] = field(default_factory=dict)
    new: dict[str, Page] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


class WordWriting:
    """Makes the step of words that are judged.

    Attributes
    ----------
    offered : Signal
        Emitted with the step when it is to be asked for.
    """

    def __init__(self, workbench: Workbench, keeper: JudgementKeeper) -> None:
        self._workbench, self._keeper = workbench, keeper
        self._task = Task(workbench, urgent=True)
        self.busy_changed = self._task.busy_changed
        self.offered = Signal[[CollectionStep]]()

    @property
    def busy(self) -> bool:
        """Whether pages are being looked at."""
        return self._task.busy

    def write(self, queries: Sequence[ListedQuery]) -> None:
        """Write the ✓ words of these queries; asks first. Queries without a text are left out."""
        workbench = self._workbench
        named = [query for query in queries if query.text]
        judged = judged_words(named, self._keeper.judged())
        if not judged:
            text = "Name a query first: press F2 in the list of queries"
            workbench.said.emit(text if queries else "Search a word first", True)
            return
        if workbench.labels.locked and WORD_LABEL not in workbench.labels:
            text = f"The label set is locked, and has no label “{WORD_LABEL}”: unlock it first"
            workbench.said.emit(text, True)
            return
        wanted = {word.place[0] for word in judged}
        entries = tuple(entry for entry in workbench.entries if entry.name in wanted)
        opened = {session.path: session.document.truth for session in workbench.sessions}

        def work(progress: Progress) -> tuple[WrittenPage, WordPlan]:
            look = look_at_pages(entries, opened, progress)
            return look, plan_words(judged, look.truths)

        self._task.start(work, done=lambda seen: self._offer(*seen))

    def _offer(self, look: WrittenPage, plan: WordPlan) -> None:
        workbench, folder = self._workbench, self._workbench.collection.folder
        if folder is None:
            return
        if not plan.count:
            workbench.said.emit(nothing_text(plan, look.problems), bool(plan.differences))
            return
        author = workbench.author.name or "spotlab"
        step = word_step(
            plan,
            look.new,
            look.paths,
            page_key(folder / "labels").parent,
            workbench.labels,
            author,
            datetime.now(UTC),
        )
        self.offered.emit(step)
        workbench.collection_steps.offer(write_question(plan, look.problems), step)


def judged_words(
    queries: Sequence[ListedQuery], judged: Mapping[str, Mapping[Place, bool]]
) -> list[JudgedWord]:
    """The ✓ words of queries, and last where the queries themselves are drawn."""
    words = [
        JudgedWord(query.text, place)
        for query in queries
        for place, relevant in judged.get(known_name(query.name, judged), {}).items()
        if relevant
    ]
    drawn = [JudgedWord(query.text, query.place) for query in queries if not query.typed]
    return [*words, *drawn]


def look_at_pages(
    entries: Sequence[PageEntry], opened: Mapping[Path, Truth], progress: Progress
) -> WrittenPage:
    """Read the pages; those that are open count as they are in the window.

    Parameters
    ----------
    entries : sequence of PageEntry
    opened : mapping of Path to Truth
        By truth file.
    progress : Progress
    """
    look = WrittenPage()
    closed = [entry.truth_path for entry in entries if entry.truth_path not in opened]
    problems = obstacles(closed)
    for entry in track(entries, progress, "Looking through the pages"):
        name, path = entry.name, entry.truth_path
        look.paths[name] = path
        try:
            if path in problems:
                raise SpotlabError(problems[path])
            if path in opened:
                look.truths[name] = opened[path]
            else:
                look.truths[name] = _empty(entry) if is_missing(path) else _truth_of(path)
            if is_missing(path):
                look.new[name] = look.truths[name].page
        except SpotlabError as error:
            look.problems[name] = str(error).replace(f"{path.parent}/", "")
    return look


def _truth_of(path: Path) -> Truth:
    if has_journal(path) and not user_of(path):  # a killed program left it
        session = EditingSession.open(path)
        try:
            return session.document.truth
        finally:
            session.close()
    return page_xml.read(path)


def _empty(entry: PageEntry) -> Truth:
    header = read_header(entry.image, entry.frame)
    return Truth(Page(entry.image, header.width, header.height, entry.frame, header.frames))


def write_question(plan: WordPlan, problems: Mapping[str, str]) -> Question:
    """What is asked before words come into the truth: how many of each, and what stays."""
    counts: dict[str, int] = {}
    for words in plan.new.values():
        for word in words:
            counts[word.text] = counts.get(word.text, 0) + 1
    texts = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    named = ", ".join(f"“{text}” {count:,}" for text, count in texts[:6])
    more = f" and {len(texts) - 6:,} more" if len(texts) > 6 else ""
    remarks = [f"{named}{more}."]
    if plan.present:
        are = "is" if plan.present == 1 else "are"
        remarks.append(f"{words_text(plan.present).capitalize()} {are} there already.")
    if plan.differences:
        many = len(plan.differences)
        places = "1 place stays as it is" if many == 1 else f"{many:,} places stay as they are"
        remarks.append(f"{places}: another text is said to be there.")
    if problems:
        remarks.append(f"{pages_text(len(problems))} cannot be changed now and will stay as now.")
    remarks.append(OTHERS)
    details = (*(each.text for each in plan.differences), *problems.values())
    text = f"Write {words_text(plan.count)} into the truth of {pages_text(len(plan.new))}?"
    return Question(text, " ".join(remarks), details, "Write")


def nothing_text(plan: WordPlan, problems: Mapping[str, str]) -> str:
    """Why nothing comes into the truth."""
    if problems:
        return f"No word was written: {next(iter(problems.values()))}"
    if plan.differences:
        more = len(plan.differences) - 1
        rest = f", and {more:,} more" if more else ""
        return f"No word was written: {plan.differences[0].text}{rest}"
    return f"The truth has {words_text(plan.present)} already: nothing to write"


def words_text(count: int) -> str:
    """So many words."""
    return counted(count, "word")
