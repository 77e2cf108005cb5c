"""Files as other programs write them: what is read, what is named as passed over, what is refused.

The files are short pieces in the exact form of these programs. Sources: CVAT's own XML as in the
assets of Datumaro (MIT) and the XML of its documentation (MIT); label files and data.yaml of
Ultralytics, of Roboflow and of a pose set, as documented; Label Studio's export and JSON-MIN as its
SDK (Apache-2.0) describes them; Tesseract's hOCR as in the tests of hocr-tools (Apache-2.0);
elements of CubiCasa5k and of FloorPlanCAD as published; the first lines of P0000.txt of DOTA; METS as
OCR-D writes it.
"""

# ruff: noqa: E501

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from spotlab.errors import BadInput
from spotlab.formats.truth.detect import format_of, known_formats, truth_files_in
from spotlab.model import Ignore, Primitive, Truth
from tests.formats.exchanged import read

CVAT = """<?xml version="1.0" encoding="utf-8"?>
<annotations>
  <version>1.1</version>
  <meta>
    <task>
      <id>4</id>
      <name>plans</name>
      <size>2</size>
      <mode>annotation</mode>
      <labels>
        <label>
          <name>door</name>
          <color>#ff6037</color>
          <type>any</type>
          <attributes>
            <attribute>
              <name>hinge</name>
              <mutable>False</mutable>
              <input_type>select</input_type>
              <default_value>left</default_value>
              <values>left
right</values>
            </attribute>
          </attributes>
        </label>
        <label>
          <name>1</name>
          <color>#d12345</color>
          <type>points</type>
          <attributes></attributes>
          <parent>skeleton</parent>
        </label>
      </labels>
    </task>
    <dumped>2024-03-01 10:00:00.0+00:00</dumped>
  </meta>
  <image id="0" name="plans/plan_1.png" subset="train" task_id="4" width="400" height="300">
    <box label="door" source="manual" occluded="1" xtl="10.50" ytl="20.00" xbr="50.50" ybr="40.00" z_order="0">
      <attribute name="hinge">right</attribute>
    </box>
    <box label="door" source="manual" occluded="0" xtl="100.00" ytl="100.00" xbr="140.00" ybr="120.00" rotation="90.00" z_order="0">
    </box>
    <polygon label="room" source="manual" occluded="0" points="1.00,2.00;90.00,2.00;90.00,60.00" z_order="0">
    </polygon>
    <ellipse label="basin" source="manual" occluded="0" cx="200.00" cy="150.00" rx="20.00" ry="10.00" z_order="0">
    </ellipse>
    <mask label="ink" source="semi-auto" occluded="0" rle="1, 2, 1, 4" left="300" top="200" width="4" height="2" z_order="0">
    </mask>
    <polyline label="pipe" source="manual" occluded="0" points="1.00,2.00;3.00,4.00" z_order="0">
    </polyline>
    <points label="corner" source="manual" occluded="0" points="5.00,5.00" z_order="0">
    </points>
    <tag label="scanned" source="manual"></tag>
  </image>
  <image id="1" name="plans/plan_2.png" width="400" height="300">
  </image>
</annotations>
"""


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
    lines = format_of(path).passed_over
    assert lines is not None
    return [line.partition(": ")[2] for line in lines(path)]


def image(path: Path, width: int = 400, height: int = 300) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("1", (width, height), 1).save(path)
    return path


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
    ]
    assert truths[0].regions[4].area == 6  # .XX. XXXX
    assert [(label.name, label.colour) for label in truths[0].labels] == [("door", "#ff6037")]
    assert passed_over(path) == [
        "1 × occluded box",
        "1 × attribute 'hinge'",
        "1 × polyline, which is not an outline",
        "1 × points, which is not an outline",
        "1 × tag, which is not an outline",
    ]


YAML = """# Ultralytics AGPL-3.0 License - https://ultralytics.com/license
path: ../datasets/plans # dataset root dir
train: images/train # train images (relative to 'path')
val: images/val
test: # test images (optional)

# Classes
names:
  0: bed
  1: sofa

# Download script/URL (optional)
download: |
  names: [wrong]
"""


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
        "1 × image without a label file", "1 × confidence of a region",
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


def label_studio(value: dict[str, object], kind: str, **more: object) -> dict[str, object]:
    return {
        "original_width": 400, "original_height": 300, "image_rotation": 0, "value": value,
        "id": "x1", "from_name": "label", "to_name": "image", "type": kind, "origin": "manual",
        **more,
    }  # fmt: skip


