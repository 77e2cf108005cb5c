"""Classes keep their order and numbers, used or not, from one format to another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spotlab.formats.collection.convert import convert
from spotlab.formats.collection.export import ExportSelection
from spotlab.formats.truth.yolo_yaml import read_yaml
from tests.formats.exchanged import blank_page, read

NAMES = ("zebra", "apple", "unused", "dog")


def dataset(folder: Path, names: str) -> Path:
    blank_page(folder / "images" / "train")
    (folder / "labels" / "train").mkdir(parents=True)
    lines = "3 0.2 0.2 0.1 0.1\n1 0.5 0.5 0.1 0.1\n0 0.8 0.8 0.1 0.1\n"
    (folder / "labels" / "train" / "plan.txt").write_text(lines)
    (folder / "data.yaml").write_text(f"train: images/train\nnames: {names}\n")
    return folder


@pytest.mark.parametrize("through", ["page", "cvat.xml", "coco.json"])
def test_yolo_comes_back_with_its_classes(tmp_path: Path, through: str) -> None:
    source = dataset(tmp_path / "set", "[zebra, apple, unused, dog]")
    convert(source, tmp_path / through, {"cvat.xml": "cvat"}.get(through))
    convert(tmp_path / through, tmp_path / "back", "yolo")
    assert read_yaml(tmp_path / "back" / "data.yaml").names == NAMES
    lines = (tmp_path / "back" / "labels" / "plan.txt").read_text().splitlines()
    assert [line.split()[0] for line in lines] == ["3", "1", "0"]


def test_some_labels_keep_their_numbers(tmp_path: Path) -> None:
    source = dataset(tmp_path / "set", "[zebra, apple, unused, dog]")
    selection = ExportSelection(labels=frozenset({"dog"}))
    convert(source, tmp_path / "out", "yolo", selection=selection)
    assert read_yaml(tmp_path / "out" / "data.yaml").names == NAMES
    assert (tmp_path / "out" / "labels" / "plan.txt").read_text().split()[0] == "3"


def test_gaps_and_names_given_twice_are_classes_of_their_own(tmp_path: Path) -> None:
    source = dataset(tmp_path / "gaps", "{0: zebra, 1: apple, 3: dog}")
    [truth] = read("yolo", source / "data.yaml")
    assert [label.name for label in truth.labels] == ["zebra", "apple", "2", "dog"]
    source = dataset(tmp_path / "twice", "[dog, apple, cat, dog]")
    [truth] = read("yolo", source / "data.yaml")
    assert [label.name for label in truth.labels] == ["dog", "apple", "cat", "dog (2)"]
    assert [region.label for region in truth.regions] == ["dog (2)", "apple", "dog"]


def test_a_list_of_classes_with_an_empty_line(tmp_path: Path) -> None:
    blank_page(tmp_path)
    (tmp_path / "classes.txt").write_text("zebra\n\napple\n\n")
    (tmp_path / "plan.txt").write_text("2 0.5 0.5 0.1 0.1\n")
    [truth] = read("yolo", tmp_path / "plan.txt")
    assert [label.name for label in truth.labels] == ["zebra", "1", "apple"]
    assert truth.regions[0].label == "apple"


def test_categories_of_one_name_are_told_apart(tmp_path: Path) -> None:
    categories = [
        {"id": 7, "name": "door", "supercategory": "car"},
        {"id": 2, "name": "door", "supercategory": "room"},
        {"id": 3, "name": "never"},
    ]
    annotations = [{"id": n, "image_id": 1, "category_id": n, "bbox": [9, 9, 9, 9]} for n in (7, 2)]
    (tmp_path / "a.json").write_text(json.dumps({
        "images": [{"id": 1, "file_name": "a.png", "width": 90, "height": 90}],
        "annotations": annotations, "categories": categories,
    }))  # fmt: skip
    [truth] = read("coco", tmp_path / "a.json")
    assert [label.name for label in truth.labels] == ["door", "never", "door (car)"]
    assert [region.label for region in truth.regions] == ["door (car)", "door"]


def test_categories_keep_their_ids(tmp_path: Path) -> None:
    names = {0: "cat", 90: "dog", 7: "bird"}
    (tmp_path / "a.json").write_text(json.dumps({
        "images": [{"id": 1, "file_name": "a.png", "width": 90, "height": 90}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 90, "bbox": [9, 9, 9, 9]}],
        "categories": [{"id": number, "name": name} for number, name in names.items()],
    }))  # fmt: skip
    convert(tmp_path / "a.json", tmp_path / "b.json", "coco")
    again = json.loads((tmp_path / "b.json").read_text())
    assert {each["id"]: each["name"] for each in again["categories"]} == names
    assert again["annotations"][0]["category_id"] == 90


def test_numbers_without_names_stay_numbers(tmp_path: Path) -> None:
    blank_page(tmp_path / "in")
    (tmp_path / "in" / "plan.txt").write_text("3 0.5 0.5 0.1 0.1\n1 0.2 0.2 0.1 0.1\n")
    convert(tmp_path / "in" / "plan.txt", tmp_path / "out", "yolo")
    assert read_yaml(tmp_path / "out" / "data.yaml").names == ("0", "1", "2", "3")
    lines = (tmp_path / "out" / "labels" / "plan.txt").read_text().splitlines()
    assert [line.split()[0] for line in lines] == ["3", "1"]


def test_sets_that_number_classes_in_different_ways_are_named(tmp_path: Path) -> None:
    dataset(tmp_path / "in" / "a", "[zebra, apple, unused, dog]")
    other = dataset(tmp_path / "in" / "b", "[dog, apple, zebra, cat]")
    (other / "images" / "train" / "plan.png").rename(other / "images" / "train" / "other.png")
    (other / "labels" / "train" / "plan.txt").rename(other / "labels" / "train" / "other.txt")
    done = convert(tmp_path / "in", tmp_path / "out", "yolo")
    assert "YOLO boxes: 3 classes got other numbers than in their files" in done.remarks
    assert read_yaml(tmp_path / "out" / "data.yaml").names == (*NAMES, "cat")
    alone = convert(other, tmp_path / "alone", "yolo")
    assert not [line for line in alone.remarks if "numbers" in line]
