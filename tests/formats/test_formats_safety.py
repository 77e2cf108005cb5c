"""Hostile, broken and cut files of every format: a message, never a traceback or a changed file."""

from __future__ import annotations

import contextlib
import random
from datetime import datetime
from pathlib import Path

import pytest
from PIL import Image

from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.collection.convert import convert
from spotlab.formats.collection.detect import format_of, known_formats
from spotlab.formats.collection.folder import scan, summary
from spotlab.formats.collection.label_file import read_labels
from spotlab.formats.page.xml_tree import MAXIMUM_DEPTH, read_tree
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth import page_xml
from spotlab.formats.truth.format import Format
from spotlab.model import Label, LabelSet, Page, Region, Truth
from spotlab.progress import silent
from tests.formats.foreign_files import CUBICASA, DOTA, FLOORPLANCAD, HOCR, workspace
from tests.formats.other_formats import MASKS, OTHERS

DATA = Path(__file__).parents[1] / "data"
PATH = Path("plan.xml")
RICH = (DATA / "rich.xml").read_bytes()
BODY = RICH.partition(b"<!-- in front")[2]
LAUGHS = (
    b'<!DOCTYPE a [<!ENTITY a "ha">'
    + b"".join(
        b'<!ENTITY %c "&%c;&%c;&%c;&%c;&%c;&%c;&%c;&%c;">' % (c + 1, *[c] * 8)
        for c in range(ord("a"), ord("p"))
    )
    + b"]>"
)

