"""Runs of TREC, ``query Q0 item rank score tag``: a list a query and tag, ordered by score.

As in TREC's own program the score counts; the rank only tells how equal scores are ordered.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from spotlab.formats.atomic import write_atomically
from spotlab.formats.lists.base import ListFormat, QueryLists, Table
from spotlab.formats.lists.columns import no_names
from spotlab.formats.lists.word_lines import Layout, read_words
from spotlab.formats.runs.point_lists import format_number
from spotlab.progress import Progress

LAYOUT = Layout(("query", "Q0", "item", "rank", "score", "tag"), ("rank", "score"), ("rank",))


def read(path: Path, progress: Progress) -> Table:
    """The rows of a run of TREC.

    Raises
    ------
    BadInput
        It cannot be read, or no line of it is right.
    """
    words = read_words(path, LAYOUT, progress)
    count = len(words.line)
    return Table(
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
    )


def write_trec(queries: Iterable[QueryLists], path: Path) -> None:
    """Write lists so that they read back as the same ones; their truth is written as qrels.

    Raises
    ------
    ValueError
        A name is empty or has a space in it, which TREC's files cannot say.
    NotSaved
        The file could not be written.
    """
    lines = []
    for each in queries:
        for ranked in each.lists:
            rows = zip(ranked.item.tolist(), ranked.score.tolist(), strict=True)
            for rank, (item, score) in enumerate(rows):
                name = each.items.name(item)
                words = (each.query, "Q0", name, str(rank), format_number(score), ranked.name)
                lines.append(" ".join(words) + "\n")
                if len(words) != len(lines[-1].split()):
                    raise ValueError(f"a name in {lines[-1]!r} is empty or has a space in it")
    write_atomically(path, "".join(lines).encode())


def _sniff(path: Path, head: bytes) -> bool:
    widths = {len(line.split()) for line in head.splitlines()}
    return path.suffix.lower() != ".csv" and len(LAYOUT.names) in widths


FORMAT = ListFormat("trec", "run of TREC", _sniff, read)
