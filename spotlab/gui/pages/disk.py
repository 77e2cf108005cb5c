"""Saves at pauses, and sees what other programs change on the disk."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QTimer

from spotlab.editing.journal_lines import STALE_AFTER
from spotlab.editing.recovery import LeftSteps
from spotlab.editing.session import ChangedOnDisk, EditingSession, FileLook, FileState, Save
from spotlab.errors import NotSaved, SpotlabError
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.files import PathWatch
from spotlab.gui.pages.bench import Bench
from spotlab.gui.pages.offers import Offer, left_question
from spotlab.progress import Progress

SETTLED = 150  # ms in which further changes are waited for
LOOK_AGAIN = 10_000  # ms until the next look at a page that is being edited elsewhere


class DiskWatch:
    """Looks at the truth file of the workbench's open page, in a thread."""

    def __init__(self, workbench: SavedBench, changing: Callable[[], bool]) -> None:
        self._workbench = workbench
        self._changing = changing
        self._watch = PathWatch(self._changed)
        self._timer = QTimer(singleShot=True)
        self._timer.timeout.connect(self.look)
        said = workbench.collection.said.emit  # nobody asked for it: it does not stay
        self._task = Task(say=lambda text, _: said(text, False), urgent=True)
        self._told: EditingSession | None = None
        self._offers: dict[Path, Offer] = {}
        self.may_change: Callable[[], bool] = lambda: True  # False while a gesture is under way

    def follow(self) -> None:
        """Watch the page that is open now, or none."""
        self._task.cancel()
        self._timer.stop()
        self._told = None
        session = self._workbench.session
        self._watch.follow((session.path.parent, session.path) if session is not None else ())
        if session is not None:
            self._tell_user(session, session.used_by)
            self._offer_left(session)
            self.look()

    def look(self) -> None:
        """See whether another program has changed the truth file."""
        session = self._workbench.session
        if session is None:
            return
        if self._task.busy or self._is_writing(session):
            self._timer.start(SETTLED)
            return
        look = session.look()
        self._task.start(_look, look, done=partial(self._seen, session, look))

    def _is_writing(self, session: EditingSession) -> bool:
        """Tell whether this program itself is about to write, or to replace, the page's file."""
        workbench = self._workbench
        return workbench.autosave.is_saving(session) or self._changing()

    def _changed(self) -> None:
        if not self._timer.isActive():
            self._timer.start(SETTLED)

    def _seen(self, session: EditingSession, look: FileLook, seen: FileState) -> None:
        workbench = self._workbench
        if session is not workbench.session:
            return
        busy = self._is_writing(session) or not self.may_change()
        if busy or not session.note(look, seen):  # else it was saved meanwhile
            self._timer.start(SETTLED)
            return
        ended = session.used_by and not seen.used_by
        if seen.used_by != session.used_by:
            self._tell_user(session, seen.used_by)
        if session.trouble:
            workbench.autosave.tell(session, session.trouble)
        if seen.used_by and not self._timer.isActive():
            self._timer.start(LOOK_AGAIN)  # nothing tells when a machine far away is gone
        if ended and seen.left_by_another and not session.dirty:
            workbench.reload()  # and take over the steps of a window that was killed
        elif seen.changed:
            self._take_over(session, seen)
        elif self._told is session:
            self._told = None
            workbench.autosave.settle(session)

    def _take_over(self, session: EditingSession, seen: FileState) -> None:
        workbench = self._workbench
        if session.dirty or not seen.content:
            self._tell(session, session.changed_text(removed=not seen.content))
        else:
            try:
                session.reread(seen.content)
            except SpotlabError as error:
                text = session.changed_text(removed=False)
                self._tell(session, f"{text}; the previous content is still shown: {error}")
                return
            if self._told is session:
                self._told = None
                workbench.autosave.settle(session)
            workbench.collection.take_labels(session)
            text = f"{session.path.name} was changed by another program: read again"
            workbench.said.emit(text, False)

    def _offer_left(self, session: EditingSession) -> None:
        """Ask, once, about steps that somebody else has left at the page."""
        left, session.left = session.left, None
        offers = self._workbench.offers
        if left is None:
            return
        if session.path in self._offers:
            offers.withdraw(self._offers[session.path])  # the page was read again
        take = partial(self._take_left, session, left)
        offer = Offer(left_question(left), take, lambda: None, session.path)
        self._offers[session.path] = offer
        offers.ask(offer)

    def _take_left(self, session: EditingSession, left: LeftSteps) -> None:
        workbench = self._workbench
        if session not in workbench.sessions:
            return
        try:
            text = session.take(left)
        except SpotlabError as error:
            workbench.said.emit(str(error), True)
            return
        workbench.collection.take_labels(session)
        workbench.trouble.emit("recovered", text)
        workbench.autosave.soon()

    def _tell(self, session: EditingSession, text: str) -> None:
        self._told = session
        self._workbench.autosave.tell(session, text, "changed")

    def _tell_user(self, session: EditingSession, used_by: str) -> None:
        was, session.used_by = session.used_by, used_by
        if used_by:
            text = f"{session.path.name} is being edited in {used_by}: changes here are refused "
            minutes = round(STALE_AFTER / 60)
            gone = f", or for {minutes} minutes if that machine has stopped"
            far = "" if used_by == "another window" else gone
            text += f"until the other window has saved it{far}"
            self._workbench.trouble.emit("in use", text)
        elif was:
            self._workbench.trouble.emit("free", "")


