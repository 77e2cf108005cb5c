"""PAGE XML: what is read, and that a save writes what has changed and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from lxml import etree
from pypxml import PageType, PageXML

from spotlab import __version__
from spotlab.errors import BadInput
from spotlab.formats import page_xml
from spotlab.formats.page_custom import read_custom, write_custom
from spotlab.model import Label, LabelSet, Page, Primitive, Region, Truth

DATA = Path(__file__).parent / "data"
RICH = (DATA / "rich.xml").read_bytes()
OLD = (DATA / "old.xml").read_bytes()
SCHEMA = etree.XMLSchema(etree.parse(DATA / "pagecontent_2019-07-15.xsd"))
THEN = datetime(2020, 1, 2, 3, 4, 5)  # what the sample files say
NOW = datetime(2026, 11, 21, 5, 6, 7)
PATH = Path("plans/plan.xml")


def rich() -> Truth:
    return page_xml.parse(RICH, PATH)


def assert_valid(content: bytes) -> None:
    assert SCHEMA.validate(etree.fromstring(content)), SCHEMA.error_log


def save(truth: Truth, regions: Sequence[Region] | None = None, moment: datetime = NOW) -> bytes:
    """Serialise, and check what has to hold for every file that we write."""
    changed = truth if regions is None else replace(truth, regions=tuple(regions))
    content = page_xml.serialise(changed, moment)
    assert_valid(content)
    again = page_xml.parse(content, PATH)
    assert again.regions == changed.regions
    assert again.labels == changed.labels
    assert again.page.checked == changed.page.checked
    return content


def changed_lines(content: bytes) -> tuple[list[str], list[str]]:
    """Lines of the sample that are gone and lines that are new."""
    before, after = RICH.decode().splitlines(), content.decode().splitlines()
    return [line for line in before if line not in after], [
        line for line in after if line not in before
    ]


def by_id(truth: Truth, id: str) -> Region:
    return next(region for region in truth.regions if region.id == id)


def with_region(truth: Truth, id: str, **values: object) -> list[Region]:
    return [
        replace(region, **values) if region.id == id else region  # type: ignore[arg-type]
        for region in truth.regions
    ]


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


def test_older_versions_are_upgraded() -> None:
    truth = page_xml.parse(OLD, PATH)
    assert [(region.id, region.label) for region in truth.regions] == [
        ("a", "heading"), ("f", "frame"), ("i", "image"),
    ]  # fmt: skip
    content = save(truth)
    root = etree.fromstring(content)
    assert root.find(".//{*}TextStyle").attrib == {
        "textColour": "black", "bgColour": "white", "fontSize": "12.0",
    }  # fmt: skip
    frame = root.find(".//{*}GraphicRegion[@id='f']")
    assert {node.get("name") for node in frame.iter("{*}UserAttribute")} == {
        "bgColour", "borderPresent",
    }  # fmt: skip
    assert root.find(".//{*}UnorderedGroup/{*}RegionRef").get("regionRef") == "a"
    assert root.find(".//{*}Creator").text == "café"
    assert "2010-03-19" in root.find(".//{*}Unicode").text  # a text that looks like a namespace
    assert b"a comment" in content and b"urn:theirs" in content
    assert root.find(".//{*}NoiseRegion/{*}Coords").get("points") == "1,1 1,1"
    save(truth, truth.regions[1:])


def test_a_file_without_a_namespace() -> None:
    bare = re.sub(
        rb' (xmlns:)?\w+="http://schema.primaresearch[^"]*"', b"", RICH.replace(b"pc:", b"")
    )
    truth = page_xml.parse(bare, PATH)
    assert len(truth.regions) == 5
    save(truth)
    save(truth, truth.regions[2:])


def test_relations_of_2013() -> None:
    source = RICH.replace(b"2019-07-15", b"2013-07-15").replace(b'id="rel1" ', b"")
    source = re.sub(rb"(Source|Target)RegionRef", b"RegionRef", source)
    content = save(page_xml.parse(source, PATH))
    assert b'SourceRegionRef regionRef="sofa1"' in content


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
    save(truth)  # the upgrade makes an old file valid
    source = RICH.replace(b' id="mark"', b"").replace(b'id="thin"', b'id="sofa1"')
    truth = page_xml.parse(source, PATH)
    assert page_xml.serialise(truth, THEN) == source
    for regions in (
        truth.regions[1:],
        truth.regions[::-1],
        with_region(truth, "sofa1_5", label="x"),
    ):
        save(truth, regions)
    assert len(page_xml.problems(broken, PATH)) == 2


def test_fractions_are_kept_until_edited() -> None:
    source = RICH.replace(b"500,200 510,200", b" 500.25,200  510 , 200 ")
    truth = page_xml.parse(source, PATH)
    assert by_id(truth, "mark").points[0] == (500.25, 200)
    assert page_xml.serialise(truth, THEN) == source
    moved = replace(truth, regions=tuple(with_region(truth, "sofa1", label="bed")))
    assert b"500.25" in page_xml.serialise(moved, THEN)


def test_regions_without_an_outline_are_told() -> None:
    (problem,) = page_xml.problems(RICH, PATH)
    assert (problem.line, problem.id) == (49, "thin")
    assert "2 points" in problem.text


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        (b"500,200 510,200", b"500,200 510", "line 47, Coords of CustomRegion mark"),
        (b"500,200 510,200", b"500,200 nan,1", "line 47, Coords of CustomRegion mark"),
        (b"500,200 510,200", b"500,200 1e300,1", "line 47, Coords of CustomRegion mark"),
        (b'imageWidth="800"', b'imageWidth="many"', "imageWidth is 'many'"),
        (b'imageWidth="800"', b'imageWidth="0"', "imageWidth is '0'"),
        (b'imageHeight="600"', b"", "imageHeight is missing"),
        (b"<pc:Page ", b"<pc:Pages ", "line 57: not well-formed XML: mismatched tag"),
    ],
)
def test_nonsense_is_named_with_its_place(old: bytes, new: bytes, place: str) -> None:
    with pytest.raises(BadInput, match=place):
        page_xml.parse(RICH.replace(old, new, 1), PATH)


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
