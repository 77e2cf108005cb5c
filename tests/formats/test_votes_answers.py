"""Answers survive: torn lines and lines of others; the last one on an item counts."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import BadInput, NotSaved
from spotlab.formats.votes.answers import ReadAnswers, read_answers, read_answers_of
from tests.formats.kept_lines import KeptAnswers

HEAD = "item,inclusion,round,relevant\n"
LINES = HEAD + '"a, b",0.25,0,1\nc,0.0625,12,0\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.csv"


def of(file: KeptAnswers) -> ReadAnswers:
    return read_answers_of(file.said, tuple(file.said))


def said(read: ReadAnswers) -> dict[str, tuple[float, float]]:
    values = zip(read.relevant.tolist(), read.inclusion.tolist(), strict=True)
    return dict(zip(read.items, values, strict=True))


def test_an_answer_is_in_the_file_at_once_and_the_last_counts(path: Path) -> None:
    with KeptAnswers(path) as file:
        assert not path.exists()
        file.answer("a, b", True, 0.25)
        assert path.read_text() == HEAD + '"a, b",0.25,0,1\n'
        file.answer("a, b", False, 0.25)
        file.answer("c", True)
        file.answer("d", True)
        file.answer("d", None)
        expected = {"a, b": (0.0, 0.25), "c": (1.0, math.nan)}
        np.testing.assert_equal(said(of(file)), expected)
    np.testing.assert_equal(said(read_answers(path)), expected)
    with KeptAnswers(path) as file:
        np.testing.assert_equal(said(of(file)), expected)


@pytest.mark.parametrize("kept", range(len(LINES) + 1))
def test_a_file_cut_anywhere_is_mended_and_never_has_a_wrong_number(path: Path, kept: int) -> None:
    path.write_text(LINES[:kept])
    expected = {}
    if kept >= LINES.index(",1\n") + 2:
        expected["a, b"] = (1.0, 0.25)
    if kept >= len(LINES) - 1:
        expected["c"] = (0.0, 0.0625)
    with KeptAnswers(path) as file:
        assert said(of(file)) == expected
        file.answer("e", True, 1.0)
    assert said(read_answers(path)) == {**expected, "e": (1.0, 1.0)}
    assert read_answers(path).bad_lines == ()


def test_columns_in_any_order_and_every_bad_line(path: Path) -> None:
    path.write_text(
        "item,truth,inclusion\na,1,\nb,2,\nc,0,1.5\nd,1,0\n,1,1\nz,1,1\ne,,0.5\nf,0\ng,0,.5\n"
    )
    read = read_answers(path, ["a", "b", "c", "d", "e", "f", "g"])
    np.testing.assert_equal(said(read), {"a": (1.0, math.nan), "g": (0.0, 0.5)})
    assert [bad.line for bad in read.bad_lines] == [3, 4, 5, 6, 7, 9]


def test_what_is_written_reads_back(path: Path) -> None:
    answers = ReadAnswers(
        ("a", 'b "c"'), np.array([1.0, 0.0]), np.array([0.1, math.nan]), np.array([3, 0])
    )
    with KeptAnswers(path) as file:
        file.answer("a", True, 0.1, 3)
        file.answer('b "c"', False)
    np.testing.assert_equal(said(read_answers(path)), said(answers))
    assert read_answers(path).round.tolist() == [3, 0]
    with KeptAnswers(path) as file:
        np.testing.assert_equal(said(of(file)), said(answers))


@pytest.mark.parametrize("content", [b"item,a,b\nx,1,0\n", b"item,relevant\nx,1\n", b"a", b"\n"])
def test_another_file_is_refused_and_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(BadInput, match="line 1: the file has no answers"):
        KeptAnswers(path)
    assert path.read_bytes() == content
    with pytest.raises(NotSaved):
        KeptAnswers(path.parent / "no folder" / "answers.csv").answer("a", True)
