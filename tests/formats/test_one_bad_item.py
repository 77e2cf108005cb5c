"""One bad item of a file costs this item only, is named with its place, and is refused if strict."""

# ruff: noqa: E501

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.collection.detect import format_of, known_formats
from spotlab.formats.rows.reading import Consequence, Reading
from spotlab.model import Truth

WIDTH, HEIGHT = 400, 300


class Sample(NamedTuple):
    """A file of three items; ``X`` is the number of the item that is damaged."""

    file: str
    head: str
    item: str  # {x} and {X} are numbers, {n} counts
    between: str = ""
    tail: str = ""


_ALTO = """<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description><MeasurementUnit>pixel
</MeasurementUnit></Description><Layout><Page WIDTH="400" HEIGHT="300"><PrintSpace><TextBlock>
<TextLine>"""
_COCO = """{"images": [{"id": 1, "file_name": "plan.png", "width": 400, "height": 300}],
"categories": [{"id": 1, "name": "s"}], "annotations": ["""
_BPMN_TASKS = "".join(f'<task id="t{n}" name="a"/>' for n in range(3))
_BPMN = f"""<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:di="d"
xmlns:dc="c"><process id="p">{_BPMN_TASKS}</process><di:BPMNDiagram><di:BPMNPlane>"""
_SHAPE = '{{"label": "s", "points": [[{x}, 10], [{X}, 10], [{x}, 40]], "shape_type": "polygon"}}'
_RESULT = """{{"id": "r{n}", "type": "rectanglelabels", "original_width": 400,
"original_height": 300, "value": {{"x": {X}, "y": 10, "width": 5, "height": 5,
"rectanglelabels": ["s"]}}}}"""
_TSV = "level page_num block_num par_num line_num word_num left top width height conf text"
_FEATURE = """{{"type": "Feature", "properties": {{"label": "s"}}, "geometry": {{"type": "Polygon",
"coordinates": [[[{x}, 10], [{X}, 10], [{x}, 40], [{x}, 10]]]}}}}"""
SAMPLES = {
    "alto": Sample("plan.xml", _ALTO, '<String CONTENT="a" HPOS="{X}" VPOS="9" WIDTH="9" HEIGHT="9"/>',
                   tail="</TextLine></TextBlock></PrintSpace></Page></Layout></alto>"),
    "hocr": Sample("plan.hocr", '<div class="ocr_page" title="image plan.png; bbox 0 0 400 300">',
                   '<span class="ocrx_word" title="bbox {X} 9 {x}9 19">a</span>', tail="</div>"),
    "voc": Sample("plan.xml", "<annotation><filename>plan.png</filename>",
                  "<object><name>s</name><bndbox><xmin>{x}</xmin><ymin>9</ymin><xmax>{X}</xmax>"
                  "<ymax>19</ymax></bndbox></object>", tail="</annotation>"),
    "cvat": Sample("plan.xml", '<annotations><image name="plan.png" width="400" height="300">',
                   '<box label="s" xtl="{X}" ytl="9" xbr="399" ybr="19"/>',
                   tail="</image></annotations>"),
    "bpmn": Sample("plan.bpmn", _BPMN,
                   '<di:BPMNShape bpmnElement="t{n}"><dc:Bounds x="{X}" y="2" width="9" height="5"/>'
                   "</di:BPMNShape>", tail="</di:BPMNPlane></di:BPMNDiagram></definitions>"),
    "coco": Sample("plan.json", _COCO,
                   '{{"id": {n}, "image_id": 1, "category_id": 1, "bbox": [{X}, 1, 9, 9]}}', ",", "]}"),
    "labelme": Sample("plan.json", '{"imagePath": "plan.png", "shapes": [', _SHAPE, ",", "]}"),
    "label-studio": Sample("plan.json", '[{"data": {"image": "plan.png"}, "annotations": [{"result": [',
                           _RESULT, ",", "]}]}]"),
    "geojson": Sample("plan.geojson", '{"type": "FeatureCollection", "features": [', _FEATURE, ",", "]}"),
    "via": Sample("plan.json", '{"p1": {"filename": "plan.png", "regions": [',
                  '{{"shape_attributes": {{"name": "rect", "x": {X}, "y": 9, "width": 9, "height": 9}},'
                  '"region_attributes": {{"label": "s"}}}}', ",", "]}}"),
    "funsd": Sample("plan.json", '{"form": [',
                    '{{"box": [{X}, 9, 399, 19], "text": "a", "label": "other", "words": []}}', ",", "]}"),
    "paddleocr": Sample("Label.txt", "plan.png\t[",
                        '{{"transcription": "a", "points": [[{x}, 9], [{X}, 9], [{x}, 40]]}}', ",", "]"),
    "yolo": Sample("plan.txt", "", "0 0.5 0.5 0.{x} 0.{X}\n"),
    "dota": Sample("plan.txt", "imagesource:GoogleEarth\n", "{x} 9 {X} 9 {x}9 40 {x} 40 s 0\n"),
    "icdar": Sample("plan.txt", "1,2,9,2,9,9,1,9,first\n", "{x},9,{X},9,{x}9,40,{x},40,a\n"),
    "gtp": Sample("plan.gtp", "", "{X} 9 399 19 a\n"),
    "iam": Sample("plan.txt", "#--- words.txt ---#\n", "a01-000u-00-0{n} ok 154 {X} 9 20 20 AT a\n"),
    "tesseract-tsv": Sample("plan.tsv", _TSV.replace(" ", "\t") + "\n",
                            "5 1 1 1 1 {n} {X} 9 9 9 90 a\n".replace(" ", "\t")),
    "tesseract-box": Sample("plan.box", "", "a {X} 9 399 19 0\n"),
    "word-locations": Sample("gw.xml", "<wordLocations>",
                             '<spot image="plan.png" word="a" x="{X}" y="9" w="9" h="9"/>',
                             tail="</wordLocations>"),
}  # fmt: skip
IN_TEXTS = ("nan", "inf", "1e999", "x", "1,5.3.2", "99999999999999")
IN_JSON = ("NaN", "Infinity", "1e999", '"x"', "null", "[1]", "{}", "true")


