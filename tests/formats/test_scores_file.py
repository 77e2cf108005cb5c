"""Score matrices: found again by name or by place, and never by running what a file says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spotlab.errors import BadInput
from spotlab.formats.lists.score_file import read_scores
from spotlab.model.ranked_list import Items

ITEMS = Items(("270", "a,b"), [0, 1, 0], [[0, 0, 9, 9.5], [1.1, 2, 3.3, 4], [20, 0, 29, 9]])
MATRIX = np.array([[1, 0.5, 0.1], [0.5, 1, 1 / 3], [0.1, 1 / 3, 1]])


def save(path: Path, **arrays: Any) -> Path:
    np.savez(path, **arrays)
    return path


def test_scores_read_back_as_they_were_for_the_items_wanted(tmp_path: Path) -> None:
    names = [ITEMS.name(item) for item in range(len(ITEMS))]
    file = save(tmp_path / "scores.npz", scores=MATRIX, items=names)
    read = read_scores(file)
    assert (read.scores == MATRIX).all()
    assert read.remarks == ()
    assert (read.among(ITEMS).matrix == MATRIX).all()
    assert (read.among(ITEMS.take([2, 1])).matrix == MATRIX[np.ix_([2, 1], [2, 1])]).all()


def test_places_may_be_written_in_any_way_and_items_be_named(tmp_path: Path) -> None:
    names = ["270,0.0,0,9,9.50", "doc 1", "270,2e1,0,9,9"]
    file = save(tmp_path / "scores.npz", scores=MATRIX.astype(np.float32), items=names)
    read = read_scores(file)
    assert read.among(ITEMS.take([2, 0])).matrix[0, 1] == pytest.approx(0.1)
    assert read.among(Items.named(["doc 1"])).matrix.tolist() == [[1.0]]


def test_items_without_scores_are_told(tmp_path: Path) -> None:
    file = save(tmp_path / "scores.npz", scores=np.eye(1), items=["a"])
    with pytest.raises(BadInput, match="no scores of 2 of 3 items, the first is 'b'"):
        read_scores(file).among(Items.named(["a", "b", "c"]))


def test_two_scores_of_a_pair_are_averaged_and_it_is_said(tmp_path: Path) -> None:
    file = save(tmp_path / "scores.npz", scores=[[1, 0.5], [0.25, 1]], items=["a", "b"])
    read = read_scores(file)
    assert read.scores[0, 1] == read.scores[1, 0] == 0.375
    assert "differ by up to 0.25" in read.remarks[0]


@pytest.mark.parametrize(
    ("arrays", "problem"),
    [
        ({"scores": np.eye(2)}, "there is no array items"),
        ({"scores": np.eye(2), "items": ["a"]}, "scores is 2 × 2 .*1 × 1 numbers"),
        ({"scores": np.eye(2)[0], "items": ["a", "b"]}, "scores is 2 of type"),
        ({"scores": np.eye(2), "items": ["a", "a"]}, "the item 'a' occurs twice"),
        ({"scores": [[1, np.nan], [0, 1]], "items": ["a", "b"]}, "row 1, column 2 .*nan"),
        ({"scores": np.eye(2), "items": [[1, 2]]}, "items is 1 × 2 of type int"),
        ({"scores": [["a"]], "items": ["a"]}, "scores is 1 × 1 of type"),
        (
            {"scores": np.array([[print]]), "items": ["a"]},
            "Python objects, which spotlab does not read",
        ),
        (
            {"scores": np.eye(1), "items": np.array([None])},
            "Python objects, which spotlab does not read",
        ),
    ],
)
def test_what_is_no_score_matrix_is_refused(
    tmp_path: Path, arrays: dict[str, Any], problem: str
) -> None:
    file = save(tmp_path / "scores.npz", **arrays)
    with pytest.raises(BadInput, match=problem):
        read_scores(file)


def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "scores.npz"
    np.savez_compressed(file, scores=np.random.default_rng(0).random((30, 30)), items=np.arange(30))
    whole = file.read_bytes()
    np.save(tmp_path / "scores.npy", np.eye(2))
    locked = bytearray(whole)
    locked[whole.index(b"PK\x01\x02") + 8] |= 1  # as if it had a password
    others = [b"", bytes(locked), b"query,page", (tmp_path / "scores.npy").read_bytes()]
    spoilt = [whole[:at] + bytes(9) + whole[at + 9 :] for at in range(0, len(whole) - 9, 97)]
    for content in [*others, *(whole[:at] for at in range(1, len(whole), 211)), *spoilt]:
        file.write_bytes(content)
        try:
            read_scores(file)
        except BadInput as error:
            assert "\n" not in str(error)
    with pytest.raises(BadInput, match="it does not exist"):
        read_scores(tmp_path / "no.npz")