RECTANGLE = {"x": 10, "y": 10, "width": 20, "height": 10, "rotation": 0}


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
        label_studio({"format": "rle", "rle": [0, 1], "brushlabels": ["ink"]}, "brushlabels"),
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
    ]
    assert (truth.regions[0].text, truth.regions[0].comment) == ("Colonel", "half hidden")
    assert passed_over(path) == [
        "1 × cancelled annotation of a task",
        "1 × further annotation of a task",
        "1 × further label of a region",
        "1 × brush, which is not an outline",
        "1 × relation, which is not an outline",
    ]
    one = json.dumps({"data": task["data"], "predictions": [{"result": results[3:4]}]})
    assert sniffed(tmp_path / "task.json", one) == "label-studio"
    assert regions_of(read("label-studio", tmp_path / "task.json"))[0][0] == "room"
    small = {"image": "s3://b/plan_1.png", "id": 1, "annotator": 1, "label": [
        {**turned, "original_width": 400, "original_height": 300}]}  # fmt: skip
    assert sniffed(tmp_path / "min.json", json.dumps([small])) == "label-studio"
    assert regions_of(read("label-studio", tmp_path / "min.json")) == regions_of([truth])[3:]


HOCR = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"
    "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">
 <head>
  <title></title>
  <meta http-equiv="Content-Type" content="text/html;charset=utf-8"/>
  <meta name='ocr-system' content='tesseract 4.0.0-rc2-1095-gae3aa' />
 </head>
 <body>
  <div class='ocr_page' id='page_1' title='image "alice_1.png"; bbox 0 0 2488 3507; ppageno 0'>
   <div class='ocr_carea' id='block_1_1' title="bbox 470 528 1383 585">
    <p class='ocr_par' id='par_1_1' lang='eng' title="bbox 470 528 1383 585">
     <span class='ocr_line' id='line_1_1' title="bbox 470 528 1383 585; baseline 0.005 -5; x_size 61">
      <span class='ocrx_word' id='word_1_1' title='bbox 470 530 499 580; x_wconf 89'>
       <span class='ocrx_cinfo' title='x_bboxes 470 530 499 580; x_conf 98.534996'>1</span>
        <span class='ocrx_cinfo' id='lstm_choices_1_1_1'>
         <span class='ocrx_cinfo' id='choice_1_1_1' title='x_confs 85.755959'>1</span>
         <span class='ocrx_cinfo' id='choice_1_1_2' title='x_confs 31.475941'>l</span>
        </span>
      </span>
      <span class='ocrx_word' id='word_1_2' title='bbox 588 528 787 581; x_wconf 93'><strong>Down &amp;</strong></span>
      <span class='ocrx_word' id='word_1_3' title='bbox 800 528 810 581; x_wconf 3'> </span>
     </span>
    </p>
   </div>
  </div>
 </body>
