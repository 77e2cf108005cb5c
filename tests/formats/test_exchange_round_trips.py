"""YOLO, CVAT and Label Studio give back what they were given, but for what they say is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from spotlab.formats.collection.detect import format_of
from spotlab.geometry.polygon import area
from spotlab.model import Ignore, LabelSet, Primitive, Region, Truth
from tests.formats.exchanged import (
    LABELS,
    blank_page,
    corners_differ,
    farthest,
    read,
    regions,
    write,
)

ELLIPSE = Primitive.ELLIPSE
FEW = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def passed_on(region: Region) -> tuple[str, str, str, bool, Ignore]:
    return region.label, region.text, region.comment, region.uncertain, region.ignore


@pytest.mark.parametrize(("name", "file"), [("cvat", "all.xml"), ("label-studio", "all.json")])
@FEW
@given(first=regions(), second=regions())
def test_everything_of_a_region_goes_round(
    tmp_path: Path, name: str, file: str, first: list[Region], second: list[Region]
) -> None:
    truths = [
        Truth(blank_page(tmp_path, f"{index}.png"), tuple(each), LABELS)
        for index, each in enumerate((first, second))
    ]
    write(name, truths, tmp_path / file)
    assert format_of(tmp_path / file).name == name
    again = read(name, tmp_path / file)
    assert [truth.page for truth in again] == [truth.page for truth in truths]
    for old, new in zip(truths, again, strict=True):
        assert list(map(passed_on, new.regions)) == list(map(passed_on, old.regions))
        assert [r.primitive for r in new.regions] == [r.primitive for r in old.regions]
        for before, after in zip(old.regions, new.regions, strict=True):
            # a nearly round ellipse has no direction
            assert farthest(before, after) < (0.25 if before.primitive is ELLIPSE else 0.01)


@FEW
@given(given_regions=regions())
def test_yolo_keeps_what_it_says(tmp_path: Path, given_regions: list[Region]) -> None:
    for name in ("yolo", "yolo-seg", "yolo-obb"):
        folder = tmp_path / name
        page = blank_page(folder / "images")
        truth = Truth(page, tuple(given_regions), LABELS)
        lost = write(name, [truth], folder)
        [again] = read(name, folder / "data.yaml")
        [alone] = read(name, folder / "labels" / "plan.txt")
        assert again == alone
        assert again.page == page
        kept = [region for region in given_regions if not region.ignored]
        assert [region.label for region in again.regions] == [region.label for region in kept]
        for before, after in zip(kept, again.regions, strict=True):
            if name == "yolo":
                assert after.primitive is Primitive.BOX
                assert after.bounds == pytest.approx(before.bounds, abs=1e-4)
            elif name == "yolo-seg":
                assert corners_differ(before, after) < 1e-4
            else:
                assert len(after.points) == 4
                if before.primitive is Primitive.BOX:
                    assert farthest(before, after) < 0.02
                else:  # around it, and no larger than its upright box
                    left, top, right, bottom = before.bounds
                    assert before.area <= area(after.array) + 0.1
                    assert area(after.array) <= (right - left) * (bottom - top) + 0.1
        ignored = len(given_regions) - len(kept)
        assert any("ignored region" in line for line in lost) == bool(ignored)


def test_labels_go_round_with_their_colours_in_cvat(tmp_path: Path) -> None:
    truth = Truth(blank_page(tmp_path), (), LABELS)
    write("cvat", [truth], tmp_path / "all.xml")
    [again] = read("cvat", tmp_path / "all.xml")
    assert again.labels == LABELS


def test_kinds_of_outlines_that_cvat_has_not_become_polygons(tmp_path: Path) -> None:
    hull = Region(((1, 1), (20, 1), (20, 9)), "sofa")
    truth = Truth(blank_page(tmp_path), (hull,), LabelSet())
    lost = write("cvat", [truth], tmp_path / "all.xml")
    [[region]] = [each.regions for each in read("cvat", tmp_path / "all.xml")]
    assert region == replace(hull, primitive=Primitive.POLYGON, id=region.id)
    assert lost == ["1 hull, trace or other kind of outline became a plain polygon"]
