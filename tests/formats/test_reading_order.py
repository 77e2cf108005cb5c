"""The reading order of a page is read, follows its regions, and is written where it differs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.cli import root
from spotlab.editing.operations import merge, split
from spotlab.editing.reading_order import by_position, ordered_as
from spotlab.editing.session import EditingSession
from spotlab.formats.truth import page_xml
from spotlab.model import OrderGroup, Region, Truth
from tests.formats.exchanged import blank_page, read, write
from tests.formats.page_files import NOW, assert_valid
from tests.formats.test_page_versions import VERSIONS, page

CURRENT = "2019-07-15"


def region(id: str, left: int, top: int, width: int = 40, height: int = 20) -> Region:
    right, bottom = left + width, top + height
    return Region(((left, top), (right, top), (right, bottom), (left, bottom)), "text", id)


def text_region(id: str, left: int, top: int) -> str:
    points = f"{left},{top} {left + 40},{top} {left + 40},{top + 20} {left},{top + 20}"
    return f'    <TextRegion id="{id}"><Coords points="{points}"/></TextRegion>\n'


ORDER = """<ReadingOrder conf="0.5">
      <!-- by hand --><OrderedGroup id="g0" caption="Regions reading order" type="other">
        <Labels><Label value="x"/></Labels>
        <RegionRefIndexed index="3" regionRef="c"/>
        <RegionRefIndexed regionRef="a" index="1"/>
        <UnorderedGroupIndexed id="g1" index="2"><RegionRef regionRef="b"/><RegionRef
        regionRef="d"/>
        </UnorderedGroupIndexed>
      </OrderedGroup>
    </ReadingOrder>
