"""Answers of many workers, a line each, and truth beside votes of any table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import BadInput
from spotlab.formats.votes import VoteTable, read_votes

NAN = np.nan


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def rows(table: VoteTable) -> dict[str, list[float]]:
    return dict(zip(table.items, table.votes.dense().tolist(), strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "item,system,vote\nx,a,1\ny,a,0\ny,b,.5\n",
        "question,worker,answer\nx,a,1\ny,a,0\ny,b,0.5\n",
        "label,task,annotator,time\n1,x,a,9\n0,y,a,9\n0.5,y,b,9\n",
        '"item","system","vote"\r\n"x","a","1"\r\n"y","a",0\r\ny,b,0.5\r\n',
        "item,system,vote\rx,a,1\ry,a,0\ry,b,.5",
        "item,system,vote\n\nx,a,1\ny,a,0\n y , b ,.5\n\n",
    ],
)
def test_answers_are_votes_and_all_others_unknown(tmp_path: Path, text: str) -> None:
    table = read_votes(written(tmp_path / "crowd.csv", text))
    assert table.systems == ("a", "b")
    np.testing.assert_equal(rows(table), {"x": [1, NAN], "y": [0, 0.5]})
    assert (table.bad_lines, table.name, table.truth) == ((), "crowd", None)


def test_answers_of_all_to_all_are_packed(tmp_path: Path) -> None:
    table = read_votes(written(tmp_path / "a.csv", "item,system,vote\nx,a,1\nx,b,0\n"))
    assert table.votes.complete
    assert rows(table) == {"x": [1, 0]}


def test_every_bad_line_is_named(tmp_path: Path) -> None:
    text = "item,system,vote\nx,a,1\nx,a,0\ny,b,2\ny,,1\ny,b\ny,b,maybe\ny,b,0\n,b,0\n"
    table = read_votes(written(tmp_path / "a.csv", text))
    np.testing.assert_equal(rows(table), {"x": [1, NAN], "y": [NAN, 0]})
    problems = {bad.line: bad.problem for bad in table.bad_lines}
    assert list(problems) == [3, 4, 5, 6, 7, 9]
    assert problems[3] == "a of the item 'x' is on line 2 already, and differs; expected it once"
    assert problems[4].startswith("the vote is '2'; expected a number from 0 to 1")
    assert problems[5].startswith("system is empty")
    assert problems[6] == "2 columns; expected 3"


def test_exact_repeats_and_lines_above_the_head_are_no_mistakes(tmp_path: Path) -> None:
    text = "#source,our crowd\n#2026\nitem,system,vote\nx,a,1\nx,b,0\nx,a,1.0\nx,b,0\n"
    path = written(tmp_path / "a.csv", text)
    table = read_votes(path)
    assert rows(table) == {"x": [1, 0]}
    assert table.bad_lines == ()
    assert table.remarks == (
        f"{path}: 2 lines repeat an earlier line exactly, the first is line 6; each counts once",
    )


def test_words_are_votes_where_one_says_which_are_a_yes(tmp_path: Path) -> None:
    votes = written(tmp_path / "a.csv", "item,system,vote\nx,a,cat\nx,b,dog\ny,a,cow\n")
    truth = written(tmp_path / "t.csv", "item,truth\nx,dog\nz,cat\ny,cow\n")
    table = read_votes([votes, truth], yes=["cat", "dog"])
    np.testing.assert_equal(rows(table), {"x": [1, 1], "y": [0, NAN]})
    np.testing.assert_array_equal(table.truth, [1, 0])
    with pytest.raises(
        BadInput, match="the answers are 'cat', 'cow', 'dog': labels, not yes or no"
    ):
        read_votes(votes)


@pytest.mark.parametrize("head", ["item,a,b", "item,system,vote"])
def test_truth_of_a_second_file_counts_where_it_says_something(tmp_path: Path, head: str) -> None:
    lines = "x,1,0\ny,0,1\n" if head == "item,a,b" else "x,a,1\nx,b,0\ny,a,0\ny,b,1\n"
    votes = written(tmp_path / "votes.csv", f"{head}\n{lines}")
    truth = written(tmp_path / "truth.csv", "question,truth\ny,1\nx,2\ny,0\nq,1\n")
    table = read_votes([truth, votes])
    assert rows(table) == {"x": [1, 0], "y": [0, 1]}
    np.testing.assert_array_equal(table.truth, [NAN, 1])
    assert [bad.line for bad in table.bad_lines] == [3, 4]
    assert str(table.bad_lines[0]).startswith(f"{truth}, line 3: the truth is '2'; expected 0 or 1")
    other = written(tmp_path / "other.csv", "item,truth\nq,1\n")
    with pytest.raises(BadInput, match="no truth for any of the voted items"):
        read_votes([votes, other])
    with pytest.raises(BadInput, match="no file of votes"):
        read_votes(truth)
    with pytest.raises(BadInput, match="a second"):
        read_votes([votes, votes], kind="csv" if head == "item,a,b" else "answers")
