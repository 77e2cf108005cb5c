"""Subjects' judgements in CSV: ``subject,item,category``, with a line of names first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.judgement_trees.named_rows import NamedRows
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.uncertain_truth.judgements import CategoryTree, Judgements

NEEDED = ("subject", "item", "category")


@dataclass(frozen=True, eq=False)
class ReadCategories:
    """Judgements as they were read.

    Attributes
    ----------
    judgements : Judgements
        All good lines.
    bad_lines : tuple of BadLine
        With a category that the tree does not have, and where a subject judges an item again: the
        first judgement holds.
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
    taker = NamedRows(Path(path), NEEDED)
    taker.read(progress)
    if not taker.rows and not taker.bad_lines:
        raise BadInput(path, "there is no judgement in it", expected="at least one row")
    first: dict[tuple[str, str], int] = {}
    good = []
    for at, (subject, item, category) in enumerate(taker.rows):
        before = first.get((subject, item))
        if category not in tree.number:
            taker.bad(taker.lines[at], f"the category {category!r} is not in the tree")
        elif before is not None:
            said = taker.rows[before][2]
            same = "the same" if said == category else repr(said)
            problem = f"{subject} has judged {item} already: {same}, in line {taker.lines[before]}"
            taker.bad(taker.lines[at], problem)
        else:
            first[subject, item] = at
            good.append((subject, item, category))
    return ReadCategories(
        Judgements.of(tree, good), tuple(sorted(taker.bad_lines)), tuple(taker.remarks)
    )
