"""Draws around every labelled object of real pages as a hand would, and counts the actions.

``python -m tests.benchmarks.sketch_by_hand`` sends real mouse events to the Sketch tool: a wobbly
stroke along the outline of the truth, some px outside. It prints how well the regions fit, as IoU
with the hull of the ink in the truth's outline, and how many actions an object takes:

- 1 for the stroke and 1 for the digit of the label,
- 2 more (undo, and a stroke with Ctrl) where the region does not fit well enough,
- where that does not fit either: undo, and a box for truth that is a box; else undo, a click for
  each corner that the truth's hull needs, and one to close it.

Walls are drawn with the Wall tool: a stroke from one end to the other, or else two clicks, or else
by hand, as a box where they are upright.

``--proposals`` counts the actions of somebody who works with Find Similar, which has learned from
the other part of the pages: one accepts all that are likely at once and deletes what is wrong of
them, answers the others by a key each, the best first, until three in a row are wrong. Then one
draws what is missing, as above, and answers what is proposed after each region.

``--ink`` chooses how ink is told from paper. ``--pages`` gives the number of pages of each kind,
``--part choose`` the pages on which the parameters were chosen, ``--part report`` all others.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import shapely
from PySide6.QtWidgets import QApplication

from spotlab.editing.operations.outline import handle_points
from spotlab.formats.truth import bpmn
from spotlab.formats.truth.floor_plans import cvc_fp_svg
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines, convex_hull
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import background
from spotlab.imaging.ink import InkMethod
from spotlab.imaging.outlines import hull, runs_from_mask
from spotlab.imaging.page_ink import PageInk, runs_inside
from spotlab.imaging.reading.pixels import read_page
from spotlab.lab.draw.floorplans import make_page
from spotlab.model import Primitive, Region
from spotlab.spotting.symbols.proposals.lesson import make_lesson
from spotlab.spotting.symbols.proposals.region_learner import learn_regions
from tests.benchmarks.answered_proposals import Answering, Wanted, features_of_ink, overlap
from tests.gui import gestures

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
ENOUGH = (0.5, 0.7, 0.8)  # IoU from which somebody is content
POINTS = 60  # of a stroke
UPRIGHT = 0.98  # IoU with its bounding box, of a wall that is drawn as a box by hand
CONTENT = 0.7  # with proposals
OF_WALLS = ("mlstruct_fp",)
ROOMS = ("Room", "Wall", "Separation", "Parking")  # areas, for which other tools are meant

Sheet = tuple[Path | np.ndarray, list[Region]]


def stroke_around(outline: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A closed stroke outside of an outline: rounded, wobbly, shaky."""
    left, top, right, bottom = polygon.bounds(outline)
    margin = 4 + 0.05 * min(right - left, bottom - top)
    ring = shapely.buffer(shapely.convex_hull(shapely.multipoints(outline)), margin).exterior
    places = shapely.get_coordinates(
        shapely.line_interpolate_point(ring, np.linspace(0, 1, POINTS), normalized=True)
    )
    angles = np.linspace(0, 2 * np.pi, POINTS)
    wobble = sum(
        random.normal(0, 0.35 * margin / wave) * np.cos(wave * angles + random.uniform(0, 6.3))
        for wave in range(1, 5)
    )
    outwards = places - places.mean(axis=0)
    outwards /= np.hypot(*outwards.T)[:, None]
    return places + np.asarray(wobble)[:, None] * outwards + random.normal(0, 0.5, places.shape)


def ink_hull(ink: PageInk, outline: np.ndarray) -> np.ndarray:
    """The hull of all ink inside an outline; empty where there is none."""
    inside = runs_inside(outline, *ink.page_size)
    if not len(inside):
        return np.empty((0, 2))
    left, top, right, bottom = inside.bounds
    held = runs_from_mask(ink.ink(left, top, right, bottom) & inside.mask()[2])
    return hull(held.translate(left, top)) if len(held) else np.empty((0, 2))


def sketch(canvas: Canvas, stroke: np.ndarray, held=gestures.PLAIN) -> np.ndarray:
    """The outline of the region that a stroke gives, which is undone; empty where there is none."""
    document = canvas.workbench.document
    assert document is not None
    before = len(document)
    gestures.drag(canvas, gestures.on_screen(canvas, stroke.tolist()), held)
    if len(document) == before:
        return np.empty((0, 2))
    outline = canvas.workbench.selected[0].array
    canvas.workbench.editing.undo()
    return outline


