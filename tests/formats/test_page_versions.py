"""A PAGE file of any version stays in it, valid, when a region is drawn: all else is as it was."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from spotlab.cli import root
from spotlab.editing.operations import behaves_as, drawn
from spotlab.editing.session import EditingSession
from spotlab.formats.page.head import summary
from spotlab.formats.truth import page_xml
from spotlab.geometry.polygon import Frame
from spotlab.geometry.primitives import frame_corners, turned_frame
from spotlab.model import Label, LabelSet, Primitive, Region
from spotlab.model.region import Contribution, Deed
from tests.formats.page_files import assert_valid

VERSIONS = (
    "2009-03-16", "2010-01-12", "2010-03-19", "2013-07-15", "2016-07-15", "2017-07-15",
    "2018-07-15", "2019-07-15",
)  # fmt: skip
LAMP = ((300, 200), (340, 200), (340, 240))


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        root.main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


def coords(version: str, *points: tuple[object, object]) -> str:
    if version < "2013":
        corners = "".join(f'<Point x="{x}" y="{y}"/>' for x, y in points)
        return f"<Coords>{corners}</Coords>"
    return f'<Coords points="{" ".join(f"{x},{y}" for x, y in points)}"/>'


def page(version: str, *others: str) -> str:
    """A file with a text region and what else is given."""
    plain = "<PlainText>orders</PlainText>" if version < "2013" else ""
    inside = "".join(f"\n    {other}" for other in others)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/{version}">
  <Metadata>
    <Creator>x</Creator>
    <Created>2010-01-02T03:04:05</Created>
    <LastChange>2010-01-02T03:04:05</LastChange>
  </Metadata>
  <Page imageFilename="plan.png" imageWidth="400" imageHeight="300">
    <TextRegion id="a" type="heading">
      {coords(version, (10, 10), (200, 10), (200, 50))}
      <TextEquiv>{plain}<Unicode>orders</Unicode></TextEquiv>
    </TextRegion>{inside}
  </Page>
</PcGts>
"""


def invalid(version: str) -> str:
    """What its schema forbids: outlines off the page, with fractions, of one point, of none."""
    return "".join((
        '<TextRegion id="odd">', coords(version, (10.6, -5), (110, -5), (110, 60), (-3, 60)),
        '<TextLine id="l1">', coords(version), "</TextLine></TextRegion>",
        '<NoiseRegion id="n">', coords(version, (4, 4)), "</NoiseRegion>",
    ))  # fmt: skip


def opened(folder: Path, content: str) -> tuple[Path, EditingSession]:
    Image.new("L", (400, 300), 255).save(folder / "plan.png")
    path = folder / "plan.xml"
    path.write_text(content)
    return path, EditingSession.open(path)


@pytest.mark.parametrize("version", VERSIONS)
def test_drawing_one_region_changes_no_other_byte(tmp_path: Path, version: str) -> None:
    given = page(version, invalid(version))
    path, session = opened(tmp_path, given)
    before = session.document.truth.regions
    session.history.do("add", session.document.adding(Region(LAMP, "lamp", "new")))
    session.save()
    written = path.read_text()
    own = re.search(r'\s*<\w+ id="new".*?</(Custom|Unknown)Region>', written, re.DOTALL)
    assert own is not None
    others = written.replace(own[0], "")
    assert re.sub(r"(?<=<LastChange>)[^<]*", "2010-01-02T03:04:05", others) == given
    again = EditingSession.open(path).document.truth.regions
    assert again == (*before, Region(LAMP, "lamp", "new"))
    assert summary(path).labels == {"heading": 1, "lamp": 1, "text": 1}
    assert run("convert", path, tmp_path / "out", "--to", "page") == 0
    copied = (tmp_path / "out/plan.xml").read_text()
    moment = re.compile(r"<LastChange>.*?</LastChange>")
    assert moment.sub("", copied) == moment.sub("", written)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_turned_box_is_one_until_another_program_moves_it(tmp_path: Path, version: str) -> None:
    path, session = opened(tmp_path, page(version))
    corners = frame_corners(Frame(200, 150, 120, 31, 20.5))
    box = drawn(np.array(corners), Primitive.BOX, session.document.page, "lamp")
    assert box is not None and turned_frame(box.array) is not None
    session.history.do("add", session.document.adding(box))
    session.save()
    written = path.read_text()
    assert_valid(path.read_bytes())
    assert EditingSession.open(path).document.truth.regions[-1] == box
    whole = [f"{x:.0f}" for corner in box.points for x in corner]
    shown = coords(version, *zip(whole[::2], whole[1::2], strict=True))
    elsewhere = coords(version, (7, 8), *list(zip(whole[::2], whole[1::2], strict=True))[1:])
    assert written.count(shown) == 1
    path.write_text(written.replace(shown, elsewhere))
    moved = EditingSession.open(path).document.truth.regions[-1]
    assert moved.points[0] == (7, 8) and behaves_as(moved) is Primitive.HULL


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_stays_valid_and_holds_all_that_is_said_of_a_region(version: str) -> None:
    path, now = Path("plan.xml"), datetime(2026, 1, 1, tzinfo=UTC)
    truth = page_xml.parse(page(version).encode(), path)
    assert_valid(truth.source)
    history = (Contribution(Deed.DRAWN, "Anna", now), Contribution(Deed.KEPT, "Jo", now, "Eve"))
    new = (
        Region(LAMP, "lamp", "new", text='a ?> "b"\nc', comment="c; {x}", uncertain=True,
               history=history),
        Region(LAMP, "word", "w", text="ord?>ers"),
        Region(LAMP, "", "nameless"),
    )  # fmt: skip
    labels = LabelSet((Label("lamp", "#010203", "3"), Label("arm chair", "#010204", "")))
    checked = replace(truth.page, checked=True)
    drawn = replace(truth, page=checked, regions=(*truth.regions, *new), labels=labels)
    content = page_xml.serialise(drawn, now)
    assert_valid(content)
    again = page_xml.parse(content, path)
    assert again == replace(drawn, source=content)
    assert [each.history for each in again.regions] == [each.history for each in drawn.regions]

    moved = tuple(
        replace(each, points=tuple((x + 1, y) for x, y in each.points), label=f"{each.label}x",
                text=each.text and "other", comment="", uncertain=False, history=())
        for each in reversed(again.regions)
    )  # fmt: skip
    changed = replace(again, page=truth.page, regions=moved, labels=LabelSet())
    content = page_xml.serialise(changed, now)
    assert_valid(content)
    again = page_xml.parse(content, path)
    assert again == replace(changed, source=content)
    assert not any(each.history for each in again.regions)
    content = page_xml.serialise(replace(again, regions=truth.regions), now)
    assert_valid(content)
    assert page_xml.parse(content, path).regions == truth.regions
    assert b"<?spotlab" not in content


