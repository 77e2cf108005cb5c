"""Whatever is written in any format is what is read again, but for the losses that were named."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from PIL import Image
from pycocotools.coco import COCO

from spotlab.cli import root
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.collection.fitting import fit
from spotlab.formats.page.foreign_shapes import is_box as is_upright
from spotlab.formats.truth import page_xml
from spotlab.geometry.polygon import Frame, crosses_itself, even_odd_geometry
from spotlab.geometry.primitives import frame_corners
from spotlab.geometry.rings import join_rings, parts
from spotlab.libraries import shapely
from spotlab.model import (
    Attributes,
    Ignore,
    Label,
    LabelSet,
    OrderGroup,
    Page,
    Primitive,
    Region,
    Truth,
)
from spotlab.model.region import Contribution, Deed
from tests.formats.exchanged import outlines
from tests.formats.page_files import assert_valid

WIDTH, HEIGHT = 400, 300
OURS = (
    "page",
    "coco",
    "labelme",
    "voc",
    "cvat",
    "label-studio",
    "yolo",
    "yolo-seg",
    "yolo-obb",
    "geojson",
    "dota",
    "icdar",
    "cubicasa5k",
)
SOME = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
words = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00\r\x85\u2028\u2029"), max_size=6
).map(lambda text: text.strip())
labels = st.one_of(st.sampled_from(["", "sofa", "wash basin", "Tür & <Tor>", "a,b;c: #1"]), words)
names = st.sampled_from(["group_id", "occluded", "text", "difficult", "Zustand ß", "a.b: c;"])
typed = [True, False, 3, 0, -2.5, 2.0, ("a", "b, c"), ("a",)]
attributes = st.dictionaries(
    names, st.one_of(st.sampled_from(["true", "3"]), st.sampled_from(typed), words), max_size=3
).map(Attributes)
tags = st.lists(
    st.one_of(st.sampled_from(["checked", "hand:B", "hand:C", "a:b:c", ":", "x:", "q ß"]), words),
    max_size=3,
)
history = (Contribution(Deed.DRAWN, "Anna", datetime(2026, 1, 2, tzinfo=UTC)),)
coordinates = st.one_of(
    st.integers(-40, 440), st.floats(-40, 440).map(lambda value: round(value, 3))
)


def box(left: float, top: float, width: float, height: float) -> np.ndarray:
    right, bottom = left + width, top + height
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)


@st.composite
def odd_outlines(draw: st.DrawFn) -> tuple[tuple[tuple[float, float], ...], Primitive]:
    """Outlines that some format cannot hold, and others."""
    left, top = draw(coordinates), draw(coordinates)
    side = draw(st.sampled_from([0.2, 3, 30.5, 60]))
    match draw(st.sampled_from(["plain", "box", "flat", "parts", "hole", "both", "triangle"])):
        case "plain":
            return draw(outlines())
        case "box":
            points, kind = box(left, top, side, side), Primitive.BOX
        case "flat":
            points, kind = np.array([[left, top], [left + side, top], [left + 9, top]]), None
        case "parts":
            points, kind = join_rings([box(left, top, side, 9), box(left + 70, top, 9, 9)]), None
        case "hole":
            points, kind = (
                join_rings([box(left, top, 60, 60), box(left + 8, top + 8, 20, 20)]),
                None,
            )
        case "both":
            rings = [box(left, top, 60, 60), box(left + 8, top + 8, 20, 20),
                     box(left + 100, top + 3, 5, 5)]  # fmt: skip
            points, kind = join_rings(rings), None
        case _:
            points, kind = np.array([[left, top], [left + side, top], [left, top + 20]]), None
    kind = kind or draw(st.sampled_from([Primitive.POLYGON, Primitive.TRACE, Primitive.CELLS]))
    return tuple((x, y) for x, y in points.tolist()), kind


@st.composite
def orders(draw: st.DrawFn, ids: list[str]) -> OrderGroup | None:
    """Some of the regions, one after the other or two in a group."""
    if not ids or draw(st.booleans()):
        return None
    some = draw(st.permutations(ids))[: draw(st.integers(1, 4))]
    inner = OrderGroup(tuple(some[:2]), draw(st.booleans()))
    return OrderGroup((*some[2:], inner), draw(st.booleans()))


@st.composite
def pages(draw: st.DrawFn) -> list[Truth]:
    names = ["zebra", "sofa", "unused", "wash basin"]
    label_set = LabelSet(tuple(Label(name, f"#10203{at}", "") for at, name in enumerate(names)))
    found = []
    for number in range(draw(st.integers(1, 2))):
        regions = []
        for index in range(draw(st.integers(0, 4))):
            points, primitive = draw(odd_outlines())
            regions.append(Region(
                points, draw(labels), f"r{index}", primitive, draw(st.booleans()), draw(words),
                draw(words), draw(st.sampled_from(Ignore)), draw(st.sampled_from([(), history])),
                attributes=draw(attributes),
            ))  # fmt: skip
        checked = draw(st.booleans())
        order = draw(orders([region.id for region in regions]))
        page = Page(Path(f"{number}.png"), WIDTH, HEIGHT, checked=checked, order=order,
                    tags=tuple(draw(tags)))  # fmt: skip
        found.append(Truth(page, tuple(regions), label_set))
    return found


def write_and_read(folder: Path, name: str, truths: list[Truth]) -> tuple[list[Truth], list[str]]:
    """What a format reads of what it was given, and the losses that were named."""
    format = known_formats()[name]
    in_places = format.layout is not None and format.layout.image_place is None
    images = folder / ("images" if in_places else ".")
    images.mkdir(parents=True, exist_ok=True)
    for truth in truths:
        Image.new("1", (WIDTH, HEIGHT)).save(images / truth.page.image.name)
    placed = [
        replace(each, page=replace(each.page, image=images / each.page.image.name))
        for each in truths
    ]
    fitted, lost = fit(placed, format)
    target = folder / f"all{format.suffixes[0]}" if format.many_pages else folder
    assert format.write is not None
    format.write(fitted, target, lambda *_: None)
    if in_places:
        return format.read_file(folder / "data.yaml"), lost
    if format.layout is not None:  # a folder for each page
        read = [format.read_file(folder / each.page.name / "model.svg")[0] for each in truths]
        return [replace(each, page=replace(each.page, image=truth.page.image))
                for each, truth in zip(read, truths, strict=True)], lost  # fmt: skip
    files = [target] if format.many_pages else [
        folder / f"{each.page.name}{format.suffixes[0]}" for each in truths
    ]  # fmt: skip
    return [truth for file in files for truth in format.read_file(file)], lost


def is_named(lost: list[str], *words: str) -> bool:
    return any(word in line for line in lost for word in words)


def in_order(region: Region) -> Attributes:
    return Attributes(sorted(region.attributes))


def in_places(truth: Truth) -> list[str]:
    """The order by places of regions, whose ids some formats have not, and of groups."""
    order = truth.page.order
    places = {region.id: str(at) for at, region in enumerate(truth.regions)}
    numbers = order.numbers().items() if order is not None else ()
    return [f"{places.get(id)} {number}" for id, number in numbers]


def differ(before: Truth, after: Truth, lost: list[str]) -> list[str]:
    """What differs between two truths of a page, and is not named."""
    found = []
    if not is_named(lost, "checked page") and before.page.checked != after.page.checked:
        found.append("checked")
    if not is_named(lost, "of a page", "of pages", "characters") and (
        sorted(before.page.tags) != sorted(after.page.tags)
    ):
        found.append(f"tags {before.page.tags} {after.page.tags}")
    orders = in_places(before), in_places(after)
    if orders[0] != orders[1] and not is_named(lost, "reading order", "left out"):
        found.append(f"order {orders}")
    left_out = is_named(lost, "without a label", "ignored region", "beyond the page",
                        "without area")  # fmt: skip
    if len(before.regions) != len(after.regions):
        return [] if left_out else ["regions"]
    for old, new in zip(before.regions, after.regions, strict=True):
        pairs = {
            "label": (old.label, new.label, ("characters", "only label")),
            "text": (old.text, new.text, ("text", "characters")),
            "comment": (old.comment, new.comment, ("comment", "characters")),
            "uncertain": (old.uncertain, new.uncertain, ("uncertain",)),
            "ignore": (old.ignore, new.ignore, ("ignored area",)),
            "attributes": (in_order(old), in_order(new), ("attribute", "characters")),
            "history": (old.history, new.history, ("histor",)),
        }
        found += [
            name for name, (one, other, words) in pairs.items()
            if one != other and not is_named(lost, *words)
        ]  # fmt: skip
        moved = is_named(lost, "cut at", "bounding box", "turned box", "rounded")
        if old.primitive is not new.primitive and not is_named(lost, "plain polygon", "box", "cut"):
            found.append(f"primitive {old.primitive} {new.primitive}")
        if not moved:
            one, other = (even_odd_geometry(each.array) for each in (old, new))
            near = 0.25 if old.primitive is Primitive.ELLIPSE else 0.01  # round ones have no turn
            if one.hausdorff_distance(other) > near:
                found.append(f"outline {old.points} {new.points}")
        off = np.abs(np.subtract(old.bounds, new.bounds)).max()
        if moved and off > 1.01 and not is_named(lost, "cut at", "turned box"):
            found.append(f"bounds {old.bounds} {new.bounds}")
    return found


@pytest.mark.parametrize("name", OURS)
@SOME
@given(truths=pages())
def test_what_is_written_is_read_but_for_what_is_named(
    tmp_path_factory: pytest.TempPathFactory, name: str, truths: list[Truth]
) -> None:
    again, lost = write_and_read(tmp_path_factory.mktemp("out"), name, truths)
    assert [each.page.name for each in again] == [each.page.name for each in truths]
    for before, after in zip(truths, again, strict=True):
        assert differ(before, after, lost) == []
        known = [label.name for label in before.labels]
        kept = [label.name for label in after.labels if label.name in known]
        assert kept == known or is_named(lost, "without regions", "colour")


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), list(itertools.product(OURS, OURS)))
@settings(SOME, max_examples=4)
@given(truths=pages())
def test_from_every_format_to_every_other(
    tmp_path_factory: pytest.TempPathFactory, first: str, second: str, truths: list[Truth]
) -> None:
    there, _ = write_and_read(tmp_path_factory.mktemp("first"), first, truths)
    there = [replace(each, source=b"") for each in there]
    again, lost = write_and_read(tmp_path_factory.mktemp("second"), second, there)
    for before, after in zip(there, again, strict=True):
        assert differ(before, after, lost) == []


UPRIGHT = ("voc", "yolo")
KEEP_TURNED = [name for name in OURS if name not in (*UPRIGHT, "icdar")]  # which has whole px
turned_boxes = st.builds(
    Frame, st.floats(130, 270), st.floats(110, 190), st.floats(3, 150), st.floats(3, 80),
    st.builds(float.__add__, st.floats(0.5, 89.5), st.sampled_from([-180.0, -90.0, 0.0, 90.0])),
)  # fmt: skip


def turned_page(frame: Frame) -> Truth:
    points = tuple(frame_corners(frame))
    region = Region(points, "sofa", "r0", Primitive.BOX)
    return Truth(Page(Path("0.png"), WIDTH, HEIGHT), (region,), LabelSet((Label("sofa", "", ""),)))


def same_box(before: Region, after: Region) -> bool:
    is_box = before.primitive is after.primitive is Primitive.BOX
    return is_box and np.abs(before.array - after.array).max() < 0.01


@pytest.mark.parametrize(("first", "second"), list(itertools.product(KEEP_TURNED, KEEP_TURNED)))
@settings(SOME, max_examples=2)
@given(frame=turned_boxes)
def test_a_turned_box_goes_through_two_formats(
    tmp_path_factory: pytest.TempPathFactory, first: str, second: str, frame: Frame
) -> None:
    before = turned_page(frame)
    [there], lost = write_and_read(tmp_path_factory.mktemp("first"), first, [before])
    there = replace(there, source=b"")
    [again], lost_too = write_and_read(tmp_path_factory.mktemp("second"), second, [there])
    assert same_box(before.regions[0], again.regions[0])
    assert not is_named(lost + lost_too, "box", "rounded", "polygon")


@pytest.mark.parametrize("name", UPRIGHT)
def test_formats_of_upright_boxes_name_the_turned_ones(tmp_path: Path, name: str) -> None:
    [again], lost = write_and_read(tmp_path, name, [turned_page(Frame(200, 150, 90, 30, 20))])
    assert is_upright(again.regions[0].points)
    assert "1 outline became its bounding box" in lost


def test_every_format_that_is_written_is_tried() -> None:
    """A new one has to be added above; pictures are tried in test_masks_and_crops."""
    written = {name for name, format in known_formats().items() if format.write}
    assert set(OURS) == written - {"masks", "crops"}


ODD = (
    Region(tuple(map(tuple, join_rings([box(10, 10, 50, 50), box(100, 10, 60, 50)]))), "parts",
           "parts", Primitive.POLYGON),
    Region(tuple(map(tuple, join_rings([box(10, 100, 50, 50), box(20, 110, 10, 10)]))), "hole",
           "hole", Primitive.POLYGON),
    Region(tuple(map(tuple, box(380, -20, 60.5, 40))), "edge", "edge", Primitive.BOX),
    Region(((50, 200), (90, 200), (70, 200)), "flat", "flat", Primitive.POLYGON),
    Region(tuple(map(tuple, box(200.2, 200.2, 0.3, 0.3))), "tiny", "tiny", Primitive.BOX),
)  # fmt: skip


def page_of(folder: Path) -> Truth:
    Image.new("1", (WIDTH, HEIGHT)).save(folder / "plan.png")
    return Truth(Page(folder / "plan.png", WIDTH, HEIGHT), ODD)


def test_pycocotools_sees_parts_holes_and_boxes_on_the_page(tmp_path: Path) -> None:
    [again], lost = write_and_read(tmp_path, "coco", [page_of(tmp_path)])
    assert lost == [
        "1 outline was cut at the page's edge", "1 outline with holes became a mask of whole px",
    ]  # fmt: skip
    assert [each.area for each in again.regions] == [5500, 2400, 400, 0, pytest.approx(0.09)]
    read = COCO(str(tmp_path / "all.json"))
    several, hole, edge, *_ = read.dataset["annotations"]
    assert len(several["segmentation"]) == 2
    assert read.annToMask(hole).sum() == 2400
    assert not read.annToMask(hole)[110:120, 20:30].any()
    assert edge["bbox"] == [380, 0, 20, 20]


def test_a_mask_that_another_program_changed_counts(tmp_path: Path) -> None:
    """Not the outline that was written beside it."""
    write_and_read(tmp_path, "coco", [page_of(tmp_path)])
    path = tmp_path / "all.json"
    content = json.loads(path.read_text())
    counts = [10 * HEIGHT, 5, WIDTH * HEIGHT - 10 * HEIGHT - 5]
    content["annotations"][1]["segmentation"]["counts"] = counts
    path.write_text(json.dumps(content))
    [again] = known_formats()["coco"].read_file(path)
    assert (again.regions[1].area, again.regions[1].bounds) == (5, (10, 0, 11, 5))


def test_page_shows_others_a_simple_outline_and_keeps_the_parts(tmp_path: Path) -> None:
    [again], lost = write_and_read(tmp_path, "page", [page_of(tmp_path)])
    assert lost == [
        "1 outline was cut at the page's edge",
        "1 outline of several parts was joined by lines",
        "1 outline with holes was opened by lines",
        "1 outline was rounded to whole px",
    ]
    assert again.regions[:2] == ODD[:2]
    assert again.regions[2].bounds == (380, 0, 400, 20)
    assert again.regions[4].area == 1  # a tiny one does not vanish
    content = (tmp_path / "plan.xml").read_bytes()
    assert_valid(content)
    shown = [
        np.array([list(map(int, pair.split(","))) for pair in node.get("points").split()], float)
        for node in etree.fromstring(content).iter("{*}Coords")
    ]
    for before, ring in zip(ODD[:2], shown, strict=False):
        assert not crosses_itself(ring)
        assert shapely.Polygon(ring).area == pytest.approx(before.area, rel=0.05)
    moved = content.replace(b'points="%d,' % shown[0][0][0], b'points="58,', 1)
    assert moved != content
    [other, *_] = page_xml.parse(moved, tmp_path / "plan.xml").regions
    assert len(parts(other.array)) == 1  # another program has changed the outline


@pytest.mark.parametrize("name", ["voc", "yolo", "yolo-seg", "yolo-obb"])
def test_boxes_are_on_the_page_and_have_an_area(tmp_path: Path, name: str) -> None:
    [again], lost = write_and_read(tmp_path, name, [page_of(tmp_path)])
    assert "1 outline without area was left out" in lost
    assert "1 outline was cut at the page's edge" in lost
    assert [each.label for each in again.regions] == ["parts", "hole", "edge", "tiny"]
    for region in again.regions:
        left, top, right, bottom = (round(edge, 3) for edge in region.bounds)
        assert 0 <= left < right <= WIDTH and 0 <= top < bottom <= HEIGHT


def test_all_edges_are_treated_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The four corners of the page, each with a box that reaches beyond by the same."""
    for name in ("page", "coco", "voc", "yolo"):
        folder = tmp_path / name
        folder.mkdir()
        corners = [box(x - 10.5, y - 10.5, 21, 21) for x in (0, WIDTH) for y in (0, HEIGHT)]
        regions = [Region(tuple(map(tuple, each)), "a", f"r{at}", Primitive.BOX)
                   for at, each in enumerate(corners)]  # fmt: skip
        truth = replace(page_of(folder), regions=tuple(regions))
        [again], lost = write_and_read(folder, name, [truth])
        assert "4 outlines were cut at the page's edge" in lost
        areas = {round(each.area, 3) for each in again.regions}
        assert len(areas) == 1 and areas <= {110.25, 100, 121}


