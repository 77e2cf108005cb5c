"""Deciding between two annotators: the third truth, undo, and how much is decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.editing.history import Step
from spotlab.errors import SpotlabError
from spotlab.files import exists, is_folder, is_missing
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.truth import page_xml
from spotlab.gui.annotate.second.second_annotator import SecondAnnotator
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.files import is_there
from spotlab.model import Deed, Truth
from spotlab.progress import Progress, track
from spotlab.signal import Signal
from spotlab.studies.annotators.decisions import (
    Decision,
    DecisionFile,
    Outline,
    open_decisions,
    sides,
)
from spotlab.studies.annotators.differences import (
    PageDifferences,
    RegionPair,
    compare_regions,
    decided_region,
    third_path,
    write_page,
)

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


Keys = frozenset[str]  # of the differences of a page


@dataclass(frozen=True)
class ThirdPage:
    """Data required to compare a page and write it to the third truth."""

    name: str
    truth_path: Path
    first: Truth | None  # None: as it is on the disk
    second: Truth


@dataclass(frozen=True)
class ThirdWriter:
    """Snapshot of the decisions at one moment, for a thread to write."""

    folder: Path
    names: tuple[str, str]
    decisions: Mapping[str, Mapping[str, Decision]]
    author: str
    time: datetime

    def write(self, page: str, path: Path, first: Truth, differences: PageDifferences) -> None:
        """Bring a page up to the decisions; not before somebody has begun with it."""
        decisions = self.decisions.get(page, {})
        target = third_path(self.folder, path)
        if not decisions and differences.differences and is_missing(target):
            return  # nobody has begun with this page
        bare = replace(first, source=b"")
        write_page(target, bare, differences, decisions, self.names, self.author, self.time)


class WriteQueue:
    """Writes one page after the other; of several states of a page that wait, the last one.

    Parameters
    ----------
    say : callable
        Takes why a page could not be written, and True.
    """

    def __init__(self, say: Callable[[str, bool], object]) -> None:
        self._task = Task(say=say)
        self._waiting: dict[str, tuple[object, ...]] = {}

    @property
    def busy(self) -> bool:
        """Tell whether something is not written yet."""
        return self._task.busy or bool(self._waiting)

    def put(
        self, writer: ThirdWriter, page: str, path: Path, first: Truth, differences: PageDifferences
    ) -> None:
        """Write a page soon."""
        self._waiting[page] = (writer, page, path, first, differences)
        self._go_on()

    def _go_on(self) -> None:
        if self._task.busy or not self._waiting:
            return
        arguments = self._waiting.pop(next(iter(self._waiting)))

        def failed(error: Exception) -> None:
            self._task.tell(error)
            self._go_on()

        self._task.start(_write, *arguments, done=lambda _: self._go_on(), failed=failed)


def _write(
    writer: ThirdWriter,
    page: str,
    path: Path,
    first: Truth,
    differences: PageDifferences,
    progress: Progress,
) -> None:
    """Write one page, in a thread."""
    progress(0, 1, f"writing {page}")
    writer.write(page, path, first, differences)


def survey(
    works: Sequence[ThirdPage],
    match: float,
    alike: float,
    writer: ThirdWriter | None,
    progress: Progress,
) -> dict[str, Keys]:
    """The differences of all pages that both have seen; those that cannot be read are left out."""
    found: dict[str, Keys] = {}
    for work in track(works, progress, "Comparing pages"):
        if work.first is None and not exists(work.truth_path):
            continue
        try:
            first = work.first or page_xml.read(work.truth_path)
            regions = first.regions, work.second.regions
            differences = compare_regions(*regions, match=match, alike=alike)
            if writer is not None:
                writer.write(work.name, work.truth_path, first, differences)
        except SpotlabError:
            continue  # opening the page says what is wrong with it
        found[work.name] = frozenset(pair.key for pair in differences.differences)
    return found


TITLES = {
    Deed.KEPT: "Keep mine",
    Deed.TAKEN: "Take theirs",
    Deed.MERGED: "Merge",
    Deed.UNDECIDED: "Mark undecided",
}


@dataclass(frozen=True)
class _Done:
    """A decision that undo can take back, and the page's last step at that time."""

    before: Decision | None
    after: Decision
    mark: Step | None


