"""The file of queries: drawn and typed ones come back, and what is no query is a bad line."""

from __future__ import annotations

from pathlib import Path

from spotlab.formats.lists.kept_lines import (
    ListedQuery,
    read_queries,
    typed_place,
)
from tests.formats.kept_lines import KeptQueries

DRAWN = ListedQuery("orders", ("270", 10.0, 20.0, 110.0, 60.0))


def typed(text: str) -> ListedQuery:
    return ListedQuery(text, typed_place(text))


def test_typed_and_drawn_queries_of_one_word_stand_beside_each_other(tmp_path: Path) -> None:
    path = tmp_path / "queries.csv"
    with KeptQueries(path) as file:
        for query in (DRAWN, typed("orders"), typed("capt*"), typed('a "b", c'), typed("orders")):
            file.put(query)
        file.remove(typed("capt*"))
    assert read_queries(path).queries == (DRAWN, typed("orders"), typed('a "b", c'))
    assert [query.typed for query in read_queries(path).queries] == [False, True, True]


def test_a_line_with_neither_text_nor_box_is_no_query(tmp_path: Path) -> None:
    path = tmp_path / "queries.csv"
    lines = [
        "text,page,left,top,right,bottom,state",
        ",,,,,,listed",
        "a,270,,,,,listed",
        "b,,,,,,x",
    ]
    path.write_text("\n".join([*lines, "the,,,,,,listed"]) + "\n")
    read = read_queries(path)
    assert read.queries == (typed("the"),)
    assert [line.line for line in read.bad_lines] == [2, 3, 4]
