"""Keeps what a person says of items that systems vote on in a file beside the votes, at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.errors import SpotlabError
from spotlab.files import is_folder
from spotlab.formats.shared.shared_file import SharedFile
from spotlab.formats.votes.answers import ANSWERS, Answer, ReadAnswers, read_answers_of
from spotlab.gui.kit import background
from spotlab.gui.kit.kept_file import ON_DISK, KeptFile
from spotlab.signal import Signal

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
        self._file: KeptFile[Mapping[str, Answer]] | None = None
        self._known: Sequence[str] = ()
        self.path: Path | None = None
        self.changed = Signal[[]]()

    def use(self, paths: Sequence[Path], known: Sequence[str]) -> None:
        """Keep answers beside these votes."""
        self.close()
        self.path, self._known = answers_path(paths), known
        if self.path is None:
            return
        file: SharedFile[Mapping[str, Answer]] = SharedFile(self.path, ANSWERS, beside_data=True)
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
        """What is said of the items."""
        return read_answers_of({} if self._file is None else self._file.value, self._known)

    def keep(self, item: str, answer: Answer | None) -> None:
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