</html>
"""


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


CUBICASA = """<?xml version="1.0" encoding="UTF-8"?>
<svg baseProfile="full" width="1400" height="500" viewBox="0 0 1400 500" xmlns="http://www.w3.org/2000/svg"><g
class="Model v1-1"><g class="Floor"><g class="Floorplan Floor-1">
<g id="853e2235-4100-46f2-90a0-8a3af729de74" class="Space LivingRoom" fill="#ffffff"><polygon
points="1277.38,418.79 741.84,418.79 741.84,37.56 1277.38,37.56 "/><g class="SpaceDimensionsLabel"
transform="matrix(1,0,0,1,900,200)"><g class="TextLabel NameLabel"><text>OH</text></g></g></g>
<g id="Wall" class="Wall External"><polygon points="118.00,21.56 1293.38,21.56 1277.38,37.56 133.97,37.56 "/><g
id="Door" class="Door Swing Opposite"><polygon points="293.38,26.93 293.38,36.15 277.38,36.15 277.38,26.93 "/><g
class="Panel"><polygon points="1,1 9,1 9,9"/></g></g></g>
<g class="FixedFurnitureSet" transform="matrix(1,0,0,1,100,0)"><g class="FixedFurniture ElectricalAppliance
IntegratedStove" transform="matrix(0,1,-1,0,100,200)"><g class="BoundaryPolygon"><polygon
points="2 2 58 2 58 58 2 58"/></g><g class="OuterCircle"><circle cx="16" cy="16" r="8"/></g></g>
<g class="FixedFurniture Toilet"><g><rect x="0" y="0" width="41" height="71"/><path d="M0,71 L 50,71"/></g><g
class="Direction" style="display: none;"><polygon points="0,0 900,0 0,900"/></g></g></g>
<g class="Stairs"><g class="Flight"><polygon points="1,1 9,1 9,9"/></g></g>
</g></g></g></svg>
"""


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


FLOORPLANCAD = """<svg tag="svg" version="1.1" viewBox="0 0 140.0 140.0" xmlns="http://www.w3.org/2000/svg">
<g tag="g"><path d="M 133.19129750000002,93.5 L 140.0,93.5" fill="none" instanceId="-1" semanticId="33"
stroke="rgb(178,178,0)" stroke-width="0.1" tag="path"/>
<path d="M 115.0,94.5 L 115.0,101.5" fill="none" instanceId="7" semanticId="2"
stroke="rgb(0,178,178)" stroke-width="0.1" tag="path"/>
<path d="M 115.0,94.5 A 7.0,7.0 0.0 0,1 122.0,101.5" fill="none" instanceId="7" semanticId="2" tag="path"/>
<circle cx="20.0" cy="30.0" r="5.0" semanticId="14" instanceId="9" tag="circle"/>
<path d="M 1,1 L 2,2" tag="path"/></g></svg>
"""


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


DOTA = """imagesource:GoogleEarth
gsd:0.146343590398
2753 2408 2861 2385 2888 2468 2805 2502 plane 0
100 100 200 100 200 150 100 150 large-vehicle 1
"""


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


PAGE = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Metadata/>
<Page imageFilename="OCR-D-IMG/{0}.tif" imageWidth="90" imageHeight="80"><TextRegion id="r1" type="{1}">
<Coords points="1,1 20,1 20,9"/></TextRegion></Page></PcGts>"""
METS = """<mets:mets xmlns:mets="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink">
<mets:fileSec><mets:fileGrp USE="OCR-D-IMG"><mets:file ID="I1" MIMETYPE="image/tiff">
<mets:FLocat LOCTYPE="URL" xlink:href="https://example.org/1.tif"/>
<mets:FLocat LOCTYPE="OTHER" OTHERLOCTYPE="FILE" xlink:href="OCR-D-IMG/1.tif"/></mets:file></mets:fileGrp>
{groups}</mets:fileSec><mets:structMap TYPE="PHYSICAL"><mets:div TYPE="physSequence">
<mets:div TYPE="page" ID="P2"><mets:fptr FILEID="GT-2"/></mets:div>
<mets:div TYPE="page" ID="P1"><mets:fptr FILEID="I1"/><mets:fptr FILEID="GT-1"/></mets:div>
</mets:div></mets:structMap></mets:mets>
"""
GROUP = """<mets:fileGrp USE="OCR-D-{0}-PAGE">{1}</mets:fileGrp>"""
FILE = """<mets:file ID="{0}-{1}" MIMETYPE="application/vnd.prima.page+xml"><mets:FLocat
LOCTYPE="OTHER" OTHERLOCTYPE="FILE" xlink:href="OCR-D-{0}-PAGE/{1}.xml"/></mets:file>"""


def workspace(folder: Path, *groups: str) -> Path:
    """A workspace of OCR-D with two pages in each of these groups."""
    for group in groups:
        for number in (1, 2):
            file = folder / f"OCR-D-{group}-PAGE" / f"{number}.xml"
            file.parent.mkdir(exist_ok=True)
            file.write_text(PAGE.format(number, "caption" if group == "GT" else "heading"))
    listed = [GROUP.format(group, "".join(FILE.format(group, number) for number in (1, 2)))
              for group in groups]  # fmt: skip
    (folder / "mets.xml").write_text(METS.format(groups="".join(listed)))
    return folder / "mets.xml"


def test_mets(tmp_path: Path) -> None:
    path = workspace(tmp_path, "SEG", "GT")
    assert format_of(path).name == "mets"
    truths = read("mets", path)
    assert [truth.page.image.name for truth in truths] == ["2.tif", "1.tif"]  # physical order
    assert [region.label for truth in truths for region in truth.regions] == ["caption"] * 2
    assert passed_over(path)[:2] == [
        "2 × PAGE file of another file group",
        "1 × file of another type",
    ]
    assert [file.name for file, _ in truth_files_in(tmp_path)[0]] == ["mets.xml"]