def test_the_command_names_every_loss(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As they are in the preview of the window, which asks the same."""
    write_and_read(tmp_path, "labelme", [page_of(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        root.main(["convert", str(tmp_path / "plan.json"), str(tmp_path / "o"), "--to", "page"])
    assert not ended.value.code
    told = capsys.readouterr().out
    assert "PAGE XML: 1 outline was rounded to whole px" in told
    assert "PAGE XML: 1 outline was cut at the page's edge" in told


UPRIGHT_POLYGON = Region(tuple(map(tuple, box(10, 10, 30, 20))), "a", "r0", Primitive.POLYGON)


@pytest.mark.parametrize("name", ["voc", "yolo", "yolo-obb"])
def test_a_polygon_that_becomes_a_box_as_it_is_is_named(tmp_path: Path, name: str) -> None:
    page = replace(page_of(tmp_path), regions=(UPRIGHT_POLYGON,))
    [again], lost = write_and_read(tmp_path, name, [page])
    assert [each.primitive for each in again.regions] == [Primitive.BOX]
    assert "1 outline of another kind with the corners of a box became a box" in lost


def test_a_page_of_which_all_is_above_its_edge_is_not_turned_round(tmp_path: Path) -> None:
    above = Region(tuple(map(tuple, box(10, -30, 30, 20))), "a", "r0", Primitive.BOX)
    [again], _ = write_and_read(tmp_path, "geojson", [replace(page_of(tmp_path), regions=(above,))])
    assert again.regions[0].bounds == above.bounds


@pytest.mark.parametrize("name", ["coco", "cvat"])
def test_other_programs_find_a_class_for_everything(tmp_path: Path, name: str) -> None:
    """CVAT and Datumaro refuse the whole file where one region has none."""
    regions = (ODD[0], replace(ODD[1], label=""))
    [again], lost = write_and_read(tmp_path, name, [replace(page_of(tmp_path), regions=regions)])
    assert "1 region without a label was left out" in lost
    assert [each.label for each in again.regions] == ["parts"]
    if name == "coco":
        content = json.loads((tmp_path / "all.json").read_text())
        known = {category["id"] for category in content["categories"]}
        assert {each["category_id"] for each in content["annotations"]} <= known
    else:
        assert b'label=""' not in (tmp_path / "all.xml").read_bytes()
