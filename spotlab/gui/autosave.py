"""Writes truth files by itself: at pauses, on page change, on closing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from spotlab.editing.session import ChangedOnDisk, EditingSession, Save
from spotlab.errors import NotSaved
from spotlab.gui import background
from spotlab.progress import Progress

if TYPE_CHECKING:
    from spotlab.gui.workbench import Workbench

PAUSE = 1500  # ms without an edit until the truth file is written
RETRY = 10_000  # ms until a save that failed is tried again


class Autosave:
    """Saves the workbench's sessions; slow writing runs in a thread, one save at a time."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._timer = QTimer(singleShot=True)
        self._timer.timeout.connect(self.now)
        self._saving: set[EditingSession] = set()
        self._failed: dict[EditingSession, str] = {}

    @property
    def busy(self) -> bool:
        """Whether a save is under way."""
        return bool(self._saving)

    @property
    def failure(self) -> str:
        """Why something is not saved; empty if nothing is known to stand against it."""
        return next(iter(self._failed.values()), "")

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

    def now(self, *, overwrite: bool = False) -> None:
        """Save what lacks something, in the background; ``overwrite`` is for the open page."""
        self._timer.stop()
        for session in self._workbench.sessions:
            if session.dirty and session not in self._saving:
                replacing = overwrite and session is self._workbench.session
                save = session.begin_save(overwrite=replacing)
                self._saving.add(session)
                background.run(
                    _write,
                    save,
                    done=partial(self._saved, session, save),
                    failed=partial(self._not_saved, session),
                    urgent=True,
                )

    def finish(self) -> bool:
        """Save everything before this returns; False if something could not be saved."""
        self._timer.stop()
        background.wait_until(lambda: not self._saving)
        for session in self._workbench.sessions:
            if session.dirty:
                try:
                    session.save()
                except NotSaved as error:
                    self._not_saved(session, error)
                else:
                    self._failed.pop(session, None)
        if not self.pending:
            self._workbench.saved.emit()
        return not self.pending

    def forget(self, session: EditingSession) -> None:
        """The session is over; what stood against saving it does not matter any more."""
        self._failed.pop(session, None)

    def tell(self, session: EditingSession, text: str, kind: str = "unsaved") -> None:
        """Something stands against saving the session; said once, until a save succeeds."""
        if self._failed.get(session) != text:
            self._failed[session] = text
            self._workbench.trouble.emit(kind, text)
            self._workbench.saved.emit()

    def _saved(self, session: EditingSession, save: Save, content: bytes) -> None:
        self._saving.discard(session)
        session.finish_save(save, content)
        if self._failed.pop(session, None):
            self._workbench.trouble.emit("solved", "")
        if session.dirty and not self._timer.isActive():
            self._timer.start(PAUSE)  # it was edited while it was being written
        self._workbench.saved.emit()

    def _not_saved(self, session: EditingSession, error: Exception) -> None:
        self._saving.discard(session)
        if not isinstance(error, NotSaved):
            raise error
        self.tell(session, str(error), "changed" if isinstance(error, ChangedOnDisk) else "unsaved")
        self._timer.start(RETRY)


def _write(save: Save, _: Progress) -> bytes:
    return save.write()
