"""Attributes of regions come from other programs, stay in PAGE of every version, and go back."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image

from spotlab.editing.selection import Clipboard
from spotlab.editing.session import EditingSession
from spotlab.formats.collection.convert import convert
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.truth import page_xml
from spotlab.model import Attributes, Page, Region
from spotlab.model.attributes import NONE
from tests.formats.page_files import assert_valid
from tests.formats.test_page_versions import VERSIONS, page

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LAMP = ((300, 200), (340, 200), (340, 240))
GIVEN = Attributes({
    "group_id": 7, "Zustand: {ß}": 'gut; "neu"\n2', "occluded": True, "seen": False, "0": 0,
    "angle": 1.5, "whole": 2.0, "kinds": ("a", 'b, "c"'), "one": ("x",), "text": "7",
})  # fmt: skip


def test_a_region_takes_a_mapping_and_leaves_out_what_is_empty() -> None:
    region = Region(LAMP, attributes={" a  b ": "c", "": "x", "d": ""})  # type: ignore[arg-type]
    assert region.attributes == (("a b", "c"),)
    assert Region(LAMP, attributes={}).attributes == ()  # type: ignore[arg-type]
    assert hash(region)
    one, yes = (Region(LAMP, "", "r", attributes=Attributes({"n": each})) for each in (1, True))
    assert one != yes and one.attributes != yes.attributes


@pytest.mark.parametrize("version", VERSIONS)
def test_page_of_every_version_holds_them(version: str) -> None:
    path = Path("plan.xml")
    truth = page_xml.parse(page(version).encode(), path)
    drawn = replace(truth, regions=(*truth.regions, Region(LAMP, "lamp", "new", attributes=GIVEN)))
    content = page_xml.serialise(drawn, NOW)
    assert_valid(content)
    again = page_xml.parse(content, path)
    assert again.regions == drawn.regions
    fewer = (
        *again.regions[:-1],
        replace(again.regions[-1], attributes=Attributes({"occluded": "no"})),
    )
    content = page_xml.serialise(replace(again, regions=fewer), NOW)
    assert_valid(content)
    assert page_xml.parse(content, path).regions == fewer
    none = (*fewer[:-1], replace(fewer[-1], attributes=NONE))
    content = page_xml.serialise(replace(again, regions=none), NOW)
    assert_valid(content)
    assert page_xml.parse(content, path).regions == none
    assert b"occluded" not in content


def test_attributes_of_other_programs_in_page_are_theirs_until_changed() -> None:
    theirs = (
        '<UnknownRegion id="u"><Coords points="9,9 20,9 20,20"/><UserDefined>'
        '<UserAttribute name="colour" type="xsd:string" value="red" description="x"/>'
        '<UserAttribute name="state" value="new"/></UserDefined></UnknownRegion>'
    )
    truth = page_xml.parse(page("2019-07-15", theirs).encode(), Path("plan.xml"))
    region = truth.regions[1]
    assert region.attributes == (("colour", "red"), ("state", "new"))
    changed = replace(region, attributes=Attributes({"colour": "red", "state": "old"}))
    content = page_xml.serialise(replace(truth, regions=(truth.regions[0], changed)), NOW)
    assert theirs.replace('"new"', '"old"') in content.decode().replace("\n", "")


def other_files(folder: Path) -> dict[str, Path]:
    """Files as other programs write them, each with a shape that has attributes."""
    Image.new("L", (400, 300), 255).save(folder / "plan.png")
    points = [[10, 10], [60, 10], [60, 60]]
    flat = [number for point in points for number in point]
    labelme = {"label": "a", "points": points, "group_id": 3, "flags": {"broken": True},
               "shape_type": "polygon", "description": ""}  # fmt: skip
    coco = {
        "images": [{"id": 1, "file_name": "plan.png", "width": 400, "height": 300}],
        "categories": [{"id": 1, "name": "a"}],
        "annotations": [{
            "id": 1, "image_id": 1, "category_id": 1, "segmentation": [flat], "iscrowd": 0,
            "bbox": [10, 10, 50, 50], "area": 1250,
            "attributes": {"occluded": False, "rotation": 0.0, "broken": True, "group_id": 3},
        }],
    }  # fmt: skip
    cvat = (
        "<annotations><version>1.1</version><meta><task><labels><label><name>a</name><attributes>"
        "<attribute><name>broken</name><input_type>checkbox</input_type></attribute></attributes>"
        '</label></labels></task></meta><image id="0" name="plan.png" width="400" '
        'height="300"><polygon label="a" occluded="0" group_id="3" '
        'points="10,10;60,10;60,60" z_order="0"><attribute name="broken">true</attribute>'
        "</polygon></image></annotations>"
    )
    labelled = {"version": "5", "flags": {}, "shapes": [labelme], "imagePath": "plan.png",
                "imageData": None, "imageWidth": 400, "imageHeight": 300}  # fmt: skip
    files = {"labelme": folder / "l.json", "coco": folder / "c.json", "cvat": folder / "v.xml"}
    for name, content in (("labelme", labelled), ("coco", coco)):
        files[name].write_text(json.dumps(content))
    files["cvat"].write_text(cvat)
    return files


@pytest.mark.parametrize("name", ["labelme", "coco", "cvat"])
def test_they_come_from_other_programs_and_go_back_through_page(tmp_path: Path, name: str) -> None:
    given = other_files(tmp_path)[name]
    done = convert(given, tmp_path / "out", "page")
    assert not any("attribute" in line or "group" in line or "flag" in line
                   for line in done.remarks)  # fmt: skip
    [region] = page_xml.read(tmp_path / "out" / "plan.xml").regions
    said = {"occluded": False} if name == "coco" else {}
    assert Attributes(sorted(region.attributes)) == Attributes(
        sorted({"broken": True, "group_id": 3, **said}.items())
    )
    suffix = given.suffix
    convert(tmp_path / "out", tmp_path / f"back/plan{suffix}", name)
    [truth] = known_formats()[name].read_file(tmp_path / f"back/plan{suffix}")
    assert sorted(truth.regions[0].attributes) == sorted(region.attributes)
    if name == "labelme":
        [shape] = json.loads((tmp_path / "back/plan.json").read_text())["shapes"]
        assert (shape["group_id"], shape["flags"]) == (3, {"broken": True})


@pytest.mark.parametrize("count", [1, 3000])
def test_a_killed_program_loses_none(tmp_path: Path, count: int) -> None:
    """The journal has steps of one region and of many in another way."""
    path, plan = tmp_path / "plan.xml", Page(tmp_path / "plan.png", 400, 300)
    session = EditingSession.open(path, plan)
    regions = [
        Region(LAMP, "lamp", f"r{at}", attributes=Attributes({"n": at})) for at in range(count)
    ]
    session.history.do("add", session.document.adding(*regions))
    others = [replace(each, attributes=Attributes({"n": True, "m": ["y"]})) for each in regions]
    session.history.do("change", session.document.replacing(*others))
    session.history.do("remove", session.document.removing(["r0"]))
    session.history.undo()
    session.close()  # what a kill leaves
    again = EditingSession.open(path, plan)
    assert again.recovered
    assert sorted(again.document.truth.regions, key=lambda each: each.id) == sorted(
        others, key=lambda each: each.id
    )


def test_a_copy_in_another_window_has_them() -> None:
    copied = Clipboard((Region(LAMP, "lamp", "r", attributes=GIVEN),), (400, 300)).text()
    assert Clipboard.from_text(copied).regions[0].attributes == GIVEN
