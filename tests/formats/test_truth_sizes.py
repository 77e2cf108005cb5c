"""The size of a page that its truth file does not say is taken from the image, in every format."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path

import pytest
from PIL import Image

from spotlab.errors import BadInput
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.page.images import stored_size
from spotlab.formats.rows.reading import Reading
from tests.formats.exchanged import HEIGHT, WIDTH, blank_page, read

POINTS = [[10, 10], [90, 10], [90, 80]]
ALTO = """<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description>
<MeasurementUnit>pixel</MeasurementUnit><sourceImageInformation><fileName>plan.png</fileName>
</sourceImageInformation></Description><Layout><Page WIDTH="{0}" HEIGHT="{1}"><PrintSpace>
<TextBlock><TextLine><String CONTENT="a" HPOS="10" VPOS="10" WIDTH="30" HEIGHT="20"/></TextLine>
</TextBlock></PrintSpace></Page></Layout></alto>"""
CVAT = """<annotations><version>1.1</version><image id="0" name="plan.png" width="{0}" height="{1}">
<box label="s" xtl="1" ytl="1" xbr="9" ybr="9"/></image></annotations>"""
HOCR = """<div class="ocr_page" title="image plan.png; bbox 0 0 {0} {1}">
<span class="ocrx_word" title="bbox 1 1 9 9">a</span></div>"""
PAGE = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Metadata>
<Creator/><Created>2020-01-01T00:00:00</Created><LastChange>2020-01-01T00:00:00</LastChange>
</Metadata><Page imageFilename="plan.png" imageWidth="{0}" imageHeight="{1}"><CustomRegion id="a">
<Coords points="10,10 90,10 90,80"/></CustomRegion></Page></PcGts>"""
VOC = """<annotation><filename>plan.png</filename><size><width>{0}</width><height>{1}</height>
</size><object><name>s</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax>
</bndbox></object></annotation>"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}">
<polygon class="Wall" points="1,1 20,1 20,9"/></svg>"""
WEB = """<annotation><filename>plan.png</filename><imagesize><ncols>{0}</ncols><nrows>{1}</nrows>
</imagesize><object><name>s</name><polygon><pt><x>1</x><y>1</y></pt><pt><x>9</x><y>1</y></pt><pt>
<x>9</x><y>9</y></pt></polygon></object></annotation>"""
TEXTS = {"alto": ALTO, "cvat": CVAT, "hocr": HOCR, "page": PAGE, "voc": VOC, "cvc-fp": SVG,
         "labelme-web": WEB}  # fmt: skip


def json_file(name: str, width: object, height: object) -> str:
    if name == "labelme":
        shape = {"label": "s", "points": POINTS, "shape_type": "polygon"}
        return json.dumps({"imagePath": "plan.png", "shapes": [shape], "imageWidth": width,
                           "imageHeight": height})  # fmt: skip
    if name == "coco":
        return json.dumps({
            "images": [{"id": 1, "file_name": "plan.png", "width": width, "height": height}],
            "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 8, 8]}],
            "categories": [{"id": 1, "name": "s"}],
        })  # fmt: skip
    value = {"x": 10, "y": 10, "width": 20, "height": 10, "rectanglelabels": ["s"]}
    result = {"type": "rectanglelabels", "id": "x", "value": value, "original_width": width,
              "original_height": height}  # fmt: skip
    return json.dumps([{"data": {"image": "plan.png"}, "annotations": [{"result": [result]}]}])


def put(folder: Path, name: str, width: object, height: object) -> Path:
    """A truth file of the image plan.png that says that the page is so large."""
    if name in TEXTS:
        path = folder / ("plan.svg" if name == "cvc-fp" else "plan.xml")
        path.write_text(TEXTS[name].format(width, height))
    else:
        path = folder / "plan.json"
        path.write_text(json_file(name, width, height))
    return path


NAMES = [*TEXTS, "labelme", "coco", "label-studio"]


@pytest.mark.parametrize("size", [(0, 0), (-400, -300), ("", ""), ("nan", "inf"), (400, 0),
                                  ("wide", "high")])  # fmt: skip
@pytest.mark.parametrize("name", NAMES)
def test_a_size_that_is_none_is_that_of_the_image(
    tmp_path: Path, name: str, size: tuple[object, object]
) -> None:
    blank_page(tmp_path)
    [truth] = read(name, put(tmp_path, name, *size))
    assert (truth.page.width, truth.page.height) == (WIDTH, HEIGHT)
    assert truth.regions


@pytest.mark.parametrize("name", ["labelme", "coco", "label-studio"])
def test_a_size_that_is_null_is_that_of_the_image(tmp_path: Path, name: str) -> None:
    blank_page(tmp_path)
    [truth] = read(name, put(tmp_path, name, None, None))
    assert (truth.page.width, truth.page.height) == (WIDTH, HEIGHT)


@pytest.mark.parametrize("name", NAMES)
def test_a_size_without_an_image_is_asked_for(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match=r"is not there; expected the image beside the file"):
        read(name, put(tmp_path, name, 0, 0))
    [truth] = read(name, put(tmp_path, name, 200, 100))
    assert (truth.page.width, truth.page.height) == (200, 100)


@pytest.mark.parametrize("begin", ["", "data:image/png;base64,"])
def test_labelme_gives_the_size_of_the_copy_that_it_embeds(tmp_path: Path, begin: str) -> None:
    buffer = io.BytesIO()
    Image.new("L", (WIDTH, HEIGHT)).save(buffer, "PNG")
    path = put(tmp_path, "labelme", None, 0)
    content = json.loads(path.read_text())
    content["imageData"] = begin + base64.b64encode(buffer.getvalue()).decode()
    path.write_text(json.dumps(content))
    [truth] = read("labelme", path)
    assert (truth.page.width, truth.page.height, truth.page.image.name) == (400, 300, "plan.png")
    content["imageData"] = "bm8gaW1hZ2U="
    path.write_text(json.dumps(content))
    with pytest.raises(BadInput, match="imageWidth is missing and imageHeight is 0"):
        read("labelme", path)


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_a_size_that_the_image_contradicts_is_named(tmp_path: Path, suffix: str) -> None:
    Image.new("RGB", (WIDTH, HEIGHT)).save(tmp_path / f"plan.{suffix}", exif=b"\0" * 40_000)
    for size, count in (((800, 600), 1), ((WIDTH, HEIGHT), 0), ((HEIGHT, WIDTH), 0)):
        path = put(tmp_path, "labelme", *size)
        path.write_text(path.read_text().replace("plan.png", f"plan.{suffix}"))
        reading = Reading()
        [truth] = known_formats()["labelme"].read_file(path, reading)
        assert (truth.page.width, truth.page.height) == size
        found = [
            each for each in reading.findings if "size is not that of its image" in each.problem
        ]
        assert len(found) == count


def test_pictures_that_are_damaged_have_no_stored_size(tmp_path: Path) -> None:
    path = tmp_path / "plan.jpg"
    Image.new("L", (WIDTH, HEIGHT)).save(path)
    content = path.read_bytes()
    assert stored_size(path) == (WIDTH, HEIGHT)
    for length in range(0, 200, 7):
        path.write_bytes(content[:length])
        assert stored_size(path) in (None, (WIDTH, HEIGHT))
    path.write_bytes(b"\xff\xd8" + b"\xff" * 5000)
    assert stored_size(path) is None