def _look(look: FileLook, _: Progress) -> FileState:
    return look.run()


PAUSE = 1500  # ms without an edit until the truth file is written
RETRY = 10_000  # ms until a save that failed is tried again; twice as long after each failure
LONGEST_RETRY = 300_000  # ms


@dataclass(frozen=True)
class Failure:
    """Reason why a session cannot be saved.

    Attributes
    ----------
    text : str
        For a person.
    kind : str
        "unsaved", or "changed" where another program has written the file, too.
    wait : int
        ms between the last try and the next; 0 where nothing has been tried yet.
    until : float
        When it is tried again, by `time.monotonic`.
    """

    text: str
    kind: str = "unsaved"
    wait: int = 0
    until: float = 0.0


class Autosave:
    """Saves the workbench's sessions; slow writing runs in a thread, one save at a time.

    A save may fail in any way: that is said once, and the next try waits, longer each time, unless
    somebody asks for it.
    """

    def __init__(self, workbench: Bench) -> None:
        self._workbench = workbench
        self._timer = QTimer(singleShot=True)
        self._timer.timeout.connect(self.now)
        self._saving: set[EditingSession] = set()
        self._failed: dict[EditingSession, Failure] = {}

    @property
    def busy(self) -> bool:
        """Tell whether a save is under way."""
        return bool(self._saving)

    @property
    def failure(self) -> str:
        """Why something is not saved; empty if nothing is known to stand against it."""
        return next((failure.text for failure in self._failed.values()), "")

    @property
    def pending(self) -> bool:
        """Tell whether some truth file lacks something."""
        return any(session.dirty for session in self._workbench.sessions)

    def soon(self) -> None:
        """Save at the next pause."""
        self._timer.start(PAUSE)
        session = self._workbench.session
        if session and session.trouble:
            self.tell(session, session.trouble)

    def now(self, *, overwrite: bool = False, asked: bool = False) -> None:
        """Save what lacks something, in the background.

        Parameters
        ----------
        overwrite : bool
            Put the open page in place of whatever lies there.
        asked : bool
            Somebody wants it: what has failed is tried again at once.
        """
        self._timer.stop()
        for session in self._workbench.sessions:
            replacing = overwrite and session is self._workbench.session
            waits = not asked and not replacing and self._waits(session)
            if (session.dirty or replacing) and session not in self._saving and not waits:
                self._start(session, replacing)
        self._wait_for_retry()

    def finish(self) -> bool:
        """Save everything before this returns; False if something could not be saved.

        The window is drawn meanwhile.
        """
        self._timer.stop()
        background.wait_until(lambda: not self._saving)
        for session in self._workbench.sessions:
            if session.dirty and session not in self._saving:
                self._start(session, overwrite=False)
        background.wait_until(lambda: not self._saving)
        for session in self._saving:
            self.tell(session, f"{session.path} is still being written: the disk is very slow")
        self._timer.stop()
        if not self.pending:
            self._workbench.saved.emit()
        return not self.pending

    def is_saving(self, session: EditingSession) -> bool:
        """Tell whether the session's truth file is being written."""
        return session in self._saving

    def forget(self, session: EditingSession) -> None:
        """The session is over; what stood against saving it does not matter any more."""
        self._failed.pop(session, None)

    def tell(self, session: EditingSession, text: str, kind: str = "unsaved") -> None:
        """Something stands against saving the session; said once, until a save succeeds."""
        before = self._failed.get(session, Failure(""))
        if before.text != text:
            self._failed[session] = replace(before, text=text, kind=kind)
            self._workbench.trouble.emit(kind, text)
            self._workbench.saved.emit()

    def tell_again(self, session: EditingSession) -> None:
        """The session's page is open again: say that another program has written its file, too."""
        failure = self._failed.get(session)
        if failure is not None and failure.kind == "changed":
            self._workbench.trouble.emit(failure.kind, failure.text)

    def file_of(self, text: str) -> Path | None:
        """The truth file of which this was said; None once it is saved."""
        failed = self._failed.items()
        return next((session.path for session, failure in failed if failure.text == text), None)

    def settle(self, session: EditingSession) -> None:
        """Nothing stands against saving the session any more."""
        if self._failed.pop(session, None):
            self._workbench.trouble.emit("solved", "")
            self._workbench.saved.emit()

    def _start(self, session: EditingSession, overwrite: bool) -> None:
        try:
            save = session.begin_save(overwrite=overwrite)
        except Exception as error:
            self._not_saved(session, error)
            return
        self._saving.add(session)
        background.run(
            _write,
            save,
            done=partial(self._saved, session, save),
            failed=partial(self._not_saved, session),
            urgent=True,
        )

    def _saved(self, session: EditingSession, save: Save, content: bytes) -> None:
        self._saving.discard(session)
        try:
            session.finish_save(save, content)
        except Exception as error:
            self._not_saved(session, error)
            return
        self.settle(session)
        if session.dirty and not self._timer.isActive():
            self._timer.start(PAUSE)  # it was edited while it was being written
        self._workbench.saved.emit()

    def _not_saved(self, session: EditingSession, error: Exception) -> None:
        self._saving.discard(session)
        text = str(error)
        if not isinstance(error, NotSaved):
            text = f"{session.path} was not saved: {type(error).__name__}: {text}"
            if self._failed.get(session, Failure("")).text != text:  # once, for a report
                traceback.print_exception(error, file=sys.stderr)
        self.tell(session, text, "changed" if isinstance(error, ChangedOnDisk) else "unsaved")
        failure = self._failed[session]
        wait = min(LONGEST_RETRY, 2 * failure.wait or RETRY)
        self._failed[session] = replace(failure, wait=wait, until=time.monotonic() + wait / 1000)
        self._wait_for_retry()

    def _waits(self, session: EditingSession) -> bool:
        failure = self._failed.get(session)
        return failure is not None and failure.until > time.monotonic()

    def _wait_for_retry(self) -> None:
        """Come back when the first of what has failed is to be tried again."""
        ends = [failure.until for failure in self._failed.values() if failure.wait]
        if ends and not self._timer.isActive():
            self._timer.start(max(PAUSE, round((min(ends) - time.monotonic()) * 1000) + 1))


def _write(save: Save, _: Progress) -> bytes:
    return save.write()


class SavedBench(Bench, Protocol):
    """A workbench whose truth files are written by an `Autosave`."""

    autosave: Autosave
