"""Questions and offers to the user, the author, and the states of workspaces."""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar, cast

from spotlab.editing.collection_step import CollectionStep, Survey
from spotlab.editing.recovery import LeftSteps
from spotlab.editing.session import EditingSession
from spotlab.errors import counted
from spotlab.gui.kit.settings import AUTHOR, Settings
from spotlab.signal import Signal

Owner = TypeVar("Owner")
State = TypeVar("State")


class States(Generic[Owner]):
    """One state of each kind.

    Parameters
    ----------
    owner : object
        What each is made with: the workbench.

    Attributes
    ----------
    wanted : Signal
        Emitted with a kind of which there is none yet, so that others can make what belongs to it.
    """

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._made: dict[object, object] = {}
        self.wanted = Signal[[Callable[[Owner], object]]]()

    def of(self, kind: Callable[[Owner], State]) -> State:
        """The state of a kind; see `Workbench.state`."""
        if kind not in self._made:
            self.wanted.emit(kind)
        if kind not in self._made:  # nor has anybody made it now
            self._made[kind] = kind(self._owner)
        return cast("State", self._made[kind])


class Pending:
    """Number of unanswered proposals on each page.

    Attributes
    ----------
    count : callable
        Gives the number of proposals of a page by its index; whoever proposes replaces it.
    changed : Signal
        The numbers are others.
    """

    def __init__(self) -> None:
        self.count: Callable[[int], int] = lambda page: 0
        self.changed = Signal[[]]()


class Author:
    """The name of the person at the window; that of the account until somebody sets another.

    Attributes
    ----------
    changed : Signal
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._for_now = ""
        self.changed = Signal[[]]()

    @property
    def name(self) -> str:
        """The name; empty where even the account has none."""
        return self._for_now or self._settings.get(AUTHOR) or account_name()

    def set(self, name: str) -> None:
        """Use this name from now on, and after the next start; an empty one means the account's."""
        self._for_now = ""
        self._settings.set(AUTHOR, " ".join(name.split()))
        self.changed.emit()

    def use(self, name: str) -> None:
        """Use this name until the window is closed."""
        self._for_now = " ".join(name.split())
        self.changed.emit()


def account_name() -> str:
    """The name of the user's account; empty where the system does not know it."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


_MOST = 1000  # steps that are listed
TAKES_BACK = "Ctrl+Z undoes it on all pages"


@dataclass(frozen=True)
class Question:
    """Question to be answered before anything changes.

    Attributes
    ----------
    text : str
    more : str
        What else has to be known; may be empty.
    details : tuple of str
        Pages that cannot be changed, and why.
    accept : str
        What the button says.
    """

    text: str
    more: str
    details: tuple[str, ...]
    accept: str


def rename_question(
    step: CollectionStep, old: str, new: str, merges: bool, found: Survey
) -> Question | None:
    """Tell whether a label is to be renamed or merged; None where no region is concerned."""
    if not (step.regions or merges or found.problems):
        return None
    what = f"Merge {old} into {new}" if merges else f"Rename {old} to {new}"
    more = f"The label {new} already exists: the two will become one label. " if merges else ""
    accept = "Merge" if merges else "Rename"
    more += _left_out(found, f"with {old}")
    return Question(f"{what} on {count_text(step)}?", more, _details(found.problems), accept)


def delete_question(step: CollectionStep, name: str, found: Survey) -> Question | None:
    """Tell whether a label is to be deleted; None where no region is concerned."""
    if not (step.regions or found.problems):
        return None
    text = f"Delete the label {name} from {count_text(step)}?"
    more = "The regions stay, without a label. " + _left_out(found, f"with {name}")
    return Question(text, more, _details(found.problems), "Delete label")


def unused_question(unused: Sequence[str], found: Survey) -> Question | None:
    """Tell whether unused labels are to go; None where all pages could be read."""
    if not found.problems:
        return None
    text = f"Remove {', '.join(unused)}, although not every page can be read?"
    more = _left_out(found, "possibly with these labels")
    return Question(text, more, _details(found.problems), "Remove")


def left_question(left: LeftSteps) -> Question:
    """Tell whether steps that somebody else has left in a page's journal are to be applied."""
    names = left.names
    steps = counted(len(names), "unsaved step")
    where = f"computer {left.host}, " if left.host else ""
    text = (
        f"{left.path.name} holds {steps} from another user or computer, or from spotlab before "
        f"0.28 ({where}{left.changed.astimezone():%Y-%m-%d %H:%M})."
    )
    more = (
        "If you apply the steps, each can be undone. If you leave them, the file stays as it is, "
        "and you are asked again when the page is opened next."
    )
    details = (*names[:_MOST], *([f"… and {len(names) - _MOST:,} more"] if names[_MOST:] else []))
    return Question(text, more, details, "Apply")


def again_question(step: CollectionStep, problems: Mapping[Path, str]) -> Question | None:
    """Tell whether a step is to be undone or redone; None where nothing stands against it."""
    if not problems:
        return None
    verb = "Undo" if step.takes_back else "Redo"
    text = f"{verb} “{step.name}” although {pages_text(len(problems))} cannot be changed now?"
    return Question(
        text, "These pages are changed later, once that is possible.", _details(problems), verb
    )


def ended_text(step: CollectionStep) -> str:
    """Return what was done."""
    if step.takes_back:
        return f"Undone: {step.name}, on {count_text(step)}"
    return f"{step.name}: {count_text(step)} changed. {TAKES_BACK}"


def resumed_text(step: CollectionStep, count: int) -> str:
    """Return what was finished on so many pages after the program had been killed."""
    left = f" on {pages_text(count)} that remained" if count else ""
    how = "" if step.takes_back else f". {TAKES_BACK}"
    return f"{_quoted(step)} was interrupted and has been finished{left}{how}"


def problems_text(step: CollectionStep, problems: Mapping[Path, str]) -> str:
    """Why a step is not finished."""
    more = f" and {len(problems) - 1:,} more" if len(problems) > 1 else ""
    first = next(iter(problems.values()))
    return f"{_quoted(step)} is not finished on {pages_text(len(problems))}: {first}{more}"


def pages_text(count: int) -> str:
    """So many pages."""
    return counted(count, "page")


def count_text(step: CollectionStep) -> str:
    """On how many pages a step changes how many regions."""
    pages = pages_text(len(step.pages))
    return f"{pages} ({counted(step.regions, 'region')})" if step.regions else pages


def _quoted(step: CollectionStep) -> str:
    return f"Undoing “{step.name}”" if step.takes_back else f"“{step.name}”"


def _details(problems: Mapping[Path, str]) -> tuple[str, ...]:
    return tuple(problems.values())


def _left_out(found: Survey, how: str) -> str:
    many = len(found.problems)
    return (
        f"{pages_text(many)} cannot be read or changed and will stay as now, {how}." if many else ""
    )


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
