"""Offers to carry out state beside the data that this user's spotlab did not write.

The banner shows one offer at a time until somebody answers it. Nothing is carried out before.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from spotlab.editing.session import EditingSession
from spotlab.gui.pages.step_questions import Question
from spotlab.signal import Signal


@dataclass(frozen=True, eq=False)
class Offer:
    """One question and what follows from each answer.

    Attributes
    ----------
    question : Question
        ``text`` is the line in the banner. ``more`` and ``details`` say what would change; the
        button *Show…* opens them.
    accept, leave : callable
        Called for the answer. ``leave`` must not change any file of the folder.
    page : Path or None
        The truth file whose page the offer is about. Other pages do not show it. None if the offer
        is about the collection.
    """

    question: Question
    accept: Callable[[], object]
    leave: Callable[[], object]
    page: Path | None = None


class Offers:
    """The offers that nobody has answered yet, oldest first.

    Attributes
    ----------
    changed : Signal
        Emitted when an offer comes or goes.
    """

    def __init__(self) -> None:
        self._waiting: list[Offer] = []
        self.changed = Signal[[]]()

    def ask(self, offer: Offer) -> None:
        """Show an offer, after those that wait already; it replaces one with the same question."""
        asked = (offer.question, offer.page)
        others = [each for each in self._waiting if (each.question, each.page) != asked]
        self._waiting = [*others, offer]
        self.changed.emit()

    def next(self, page: Path | None) -> Offer | None:
        """Return the oldest offer about the collection or the page of this truth file."""
        fitting = (offer for offer in self._waiting if offer.page in (None, page))
        return next(fitting, None)

    def answer(self, offer: Offer, accepted: bool) -> None:
        """Do what follows from the answer; nothing if the offer was withdrawn or answered."""
        if offer in self._waiting:
            self.withdraw(offer)
            (offer.accept if accepted else offer.leave)()

    def withdraw(self, offer: Offer) -> None:
        """Ask no more."""
        self._waiting = [each for each in self._waiting if each is not offer]
        self.changed.emit()

    def clear(self) -> None:
        """Withdraw all offers: the collection is closed."""
        self._waiting = []
        self.changed.emit()


def outside_offer(session: EditingSession, save: Callable[[], object]) -> Offer:
    """Ask whether a truth file that lies outside of the opened folder may be written.

    Parameters
    ----------
    session : EditingSession
    save : callable
        Called once it may be.
    """

    def allow() -> None:
        session.refused = ""
        save()

    path = session.path
    question = Question(
        f"{path.name} leads out of the opened folder, to {os.path.realpath(path)}. Changes of this "
        "page are not written there until you allow it.",
        "Until then they stay in the journal of the page.",
        (),
        "Allow",
    )
    return Offer(question, allow, lambda: None, path)
