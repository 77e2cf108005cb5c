"""The state of partial truth: which items are offered, what is said of them, what follows from it.

Items are drawn by chance one at a time, each with the chance that it had among those that were not
asked before, so that whoever stops at any answer has a sample that can be weighted back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from spotlab.consensus.answers import FEW, Draw, KnownAnswers, estimate_with_answers, next_items
from spotlab.consensus.comparison import kendall
from spotlab.consensus.precision import Estimates, item_probability, uniform_weights
from spotlab.consensus.votes import Votes
from spotlab.errors import SpotlabError, counted
from spotlab.files import is_folder
from spotlab.formats.shared.shared_file import SharedFile
from spotlab.formats.votes.answers import (
    ANSWERS,
    ItemAnswer,
    ReadAnswers,
    read_answers,
    read_answers_of,
)
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.files import ON_DISK, KeptFile
from spotlab.gui.systems.state import Systems
from spotlab.progress import Progress
from spotlab.signal import Signal
from spotlab.studies.systems.method_results import answered_result

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


ENDING = ".answers.csv"


def answers_path(paths: Sequence[Path]) -> Path | None:
    """Beside this file or folder, beside all of several; None without any.

    Examples
    --------
    >>> answers_path([Path("crowd/votes.csv")]).as_posix()
    'crowd/votes.answers.csv'
    >>> answers_path([Path("crowd/a.csv"), Path("crowd/b.csv")]).as_posix()
    'crowd/crowd.answers.csv'
    """
    if not paths:
        return None
    first = paths[0]
    if len(paths) > 1:
        return first.with_name((first.parent.name or "votes") + ENDING)
    return first.with_name((first.name if is_folder(first) else first.stem) + ENDING)


class AnswerKeeping:
    """The file; it is made by the first answer.

    Where it cannot be written that is said, and it is tried again.

    Attributes
    ----------
    path : Path or None
        None where no answers are kept.
    changed : Signal
        Another window has answered.
    """

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._file: KeptFile[Mapping[str, ItemAnswer]] | None = None
        self._known: Sequence[str] = ()
        self.path: Path | None = None
        self.changed = Signal[[]]()

    def use(self, paths: Sequence[Path], known: Sequence[str]) -> None:
        """Keep answers beside these votes."""
        self.close()
        self.path, self._known = answers_path(paths), known
        if self.path is None:
            return
        file: SharedFile[Mapping[str, ItemAnswer]] = SharedFile(
            self.path, ANSWERS, beside_data=True
        )
        try:
            background.call(file.look)
        except SpotlabError as error:
            self._workbench.said.emit(str(error), True)
            self.path = None  # nothing is written to a file that holds something else
            return
        self._file = KeptFile(file, self._workbench.said.emit, waits=ON_DISK)
        self._file.changed.connect(self.changed.emit)
        self._file.open()

    @property
    def answers(self) -> ReadAnswers:
        """Return what is said of the items."""
        return read_answers_of({} if self._file is None else self._file.value, self._known)

    def keep(self, item: str, answer: ItemAnswer | None) -> None:
        """Write down what is said of an item; None that nothing is."""
        if self._file is None:
            return
        if not item.strip() or len(item.splitlines()) > 1:
            text = f"The answer about {item!r:.60} is not kept: a file cannot hold this name"
            self._workbench.said.emit(text, True)
            return
        others = {name: said for name, said in self._file.value.items() if name != item.strip()}
        self._file.set(others if answer is None else {**others, item.strip(): answer})

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


AHEAD = 3  # items that are drawn before they are needed


@dataclass(frozen=True)
class Asked:
    """An item that is asked for: with which chance it was drawn, NaN if picked; in which draw."""

    item: int
    inclusion: float
    round: int


@dataclass(frozen=True)
class GivenAnswer:
    """Answer given about an item: relevant, not relevant, or not known (None)."""

    asked: Asked
    relevant: bool | None


class PartialTruth:
    """Answers to the open votes.

    Attributes
    ----------
    said : dict of int to GivenAnswer
        By item, in the order of the answers.
    offered : tuple of Asked
        The next ones, the first is shown.
    estimates : Estimates or None
        From the votes and the answers; None with so few answers that figures would say little, and
        until they are computed first.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.systems = workbench.state(Systems)
        self.keeping = AnswerKeeping(workbench)
        self.said: dict[int, GivenAnswer] = {}
        self.offered: tuple[Asked, ...] = ()
        self.estimates: Estimates | None = None
        self.answers_changed = Signal[[]]()
        self.offered_changed = Signal[[]]()
        self.estimates_changed = Signal[[]]()
        self._undo: list[tuple[Asked, GivenAnswer | None]] = []
        self._rounds = 0
        self._anybody = False
        self._guess: np.ndarray | None = None
        self._drawing = Task(urgent=True)
        self._estimating = Task()
        self.systems.table_changed.connect(self._start)
        self.keeping.changed.connect(self._follow_others)

    @property
    def current(self) -> Asked | None:
        """The item that is asked for; None where there is none, or none yet."""
        return self.offered[0] if self.offered else None

    @property
    def answered(self) -> int:
        """Of how many items it is said whether they are relevant."""
        return sum(each.relevant is not None for each in self.said.values())

    @property
    def missing(self) -> int:
        """Tell how many answers are missing until figures follow."""
        table = self.systems.table
        return 0 if table is None else max(min(FEW, len(table)) - self.answered, 0)

    @property
    def finished(self) -> bool:
        """Tell whether something is said of every item."""
        table = self.systems.table
        return table is not None and len(self.said) == len(table) and not self.offered

    @property
    def can_undo(self) -> bool:
        """Tell whether anything was said since the votes were opened."""
        return bool(self._undo)

    @property
    def drawing(self) -> bool:
        """Tell whether the next items are being drawn."""
        return self._drawing.busy

    @property
    def estimating(self) -> bool:
        """Tell whether there will be other figures soon."""
        return self._estimating.busy

    @property
    def tau(self) -> float | None:
        """Kendall's τ of the estimated F to that with truth; None where it is not known."""
        truth, found = self.systems.truth, self.estimates
        if truth is None or found is None:
            return None
        both = ~(np.isnan(truth.f) | np.isnan(found.f))
        return kendall(found.f[both], truth.f[both])

    @property
    def answers(self) -> KnownAnswers:
        """All that is known."""
        known = [each for each in self.said.values() if each.relevant is not None]
        return KnownAnswers(
            np.array([each.asked.item for each in known], np.int64),
            np.array([float(bool(each.relevant)) for each in known]),
            np.array([each.asked.inclusion for each in known], np.float64),
            np.array([each.asked.round for each in known], np.int64),
        )

    def set_wanted(self, wanted: bool) -> None:
        """Say whether anybody wants to be asked; else nothing is drawn."""
        self._anybody = wanted
        self._draw()

    def mark(self, relevant: bool | None) -> None:
        """Say whether the item that is asked for is relevant; None if that is not known."""
        asked = self.current
        if asked is None:
            return
        self._undo.append((asked, self.said.get(asked.item)))
        self.offered = self.offered[1:]
        self._say(GivenAnswer(asked, relevant))
        self._advance()

    def pick(self, item: int) -> None:
        """Ask for this item next; one that was not drawn counts for itself only."""
        before = self.said.get(item)
        waiting = next((each for each in self.offered if each.item == item), None)
        last = max(self._rounds - 1, 0)
        asked = before.asked if before else waiting or Asked(item, math.nan, last)
        self.offered = (asked, *(each for each in self.offered if each.item != item))
        self.offered_changed.emit()

    def postpone(self) -> None:
        """Ask for the next item first."""
        if len(self.offered) > 1:
            first, *rest = self.offered
            if not math.isnan(first.inclusion) and first.item not in self.said:
                rest.append(first)
            self.offered = tuple(rest)
            self._advance()

    def undo(self) -> None:
        """Take the last answer back and ask for its item again."""
        if not self._undo:
            return
        asked, before = self._undo.pop()
        self.offered = (asked, *(each for each in self.offered if each.item != asked.item))
        if before is None:
            del self.said[asked.item]
            self._keep(asked, None)
            self.answers_changed.emit()
            self._estimate()
        else:
            self._say(before)
        self._advance()

    def import_answers(self, path: Path) -> None:
        """Take the answers of a file; what is said already stays."""
        table = self.systems.table
        if table is None:
            return
        try:
            read = read_answers(path, table.items)
        except SpotlabError as error:
            self.workbench.said.emit(str(error), True)
            return
        taken = self._take(read)
        for said in taken:
            self._keep(said.asked, said)
        bad = f"; {counted(len(read.bad_lines), 'line')} were passed over: {read.bad_lines[0]}"
        self.workbench.said.emit(
            f"{counted(len(taken), 'answer')} of {path.name}{bad if read.bad_lines else ''}",
            bool(read.bad_lines),
        )
        self.offered = tuple(each for each in self.offered if each.item not in self.said)
        self.answers_changed.emit()
        self.offered_changed.emit()
        self._estimate()
        self._draw()

    def _start(self) -> None:
        """Other votes: what was said of them before is there again."""
        self._drawing.cancel()
        self._estimating.cancel()
        self.said, self.offered, self._undo = {}, (), []
        self.estimates = self._guess = None
        self._rounds = 0
        table = self.systems.table
        if table is None:
            self.keeping.close()
        else:
            self.keeping.use(self.systems.paths, table.items)
            self._take(self.keeping.answers)
        self.answers_changed.emit()
        self.offered_changed.emit()
        self.estimates_changed.emit()
        if table is not None:
            self._draw()
            self._estimate()

    def _take(self, read: ReadAnswers) -> list[GivenAnswer]:
        """Answers that were read; after own draws they are items that a person picked."""
        table = self.systems.table
        assert table is not None  # they are answers to it
        place = {name: at for at, name in enumerate(table.items)}
        own = bool(self.said)
        taken = []
        columns = (read.items, read.relevant == 1, read.inclusion.tolist(), read.round.tolist())
        rows: list[tuple[str, bool | None, float, int]] = [
            (name, bool(relevant), inclusion, number)
            for name, relevant, inclusion, number in zip(*columns, strict=True)
        ]
        rows += [(name, None, *how) for name, how in read.unknown.items()]
        for name, relevant, inclusion, number in rows:
            at = place[name]
            if at not in self.said:
                asked = Asked(at, math.nan, self._rounds) if own else Asked(at, inclusion, number)
                taken.append(GivenAnswer(asked, relevant))
        self.said.update({each.asked.item: each for each in taken})
        last = max((each.asked.round for each in self.said.values()), default=-1)
        self._rounds = max(self._rounds, last + 1)
        return taken

    def _say(self, said: GivenAnswer) -> None:
        self.said.pop(said.asked.item, None)
        self.said[said.asked.item] = said
        self._keep(said.asked, said)
        self.answers_changed.emit()
        self._estimate()

    def _keep(self, asked: Asked, said: GivenAnswer | None) -> None:
        table = self.systems.table
        assert table is not None  # an item of it
        answer = None
        if said is not None:
            inclusion = None if math.isnan(asked.inclusion) else asked.inclusion
            answer = ItemAnswer(said.relevant, inclusion, asked.round)
        self.keeping.keep(table.items[asked.item], answer)

    def _follow_others(self) -> None:
        """Another window has answered: its answers count here, too."""
        table = self.systems.table
        if table is None:
            return
        before, self.said = self.said, {}
        self._take(self.keeping.answers)
        place = {name: at for at, name in enumerate(table.items)}
        unkept = [place[name] for name in table.items if len(name.splitlines()) > 1]
        self.said |= {at: before[at] for at in unkept if at in before}
        if self.said != before:
            self.offered = tuple(each for each in self.offered if each.item not in self.said)
            self.answers_changed.emit()
            self.offered_changed.emit()
            self._estimate()
            self._draw()

    def _advance(self) -> None:
        self.offered_changed.emit()
        self._draw()

    def _draw(self) -> None:
        """Draw another item where few are waiting."""
        table = self.systems.table
        if table is None or not self._anybody or self._drawing.busy:
            return
        if len(self.offered) >= AHEAD:
            return
        asked = [*self.said, *(each.item for each in self.offered if each.item not in self.said)]
        if len(asked) >= len(table):
            return
        work = table.votes, self._guess, asked, self._rounds
        self._drawing.start(_next_item, *work, done=self._drawn)

    def _drawn(self, found: tuple[Draw, np.ndarray]) -> None:
        draw, guess = found
        if self._guess is None:
            self._guess = guess
        item, inclusion = int(draw.items[0]), float(draw.inclusion[0])
        if item not in self.said and item not in {each.item for each in self.offered}:
            self.offered = (*self.offered, Asked(item, inclusion, self._rounds))
        self._rounds += 1
        self.offered_changed.emit()
        self._draw()

    def _estimate(self) -> None:
        """Weigh the answers; the last result stays until the next is there."""
        self._estimating.cancel()
        table, answers = self.systems.table, self.answers
        if table is None or len(answers) < min(FEW, len(table)):
            self.estimates = None
            self._tell_systems()
            self.estimates_changed.emit()
            return
        votes: Votes = table.votes

        def work(progress: Progress) -> Estimates:
            return estimate_with_answers(votes, answers, progress=progress)

        self._estimating.start(work, done=self._estimated)
        self.estimates_changed.emit()

    def _estimated(self, found: Estimates) -> None:
        self.estimates = found
        self._guess = found.probability  # with fewer answers it would lead the draw astray
        self._tell_systems()
        self.estimates_changed.emit()

    def _tell_systems(self) -> None:
        """Let the ranking have what follows from the answers."""
        found = self.estimates
        self.systems.set_answered(None if found is None else answered_result(found, self.answered))


def _next_item(
    votes: Votes, guess: np.ndarray | None, asked: list[int], number: int, _: Progress
) -> tuple[Draw, np.ndarray]:
    """Draw an item that was not asked, and return it with the probabilities that led to it."""
    if guess is None:
        guess = item_probability(votes, uniform_weights(len(votes.systems)))
    return next_items(votes, guess, asked, 1, number), guess
