"""Judgements of subjects over a tree of categories as files: the tree, and who said what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.rows.csv_rows import BadLine, read_rows, repeats_remark
from spotlab.formats.rows.taken_rows import TakenRows
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.uncertain_truth.judgements import CategoryTree, Judgements, find_flaws


class NamedRows(TakenRows):
    """The rows of a file with a line of names first.

    Attributes
    ----------
    rows : list of tuple of str
        The values of the needed columns in their order, without spaces around.
    lines : list of int
        The line of each.
    bad_lines, remarks : list
    """

    def __init__(self, path: Path, needed: Sequence[str], may_be_empty: Sequence[str] = ()) -> None:
        super().__init__(path)
        self.expected = "the columns " + ",".join(needed)
        self.rows: list[tuple[str, ...]] = []
        self.lines: list[int] = []
        self._needed, self._may_be_empty = needed, may_be_empty
        self._columns: dict[str, int] = {}
        self._width = 0

    def read(self, progress: Progress) -> None:
        """Read the file.

        Raises
        ------
        BadInput
            It cannot be read, is empty, or a column is missing or there twice.
        """
        read_rows(self.path, self, self.expected, progress)

    def begin(self, names: Sequence[str], place: str) -> None:
        """Take the first line's names."""
        self._columns = self.find_columns(names, place, self._needed, self._needed, self.expected)
        self._width = len(names)

    def add_row(self, row: Sequence[str], line: int) -> None:
        """Take a row; ValueError if it is not right."""
        self.rows.append(self._row(row))
        self.lines.append(line)

    def check(self, row: Sequence[str]) -> None:
        """Raise ValueError if a row over several lines is not right."""
        self._row(row)

    def _row(self, values: Sequence[str]) -> tuple[str, ...]:
        if len(values) != self._width:
            raise ValueError(f"{len(values)} fields, not {self._width} as in the first line")
        row = tuple(values[at].strip() for at in self._columns.values())
        for name, value in zip(self._needed, row, strict=True):
            if not value and name not in self._may_be_empty:
                raise ValueError(f"{name} is empty; expected a name")
        return row


TREE_COLUMNS = ("category", "parent")


@dataclass(frozen=True, eq=False)
class ReadTree:
    """A tree as it was read.

    Attributes
    ----------
    tree : CategoryTree or None
        None where a line is bad: without it, categories would hang elsewhere.
    bad_lines : tuple of BadLine
        All of a circle, of a second root, with an unknown parent, a category with two parents.
    remarks : tuple of str
    """

    tree: CategoryTree | None
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()


def read_tree(path: Path | str, progress: Progress = silent) -> ReadTree:
    """The tree in a file, or all lines that keep it from being one.

    Raises
    ------
    BadInput
        It cannot be read, or there is no category in it.
    """
    taker = NamedRows(Path(path), TREE_COLUMNS, ("parent",))
    taker.read(progress)
    pairs = [(row[0], row[1]) for row in taker.rows]
    for flaw in find_flaws(pairs):
        taker.bad(taker.lines[flaw.pair], flaw.problem)
    if not pairs and not taker.bad_lines:
        raise BadInput(path, "there is no category in it", expected="at least one row")
    bad = tuple(sorted(taker.bad_lines))
    return ReadTree(None if bad else CategoryTree.of(pairs), bad, tuple(taker.remarks))


JUDGEMENT_COLUMNS = ("subject", "item", "category")


@dataclass(frozen=True, eq=False)
class ReadCategories:
    """Judgements as they were read.

    Attributes
    ----------
    judgements : Judgements
        All good lines.
    bad_lines : tuple of BadLine
        With a category that the tree does not have, and where a subject judges an item again and
        otherwise: the first judgement holds. Exact repeats are no bad lines.
    remarks : tuple of str
    """

    judgements: Judgements
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()

    __repr__ = short_repr


def read_judgements(
    path: Path | str, tree: CategoryTree, progress: Progress = silent
) -> ReadCategories:
    """The judgements in a file.

    Raises
    ------
    BadInput
        It cannot be read, a column is missing, or there is no row.
    """
    taker = NamedRows(Path(path), JUDGEMENT_COLUMNS)
    taker.read(progress)
    if not taker.rows and not taker.bad_lines:
        raise BadInput(path, "there is no judgement in it", expected="at least one row")
    first: dict[tuple[str, str], int] = {}
    good, repeated = [], []
    for at, (subject, item, category) in enumerate(taker.rows):
        before = first.get((subject, item))
        if category not in tree.number:
            taker.bad(taker.lines[at], f"the category {category!r} is not in the tree")
        elif before is not None:
            said = taker.rows[before][2]
            if said == category:
                repeated.append(taker.lines[at])
                continue
            problem = (
                f"{subject} has judged {item} already: {said!r}, in line {taker.lines[before]}"
            )
            taker.bad(taker.lines[at], problem)
        else:
            first[subject, item] = at
            good.append((subject, item, category))
    if repeated:
        taker.remarks.append(repeats_remark(taker.path, len(repeated), repeated[0]))
    return ReadCategories(
        Judgements.of(tree, good), tuple(sorted(taker.bad_lines)), tuple(taker.remarks)
    )
