"""Notices what other programs do to the open page's truth file while it is open.

It looks when the folder or the file changes and when the window becomes active again. An unedited
page takes over what another program wrote, as a step that can be undone; where there is something
unsaved, nothing is touched, and a strip above the page offers what can be done.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from spotlab.editing.journal_lines import STALE_AFTER
from spotlab.editing.recovery import LeftSteps
from spotlab.editing.session import EditingSession, Look, Seen
from spotlab.errors import SpotlabError
from spotlab.gui.kit.path_watch import PathWatch
from spotlab.gui.kit.task import Task
from spotlab.gui.pages.offers import Offer
from spotlab.gui.pages.step_questions import left_question
from spotlab.progress import Progress

if TYPE_CHECKING:
    from spotlab.gui.pages.autosave import SavedBench

PAUSE = 150  # ms in which further changes are waited for
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
            self._timer.start(PAUSE)
            return
        look = session.look()
        self._task.start(_look, look, done=partial(self._seen, session, look))

    def _is_writing(self, session: EditingSession) -> bool:
        """Whether this program itself is about to write, or to replace, the page's file."""
        workbench = self._workbench
        return workbench.autosave.is_saving(session) or self._changing()

    def _changed(self) -> None:
        if not self._timer.isActive():
            self._timer.start(PAUSE)

    def _seen(self, session: EditingSession, look: Look, seen: Seen) -> None:
        workbench = self._workbench
        if session is not workbench.session:
            return
        busy = self._is_writing(session) or not self.may_change()
        if busy or not session.note(look, seen):  # else it was saved meanwhile
            self._timer.start(PAUSE)
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

    def _take_over(self, session: EditingSession, seen: Seen) -> None:
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


def _look(look: Look, _: Progress) -> Seen:
    return look.run()
