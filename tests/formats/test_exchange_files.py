"""Files as other programs write them: what is read, what is named as passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spotlab.errors import BadInput
from spotlab.formats.collection.detect import format_of, truth_files_in
from spotlab.formats.rows.reading import Reading
from spotlab.model import Ignore, Primitive, Truth
from tests.formats.exchanged import read
from tests.formats.foreign_files import (
    CUBICASA,
    CVAT,
    DOTA,
    FLOORPLANCAD,
    HOCR,
    RECTANGLE,
    YAML,
    image,
    label_studio,
    workspace,
)


def regions_of(truths: list[Truth]) -> list[tuple[str, Primitive, tuple[float, ...]]]:
    return [
        (region.label, region.primitive, tuple(round(value, 3) for value in region.bounds))
        for truth in truths
        for region in truth.regions
    ]


def sniffed(path: Path, content: str | bytes) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return format_of(path).name


def passed_over(path: Path) -> list[str]:
    reading = Reading()
    format_of(path).read_file(path, reading)
    lines = [str(finding).partition(": ")[2] for finding in reading.findings]
    lines = [line for line in lines if "image that is not there" not in line]
    return [line.partition(" (first: ")[0] for line in lines]


def test_cvat(tmp_path: Path) -> None:
    path = tmp_path / "annotations.xml"
    assert sniffed(path, CVAT) == "cvat"
    truths = read("cvat", path)
    assert [truth.page.name for truth in truths] == ["plan_1", "plan_2"]
    assert regions_of(truths) == [
        ("door", Primitive.BOX, (10.5, 20, 50.5, 40)),
        ("door", Primitive.BOX, (110, 90, 130, 130)),  # turned about its middle
        ("room", Primitive.POLYGON, (1, 2, 90, 60)),
        ("basin", Primitive.ELLIPSE, (180, 140, 220, 160)),
        ("ink", Primitive.POLYGON, (300, 200, 304, 202)),
        ("pipe", Primitive.LINE, (1, 2, 3, 4)),
        ("corner", Primitive.POINT, (4, 5, 5, 5)),
    ]
    assert truths[0].regions[4].area == 6  # .XX. XXXX
    assert [(label.name, label.colour) for label in truths[0].labels] == [("door", "#ff6037")]
    assert [truth.page.tags for truth in truths] == [("scanned",), ()]
    assert passed_over(path) == []


def test_yolo_of_ultralytics(tmp_path: Path) -> None:
    image(tmp_path / "images" / "train" / "a.png")
    image(tmp_path / "images" / "val" / "b.jpg")
    labels = tmp_path / "labels" / "train" / "a.txt"
    lines = (
        "1 0.5 0.5 0.25 0.2\n0 0.1 0.1 0.2 0.1 0.2 0.3\n0 0.1 0.1 0.2 0.1 0.2 0.2 0.1 0.2 0.93\n"
    )
    assert sniffed(labels, lines) == "yolo"
    assert sniffed(tmp_path / "data.yaml", YAML) == "yolo"
    truths = read("yolo", tmp_path / "data.yaml")
    assert [truth.page.image.name for truth in truths] == ["a.png", "b.jpg"]
    assert regions_of(truths) == [
        ("sofa", Primitive.BOX, (150, 120, 250, 180)),
        ("bed", Primitive.POLYGON, (40, 30, 80, 90)),
        ("bed", Primitive.BOX, (40, 30, 80, 60)),
    ]
    assert read("yolo", labels) == truths[:1]  # the names come from the file above
    assert passed_over(tmp_path / "data.yaml") == [
        "1 × confidence of a region", "1 × image without a label file",
    ]  # fmt: skip
    assert [path.name for path, _ in truth_files_in(tmp_path)[0]] == ["data.yaml"]


def test_yolo_of_roboflow_and_of_poses(tmp_path: Path) -> None:
    image(tmp_path / "train" / "images" / "a.png")
    labels = tmp_path / "train" / "labels" / "a.txt"
    yaml = "train: ../train/images\nval: ../valid/images\n\nnc: 1\nnames: ['Bed']\n"
    sniffed(labels, "0 0.5 0.5 0.5 0.5\n")
    assert sniffed(tmp_path / "data.yaml", yaml) == "yolo"
    assert regions_of(read("yolo", tmp_path / "data.yaml")) == [
        ("Bed", Primitive.BOX, (100, 75, 300, 225))
    ]
    sniffed(tmp_path / "data.yaml", yaml + "kpt_shape: [2, 3]\n")
    sniffed(labels, "0 0.5 0.5 0.5 0.5 0.1 0.1 2 0.2 0.2 1\n")
    assert len(read("yolo", tmp_path / "data.yaml")[0].regions[0].points) == 4
    assert passed_over(tmp_path / "data.yaml") == ["1 × keypoints of a box"]


def test_a_label_file_alone(tmp_path: Path) -> None:
    image(tmp_path / "a.png")
    sniffed(tmp_path / "a.txt", "3 0.5 0.5 0.5 0.5\n")
    assert regions_of(read("yolo", tmp_path / "a.txt"))[0][0] == "3"
    assert "numbers are the labels" in passed_over(tmp_path / "a.txt")[0]
    (tmp_path / "classes.txt").write_text("bed\nsofa\nchair\ntable\n")  # as LabelImg writes it
    assert regions_of(read("yolo", tmp_path / "a.txt"))[0][0] == "table"


def test_label_studio(tmp_path: Path) -> None:
    polygon = {"points": [[50, 50], [60, 50], [60, 80]], "closed": True, "polygonlabels": ["room"]}
    ellipse = {"x": 50, "y": 50, "radiusX": 10, "radiusY": 5, "rotation": 0, "ellipselabels": ["b"]}
    turned = {**RECTANGLE, "x": 50, "rotation": 90, "rectanglelabels": ["door", "open"]}
    results = [
        label_studio(RECTANGLE, "rectangle", meta={"text": ["half hidden"]}),
        label_studio({**RECTANGLE, "labels": ["word"]}, "labels"),
        label_studio({**RECTANGLE, "text": ["Colonel"]}, "textarea"),
        label_studio(polygon, "polygonlabels", id="x2"),
        label_studio(ellipse, "ellipselabels", id="x3"),
        label_studio(turned, "rectanglelabels", id="x4"),
        label_studio({"x": 1, "y": 1, "keypointlabels": ["ink"]}, "keypointlabels"),
        {"from_id": "x1", "to_id": "x2", "type": "relation", "direction": "right"},
    ]
    skipped = {"id": 7, "completed_by": 1, "was_cancelled": True, "result": []}
    annotation = {"id": 8, "completed_by": 1, "was_cancelled": False, "result": results}
    task = {
        "id": 1, "annotations": [skipped, annotation, {**annotation, "id": 9}], "drafts": [],
        "file_upload": "4c9c9b1e-plan_1.png", "predictions": [], "project": 3,
        "data": {"image": "/data/upload/3/4c9c9b1e-plan_1.png"},
    }  # fmt: skip
    path = tmp_path / "project-3-at-2024.json"
    assert sniffed(path, json.dumps([task])) == "label-studio"
    [truth] = read("label-studio", path)
    assert truth.page.image.name == "plan_1.png"
    assert regions_of([truth]) == [
        ("word", Primitive.BOX, (40, 30, 120, 60)),
        ("room", Primitive.POLYGON, (200, 150, 240, 240)),
        ("b", Primitive.ELLIPSE, (160, 135, 240, 165)),
        ("door", Primitive.BOX, (170, 30, 200, 110)),  # turned about its top left corner
        ("ink", Primitive.POINT, (3, 3, 4, 3)),
    ]
    assert (truth.regions[0].text, truth.regions[0].comment) == ("Colonel", "half hidden")
    assert passed_over(path) == [
        "1 × cancelled annotation of a task",
        "1 × earlier annotation of a task: the latest is read",
        "1 × further label of a region",
        "1 × relation, which is not an outline",
    ]
    one = json.dumps({"data": task["data"], "predictions": [{"result": results[3:4]}]})
    assert sniffed(tmp_path / "task.json", one) == "label-studio"
    assert regions_of(read("label-studio", tmp_path / "task.json"))[0][0] == "room"
    small = {"image": "s3://b/plan_1.png", "id": 1, "annotator": 1, "label": [
        {**turned, "original_width": 400, "original_height": 300}]}  # fmt: skip
    assert sniffed(tmp_path / "min.json", json.dumps([small])) == "label-studio"
    assert regions_of(read("label-studio", tmp_path / "min.json")) == regions_of([truth])[3:4]


def test_hocr(tmp_path: Path) -> None:
    path = tmp_path / "alice_1.hocr"
    assert sniffed(path, HOCR) == "hocr"
    [truth] = read("hocr", path)
    assert (truth.page.image.name, truth.page.width, truth.page.height) == (
        "alice_1.png", 2488, 3507,
    )  # fmt: skip
    assert [region.text for region in truth.regions] == ["1", "Down &"]
    assert regions_of([truth])[1] == ("word", Primitive.BOX, (588, 528, 787, 581))
    assert "1 × ocrx_word without a text" in passed_over(path)
    assert "1 × ocr_line" in passed_over(path)
    loose = (  # as ocropy writes it: lines only, and no XML
        "<html><head><meta name=ocr-system content=ocropy><body><br>"
        "<div class=ocr_page title='image a.png; bbox 0 0 90 80'>"
        "<span class=ocr_line title='bbox 1 2 30 12'>Hello<br> there</span>"
        "<div class=ocr_page title='image b.png; bbox 0 0 90 80'></div>"
    )
    assert sniffed(tmp_path / "loose.html", loose) == "hocr"
    first, second = read("hocr", tmp_path / "loose.html")
    assert [(r.label, r.text) for r in first.regions] == [("line", "Hello there")]
    assert (second.page.image.name, second.regions) == ("b.png", ())


def test_cubicasa5k(tmp_path: Path) -> None:
    path = tmp_path / "126" / "model.svg"
    assert sniffed(path, CUBICASA) == "cubicasa5k"
    image(path.with_name("F1_original.png"), 700, 250)
    image(path.with_name("F1_scaled.png"), 1400, 500)
    [truth] = read("cubicasa5k", path)
    assert (truth.page.image.name, truth.page.width) == ("F1_scaled.png", 1400)
    assert regions_of([truth]) == [
        ("LivingRoom", Primitive.BOX, (741.84, 37.56, 1277.38, 418.79)),
        ("Wall", Primitive.POLYGON, (118, 21.56, 1293.38, 37.56)),
        ("Door", Primitive.BOX, (277.38, 26.93, 293.38, 36.15)),
        ("ElectricalAppliance", Primitive.BOX, (142, 202, 198, 258)),
        ("Toilet", Primitive.BOX, (100, 0, 150, 71)),
    ]
    assert [region.comment for region in truth.regions] == [
        "", "External", "Swing Opposite", "IntegratedStove", "",
    ]  # fmt: skip
    assert truth.regions[0].text == "OH"
    assert passed_over(path) == ["1 × Stairs"]


@pytest.mark.parametrize("spelling", ["camels", "hyphens"])
def test_floorplancad(tmp_path: Path, spelling: str) -> None:
    content = FLOORPLANCAD
    if spelling == "hyphens":  # as it was published first
        content = content.replace("semanticId", "semantic-id").replace("instanceId", "instance-id")
    path = tmp_path / "0030-0010.svg"
    assert sniffed(path, content) == "floorplancad"
    image(path.with_suffix(".png"), 1400, 1400)
    [truth] = read("floorplancad", path)
    assert regions_of([truth]) == [
        ("double door", Primitive.HULL, (1150, 945, 1220, 1015)),
        ("table", Primitive.HULL, (150, 250, 250, 350)),
    ]
    assert 70 * 70 / 2 < truth.regions[0].area < 70 * 70  # the arc bulges
    assert passed_over(path) == [
        "1 × path of wall without an instance", "1 × path without a class",
    ]  # fmt: skip


def test_dota(tmp_path: Path) -> None:
    path = tmp_path / "labelTxt" / "P0000.txt"
    assert sniffed(path, DOTA) == "dota"
    image(tmp_path / "images" / "P0000.png", 3000, 2600)
    [truth] = read("dota", path)
    assert (truth.page.width, truth.page.image.name) == (3000, "P0000.png")
    assert regions_of([truth]) == [
        ("plane", Primitive.POLYGON, (2753, 2385, 2888, 2502)),
        ("large-vehicle", Primitive.BOX, (100, 100, 200, 150)),
    ]
    assert [region.ignore for region in truth.regions] == [Ignore.NO, Ignore.SYMBOL]
    assert len(passed_over(path)) == 2


def test_mets(tmp_path: Path) -> None:
    path = workspace(tmp_path, "SEG", "GT")
    assert format_of(path).name == "mets"
    truths = read("mets", path)
    assert [truth.page.image.name for truth in truths] == ["2.tif", "1.tif"]  # physical order
    assert [region.label for truth in truths for region in truth.regions] == ["caption"] * 2
    assert set(passed_over(path)) >= {
        "2 × PAGE file of another file group",
        "1 × file of another type",
    }
    assert [file.name for file, _ in truth_files_in(tmp_path)[0]] == ["mets.xml"]


def test_mets_without_a_choice_names_the_groups(tmp_path: Path) -> None:
    path = workspace(tmp_path, "SEG", "OCR")
    with pytest.raises(BadInput, match="--file-group, one of OCR-D-SEG-PAGE, OCR-D-OCR-PAGE"):
        read("mets", path)
