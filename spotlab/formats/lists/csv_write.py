"""Writes ranked lists in CSV, so that they read back as the same ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from spotlab.formats.atomic import write_atomically
from spotlab.formats.csv_rows import quote_field
from spotlab.formats.lists.base import QueryLists
from spotlab.formats.lists.csv_list import COLUMNS, PLACE
from spotlab.formats.runs.point_lists import format_number
from spotlab.model.items import Items


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
        for row in _rows(query):
            lines.append(",".join([quote_field(row.get(name, "")) for name in columns]))
    write_atomically(path, "\n".join([*lines, ""]).encode("utf-8", "replace"))


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
    return [name for name in COLUMNS if name not in left_out]


def _rows(query: QueryLists) -> Iterator[dict[str, str]]:
    facts = [_facts(query, item) for item in range(len(query.items))]
    listed = np.zeros(len(query.items), np.bool_)
    for ranked in query.lists:
        listed[ranked.item] = True
        for item, score in zip(ranked.item.tolist(), ranked.score.tolist(), strict=True):
            yield facts[item] | {"score": format_number(score), "list": ranked.name}
    for item in np.flatnonzero(~listed & (query.relevance >= 0)).tolist():
        yield facts[item]


def _facts(query: QueryLists, item: int) -> dict[str, str]:
    items = query.items
    relevance = int(query.relevance[item])
    return {
        "query": query.query,
        "relevant": str(relevance) if relevance >= 0 else "",
        "text": items.text(item) or "",
        "item": items.names[item] if items.names else "",
        **_place(items, item),
    }


def _place(items: Items, item: int) -> dict[str, str]:
    if items.page[item] < 0:
        return {}
    left, top, right, bottom = items.boxes[item].tolist()
    numbers = (left, top, right - left, bottom - top)
    values = [items.page_name(item), *map(format_number, numbers)]
    return dict(zip(PLACE, values, strict=True))
