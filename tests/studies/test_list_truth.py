"""Truth applied to other people's lists: all that is relevant counts, the query itself does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spotlab.formats.lists.csv_list import write_csv
from spotlab.formats.lists.format import QueryLists, ReadLists, join_lists
from spotlab.formats.lists.reading import read_lists
from spotlab.model import Items, RankedList
from spotlab.studies.words.ranked_lists import rerank
from spotlab.studies.words.word_truth import (
    find_own,
    judge_all_by_words,
    judge_by_words,
    searched_text,
    truth_of,
)

# four instances of "orders", one of "of"; page 272 has no truth
WORDS = Items(
    ("270", "271"),
    [0, 0, 1, 1, 1],
    [[0, 0, 100, 40], [110, 0, 200, 40], [0, 0, 100, 40], [0, 50, 100, 90], [0, 100, 100, 140]],
    ("Orders,", "of", "orders", "orders", "orders"),
)
ITEMS = Items(
    ("scans/270.png", "271.png", "272.png"),
    [0, 0, 1, 2],
    [[2, 0, 100, 40], [110, 0, 200, 40], [0, 0, 98, 40], [5, 5, 50, 20]],
)
LISTS = (
    RankedList("theirs", [0, 1, 2, 3], [0.9, 0.8, 0.7, 0.6]),
    RankedList("ours", [2, 0], [0.9, 0.8]),
)


def query(name: str = "orders", relevance: tuple[int, ...] = (-1, -1, -1, -1)) -> QueryLists:
    return QueryLists(name, ITEMS, LISTS, np.array(relevance, np.int8), None)


def test_all_instances_count_also_those_in_no_list() -> None:
    judged = judge_by_words(query(), WORDS)
    assert judged.relevance.tolist() == [1, 0, 1, -1, 1, 1] and judged.relevant == 4
    assert judged.items.pages == ("270", "271", "272.png")  # nothing is known of that
    assert [judged.items.text(item) for item in range(6)] == [
        "Orders,", "of", "orders", None, "orders", "orders",
    ]  # fmt: skip
    truth = truth_of(judged)
    # ranks 1 and 3 of 4; the two that are not found count as 0
    assert truth.average_precision(LISTS[0]) == pytest.approx((1 + 2 / 3) / 4)
    assert truth.purge(LISTS[0]).at(0.65).recall == 0.5


def test_the_query_itself_takes_no_rank_and_is_not_to_be_found() -> None:
    judged = judge_by_words(query("270:0,0,100,40"), WORDS)
    assert judged.own == 0 and judged.relevant == 4
    truth = truth_of(judged)
    assert truth.average_precision(LISTS[0]) == pytest.approx((1 / 2) / 3)
    assert truth.average_precision(LISTS[1]) == pytest.approx(1 / 3)
    point = truth.purge(LISTS[0]).at(0.65)
    assert (point.kept, point.true, point.false, point.recall) == (3, 1, 1, 1 / 3)
    [reranked] = rerank([judged], None, ["combsum"]).queries
    assert [each.average_precision for each in reranked.lists[:2]] == [
        truth.average_precision(each) for each in LISTS
    ]


def test_what_lists_say_stays_where_there_is_no_truth() -> None:
    judged = judge_by_words(query(relevance=(0, 1, 0, 1)), WORDS)
    assert judged.relevance.tolist() == [1, 0, 1, 1, 1, 1] and judged.relevant == 5
    unknown = query("letter", relevance=(0, 1, 0, 1))
    assert judge_by_words(unknown, WORDS).relevance.tolist() == [0, 1, 0, 1]


def test_a_query_is_known_by_its_text_its_number_its_place_or_its_own_item() -> None:
    assert searched_text(query("ORDERS 3"), WORDS) == "ORDERS"
    assert searched_text(query("271:0,52,100,38"), WORDS) == "orders"
    assert searched_text(replace(query("query 17"), own=2), judged_pages()) == "orders"
    assert searched_text(query("query 17"), WORDS) == ""
    read = judge_all_by_words(ReadLists((query("query 17"), query())), WORDS)
    assert read.remarks == ("1 query is written nowhere in the ground truth: 'query 17'",)


def judged_pages() -> Items:
    return replace(WORDS, pages=("270.png", "271.png"))


def test_lists_that_are_written_and_read_are_judged_the_same(tmp_path: Path) -> None:
    judged = find_own(judge_by_words(query("271:0,0,100,40"), WORDS))
    write_csv([judged], tmp_path / "lists.csv")
    [back] = read_lists(tmp_path / "lists.csv").queries
    assert back.own is not None and back.items.name(back.own) == judged.items.name(2)
    assert back.relevant == judged.relevant == 4
    for before, after in zip(judged.lists, back.lists, strict=True):
        assert truth_of(back).average_precision(after) == truth_of(judged).average_precision(before)


def test_a_bad_own_is_a_bad_line(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("query,item,score,own\nq,a,.9,1\nq,b,.8,perhaps\n")
    read = read_lists(tmp_path / "bad.csv")
    assert read.queries[0].own == 0
    assert "own is 'perhaps'" in read.bad_lines[0].problem


def test_lists_of_two_files_are_about_the_items_of_both() -> None:
    none = np.full(2, -1, np.int8)
    first = QueryLists("q", Items.named("ab"), (RankedList("WS", [0, 1], [0.9, 0.1]),), none, None)
    second = QueryLists("q", Items.named("cd"), (RankedList("QE", [1, 0], [0.8, 0.2]),), none, None)
    both = join_lists(first, second, "theirs")
    assert both.items.names == ("a", "b", "c", "d")
    assert [ranked.item.tolist() for ranked in both.lists] == [[0, 1], [3, 2]]
