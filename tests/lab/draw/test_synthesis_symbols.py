"""The drawings that floor plans are furnished with."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.lab.draw.collection import SymbolDrawing, SymbolKind, symbol_kinds
from spotlab.lab.draw.floorplans import FAMILIAR, labels
from spotlab.lab.draw.plans.options import FloorPlanOptions
from spotlab.lab.draw.plans.recipes import RECIPES
from spotlab.lab.draw.plans.scene import NAMES
from spotlab.lab.draw.plans.sheet import lettering, text_width
from spotlab.lab.draw.plans.strokes import Rect, box, turned
from spotlab.lab.draw.plans.walls import sides


def test_there_are_many_kinds_in_several_drawings_each() -> None:
    assert len(symbol_kinds()) >= 36
    assert all(len(kind.drawings) >= 3 for kind in symbol_kinds().values())


@pytest.mark.parametrize("kind", symbol_kinds().values(), ids=lambda kind: kind.name)
def test_strokes_lie_in_the_footprint_and_span_it(kind: SymbolKind) -> None:
    for drawing in kind.drawings:
        points = np.vstack(drawing.strokes)
        assert points.min() >= -1e-9
        assert (points <= np.add((drawing.width, drawing.depth), 1e-9)).all()
        extent = np.ptp(points, axis=0) / (drawing.width, drawing.depth)
        assert (extent > 0.8).all(), f"a drawing of a {kind.name} is smaller than it says"


def test_drawings_of_a_kind_differ() -> None:
    def sketch(drawing: SymbolDrawing) -> tuple[bytes, ...]:
        return tuple(stroke.tobytes() for stroke in drawing.strokes)

    for kind in symbol_kinds().values():
        assert len({sketch(drawing) for drawing in kind.drawings}) == len(kind.drawings)


def test_every_room_has_a_recipe_and_a_name() -> None:
    assert RECIPES.keys() == NAMES.keys()


def test_labels_are_all_kinds_and_the_familiar_ones_have_digits() -> None:
    found = labels(FloorPlanOptions(further=True))
    assert {label.name for label in found} == set(symbol_kinds()) and len(found) == 38
    usual = {name for name, kind in symbol_kinds().items() if not kind.further}
    assert {label.name for label in labels()} == usual and len(usual) == 36
    assert {label.name for label in found if label.digit} == set(FAMILIAR)
    assert "door" in labels(FloorPlanOptions(openings=True))


def test_turning_by_right_angles_is_exact() -> None:
    square = box(0, 0, 2, 1)
    assert (turned(turned(square, 90), 270) == square).all()
    assert turned([(1, 0)], 0, mirrored=True).tolist() == [[-1.0, 0.0]]


def test_a_side_sees_the_room_from_its_wall() -> None:
    room = Rect(10, 20, 110, 70)
    for side in sides(room):
        inner = side.rect(0, 0, side.length, 5)
        assert room.holds(inner)
        assert not room.holds(side.rect(0, -5, side.length, 0))
        assert side.local(room).top == pytest.approx(0)


def test_letters_stay_within_the_width_they_ask_for() -> None:
    text = "BATHROOM 12.5 M2"
    points = np.vstack(lettering(text, 0, 0, 9))
    assert points.min() >= 0 and points[:, 1].max() <= 9
    assert points[:, 0].max() <= text_width(text, 9)
    assert lettering("?", 0, 0, 9) == []