def put(folder: Path, name: str, bad: str, index: int) -> Path:
    """A file of the format, of whose items the one of this index is damaged."""
    sample = SAMPLES[name]
    items = []
    for number in range(3):
        x = str(10 * (number + 1))
        damaged = bad if number == index else str(int(x) + 5)
        items.append(sample.item.format(x=x, X=damaged, n=number))
    path = folder / sample.file
    path.write_text(sample.head + sample.between.join(items) + sample.tail)
    if name == "yolo":
        (folder / "classes.txt").write_text("s\n")
    Image.new("L", (WIDTH, HEIGHT)).save(folder / "plan.png")
    return path


def boxes(truths: list[Truth]) -> list[tuple[float, ...]]:
    return [region.bounds for truth in truths for region in truth.regions]


CASES = [
    (name, bad)
    for name, sample in SAMPLES.items()
    for bad in (IN_JSON if "{{" in sample.item else IN_TEXTS)
    if (name, bad) != ("yolo", "99999999999999")  # its numbers are behind "0."
]


@pytest.mark.parametrize(("name", "bad"), CASES)
def test_the_others_are_read(tmp_path: Path, name: str, bad: str) -> None:
    good = put(tmp_path, name, "15", -1)
    assert format_of(good).name == name
    whole = boxes(format_of(good).read_file(good))
    extra = len(whole) - 3  # of the head
    for index in (1, 2):
        path = put(tmp_path, name, bad, index)
        reading = Reading()
        found = boxes(format_of(path).read_file(path, reading))
        assert found == whole[: index + extra] + whole[index + extra + 1 :]
        [finding] = reading.findings.of([Consequence.LEFT_OUT])
        assert (finding.count, finding.path) == (1, path)
        assert finding.place
        with pytest.raises(BadInput):
            format_of(path).read_file(path, Reading(strict=True))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_of_bad_items_only_is_refused(tmp_path: Path, name: str) -> None:
    sample = SAMPLES[name]
    bad = '"x"' if "{{" in sample.item else "x"
    items = [sample.item.format(x="10", X=bad, n=number) for number in range(3)]
    path = put(tmp_path, name, "15", -1)
    head = "" if name == "icdar" else sample.head
    path.write_text(head + sample.between.join(items) + sample.tail)
    with pytest.raises(BadInput):
        known_formats()[name].read_file(path)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["points", "bbox", "value", "regions", "result", "box", "name"]),
        inner, max_size=3,
    ),
    max_leaves=4,
)  # fmt: skip


@pytest.mark.parametrize("name", [name for name, each in SAMPLES.items() if "{{" in each.item])
@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_value_anywhere_in_json_is_no_traceback(
    tmp_path: Path, name: str, data: st.DataObject
) -> None:
    path = put(tmp_path, name, "15", -1)
    before, tab, text = path.read_text().rpartition("\t")
    content = json.loads(text)
    owner, key = data.draw(st.sampled_from(list(places(content))))
    owner[key] = data.draw(VALUES)
    path.write_text(before + tab + json.dumps(content))
    try:
        format_of(path).read_file(path)
    except SpotlabError as error:
        assert str(error)


