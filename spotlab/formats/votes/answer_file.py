"""A file of answers that is open for more: what a person says is on the disk at once."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np

from spotlab.errors import BadInput, reason
from spotlab.files import read_file
from spotlab.formats.rows.append_only import AppendOnlyFile
from spotlab.formats.rows.file_content import BYTE_ORDER_MARK
from spotlab.formats.votes.answers import (
    COLUMNS,
    UNKNOWN,
    ReadAnswers,
    answer_line,
    read_answers,
)
from spotlab.quoting import utf8

EXPECTED = ",".join(COLUMNS)
HEADER = (EXPECTED + "\n").encode()


class AnswerFile(AppendOnlyFile):
    """Answers, kept line by line so that a crash loses none of them.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with AnswerFile(Path(folder) / "answers.csv") as file:
    ...         file.answer("p1/cat/1", True, 0.25)
    ...         file.answer("p1/hat/1", False)
    ...         file.answers.items, file.answers.relevant.tolist()
    (('p1/cat/1', 'p1/hat/1'), [1.0, 0.0])
    """

    what = "answer"

    def __init__(self, path: Path | str) -> None:
        """Open a file, make it if it is not there, and cut off the rest of a last line.

        Raises
        ------
        BadInput
            It is there and holds something else.
        NotSaved
            It cannot be written.
        """
        super().__init__(path, HEADER)
        self._make()
        self._open(*self._whole())
        read = read_answers(self.path)
        self.bad_lines = read.bad_lines
        columns = (read.relevant.tolist(), read.inclusion.tolist(), read.round.tolist())
        self._said = dict(zip(read.items, zip(*columns, strict=True), strict=True))

    def _whole(self) -> tuple[int, bool]:
        """How many bytes are whole lines, and whether the last of them has an end."""
        try:
            content = read_file(self.path)
        except OSError as error:
            raise BadInput(self.path, f"cannot be read: {reason(error)}") from error
        first, end, _ = content.removeprefix(BYTE_ORDER_MARK).partition(b"\n")
        if not end and HEADER.startswith(first):
            return 0, True
        if first.strip() != HEADER.strip():
            problem = "the file has no answers"
            raise BadInput(self.path, problem, place="line 1", expected=EXPECTED)
        whole = content.rfind(b"\n") + 1
        if whole == len(content) or not _is_whole(content[whole:]):
            return whole, True
        return len(content), False

    @property
    def answers(self) -> ReadAnswers:
        """All that is said of items, the last answer of each."""
        said = np.array(list(self._said.values()), np.float64).reshape(-1, 3)
        relevant, inclusion, number = said.T
        return ReadAnswers(
            tuple(self._said), relevant, inclusion, number.astype(np.int64), self.bad_lines
        )

    def answer(
        self,
        item: str,
        relevant: bool | None,
        inclusion: float = math.nan,
        round_number: int = 0,
        *,
        unknown: bool = False,
    ) -> None:
        """Say that an item is relevant, not, or (None) nothing any more.

        When this returns, the answer is on the disk.

        Parameters
        ----------
        item : str
        relevant : bool or None
        inclusion : float
            The probability with which it was drawn to be asked for; NaN where it was not drawn.
        round_number : int
            Round in which it was drawn, from 0.
        unknown : bool
            With None: that nobody can tell, which is said of the item, too.

        Raises
        ------
        NotSaved
            It could not be written; the file holds what it held before.
        ValueError
            The item's name is empty, or of several lines, which such a file cannot say.
        """
        if not item.strip() or len(item.splitlines()) > 1:
            raise ValueError(f"{item!r} cannot be written as a name")
        self._write(utf8(answer_line(item, relevant, inclusion, round_number, unknown)))
        self._said.pop(item.strip(), None)
        if relevant is not None:
            self._said[item.strip()] = (float(relevant), inclusion, float(round_number))


def _is_whole(line: bytes) -> bool:
    """Whether a line without an end has its answer."""
    try:
        row = next(csv.reader([line.decode()], strict=True), [])
    except (csv.Error, UnicodeDecodeError):
        return False
    return len(row) == len(COLUMNS) and row[-1].strip() in ("0", "1", UNKNOWN)
