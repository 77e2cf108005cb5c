"""Converting files and folders: what is written, what is said, nothing left half done."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from spotlab.errors import BadInput, Cancelled, NotSaved
from spotlab.formats.collection.convert import convert
from spotlab.formats.collection.export import ExportSelection
from spotlab.formats.collection.label_file import write_labels
from spotlab.formats.truth import page_xml, pascal_voc
from spotlab.model import LabelSet, Page, Region, Truth
from spotlab.progress import silent
from spotlab.studies.words.word_truth import read_words

SCHEMA = etree.XMLSchema(
    etree.parse(Path(__file__).parents[1] / "data" / "pagecontent_2019-07-15.xsd")
)


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    folder = tmp_path / "plans"
    folder.mkdir()
    for name in ("a", "b"):
        Image.new("L", (80, 60), 255).save(folder / f"{name}.png")
        region = Region(((1, 1), (20, 1), (20, 9)), f"label {name}", uncertain=name == "b")
        page_xml.write(
            Truth(Page(folder / f"{name}.png", 80, 60), (region,)), folder / f"{name}.xml"
        )
    (folder / "mets.xml").write_text("<mets/>")
    return folder


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_folder_to_coco_and_back(collection: Path, tmp_path: Path) -> None:
    done = convert(collection, tmp_path / "out" / "all.json")
    assert (done.format.name, done.pages, done.regions) == ("coco", 2, 2)
    assert done.remarks == ()  # mets.xml, which is none, is no matter beside PAGE XML
    content = json.loads((tmp_path / "out" / "all.json").read_text())
    assert content["images"][0]["file_name"] == "../plans/a.png"
    convert(tmp_path / "out" / "all.json", tmp_path / "back")
    assert files_in(tmp_path / "back") == ["a.xml", "b.xml"]
    for name in "ab":
        again = page_xml.read(tmp_path / "back" / f"{name}.xml")
        truth = page_xml.read(collection / f"{name}.xml")
        assert again.regions == truth.regions
        assert again.page == truth.page  # the image is found where it is
        assert SCHEMA.validate(etree.fromstring(again.source)), SCHEMA.error_log


def test_to_voc_says_what_is_lost(collection: Path, tmp_path: Path) -> None:
    done = convert(collection, tmp_path / "voc", "voc")
    assert done.remarks == (
        "Pascal VOC: 2 outlines became their bounding boxes",
        "Pascal VOC: 1 uncertain mark was left out",
    )
    assert files_in(tmp_path / "voc") == ["a.xml", "b.xml"]


def test_one_file(collection: Path, tmp_path: Path) -> None:
    convert(collection / "a.xml", tmp_path / "named.json", "labelme")
    assert json.loads((tmp_path / "named.json").read_text())["imagePath"] == "plans/a.png"
    convert(tmp_path / "named.json", tmp_path / "named.xml")
    assert page_xml.read(tmp_path / "named.xml").page.image == collection / "a.png"


def test_what_cannot_be_converted_leaves_nothing(collection: Path, tmp_path: Path) -> None:
    target = tmp_path / "out" / "deep"
    (collection / "b.xml").write_bytes((collection / "b.xml").read_bytes()[:-30])
    with pytest.raises(BadInput, match=r"b\.xml, line"):
        convert(collection, target, strict=True)
    assert not (tmp_path / "out").exists()


def test_cancelling_leaves_nothing(collection: Path, tmp_path: Path) -> None:
    def progress(done: int, total: int | None, doing: str) -> None:
        if doing.startswith("writing") and done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        convert(collection, tmp_path / "out" / "deep", None, progress)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("target", "name", "problem"),
    [
        (
            "out",
            "alto",
            "ALTO can only be read, not written; expected one of coco, cubicasa5k, ",
        ),
        ("out", "docx", "there is no format 'docx'"),
        ("out.docx", None, "no format has the suffix .docx"),
        ("out.xml", None, "would be written to the same file"),
        ("plans", None, "a.xml: the file already exists, and 1 more"),
    ],
)
def test_targets_that_do_not_fit(
    collection: Path, tmp_path: Path, target: str, name: str | None, problem: str
) -> None:
    before = files_in(tmp_path)
    with pytest.raises(BadInput, match=problem):
        convert(collection, tmp_path / target, name)
    assert files_in(tmp_path) == before


def test_two_pages_of_the_same_name(collection: Path, tmp_path: Path) -> None:
    (collection / "inner").mkdir()
    for name in ("a.xml", "a.png"):
        (collection / "inner" / name).write_bytes((collection / name).read_bytes())
    convert(collection, tmp_path / "out")
    written = [file.relative_to(tmp_path / "out") for file in (tmp_path / "out").rglob("*.xml")]
    assert {"a.xml", "inner/a.xml"} <= {file.as_posix() for file in written}


def test_a_source_is_not_overwritten_by_another_format(collection: Path) -> None:
    convert(collection / "a.xml", collection / "c.json", "labelme")
    before = (collection / "c.json").read_bytes()
    with pytest.raises(BadInput, match="the target is the source itself"):
        convert(collection / "c.json", collection / "c.json", "coco")
    assert (collection / "c.json").read_bytes() == before


def test_a_target_that_is_in_the_way(collection: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotSaved, match="was not created"):
        convert(collection, tmp_path / "file" / "out")
    with pytest.raises(BadInput, match="this is a folder"):
        convert(collection, collection, "coco")


def test_files_in_the_way_are_replaced_when_asked(collection: Path, tmp_path: Path) -> None:
    convert(collection, tmp_path / "out", "voc")
    (tmp_path / "out" / "a.xml").write_text("old")
    convert(collection, tmp_path / "out", "voc", overwrite=True)
    assert files_in(tmp_path / "out") == ["a.xml", "b.xml"]
    assert (tmp_path / "out" / "a.xml").read_text() != "old"
    before = [(collection / name).read_bytes() for name in ("a.xml", "b.xml")]
    with pytest.raises(BadInput, match="the target is the source itself"):
        convert(collection, collection, "voc", overwrite=True)
    assert [(collection / name).read_bytes() for name in ("a.xml", "b.xml")] == before


def test_replacing_that_fails_leaves_the_old_files(collection: Path, tmp_path: Path) -> None:
    def progress(done: int, total: int | None, doing: str) -> None:
        if doing.startswith("writing") and done == 1:
            raise Cancelled

    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.xml").write_text("old")
    with pytest.raises(Cancelled):
        convert(collection, tmp_path / "out", "voc", progress, overwrite=True)
    assert os.listdir(tmp_path / "out") == ["a.xml"]
    assert (tmp_path / "out" / "a.xml").read_text() == "old"


KILLED = """
import os, signal, sys
from pathlib import Path
from spotlab.formats.collection.convert import convert