def test_mets_without_a_choice_names_the_groups(tmp_path: Path) -> None:
    path = workspace(tmp_path, "SEG", "OCR")
    with pytest.raises(BadInput, match="--file-group, one of OCR-D-SEG-PAGE, OCR-D-OCR-PAGE"):
        read("mets", path)


BAD = [
    ("a.txt", "0 0.5 0.5 0.5\n", "line 1: 4 numbers are no region; expected a class"),
    ("a.txt", "0 0.5 0.5 0.5 0.5\nx 1\n", "line 2: 'x 1' is not all numbers"),
    ("a.txt", "0 0.5 0.5 1.5 0.5\n", "line 1: 1.5 is no share of the image; expected numbers"),
    ("a.txt", "0.5 0.5 0.5 0.5 0.5\n", "line 1: the class is 0.5; expected a whole number"),
    ("b.txt", "0 0.5 0.5 0.5 0.5\n", "shares of the image, which is not there; expected"),
    ("data.yaml", "train: images\nnames:\n", "names: the names of classes are missing"),
    ("data.yaml", "train: images\nnames: [a\n", "line 2: '\\[a' does not end"),
    ("data.yaml", "train: images\nnames:\n  a: b\n", "names: the class 'a' is no number"),
    ("data.yaml", "train: images\nnames: [a]\n", "train: neither images nor labels are in images"),
    ("a.xml", CVAT.replace('xtl="10.50"', 'xtl="left"'), "box: xtl is 'left'; expected a number"),
    ("a.xml", CVAT.replace("90.00,60.00", "90.00"), "polygon: '90.00' is not a point"),
    ("a.xml", CVAT.replace('rle="1, ', 'rle="9, '), "mask: the runs sum up to 16 in a mask of 4"),
    ("a.xml", "<annotations><track id='0'/></annotations>", "CVAT for video; expected CVAT for im"),
    ("a.json", '[{"data": {}, "annotations": []}]', r"\[0\].data: the task has no image"),
    ("c.json", '[{"data": {"image": "q.png"}, "annotations": [{"result": []}]}]',
     "no result says how large the image is, and 'q.png' is not there"),
    ("a.json", json.dumps([{"data": {"image": "q"}, "annotations": [{"result": [label_studio(
        {**RECTANGLE, "width": "w"}, "rectangle")]}]}]), "x1.value.width: 'w' is no number"),
    ("a.hocr", HOCR.replace("bbox 588 528 787 581", "bbox 588 528"), "word_1_2: the bbox has 2 num"),
    ("a.hocr", HOCR.replace("'ocr_page'", "'page'"), "no element of the class ocr_page"),
    ("a.svg", FLOORPLANCAD.replace("M 1,1 L 2,2", "M 1,1 L 2"), ""),
    ("a.svg", FLOORPLANCAD.replace("M 115.0,94.5 L", "M 115.0 L"), "the path 'M 115.0 L.* is not un"),
    ("a.svg", FLOORPLANCAD.replace('"33"', '"36"'), "the semantic-id is '36'; expected a number fr"),
    ("b.svg", FLOORPLANCAD, "units of the drawing and its image b is not there"),
    ("a.svg", CUBICASA.replace("matrix(0,1,-1,0,100,200)", "skew(3)"), r"'skew\(3\)' is not underst"),
    ("a.txt", DOTA.replace("2408", "y"), "line 3: '2753 y 2861 .* does not begin with eight numbers"),
    ("a.txt", DOTA.replace("large-vehicle 1", "large vehicle 1"), "line 4: 11 words are no object"),
    ("mets.xml", METS.format(groups=""), "fileSec: no file group has PAGE files"),
    ("mets.xml", METS.format(groups=GROUP.format("GT", FILE.format("GT", 1))),
     "OCR-D-GT-PAGE.1.xml is not there; expected the whole workspace"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "problem"), BAD)
def test_bad_input_is_named(tmp_path: Path, name: str, content: str, problem: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    image(tmp_path / "a.png")
    kinds = {".yaml": "yolo", ".json": "label-studio", ".hocr": "hocr"}
    format = known_formats()[kinds[path.suffix]] if path.suffix in kinds else None
    if format is None:
        kind = {".txt": "dota" if "imagesource" in content else "yolo",
                ".xml": "mets" if "mets" in content else "cvat"}.get(path.suffix)  # fmt: skip
        format = known_formats()[kind] if kind else format_of(path)
    if not problem:
        assert read(format.name, path)  # what has no class does not matter
        return
    with pytest.raises(BadInput, match=problem):
        read(format.name, path)
