"""Truth as masks and as crops: numbers of classes in pixels, and pictures of regions."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from spotlab.errors import BadInput
from spotlab.formats.collection.convert import convert
from spotlab.formats.collection.dataset import Images, Split
from spotlab.formats.collection.detect import format_of, known_formats
from spotlab.formats.rows.reading import Reading
from spotlab.model import Ignore, Label, LabelSet, Primitive, Region, Truth
from spotlab.progress import silent
from tests.formats.exchanged import blank_page, read, write

LABELS = LabelSet(
    (Label("zebra", "#112233"), Label("apple", "#445566"), Label("unused", "#778899"))
)
BOX = Region(((10, 20), (60, 20), (60, 50), (10, 50)), "apple", "r1", Primitive.BOX, text="A")
RING = Region(
    (*((100, 100), (130, 100), (130, 130), (100, 130), (100, 100)),
     *((110, 110), (110, 120), (120, 120), (120, 110), (110, 110))), "zebra", "r2")  # fmt: skip
AREA = Region(((200, 200), (230, 200), (200, 230)), "", "r3", ignore=Ignore.AREA)
OFF = Region(((390, 290), (450, 290), (450, 350)), "apple", "r4")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    page = blank_page(tmp_path / "in")
    path = tmp_path / "in" / "plan.geojson"
    write("geojson", [Truth(page, (BOX, RING, AREA, OFF), LABELS)], path)
    return path


def test_masks_have_the_numbers_of_the_classes(source: Path, tmp_path: Path) -> None:
    done = convert(source, tmp_path / "out", "masks")
    told = done.remarks
    index = json.loads((tmp_path / "out" / "masks.json").read_text())
    assert index["classes"] == ["zebra", "apple", "unused"]
    pixels = np.array(Image.open(tmp_path / "out" / "masks" / "plan.png"))
    assert pixels.shape == (300, 400)
    assert (pixels[20:50, 10:60] == 2).all()
    assert pixels[19, 10] == pixels[20, 9] == pixels[50, 10] == pixels[20, 60] == 0
    assert pixels[105, 105] == 1
    assert pixels[115, 115] == 0  # a hole
    assert pixels[202, 202] == 255
    assert (pixels == 1).sum() == RING.area
    assert any("1 outline was cut at the page" in line for line in told), told


def test_masks_are_read_back(source: Path, tmp_path: Path) -> None:
    convert(source, tmp_path / "out", "masks", images=Images.COPY)
    [truth] = read("masks", tmp_path / "out" / "masks.json")
    assert truth.page.image == tmp_path / "out" / "images" / "plan.png"
    assert [label.name for label in truth.labels] == ["zebra", "apple", "unused"]
    found = {(region.label, region.ignore, region.area) for region in truth.regions}
    assert ("apple", Ignore.NO, 1500.0) in found
    assert ("zebra", Ignore.NO, 800.0) in found
    assert [region.ignore for region in truth.regions].count(Ignore.AREA) == 1


def test_a_mask_of_other_numbers_is_named(tmp_path: Path) -> None:
    blank_page(tmp_path)
    Image.fromarray(np.array([[0, 1, 9], [0, 1, 9]], np.uint8)).save(tmp_path / "m.png")
    index = {
        "spotlab": "masks",
        "classes": ["a"],
        "masks": [{"mask": "m.png", "image": "plan.png"}],
    }
    path = tmp_path / "masks.json"
    path.write_text(json.dumps(index))
    reading = Reading()
    [truth] = format_of(path).read_file(path, reading)
    assert "the mask has the number 9" in str(next(iter(reading.findings)))
    assert [region.bounds for region in truth.regions] == [(1, 0, 2, 2)]
    index["masks"] = [{"mask": "gone.png", "image": "plan.png"}]
    path.write_text(json.dumps(index))
    with pytest.raises(BadInput, match=r"gone\.png"):
        read("masks", path)


def test_parts_have_masks_of_their_own(source: Path, tmp_path: Path) -> None:
    convert(source, tmp_path / "out", "masks", split=Split((1, 0, 0)), images=Images.COPY)
    assert (tmp_path / "out" / "masks" / "train" / "plan.png").is_file()
    [truth] = read("masks", tmp_path / "out" / "masks.json")
    assert truth.page.image.is_file()


def test_crops_are_the_boxes_of_regions(source: Path, tmp_path: Path) -> None:
    pixels = np.full((300, 400), 255, np.uint8)
    pixels[20:50, 10:60] = np.arange(50, dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "in" / "plan.png")
    convert(source, tmp_path / "out", "crops")
    crop = np.array(Image.open(tmp_path / "out" / "apple" / "plan_r1.png"))
    assert (crop == pixels[20:50, 10:60]).all()
    with (tmp_path / "out" / "crops.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["file"], row["label"], row["text"]) for row in rows] == [
        ("apple/plan_r1.png", "apple", "A"), ("zebra/plan_r2.png", "zebra", ""),
        ("apple/plan_r4.png", "apple", "")]  # fmt: skip
    assert np.array(Image.open(tmp_path / "out" / "apple" / "plan_r4.png")).shape == (10, 10)


def test_crops_stay_in_their_folder_whatever_labels_and_ids_are(tmp_path: Path) -> None:
    page = blank_page(tmp_path / "in")
    given = (("../../x", "../../../a"), ("a/b", "c" * 300), ("a?b", "c" * 301))
    regions = [Region(BOX.points, label, id, Primitive.BOX) for label, id in given]
    (tmp_path / "in" / "out").mkdir()
    known_formats()["crops"].write([Truth(page, tuple(regions))], tmp_path / "in" / "out", silent)
    files = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.png"))
    assert len(files) == 4
    assert all(file.parts[:2] == ("in", "out") or file.name == "plan.png" for file in files)
