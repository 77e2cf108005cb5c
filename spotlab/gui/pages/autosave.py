"""Writes truth files by itself: at pauses, on page change, on leaving the window, on closing."""

from __future__ import annotations

import sys
import time
import traceback
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QTimer

from spotlab.editing.session import ChangedOnDisk, EditingSession, Save
from spotlab.errors import NotSaved
from spotlab.gui.kit import background
from spotlab.gui.pages.bench import Bench
from spotlab.progress import Progress

PAUSE = 1500  # ms without an edit until the truth file is written
RETRY = 10_000  # ms until a save that failed is tried again; twice as long after each failure
LONGEST_RETRY = 300_000  # ms


@dataclass(frozen=True)
class Failure:
    """What stands against saving a session.

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
        """Whether a save is under way."""
        return bool(self._saving)

    @property
    def failure(self) -> str:
        """Why something is not saved; empty if nothing is known to stand against it."""
        return next((failure.text for failure in self._failed.values()), "")

    @property
    def pending(self) -> bool:
        """Whether some truth file lacks something."""
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
        """Whether the session's truth file is being written."""
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
