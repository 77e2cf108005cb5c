"""Every shape that has an outline becomes a region, whichever program drew it."""

from __future__ import annotations

import base64
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from spotlab.formats.page.masks import brush_mask
from spotlab.model import Primitive, Region
from tests.formats.exchanged import blank_page, read

TURNED = [(190.0, 160.0), (210.0, 140.0), (220.0, 150.0), (200.0, 170.0)]
BOX = (100.0, 50.0, 160.0, 90.0)


def labelme(folder: Path, shape: dict[str, Any]) -> Region:
    path = folder / "plan.json"
    path.write_text(json.dumps({"imagePath": "plan.png", "shapes": [{"label": "s", **shape}]}))
    return read("labelme", path)[0].regions[0]


def coco(folder: Path, annotation: dict[str, Any]) -> Region:
    path = folder / "plan.json"
    path.write_text(json.dumps({
        "images": [{"id": 1, "file_name": "plan.png"}], "categories": [{"id": 1, "name": "s"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, **annotation}],
    }))  # fmt: skip
    return read("coco", path)[0].regions[0]


def voc(folder: Path, inner: str, name: str = "voc") -> Region:
    path = folder / "plan.xml"
    path.write_text(f"<annotation><filename>plan.png</filename><object><name>s</name>{inner}"
                    "</object></annotation>")  # fmt: skip
    return read(name, path)[0].regions[0]


def cvat(folder: Path, shape: str) -> Region:
    path = folder / "plan.xml"
    path.write_text(f'<annotations><image name="plan.png">{shape}</image></annotations>')
    return read("cvat", path)[0].regions[0]


def label_studio(folder: Path, kind: str, value: dict[str, Any]) -> Region:
    path = folder / "plan.json"
    result = {"type": kind, "id": "x", "value": value}
    path.write_text(json.dumps([{"data": {"image": "plan.png"}, "annotations": [
        {"result": [result]}]}]))  # fmt: skip
    return read("label-studio", path)[0].regions[0]


@pytest.fixture(autouse=True)
def _page(tmp_path: Path) -> None:
    blank_page(tmp_path)


def picture(mask: np.ndarray[Any, Any], mode: str) -> str:
    buffer = io.BytesIO()
    Image.fromarray(mask.astype(np.uint8) * (1 if mode == "L" else 255)).convert(mode).save(
        buffer, "PNG"
    )
    return base64.b64encode(buffer.getvalue()).decode()


MASK = np.zeros((9, 12), bool)
MASK[2:7, 3:10] = True
MASK[4, 5] = False


@pytest.mark.parametrize(
    "kind", ["rotation", "quadrilateral", "oriented_rectangle", "rotated_rectangle", "polygon"]
)
def test_labelme_corners_of_any_kind(tmp_path: Path, kind: str) -> None:
    region = labelme(tmp_path, {"shape_type": kind, "points": TURNED, "direction": 5.5})
    assert list(region.points) == TURNED
    assert (region.primitive is Primitive.BOX) == (kind != "polygon")


@pytest.mark.parametrize("kind", ["rectangle", "rotation", "rotated_rectangle"])
@pytest.mark.parametrize("key", ["rotation", "angle"])
def test_labelme_two_corners_and_an_angle(tmp_path: Path, kind: str, key: str) -> None:
    region = labelme(tmp_path, {"shape_type": kind, "points": [[10, 20], [50, 40]], key: 90})
    assert (region.primitive, region.bounds) == (Primitive.BOX, (20, 10, 40, 50))


@pytest.mark.parametrize("mode", ["L", "1", "RGB"])
def test_a_mask_of_labelme(tmp_path: Path, mode: str) -> None:
    shape = {"shape_type": "mask", "points": [[20, 30], [31, 38]], "mask": picture(MASK, mode)}
    region = labelme(tmp_path, shape)
    assert (region.bounds, region.area) == ((23, 32, 30, 37), MASK.sum())


