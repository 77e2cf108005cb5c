"""What other programs read of our files, by loaders written after their own: nothing of ours helps.

labelme's `LabelFile.load`, CVAT's loader of "CVAT for images 1.1", Label Studio's converter, the
loader of Ultralytics' YOLO, DOTA's development kit, CubiCasa5k's loader and ICDAR's evaluation of
2015 are followed in what they require, ignore and compute.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.dom import minidom
from xml.dom.minidom import Element
from xml.etree import ElementTree

import pytest
import shapely
from PIL import Image

from spotlab.model import Ignore, Label, LabelSet, Page, Primitive, Region, Truth
from tests.formats.exchanged import read, write

Shapes = list[tuple[str, shapely.Geometry]]
WIDTH, HEIGHT = 80, 60
UPRIGHT = ((2, 3), (12, 3), (12, 8), (2, 8))
TURNED = ((20, 10), (40, 20), (35, 30), (15, 20))
CORNERED = ((50, 10), (70, 12), (60, 30))


def truth_in(folder: Path) -> Truth:
    Image.new("L", (WIDTH, HEIGHT), 255).save(folder / "plan.png")
    regions = (
        Region(UPRIGHT, "wash basin", "r1", primitive=Primitive.BOX),
        Region(CORNERED, "sofa", "r2", primitive=Primitive.POLYGON),
        Region(TURNED, "bed", "r3", primitive=Primitive.BOX),
    )
    labels = LabelSet(tuple(Label(name, "#808080") for name in ("sofa", "wash basin", "bed")))
    return Truth(Page(folder / "plan.png", WIDTH, HEIGHT), regions, labels)


def labelme(folder: Path) -> Shapes:
    data = json.loads((folder / "plan.json").read_text("utf-8"))
    assert {"version", "imageData", "imagePath", "shapes", "flags"} <= set(data)
    assert (folder / data["imagePath"]).exists() or data["imageData"] is not None
    with Image.open(folder / data["imagePath"]) as image:
        assert image.size == (data["imageWidth"], data["imageHeight"])
    found: Shapes = []
    for shape in data["shapes"]:
        points = shape["points"]
        assert isinstance(shape.get("flags", {}), dict)
        assert shape.get("group_id") is None or isinstance(shape["group_id"], int)
        if shape["shape_type"] == "rectangle":
            (left, top), (right, bottom) = points  # two corners, or it refuses
            outline = shapely.box(left, top, right, bottom)
        else:
            assert shape["shape_type"] == "polygon" and len(points) > 2
            outline = shapely.Polygon(points)
        found.append((shape["label"], outline))
    return found


def turned(
    centre: tuple[float, float], sides: tuple[float, float], angle: float
) -> shapely.Polygon:
    """A box that is turned clockwise, as one sees it, by degrees around its centre."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    half = [(x * sides[0] / 2, y * sides[1] / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return shapely.Polygon(
        [(centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos) for x, y in half]
    )


def cvat(folder: Path) -> Shapes:
    root = ElementTree.parse(folder / "cvat.xml").getroot()
    assert root.tag == "annotations" and root.findtext("version") == "1.1"
    declared = {label.findtext("name") for label in root.iter("label")}
    (image,) = root.iter("image")
    assert image.attrib["name"] == "plan.png" and image.attrib["id"] == "0"
    assert (image.attrib["width"], image.attrib["height"]) == (str(WIDTH), str(HEIGHT))
    found: Shapes = []
    for shape in image:
        label = shape.attrib["label"]
        assert label in declared and shape.attrib["occluded"] in "01"
        assert int(shape.attrib["z_order"]) == 0
        if shape.tag == "box":
            left, top, right, bottom = (
                float(shape.attrib[name]) for name in ("xtl", "ytl", "xbr", "ybr")
            )
            centre, sides = ((left + right) / 2, (top + bottom) / 2), (right - left, bottom - top)
            outline = turned(centre, sides, float(shape.attrib.get("rotation", 0)))
        else:
            assert shape.tag == "polygon"
            pairs = [pair.split(",") for pair in shape.attrib["points"].split(";")]
            outline = shapely.Polygon([(float(x), float(y)) for x, y in pairs])
        found.append((label, outline))
    return found


