"""Votes in CSV: ``item,<system>,…[,truth][,page]``, a line an item.

A vote is 0, 1, a probability between, or empty where it is unknown; a truth 0, 1 or empty. A line
whose item begins with ``#`` tells something of the systems: ``#engine,tess,tess,ocro``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.files import is_folder
from spotlab.formats.votes.csv_head import ITEM
from spotlab.formats.votes.csv_lines import read_lines
from spotlab.formats.votes.csv_long import tells_truth, with_truths
from spotlab.formats.votes.format import VoteFormat, VoteOptions, VoteTable
from spotlab.formats.votes.sniffing import first_line, first_names
from spotlab.progress import Progress

EXPECTED = "a first line item,<system>,… and lines of 0, 1, a number between, or nothing"


def read(paths: Sequence[Path], options: VoteOptions, progress: Progress) -> VoteTable:
    """The votes of one file, and the truth of those that tell only that.

    Raises
    ------
    BadInput
        It cannot be read, its first line is not right, or no line of it is.
    """
    tables = [path for path in paths if not tells_truth(path)]
    if len(tables) != 1:
        path = tables[1] if tables else paths[0]
        problem = "a second table of votes" if tables else "there are no votes, only truth"
        raise BadInput(path, problem, expected="one file item,<system>,…")
    path = tables[0]
    table = read_lines(path, EXPECTED, progress)
    return with_truths(table, [other for other in paths if other != path], options, progress)


def _sniff(paths: Sequence[Path]) -> bool:
    tables = [path for path in paths if not tells_truth(path)]
    if len(tables) != 1 or is_folder(tables[0]) or "," not in first_line(tables[0]):
        return False
    return first_names(tables[0])[0] == ITEM


FORMAT = VoteFormat("csv", "table of votes", _sniff, read)
