"""Writes ranked lists in CSV, so that they read back as the same ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from spotlab.formats.lists.csv_list import COLUMNS, PLACE
from spotlab.formats.lists.format import QueryLists
from spotlab.formats.rows.atomic import write_atomically
from spotlab.formats.rows.csv_rows import quote_field
from spotlab.formats.rows.numbers import format_number
from spotlab.quoting import utf8


def write_csv(queries: Iterable[QueryLists], path: Path) -> None:
    """Write lists, and the items in no list of which the relevance is known.

    Names and texts come back without spaces around. As the width of a box is written, not its end,
    a box that does not come from such a file may come back another by one rounding.

    Raises
    ------
    NotSaved
        The file could not be written; an old one is untouched.
    """
    queries = list(queries)
    columns = _columns(queries)
    lines = [",".join(columns)]
    for query in queries:
        lines += _rows(query, columns)
    write_atomically(path, utf8("\n".join([*lines, ""])))


def _columns(queries: list[QueryLists]) -> list[str]:
    """The columns that hold something."""
    left_out = set()
    if not any((query.items.page >= 0).any() for query in queries):
        left_out |= set(PLACE)
    if not any(query.items.names for query in queries) and queries:
        left_out.add("item")
    if not any(any(query.items.texts) for query in queries):
        left_out.add("text")
    if not any((query.relevance >= 0).any() for query in queries):
        left_out.add("relevant")
    if all(query.own is None for query in queries):
        left_out.add("own")
    further = dict.fromkeys(name for query in queries for name in query.further)
    return [*(name for name in COLUMNS if name not in left_out), *further]


def _rows(query: QueryLists, columns: Sequence[str]) -> list[str]:
    """The lines of all lists, then of the items in none of which the relevance is known."""
    known = query.relevance >= 0
    listed = np.zeros(len(query.items), np.bool_)
    lines = []
    facts = _facts(query)
    for ranked in query.lists:
        listed[ranked.item] = True
        scores = [format_number(score) for score in ranked.score.tolist()]
        lines += _lines(facts, columns, ranked.item.tolist(), scores, quote_field(ranked.name))
    others = np.flatnonzero(~listed & known).tolist()
    return lines + _lines(facts, columns, others, [""] * len(others), "")


def _lines(
    facts: Mapping[str, Sequence[str]],
    columns: Sequence[str],
    items: Sequence[int],
    scores: Sequence[str],
    name: str,
) -> list[str]:
    cells: list[Iterable[str]] = []
    nothing = [""] * len(facts["query"])  # a further column that another query has
    for column in columns:
        if column == "score":
            cells.append(scores)
        elif column == "list":
            cells.append([name] * len(items))
        else:
            cells.append(map(facts.get(column, nothing).__getitem__, items))
    return [",".join(row) for row in zip(*cells, strict=True)]


def _facts(query: QueryLists) -> dict[str, Sequence[str]]:
    """What stands in each column for each item."""
    items, nothing = query.items, [""] * len(query.items)
    pages = [*map(quote_field, items.pages), ""]  # -1, no place, is the last
    left, top, right, bottom = items.boxes.T
    sides = (left, top, right - left, bottom - top)
    return {
        "query": [quote_field(query.query)] * len(items),
        "page": [pages[page] for page in items.page.tolist()],
        **{
            name: [format_number(number) for number in side.tolist()]
            for name, side in zip(PLACE[1:], sides, strict=True)
        },
        "relevant": [str(value) if value >= 0 else "" for value in query.relevance.tolist()],
        "text": [quote_field(text or "") for text in items.texts] or nothing,
        "item": [quote_field(name) for name in items.names] or nothing,
        "own": ["1" if item == query.own else "" for item in range(len(items))],
        **{
            name: [*map(quote_field, texts), *nothing[len(texts) :]]
            for name, texts in query.further.items()
        },
    }