def label_studio(folder: Path) -> Shapes:
    (task,) = json.loads((folder / "tasks.json").read_text("utf-8"))
    assert any(str(value).endswith("plan.png") for value in task["data"].values())
    (annotation,) = task["annotations"]
    found: Shapes = []
    for result in annotation["result"]:
        if result["type"] not in ("rectanglelabels", "polygonlabels"):
            continue
        width, height = result["original_width"], result["original_height"]
        value = result["value"]
        (label,) = value[result["type"]]
        assert result["from_name"] and result["to_name"]
        if result["type"] == "polygonlabels":
            points = [(x * width / 100, y * height / 100) for x, y in value["points"]]
            found.append((label, shapely.Polygon(points)))
            continue
        left, top = value["x"] * width / 100, value["y"] * height / 100
        sides = (value["width"] * width / 100, value["height"] * height / 100)
        upright = shapely.box(left, top, left + sides[0], top + sides[1])
        angle = value.get("rotation", 0)  # clockwise, around the left upper corner
        found.append((label, shapely.affinity.rotate(upright, angle, origin=(left, top))))
    return found


def yolo_lines(folder: Path) -> list[tuple[str, list[float]]]:
    """Class names and numbers; a number outside [0, 1], or a doubled line, and it is no label."""
    text = (folder / "data.yaml").read_text("utf-8")
    names = [
        line.partition(":")[2].strip().strip("'\"")
        for line in text.partition("names:")[2].splitlines()
        if ":" in line
    ]
    lines = (folder / "labels" / "plan.txt").read_text("utf-8").splitlines()
    assert len(set(lines)) == len(lines)
    found = []
    for line in lines:
        number, *values = line.split()
        assert all(0 <= float(value) <= 1 for value in values)
        found.append((names[int(number)], [float(value) for value in values]))
    return found


def yolo(folder: Path) -> Shapes:
    found: Shapes = []
    for name, (x, y, width, height) in yolo_lines(folder):
        box = shapely.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        found.append((name, shapely.affinity.scale(box, WIDTH, HEIGHT, origin=(0, 0))))
    return found


def yolo_corners(folder: Path) -> Shapes:
    return [
        (
            name,
            shapely.Polygon(
                [(x * WIDTH, y * HEIGHT) for x, y in zip(values[::2], values[1::2], strict=True)]
            ),
        )
        for name, values in yolo_lines(folder)
    ]


def dota(folder: Path) -> Shapes:
    """As parse_dota_poly2 does: words are apart by one blank, and short lines are skipped."""
    found: Shapes = []
    for line in (folder / "plan.txt").read_text("utf-8").splitlines():
        words = line.strip().split(" ")
        if len(words) < 9:
            continue
        assert words[9] in ("0", "1")
        values = [float(word) for word in words[:8]]
        corners = list(zip(values[::2], values[1::2], strict=True))
        found.append((words[8].replace("-", " "), shapely.Polygon(corners)))
    return found


def cubicasa_points(group: Element) -> list[tuple[float, float]]:
    """What follows the last blank is thrown away; pairs have no blank."""
    polygon = next(node for node in group.childNodes if node.nodeName == "polygon")
    pairs = [pair.split(",") for pair in polygon.getAttribute("points").split(" ")[:-1]]
    return [(float(x), float(y)) for x, y in pairs]


def cubicasa(folder: Path) -> Shapes:
    """As House does: walls and icons have four corners, and what is in no class is ignored."""
    (own,) = (folder / "train.txt").read_text("utf-8").split()
    found: Shapes = []
    for group in minidom.parse(f"{folder}{own}/model.svg").getElementsByTagName("g"):
        classes = group.getAttribute("class")
        if group.getAttribute("id") in ("Wall", "Window", "Door"):
            points = cubicasa_points(group)
            assert len(points) == 4
            found.append((group.getAttribute("id"), shapely.Polygon(points)))
        elif "Space " in classes:
            found.append((classes.split(" ")[1], shapely.Polygon(cubicasa_points(group))))
        elif "FixedFurniture " in classes:
            words = group.getAttribute("transform").split(",")
            assert [float(words[0][7:]), float(words[-1][:-1])] == [1, 0]
            (boundary,) = (node for node in group.childNodes
                           if node.getAttribute("class") == "BoundaryPolygon")  # fmt: skip
            points = cubicasa_points(boundary)
            assert len(points) == 4
            found.append((classes.split(" ")[1], shapely.Polygon(points)))
    return found


