"""Tables of votes in CSV: what is read, what is refused, and that writing loses nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from spotlab.consensus.votes import Votes
from spotlab.errors import BadInput
from spotlab.formats.votes import VoteTable, read_votes, write_votes

NAN = np.nan


def written(folder: Path, text: str, name: str = "votes.csv") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_votes_truth_pages_and_factors_are_read(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "item,S1,S2,truth,page\n#engine,tess,ocro,,\na,1,0,1,p\nb,,1,0,p\nc,0,,,q\n",
    )
    table = read_votes(path)
    assert table.systems == ("S1", "S2")
    assert table.items == ("a", "b", "c")
    assert table.pages == ("p", "p", "q")
    assert table.factors == {"engine": ("tess", "ocro")}
    np.testing.assert_array_equal(table.votes.dense(), [[1, 0], [NAN, 1], [0, NAN]])
    np.testing.assert_array_equal(table.truth, [1, 0, NAN])
    assert not table.bad_lines


def test_confidences_are_kept_and_whole_numbers_packed(tmp_path: Path) -> None:
    soft = read_votes(written(tmp_path, "item,a,b\nx,.25,1\ny,,0\n"))
    np.testing.assert_array_equal(soft.votes.dense(), [[0.25, 1], [NAN, 0]])
    whole = read_votes(written(tmp_path, "item,a,b\nx,1.0,1\ny,,0\n"))
    assert type(whole.votes.storage).__name__ == "PackedVotes"
    assert whole.truth is None


def test_every_bad_line_is_named_with_what_was_expected(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "item,a,b,truth\n#engine,x\nfine,1,0,1\nlow,-1,0,1\nhigh,1,1.5,1\nword,1,perhaps,1\n"
        "short,1,0\nfine,0,0,0\n,1,1,1\nwrong,1,1,2\nnan,nan,1,0\nlast,0,1,\n#engine,x,y,\n",
    )
    table = read_votes(path)
    assert table.items == ("fine", "last")
    np.testing.assert_array_equal(table.votes.dense(), [[1, 0], [0, 1]])
    assert table.factors == {"engine": ("x", "y")}
    problems = {bad.line: bad.problem for bad in table.bad_lines}
    assert list(problems) == [2, 4, 5, 6, 7, 8, 9, 10, 11]
    assert "expected 4" in problems[2]
    assert problems[4].startswith("the vote of a is '-1'; expected 0, 1")
    assert problems[6].startswith("the vote of b is 'perhaps'")
    assert problems[8] == "the item 'fine' is on line 3 already; expected it once"
    assert problems[10] == "the truth is '2'; expected 0, 1 or nothing"
    assert str(table.bad_lines[0]).startswith(f"{path}, line 2: ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("item\na\n", "no file of votes|no system"),
        ("item,truth,page\na,1,p\n", "the file has no system"),
        ("item,a,a\nx,1,1\n", "the column 'a' occurs twice"),
        ("item,a,\nx,1,1\n", "column 3 has no name"),
        ("item,a,truth,truth\nx,1,1,1\n", "'truth' occurs twice"),
        ("item,a\n", "the file has no item"),
        ("item,a\nx,7\n", "the vote of a is '7'"),
        ("", "the file is empty"),
        ("name,a\nx,1\n", "no file of votes; its first line is .name,a."),
    ],
)
def test_what_is_no_table_of_votes_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        read_votes(written(tmp_path, text))


def test_a_quoted_table_reads_like_a_plain_one(tmp_path: Path) -> None:
    plain = read_votes(written(tmp_path, "item,a,b\n#f,1,2\nx,1,\ny,0,1\n"))
    quoted = read_votes(
        written(tmp_path, '"item","a","b"\r\n"x","1",""\r\n#f,1,2\r\n"y",0,1\r\n', "quoted.csv")
    )
    old = read_votes(written(tmp_path, "item,a,b\r#f,1,2\rx,1,\ry,0,1\r", "old.csv"))
    np.testing.assert_array_equal(plain.votes.dense(), old.votes.dense())
    assert (
        (plain.items, plain.factors) == (quoted.items, quoted.factors) == (old.items, old.factors)
    )
    np.testing.assert_array_equal(plain.votes.dense(), quoted.votes.dense())


names = st.text("ab,\" é'#", min_size=1, max_size=4).filter(
    lambda name: name == name.strip() and not name.startswith("#")
)
values = st.sampled_from([0.0, 1.0, NAN]) | st.floats(0, 1, width=32)


@st.composite
def tables(draw: st.DrawFn) -> VoteTable:
    systems = tuple(draw(st.lists(names, min_size=1, max_size=4, unique=True)))
    items = tuple(draw(st.lists(names, min_size=1, max_size=6, unique=True)))
    votes = draw(arrays.arrays(np.float32, (len(items), len(systems)), elements=values))
    truths = st.lists(st.sampled_from([0.0, 1.0, NAN]), min_size=len(items), max_size=len(items))
    truth = draw(st.none() | truths)
    engines = st.tuples(*[st.sampled_from(["", "x", "y"])] * len(systems))
    return VoteTable(
        Votes.of(votes, systems),
        items,
        draw(st.just(()) | st.tuples(*[names] * len(items))),
        None if truth is None else np.array(truth),
        draw(st.dictionaries(names, engines, max_size=2)),
    )


@settings(max_examples=60, deadline=None)
@given(table=tables())
def test_what_is_written_reads_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, table: VoteTable
) -> None:
    path = tmp_path_factory.mktemp("votes") / "votes.csv"
    write_votes(table, path)
    again = read_votes(path)
    assert not again.bad_lines
    assert (again.systems, again.items, again.pages) == (table.systems, table.items, table.pages)
    assert again.factors == table.factors
    np.testing.assert_array_equal(again.votes.dense(), table.votes.dense())
    assert (again.truth is None) == (table.truth is None)
    if table.truth is not None:
        np.testing.assert_array_equal(again.truth, table.truth)


@pytest.mark.parametrize(
    ("system", "item"), [("truth", "x"), ("a", "#x"), ("a", "x\ny"), ("", "x")]
)
def test_names_that_would_read_as_something_else_are_not_written(
    tmp_path: Path, system: str, item: str
) -> None:
    with pytest.raises(ValueError, match=r"would be read|cannot be written"):
        write_votes(VoteTable(Votes.of([[1.0]], [system]), (item,)), tmp_path / "votes.csv")
    assert not list(tmp_path.iterdir())


def test_lines_above_the_head_tell_of_the_systems_or_are_remarks(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("# by hand, in May\n#engine,x,y\n#no, fit\nitem,a,b\n#lang,de,en\none,1,0\n")
    table = read_votes(path)
    assert table.factors == {"engine": ("x", "y"), "lang": ("de", "en")}
    assert [line.partition(": ")[2] for line in table.remarks] == [
        "the line #no, fit above the names of the columns tells nothing of the systems; left out"
    ]
    assert (table.items, table.bad_lines) == (("one",), ())
