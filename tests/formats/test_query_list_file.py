"""The file of queries: what was written last counts, and a torn last line harms nothing else."""

from __future__ import annotations

from pathlib import Path

from spotlab.formats.lists.kept_lines import ListedQuery, read_queries
from tests.formats.kept_lines import KeptQueries

ONE, OTHER = ("270", 10.0, 20.0, 110.0, 60.0), ("271", 0.0, 5.5, 90.0, 40.0)
THIRD = ("270", 300.0, 20.0, 390.0, 60.0)


def test_examples_follow_their_query(tmp_path: Path) -> None:
    path = tmp_path / "queries.csv"
    with KeptQueries(path) as file:
        file.put(ListedQuery("orders", ONE, (OTHER, THIRD)))
        file.put(ListedQuery("", OTHER))
    assert path.read_text().splitlines() == [
        "text,page,left,top,right,bottom,state",
        "orders,270,10,20,110,60,listed",
        "orders,271,0,5.5,90,40,example",
        "orders,270,300,20,390,60,example",
        ",271,0,5.5,90,40,listed",
    ]
    listed = (ListedQuery("orders", ONE, (OTHER, THIRD)), ListedQuery("", OTHER))
    assert read_queries(path).queries == listed


def test_the_last_examples_count(tmp_path: Path) -> None:
    path = tmp_path / "queries.csv"
    with KeptQueries(path) as file:
        file.put(ListedQuery("orders", ONE, (OTHER,)))
        file.put(ListedQuery("Orders", ONE, (THIRD,)))
    assert read_queries(path).queries == (ListedQuery("Orders", ONE, (THIRD,)),)
    with KeptQueries(path) as file:
        file.put(ListedQuery("Orders", ONE))
    assert read_queries(path).queries == (ListedQuery("Orders", ONE),)
    with KeptQueries(path) as file:
        file.put(ListedQuery("Orders", ONE, (THIRD,)))
        file.remove(ListedQuery("Orders", ONE, (THIRD,)))
    assert read_queries(path).queries == ()


def test_a_torn_example_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "queries.csv"
    with KeptQueries(path) as file:
        file.put(ListedQuery("orders", ONE, (OTHER, THIRD)))
    path.write_bytes(path.read_bytes()[:-12])
    assert read_queries(path).queries == (ListedQuery("orders", ONE, (OTHER,)),)


def test_an_example_of_no_query_is_a_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "queries.csv"
    path.write_text(
        "text,page,left,top,right,bottom,state\n"
        "a,270,0,0,9,9,listed\na,270,0,0,9,9,removed\na,271,0,0,9,9,example\n"
    )
    read = read_queries(path)
    assert read.queries == ()
    assert [(bad.line, "no query" in bad.problem) for bad in read.bad_lines] == [(4, True)]
