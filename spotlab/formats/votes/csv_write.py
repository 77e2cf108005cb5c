"""Writes a table of votes as CSV, from which the same table is read again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.rows.atomic import write_atomically
from spotlab.formats.rows.csv_rows import quote_field
from spotlab.formats.votes.csv_head import ITEM, PAGE
from spotlab.formats.votes.format import TRUTH, VoteTable
from spotlab.progress import Progress, silent
from spotlab.quoting import utf8

PLAIN = {0.0: "0", 1.0: "1"}


def write_votes(table: VoteTable, path: Path | str, progress: Progress = silent) -> None:
    """Write votes, truth, pages and factors.

    Raises
    ------
    ValueError
        A name cannot be told in such a file: it is empty, has spaces around it or several lines, an
        item begins with ``#``, or a system is called truth or page.
    NotSaved
        The file could not be written.
    """
    _check_names(table)
    head = [ITEM, *table.systems, *([TRUTH] if table.truth is not None else [])]
    head += [PAGE] if table.pages else []
    lines = [_line(head)]
    blank = [""] * (len(head) - 1 - len(table.systems))
    for factor, values in table.factors.items():
        lines.append(_line([f"#{factor}", *values, *blank]))
    for start, votes in table.votes.spans():
        progress(start, len(table), "writing votes")
        lines.extend(_rows(table, start, votes))
    write_atomically(Path(path), utf8("".join(lines)))


def _rows(table: VoteTable, start: int, votes: NDArray[np.float64]) -> Iterator[str]:
    for item, row in enumerate(votes.tolist(), start):
        values = [table.items[item], *map(format_vote, row)]
        if table.truth is not None:
            values.append(format_vote(float(table.truth[item])))
        if table.pages:
            values.append(table.pages[item])
        yield _line(values)


def format_vote(vote: float) -> str:
    """A vote as short as it can be read back to the same float32; empty where it is unknown.

    Examples
    --------
    >>> format_vote(1.0), format_vote(float(np.float32(0.1))), format_vote(math.nan)
    ('1', '0.1', '')
    """
    if math.isnan(vote):
        return ""
    return PLAIN.get(vote) or str(np.float32(vote))


def _line(values: list[str]) -> str:
    return ",".join(map(quote_field, values)) + "\n"


def _check_names(table: VoteTable) -> None:
    for name in (*table.systems, *table.items, *table.pages, *table.factors):
        if not name or name != name.strip() or len(name.splitlines()) > 1:
            raise ValueError(f"{name!r} cannot be written as a name")
    for name in table.items:
        if name.startswith("#"):
            raise ValueError(f"the item {name!r} would be read as a factor")
    for name in table.systems:
        if name.casefold() in (TRUTH, PAGE):
            raise ValueError(f"the system {name!r} would be read as another column")
