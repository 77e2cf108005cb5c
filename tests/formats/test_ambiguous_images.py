"""An image name that several images have is said with their places, and nothing is guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

import spotlab
from tests.judging_files import command

SHAPE = {"label": "sofa", "points": [[1, 1], [30, 20]], "shape_type": "rectangle"}


def images(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("L", (90, 60), 255).save(folder / name)


def labelme(path: Path, name: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"shapes": [SHAPE], "imagePath": name, "imageWidth": 90,
                                "imageHeight": 60}))  # fmt: skip


@pytest.mark.parametrize("named", ["p1.png", "elsewhere/p1.png"])
def test_both_places_are_named(
    tmp_path: Path, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    images(tmp_path, "scans/a/p1.png", "scans/b/p1.png", "scans/a/p2.png")
    labelme(tmp_path / "truth" / "p1.json", named)
    truth = spotlab.read_truth(tmp_path)
    [line] = [line for line in truth.remarks if "cannot be told from others" in line]
    assert "2 images are called p1.png: scans/a/p1.png, scans/b/p1.png" in line
    assert command("validate", tmp_path) != 0
    assert "2 images are called p1.png" in "".join(capsys.readouterr())


PAGE = (
    '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Metadata>'
    "<Creator>a</Creator><Created>2026-01-01T00:00:00</Created><LastChange>2026-01-01T00:00:00"
    '</LastChange></Metadata><Page imageFilename="p1.png" imageWidth="90" imageHeight="60"/>'
    "</PcGts>"
)


def test_validate_says_it_of_page_files_and_finds_the_only_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    images(tmp_path, "scans/a/p1.png", "scans/b/p1.png")
    (tmp_path / "truth" / "gt").mkdir(parents=True)
    (tmp_path / "truth" / "gt" / "p1.xml").write_text(PAGE)
    assert command("validate", tmp_path) != 0
    told = "".join(capsys.readouterr())
    assert "2 images are called p1.png: scans/a/p1.png, scans/b/p1.png" in told
    assert "the image p1.png is missing" in told
    (tmp_path / "scans" / "b" / "p1.png").unlink()
    assert command("validate", tmp_path) == 0


def test_the_folder_in_the_name_tells_them_apart(tmp_path: Path) -> None:
    images(tmp_path, "a/p1.png", "b/p1.png")
    (tmp_path / "all.json").write_text(json.dumps({
        "images": [{"id": 1, "file_name": "b/p1.png", "width": 90, "height": 60}],
        "categories": [{"id": 1, "name": "s"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 9, 9]}],
    }))  # fmt: skip
    truth = spotlab.read_truth(tmp_path)
    assert not any("cannot be told" in line for line in truth.remarks)


def test_shares_of_an_image_of_several_are_refused_with_the_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    images(tmp_path, "scans/a/p1.png", "scans/b/p1.png")
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "p1.txt").write_text("0 .5 .5 .2 .2\n")
    assert command("validate", tmp_path) != 0
    assert "2 images are called p1: scans/a/p1.png, scans/b/p1.png" in "".join(capsys.readouterr())


def test_colours_that_labels_get_by_themselves_are_not_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    images(tmp_path, "set/images/a.png")
    (tmp_path / "set/labels").mkdir()
    (tmp_path / "set/labels/a.txt").write_text("1 .5 .5 .2 .2\n")
    (tmp_path / "set/data.yaml").write_text("train: images\nnames: [zebra, apple, unused]\n")
    first, second = tmp_path / "one", tmp_path / "two"
    source = tmp_path / "set" / "data.yaml"
    assert command("convert", source, first, "--to", "yolo", "--images", "copy") == 0
    assert command("convert", first / "data.yaml", second, "--to", "yolo", "--images", "copy") == 0
    told = "".join(capsys.readouterr())
    assert "left out" not in told
    assert "zebra" in (second / "data.yaml").read_text()