def wall_stroke(outline: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A shaky stroke along a wall, from about one end to the other."""
    corners = shapely.get_coordinates(
        shapely.minimum_rotated_rectangle(shapely.multipoints(outline)).exterior
    )[:4]
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    first = int(sides[:2].argmin())  # an end
    ends = [(corners[k] + corners[(k + 1) % 4]) / 2 for k in (first, (first + 2) % 4)]
    thickness, length = float(sides.min()), float(sides.max())
    ahead = (ends[1] - ends[0]) / length
    normal = np.array([-ahead[1], ahead[0]])
    begin, end = (
        place + sign * random.uniform(-0.2, 0.4) * thickness * ahead
        for place, sign in zip(ends, (1, -1), strict=True)
    )
    begin, end = (
        place + np.clip(random.normal(0, 0.15), -0.4, 0.4) * thickness * normal
        for place in (begin, end)
    )
    along = np.linspace(0, 1, POINTS)[:, None]
    shake = random.normal(0, 0.3, (POINTS, 1)) * normal
    return np.asarray(begin + along * (end - begin) + shake)


def draw_wall(
    canvas: Canvas, region: Region, random: np.random.Generator
) -> tuple[list[float], np.ndarray]:
    """As `draw`, for a wall: IoU of the stroke, of two clicks, and of the better one."""
    go_to(canvas, region.array)
    stroke = wall_stroke(region.array, random)
    plain = overlap(sketch(canvas, stroke), region.array)
    clicked = overlap(click_twice(canvas, stroke[[0, -1]]), region.array)
    left, top, right, bottom = polygon.bounds(region.array)
    box = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    upright = overlap(box, region.array) > UPRIGHT
    by_hand = 2 if upright else 2 + corners_needed(region.array)
    actions = [
        2.0 if plain >= enough else 5.0 if clicked >= enough else 6.0 + by_hand for enough in ENOUGH
    ]
    return [plain, clicked, max(plain, clicked), *actions], region.array


def click_twice(canvas: Canvas, ends: np.ndarray) -> np.ndarray:
    """The outline of the region that two clicks give, which is undone."""
    document = canvas.workbench.document
    assert document is not None
    before = len(document)
    for place in gestures.on_screen(canvas, ends.tolist()):
        gestures.click(canvas, place)
    if len(document) == before:
        canvas.cancel()
        return np.empty((0, 2))
    outline = canvas.workbench.selected[0].array
    canvas.workbench.editing.undo()
    return outline


def go_to(canvas: Canvas, outline: np.ndarray) -> None:
    """Zoom so that the object fills half of the canvas."""
    left, top, right, bottom = polygon.bounds(outline)
    width, height = canvas.view.size
    canvas.view.zoom_to(
        min(0.5 * width / (right - left), 0.5 * height / (bottom - top)), width / 2, height / 2
    )
    canvas.view.centre_on((left + right) / 2, (top + bottom) / 2)


def corners_needed(outline: np.ndarray) -> int:
    """How many clicks a polygon around the hull of an outline takes."""
    points = tuple((float(x), float(y)) for x, y in convex_hull(outline))
    return len(handle_points(Region(points, primitive=Primitive.HULL)))


def draw(
    canvas: Canvas, region: Region, random: np.random.Generator
) -> tuple[list[float], np.ndarray] | None:
    """IoU of the stroke, of one with Ctrl, and of whole components, and actions by what is enough.

    With it comes what was to be drawn. None where there is no ink to draw around.
    """
    ink = canvas.workbench.ink.page
    assert ink is not None
    expected = ink_hull(ink, region.array)
    if len(expected) < 3:
        return None
    go_to(canvas, region.array)
    stroke = stroke_around(region.array, random)
    plain = overlap(sketch(canvas, stroke), expected)
    forced = overlap(sketch(canvas, stroke, gestures.CONTROL), expected)
    whole = overlap(ink.select(stroke).outline(), expected)
    box = region.primitive is Primitive.BOX
    by_hand = 2 if box else 2 + corners_needed(region.array)
    actions = [
        2.0 if plain >= enough else 4.0 if forced >= enough else 4.0 + by_hand for enough in ENOUGH
    ]
    return [plain, forced, whole, *actions], expected


def diagrams(data: Path) -> Iterator[Sheet]:
    """Photographs of hand-drawn diagrams."""
    for folder in ("hdbpmn_symbols", "hdbpmn_more"):
        for path in sorted((data / folder / "annotations").glob("*.bpmn")):
            (truth,) = bpmn.FORMAT.read_file(path)
            yield truth.page.image, list(truth.regions)


def floor_plans(data: Path) -> Iterator[Sheet]:
    """Scanned plans: doors, windows and fixtures."""
    for path in sorted((data / "cvc_fp").glob("*.svg")):
        (truth,) = cvc_fp_svg.FORMAT.read_file(path)
        yield (
            truth.page.image,
            [region for region in truth.regions if region.label not in ROOMS],
        )


def walls(data: Path) -> Iterator[Sheet]:
    """Large plans of which only walls are annotated: 40 of each."""
    plans = json.loads((data / "mlstruct_fp" / "fp.json").read_text())
    for key, plan in sorted(plans["floor"].items()):
        path, scale = data / "mlstruct_fp" / plan["image"], plan["scale"]
        rectangles = [part for part in plans["rect"].values() if str(part["floorID"]) == key]
        regions = [
            Region(
                tuple((x * scale, -y * scale) for x, y in zip(part["x"], part["y"], strict=True)),
                "wall",
            )
            for part in rectangles[:40]
        ]
        if regions and path.exists():
            yield path, regions


def samples(data: Path) -> Iterator[Sheet]:
    """Tidy plans as spotlab draws them, which need no data."""
    for number in range(6):
        pixels, truth = make_page(number, 5)
        yield pixels, list(truth.regions)


KINDS = {"hdbpmn": diagrams, "cvc_fp": floor_plans, "mlstruct_fp": walls, "samples": samples}


def pages_of(kind: str, data: Path, part: str) -> Iterator[tuple[int, np.ndarray, list[Region]]]:
    """The pages of one part, with their numbers."""
    first = {"choose": 0, "report": 1}[part]
    for number, (page, regions) in enumerate(KINDS[kind](data)):
        if number % 2 == first:
            yield number, page if isinstance(page, np.ndarray) else read_page(page), regions


def draw_page(
    number: int, kind: str, pixels: np.ndarray, regions: list[Region], method: InkMethod
) -> list[tuple[list[float], np.ndarray] | None]:
    """What `draw` gives for each region of a page."""
    random = np.random.default_rng(number)
    with tempfile.TemporaryDirectory() as folder:
        canvas = gestures.open_page(Path(folder), pixels)
        canvas.workbench.set_tool("wall" if kind in OF_WALLS else "sketch")
        canvas.workbench.ink.set_settings(method=method)
        background.wait_for_all()
        make = draw_wall if kind in OF_WALLS else draw
        drawn = [make(canvas, region, random) for region in regions]
        gestures.close(canvas)
    background.wait_for_all()
    return drawn


def measure(kind: str, data: Path, part: str, most: int | None, method: InkMethod) -> np.ndarray:
    """(N, 6) as `draw` gives it, for the objects of some pages."""
    rows: list[list[float]] = []
    for number, pixels, regions in islice(pages_of(kind, data, part), most):
        rows += [row[0] for row in draw_page(number, kind, pixels, regions, method) if row]
    return np.array(rows)


def measure_proposals(
    kind: str, data: Path, part: str, most: int | None, method: InkMethod
) -> np.ndarray:
    """(N, 3) actions by page with proposals and by drawing alone, and objects."""
    other = "report" if part == "choose" else "choose"
    lessons = []
    for number, pixels, regions in pages_of(kind, data, other):
        features = features_of_ink(pixels, method)
        named = [region for region in regions if region.label]
        outlines = Outlines.of([region.array for region in named])
        names = [region.label for region in named]
        lessons.append(make_lesson(features, str(number), outlines, names))
    learner = learn_regions(lessons)
    rows = []
    for number, pixels, regions in islice(pages_of(kind, data, part), most):
        drawn = draw_page(number, kind, pixels, regions, method)
        objects = [
            Wanted(region.label, row[1], region.array, row[0][3 + ENOUGH.index(CONTENT)])
            for region, row in zip(regions, drawn, strict=True)
            if row
        ]
        hand = Answering(features_of_ink(pixels, method), str(number), learner, objects)
        rows.append([hand.work(), sum(each.actions for each in objects), len(objects)])
        print(f"  page {number}: {rows[-1]} {hand.tally}", flush=True)
    return np.array(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", default=list(KINDS), help=", ".join(KINDS))
    parser.add_argument("--part", choices=("choose", "report"), default="report")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of real data")
    parser.add_argument("--ink", choices=[str(method) for method in InkMethod], default="otsu")
    parser.add_argument("--proposals", action="store_true", help="with proposals, by page")
    parser.add_argument("--pages", type=int, help="of each kind at most")
    chosen = parser.parse_args()
    application = QApplication.instance() or QApplication([])
    if chosen.proposals:
        for kind in chosen.kinds:
            method = InkMethod(chosen.ink)
            rows = measure_proposals(kind, chosen.data, chosen.part, chosen.pages, method)
            helped, alone, objects = rows.sum(axis=0)
            print(f"{kind:12} {objects:5.0f} objects, actions each with proposals"
                  f" {helped / objects:.2f}, alone {alone / objects:.2f}", flush=True)  # fmt: skip
        return
    print(f"{'':12} {'n':>5}  IoU median / mean: stroke, with Ctrl, whole components"
          f"  actions at IoU {ENOUGH}")  # fmt: skip
    for kind in chosen.kinds:
        rows = measure(kind, chosen.data, chosen.part, chosen.pages, InkMethod(chosen.ink))
        if not len(rows):
            print(f"{kind:12} no pages in {chosen.data}")
            continue
        fits = "  ".join(
            f"{np.median(column):.3f} / {column.mean():.3f}" for column in rows[:, :3].T
        )
        actions = "  ".join(f"{column.mean():.2f}" for column in rows[:, 3:].T)
        print(f"{kind:12} {len(rows):5}  {fits}  actions {actions}", flush=True)
    application.processEvents()


if __name__ == "__main__":
    main()