"""
FILE = (
    f'<?xml version="1.0" encoding="UTF-8"?>\n<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/'
    f'pagecontent/{CURRENT}"><Metadata><Creator>x</Creator><Created>2020-01-01T00:00:00</Created>'
    "<LastChange>2020-01-01T00:00:00</LastChange></Metadata>\n"
    '  <Page imageFilename="plan.png" imageWidth="400" imageHeight="300">\n    '
    + ORDER
    + "".join(text_region(id, 10, 10 + 40 * at) for at, id in enumerate("abcd"))
    + "  </Page>\n</PcGts>\n"
)
READ = OrderGroup(
    ("a", OrderGroup(("b", "d"), False, "g1"), "c"), True, "g0", "Regions reading order"
)


def saved(truth: Truth) -> bytes:
    content = page_xml.serialise(truth, NOW)
    assert_valid(content)
    return content


def parsed(content: bytes = FILE.encode()) -> Truth:
    return page_xml.parse(content, Path("plan.xml"))


def test_it_is_read_by_index_and_kept_to_the_byte() -> None:
    truth = parsed()
    assert_valid(FILE.encode())
    assert truth.page.order == READ
    assert READ.numbers() == {"a": "1", "b": "2.•", "d": "2.•", "c": "3"}
    moved = replace(truth.regions[0], points=((9, 9), (50, 9), (50, 30), (9, 30)))
    assert ORDER.encode() in saved(replace(truth, regions=(moved, *truth.regions[1:])))


def test_only_what_changes_is_written() -> None:
    truth = parsed()
    turned = OrderGroup(("c", READ.items[1], "a"), True, "g0", "Regions reading order")
    content = saved(replace(truth, page=replace(truth.page, order=turned)))
    assert parsed(content).page.order == turned
    inner = ORDER[ORDER.index("<UnorderedGroupIndexed") : ORDER.index("</UnorderedGroupIndexed")]
    assert inner.encode() in content  # this group stays as it is
    assert b'<Labels><Label value="x"/></Labels>' in content and b'type="other"' in content
    assert b'<ReadingOrder conf="0.5">' in content
    assert saved(parsed(content)).replace(b" ", b"") == content.replace(b" ", b"")
    none = saved(replace(truth, page=replace(truth.page, order=None)))
    assert b"ReadingOrder" not in none and parsed(none).page.order is None


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_holds_a_new_one(version: str) -> None:
    truth = page_xml.parse(page(version).encode(), Path("plan.xml"))
    regions = (*truth.regions, region("new", 30, 30), region("1 bad", 90, 30))
    inner = OrderGroup(("1 bad",), ordered=False, id="g")
    order = OrderGroup((regions[0].id, inner, "new"), id="o", caption="mine")
    content = saved(replace(truth, page=replace(truth.page, order=order), regions=regions))
    again = page_xml.parse(content, Path("plan.xml"))
    found = again.page.order
    assert found is not None
    assert [each.text for each in again.regions] == [each.text for each in regions]
    ids = [each.id for each in again.regions]
    assert found.ids == (ids[0], ids[-1], ids[-2])
    assert not found.items[1].ordered  # type: ignore[union-attr]
    flat = replace(again, page=replace(again.page, order=OrderGroup((ids[-1], ids[0]), id="o")))
    assert page_xml.parse(saved(flat), Path("plan.xml")).page.order.ids == (ids[-1], ids[0])  # type: ignore[union-attr]


def session_on(folder: Path) -> EditingSession:
    blank_page(folder)
    (folder / "plan.xml").write_bytes(FILE.encode())
    return EditingSession.open(folder / "plan.xml")


def order_of(session: EditingSession) -> tuple[str, ...]:
    order = session.document.page.order
    return order.ids if order is not None else ()


def test_it_follows_regions_that_go_are_merged_and_split(tmp_path: Path) -> None:
    session = session_on(tmp_path)
    document, history = session.document, session.history
    history.do("delete", document.removing(["d", "b"]))
    assert order_of(session) == ("a", "c")
    session.save()
    assert_valid((tmp_path / "plan.xml").read_bytes())
    assert page_xml.read(tmp_path / "plan.xml").page.order.ids == ("a", "c")  # type: ignore[union-attr]
    history.undo()
    assert document.page.order == READ
    pieces = split(document["a"], [(30, 0), (30, 60)], document.page)
    history.do("split", [*document.replacing(pieces[0]), *document.adding(pieces[1])])
    assert order_of(session) == ("a", pieces[1].id, "b", "d", "c")
    whole = merge([document["a"], document[pieces[1].id]], document.page)
    history.do("merge", [*document.replacing(whole), *document.removing([pieces[1].id])])
    assert order_of(session) == ("a", "b", "d", "c")
    other = region("x", 10, 10)
    history.do("instead", [*document.adding(other), *document.removing(["a"])])
    assert order_of(session) == ("x", "b", "d", "c")
    history.do("new", document.adding(region("far", 300, 200)))
    assert order_of(session) == ("x", "b", "d", "c")  # nobody has said where it is read
    history.do("all", document.removing(list("bcdx")))
    assert document.page.order is None
    session.save()
    assert b"ReadingOrder" not in (tmp_path / "plan.xml").read_bytes()
    for _ in range(6):
        history.undo()
    assert document.page.order == READ
    session.close()


def test_a_killed_program_does_not_lose_it(tmp_path: Path) -> None:
    session = session_on(tmp_path)
    changed = ordered_as(session.document.page.order, ["c", "a"])
    page = replace(session.document.page, order=changed)
    session.history.do("order", session.document.replacing(page))
    session.history.do("delete", session.document.removing(["d"]))
    session.close()  # what a kill leaves
    again = EditingSession.open(tmp_path / "plan.xml")
    assert again.recovered and order_of(again) == ("c", "a", "b")
    again.history.undo()
    assert order_of(again) == ("c", "a", "b", "d")
    again.history.undo()
    assert again.document.page.order == READ
    again.close()


def test_validating_names_what_it_refers_to_in_vain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blank_page(tmp_path)
    wrong = FILE.replace('regionRef="d"', 'regionRef="gone"').replace(
        'regionRef="a" index="1"', 'regionRef="c" index="1"'
    )
    (tmp_path / "plan.xml").write_text(wrong)
    with pytest.raises(SystemExit):
        root.main(["validate", str(tmp_path)])
    told = capsys.readouterr().out
    assert "plan.xml: error: line 9, RegionRef: the reading order names 'gone', which" in told
    assert "the reading order names 'c' twice" in told
    truth = page_xml.read(tmp_path / "plan.xml")
    assert truth.page.order is not None and "gone" in truth.page.order.ids
    moved = replace(truth.regions[0], points=((9, 9), (50, 9), (50, 30), (9, 30)))
    content = page_xml.serialise(replace(truth, regions=(moved, *truth.regions[1:])), NOW)
    assert b'regionRef="gone"' in content  # what was there before stays


def test_a_region_that_was_never_saved_leaves_no_reference(tmp_path: Path) -> None:
    truth = parsed()
    order = ordered_as(READ, ["never", "a"])
    content = saved(replace(truth, page=replace(truth.page, order=order)))
    assert b"never" not in content and parsed(content).page.order.ids == READ.ids  # type: ignore[union-attr]


def test_numbers_in_custom_follow_as_transkribus_writes_them() -> None:
    numbered = FILE.replace(ORDER, "")
    for at, id in enumerate("dcab"):
        custom = f'custom="readingOrder {{index:{at};}} structure {{type:heading;}}"'
        numbered = numbered.replace(f'<TextRegion id="{id}"', f'<TextRegion id="{id}" {custom}')
    truth = parsed(numbered.encode())
    assert truth.page.order is not None and truth.page.order.ids == tuple("dcab")
    unchanged = saved(replace(truth, regions=truth.regions[1:]))
    assert b"ReadingOrder" not in unchanged and b"{index:3;}" in unchanged
    order = OrderGroup(tuple("abcd"))
    moved = replace(truth.regions[0], label="other", uncertain=True)
    regions = (moved, *truth.regions[1:])
    content = saved(replace(truth, page=replace(truth.page, order=order), regions=regions))
    again = parsed(content)
    assert again.page.order is not None and again.page.order.ids == tuple("abcd")
    assert again.regions == regions
    for at, id in enumerate("abcd"):
        own = f'id="{id}" custom="readingOrder {{index:{at};}} structure {{type:heading;}}'
        assert own.encode() in content


orders = st.recursive(
    st.sampled_from([f"r{at}" for at in range(6)]),
    lambda inner: st.builds(
        lambda items, ordered: OrderGroup(tuple(items), ordered),
        st.lists(inner, min_size=1, max_size=4), st.booleans(),
    ),
    max_leaves=8,
).map(lambda item: item if isinstance(item, OrderGroup) else OrderGroup((item,)))  # fmt: skip


def bare(order: OrderGroup | None) -> OrderGroup | None:
    """An order without the ids of its groups."""
    if order is None:
        return None
    items = tuple(bare(each) if isinstance(each, OrderGroup) else each for each in order.items)
    return OrderGroup(items, order.ordered)  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None)
@given(first=orders, second=st.one_of(st.none(), orders))
def test_any_order_can_be_written_over_any_other(
    first: OrderGroup, second: OrderGroup | None
) -> None:
    truth = parsed()
    regions = tuple(region(f"r{at}", 10 + 50 * at, 10) for at in range(6))
    for order in (first, second):
        changed = replace(truth, page=replace(truth.page, order=order), regions=regions)
        truth = parsed(saved(changed))
        assert bare(truth.page.order) == bare(order)


@pytest.mark.parametrize(
    ("name", "file"), [("coco", "all.json"), ("geojson", "plan.geojson"), ("labelme", "plan.json")]
)
def test_formats_that_can_keep_it(tmp_path: Path, name: str, file: str) -> None:
    truth = replace(parsed(), source=b"", page=replace(blank_page(tmp_path), order=READ))
    assert not [line for line in write(name, [truth], tmp_path / file) if "order" in line]
    [again] = read(name, tmp_path / file)
    assert again.page.order == READ


@pytest.mark.parametrize("name", ["cvat", "label-studio", "voc", "yolo"])
def test_formats_that_cannot_name_the_loss(tmp_path: Path, name: str) -> None:
    page = replace(blank_page(tmp_path / "images"), order=READ)
    truth = replace(parsed(), source=b"", page=page)
    target = tmp_path / ("all.xml" if name in ("cvat",) else "all.json" if "-" in name else "")
    assert "1 reading order of a page was left out" in write(name, [truth], target)


def test_alto_says_it_of_blocks(tmp_path: Path) -> None:
    blank_page(tmp_path)
    string = '<TextLine ID="l{0}" HPOS="9" VPOS="{1}" WIDTH="50" HEIGHT="9"><String ID="s{0}" \
CONTENT="w{0}" HPOS="9" VPOS="{1}" WIDTH="50" HEIGHT="9"/></TextLine>'
    blocks = "".join(
        f'<TextBlock ID="b{at}" HPOS="9" VPOS="{at}0" WIDTH="50" HEIGHT="9">'
        f"{string.format(at, at * 10)}</TextBlock>" for at in (1, 2, 3)
    )  # fmt: skip
    (tmp_path / "plan.xml").write_text(
        '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description><MeasurementUnit>pixel'
        "</MeasurementUnit><sourceImageInformation><fileName>plan.png</fileName>"
        '</sourceImageInformation></Description><ReadingOrder><OrderedGroup ID="o">'
        '<ElementRef ID="e1" REF="b3"/><ElementRef ID="e2" REF="b1 b2"/></OrderedGroup>'
        "</ReadingOrder><Layout>"
        f'<Page ID="p" WIDTH="400" HEIGHT="300"><PrintSpace>{blocks}</PrintSpace></Page>'
        "</Layout></alto>"
    )
    [words] = read("alto", tmp_path / "plan.xml")
    assert words.page.order is not None and words.page.order.ids == ("s3", "s1", "s2")


def test_by_position_reads_columns_and_headings() -> None:
    boxes = {
        "head": (10, 0, 380, 20), "left 1": (10, 30, 180, 40), "right 1": (210, 32, 180, 90),
        "left 2": (10, 80, 180, 50), "right 2": (210, 130, 180, 20),
        "wide": (10, 160, 380, 20), "low right": (205, 190, 180, 20),
        "low left": (10, 192, 180, 20),
    }  # fmt: skip
    regions = [region(id, *box) for id, box in sorted(boxes.items())]
    assert by_position(regions).ids == (
        "head", "left 1", "left 2", "right 1", "right 2", "wide", "low left", "low right",
    )  # fmt: skip
    assert by_position([]).ids == ()
