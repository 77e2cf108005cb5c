"""Formats of OCR engines, data sets of text, and smaller annotation tools are read by their content."""

# ruff: noqa: E501

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from PIL import Image

from spotlab.errors import BadInput
from spotlab.formats.collection.convert import convert
from spotlab.formats.collection.detect import format_of, truth_files_in
from spotlab.formats.rows.reading import Reading
from spotlab.geometry.rings import parts
from spotlab.model import Ignore, Primitive, Region, Truth
from tests.formats.exchanged import LABELS, blank_page, read, write
from tests.formats.other_formats import BOX, OTHERS


def put(folder: Path, file: str, text: str, size: tuple[int, int] = (80, 60)) -> Path:
    Image.new("L", size, 255).save(folder / "plan.png")
    path = folder / file
    path.write_text(text, "utf-8")
    return path


def only(path: Path, reading: Reading | None = None) -> Truth:
    """The one page of a file of whatever format."""
    [truth] = format_of(path).read_file(path, reading)
    return truth


@pytest.mark.parametrize("name", OTHERS)
def test_each_is_known_by_its_content(tmp_path: Path, name: str) -> None:
    path = put(tmp_path, *OTHERS[name])
    assert format_of(path).name == name
    truth = only(path)
    assert (truth.page.width, truth.page.height) == (80, 60)
    if name == "tesseract-box":
        assert [region.text for region in truth.regions] == ["o", "r"]
        assert truth.regions[1].bounds == (5, 2, 20, 9)
        return
    [region] = truth.regions
    assert region.bounds == BOX
    is_tool = name in ("via", "via-csv", "geojson", "sesyd")
    assert (region.label if is_tool else region.text) == ("sofa" if is_tool else "orders")


@pytest.mark.parametrize("name", OTHERS)
def test_each_is_converted_as_a_folder_is(tmp_path: Path, name: str) -> None:
    (tmp_path / "in").mkdir()
    put(tmp_path / "in", *OTHERS[name])
    (tmp_path / "in" / "run.csv").write_text("query,page,score\norders,plan,0.5\n")
    done = convert(tmp_path / "in", tmp_path / "out.json", "coco")
    assert (done.pages, done.regions) == (1, 2 if name == "tesseract-box" else 1)


@pytest.mark.parametrize("name", [*OTHERS, "dota", "yolo"])
def test_the_image_may_lie_anywhere_in_the_collection(tmp_path: Path, name: str) -> None:
    """Whatever needs it for the size of the page looks where all else does."""
    texts = {"dota": ("plan.txt", "1 2 20 2 20 9 1 9 orders 0\n"),
             "yolo": ("plan.txt", "0 0.5 0.5 0.2 0.2\n")}  # fmt: skip
    truth, scans = tmp_path / "in" / "truth" / "gt", tmp_path / "in" / "deep" / "scanned"
    truth.mkdir(parents=True)
    scans.mkdir(parents=True)
    put(truth, *(OTHERS | texts)[name])
    image = "a01-000u.png" if name == "iam" else "plan.png"
    (truth / "plan.png").rename(scans / image)
    done = convert(tmp_path / "in", tmp_path / "out.json", "coco")
    assert (done.pages, done.regions) == (1, 2 if name == "tesseract-box" else 1)
    content = json.loads((tmp_path / "out.json").read_text())
    assert content["images"][0]["file_name"] == f"in/deep/scanned/{image}"
    if name in ("tesseract-tsv", "iam-form"):  # which say how large the page is
        return
    (scans.parent / "other").mkdir()
    (scans.parent / "other" / image).write_bytes((scans / image).read_bytes())
    with pytest.raises(BadInput, match="2 images are called"):
        convert(tmp_path / "in", tmp_path / "again.json", "coco")


def test_a_table_of_anything_is_no_truth(tmp_path: Path) -> None:
    for name in ("run.csv", "list.tsv", "notes.box"):
        (tmp_path / name).write_text("query\tpage\tscore\n")
    assert truth_files_in(tmp_path)[0] == []


