"""A tree of categories in CSV: ``category,parent``, with a line of names first.

The root has no parent: the value is empty, or there is no line for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.judgement_trees.named_rows import NamedRows
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.progress import Progress, silent
from spotlab.uncertain_truth.judgements import CategoryTree, find_flaws

NEEDED = ("category", "parent")


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
    taker = NamedRows(Path(path), NEEDED, ("parent",))
    taker.read(progress)
    pairs = [(row[0], row[1]) for row in taker.rows]
    for flaw in find_flaws(pairs):
        taker.bad(taker.lines[flaw.pair], flaw.problem)
    if not pairs and not taker.bad_lines:
        raise BadInput(path, "there is no category in it", expected="at least one row")
    bad = tuple(sorted(taker.bad_lines))
    return ReadTree(None if bad else CategoryTree.of(pairs), bad, tuple(taker.remarks))
