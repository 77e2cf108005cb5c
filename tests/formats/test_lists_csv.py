"""Ranked lists in CSV: what is read, what is not and why, and that all is written as it was."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.errors import BadInput, NotSaved
from spotlab.formats.lists.csv_list import write_csv
from spotlab.formats.lists.format import QueryLists
from spotlab.formats.lists.reading import read_lists
from spotlab.model.ranked_list import Items, RankedList

HEAD = "query,page,x,y,width,height,score"


def write(folder: Path, *lines: str, name: str = "found.csv") -> Path:
    file = folder / name
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


def facts(query: QueryLists) -> dict[str, list[tuple[object, ...]]]:
    """All that a person sees of a query's lists, whatever the items' numbers are."""
    items = query.items

    def of(item: int) -> tuple[object, ...]:
        name = items.names[item] if items.names else ""
        box = tuple("" if math.isnan(x) else x for x in items.boxes[item].tolist())
        relevance = int(query.relevance[item])
        return items.page_name(item), box, items.text(item), name, relevance

    found: dict[str, list[tuple[object, ...]]] = {
        ranked.name: [
            (*of(item), score)
            for item, score in zip(ranked.item.tolist(), ranked.score.tolist(), strict=True)
        ]
        for ranked in query.lists
    }
    listed = {item for ranked in query.lists for item in ranked.item.tolist()}
    found[""] = sorted(of(item) for item in range(len(items)) if item not in listed)
    return found


def test_a_list_is_named_like_its_file(tmp_path: Path) -> None:
    file = write(tmp_path, HEAD, "the,270,10,20,30,40,.5", "the,271,1,2,3,4.5,.9", name="NN.csv")
    (query,) = read_lists(file).queries
    assert query.query == "the"
    assert [each.name for each in query.lists] == ["NN"]
    ranked = query.lists[0]
    assert ranked.score.tolist() == [0.9, 0.5]
    assert query.items.take(ranked.item).boxes.tolist() == [[1, 2, 4, 6.5], [10, 20, 40, 60]]
    assert [query.items.page_name(item) for item in ranked.item] == ["271", "270"]
    assert query.relevance.tolist() == [-1, -1]
    assert query.relevant is None


def test_a_column_tells_the_lists_of_a_query_apart(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "list,score,Height,width,y,x,page,query,relevant,text",
        "WS,.8,4,3,2,1,270,the,1,the",
        "QE,.7,4,3,2,1,270,the,,",
        "QE,.9,4,3,2,9,270,the,0,then",
        "CR,.6,4,3,2,9,270,and,yes,",
        "QE,.5,4,3,2,7,270,the,1,",
        ",,4,3,2,8,270,the,1,the",
    )
    the, other = read_lists(file).queries
    assert (the.query, other.query) == ("the", "and")
    assert [each.name for each in the.lists] == ["WS", "QE"]
    assert the.lists[1].item.tolist() == [1, 0, 2]
    assert the.relevance.tolist() == [1, 0, 1, 1]
    assert the.items.texts == ("the", "then", None, "the")
    assert the.relevant == 3
    assert other.relevance.tolist() == [1]


def test_equal_scores_stay_in_order_of_the_file(tmp_path: Path) -> None:
    rows = [f"q,p,{x},0,1,1,.5" for x in (5, 3, 9, 1)]
    (query,) = read_lists(write(tmp_path, HEAD, *rows)).queries
    assert query.items.boxes[query.lists[0].item][:, 0].tolist() == [5, 3, 9, 1]


def test_every_bad_line_is_named_with_what_was_expected(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        HEAD + ",relevant",
        "q,p,1,2,3,4,.5,1",
        "q,p,1,2,3,4,.5",
        ",p,1,2,3,4,.5,1",
        "q,,1,2,3,4,.5,1",
        "q,p,x,2,3,4,.5,1",
        "q,p,1,2,0,4,.5,1",
        "q,p,1,2,3,-4,.5,1",
        "q,p,1,2,3,4,inf,1",
        "q,p,2,2,3,4,.5,maybe",
        "q,p,2,2,3,4,,",
        "q,p,1,2,3,4.0,.4,1",
        "q,p,3,2,3,4,.4,1",
        "",
        "q,p,1,2,3,4,,0",
        "q,p,4,2,3,4,.3,0",
    )
    read = read_lists(file)
    assert [str(line).removeprefix(f"{file}, ") for line in read.bad_lines] == [
        "line 3: 7 fields, not 8 as in the first line",
        "line 4: query is empty; expected the text or name of the query",
        "line 5: page is empty; expected page, x, y, width, height",
        "line 6: x is 'x', not a finite number",
        "line 7: width is '0'; expected a number of px above 0",
        "line 8: height is '-4'; expected a number of px above 0",
        "line 9: score is 'inf', not a finite number",
        "line 10: relevant is 'maybe'; expected 1, 0 or nothing",
        "line 11: score and relevant are both empty; expected a score",
        "line 12: the item is in this list already, in line 2",
        "line 15: relevant is 0, but 1 in line 2",
    ]
    (query,) = read.queries
    assert query.lists[0].score.tolist() == [0.5, 0.4, 0.3]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "the file is empty"),
        ("page,x,y,width,height,score\n", "there is no column query"),
        ("query,page,x,y,width,score\n", "there is no column height"),
        ("query,page,x,y,width,height,score,Score\n", "the column score occurs twice"),
        ("query,score\n", "there is no column page, x, y, width, height"),
    ],
)
def test_a_file_without_its_columns_is_refused(tmp_path: Path, content: str, problem: str) -> None:
    file = tmp_path / "found.csv"
    file.write_text(content)
    with pytest.raises(BadInput, match=problem):
        read_lists(file)


def test_items_may_have_only_a_name(tmp_path: Path) -> None:
    (query,) = read_lists(write(tmp_path, "query,item,score,extra", "q,b,.1,?", "q,a,.2,?")).queries
    assert query.items.names == ("b", "a")
    assert query.items.page.tolist() == [-1, -1]
    assert query.lists[0].item.tolist() == [1, 0]


def test_columns_that_are_not_ours_are_told(tmp_path: Path) -> None:
    for quoted in ("Extra", '"Extra"'):  # read at once, and row by row
        read = read_lists(write(tmp_path, f"query,item,score,{quoted}", "q,b,.1,?"))
        assert read.remarks == ("ignored columns: 'Extra'",)


def test_quick_and_careful_reading_find_the_same(tmp_path: Path) -> None:
    rows = [
        f"q{at % 3},p{at % 5},{at % 97},{at % 89},3,4.25,{at % 101 / 7},{(at % 2, '')[at > 300]},t"
        for at in range(2000)
    ]
    quick = read_lists(write(tmp_path, HEAD + ",relevant,text", *rows, name="same.csv"))
    careful = read_lists(write(tmp_path, HEAD + ",relevant,text", *rows, "q0,p", name="same.csv"))
    assert careful.bad_lines[-1].line == 2002
    assert careful.bad_lines[:-1] == quick.bad_lines
    assert [facts(query) for query in quick.queries] == [facts(q) for q in careful.queries]


names = (
    st.text(min_size=1, max_size=6)
    .map(str.strip)
    .filter(lambda name: name and "\0" not in name and name.isprintable())
)
coordinates = st.integers(-100, 10**6).map(lambda sixtyfourths: sixtyfourths / 64)


@st.composite
def queries(draw: st.DrawFn) -> QueryLists:
    count = draw(st.integers(1, 6))
    pages = tuple(draw(st.lists(names, min_size=1, max_size=3, unique=True)))
    corners = st.tuples(coordinates, coordinates, coordinates, coordinates)
    boxes = draw(st.lists(
        corners.map(lambda c: (min(c[0], c[2]), min(c[1], c[3]), max(c[0], c[2]), max(c[1], c[3])))
        .filter(lambda c: c[2] - c[0] > 1e-9 and c[3] - c[1] > 1e-9),
        min_size=count, max_size=count, unique=True))  # fmt: skip
    texts = draw(st.lists(st.none() | names | st.sampled_from(['a "b"', "a,b", "a\nb", "a\rb"]),
                          min_size=count, max_size=count))  # fmt: skip
    page = draw(st.lists(st.integers(0, len(pages) - 1), min_size=count, max_size=count))
    relevance = draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=count, max_size=count))
    items = Items(pages, page, boxes, tuple(texts))
    scores = st.none() | st.sampled_from([0.0, 0.5]) | st.floats(-9, 9, allow_nan=False)
    lists = []
    for name in draw(st.lists(names, max_size=3, unique=True)):
        values = draw(st.lists(scores, min_size=count, max_size=count))
        ranked = RankedList.ordered(name, np.array([np.nan if s is None else s for s in values]))
        lists += [ranked] if len(ranked) else []
    known = np.array(relevance, np.int8)
    relevant = int((known == 1).sum()) if (known >= 0).any() else None
    query = QueryLists(draw(names), items, tuple(lists), known, relevant)
    seen = {item for ranked in lists for item in ranked.item.tolist()}
    kept = [item for item in range(count) if item in seen or known[item] >= 0]
    return query if len(kept) == count else QueryLists(
        query.query, items, (RankedList("all", np.arange(count), np.zeros(count)),), known, relevant
    )  # fmt: skip


@pytest.mark.slow
@given(st.lists(queries(), max_size=3, unique_by=lambda query: query.query))
def test_lists_read_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, made: list[QueryLists]
) -> None:
    file = tmp_path_factory.mktemp("lists") / "lists.csv"
    write_csv(made, file)
    read = read_lists(file)
    assert read.bad_lines == ()
    assert [each.query for each in read.queries] == [each.query for each in made]
    assert [facts(each) for each in read.queries] == [facts(each) for each in made]
    assert [each.relevant for each in read.queries] == [each.relevant for each in made]
    before = file.read_bytes()
    write_csv(read.queries, file)
    assert file.read_bytes() == before


def test_an_old_file_stays_where_a_new_one_cannot_be_written(tmp_path: Path) -> None:
    query = QueryLists("q", Items.named(["a"]), (RankedList("s", [0], [1.0]),), np.zeros(1), None)
    with pytest.raises(NotSaved):
        write_csv([query], tmp_path / "no folder" / "lists.csv")
    assert list(tmp_path.iterdir()) == []