def test_words_of_icdar_that_nobody_could_read_are_ignored(tmp_path: Path) -> None:
    text = ("﻿1,2,20,2,20,9,1,9,###\n30,2,50,2,50,9,30,9,a, b\n30,12,50,12,50,19,30,19,Latin,\"c\"\n"
            "31 32 50 39 \"d e\"\n")  # fmt: skip
    found = only(put(tmp_path, "gt_plan.txt", text)).regions
    assert [(region.text, region.ignore) for region in found] == [
        ("", Ignore.SYMBOL), ("a, b", Ignore.NO), ("c", Ignore.NO), ("d e", Ignore.NO)
    ]  # fmt: skip
    assert found[3].bounds == (31, 32, 50, 39)


def test_lines_and_blocks_of_tesseract(tmp_path: Path) -> None:
    name, text = OTHERS["tesseract-tsv"]
    path = put(tmp_path, name, text + "\n5\t1\t1\t1\t1\t2\t22\t2\t9\t7\t90\tGeneral\n")
    assert [region.text for region in only(path).regions] == ["orders", "General"]
    [line] = only(path, Reading(lines=True)).regions
    assert (line.label, line.text) == ("line", "orders General")
    [block] = only(path, Reading(blocks=True)).regions
    assert (block.label, block.text) == ("block", "orders General")


def test_lines_and_bad_segmentations_of_iam(tmp_path: Path) -> None:
    text = "# lines.txt\na01-000u-00 ok 154 19 1 2 19 7 A|MOVE|to\na01-000u-01 err 154 19 1 12 19 7 stop\n"
    path = put(tmp_path, "lines.txt", text)
    (tmp_path / "a01-000u.png").write_bytes((tmp_path / "plan.png").read_bytes())
    first, second = only(path).regions
    assert (first.label, first.text, first.bounds) == ("line", "A MOVE to", BOX)
    assert (second.text, second.uncertain) == ("stop", True)


def test_words_of_funsd(tmp_path: Path) -> None:
    path = put(tmp_path, *OTHERS["funsd"])
    assert only(path).regions[0].label == "question"
    assert only(path, Reading(words=True)).regions[0].label == "word"


def test_symbols_of_sesyd_in_any_encoding_with_the_bad_one_named(tmp_path: Path) -> None:
    symbols = (
        '<a><s label="door1" x0="9.5" y0="40" x1="1" y1="20"/></a>'
        '<o><s label="tub" x0="1" y0="2" x1="20" y1="9" scale="1.5"/>'
        '<s label="bad" x0="1" y0="2" x1="20"/><s label="worse"/></o><s x0="1" y0="1" x1="3" y1="3"/>'
    )
    path = put(tmp_path, "plan.xml", "")
    path.write_bytes(
        f'<?xml version="1.0" encoding="UTF-16"?><g:t xmlns:g="u">{symbols}</g:t>'.encode("utf-16")
    )
    reading = Reading()
    door, tub = only(path, reading).regions
    assert (door.label, door.bounds, door.primitive) == ("door1", (1, 20, 9.5, 40), Primitive.BOX)
    assert (tub.label, dict(tub.attributes)) == ("tub", {"scale": "1.5"})
    problems = [finding.problem for finding in reading.findings]
    assert problems == ["y1 is missing", "x0 is missing", "the label is missing"]


def test_shapes_of_via(tmp_path: Path) -> None:
    shapes = [
        {"name": "circle", "cx": 20, "cy": 20, "r": 5},
        {"name": "ellipse", "cx": 40, "cy": 30, "rx": 20, "ry": 5, "theta": math.pi / 2},
        {"name": "polygon", "all_points_x": [1, 9, 9], "all_points_y": [1, 1, 9]},
        {"name": "point", "cx": 1, "cy": 1},
    ]
    regions = {str(n): {"shape_attributes": shape, "region_attributes": {"kind": f"k{n}", "text": "t", "side": "left"}}
               for n, shape in enumerate(shapes)}  # fmt: skip
    path = put(
        tmp_path,
        "via.json",
        json.dumps({"plan.png9": {"filename": "plan.png", "regions": regions}}),
    )
    reading = Reading()
    circle, ellipse, polygon, point = only(path, reading).regions
    assert point.corners.tolist() == [[1, 1]]
    assert circle.bounds == pytest.approx((15, 15, 25, 25))
    assert ellipse.bounds == pytest.approx((35, 10, 45, 50))
    assert (polygon.primitive, polygon.label, polygon.text) == (Primitive.POLYGON, "k2", "t")
    assert dict(polygon.attributes) == {"side": "left"}
    [labels] = [truth.labels for truth in read("via", put(tmp_path, *OTHERS["via"]))]
    assert [label.name for label in labels] == ["bed", "sofa"]


