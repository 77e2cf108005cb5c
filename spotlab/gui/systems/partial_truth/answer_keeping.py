"""Keeps what a person says of items that systems vote on in a file beside the votes, at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.errors import SpotlabError
from spotlab.files import is_folder, is_missing
from spotlab.formats.votes.answer_file import AnswerFile
from spotlab.formats.votes.answers import ReadAnswers, read_answers
from spotlab.trust import own_file

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

    Where it cannot be written that is said, and the answer counts until the end.
    """

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._file: AnswerFile | None = None
        self.path: Path | None = None

    def use(self, paths: Sequence[Path], known: Sequence[str]) -> ReadAnswers | None:
        """Keep answers beside these votes; what was said of their items, if anything was."""
        self.close()
        self.path = answers_path(paths)
        if self.path is None:
            return None
        try:
            return None if is_missing(self.path) else read_answers(self.path, known)
        except SpotlabError as error:
            self._workbench.said.emit(str(error), True)
            self.path = None  # nothing is written to a file that holds something else
            return None

    def keep(
        self,
        item: str,
        relevant: bool | None,
        inclusion: float = math.nan,
        number: int = 0,
        *,
        unknown: bool = False,
    ) -> None:
        """Write down what is said of an item; None that nothing is, or that nobody can tell."""
        if self.path is None:
            return
        try:
            if self._file is None:
                self._file = AnswerFile(own_file(self.path))
            self._file.answer(item, relevant, inclusion, number, unknown=unknown)
        except (SpotlabError, ValueError) as error:
            self._workbench.said.emit(str(error), True)

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
