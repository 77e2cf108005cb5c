"""Lines and points leave as other tools have them, or their loss is named, and come back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spotlab.formats.collection.dataset import Dataset
from spotlab.formats.collection.detect import format_of, known_formats
from spotlab.formats.collection.export import ExportChoice, export
from spotlab.formats.rows.reading import Reading
from spotlab.geometry.primitives import there_and_back
from spotlab.model import Page, Primitive, Region, Truth

LINE, SHORT, POINT = [(5, 5), (40, 5), (40, 30)], [(1, 1), (9, 1)], [(60.0, 20.0)]


def truth() -> Truth:
    shapes = (LINE, Primitive.LINE), (SHORT, Primitive.LINE), (POINT, Primitive.POINT)
    regions = [
        Region(tuple(map(tuple, there_and_back(corners).tolist())), "pipe", f"r{n}", kind)
        for n, (corners, kind) in enumerate(shapes)
    ]
    box = Region(((10, 10), (20, 10), (20, 20), (10, 20)), "bed", "box", Primitive.BOX)
    return Truth(Page(Path("plan.png"), 80, 60), (*regions, box))


def written(folder: Path, name: str) -> tuple[Path, tuple[str, ...]]:
    format = known_formats()[name]
    target = folder / f"out{format.suffixes[0]}" if format.many_pages else folder / "out"
    done = export([truth()], target, ExportChoice(Dataset(format)))
    files = [target] if format.many_pages else sorted(target.rglob("plan.*"))
    return files[0], done.remarks


@pytest.mark.parametrize("name", ["page", "labelme", "cvat", "geojson"])
def test_they_come_back_from_formats_that_have_them(tmp_path: Path, name: str) -> None:
    file, remarks = written(tmp_path, name)
    assert not any("line or point" in remark for remark in remarks)
    [again] = format_of(file).read_file(file)
    assert [region.primitive for region in again.regions] == [
        Primitive.LINE, Primitive.LINE, Primitive.POINT, Primitive.BOX,
    ]  # fmt: skip
    found = [[tuple(corner) for corner in region.corners.tolist()] for region in again.regions[:3]]
    assert found == [LINE, SHORT, POINT]
    assert [region.label for region in again.regions] == ["pipe", "pipe", "pipe", "bed"]


@pytest.mark.parametrize("name", ["coco", "voc", "yolo", "yolo-seg", "yolo-obb", "label-studio"])
def test_other_formats_leave_them_out_and_say_so(tmp_path: Path, name: str) -> None:
    file, remarks = written(tmp_path, name)
    assert any("3 lines or points were left out" in remark for remark in remarks)
    assert "pipe" not in file.read_text() or name == "coco"  # which has all labels


def test_they_are_the_shapes_of_the_tools(tmp_path: Path) -> None:
    file, _ = written(tmp_path / "l", "labelme")
    kinds = [shape["shape_type"] for shape in json.loads(file.read_text())["shapes"]]
    assert kinds == ["linestrip", "linestrip", "point", "rectangle"]
    file, _ = written(tmp_path / "g", "geojson")
    kinds = [each["geometry"]["type"] for each in json.loads(file.read_text())["features"]]
    assert kinds == ["LineString", "LineString", "Point", "Polygon"]
    file, _ = written(tmp_path / "c", "cvat")
    assert file.read_text().count("<polyline ") == 2 and file.read_text().count("<points ") == 1


def test_one_that_leaves_the_page_is_moved_to_its_edge_where_it_has_to_stay(tmp_path: Path) -> None:
    outside = Region(tuple(map(tuple, there_and_back([(-5, 5), (90, 5)]).tolist())), "pipe",
                     primitive=Primitive.LINE)  # fmt: skip
    done = export([Truth(Page(Path("plan.png"), 80, 60), (outside,))], tmp_path / "out",
                  ExportChoice(Dataset(known_formats()["page"])))  # fmt: skip
    assert any("cut at the page's edge" in remark for remark in done.remarks)
    [again] = format_of(tmp_path / "out" / "plan.xml").read_file(tmp_path / "out" / "plan.xml")
    assert again.regions[0].corners.tolist() == [[0, 5], [80, 5]]


def test_key_points_and_vectors_of_label_studio(tmp_path: Path) -> None:
    """A vector that is closed is a polygon."""
    corners = [(5, 5), (40, 5), (40, 30)]
    vertices = [{"id": str(at), "x": x / 0.8, "y": y / 0.6} for at, (x, y) in enumerate(corners)]
    values = [
        ("keypointlabels", {"x": 75, "y": 50, "width": 0.4, "keypointlabels": ["tap"]}),
        ("vectorlabels", {"vertices": vertices, "closed": False, "vectorlabels": ["pipe"]}),
        ("vectorlabels", {"vertices": vertices, "closed": True, "vectorlabels": ["bed"]}),
        ("vectorlabels", {"vertices": vertices[:1], "vectorlabels": ["short"]}),
    ]
    size = {"original_width": 80, "original_height": 60}
    results = [{"id": str(at), "type": kind, "value": value, **size}
               for at, (kind, value) in enumerate(values)]  # fmt: skip
    task = {"data": {"image": "plan.png"}, "annotations": [{"result": results}]}
    (tmp_path / "e.json").write_text(json.dumps([task]))
    reading = Reading()
    [truth] = format_of(tmp_path / "e.json").read_file(tmp_path / "e.json", reading)
    assert [(each.label, each.primitive) for each in truth.regions] == [
        ("tap", Primitive.POINT), ("pipe", Primitive.LINE), ("bed", Primitive.POLYGON),
    ]  # fmt: skip
    point, line, polygon = (
        [tuple(map(round, corner)) for corner in each.corners.tolist()] for each in truth.regions
    )
    assert (point, line, polygon) == ([(60, 30)], corners, corners)
    assert [finding.place for finding in reading.findings if finding.kind == "left out"]