RING = (*((0.0, 0.0), (30.0, 0.0), (30.0, 30.0), (0.0, 30.0), (0.0, 0.0)),
        *((10.0, 10.0), (10.0, 20.0), (20.0, 20.0), (20.0, 10.0), (10.0, 10.0)))  # fmt: skip


def test_geojson_keeps_parts_holes_and_the_size(tmp_path: Path) -> None:
    page = blank_page(tmp_path)
    two = (*((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 0.0)),
           *((50.0, 50.0), (59.0, 50.0), (59.0, 59.0), (50.0, 50.0)))  # fmt: skip
    regions = (
        Region(RING, "sofa", "r1", text="t", comment="c", uncertain=True),
        Region(two, "wash basin", "r2", ignore=Ignore.AREA),
    )
    path = tmp_path / "plan.geojson"
    write("geojson", [Truth(page, regions, LABELS)], path)
    kinds = [each["geometry"]["type"] for each in json.loads(path.read_text())["features"]]
    assert kinds == ["Polygon", "MultiPolygon"]
    page.image.unlink()
    [again] = read("geojson", path)
    assert (again.page.width, again.labels) == (400, LABELS)
    for region, other in zip(regions, again.regions, strict=True):
        assert other.area == pytest.approx(region.area)
        assert [len(part) for part in parts(other.array)] == [
            len(part) for part in parts(region.array)
        ]
        assert (other.label, other.text, other.comment, other.uncertain, other.ignore, other.id) == (
            region.label, region.text, region.comment, region.uncertain, region.ignore, region.id)  # fmt: skip


def test_geojson_of_qgis_counts_upwards(tmp_path: Path) -> None:
    ring = [[1, -2], [20, -2], [20, -9], [1, -9], [1, -2]]
    feature = {"type": "Feature", "properties": {"class": "sofa", "note": "n"},
               "geometry": {"type": "Polygon", "coordinates": [ring]}}  # fmt: skip
    line = {
        "type": "Feature",
        "properties": {},
        "geometry": {"type": "LineString", "coordinates": ring},
    }
    path = put(
        tmp_path,
        "plan.json",
        json.dumps({"type": "FeatureCollection", "features": [feature, line]}),
    )
    reading = Reading()
    region, line = only(path, reading).regions
    assert line.corners.tolist() == [[x, -y] for x, y in ring]
    assert (region.label, region.bounds) == ("sofa", BOX)
    told = " ".join(map(str, reading.findings))
    assert "turned round" in told
    assert dict(region.attributes) == {"note": "n"}


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("above", ["", "sep={mark}\n"])
def test_a_table_of_via_has_any_separator(tmp_path: Path, mark: str, above: str) -> None:
    names = ["filename", "file_size", "file_attributes", "region_count", "region_id",
             "region_shape_attributes", "region_attributes"]  # fmt: skip
    shape = '"{""name"":""rect"",""x"":1,""y"":2,""width"":19,""height"":7}"'
    row = ["plan.png", "1", '"{}"', "1", "0", shape, '"{""label"":""sofa"",\n""note"":""n""}"']
    text = above.format(mark=mark) + mark.join(names) + "\n" + mark.join(row) + "\n"
    [region] = only(put(tmp_path, "via.csv", text)).regions
    assert (region.label, region.bounds) == ("sofa", BOX)


def test_a_feature_without_a_place_is_no_error(tmp_path: Path) -> None:
    """As GeoJSON allows it, and QGIS writes it."""
    ring = [[1, 2], [20, 2], [20, 9], [1, 9], [1, 2]]
    places = [{"type": "Polygon", "coordinates": [ring]}, None]
    features = [{"type": "Feature", "properties": {"class": "sofa"}, "geometry": each}
                for each in places]  # fmt: skip
    content = json.dumps({"type": "FeatureCollection", "features": features})
    truth = only(put(tmp_path, "plan.geojson", content), Reading(strict=True))
    assert [region.bounds for region in truth.regions] == [BOX]