def progress(done, total, doing):
    if doing.startswith("writing") and done == 1:
        os.kill(os.getpid(), signal.SIGKILL)

convert(Path(sys.argv[1]), Path(sys.argv[2]), "page", progress, overwrite=len(sys.argv) > 3)
"""


@pytest.mark.slow
def test_a_half_written_folder_is_recognised(collection: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = [sys.executable, "-c", KILLED, str(collection), str(out)]
    for more in ([], ["overwrite"]):
        assert subprocess.run([*arguments, *more], check=False).returncode == -signal.SIGKILL
        assert [path.name for path in out.glob("*.xml")] == ["a.xml"]
        problem = (
            "out: an earlier conversion to this folder was interrupted: 1 of 2 files are there"
        )
        with pytest.raises(BadInput, match=f"{problem}; expected another place, or overwrite=True"):
            convert(collection, out)
    assert convert(collection, out, overwrite=True).pages == 2
    assert sorted(os.listdir(out)) == ["a.xml", "b.xml"]
    with pytest.raises(BadInput, match="the file already exists, and 1 more"):
        convert(collection, out)


def test_category_ids_follow_the_label_list(collection: Path, tmp_path: Path) -> None:
    labels = LabelSet().with_label("unused").with_label("label b").with_label("label a")
    write_labels(collection, labels)

    def ids(source: Path, target: Path) -> dict[str, int]:
        convert(source, target)
        content = json.loads(target.read_text())
        return {category["name"]: category["id"] for category in content["categories"]}

    assert ids(collection, tmp_path / "one.json") == {"unused": 1, "label b": 2, "label a": 3}
    assert ids(collection / "a.xml", tmp_path / "two.json") == ids(
        collection, tmp_path / "three.json"
    )


def test_words_and_lines_are_taken_or_counted(tmp_path: Path) -> None:
    Image.new("L", (20, 20), 255).save(tmp_path / "a.png")
    coords = '<Coords points="1,1 9,1 9,9"/>'
    word = f'<Word id="w1">{coords}<TextEquiv><Unicode>my</Unicode></TextEquiv></Word>'
    word += f'<Word id="w2">{coords}</Word>'
    line = f'<TextLine id="l1">{coords}{word}</TextLine>'
    (tmp_path / "a.xml").write_text(
        '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">'
        "<Metadata><Creator/><Created>2020-01-01T00:00:00</Created>"
        "<LastChange>2020-01-01T00:00:00</LastChange></Metadata>"
        '<Page imageFilename="a.png" imageWidth="20" imageHeight="20">'
        f'<TextRegion id="r1">{coords}{line}</TextRegion></Page></PcGts>'
    )
    done = convert(tmp_path / "a.xml", tmp_path / "regions.json")
    assert (done.regions, done.remarks) == (1, ("a.xml: 1 × TextLine", "a.xml: 2 × Word"))
    done = convert(tmp_path / "a.xml", tmp_path / "words.json", words=True)
    assert (done.regions, done.remarks) == (2, ("a.xml: 1 × TextLine", "a.xml: 1 × region"))
    done = convert(tmp_path / "a.xml", tmp_path / "both.json", words=True, lines=True)
    assert (done.regions, done.remarks) == (3, ("a.xml: 1 × region",))
    done = convert(tmp_path / "a.xml", tmp_path / "copied", "page")
    assert (done.regions, done.remarks) == (1, ())  # all of it is still there
    assert b"<Word" in (tmp_path / "copied" / "a.xml").read_bytes()


def test_flags_of_labelme_are_attributes_of_shapes_and_tags_of_images(tmp_path: Path) -> None:
    shape = {"label": "x", "points": [[0, 0], [9, 9]], "shape_type": "rectangle", "group_id": 3,
             "flags": {"torn": True, "old": False}}  # fmt: skip
    content = {"flags": {"blurry": True, "night": False, "checked": True}, "shapes": [shape],
               "imagePath": "a.png", "imageWidth": 20, "imageHeight": 20}  # fmt: skip
    (tmp_path / "a.json").write_text(json.dumps(content))
    assert convert(tmp_path / "a.json", tmp_path / "out").remarks == (
        "a.json: 1 × image that is not there (first: a.png)",
    )
    truth = page_xml.read(tmp_path / "out" / "a.xml")
    assert truth.page.tags == ("blurry",) and truth.page.checked
    [region] = truth.regions
    assert region.attributes == (("torn", True), ("old", False), ("group_id", 3))


def test_labels_become_what_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "boxes"
    folder.mkdir()
    Image.new("L", (90, 60), 255).save(folder / "a.png")
    box = ((5, 5), (45, 5), (45, 25), (5, 25))
    lower = tuple((x, y + 30) for x, y in box)
    page = Page(folder / "a.png", 90, 60)
    boxes = Region(box, "claims"), Region(lower, "")
    pascal_voc.write([Truth(page, boxes)], folder / "a.xml", silent)
    done = convert(folder, tmp_path / "words", "page", labels_as_words=True)
    assert done.regions == 2
    [truth] = page_xml.FORMAT.read_file(tmp_path / "words" / "a.xml")
    assert [(region.label, region.text) for region in truth.regions] == [
        ("word", "claims"),
        ("", ""),
    ]
    words = read_words([tmp_path / "words"])
    assert words.texts == ("claims",) and words.boxes.tolist() == [[5, 5, 45, 25]]


def test_a_region_with_a_text_keeps_its_label(tmp_path: Path) -> None:
    Image.new("L", (90, 60), 255).save(tmp_path / "a.png")
    box = ((5, 5), (45, 5), (45, 25), (5, 25))
    lower = tuple((x, y + 30) for x, y in box)
    truth = Truth(
        Page(tmp_path / "a.png", 90, 60),
        (Region(box, "heading", text="Claims"), Region(lower, "orders")),
    )
    page_xml.write(truth, tmp_path / "a.xml")
    chosen = ExportSelection(labels=frozenset({"heading", "orders"}))
    convert(tmp_path / "a.xml", tmp_path / "out", "page", labels_as_words=True, selection=chosen)
    [after] = page_xml.FORMAT.read_file(tmp_path / "out" / "a.xml")
    said = [(region.label, region.text) for region in after.regions]
    assert said == [("heading", "Claims"), ("word", "orders")]
