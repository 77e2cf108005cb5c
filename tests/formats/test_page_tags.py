"""Tags of pages are kept in PAGE of every version, come from other programs, and choose pages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spotlab
from spotlab.cli import root
from spotlab.editing.session import EditingSession
from spotlab.formats.page.head import summary_of
from spotlab.formats.truth import page_xml
from spotlab.model import OrderGroup, Page, Region, Truth
from tests.formats.exchanged import blank_page, read, write
from tests.formats.page_files import NOW, RICH, assert_valid
from tests.formats.test_page_versions import VERSIONS, page

TAGS = ("complete", "hand:B", "date:12:30", "Zustand ß; {gut}")
BOX = ((10, 10), (60, 10), (60, 60), (10, 60))


def test_tags_are_tidy() -> None:
    found = Page(Path("a.png"), 9, 9, tags=(" a  b ", "", "c", "a b"))
    assert found.tags == ("a b", "c")
    assert replace(found, tags=("hand:B",)) != found


def tagged(truth: Truth, *tags: str) -> Truth:
    return replace(truth, page=replace(truth.page, tags=tags))


@pytest.mark.parametrize("version", VERSIONS)
def test_page_of_every_version_holds_them(version: str) -> None:
    path = Path("plan.xml")
    truth = page_xml.parse(page(version).encode(), path)
    content = page_xml.serialise(tagged(truth, *TAGS), NOW)
    assert_valid(content)
    again = page_xml.parse(content, path)
    assert again.page.tags == TAGS and summary_of(content, path).tags == TAGS
    assert again.regions == truth.regions
    fewer = page_xml.serialise(tagged(again, "hand:B", "new"), NOW)
    assert_valid(fewer)
    assert page_xml.parse(fewer, path).page.tags == ("hand:B", "new")
    none = page_xml.serialise(tagged(page_xml.parse(fewer, path)), NOW)
    assert_valid(none)
    assert page_xml.parse(none, path).page.tags == () and b"hand" not in none


def test_labels_of_other_programs_stay_as_they_are() -> None:
    theirs = (
        '<Labels externalModel="m" comments="c"><Label value="x" type="k" comments="y"/>'
        '<Label value="old"/></Labels>'
    )
    content = page("2019-07-15").replace("<TextRegion", f"{theirs}<TextRegion", 1)
    if theirs not in content:
        content = page("2019-07-15").replace("<CustomRegion", f"{theirs}<CustomRegion", 1)
    assert_valid(content.encode())
    truth = page_xml.parse(content.encode(), Path("plan.xml"))
    assert truth.page.tags == ("k:x", "old")
    changed = page_xml.serialise(tagged(truth, "k:x", "hand:B"), NOW)
    assert_valid(changed)
    assert b'comments="c"><Label value="x" type="k" comments="y"/></Labels>' in changed
    assert b'<Label value="B" type="hand"/>' in changed and b"old" not in changed


def test_order_tags_and_a_first_region_come_into_a_rich_file_at_once() -> None:
    truth = page_xml.parse(RICH, Path("plans/plan.xml"))
    first = Region(BOX, "first", "first")
    order = OrderGroup((truth.regions[0].id, first.id))
    page = replace(truth.page, tags=TAGS, order=order)
    content = page_xml.serialise(replace(truth, page=page, regions=(first, *truth.regions)), NOW)
    assert_valid(content)
    again = page_xml.parse(content, Path("plans/plan.xml"))
    assert set(TAGS) <= set(again.page.tags) and again.page.order is not None
    assert again.page.order.ids == order.ids


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.text(max_size=6), max_size=4), min_size=2, max_size=3))
def test_any_tags_can_be_written_over_any_others(several: list[list[str]]) -> None:
    for version in ("2019-07-15", "2013-07-15", "2010-03-19"):
        truth = page_xml.parse(page(version).encode(), Path("plan.xml"))
        for tags in several:
            written = tuple(tag for tag in tags if tag.isprintable())
            changed = tagged(truth, *written)
            truth = page_xml.parse(page_xml.serialise(changed, NOW), Path("plan.xml"))
            assert sorted(truth.page.tags) == sorted(changed.page.tags)


FORMATS = [("coco", "all.json"), ("geojson", "plan.geojson"), ("labelme", "plan.json"),
           ("cvat", "all.xml"), ("label-studio", "all.json")]  # fmt: skip


@pytest.mark.parametrize(("name", "file"), FORMATS)
def test_formats_that_have_tags(tmp_path: Path, name: str, file: str) -> None:
    truth = tagged(Truth(blank_page(tmp_path), (Region(BOX, "sofa"),)), *TAGS)
    assert not [line for line in write(name, [truth], tmp_path / file) if "tag" in line]
    [again] = read(name, tmp_path / file)
    assert sorted(again.page.tags) == sorted(TAGS)
    assert [label.name for label in again.labels] in ([], ["sofa"])


@pytest.mark.parametrize("name", ["voc", "yolo", "masks"])
def test_formats_that_have_none_name_the_loss(tmp_path: Path, name: str) -> None:
    truth = tagged(Truth(blank_page(tmp_path / "images"), (Region(BOX, "sofa"),)), *TAGS)
    (tmp_path / "out").mkdir()
    assert "4 tags of pages were left out" in write(name, [truth], tmp_path / "out")


def test_tags_of_other_programs(tmp_path: Path) -> None:
    blank_page(tmp_path)
    (tmp_path / "cvat.xml").write_text(
        '<annotations><image id="0" name="plan.png" width="400" height="300">'
        '<tag label="scan" source="manual"><attribute name="quality">poor</attribute></tag>'
        "</image></annotations>"
    )
    assert read("cvat", tmp_path / "cvat.xml")[0].page.tags == ("scan", "scan quality:poor")
    shape = {"name": "rect", "x": 1, "y": 1, "width": 9, "height": 9}
    via = {"plan.png-1": {
        "filename": "plan.png", "file_attributes": {"hand": "B", "kind": {"plan": True, "x": False},
                                                    "note": ""},
        "regions": [{"shape_attributes": shape, "region_attributes": {"label": "a"}}]}}  # fmt: skip
    (tmp_path / "via.json").write_text(json.dumps(via))
    assert read("via", tmp_path / "via.json")[0].page.tags == ("hand:B", "kind:plan")
    tasks = [
        {
            "data": {"image": "plan.png"},
            "annotations": [
                {
                    "result": [
                        {
                            "type": "choices",
                            "from_name": "quality",
                            "id": "q",
                            "value": {"choices": ["poor"]},
                        }
                    ]
                }
            ],
        }
    ]
    (tmp_path / "studio.json").write_text(json.dumps(tasks))
    assert read("label-studio", tmp_path / "studio.json")[0].page.tags == ("quality:poor",)


def test_a_killed_program_loses_none(tmp_path: Path) -> None:
    session = EditingSession.open(tmp_path / "plan.xml", blank_page(tmp_path))
    document = session.document
    session.history.do("tag", document.replacing(replace(document.page, tags=TAGS)))
    session.history.do("draw", document.adding(Region(BOX, "sofa")))
    session.close()
    again = EditingSession.open(tmp_path / "plan.xml", blank_page(tmp_path))
    assert again.document.page.tags == TAGS
    again.save()
    again.close()
    opened = EditingSession.open(tmp_path / "plan.xml", blank_page(tmp_path))
    assert opened.document.page.tags == TAGS
    opened.close()


def test_a_command_evaluates_pages_with_a_tag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, tags in (("a", ("hand:A", "good")), ("b", ("hand:B", "good")), ("c", ())):
        truth = Truth(blank_page(tmp_path, f"{name}.png"), (Region(BOX, "sofa"),))
        page_xml.write(tagged(truth, *tags), tmp_path / f"{name}.xml")
    (tmp_path / "run.csv").write_text(
        "query,page,rank,points\n"
        + "".join(
            f'sofa,{name},{at},"10,10 60,10 60,60 10,60"\n' for at, name in enumerate("abc", 1)
        )
    )
    run = tmp_path / "run.csv"

    command = ["evaluate", "--run", str(run), "--truth", str(tmp_path)]
    with pytest.raises(SystemExit) as ended:
        root.main([*command, "--tag", "good", "--tag", "hand:B"])
    assert not ended.value.code
    assert "1 page" in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        root.main([*command, "--tag", "poor"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "no page with truth has the tag 'poor'; there are good, hand:A, hand:B" in told
    with pytest.raises(spotlab.SpotlabError, match="all of the tags hand:A, hand:B"):
        spotlab.evaluate(tmp_path, run, tag=["hand:A", "hand:B"])
