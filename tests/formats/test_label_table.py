"""Label sets in files of their own: those of other programs are read, what is written returns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spotlab.errors import BadInput
from spotlab.formats.collection.label_file import NAME, read_labels, write_labels
from spotlab.formats.collection.label_table import read_label_table, write_label_table
from spotlab.model import Label, LabelSet

LABELS = LabelSet(
    (
        Label("dining table", "#123456", "2", 'Four legs, "or" more;\nno desks'),
        Label("größe", "#abcdef"),
        Label("sofa", "#00BBDD", "1", "Two seats"),
    )
)


@pytest.mark.parametrize("name", ["labels.csv", "labels.json"])
def test_what_is_written_returns(tmp_path: Path, name: str) -> None:
    write_label_table(tmp_path / name, LABELS)
    assert read_label_table(tmp_path / name) == LABELS


def test_names_alone_are_a_list_as_labelme_has_it(tmp_path: Path) -> None:
    write_label_table(tmp_path / "labels.txt", LABELS)
    assert (tmp_path / "labels.txt").read_text("utf-8") == "dining table\ngröße\nsofa\n"
    (tmp_path / "labels.txt").write_text("__ignore__\n_background_\nsofa\n\nbed\n", "utf-8")
    names = [label.name for label in read_label_table(tmp_path / "labels.txt")]
    assert names == ["sofa", "bed"]


def test_labels_of_a_cvat_project(tmp_path: Path) -> None:
    project = [
        {"name": "car", "id": 1, "color": "#ff00ff", "type": "any", "attributes": []},
        {"name": "person", "color": "#0f0"},
        "bicycle",
    ]
    (tmp_path / "cvat.json").write_text(json.dumps(project), "utf-8")
    labels = read_label_table(tmp_path / "cvat.json")
    assert [(label.name, label.colour) for label in labels] == [
        ("car", "#ff00ff"), ("person", "#00ff00"), ("bicycle", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_of_a_spreadsheet(tmp_path: Path, mark: str) -> None:
    rows = [["Label", "Color", "Order"], ["sofa", "#123456", "1"], ["", "", ""], ["bed", "", "2"]]
    text = "\r\n".join(mark.join(row) for row in rows)
    (tmp_path / "labels.csv").write_bytes(("\ufeff" + text).encode())
    labels = read_label_table(tmp_path / "labels.csv")
    assert labels.labels == (Label("sofa", "#123456"), Label("bed", ""))


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.csv", "colour\n#123456\n", "there is no column name"),
        ("a.csv", "name,digit\nsofa,12\n", "'12' is not a digit"),
        ("a.csv", "name,colour\nsofa,red\n", "'red' is not a colour"),
        ("a.csv", "name\nsofa\nsofa\n", "'sofa' is there twice"),
        ("a.csv", "name,digit\nsofa,1\nbed,1\n", "two labels have the digit 1"),
        ("a.csv", "name\n", "there is no label in it"),
        ("a.json", "3", "holds a number"),
        ("a.json", "[3]", "a label has no name"),
        ("a.txt", "\n", "there is no label in it"),
    ],
)
def test_a_bad_file_is_named_with_its_problem(
    tmp_path: Path, name: str, text: str, problem: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(BadInput, match=problem):
        read_label_table(tmp_path / name)


def test_the_collection_s_file_keeps_descriptions_lock_and_what_others_wrote(
    tmp_path: Path,
) -> None:
    locked = LabelSet(LABELS.labels, locked=True)
    (tmp_path / NAME).write_text('{"labels": [{"name": "sofa", "icon": "x"}], "other": 1}', "utf-8")
    write_labels(tmp_path, locked)
    assert read_labels(tmp_path) == locked
    content = json.loads((tmp_path / NAME).read_text("utf-8"))
    assert content["other"] == 1 and content["labels"][2]["icon"] == "x"
    assert content["labels"][1] == {"name": "größe", "colour": "#abcdef", "digit": ""}
    write_labels(tmp_path, LabelSet((Label("sofa", "#00BBDD"),)))
    content = json.loads((tmp_path / NAME).read_text("utf-8"))
    assert "locked" not in content and "description" not in content["labels"][0]


def test_taking_over_a_set_keeps_what_only_the_collection_has() -> None:
    mine = LabelSet((Label("sofa", "#123456", "1", "old"), Label("lamp", "#654321", "2")))
    joined = mine.joined(LabelSet((Label("bed", "", "2"), Label("sofa", "#111111", "", "new"))))
    assert [(label.name, label.digit) for label in joined] == [
        ("bed", "2"), ("sofa", ""), ("lamp", ""),
    ]  # fmt: skip
    assert joined["sofa"] == Label("sofa", "#111111", "", "new")
    assert joined["bed"].colour not in ("", "#111111", "#654321")
    assert mine.joined(LabelSet((), locked=True)) == LabelSet(mine.labels, locked=True)


def test_the_order_is_changed_by_moving() -> None:
    names = [[label.name for label in LABELS.moved("sofa", at)] for at in (-1, 1, 9)]
    assert names == [
        ["sofa", "dining table", "größe"],
        ["dining table", "sofa", "größe"],
        ["dining table", "größe", "sofa"],
    ]
