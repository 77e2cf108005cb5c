"""COCO, labelme, Pascal VOC, ALTO, CVC-FP and BPMN: what is read, goes round and is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from lxml import etree
from PIL import Image
from pycocotools import mask as mask_of_coco

from spotlab.errors import BadInput
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.page.masks import _trace, run_lengths_from_text
from spotlab.formats.rows.reading import Reading
from spotlab.geometry.polygon import area, as_points, even_odd_geometry
from spotlab.geometry.rings import join_rings
from spotlab.model import Label, LabelSet, Page, Primitive, Region, Truth
from tests.formats.exchanged import write

HULL = Region(((1.5, 1), (20, 1), (20, 9)), "sofa", "r1", uncertain=True, comment="ö", text="t")
BOX = Region(((2, 3), (12, 3), (12, 8), (2, 8)), "wash basin", "r2", primitive=Primitive.BOX)
BARE = Region(((5, 5), (9, 5), (9, 9), (4, 9)), "", "r3", primitive=Primitive.POLYGON)
LABELS = LabelSet((Label("sofa", "#102030", "1"), Label("wash basin", "#405060", "2")))


def read(name: str, path: Path) -> list[Truth]:
    return known_formats()[name].read_file(path)


def findings(name: str, path: Path) -> list[str]:
    reading = Reading()
    known_formats()[name].read_file(path, reading)
    return [line for line in map(str, reading.findings) if "image that is not there" not in line]


def truth_in(folder: Path, name: str = "plan.png") -> Truth:
    Image.new("L", (80, 60), 255).save(folder / name)
    return Truth(Page(folder / name, 80, 60), (HULL, BOX, BARE), LABELS)


def test_coco_goes_round(tmp_path: Path) -> None:
    first = truth_in(tmp_path, "a.png")
    first = replace(first, page=replace(first.page, checked=True))
    second = replace(truth_in(tmp_path, "b.png"), regions=(BOX,))
    write("coco", [first, second], tmp_path / "all.json")
    first = replace(first, regions=(HULL, BOX))  # others need a category for each annotation
    assert read("coco", tmp_path / "all.json") == [first, second]
    content = json.loads((tmp_path / "all.json").read_text())
    box = next(a for a in content["annotations"] if a["spotlab"]["id"] == "r2")
    assert (box["bbox"], box["area"], box["iscrowd"]) == ([2, 3, 10, 5], 50, 0)
    assert {category["id"]: category["name"] for category in content["categories"]} == {
        1: "sofa", 2: "wash basin",
    }  # fmt: skip
    for annotation in content["annotations"]:  # as another reader takes it
        ring = np.reshape(annotation["segmentation"][0], (-1, 2))
        assert shapely.Polygon(ring).area == pytest.approx(annotation["area"])


def coco(annotation: dict[str, object]) -> dict[str, object]:
    return {
        "images": [{"id": 7, "file_name": "plan.png", "width": 80, "height": 60}],
        "categories": [{"id": 3, "name": "sofa"}],
        "annotations": [{"id": 1, "image_id": 7, "category_id": 3, **annotation}],
    }


def test_coco_of_others(tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    path.write_text(json.dumps(coco({"bbox": [1, 2, 3, 4]})))
    (region,) = read("coco", path)[0].regions
    assert region.points == ((1, 2), (4, 2), (4, 6), (1, 6))
    assert (region.label, region.primitive, region.id) == ("sofa", Primitive.BOX, "r1")
    rings = [[0, 0, 10, 0, 10, 10, 0, 10], [2, 2, 8, 2, 8, 8, 2, 8], [20, 0, 24, 0, 24, 4, 20, 4]]
    path.write_text(json.dumps(coco({"segmentation": rings, "bbox": [0, 0, 1, 1]})))
    (region,) = read("coco", path)[0].regions
    assert region.area == 100 - 36 + 16


def test_coco_run_lengths(tmp_path: Path) -> None:
    mask = np.zeros((60, 80), bool)
    mask[5:20, 10:40] = True
    mask[8:10, 12:20] = False  # a hole
    mask[19, 39] = False
    mask[20, 40] = True  # touches by a corner
    flat = mask.T.ravel()
    edges = np.flatnonzero(np.diff(flat.astype(int))) + 1
    counts = np.diff([0, *edges, flat.size]).tolist()
    path = tmp_path / "all.json"
    segmentation = {"size": [60, 80], "counts": counts}
    path.write_text(json.dumps(coco({"segmentation": segmentation, "iscrowd": 1})))
    (region,) = read("coco", path)[0].regions
    assert region.area == mask.sum()
    centres = [(x + 0.5, y + 0.5) for y, x in np.argwhere(mask)]
    assert shapely.contains_xy(even_odd_geometry(region.array), *np.transpose(centres)).all()
    theirs = mask_of_coco.encode(np.asfortranarray(mask.astype(np.uint8)))
    packed = {"size": [60, 80], "counts": theirs["counts"].decode()}
    path.write_text(json.dumps(coco({"segmentation": packed, "iscrowd": 1})))
    assert read("coco", path)[0].regions[0].points == region.points
    for counts in ("abc", "5 2", "~", "P" * 50):
        path.write_text(json.dumps(coco({"segmentation": {"size": [60, 80], "counts": counts}})))
        with pytest.raises(
            BadInput, match=r"segmentation.counts: the value is not compressed run len"
        ):
            read("coco", path)


def test_run_lengths_are_unpacked_as_coco_packs_them() -> None:
    chance = np.random.default_rng(0)
    for _ in range(50):
        height, width = chance.integers(1, 120, 2)
        mask = np.asfortranarray(chance.random((height, width)) < chance.random(), np.uint8)
        counts = run_lengths_from_text(mask_of_coco.encode(mask)["counts"].decode())
        ink = np.repeat(np.arange(len(counts)) % 2, counts)
        assert (mask == ink.reshape(width, height).T).all()


def test_tracing_random_masks() -> None:
    draw = np.random.default_rng(1)
    for _ in range(60):
        mask = (draw.random((6, 7)) < 0.5).astype(np.uint8)
        rings = [as_points(ring) for ring in _trace(mask)]
        assert area(join_rings(rings)) == mask.sum()


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"image_id": 9}, r"annotations\[0\]: image_id 9 is no image"),
        ({"category_id": 9}, r"annotations\[0\]: category_id 9 is no category"),
        ({}, r"annotations\[0\]: there is neither a segmentation nor a bbox"),
        ({"bbox": [1, 2, "x", 4]}, r"annotations\[0\].bbox: 'x' is no number"),
        ({"segmentation": [[1, 2, 3]]}, r"segmentation\[0\]: this is no ring"),
        ({"segmentation": [[1, 2, 3, 4]]}, "no ring has three corners"),
    ],
)
def test_coco_nonsense_is_named(tmp_path: Path, change: dict[str, object], place: str) -> None:
    path = tmp_path / "all.json"
    path.write_text(json.dumps(coco(change)))
    with pytest.raises(BadInput, match=place):
        read("coco", path)


def test_labelme_goes_round(tmp_path: Path) -> None:
    truth = truth_in(tmp_path)
    lost = write("labelme", [truth], tmp_path)
    assert read("labelme", tmp_path / "plan.json") == [replace(truth, labels=LabelSet())]
    content = json.loads((tmp_path / "plan.json").read_text())
    assert [shape["shape_type"] for shape in content["shapes"]] == [
        "polygon",
        "rectangle",
        "polygon",
    ]
    assert lost == ["2 colours of labels were left out"]


def test_labelme_of_others(tmp_path: Path) -> None:
    truth_in(tmp_path)
    shapes = [
        {"label": "a", "points": [[10, 10], [2, 4]], "shape_type": "rectangle"},
        {"label": "b", "points": [[30, 30], [30, 40]], "shape_type": "circle"},
        {"label": "c", "points": [[1, 1], [5, 1], [5, 5]]},
        {"label": "d", "points": [[1, 1]], "shape_type": "point"},
        {"label": "e", "points": [[1, 1], [3, 3]], "shape_type": "line"},
        {"label": "e", "points": [[1, 1], [3, 3]], "shape_type": "line"},
    ]
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({"shapes": shapes, "imagePath": "plan.png"}))
    (truth,) = read("labelme", path)
    assert (truth.page.width, truth.page.height) == (80, 60)  # from the image
    box, circle, polygon, point, *lines = truth.regions
    assert point.corners.tolist() == [[1, 1]]
    assert [line.corners.tolist() for line in lines] == [[[1, 1], [3, 3]]] * 2
    assert box.bounds == (2, 4, 10, 10)
    assert circle.primitive is Primitive.ELLIPSE
    assert circle.area == pytest.approx(np.pi * 100, rel=0.01)
    assert polygon.primitive is Primitive.POLYGON
    assert findings("labelme", path) == [
        "plan.json: 1 × imageWidth or imageHeight is not a size above 0: it is taken from the "
        "image (first: imageWidth)",
    ]


def test_voc_counts_pixels_from_one(tmp_path: Path) -> None:
    truth = truth_in(tmp_path)
    lost = write("voc", [truth], tmp_path)
    root = etree.parse(tmp_path / "plan.xml").getroot()
    boxes = [[int(edge.text) for edge in node] for node in root.iter("bndbox")]
    assert boxes == [[2, 2, 20, 9], [3, 4, 12, 8], [5, 6, 9, 9]]  # pixels, the last included
    (again,) = read("voc", tmp_path / "plan.xml")
    assert [region.label for region in again.regions] == ["sofa", "wash basin", ""]
    assert [region.bounds for region in again.regions] == [
        (1, 1, 20, 9), (2, 3, 12, 8), (4, 5, 9, 9),
    ]  # fmt: skip
    assert again.regions[1].points == BOX.points
    assert lost == [
        "2 outlines became their bounding boxes",
        "1 box was rounded outwards to whole px",
        "1 text was left out",
        "1 comment was left out",
        "1 uncertain mark was left out",
        "2 colours of labels were left out",
    ]


def alto(unit: str, version: int = 4) -> str:
    return f"""<?xml version="1.0"?><alto xmlns="http://www.loc.gov/standards/alto/ns-v{version}#">
    <Description><MeasurementUnit>{unit}</MeasurementUnit><sourceImageInformation>
    <fileName>plan.png</fileName></sourceImageInformation></Description><Layout>
    <Page ID="p" WIDTH="160" HEIGHT="120"><PrintSpace><ComposedBlock><TextBlock><TextLine>
    <String ID="1" CONTENT="ein" HPOS="10" VPOS="20" WIDTH="30" HEIGHT="8"/><SP/>
    <String CONTENT="Wort" HPOS="50" VPOS="20" WIDTH="30" HEIGHT="8"><Shape>
    <Polygon POINTS="50,20 80,20 80,30"/></Shape></String>
    <String CONTENT=" " HPOS="1" VPOS="1" WIDTH="3" HEIGHT="8"/>
    </TextLine></TextBlock></ComposedBlock></PrintSpace></Page></Layout></alto>"""


@pytest.mark.parametrize("version", [2, 3, 4, 5])
def test_alto_words(tmp_path: Path, version: int) -> None:
    path = tmp_path / "alto.xml"
    path.write_text(alto("pixel", version))
    (truth,) = read("alto", path)
    assert (truth.page.width, truth.page.height, truth.page.image.name) == (160, 120, "plan.png")
    assert [(word.text, word.bounds) for word in truth.regions] == [
        ("ein", (10, 20, 40, 28)), ("Wort", (50, 20, 80, 30)),
    ]  # fmt: skip


@pytest.mark.parametrize("unit", ["mm10", "inch1200"])
def test_alto_in_other_units_needs_the_image(tmp_path: Path, unit: str) -> None:
    path = tmp_path / "alto.xml"
    path.write_text(alto(unit))
    with pytest.raises(BadInput, match=f"positions are in {unit} and its image plan.png"):
        read("alto", path)
    truth_in(tmp_path)  # 80 × 60 px: half
    (truth,) = read("alto", path)
    assert (truth.page.width, truth.regions[0].bounds) == (80, (5, 10, 20, 14))


def test_alto_with_an_unknown_unit(tmp_path: Path) -> None:
    path = tmp_path / "alto.xml"
    path.write_text(alto("furlong"))
    with pytest.raises(BadInput, match="MeasurementUnit is 'furlong'; expected pixel or mm10"):
        read("alto", path)


def test_cvc_fp(tmp_path: Path) -> None:
    path = tmp_path / "plan.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="80px" height="60px"><g>'
        '<polygon class="Wall" fill="red" points="1,1 20,1 20,9.5 "/>'
        '<polygon class="Door" points="1 1 5 1 5 5"/><polygon class="Door" points="1,1 2,2"/></g>'
        '<rect x="1" y="1" width="3" height="3"/></svg>'
    )
    (truth,) = read("cvc-fp", path)
    assert [(region.label, region.bounds) for region in truth.regions] == [
        ("Wall", (1, 1, 20, 9.5)), ("Door", (1, 1, 5, 5)),
    ]  # fmt: skip
    assert findings("cvc-fp", path) == [
        "plan.svg: 1 × polygon with fewer than three corners", "plan.svg: 1 × rect",
    ]  # fmt: skip
    path.write_text(path.read_text().replace("<g>", '<g transform="scale(2)">'))
    with pytest.raises(BadInput, match="line 1, g: a transform moves the polygon"):
        read("cvc-fp", path)


def test_bpmn_of_hand_drawn_diagrams(shared_data: Path) -> None:
    files = sorted((shared_data / "hdbpmn_symbols" / "annotations").glob("*.bpmn"))
    truths = [read("bpmn", path)[0] for path in files]
    labels = {region.label for truth in truths for region in truth.regions}
    assert {"task", "exclusiveGateway", "startEvent", "dataObjectReference"} <= labels
    assert all(truth.page.image.exists() for truth in truths)
    first = next(region for region in truths[0].regions if region.label == "startEvent")
    scale = 1651 / 1200
    assert first.bounds == pytest.approx(
        (64 * scale, 83 * scale, (64 + 24) * scale, (83 + 27) * scale)
    )
    assert first.text == "Received online\napplication"
    inside = [
        region.bounds[0] >= 0 and region.bounds[2] <= truth.page.width
        for truth in truths
        for region in truth.regions
    ]
    assert np.mean(inside) > 0.97  # some pools are drawn beyond the photograph


def test_real_words(shared_data: Path) -> None:
    path = shared_data / "hdbpmn_symbols" / "words" / "ex00_writer0008.xml"
    (truth,) = read("voc", path)
    assert truth.regions[0].bounds == (119, 101, 227, 131)
    path = shared_data / "kant_ocr_systems" / "OCR-D-GT-ALTO" / "PAGE_0017_ALTO.xml"
    (truth,) = read("alto", path)
    assert truth.regions[0].text == "Berliniſche"
