"""Programs of other people read what is written here, and what they write is read here.

None of them is needed: each test is skipped where its program is not installed.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from spotlab.formats.collection.convert import convert
from spotlab.formats.truth.yolo_yaml import read_yaml, yaml_text
from spotlab.geometry.polygon import Frame
from spotlab.geometry.primitives import frame_corners
from spotlab.model import Primitive, Region, Truth
from tests.formats.exchanged import HEIGHT, LABELS, WIDTH, blank_page, read, write
from tests.formats.foreign_files import workspace

BOX = Region(((10, 20), (60, 20), (60, 50), (10, 50)), "sofa", "r1", Primitive.BOX)
TURNED = Region(
    tuple(frame_corners(Frame(200, 150, 60, 30, 25))), "wash basin", "r2", Primitive.BOX
)
OUTLINE = Region(((300, 100), (350, 100), (350, 190), (320, 140)), "sofa", "r3", Primitive.POLYGON)
REGIONS = (BOX, TURNED, OUTLINE)


@pytest.fixture
def truth(tmp_path: Path) -> Truth:
    return Truth(blank_page(tmp_path / "set" / "images"), REGIONS, LABELS)


def bounds(region: Region) -> tuple[float, ...]:
    return tuple(region.bounds)


def test_globox_reads_yolo_and_what_it_writes_is_read(truth: Truth, tmp_path: Path) -> None:
    globox = pytest.importorskip("globox")
    folder = tmp_path / "set"
    write("yolo", [truth], folder)
    found = globox.AnnotationSet.from_yolo_v5(
        folder / "labels", image_folder=folder / "images", image_extension=".png"
    )
    boxes = found["plan.png"].boxes
    assert [box.label for box in boxes] == ["0", "1", "0"]
    assert [(box.xmin, box.ymin, box.xmax, box.ymax) for box in boxes] == [
        pytest.approx(bounds(region), abs=1e-6) for region in REGIONS
    ]
    found.save_yolo_v5(tmp_path / "theirs", label_to_id={"0": 0, "1": 1})
    (tmp_path / "theirs" / "classes.txt").write_text("sofa\nwash basin\n")
    blank_page(tmp_path / "theirs")
    [again] = read("yolo", tmp_path / "theirs" / "plan.txt")
    assert [region.label for region in again.regions] == [region.label for region in REGIONS]
    for region, other in zip(REGIONS, again.regions, strict=True):
        assert bounds(other) == pytest.approx(bounds(region), abs=1e-3)


def test_globox_reads_cvat_and_what_it_writes_is_read(truth: Truth, tmp_path: Path) -> None:
    globox = pytest.importorskip("globox")
    write("cvat", [truth], tmp_path / "all.xml")
    found = globox.AnnotationSet.from_cvat(tmp_path / "all.xml")
    [annotation] = list(found)
    assert (annotation.image_width, annotation.image_height) == (WIDTH, HEIGHT)
    first, turned = annotation.boxes  # it takes boxes only, and not how they are turned
    assert (first.label, first.xmin, first.ymin, first.xmax, first.ymax) == ("sofa", *bounds(BOX))
    assert (turned.xmin, turned.xmax) == pytest.approx((170, 230))
    found.save_cvat(tmp_path / "theirs.xml")
    [again] = read("cvat", tmp_path / "theirs.xml")
    assert (again.page.width, again.regions[0].points) == (WIDTH, BOX.points)


@pytest.mark.parametrize("name", ["yolo", "yolo-seg", "yolo-obb"])
def test_supervision_reads_yolo(truth: Truth, tmp_path: Path, name: str) -> None:
    supervision = pytest.importorskip("supervision")
    folder = tmp_path / "set"
    write(name, [truth], folder)
    found = supervision.DetectionDataset.from_yolo(
        str(folder / "images"), str(folder / "labels"), str(folder / "data.yaml"),
        force_masks=name == "yolo-seg", is_obb=name == "yolo-obb",
    )  # fmt: skip
    assert found.classes == ["sofa", "wash basin"]
    _, _, detections = found[0]
    assert detections.class_id.tolist() == [0, 1, 0]
    if name == "yolo-obb":
        corners = detections.data["xyxyxyxy"]
        assert np.abs(corners[1] - TURNED.array).max() < 0.01
    else:
        for region, box in zip(REGIONS, detections.xyxy, strict=True):
            assert box.tolist() == pytest.approx(bounds(region), abs=1.01)
    if name == "yolo-seg":
        ink = detections.mask[2].sum()  # with the pixels under the outline
        assert OUTLINE.area < ink < OUTLINE.area + 200


def test_label_studio_converts_what_is_written_to_yolo(truth: Truth, tmp_path: Path) -> None:
    utils = pytest.importorskip("label_studio_sdk.converter.utils", exc_type=ImportError)
    write("label-studio", [truth], tmp_path / "all.json")
    [task] = json.loads((tmp_path / "all.json").read_text())
    values = [{**result["value"], **{key: result[key] for key in ("original_width",
              "original_height")}} for result in task["annotations"][0]["result"]]  # fmt: skip
    x, y, width, height = utils.convert_annotation_to_yolo(values[0])
    assert (x * WIDTH, y * HEIGHT, width * WIDTH, height * HEIGHT) == pytest.approx(
        (35, 35, 50, 30)
    )
    corners = np.array(utils.convert_annotation_to_yolo_obb(values[1])) * (WIDTH, HEIGHT)
    assert np.abs(corners - TURNED.array).max() < 1e-6


def test_datumaro_reads_cvat(truth: Truth, tmp_path: Path) -> None:
    datumaro = pytest.importorskip("datumaro", exc_type=ImportError)
    write("cvat", [truth], tmp_path / "set" / "annotations.xml")
    found = datumaro.Dataset.import_from(str(tmp_path / "set"), "cvat")
    [item] = list(found)
    names = found.categories()[datumaro.AnnotationType.label]
    labels = [names[annotation.label].name for annotation in item.annotations]
    assert labels == [region.label for region in REGIONS]
    assert item.annotations[0].points == [10, 20, 60, 50]
    assert np.reshape(item.annotations[2].points, (-1, 2)).tolist() == OUTLINE.array.tolist()


def test_ocrd_and_spotlab_find_the_same_files(tmp_path: Path) -> None:
    models = pytest.importorskip("ocrd_models", exc_type=ImportError)
    path = workspace(tmp_path, "SEG", "GT")
    mets = models.OcrdMets(filename=str(path))
    theirs = {file.local_filename for file in mets.find_files(fileGrp="OCR-D-GT-PAGE")}
    assert {f"OCR-D-GT-PAGE/{number}.xml" for number in (1, 2)} == {str(name) for name in theirs}
    assert mets.physical_pages == ["P2", "P1"]
    assert [truth.page.image.name for truth in read("mets", path)] == ["2.tif", "1.tif"]


def test_yaml_reads_the_names_of_classes(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    names = ["no", 'a "b"', "c: d # e", "Tür", "\\n", "'", "1"]
    path = tmp_path / "data.yaml"
    path.write_bytes(yaml_text(names, {"train": "images/a b"}))
    theirs = yaml.safe_load(path.read_text("utf-8"))
    assert list(theirs["names"].values()) == names == list(read_yaml(path).names)
    assert theirs["train"] == "images/a b"
    for style in (False, None):  # a block, and brackets
        path.write_text(yaml.safe_dump({"names": names, "train": "x"}, default_flow_style=style,
                                       allow_unicode=True), "utf-8")  # fmt: skip
        assert list(read_yaml(path).names) == names


def test_a_real_workspace_of_ocrd(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "kant_ocr_systems" / "mets.xml"
    done = convert(path, tmp_path / "out", file_group="OCR-D-GT-PAGE")
    assert (done.pages, done.regions) == (2, 19)