ALTO = b"""<?xml version="1.0" encoding="UTF-8"?>
<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description><MeasurementUnit>pixel
</MeasurementUnit></Description><Layout><Page ID="p" WIDTH="80" HEIGHT="60"><PrintSpace>
<TextBlock ID="b"><TextLine ID="l"><String ID="s" CONTENT="word" HPOS="1" VPOS="2" WIDTH="30"
HEIGHT="9"/></TextLine></TextBlock></PrintSpace></Page></Layout></alto>"""
LABELME_WEB = b"""<annotation><filename>plan.png</filename><folder>plans</folder><imagesize>
<nrows>60</nrows><ncols>80</ncols></imagesize><object><name>sofa</name><deleted>0</deleted><id>0</id><polygon>
<username>anna</username><pt><x>1</x><y>1</y></pt><pt><x>20</x><y>1</y></pt>
<pt><x>20</x><y>9</y></pt></polygon></object></annotation>"""
SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60">
<polygon class="Wall" points="1,1 20,1 20,9 "/><rect x="1" y="1" width="3" height="3"/></svg>"""
BPMN = b"""<?xml version="1.0"?>
<!-- {"backgroundSize":40} -->
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:di="d" xmlns:dc="c">
<process id="p"><task id="t" name="a task"/></process><di:BPMNDiagram><di:BPMNPlane>
<di:BPMNShape bpmnElement="t"><dc:Bounds x="1" y="2" width="10" height="5"/></di:BPMNShape>
</di:BPMNPlane></di:BPMNDiagram></definitions>"""


def samples(folder: Path) -> dict[str, Path]:
    """A small file of every format, with the image that it is about."""
    Image.new("L", (80, 60), 255).save(folder / "plan.png")
    region = Region(((1, 1), (20, 1), (20, 9)), "sofa", "r1", comment="c", text="t")
    truth = Truth(
        Page(folder / "plan.png", 80, 60), (region,), LabelSet((Label("sofa", "#102030", "1"),))
    )
    files = {}
    for name, content in (("alto", ALTO), ("cvc-fp", SVG), ("bpmn", BPMN), ("page", RICH),
                          ("labelme-web", LABELME_WEB)):  # fmt: skip
        files[name] = folder / name / "plan.xml"
        files[name].parent.mkdir()
        files[name].write_bytes(content)
    for name, file in (("coco", "plan.json"), ("labelme", "plan.json"), ("voc", "plan.xml")):
        files[name] = folder / name / file
        files[name].parent.mkdir()
        write = known_formats()[name].write
        assert write is not None
        write([truth], files[name], silent)
    for name, file in (("cvat", "plan.xml"), ("label-studio", "plan.json")):
        files[name] = folder / name / file
        files[name].parent.mkdir()
        write = known_formats()[name].write
        assert write is not None
        write([truth], files[name], silent)
    contents = {
        "hocr": ("plan.hocr", HOCR), "cubicasa5k": ("plan.svg", CUBICASA),
        "dota": ("plan.txt", DOTA),
        "floorplancad": ("plan.svg", FLOORPLANCAD), "yolo": ("plan.txt", "0 0.5 0.5 0.25 0.25\n"),
        "yolo-seg": ("plan.txt", "0 0.5 0.5 0.25 0.25 0.5 0.75\n"),
        **OTHERS, "masks": ("masks.json", MASKS),
        "yolo-obb": ("plan.txt", "0 0.5 0.5 0.75 0.5 0.75 0.75 0.5 0.75\n"),
    }  # fmt: skip
    for name, (file, content) in contents.items():
        files[name] = folder / name / file
        files[name].parent.mkdir()
        files[name].write_text(content, "utf-8")
        (folder / name / "plan.png").write_bytes((folder / "plan.png").read_bytes())
    (folder / "mets").mkdir()
    files["mets"] = workspace(folder / "mets", "GT", pages=1)
    return files


def test_every_format_has_a_sample_and_is_known_by_its_content(tmp_path: Path) -> None:
    files = samples(tmp_path)
    assert set(files) == set(known_formats()) - {"crops"}  # which can only be written
    for name, path in files.items():
        assert format_of(path).read == known_formats()[name].read  # the three of YOLO share one
        (truth,) = known_formats()[name].read_file(path)
        assert truth.regions


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (b"", "no element found"),
        (b"plain text", "not well-formed|syntax error"),
        (b"<?xml version='1.0'?>" + LAUGHS + b"<a>&p;</a>", "declares entities"),
        (b"<?xml version='1.0'?>" + LAUGHS + b"<a b='&p;'/>", "declares entities"),
        (b"<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>", "declares entities"),
        (b"<!DOCTYPE a [<!ENTITY % x SYSTEM 'http://localhost/'>%x;]><a/>", "declares entities"),
        (b"<!DOCTYPE a SYSTEM 'http://localhost/a.dtd'><a>&x;</a>", "unknown entity &x;"),
        (b"<a>&nbsp;</a>", "undefined entity"),
        (b"<a>" * (MAXIMUM_DEPTH + 1) + b"</a>" * (MAXIMUM_DEPTH + 1), "nested deeper than"),
        (b"<a>" * 100_000, "nested deeper than"),
        (b"<?xml version='1.0' encoding='klingon'?><a/>", "unknown encoding klingon"),
        (b"<?xml version='1.0' encoding='zlib'?><a/>", "unknown encoding zlib"),
        (b"<a>\xff\xfe</a>", "line 1: the byte 0xFF is not UTF-8"),
        (b"\xff\xfe<\x00a", "is not UTF-16|not well-formed"),
        (b"<a x='1' x='2'/>", "duplicate attribute"),
        (b"<a:b/>", "unbound prefix"),
    ],
)
def test_hostile_xml_is_one_message(source: bytes, problem: str) -> None:
    with pytest.raises(BadInput, match=problem) as caught:
        read_tree(source, PATH)
    assert "\n" not in str(caught.value)


def test_a_bare_document_type_is_passed_over(tmp_path: Path) -> None:
    source = b"<?xml version='1.0'?><!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'x.dtd'>" + SVG
    path = tmp_path / "plan.svg"
    path.write_bytes(source)
    (truth,) = known_formats()["cvc-fp"].read_file(path)
    assert len(truth.regions) == 1
    page = (
        b'<?xml version="1.0"?><!DOCTYPE PcGts SYSTEM "http://localhost/x">'
        + BODY.partition(b"-->\n")[2]
    )
    moment = datetime(2020, 1, 2, 3, 4, 5)
    assert page_xml.serialise(page_xml.parse(page, PATH), moment) == page


def test_entities_in_a_page_file_do_not_reach_the_page_list(tmp_path: Path) -> None:
    path = tmp_path / "plan.xml"
    path.write_bytes(b'<?xml version="1.0"?>' + LAUGHS + BODY.replace(b"kept", b"&p;"))
    assert scan([tmp_path])[0].missing
    found = summary(path)
    assert found.state is None or found.labels  # refused, or read without expanding anything
    with pytest.raises(BadInput, match="declares entities"):
        page_xml.read(path)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(known_formats().keys() - {"crops"}))
def test_cut_and_damaged_files(tmp_path: Path, name: str) -> None:
    path = samples(tmp_path)[name]
    whole = path.read_bytes()
    draw = random.Random(name)
    for trial in range(250):
        content = bytearray(whole)
        if trial % 3 == 0:
            content = content[: draw.randrange(len(content))]
        else:
            for _ in range(draw.choice((1, 1, 2, 8))):
                content[draw.randrange(len(content))] = draw.randrange(256)
        if trial % 3 == 2:
            at, size = draw.randrange(len(content)), draw.randrange(40)
            del content[at : at + size]
        path.write_bytes(content)
        check_only_messages(known_formats()[name], path)
        assert path.read_bytes() == content


def check_only_messages(format: Format, path: Path) -> None:
    try:
        truths = format.read_file(path)
    except BadInput as error:
        assert "\n" not in str(error)
        assert str(path) in str(error) or "plan" in str(error)
    else:
        for truth in truths:
            page_xml.serialise(truth, datetime(2026, 1, 1))
    with contextlib.suppress(BadInput):
        format.read_file(path, Reading(strict=True))
    summary(path)
    scan([path.parent])
    try:
        convert(path, path.parent / "out.json", "coco")
    except SpotlabError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("name", ["coco", "labelme"])
@pytest.mark.parametrize("value", ["null", "[]", "{}", "1e999", "true", '"x"', "-1", "1" * 400])
def test_json_with_other_values(tmp_path: Path, name: str, value: str) -> None:
    path = samples(tmp_path)[name]
    text = path.read_text()
    at = 0
    while (at := text.find(":", at + 1)) > 0:
        end = min(place for mark in ",}]" if (place := text.find(mark, at)) > 0)
        path.write_text(text[: at + 1] + value + text[end:])
        check_only_messages(known_formats()[name], path)


def test_labels_of_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "spotlab.json"
    contents = (b"[", b"[]", b'{"labels": 1}', b'{"labels": [1]}', b"\xff", b"[" * 100_000,
                b'{"labels": [{"name": "a"}, {"name": "a"}]}')  # fmt: skip
    for content in contents:
        path.write_bytes(content)
        with pytest.raises(BadInput):
            read_labels(tmp_path)
    path.write_bytes(b"")  # as a window makes it to lock it before it writes
    assert not read_labels(tmp_path)


def test_an_empty_file_and_one_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "plan.xml").write_bytes(b"")
    with pytest.raises(BadInput, match="empty"):
        page_xml.read(tmp_path / "plan.xml")
    with pytest.raises(BadInput, match="it does not exist"):
        page_xml.read(tmp_path / "other.xml")
    with pytest.raises(BadInput, match="empty"):
        format_of(tmp_path / "plan.xml")
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(BadInput, match=r"the format is not known; expected one of .*PAGE XML"):
        format_of(tmp_path / "notes.txt")
