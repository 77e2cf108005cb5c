"""Whole plans, stroke after stroke as a person draws them: walls meet, doors share their jambs.

Each stroke is followed by the digit of its label, without Escape between. The same strokes one by
one, each on a page without regions, show what they would make.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import shapely
from PySide6.QtCore import Qt

from spotlab.formats.truth.floor_plans import cvc_fp_svg
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Region
from tests.benchmarks.answered_proposals import overlap
from tests.benchmarks.sketch_by_hand import stroke_around, wall_stroke
from tests.gui import gestures, windows

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
PLANS = ("cvc_fp/IIa_SR1101", "cvc_fp/IIa_AP3301")
TOOLS = {"Wall": "wall", "Door": "sketch", "Window": "sketch"}
DIGITS = {"Wall": Qt.Key.Key_1, "Door": Qt.Key.Key_2, "Window": Qt.Key.Key_3}
RIGHT = 0.5  # IoU with the truth


@dataclass(frozen=True)
class Planned:
    """What is drawn around which region."""

    truth: Region
    stroke: np.ndarray


def planned(plan: Path, labels: tuple[str, ...]) -> list[Planned]:
    """A stroke for each region of these labels, the nearest next."""
    (svg,) = plan.parent.glob(f"{plan.name}_gt_*.svg")
    (truth,) = cvc_fp_svg.FORMAT.read_file(svg)
    random = np.random.default_rng(3)
    left = [each for each in truth.regions if each.label in labels]
    shapes = {each.id: shapely.MultiPoint(each.array).convex_hull for each in left}
    current = min(left, key=lambda each: each.bounds[0] + each.bounds[1])
    strokes: list[Planned] = []
    while left:
        left.remove(current)
        along = current.label == "Wall"
        stroke = (wall_stroke if along else stroke_around)(current.array, random)
        if along and strokes:  # a hand goes on from where it is
            end = strokes[-1].stroke[-1]
            if np.hypot(*(stroke[-1] - end)) < np.hypot(*(stroke[0] - end)):
                stroke = stroke[::-1]
        strokes.append(Planned(current, stroke))
        here = shapes[current.id]
        if left:
            current = min(left, key=lambda each: shapely.distance(shapes[each.id], here))
    return strokes


@pytest.fixture(params=PLANS)
def plan(request: pytest.FixtureRequest) -> Path:
    plan = DATA / request.param
    if not plan.with_suffix(".png").is_file():
        pytest.skip("the plans of CVC-FP are not here")
    return plan


@pytest.fixture
def window(plan: Path, tmp_path: Path, qapp: object) -> Iterator[MainWindow]:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "plan.png").symlink_to(plan.with_suffix(".png"))
    window = windows.open_window(tmp_path, tmp_path / "pages", size=(1900, 1300))
    for label in DIGITS:
        window.workbench.editing.apply_label(label)
    yield window
    windows.close(window)


def regions(window: MainWindow) -> dict[str, Region]:
    return {region.id: region for region in window.workbench.document or ()}


def draw(window: MainWindow, one: Planned) -> None:
    """One stroke and one digit."""
    window.workbench.set_tool(TOOLS[one.truth.label])
    gestures.drag(window.canvas, gestures.on_screen(window.canvas, one.stroke.tolist()))
    assert background.wait_for_all(60)
    windows.press(window.canvas, DIGITS[one.truth.label])


def is_right(found: list[Region], truth: Region) -> bool:
    hull = shapely.get_coordinates(shapely.MultiPoint(truth.array).convex_hull.exterior)[:-1]
    wanted = truth.array if truth.label == "Wall" else hull
    return any(each.label == truth.label and overlap(each.array, wanted) >= RIGHT for each in found)


@pytest.mark.slow
@pytest.mark.parametrize("labels", [("Wall",), ("Door", "Window")])
def test_stroke_after_stroke_is_as_right_as_one_by_one(
    window: MainWindow, plan: Path, labels: tuple[str, ...]
) -> None:
    strokes = planned(plan, labels)
    alone = 0
    for one in strokes:
        draw(window, one)
        alone += is_right(list(regions(window).values()), one.truth)
        while window.workbench.history and window.workbench.history.undo_name:
            window.workbench.editing.undo()
    together, changed = 0, 0
    for one in strokes:
        before = regions(window)
        draw(window, one)
        after = regions(window)
        changed += sum(after.get(id) != region for id, region in before.items())
        new = [region for id, region in after.items() if id not in before]
        assert len(new) <= 1
    drawn = list(regions(window).values())
    together = sum(is_right(drawn, one.truth) for one in strokes)
    print(f"{plan.name} {'/'.join(labels)}: {len(strokes)} strokes, {len(drawn)} regions,")
    print(f"{together} right in sequence, {alone} one by one, {changed} neighbours changed")
    assert changed == 0
    assert alone >= 0.6 * len(strokes), "the strokes themselves are good"
    assert together >= 0.95 * alone