class Adjudication:
    """Decisions between the open page's annotator and the second one.

    Attributes
    ----------
    log : DecisionFile or None
        The decisions; None until a folder is chosen for them.
    outline : Outline
        Of regions that are merged.
    changed : Signal
    folder_wanted : Signal
        A decision waits for a folder.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.second = workbench.state(SecondAnnotator)
        self.log: DecisionFile | None = None
        self.outline = Outline.HULL
        self.changed, self.folder_wanted = Signal[[]](), Signal[[]]()
        self._waiting: tuple[Deed, bool] | None = None
        self._arriving = False  # a step has opened the page
        self._differences: dict[str, Keys] = {}
        self._open_counts: dict[str, int] = {}  # of these, where they are counted
        self._done: dict[str, list[_Done]] = {}
        self._undone: dict[str, list[_Done]] = {}
        self._surveying = Task(workbench)
        self._queue = WriteQueue(workbench.said.emit)
        self.second.opened.connect(self._follow_annotator)
        self.second.changed.connect(self._follow_page)
        self.second.limits_changed.connect(self._survey)

    @property
    def busy(self) -> bool:
        """Tell whether pages are being compared or written."""
        return self._surveying.busy or self._queue.busy

    @property
    def page(self) -> str:
        """The name of the open page."""
        return self.workbench.entry.name if self.workbench.entry is not None else ""

    def open(self, folder: Path) -> bool:
        """Keep decisions in this folder; False, and said why, if that is not possible."""
        mine, theirs = self.second.folder, self.second.path
        if mine is None or theirs is None:
            return False
        try:
            self.log = background.call(_open_decisions, folder, mine, theirs)
        except SpotlabError as error:
            self.workbench.said.emit(str(error), True)
            return False
        self.second.remember("decided", folder)
        self._done.clear()
        self._undone.clear()
        self._open_counts.clear()
        self._survey()
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self.decide(*waiting)
        self.changed.emit()
        return True

    def decision(self, pair: RegionPair, page: str = "") -> Decision | None:
        """Return what is decided about a pair of the open page."""
        return self.log.get(page or self.page, pair.key) if self.log is not None else None

    @property
    def progress(self) -> tuple[int, int]:
        """Tell how many differences of the collection are decided, and how many there are."""
        count = sum(map(len, self._differences.values()))
        for page, keys in self._differences.items():
            if page not in self._open_counts:
                self._open_counts[page] = len(self._open_of(page, keys))
        return count - sum(self._open_counts[page] for page in self._differences), count

    def decide(self, verdict: Deed, their_label: bool = False) -> None:
        """Decide about the current pair, and go on to the next that is open.

        Parameters
        ----------
        verdict : Deed
        their_label : bool
            Whether a merged region gets the second annotator's label instead of the first's.
        """
        pair, document = self.second.current, self.workbench.document
        if pair is None or document is None:
            return
        if self.log is None:
            self._waiting = (verdict, their_label)
            self.folder_wanted.emit()
            return
        labelled = pair.second if their_label else pair.first
        label = labelled.label if labelled is not None else ""
        now, author = datetime.now(UTC).replace(microsecond=0), self.workbench.author.name
        decision = Decision(self.page, pair.key, verdict, author, now, label, self.outline)
        try:
            decided_region(pair, decision, self.log.names, document.page)
        except SpotlabError as error:
            self.workbench.said.emit(str(error), True)
            return
        mark = self.workbench.history.mark if self.workbench.history else None
        done = _Done(self.decision(pair), decision, mark)
        if self._record(decision, done.after):
            self._done.setdefault(self.page, []).append(done)
            self._undone.pop(self.page, None)
            self._told()
            self._advance(pair)

    def step(self, by: int) -> None:
        """Go to another difference of the page; past the last, to the next page with open ones."""
        agreement = self.second.agreement
        found = agreement.differences.differences if agreement is not None else ()
        current = self.second.current
        at = found.index(current) + by if current in found else (0 if by > 0 else len(found) - 1)
        if 0 <= at < len(found):
            self.second.set_current(found[at])
        else:
            self._go_on(by)

    # Undo

    @property
    def undo_name(self) -> str | None:
        """The decision that undo takes back, if nothing has been done on the page since."""
        done = self._top(self._done)
        return None if done is None else TITLES[done.after.verdict].lower()

    @property
    def redo_name(self) -> str | None:
        """The decision that redo takes again, if nothing has been done on the page since."""
        done = self._top(self._undone)
        return None if done is None else TITLES[done.after.verdict].lower()

    def undo(self) -> bool:
        """Take the last decision on this page back; False if there is none to take back now."""
        done = self._top(self._done)
        if done is None or not self._record(done.before, done.after):
            return False
        self._move(self._done, self._undone, done)
        return True

    def redo(self) -> bool:
        """Take the undone decision again; False if there is none."""
        done = self._top(self._undone)
        if done is None or not self._record(done.after, done.after):
            return False
        self._move(self._undone, self._done, done)
        return True

    def _top(self, stacks: Mapping[str, list[_Done]]) -> _Done | None:
        stack, history = stacks.get(self.page), self.workbench.history
        if not stack or history is None or stack[-1].mark is not history.mark:
            return None
        return stack[-1]

    def _move(
        self, source: dict[str, list[_Done]], target: dict[str, list[_Done]], done: _Done
    ) -> None:
        source[self.page].pop()
        target.setdefault(self.page, []).append(done)
        self._told()
        agreement = self.second.agreement
        pairs = agreement.differences.differences if agreement is not None else ()
        again = next((pair for pair in pairs if pair.key == done.after.pair), None)
        if again is not None:
            self.second.set_current(again)

    # Following

    def _record(self, decision: Decision | None, by: Decision) -> bool:
        assert self.log is not None
        try:
            self.log.record(by.page, by.pair, decision, by=by)
        except SpotlabError as error:
            self.workbench.said.emit(str(error), True)
            return False
        return True

    def _told(self) -> None:
        """Something is decided: the third truth follows."""
        self._open_counts.pop(self.page, None)
        self._write_here()
        self.changed.emit()

    def _advance(self, pair: RegionPair) -> None:
        agreement = self.second.agreement
        if agreement is None:
            return
        found = agreement.differences.differences
        at = found.index(pair) + 1 if pair in found else 0
        following = next((p for p in (*found[at:], *found[:at]) if self.decision(p) is None), None)
        if following is not None:
            self.second.set_current(following)
        else:
            said = "Every difference on this page is decided; N opens the next page with open ones"
            self.workbench.said.emit(said, False)
            self.second.current_changed.emit()

    def _go_on(self, by: int) -> None:
        """Open the next page with open differences, in the order of the pages."""
        workbench = self.workbench
        if workbench.index is None:
            return
        names = [entry.name for entry in workbench.entries]
        here, count = workbench.index, len(names)
        for way in range(1, count):
            at = (here + by * way) % count
            keys = self._differences.get(names[at], frozenset())
            if self._open_of(names[at], keys):
                workbench.open_page(at)
                self._arriving = True
                return
        workbench.said.emit("No other page has open differences", False)

    def _open_of(self, page: str, keys: Keys) -> list[str]:
        """The differences of a page that nobody has decided."""
        if self.log is None:
            return sorted(keys)
        found = ((key, self.log.get(page, key)) for key in keys)
        return [key for key, d in found if d is None or d.verdict is Deed.UNDECIDED]

    def _follow_annotator(self) -> None:
        self.log, self._waiting = None, None
        self._surveying.cancel()
        self._differences.clear()
        self._open_counts.clear()
        folder = self.second.remembered("decided") if self.second.active else None
        if folder is None or not is_there(folder) or not self.open(folder):
            self._survey()
        self.changed.emit()

    def _follow_page(self) -> None:
        agreement = self.second.agreement
        if agreement is not None:
            found = agreement.differences.differences
            self._differences[self.page] = frozenset(pair.key for pair in found)
            self._open_counts.pop(self.page, None)
            arriving, self._arriving = self._arriving, False
            if arriving and found:
                still = [pair for pair in found if self.decision(pair) is None]
                self.second.set_current((still or found)[0])
            self._write_here()
        self.changed.emit()

    def _survey(self) -> None:
        """Compare all pages in the background, and bring the third truth up to the decisions."""
        works = [work for entry in self.workbench.entries if (work := self._work(entry))]
        if works:
            arguments = (works, self.second.match, self.second.alike, self._writer())
            self._surveying.start(survey, *arguments, done=self._surveyed)

    def _surveyed(self, found: Mapping[str, Keys]) -> None:
        here = {name: keys for name, keys in self._differences.items() if name == self.page}
        self._differences = {**found, **here}
        self._open_counts.clear()
        self.changed.emit()

    def _work(self, entry: PageEntry) -> ThirdPage | None:
        name, path = entry.name, entry.truth_path
        theirs = self.second.truth_of(name)
        session = next((s for s in self.workbench.sessions if s.path == path), None)
        if theirs is None:
            return None
        return ThirdPage(name, path, session.document.truth if session else None, theirs)

    def _writer(self) -> ThirdWriter | None:
        if self.log is None:
            return None
        decisions: dict[str, dict[str, Decision]] = {}
        for decision in self.log.decisions:
            decisions.setdefault(decision.page, {})[decision.pair] = decision
        author = self.workbench.author.name
        return ThirdWriter(self.log.folder, self.log.names, decisions, author, datetime.now(UTC))

    def _write_here(self) -> None:
        """Write the open page of the third truth soon; one page after the other."""
        entry, document, agreement = (
            self.workbench.entry, self.workbench.document, self.second.agreement,
        )  # fmt: skip
        writer = self._writer()
        if entry is None or document is None or agreement is None or writer is None:
            return
        self._queue.put(writer, entry.name, entry.truth_path, document.truth, agreement.differences)


def _open_decisions(folder: Path, mine: Path, theirs: Path) -> DecisionFile:
    return open_decisions(folder, *sides(mine, theirs if is_folder(theirs) else theirs.parent))
