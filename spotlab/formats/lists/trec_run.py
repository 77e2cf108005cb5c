"""Runs of TREC, ``query Q0 item rank score tag``: a list a query and tag, ordered by score.

As in TREC's own program the score counts; the rank only tells how equal scores are ordered. That
program passes over the rank, keeps scores in single precision and orders equal ones by name, so
what is written has scores that fall strictly even there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from spotlab.arrays import Floats
from spotlab.formats.lists.format import ListFormat, ListTable, QueryLists
from spotlab.formats.lists.word_lines import LineLayout, read_words
from spotlab.formats.rows.csv_rows import no_names
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.numbers import format_number
from spotlab.progress import Progress
from spotlab.representation import utf8

_Q0 = re.compile(rb"[;,|\s]\"?Q0\"?[;,|\s]", re.IGNORECASE)
LAYOUT = LineLayout(("query", "Q0", "item", "rank", "score", "tag"), ("rank", "score"), ("rank",))


def read(path: Path, progress: Progress) -> ListTable:
    """The rows of a run of TREC.

    Raises
    ------
    BadInput
        It cannot be read, or no line of it is right.
    """
    words = read_words(path, LAYOUT, progress)
    count = len(words.line)
    return ListTable(
        path=path,
        query=words.names["query"],
        lists=words.names["tag"],
        item=words.names["item"],
        page=no_names(count),
        text=no_names(count),
        boxes=np.full((count, 4), np.nan),
        score=words.numbers["score"],
        rank=words.numbers["rank"],
        relevant=np.full(count, -1, np.int8),
        line=words.line,
        bad_lines=words.bad_lines,
        remarks=words.remarks,
    )


def write_trec(queries: Iterable[QueryLists], path: Path) -> None:
    """Write lists so that every program ranks them as they are; their truth is written as qrels.

    Scores that are equal, or so close that single precision does not tell them apart, are lowered
    by the smallest step that it does.

    Raises
    ------
    ValueError
        A name is empty or contains a space, which TREC's files cannot say.
    NotSaved
        The file could not be written.
    """
    lines = []
    for each in queries:
        for ranked in each.lists:
            rows = zip(ranked.item.tolist(), falling_scores(ranked.score), strict=True)
            for rank, (item, score) in enumerate(rows):
                name = each.items.name(item)
                words = (each.query, "Q0", name, str(rank), score, ranked.name)
                lines.append(" ".join(words) + "\n")
                if len(words) != len(lines[-1].split()):
                    raise ValueError(f"a name in {lines[-1]!r} is empty or contains a space")
    write_atomically(path, utf8("".join(lines)))


def falling_scores(scores: Floats) -> list[str]:
    """Scores as texts that fall strictly, read in single precision too; changed where they must be.

    Where single precision has no room for them they are the whole numbers down to 1.

    Parameters
    ----------
    scores : (N,) float
        In the order of the list.

    Examples
    --------
    >>> falling_scores(np.array([0.9, 0.9, 0.5]))
    ['0.9', '0.899999917', '0.5']
    >>> falling_scores(np.array([1.0, -1e308]))
    ['2', '1']
    """
    found: list[str] = []
    last = np.float32(np.inf)
    with np.errstate(over="ignore"):
        singles = scores.astype(np.float32)
    for score, single in zip(scores.tolist(), singles, strict=True):
        text = format_number(score)
        if not single < last:
            single = np.nextafter(last, np.float32(-np.inf))  # noqa: PLW2901 - the next one below
            text = f"{single:.9g}"
        if not np.isfinite(single):
            return [str(number) for number in range(len(scores), 0, -1)]
        found.append(text)
        last = single
    return found


def _sniff(path: Path, head: bytes) -> bool:
    lines = head.splitlines()
    widths = {len(line.split()) for line in lines}
    if path.suffix.lower() != ".csv" and len(LAYOUT.names) in widths:
        return True
    fields = {len(line.split(mark)) for line in lines[:9] for mark in (b";", b",", b"|")}
    return len(LAYOUT.names) in fields and any(re.search(_Q0, line) for line in lines[:9])


FORMAT = ListFormat("trec", "run of TREC", _sniff, read)
