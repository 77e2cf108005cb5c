"""PAGE XML of older and later versions, of other programs, and what is wrong in it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from spotlab.errors import BadInput
from spotlab.formats.page.read import doubled_ids
from spotlab.formats.page.values import read_custom, write_custom
from spotlab.formats.rows.reading import Consequence, Reading
from spotlab.formats.truth import page_xml
from spotlab.model import Label, LabelSet
from tests.formats.page_files import (
    NOW,
    OLD,
    PATH,
    RICH,
    THEN,
    by_id,
    rich,
    save,
    with_region,
)


def test_an_older_version_stays_as_it_is() -> None:
    truth = page_xml.parse(OLD, PATH)
    assert [(region.id, region.label) for region in truth.regions] == [
        ("a", "heading"), ("f", "frame"), ("i", "image"),
    ]  # fmt: skip
    assert page_xml.serialise(truth, datetime(2010, 1, 2, 3, 4, 5)) == OLD
    content = page_xml.serialise(replace(truth, regions=truth.regions[1:]), NOW)
    gone = OLD.index(b'<TextRegion id="a"'), OLD.index(b"<FrameRegion")
    kept = OLD[: gone[0]].rstrip() + b"\n    " + OLD[gone[1] :]
    kept = kept.replace(b'\n    <ReadingOrder><RegionRef regionRef="a"/></ReadingOrder>', b"")
    changed = (b"<LastChange>2010-01-02T03:04:05", b"<LastChange>2026-11-21T05:06:07")
    assert content == kept.replace(*changed)


def test_a_file_without_a_namespace() -> None:
    bare = re.sub(
        rb' (xmlns:)?\w+="http://schema.primaresearch[^"]*"', b"", RICH.replace(b"pc:", b"")
    )
    truth = page_xml.parse(bare, PATH)
    assert len(truth.regions) == 5
    save(truth)
    save(truth, truth.regions[2:])


def test_missing_metadata_are_added() -> None:
    source = re.sub(rb"<pc:Metadata>.*</pc:Metadata>", b"", RICH, flags=re.DOTALL)
    labels = LabelSet((Label("sofa", "#E69F00", "1"),))
    save(replace(page_xml.parse(source, PATH), labels=labels))
    source = re.sub(rb"<pc:LastChange>.*?</pc:LastChange>", b"", RICH)
    save(page_xml.parse(source, PATH))


def test_ids_that_are_missing_or_double() -> None:
    for source in (RICH, OLD):
        broken = source.replace(b'id="cell1"', b'id="table1"').replace(b' id="i"', b"")
        truth = page_xml.parse(broken.replace(b'<pc:RegionRef regionRef="cell1"/>', b""), PATH)
        assert len({region.id for region in truth.regions}) == len(truth.regions)
    content = page_xml.serialise(truth, THEN, unique_ids=True)
    assert not doubled_ids(content, PATH)
    source = RICH.replace(b' id="mark"', b"").replace(b'id="thin"', b'id="sofa1"')
    truth = page_xml.parse(source, PATH)
    assert page_xml.serialise(truth, THEN) == source
    for regions in (
        truth.regions[1:],
        truth.regions[::-1],
        with_region(truth, "sofa1_5", label="x"),
    ):
        save(truth, regions)
    reading = Reading()
    page_xml.parse(broken, PATH, reading=reading)
    [remark] = [each for each in reading.findings if "of another region" in each.problem]
    assert remark.place == "line 13, ImageRegion"


def test_fractions_are_kept_until_edited() -> None:
    source = RICH.replace(b"500,200 510,200", b" 500.25,200  510 , 200 ")
    truth = page_xml.parse(source, PATH)
    assert by_id(truth, "mark").points[0] == (500.25, 200)
    assert page_xml.serialise(truth, THEN) == source
    moved = replace(truth, regions=tuple(with_region(truth, "sofa1", label="bed")))
    assert b"500.25" in page_xml.serialise(moved, THEN)


def test_regions_without_an_outline_are_told() -> None:
    reading = Reading()
    page_xml.parse(RICH, PATH, reading=reading)
    (remark,) = reading.findings.of([Consequence.REMARK])
    assert remark.problem == "region without an outline" and "line 49" in remark.place


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        (b'imageWidth="800"', b'imageWidth="many"', "imageWidth is 'many'"),
        (b'imageWidth="800"', b'imageWidth="0"', "imageWidth is '0'"),
        (b'imageHeight="600"', b"", "imageHeight is missing"),
        (b"<pc:Page ", b"<pc:Pages ", "line 57: not well-formed XML: mismatched tag"),
    ],
)
def test_nonsense_is_named_with_its_place(old: bytes, new: bytes, place: str) -> None:
    with pytest.raises(BadInput, match=place):
        page_xml.parse(RICH.replace(old, new, 1), PATH)


@pytest.mark.parametrize("points", [b"500,200 510", b"500,200 nan,1", b"500,200 1e300,1", b"x"])
@pytest.mark.parametrize("source", [RICH, RICH.replace(b"2019-07-15", b"2013-07-15")])
def test_an_outline_that_cannot_be_read_stays_and_is_named(source: bytes, points: bytes) -> None:
    broken = source.replace(b"500,200 510,200", points, 1)
    reading = Reading()
    truth = page_xml.parse(broken, PATH, reading=reading)
    [finding] = reading.findings.of([Consequence.LEFT_OUT])
    assert finding.place == "line 47, Coords of CustomRegion mark"
    assert len(truth.regions) == len(rich().regions) - 1
    saved = page_xml.serialise(
        replace(truth, regions=tuple(with_region(truth, "sofa1", label="bed"))), THEN
    )
    assert points in saved
    with pytest.raises(BadInput, match="line 47, Coords of CustomRegion mark"):
        page_xml.parse(broken, PATH, reading=Reading(strict=True))


def test_the_text_of_the_lowest_index_counts_even_if_it_is_empty() -> None:
    def texts(*given: tuple[str, str]) -> list[str]:
        inner = "".join(f'<pc:TextEquiv index="{index}"><pc:Unicode>{text}</pc:Unicode>'
                        "</pc:TextEquiv>" for index, text in given)  # fmt: skip
        word = f'<pc:Word id="w1"><pc:Coords points="1,1 9,1 9,5 1,5"/>{inner}</pc:Word>'
        line = b"<pc:TextEquiv><pc:Unicode>Grund"
        source = RICH.replace(line, word.encode() + line, 1)
        return [
            region.text
            for region in page_xml.parse(source, PATH, words=True, texts_only=False).regions
        ]

    assert texts(("1", "old"), ("0", "new")) == ["new"]
    assert texts(("1", "old"), ("0", "")) == [""]
    assert texts(("0", ""), ("1", "old")) == [""]


def test_a_word_without_an_outline_is_placed_by_its_glyphs() -> None:
    word = (
        b'<pc:Word id="w1"><pc:Glyph id="g"><pc:Coords points="10,10 20,10 20,30"/></pc:Glyph>'
        b'<pc:Glyph id="h"><pc:Coords points="30,12 40,12 40,32"/></pc:Glyph>'
        b"<pc:TextEquiv><pc:Unicode>ab</pc:Unicode></pc:TextEquiv></pc:Word>"
    )
    line = b"<pc:TextEquiv><pc:Unicode>Grund"
    reading = Reading()
    truth = page_xml.parse(RICH.replace(line, word + line, 1), PATH, words=True, reading=reading)
    assert [(region.text, region.bounds) for region in truth.regions] == [("ab", (10, 10, 40, 32))]
    assert any("placed by its glyphs" in str(finding) for finding in reading.findings)


def test_words_are_regions_on_request() -> None:
    word = (
        b'<pc:Word id="w1"><pc:Coords points="10,10 90,10 90,50 10,50"/>'
        b"<pc:TextEquiv><pc:Unicode>first</pc:Unicode></pc:TextEquiv>"
        b"<pc:TextEquiv><pc:Unicode>last</pc:Unicode></pc:TextEquiv></pc:Word>"
    )
    line = b"<pc:TextEquiv><pc:Unicode>Grund"
    source = RICH.replace(line, word + line, 1)
    truth = page_xml.parse(source, PATH, words=True)
    assert [(region.id, region.text, region.label) for region in truth.regions] == [
        ("w1", "last", "word")
    ]
    assert truth.source == b""


def test_a_later_version_is_read_and_left_in_its_version() -> None:
    later = RICH.replace(b"2019-07-15", b"2031-01-01")
    truth = page_xml.parse(later, PATH)
    assert len(truth.regions) == 5
    assert page_xml.serialise(truth, THEN) == later


def test_custom_of_other_programs_stays() -> None:
    assert read_custom("notspotlab {primitive:box;}") == {}
    custom = "a {b:c;}spotlab{x:y;} z{}"
    assert write_custom(custom, {"x": None}) == "a {b:c;} z{}"
    assert write_custom(custom, {"x": "1"}) == "a {b:c;}spotlab {x:1;} z{}"
    assert read_custom(write_custom("", {"k": "} ; { \n"})) == {"k": "} ; { \n"}


def test_write_keeps_the_old_file_on_failure(tmp_path: Path) -> None:
    path = tmp_path / "plan.xml"
    path.write_bytes(RICH)
    with pytest.raises(BadInput):
        page_xml.write(replace(rich(), source=b"<no/>"), path)
    assert path.read_bytes() == RICH


def test_an_outline_that_closes_twice_is_none(tmp_path: Path) -> None:
    """Of points that only repeat the first one, one is left: that is passed over, and told."""
    path = tmp_path / "a.xml"
    path.write_text(
        '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">'
        "<Metadata><Creator/><Created>2020-01-01T00:00:00</Created>"
        "<LastChange>2020-01-01T00:00:00</LastChange></Metadata>"
        '<Page imageFilename="a.png" imageWidth="20" imageHeight="20">'
        '<CustomRegion id="r1" type="x"><Coords points="1,1 1,1 1,1 1,1"/></CustomRegion>'
        "</Page></PcGts>"
    )
    assert page_xml.read(path).regions == ()
