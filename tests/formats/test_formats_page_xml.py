"""PAGE XML: what is read, and that a save writes what has changed and nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree
from pypxml import PageType, PageXML

from spotlab import __version__
from spotlab.formats.truth import page_xml
from spotlab.model import Label, LabelSet, Page, Primitive, Region, Truth
from tests.formats.page_files import (
    NOW,
    PATH,
    RICH,
    THEN,
    assert_valid,
    by_id,
    changed_lines,
    rich,
    save,
    with_region,
)


def test_reads_regions_of_every_type_and_depth() -> None:
    truth = rich()
    assert [(region.id, region.label) for region in truth.regions] == [
        ("text1", "heading"), ("table1", "table"), ("cell1", "text"), ("mark", "stamp"),
        ("sofa1", "sofa"),
    ]  # fmt: skip
    sofa = by_id(truth, "sofa1")
    assert (sofa.primitive, sofa.uncertain, sofa.comment, sofa.text) == (
        Primitive.HULL, True, "two\nlines", "IKEA",
    )  # fmt: skip
    assert by_id(truth, "text1").text == "Grundriß"
    assert by_id(truth, "mark").points == ((500, 200), (510, 200), (505, 220))
    assert (truth.page.width, truth.page.height, truth.page.image.name) == (800, 600, "plan.png")


def test_nothing_changed_and_the_same_time_gives_the_same_bytes() -> None:
    assert page_xml.serialise(rich(), THEN) == RICH


def test_nothing_changed_changes_the_time_alone() -> None:
    content = save(rich())
    assert content != RICH
    time = b"<pc:LastChange>2026-11-21T05:06:07<"
    assert content.replace(time, b"<pc:LastChange>2020-01-02T03:04:05<") == RICH


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "latin-1"])
def test_keeps_encoding_and_line_ends(encoding: str) -> None:
    name = encoding.replace("-sig", "").upper()
    text = RICH.decode().replace("UTF-8", name).replace("\n", "\r\n")
    source = text.encode(encoding)
    truth = page_xml.parse(source, PATH)
    assert page_xml.serialise(truth, THEN) == source
    changed = replace(truth, regions=tuple(with_region(truth, "sofa1", comment="κάτι")))
    assert page_xml.parse(page_xml.serialise(changed, NOW), PATH).regions == changed.regions


def test_a_moved_corner_changes_one_line() -> None:
    truth = rich()
    points = ((100, 400), (190, 400), (180, 460), (100, 460))
    gone, new = changed_lines(save(truth, with_region(truth, "sofa1", points=points), THEN))
    assert len(gone) == len(new) == 1
    assert new[0].strip() == '<pc:Coords points="100,400 190,400 180,460 100,460"/>'


def test_odd_spacing_and_quotes_stay() -> None:
    truth = rich()
    points = ((11, 10), (200, 10), (200, 50), (10, 50))
    content = save(truth, with_region(truth, "text1", points=points), THEN)
    assert b'<pc:Coords  points="11,10 200,10 200,50 10,50" />' in content
    assert b"imageFilename='plan.png'" in content


def test_a_label_is_the_type_of_ours_and_custom_of_theirs() -> None:
    truth = rich()
    assert b'type="bed"' in save(truth, with_region(truth, "sofa1", label="bed"))
    content = save(truth, with_region(truth, "text1", label="title"))
    assert (
        b'type="heading" custom="structure {type:heading;} readingOrder {index:0;} '
        b'spotlab {label:title;}"' in content
    )
    again = page_xml.parse(content, PATH)
    assert b"spotlab {label" not in save(again, with_region(again, "text1", label="heading"))


def test_unlabeled_has_no_type() -> None:
    truth = rich()
    sofa = etree.fromstring(save(truth, with_region(truth, "sofa1", label=""))).find(
        ".//{*}CustomRegion[@id='sofa1']"
    )
    assert "type" not in sofa.attrib


def test_flags_comments_and_texts() -> None:
    truth = rich()
    regions = with_region(truth, "sofa1", uncertain=False, comment="", text="")
    content = save(truth, regions)
    assert b'custom="spotlab {primitive:hull;} theirs {a:b;}" type="sofa"' in content
    assert b"IKEA" not in content and b'name="theirs" value="x"' in content
    regions = with_region(truth, "text1", text='Plan <1> & "more"\n]]>', comment="a\tb 'c'")
    assert b"Plan &lt;1&gt; &amp;" in save(truth, regions)
    save(truth, with_region(truth, "cell1", text="was empty"))
    save(truth, with_region(truth, "mark", text="no TextEquiv here"))


@pytest.mark.parametrize("label", ["a;b:c{d}", "}", "stuhl ‚groß‘ 🛋", "\\u003b", '"quoted"', "<&>"])
def test_labels_are_escaped(label: str) -> None:
    truth = rich()
    for id in ("text1", "sofa1"):
        save(truth, with_region(truth, id, label=label, comment=label, text=label))


def test_removing_takes_references_along() -> None:
    truth = rich()
    content = save(truth, [region for region in truth.regions if region.id != "sofa1"])
    assert b"sofa1" not in content
    assert b"layer0" not in content and b"layer1" in content and b"Relations" not in content
    _, new = changed_lines(content)
    assert [line for line in new if "LastChange" not in line] == [
        '      <pc:Layer id="layer1" zIndex="1"><pc:RegionRef regionRef="text1"/></pc:Layer>'
    ]


def test_nested_regions_move_up_when_their_parent_goes() -> None:
    truth = rich()
    content = save(truth, [region for region in truth.regions if region.id != "table1"])
    root = etree.fromstring(content)
    assert root.find(".//{*}TextRegion[@id='cell1']").getparent().tag.endswith("Page")
    group = root.find(".//{*}UnorderedGroupIndexed")
    assert "regionRef" not in group.attrib and len(group) == 1


def test_removing_everything_leaves_what_is_no_region() -> None:
    content = save(rich(), [])
    assert b"ReadingOrder" not in content
    for kept in (b"pc:Border", b"thin", b"<?target some instruction?>", b"in front of the root"):
        assert kept in content


def test_new_regions_come_where_they_belong() -> None:
    truth = rich()
    new = Region(((1, 1), (9, 1), (9, 9)), "sink", "new1", uncertain=True, comment="?", text="T")
    for place in range(len(truth.regions) + 1):
        regions = list(truth.regions)
        regions.insert(place, new)
        content = save(truth, regions)
    start = b'<pc:CustomRegion id="new1" custom="spotlab {primitive:hull; uncertain:true;}"'
    assert start in content


def test_reordering_moves_elements() -> None:
    truth = rich()
    content = save(truth, truth.regions[::-1])
    assert content.count(b"Grundri") == 2  # the text line has come along
    save(truth, (*truth.regions[2:], *truth.regions[:2]))


def test_foreign_things_survive() -> None:
    foreign = RICH.replace(
        b'<pc:Coords points="500,200',
        b'<x:note xmlns:x="urn:x" x:a="1"><x:b/></x:note><pc:Coords points="500,200',
    ).replace(b'type="stamp"', b'type="stamp" unknown="1"')
    truth = page_xml.parse(foreign, PATH)
    changed = replace(truth, regions=tuple(with_region(truth, "mark", label="seal")))
    content = page_xml.serialise(changed, THEN)
    assert content == foreign.replace(b'type="stamp"', b'type="seal"')


def test_page_mark_and_label_colours() -> None:
    labels = LabelSet((Label("sofa", "#E69F00", "1"), Label("wash basin", "#56B4E9")))
    truth = rich()
    truth = replace(truth, page=replace(truth.page, checked=True), labels=labels)
    content = save(truth)
    assert b'custom="readingOrder {index:0;} spotlab {checked:true;}"' in content
    again = page_xml.parse(content, PATH)
    back = replace(again, page=replace(again.page, checked=False), labels=LabelSet())
    assert page_xml.serialise(back, THEN) == RICH


def test_a_new_document() -> None:
    page = Page(Path("a <b>.png"), 30, 20, frame=1, frames=3)
    regions = [Region(((0.4, -3), (9.5, 1), (9, 9)), "sink"), Region(((1, 1), (2, 1), (2, 2)))]
    content = page_xml.serialise(Truth(page, tuple(regions)), NOW)
    assert_valid(content)
    assert f"<Creator>spotlab {__version__}</Creator>".encode() in content
    again = page_xml.parse(content, PATH)
    assert again.regions[0].points == ((0, 0), (10, 1), (9, 9))
    assert again.regions[1] == regions[1]
    assert (again.page.frame, again.page.frames, again.page.name) == (1, 3, "a <b>_p2")
    assert_valid(page_xml.serialise(Truth(page), NOW))


def test_another_library_reads_it_back(tmp_path: Path) -> None:
    # it knows neither comments nor processing instructions nor SourceRegionRef
    source = re.sub(rb"<!--.*?-->|<\?target.*?\?>", b"", RICH)
    truth = page_xml.parse(source, PATH)
    new = Region(((1, 1), (9, 1), (9, 9)), "Spüle & Herd", "new1")
    path = tmp_path / "plan.xml"
    page_xml.write(replace(truth, regions=(*truth.regions, new)), path, NOW)
    theirs = PageXML.open(path, raise_on_error=False)
    assert theirs["imageFilename"] == "plan.png"
    custom = {node["id"]: node for node in theirs.find_all(PageType.CustomRegion, depth=-1)}
    assert set(custom) == {"mark", "sofa1", "new1"}
    assert custom["new1"]["type"] == "Spüle & Herd"
    assert custom["new1"].find(PageType.Coords)["points"] == "1,1 9,1 9,9"