def places(value: object) -> list[tuple[dict[object, object] | list[object], object]]:
    """Every place in a JSON value that can be replaced."""
    found: list[tuple[dict[object, object] | list[object], object]] = []
    if isinstance(value, dict):
        for key, inner in value.items():
            found += [(value, key), *places(inner)]
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += [(value, index), *places(inner)]
    return found


def coco(annotations: list[object], **more: object) -> str:
    image = {"id": 1, "file_name": "plan.png", "width": 400, "height": 300}
    return json.dumps({"images": [image], "annotations": annotations, **more})


def test_a_bad_segmentation_gives_way_to_the_bbox(tmp_path: Path) -> None:
    good = {"image_id": 1, "category_id": 1, "bbox": [1, 2, 9, 9]}
    bad = [
        [[1, 2, 3]],
        {"counts": "zz", "size": [3, 3]},
        [[1, 1, 5, 1]],
        "x",
        [[1, 1, "a", 2, 3, 3]],
    ]
    path = tmp_path / "plan.json"
    path.write_text(coco([{**good, "segmentation": each} for each in bad],
                         categories=[{"id": 1, "name": "s"}]))  # fmt: skip
    reading = Reading()
    assert boxes(format_of(path).read_file(path, reading)) == [(1, 2, 10, 11)] * 5
    assert [
        finding.count for finding in reading.findings if "bbox is taken" in finding.problem
    ] == [5]
    with pytest.raises(BadInput, match="segmentation"):
        format_of(path).read_file(path, Reading(strict=True))


def test_ids_of_coco_may_be_numbers_once_and_texts_once(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(coco([{"image_id": "1", "category_id": "7", "bbox": [1, 2, 9, 9]}],
                         categories=[{"id": 7, "name": "s"}]))  # fmt: skip
    [truth] = format_of(path).read_file(path)
    assert [region.label for region in truth.regions] == ["s"]
    path.write_text(coco([{"image_id": 1, "category_id": 7, "bbox": [1, 2, 9, 9]}]))
    reading = Reading()
    [truth] = format_of(path).read_file(path, reading)
    assert [region.label for region in truth.regions] == ["7"]
    assert "without categories" in str(next(iter(reading.findings)))


@pytest.mark.parametrize(("width", "height"), [(0, 9), (9, 0), (0, 0)])
def test_a_box_without_area_is_named(tmp_path: Path, width: int, height: int) -> None:
    path = tmp_path / "plan.json"
    boxes_of = [{"image_id": 1, "bbox": [1, 2, *size]} for size in ((9, 9), (width, height))]
    path.write_text(coco(boxes_of))
    reading = Reading()
    assert boxes(format_of(path).read_file(path, reading)) == [(1, 2, 10, 11)]
    assert "the box has no width or no height" in str(next(iter(reading.findings)))


def alto(words: str) -> str:
    return f"{_ALTO}{words}</TextLine></TextBlock></PrintSpace></Page></Layout></alto>"


def test_words_of_alto_are_placed_by_what_is_around_them(tmp_path: Path) -> None:
    word = '<String CONTENT="{}" HPOS="{}" VPOS="10" WIDTH="30" HEIGHT="20"/>'
    path = tmp_path / "plan.xml"
    glyph = '<Glyph CONTENT="g" HPOS="60" VPOS="12" WIDTH="10" HEIGHT="8"/>'
    path.write_text(alto(word.format("a", 10) + '<String CONTENT="between"/>' + word.format("b", 90)
                         + f'<String CONTENT="g">{glyph}</String>'))  # fmt: skip
    reading = Reading()
    found = boxes(format_of(path).read_file(path, reading))
    assert found == [(10, 10, 40, 30), (40, 10, 90, 30), (90, 10, 120, 30), (60, 12, 70, 20)]
    told = " ".join(map(str, reading.findings))
    assert "placed by its neighbours" in told
    assert "placed by what is in it" in told


@pytest.mark.parametrize("whole", ['SUBS_CONTENT="Dunbar"', ""])
def test_a_divided_word_of_alto_is_one_word(tmp_path: Path, whole: str) -> None:
    part = (
        '<String CONTENT="{}" HPOS="{}" VPOS="10" WIDTH="30" HEIGHT="20" SUBS_TYPE="HypPart{}" {}/>'
    )
    path = tmp_path / "plan.xml"
    path.write_text(alto(part.format("Dun-", 10, 1, whole) + '<HYP CONTENT="-"/>'
                         + part.format("bar", 50, 2, whole)))  # fmt: skip
    reading = Reading()
    [truth] = format_of(path).read_file(path, reading)
    assert [(word.text, word.bounds) for word in truth.regions] == [("Dunbar", (10, 10, 40, 30))]
    assert "second part of a divided word" in str(next(iter(reading.findings)))
