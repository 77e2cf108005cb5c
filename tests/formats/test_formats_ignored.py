"""Ignored regions in files: they go round, and other programs read them as what they are."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image
from pycocotools.coco import COCO

from spotlab.editing.journal_lines import parse_journal
from spotlab.editing.operations import merge, toggle_ignore
from spotlab.editing.validate import FindingKind, validate
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.collection.fitting import fit
from spotlab.formats.rows.reading import Reading
from spotlab.model import Ignore, Page, Primitive, Region, Truth
from spotlab.progress import silent


def box(left: float, label: str, ignore: Ignore) -> Region:
    ring = ((left, 3), (left + 10, 3), (left + 10, 8), (left, 8))
    return Region(ring, label, f"r{left:.0f}", Primitive.BOX, ignore=ignore)


REGIONS = (
    box(2, "sofa", Ignore.NO),
    box(20, "sofa", Ignore.SYMBOL),
    box(40, "bed", Ignore.AREA),
    box(60, "", Ignore.AREA),
)
IGNORED = [Ignore.NO, Ignore.SYMBOL, Ignore.AREA, Ignore.AREA]


def truth_in(folder: Path) -> Truth:
    Image.new("L", (80, 60), 255).save(folder / "plan.png")
    return Truth(Page(folder / "plan.png", 80, 60), REGIONS)


def read_again(name: str, truth: Truth, path: Path) -> list[Ignore]:
    format = known_formats()[name]
    assert format.write is not None
    format.write([truth], path, silent)
    file = path if path.is_file() else path / f"plan{format.suffixes[0]}"
    (again,) = format.read_file(file)
    return [region.ignore for region in again.regions]


def test_coco_goes_round_and_pycocotools_sees_the_crowds(tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    assert read_again("coco", truth_in(tmp_path), path) == IGNORED
    with contextlib.redirect_stdout(io.StringIO()):
        read = COCO(str(path))
        crowds = [read.anns[at]["spotlab"]["id"] for at in read.getAnnIds(iscrowd=True)]
    assert crowds == ["r40", "r60"]
    assert [note.get("ignore", 0) for note in read.dataset["annotations"]] == [0, 1, 0, 0]


def test_voc_goes_round_and_marks_difficult_objects(tmp_path: Path) -> None:
    truth = truth_in(tmp_path)
    found = read_again("voc", truth, tmp_path)
    assert found == [Ignore.NO, Ignore.SYMBOL, Ignore.SYMBOL, Ignore.SYMBOL]  # VOC has no areas
    marks = [node.text for node in etree.parse(tmp_path / "plan.xml").iter("difficult")]
    assert marks == ["0", "1", "1", "1"]
    _, lost = fit([truth], known_formats()["voc"])
    assert lost == ["2 ignored areas became ignored symbols"]


def test_labelme_goes_round_as_flags(tmp_path: Path) -> None:
    assert read_again("labelme", truth_in(tmp_path), tmp_path) == IGNORED
    shapes = json.loads((tmp_path / "plan.json").read_text())["shapes"]
    assert [shape["flags"] for shape in shapes] == [
        {}, {"difficult": True}, {"iscrowd": True}, {"iscrowd": True},
    ]  # fmt: skip


def test_difficult_shapes_of_another_program(tmp_path: Path) -> None:
    content = {
        "imagePath": "plan.png", "imageWidth": 80, "imageHeight": 60,
        "shapes": [{"label": "sofa", "points": [[1, 1], [9, 1], [9, 9]], "shape_type": "polygon",
                    "difficult": True, "flags": {"occluded": True}}],
    }  # fmt: skip
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(content))
    reading = Reading()
    (truth,) = known_formats()["labelme"].read_file(path, reading)
    assert truth.regions[0].ignore is Ignore.SYMBOL
    assert dict(truth.regions[0].attributes) == {"occluded": True}
    assert [*map(str, reading.findings)] == [
        "plan.json: 1 × image that is not there (first: plan.png)",
    ]


def test_page_goes_round_and_keeps_what_it_does_not_know(tmp_path: Path) -> None:
    truth = truth_in(tmp_path)
    path = tmp_path / "plan.xml"
    format = known_formats()["page"]
    assert read_again("page", truth, path if path.is_file() else tmp_path) == IGNORED
    text = path.read_text()
    assert text.count("ignore:area;") == 2 and text.count("ignore:symbol;") == 1
    # a value of a later version counts, and stays as it is while something else is changed
    path.write_text(text.replace("ignore:symbol;", "ignore:later;"))
    (later,) = format.read_file(path)
    assert later.regions[1].ignore is Ignore.NO
    moved = replace(later.regions[1], label="armchair")
    assert format.write is not None
    format.write(
        [replace(later, regions=(later.regions[0], moved, *later.regions[2:]))], path, silent
    )
    assert "ignore:later;" in path.read_text()
    (again,) = format.read_file(path)
    counted = [replace(region, ignore=Ignore.NO) for region in again.regions]
    format.write([replace(again, regions=tuple(counted))], path, silent)
    assert "ignore:area" not in path.read_text()


def test_the_journal_keeps_it_and_reads_earlier_ones() -> None:
    def line(more: dict[str, str]) -> bytes:
        region = {"points": [[0, 0], [9, 0], [9, 9]], "label": "a", "id": "r", "primitive": "hull",
                  "uncertain": False, "comment": "", "text": "", **more}  # fmt: skip
        return json.dumps({"do": "Draw", "edits": [{"insert": region, "at": 0}]}).encode() + b"\n"

    for more, expected in (({}, Ignore.NO), ({"ignore": "area"}, Ignore.AREA)):
        (recorded,) = parse_journal(line(more)).steps
        assert recorded.step.edits[0].after[0].ignore is expected
    assert parse_journal(line({"ignore": "egg"})).steps == ()


@pytest.mark.parametrize(
    ("first", "second", "merged"),
    [
        (Ignore.NO, Ignore.AREA, Ignore.NO),
        (Ignore.SYMBOL, Ignore.AREA, Ignore.AREA),
        (Ignore.SYMBOL, Ignore.SYMBOL, Ignore.SYMBOL),
    ],
)
def test_merged_regions_are_ignored_if_all_are(
    first: Ignore, second: Ignore, merged: Ignore, tmp_path: Path
) -> None:
    regions = [box(2, "a", first), box(8, "a", second)]
    assert merge(regions, truth_in(tmp_path).page).ignore is merged


def test_toggling_ignores_all_or_counts_all() -> None:
    mixed = [box(2, "a", Ignore.NO), box(8, "a", Ignore.AREA)]
    areas = toggle_ignore(mixed, Ignore.AREA)
    assert [region.ignore for region in areas] == [Ignore.AREA] * 2
    assert [region.ignore for region in toggle_ignore(areas, Ignore.AREA)] == [Ignore.NO] * 2


def test_an_ignored_region_needs_no_label(tmp_path: Path) -> None:
    found = validate(truth_in(tmp_path), (80, 60))
    assert [finding.kind for finding in found] == []
    counted = replace(truth_in(tmp_path), regions=(box(60, "", Ignore.NO),))
    assert [finding.kind for finding in validate(counted, (80, 60))] == [FindingKind.UNLABELED]
