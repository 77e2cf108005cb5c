"""Renaming, merging and deleting labels on all pages: asked, done, undone, and finished if killed.

How a step works is said in `spotlab.editing.collection_step`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.editing.collection_step import (
    CollectionStep,
    Survey,
    delete_labels,
    obstacles,
    page_key,
    parts_of,
    rename_label,
    survey_pages,
)
from spotlab.editing.session import EditingSession
from spotlab.editing.unfinished import Interrupted, find_unfinished
from spotlab.errors import SpotlabError
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task
from spotlab.gui.pages.bench import Bench
from spotlab.gui.pages.offers import (
    Question,
    again_question,
    delete_question,
    ended_text,
    problems_text,
    rename_question,
    resumed_text,
    unused_question,
)
from spotlab.gui.pages.page_editing import FoundStep, foreign_offer, read_step
from spotlab.gui.pages.step_runner import StepRunner
from spotlab.model.region import tidy_label
from spotlab.signal import Signal

if TYPE_CHECKING:
    from spotlab.gui.pages.disk import SavedBench


class PageSurvey:
    """One look at a time, in a thread.

    Attributes
    ----------
    busy_changed : Signal
        A look began or ended.
    """

    def __init__(self, workbench: Bench) -> None:
        self._workbench = workbench
        self._task = Task(workbench, urgent=True)
        self.busy_changed = self._task.busy_changed

    @property
    def busy(self) -> bool:
        """Tell whether the pages are being looked into."""
        return self._task.busy

    def cancel(self) -> None:
        """Stop looking; nothing follows."""
        self._task.cancel()

    def survey(self, label: str, then: Callable[[Survey], object]) -> None:
        """Find which pages have a label; open pages are as they are in the window then."""

        def done(found: Survey) -> None:
            for session in self._workbench.sessions:
                found.problems.pop(session.path, None)
                found.take(session.path, session.document, label)
            then(found)

        self._task.start(survey_pages, self._workbench.entries, label, done=done)

    def find_obstacles(
        self, step: CollectionStep, then: Callable[[dict[Path, str]], object]
    ) -> None:
        """Find what stands against taking a step back, or doing it again, by page."""
        opened = {page_key(session.path) for session in self._workbench.sessions}
        closed = [path for path in step.pages if path not in opened]
        self._task.start(obstacles, closed, done=then)


class CollectionSteps:
    """All collection steps since the collection was opened.

    ``asked`` carries a question and what happens if it is accepted, nothing before.
    """

    def __init__(self, workbench: SavedBench) -> None:
        self._workbench = workbench
        self._done: list[CollectionStep] = []
        self._undone: list[CollectionStep] = []
        self._survey = PageSurvey(workbench)
        self.busy_changed = self._survey.busy_changed
        self._interrupted: list[Interrupted] = []  # steps that are to be finished, or asked about
        self._resumed = ""  # the id of the one that is being finished
        self._deferred: int | None = None
        self.asked = Signal[[Question, Callable[[], object]]]()
        self.runner = StepRunner(workbench)
        self.runner.begun.connect(self._begun)
        self.runner.stopped.connect(self._stopped)
        self.runner.ended.connect(self._ended)

    # What somebody asks for

    def rename(self, old: str, new: str) -> None:
        """Give a label another name, or join it with the one that has it; asks first.

        While the label set is locked, only labels that are not in it join one that is.
        """
        labels, new = self._workbench.labels, tidy_label(new)
        if not new or new == old:
            return
        joins = old not in labels and new in labels  # a label that the locked set has not
        if (joins or _may_change(self._workbench)) and self._is_free():
            self._survey.survey(old, lambda found: self._ask_rename(old, new, found))

    def delete(self, name: str) -> None:
        """Remove a label; regions that have it are unlabeled. Asks first if there are any."""
        if name in self._workbench.labels and _may_change(self._workbench) and self._is_free():
            self._survey.survey(name, lambda found: self._ask_delete(name, found))

    def remove_unused(self) -> None:
        """Remove labels that no region of any page has."""
        if _may_change(self._workbench) and self._is_free():
            self._survey.survey("", self._ask_unused)

    def offer(self, question: Question | None, step: CollectionStep) -> None:
        """Begin a step, once somebody has said yes if there is a question."""
        if not self._is_free():
            return
        if question:
            self.asked.emit(question, partial(self._begin, step))
        else:
            self._begin(step)

    def undo(self) -> bool:
        """Take back the step that is the open page's latest; False if a step of its own is."""
        history = self._workbench.history
        mark = history.mark if history else None
        if mark is None or not mark.of:
            return False
        now = self.runner.step if self.runner.changing else None
        if now and now.id == mark.of and not now.takes_back:
            self.cancel()
        elif self._is_free() and self._done and self._done[-1].id == mark.of:
            self._repeat(self._done[-1].inverse())
        return True

    def redo(self) -> bool:
        """Do again what `undo` took back last; False if a step of the page comes first."""
        history = self._workbench.history
        step = history.undone if history else None
        if step is None or not step.of:
            return False
        if self._is_free() and self._undone and self._undone[-1].id == step.of:
            self._repeat(self._undone[-1])
        return True

    def cancel(self) -> None:
        """Look no further, or take back what was done so far."""
        if self._survey.busy:
            self._survey.cancel()
        elif self.runner.changing:
            self.runner.cancel()

    def try_again(self) -> None:
        """Carry the step out on the pages where that was not possible."""
        runner = self.runner
        if runner.step and not runner.changing:
            self._workbench.trouble.emit("solved", "")
            runner.begin(runner.step, list(runner.step.pages))
            self.busy_changed.emit()

    def take_back(self) -> None:
        """Give up a step that could not be carried out everywhere."""
        self._workbench.trouble.emit("solved", "")
        self.runner.take_back()
        self.busy_changed.emit()

    def leave(self) -> None:
        """Leave the pages as they are now, with a step that is carried out on some of them."""
        self._workbench.trouble.emit("solved", "")
        self.runner.abandon()

    # Pages that are opened, and what a killed program left

    @property
    def changing(self) -> bool:
        """Tell whether pages are being changed: none may be opened then."""
        return self.runner.changing or bool(self._interrupted)

    @property
    def busy(self) -> bool:
        """Tell whether something is under way that can be cancelled."""
        return self._survey.busy or self.runner.changing

    def defer(self, index: int) -> None:
        """Open this page as soon as no pages are being changed."""
        self._deferred = index
        self._workbench.said.emit("The page opens after all pages have been changed", False)

    def adopt(self, session: EditingSession) -> None:
        """A page was opened: its history has the steps from before, too."""
        for part in parts_of(self._done, session.path, session.document):
            session.history.note_done(part)
        if self.runner.step and self.runner.problems:
            with contextlib.suppress(SpotlabError):  # it is among the problems, which are known
                self.runner.change_open(session)

    def resume(self) -> None:
        """Finish what a killed program left on the pages that were opened.

        A step that this user's spotlab did not begin is only offered.
        """
        entries = self._workbench.entries
        folders = {entry.image.parent for entry in entries}
        folders |= {entry.truth_path.parent for entry in entries}
        root = self._workbench.collection.root
        self._interrupted = background.call(find_unfinished, sorted(folders), root)
        self._resume_next()

    def finish(self) -> None:
        """The collection is about to be closed: wait until no page is being changed."""
        self._deferred = None
        self._survey.cancel()
        background.wait_until(lambda: not self.changing)

    def close(self) -> None:
        """Forget all; a step that is not over stays on the disk for the next start."""
        self.runner.settle()
        self.runner.cancel()
        self.runner.drop()
        self._done, self._undone, self._interrupted = [], [], []

    def _resume_next(self) -> None:
        if not self._interrupted:
            self._stopped()
            return
        interrupted = self._interrupted[0]

        def begin(found: FoundStep) -> None:
            step = found.step
            started = False
            if interrupted.own:
                self._resumed = step.id
                started = self.runner.begin(step)
            else:
                self._workbench.offers.ask(foreign_offer(found, self._accept))
            self._interrupted.pop(0)
            if not started:
                self._resume_next()
            self.busy_changed.emit()

        def fail(error: Exception) -> None:
            self._interrupted.pop(0)
            why = "its file is damaged" if interrupted.own else "it is refused"
            self._workbench.trouble.emit(
                "remark", f"A step over all pages was interrupted, but {why}: {error}"
            )
            self._resume_next()

        entries = self._workbench.entries
        background.run(read_step, interrupted, entries, done=begin, failed=fail, urgent=True)

    def _accept(self, found: FoundStep) -> None:
        """Carry out a step of somebody else, who left it unfinished; asks again if that must wait.

        The file is the user's own from now on, so that a kill does not leave it to be asked about.
        """
        changes_labels = bool(found.step.removed or found.step.added)
        if (changes_labels and not _may_change(self._workbench)) or not self._is_free():
            self._workbench.offers.ask(foreign_offer(found, self._accept))
            return
        background.run(found.adopt, done=lambda _: self._begin(found.step), urgent=True)

    # Looking and asking

    def _is_free(self) -> bool:
        """Tell whether another step can begin; says why not."""
        workbench, runner = self._workbench, self.runner
        if runner.step and not self.changing and not runner.problems:
            workbench.autosave.finish()  # it only waits for the open pages to be saved
        if not runner.step and not self.busy:
            return True
        if runner.problems:
            self._tell_problems()
        else:
            name = runner.step.name if runner.step else "Looking through the pages"
            workbench.said.emit(f"{name}: wait until it has finished, or cancel it", False)
        return False

    def _repeat(self, step: CollectionStep) -> None:
        """Take a step back or do it again; asks where something stands against that."""
        self._survey.find_obstacles(
            step, lambda found: self.offer(again_question(step, found), step)
        )

    def _ask_rename(self, old: str, new: str, found: Survey) -> None:
        labels = self._workbench.labels
        if old in labels or new in labels:
            step = rename_label(labels, old, new, self._folder, found.carrying)
            self.offer(rename_question(step, old, new, new in labels, found), step)

    def _ask_delete(self, name: str, found: Survey) -> None:
        labels = self._workbench.labels
        if name in labels:
            step = delete_labels(labels, [name], self._folder, found.carrying)
            self.offer(delete_question(step, name, found), step)

    def _ask_unused(self, found: Survey) -> None:
        labels = self._workbench.labels
        unused = [label.name for label in labels if label.name not in found.used]
        if unused:
            step = delete_labels(labels, unused, self._folder, {})
            self.offer(unused_question(unused, found), step)
        else:
            self._workbench.said.emit("Every label is used", False)

    def _begin(self, step: CollectionStep) -> None:
        workbench = self._workbench
        step = replace(step, root=step.root or workbench.collection.root)
        if workbench.stop_loading() and workbench.index is not None:
            self._deferred = workbench.index
        self._resumed = ""
        if self.runner.begin(step):
            self.busy_changed.emit()
        else:
            self._stopped()

    @property
    def _folder(self) -> Path:
        folder = self._workbench.collection.folder
        assert folder is not None  # labels are renamed where pages are open
        return page_key(folder / "labels").parent

    # What comes of it

    def _begun(self, step: CollectionStep) -> None:
        asked_for = step.inverse() if step.takes_back else step
        was_done = any(each.id == step.id for each in self._done)
        was_undone = any(each.id == step.id for each in self._undone)
        self._done = [each for each in self._done if each.id != step.id]
        self._undone = [each for each in self._undone if each.id != step.id]
        if not step.takes_back:
            self._done.append(asked_for)
            if not was_undone:
                self._undone.clear()
        elif was_done:
            self._undone.append(asked_for)

    def _stopped(self) -> None:
        if self.runner.problems:
            self._interrupted.clear()  # further ones wait for the next start
            self._tell_problems()
        self.busy_changed.emit()
        if self._interrupted:
            return
        index, self._deferred = self._deferred, None
        if index is not None:
            self._workbench.open_page(index)

    def _ended(self, step: CollectionStep) -> None:
        workbench = self._workbench
        if self._resumed == step.id:
            workbench.trouble.emit("recovered", resumed_text(step, self.runner.count))
            self._resumed = ""
        else:
            workbench.said.emit(ended_text(step), False)
        if self._interrupted:
            self._resume_next()

    def _tell_problems(self) -> None:
        step = self.runner.step
        assert step is not None
        self._workbench.trouble.emit("unfinished", problems_text(step, self.runner.problems))


def _may_change(workbench: SavedBench) -> bool:
    """Tell whether labels may be renamed and deleted; says why they may not."""
    if workbench.labels.locked:
        text = "The label set is locked: unlock it to rename or delete labels"
        workbench.said.emit(text, True)
    return not workbench.labels.locked
