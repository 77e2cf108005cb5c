"""Carries out a collection step: its intention, the open pages, the others, the labels.

While it changes pages that nobody has open, no page is opened, so that none is read half-way; the
pages that are open already can be looked at and edited.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from spotlab.editing.collection_step import Changed, CollectionStep, change_pages, page_key
from spotlab.editing.journal_file import has_journal
from spotlab.editing.session import EditingSession
from spotlab.editing.unfinished import Claim, remove_unfinished, write_unfinished
from spotlab.errors import NotSaved, SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.collection.label_file import read_labels, write_labels
from spotlab.gui.kit import background
from spotlab.gui.kit.background import raise_unexpected
from spotlab.model import LabelSet, Truth
from spotlab.progress import Progress
from spotlab.signal import Signal

if TYPE_CHECKING:
    from spotlab.gui.pages.disk import SavedBench

CHUNK = 50  # pages that are told of before the window handles events again

Written = list[tuple[PageEntry, Truth]]


class StepRunner:
    """One step at a time; it is over when all is written and its intention removed.

    ``begun`` is emitted with the step when the open pages have it, ``stopped`` when no more pages
    are being changed, ``ended`` with the step when it is over.

    Attributes
    ----------
    step : CollectionStep or None
        The one that is not over, in the direction in which it goes.
    changing : bool
        Pages are being changed.
    problems : dict of Path to str
        Pages that could not be changed, and why; the step waits for somebody to decide.
    count : int
        How many pages that were not open have been changed.
    """

    def __init__(self, workbench: SavedBench) -> None:
        self._workbench = workbench
        self.step: CollectionStep | None = None
        self.changing = False
        self.problems: dict[Path, str] = {}
        self.count = 0
        self._cancelled = False
        self._reached: set[Path] = set()
        self._claim: Claim | None = None
        self.begun = Signal[[CollectionStep]]()
        self.stopped = Signal[[]]()
        self.ended = Signal[[CollectionStep]]()
        workbench.saved.connect(self.settle)

    def begin(self, step: CollectionStep, pages: Sequence[Path] | None = None) -> bool:
        """Carry the step out, on these of its pages or on all; False if another window is at it."""
        try:
            self._claim = self._claim or Claim(step.folder)
        except SpotlabError as error:
            self._workbench.said.emit(str(error), True)
            return False
        if self.step is None or self.step.id != step.id:
            self._reached = set()
        self.step, self.changing, self._cancelled = step, True, False
        self.problems, self.count = {}, 0
        wanted = tuple(step.pages if pages is None else pages)
        background.run(
            _put_down,
            step,
            done=lambda _: self._change_open(wanted),
            failed=self._not_begun,
            urgent=True,
        )
        return True

    def cancel(self) -> None:
        """Take back what was done so far."""
        self._cancelled = True

    def take_back(self) -> None:
        """Take back what was done of a step that waits for a decision."""
        if self.step is not None and not self.changing:
            self._turn_round()

    def settle(self) -> None:
        """End the step, if all is written."""
        step, workbench = self.step, self._workbench
        if step is None or self.changing or self.problems:
            return
        if any(
            session.dirty and page_key(session.path) in step.pages for session in workbench.sessions
        ):
            return  # it is being saved, or the user knows why it is not
        workbench.collection.write_labels()
        if self.step is not step:
            return  # it was settled while the labels were written
        if step.takes_back:
            for session in workbench.sessions:
                if page_key(session.path) in step.new:  # the step had begun the file
                    session.withdraw()
        self.abandon()
        self.ended.emit(step)

    def abandon(self) -> None:
        """Nothing more is intended: the next start finds nothing to do."""
        if self.step is not None:
            try:
                remove_unfinished(self.step.folder)
            except NotSaved as error:
                self._workbench.said.emit(str(error), True)
        self.drop()

    def drop(self) -> None:
        """Let go of the step; what is intended stays on the disk."""
        self.step, self.problems, self.changing = None, {}, False
        if self._claim:
            self._claim.release()
        self._claim = None

    def change_open(self, session: EditingSession) -> None:
        """Carry the step out on a page that is open.

        Raises
        ------
        SpotlabError
            Another window edits the page.
        """
        step, history = self.step, session.history
        assert step is not None
        edits = step.edits(session.path, session.document)
        if not step.takes_back:
            if history.undone and history.undone.of == step.id:
                history.redo()
            elif not history.holds(step.id):
                history.do(step.name, edits, of=step.id)
        elif history.mark and history.mark.of == step.id:
            history.undo()
        else:
            rewritten = partial(step.rewritten, session.path, session.document)
            history.take_out(step.id, f"Undo {step.name}", edits, rewritten)

    def _not_begun(self, error: Exception) -> None:
        step = self.step
        assert step is not None
        if self._reached:  # it is being taken back, or tried again
            self.problems = {step.folder: str(error)}
            self._stop()
        else:
            self.drop()
            self._stop()
            self._workbench.said.emit(f"{step.name}: nothing was changed. {error}", True)
        raise_unexpected(error)

    def _change_open(self, wanted: Sequence[Path]) -> None:
        step, workbench = self.step, self._workbench
        assert step is not None
        if self._cancelled and not self._reached:
            self.abandon()
            self._stop()
            return
        self._change_labels(step)
        opened = set()
        entries = {entry.truth_path: entry for entry in workbench.entries}
        for session in workbench.sessions:
            opened.add(page_key(session.path))
            try:
                self.change_open(session)
            except SpotlabError as error:
                self.problems[session.path] = str(error)
            workbench.collection.take_labels(session)
            if session.path in entries:
                workbench.collection.note(entries[session.path], session.document.truth)
        self._reached |= opened & set(step.pages)
        workbench.truth_edited.emit()
        self.begun.emit(step)
        workbench.autosave.now()
        background.run(
            _carry_out,
            step,
            [path for path in wanted if path not in opened],
            workbench.entries,
            None if self._is_of_collection(step) else step.folder,
            workbench.labels,
            lambda: not self._cancelled,
            done=self._changed,
            failed=self._failed,
            progress=workbench.progressed.emit,
            urgent=True,
        )

    def _change_labels(self, step: CollectionStep) -> None:
        workbench = self._workbench
        for old, new in step.renamed.items():
            workbench.label_renamed.emit(old, new)
        workbench.collection.set_labels(step.labels_after(workbench.labels))
        if workbench.label in step.renamed:
            workbench.editing.label = step.renamed[workbench.label]
            workbench.label_changed.emit()

    def _changed(self, outcome: tuple[Changed, Written]) -> None:
        if self.step is None:
            return  # the window was closed meanwhile; the next start goes on
        changed, written = outcome
        self.count += len(changed.truths)
        self._reached |= set(changed.truths) | set(changed.problems)
        self.problems |= changed.problems
        self._note(written, 0, partial(self._noted, changed, written))

    def _note(self, written: Written, start: int, then: Callable[[], object]) -> None:
        """Tell who keeps something of the pages, some at a time: the window does not wait."""
        for entry, truth in written[start : start + CHUNK]:
            self._workbench.collection.note(entry, truth)
        if start + CHUNK < len(written):
            QTimer.singleShot(0, partial(self._note, written, start + CHUNK, then))
        else:
            then()

    def _noted(self, changed: Changed, written: Written) -> None:
        if self.step is None:
            return
        if written:
            self._workbench.truth_written.emit({entry.name: truth for entry, truth in written})
        if changed.untouched or self._cancelled:
            self._turn_round()
            return
        self._stop()
        self.settle()

    def _failed(self, error: Exception) -> None:
        step = self.step
        if step is not None:
            self.problems[step.folder] = str(error)
            self._reached |= set(step.pages)
            self._stop()
        raise error

    def _turn_round(self) -> None:
        assert self.step is not None
        # a page that could not be written is as it was, unless its journal holds what was to be
        unwritten = {path for path in self.problems if not has_journal(path)}
        reached = self._reached - unwritten
        self.begin(self.step.inverse(), [path for path in self.step.pages if path in reached])

    def _stop(self) -> None:
        self.changing = False
        self._workbench.finished.emit()
        self.stopped.emit()

    def _is_of_collection(self, step: CollectionStep) -> bool:
        folder = self._workbench.collection.folder
        return folder is not None and Path(os.path.realpath(folder)) == step.folder


def _put_down(step: CollectionStep, _: Progress) -> Path:
    return write_unfinished(step)


def _carry_out(
    step: CollectionStep,
    paths: Sequence[Path],
    entries: Sequence[PageEntry],
    other: Path | None,
    labels: LabelSet,
    goes_on: Callable[[], bool],
    progress: Progress,
) -> tuple[Changed, Written]:
    """Change the pages, and the labels of the step's collection where another one is open."""
    changed = change_pages(step, paths, labels, goes_on, progress)
    if other is not None:
        try:
            before = read_labels(other)
            after = step.labels_after(before)
            if after != before:
                write_labels(other, after)
        except SpotlabError as error:
            changed.problems[other] = str(error)
    keys = ((page_key(entry.truth_path), entry) for entry in entries)
    return changed, [(entry, changed.truths[key]) for key, entry in keys if key in changed.truths]