def test_cubicasa5k_takes_rooms_walls_and_furniture(tmp_path: Path) -> None:
    """Names that it does not know are furniture that it ignores; ours are read again."""
    labels = ("wall", "Door", "LivingRoom", "sink", "Space heater")
    truth = truth_in(tmp_path)
    outlines = (TURNED, UPRIGHT, CORNERED, UPRIGHT, CORNERED)
    regions = [Region(points, label, comment=f"Space {label}")
               for label, points in zip(labels, outlines, strict=True)]  # fmt: skip
    truth = replace(truth, regions=tuple(regions))
    assert "1 outline became the smallest turned box around it" in write(
        "cubicasa5k", [truth], tmp_path
    )
    found = cubicasa(tmp_path)
    assert [name for name, _ in found] == ["Wall", "Door", "LivingRoom", "sink", "Misc"]
    for (_, outline), points in zip(found[:4], outlines, strict=False):
        assert outline.symmetric_difference(shapely.Polygon(points)).area < 0.01
    again = read("cubicasa5k", tmp_path / "plan" / "model.svg")[0].regions
    assert [each.label for each in again] == list(labels)
    assert [each.comment for each in again] == [each.comment for each in regions]


def test_icdar_takes_the_words_that_were_written(tmp_path: Path) -> None:
    """Its evaluation refuses a file of which one line is not eight whole numbers and a text."""
    texts = ["Latin,a", "a, b", "", '"x"', "###"]
    regions = [Region(((2.4, 3), (12, 3), (12, 8 + row), (2, 8)), "word", f"r{row}",
                      Primitive.POLYGON, text=text)
               for row, text in enumerate(texts)]  # fmt: skip
    ignored = Region(UPRIGHT, "sofa", "i", text="lost", ignore=Ignore.SYMBOL)
    truth = replace(truth_in(tmp_path), regions=(*regions, ignored))
    assert write("icdar", [truth], tmp_path) == [
        "1 region got the only label that there is", "5 outlines were rounded to whole px",
        "2 outlines of other kinds with the corners of a box became boxes",
        "1 text was left out", "2 labels without regions were left out",
        "1 colour of a label was left out",
    ]  # fmt: skip
    lines = (tmp_path / "plan.txt").read_text("utf-8").splitlines()
    found = [re.fullmatch(r"(?:\s*-?[0-9]+\s*,){8}(.*)", line) for line in lines]
    assert [match and match[1] for match in found] == [
        '"Latin,a"', "a, b", "", '""x""', '"###"', "###"
    ]  # fmt: skip
    again = read("icdar", tmp_path / "plan.txt")[0].regions
    assert [region.text for region in again] == [*texts, ""]
    assert [region.ignored for region in again] == [False] * 5 + [True]


@pytest.mark.parametrize(
    ("name", "target", "load", "boxes"),
    [
        ("labelme", "", labelme, False),
        ("cvat", "cvat.xml", cvat, False),
        ("label-studio", "tasks.json", label_studio, False),
        ("yolo-seg", "", yolo_corners, False),
        ("yolo-obb", "", yolo_corners, True),
        ("yolo", "", yolo, True),
        ("dota", "", dota, True),
    ],
)
def test_another_loader_reads_what_was_written(
    name: str, target: str, load: Callable[[Path], Shapes], boxes: bool, tmp_path: Path
) -> None:
    lost = write(name, [truth_in(tmp_path)], tmp_path / target)
    wanted = [("wash basin", UPRIGHT), ("sofa", CORNERED), ("bed", TURNED)]
    found = load(tmp_path)
    assert [label for label, _ in found] == [label for label, _ in wanted]
    for (label, outline), (_, points) in zip(found, wanted, strict=True):
        expected = shapely.Polygon(points)
        if boxes and outline.symmetric_difference(expected).area > 0.01:
            assert any("became" in line for line in lost), label  # the loss is named
            assert outline.buffer(1e-3).covers(expected)
        else:
            assert outline.symmetric_difference(expected).area < 0.01, label