def test_a_page_without_regions_takes_a_mark_and_a_region() -> None:
    """Of a version whose Page has no attribute for the mark."""
    given = re.sub(r">\s*<TextRegion.*</Page>", "/>", page("2010-03-19"), flags=re.DOTALL)
    truth = page_xml.parse(given.encode(), Path("plan.xml"))
    checked = replace(truth.page, checked=True)
    drawn = replace(truth, page=checked, regions=(Region(LAMP, "lamp", "new"),))
    content = page_xml.serialise(drawn, datetime(2026, 1, 1, tzinfo=UTC))
    assert_valid(content)
    assert page_xml.parse(content, Path("plan.xml")) == replace(drawn, source=content)


def test_the_layout_with_snake_case_stays(tmp_path: Path) -> None:
    given = """<?xml version="1.0"?>
<pcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2009-03-16">
  <pcMetadata><pcCreator/><pcCreated>2009-11-06T15:57:06</pcCreated></pcMetadata>
  <page image_filename="plan.png" image_width="400" image_height="300">
    <text_region id="r0" txt_type="Page_Number">
      <coords><point x="2" y="5"/><point x="9" y="5"/><point x="9" y="9"/></coords>
    </text_region>
  </page>
</pcGts>
"""
    path, session = opened(tmp_path, given)
    session.history.do("add", session.document.adding(Region(LAMP, "lamp", "new")))
    session.save()
    own = """
    <unknown_region id="new">
      <?spotlab {primitive:hull; label:lamp;}?>
      <coords><point x="300" y="200"/><point x="340" y="200"/><point x="340" y="240"/></coords>
    </unknown_region>"""
    written = path.read_text()
    assert own in written
    others = re.sub(r"<pcLastChange>.*?</pcLastChange>", "", written.replace(own, ""))
    assert others == given
    [old, new] = EditingSession.open(path).document.truth.regions
    assert (old.label, new) == ("page-number", Region(LAMP, "lamp", "new"))


def test_ids_that_two_elements_have_are_named_and_made_unique(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = (
        '<TextRegion id="a"><Coords points="9,9 20,9 20,20"/><TextLine id="l"><Coords '
        'points="9,9 20,9 20,20"/></TextLine><TextLine id="l"><Coords points="9,9 20,9 20,20"/>'
        "</TextLine></TextRegion>"
    )
    path, _ = opened(tmp_path, page("2019-07-15", more))
    assert run("validate", path) == 2
    told = capsys.readouterr().out
    assert told.count("is another element's") == 2
    assert "line 13, TextRegion a" in told and "line 13, TextLine l" in told
    assert run("convert", path, tmp_path / "out", "--to", "page") == 0
    content = (tmp_path / "out/plan.xml").read_bytes()
    assert_valid(content)
    ids = re.findall(rb' id="([^"]*)"', content)
    assert len(ids) == len(set(ids)) == 4
