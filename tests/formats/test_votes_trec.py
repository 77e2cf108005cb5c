"""Runs of TREC as votes: who ranks a document among the first, and what judges said of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import BadInput
from spotlab.formats.votes import read_votes

NAN = np.nan


def write_run(path: Path, *rows: tuple[str, str, float], tag: str = "") -> Path:
    """Rows of topic, document, score."""
    lines = [
        f"{topic} Q0 {document} {rank} {score} {tag or path.stem}\n"
        for rank, (topic, document, score) in enumerate(rows)
    ]
    path.write_text("".join(lines))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    # by score a ranks d2 d1 d3, b ranks d1 d4 for topic 1; only a answers topic 2
    write_run(tmp_path / "a.run", ("1", "d1", 5), ("1", "d2", 9), ("1", "d3", 1), ("2", "d1", 3))
    write_run(tmp_path / "b.run", ("1", "d1", 0.5), ("1", "d4", 0.4))
    (tmp_path / "qrels.txt").write_text(
        "1 0 d1 1\n1 0 d2 0\n1 0 d4 2\n1 0 d9 1\n2 0 d1 -1\n3 0 d1 1\n"
    )
    return tmp_path


def by_item(folder: Path, **options: object) -> dict[str, tuple[list[float], float]]:
    table = read_votes(folder, **options)  # type: ignore[arg-type]
    assert table.systems == ("a", "b")
    assert table.truth is not None
    rows = zip(table.votes.dense().tolist(), table.truth.tolist(), strict=True)
    return dict(zip(table.items, rows, strict=True))


def test_a_system_votes_for_its_first_documents_by_score(folder: Path) -> None:
    found = by_item(folder, depth=2)
    np.testing.assert_equal(
        found,
        {"1/d1": ([1, 1], 1), "1/d2": ([1, 0], 0), "1/d4": ([0, 1], 1), "2/d1": ([1, 0], NAN)},
    )
    assert set(by_item(folder, depth=1)) == {"1/d2", "1/d1", "2/d1"}
    assert set(by_item(folder, depth=3)) == {*found, "1/d3"}


def test_relevant_documents_that_no_system_has_are_told_of_or_items(folder: Path) -> None:
    table = read_votes(folder, depth=2)
    assert any(remark.startswith("1 relevant documents") for remark in table.remarks)
    assert any("b has no list for 1 topic" in remark for remark in table.remarks)
    found = by_item(folder, depth=2, missed=True)
    assert found["1/d9"] == ([0, 0], 1)
    assert "3/d1" not in found  # nobody was asked for topic 3
    assert read_votes(folder, depth=2).pages == ("1", "1", "1", "2")


def test_a_document_twice_in_a_list_is_a_bad_line_and_takes_no_rank(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a.run", ("1", "d1", 9), ("1", "d1", 8), ("1", "d2", 7))
    table = read_votes(path, depth=2)
    assert table.items == ("1/d1", "1/d2")
    assert [bad.line for bad in table.bad_lines] == [2]
    assert table.truth is None


def test_two_files_with_one_tag_are_two_systems(tmp_path: Path) -> None:
    paths = [write_run(tmp_path / f"{name}.run", ("1", name, 1), tag="x") for name in "ab"]
    assert read_votes(paths).systems == ("a x", "b x")


def test_bad_lines_are_told_and_judgements_alone_are_no_votes(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("1 Q0 d1 0 5 a\n1 Q0 d2 x 4 a\n1 Q0\n")
    assert [bad.line for bad in read_votes(path).bad_lines] == [2, 3]
    qrels = tmp_path / "qrels"
    qrels.write_text("1 0 d1 1\n")
    with pytest.raises(BadInput, match="no file of votes"):
        read_votes(qrels)
    with pytest.raises(BadInput, match="has no run"):
        read_votes(qrels, kind="trec")
    with pytest.raises(ValueError, match="depth"):
        read_votes(path, depth=0)
