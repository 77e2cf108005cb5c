"""Votes as crowd platforms export them, and words that mean yes and no."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import BadInput
from spotlab.formats.votes.reading import read_votes

ANSWERS = (("i1", "A", "Yes"), ("i1", "B", "no"), ("i2", "A", "no"), ("i2", "B", "no"))
HEADS = {
    "toloka.tsv": ("INPUT:image\tASSIGNMENT:worker_id\tOUTPUT:result\tGOLDEN:result", "\t"),
    "turk.csv": ("Input.image_url,WorkerId,Answer.label,HITId", ","),
    "zooniverse.csv": ("subject_ids,user_name,value,created_at", ","),
    "german.csv": ("Item;Worker;Answer;Time", ";"),
    "old toloka.tsv": ("INPUT:url\tperformer\tOUTPUT:label\tx", "\t"),
}


def votes(path: Path) -> object:
    table = read_votes([path])
    return table.items, table.systems, table.votes.dense().tolist()


WANTED = (("i1", "i2"), ("A", "B"), [[1.0, 0.0], [0.0, 0.0]])


@pytest.mark.parametrize("name", HEADS)
def test_an_export_of_a_platform_is_read(name: str, tmp_path: Path) -> None:
    head, mark = HEADS[name]
    path = tmp_path / name
    path.write_text("\n".join([head, *(mark.join((*each, "x")) for each in ANSWERS), ""]))
    assert votes(path) == WANTED
    assert "words of the votes are taken: 'Yes' for yes, 'no' for no" in read_votes([path]).remarks


def test_exports_in_json_are_read(tmp_path: Path) -> None:
    prodigy = [{"text": item, "answer": {"Yes": "accept", "no": "reject"}[said], "_input_hash": 7,
                "_annotator_id": who, "spans": []} for item, who, said in ANSWERS]  # fmt: skip
    lines = tmp_path / "prodigy.jsonl"
    lines.write_text("".join(json.dumps(each) + "\n" for each in prodigy))
    array = tmp_path / "prodigy.json"
    array.write_text(json.dumps(prodigy))
    studio = tmp_path / "studio.json"
    studio.write_text(json.dumps([
        {"id": item, "data": {"image": item}, "annotations": [
            {"completed_by": {"email": who}, "result": [{"value": {"choices": [said]}}]}
            for name, who, said in ANSWERS if name == item]}
        for item in ("i1", "i2")
    ], indent=1))  # fmt: skip
    for path in (lines, array, studio):
        assert votes(path) == WANTED, path.name


def test_words_are_votes_in_tables_too_and_unknown_ones_are_none(tmp_path: Path) -> None:
    table = tmp_path / "votes.csv"
    table.write_text("item,A,B,truth\ni1,Ja,nein,ja\ni2,0,unknown,nein\n")
    read = read_votes([table])
    np.testing.assert_array_equal(read.votes.dense(), [[1, 0], [0, np.nan]])
    assert read.truth is not None and read.truth.tolist() == [1, 0]
    answers = tmp_path / "answers.csv"
    answers.write_text("item,system,vote\ni1,A,true\ni1,B,skip\ni2,A,FALSE\ni2,B,1\n")
    read = read_votes([answers])
    np.testing.assert_array_equal(read.votes.dense(), [[1, np.nan], [0, 1]])
    assert read.bad_lines == ()


def test_labels_are_refused_by_their_cause_and_taken_with_yes(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("task,worker,label\ni1,A,cat\ni1,B,dog\ni2,A,Tu\u0308r\ni2,B,dog\n")
    with pytest.raises(
        BadInput, match="the answers are 'Tür', 'cat', 'dog': labels, not yes or no"
    ):
        read_votes([path])
    assert read_votes([path], yes=["dog"]).votes.dense().tolist() == [[0, 1], [0, 1]]
    for spelled in ("Tür", "Tu\u0308r"):
        assert read_votes([path], yes=[spelled]).votes.dense().tolist() == [[0, 0], [1, 0]]


def test_several_columns_of_answers_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "turk.csv"
    path.write_text("Input.url,WorkerId,Answer.a,Answer.b\ni1,A,yes,no\n")
    with pytest.raises(BadInput, match=r"several columns of answers: answer\.a, answer\.b"):
        read_votes([path])