@pytest.mark.parametrize("points", [[[160, 90], [100, 50]], [[160, 50], [100, 90]]])
def test_swapped_corners_are_put_right(tmp_path: Path, points: list[list[float]]) -> None:
    (x1, y1), (x2, y2) = points
    found = [
        labelme(tmp_path, {"shape_type": "rectangle", "points": points}),
        coco(tmp_path, {"bbox": [x1, y1, x2 - x1, y2 - y1]}),
        cvat(tmp_path, f'<box label="s" xtl="{x1}" ytl="{y1}" xbr="{x2}" ybr="{y2}"/>'),
        voc(tmp_path, f"<bndbox><xmin>{x1 + (x1 < x2)}</xmin><ymin>{y1 + (y1 < y2)}</ymin>"
                      f"<xmax>{x2 + (x2 < x1)}</xmax><ymax>{y2 + (y2 < y1)}</ymax></bndbox>"),
        label_studio(tmp_path, "rectanglelabels", {
            "x": x1 / 4, "y": y1 / 3, "width": (x2 - x1) / 4, "height": (y2 - y1) / 3}),
    ]  # fmt: skip
    for region in found:
        assert region.bounds == pytest.approx(BOX)
        assert np.roll(region.array, 0, 0)[0].tolist() == pytest.approx(BOX[:2])


def test_boxes_that_are_turned(tmp_path: Path) -> None:
    left, top, right, bottom = BOX
    x, y, width, height = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
    edges = (f"<bndbox><xmin>{left + 1}</xmin><ymin>{top + 1}</ymin><xmax>{right}</xmax>"
             f"<ymax>{bottom}</ymax></bndbox>")  # fmt: skip
    found = [
        coco(tmp_path, {"bbox": [left, top, width, height], "attributes": {"rotation": 30.0}}),
        cvat(tmp_path, f'<box label="s" xtl="{left}" ytl="{top}" xbr="{right}" ybr="{bottom}" '
                       'rotation="30"/>'),
        voc(tmp_path, f"<robndbox><cx>{x}</cx><cy>{y}</cy><w>{width}</w><h>{height}</h><angle>"
                      f"{math.radians(30)}</angle></robndbox>"),
        voc(tmp_path, f"{edges}<attributes><attribute><name>rotation</name><value>30.0</value>"
                      "</attribute></attributes>"),
    ]  # fmt: skip
    for region in found:
        assert region.primitive is Primitive.BOX
        assert region.area == pytest.approx(width * height)
        assert region.array == pytest.approx(found[0].array)
    assert found[0].bounds != pytest.approx(BOX)


def test_outlines_in_voc(tmp_path: Path) -> None:
    edges = "<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox>"
    ring = [(10.0, 20.0), (40.0, 20.0), (30.0, 70.0)]
    numbered = "".join(f"<x{i}>{x}</x{i}><y{i}>{y}</y{i}>" for i, (x, y) in enumerate(ring, 1))
    points = "".join(f"<pt><x>{x}</x><y>{y}</y></pt>" for x, y in ring)
    corners = zip(("left_top", "right_top", "right_bottom", "left_bottom"), TURNED, strict=True)
    named = "".join(f"<x_{name}>{x}</x_{name}><y_{name}>{y}</y_{name}>" for name, (x, y) in corners)
    assert list(voc(tmp_path, f"{edges}<polygon>{numbered}</polygon>").points) == ring
    assert list(voc(tmp_path, f"<robndbox>{named}</robndbox>").points) == TURNED
    web = f"<polygon><username>anna</username>{points}</polygon>"
    assert list(voc(tmp_path, web, "labelme-web").points) == ring


def brush(mask: np.ndarray[Any, Any]) -> list[int]:
    """Run lengths of a mask as Label Studio writes them, each value four times."""
    values = np.repeat(mask.ravel().astype(np.uint8) * 255, 4)
    bits = f"{len(values):032b}{7:05b}{2:04b}{3:04b}{4:04b}{15:04b}"
    for start in range(0, len(values), 4):
        bits += f"1{0:02b}{3:03b}{values[start]:08b}"
    bits += "0" * (-len(bits) % 8)
    return [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]


def test_a_brush_of_label_studio(tmp_path: Path) -> None:
    assert (brush_mask(brush(MASK), 12, 9) == MASK).all()
    large = np.zeros((300, 400), bool)
    large[100:120, 50:90] = True
    value = {"format": "rle", "rle": brush(large), "brushlabels": ["ink"]}
    region = label_studio(tmp_path, "brushlabels", value)
    assert (region.label, region.bounds, region.area) == ("ink", (50, 100, 90, 120), 800)


def test_the_brush_of_label_studio_is_read_as_its_converter_writes_it() -> None:
    converter = pytest.importorskip("label_studio_sdk.converter.brush", exc_type=ImportError)
    random = np.random.default_rng(0).random((40, 30)) < 0.3
    coded = converter.mask2rle(random.astype(np.uint8) * 255)
    assert (brush_mask(coded, 30, 40) == random).all()
