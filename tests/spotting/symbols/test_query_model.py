"""Query models are cut out of pages without what is beside them, or drawn."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.spotting.symbols.engine.page_features import crop_model, draw_model

PAGE = np.zeros((80, 100), bool)
PAGE[20:40, 30:60] = True
PAGE[:, 70:72] = True  # a wall beside
SQUARE = np.array([(30, 20), (60, 20), (60, 40), (30, 40)])


def test_a_model_is_the_ink_of_its_region_alone() -> None:
    model = crop_model("bar", PAGE, SQUARE)
    assert model.name == "bar"
    assert model.ink.sum() == 20 * 30
    y, x = np.nonzero(model.ink)
    assert (x.min(), y.min()) == (model.outline[:, 0].min(), model.outline[:, 1].min())


def test_there_is_paper_all_around_it() -> None:
    ink = crop_model("bar", PAGE, SQUARE).ink
    assert not ink[[0, -1]].any() and not ink[:, [0, -1]].any()


def test_ink_a_little_outside_belongs_to_it() -> None:
    tight = SQUARE + np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    assert crop_model("bar", PAGE, tight).ink.sum() == 20 * 30
    assert crop_model("bar", PAGE, tight, slack=0).ink.sum() < 20 * 30


@given(st.integers(-70, 70), st.integers(-60, 60))
def test_a_region_over_the_edge_has_the_ink_that_is_there(dx: int, dy: int) -> None:
    page = np.ones((40, 50), bool)
    model = crop_model("all", page, SQUARE - (30, 20) + (dx, dy), slack=0)
    x, y = np.meshgrid(np.arange(50), np.arange(40))
    inside = (x >= dx) & (x <= dx + 30) & (y >= dy) & (y <= dy + 20)  # the ring's pixels too
    assert model.ink.sum() == inside.sum()


def test_a_crop_is_the_drawing_it_was_made_from() -> None:
    strokes = [np.array([(10, 10), (50, 12), (40, 44), (10, 10)]), np.array([(20, 20), (30, 20)])]
    model = draw_model("sail", strokes, pen=3)
    page = np.zeros((200, 200), bool)
    height, width = model.ink.shape
    page[90 : 90 + height, 50 : 50 + width] = model.ink
    again = crop_model("sail", page, model.outline + np.array([50, 90]))
    assert again.ink.sum() == model.ink.sum()
    assert cv2.contourArea(again.outline.astype(np.float32)) > 600


def test_a_drawing_is_inside_its_outline_to_the_last_pixel() -> None:
    for pen in (1, 3, 4):
        model = draw_model("sail", [[(10, 10), (50, 12), (40, 44), (10, 10)]], pen)
        y, x = np.nonzero(model.ink)
        assert model.outline.min(0).tolist() == [x.min(), y.min()]
        assert model.outline.max(0).tolist() == [x.max() + 1, y.max() + 1]


def test_nothing_drawn_is_no_model() -> None:
    with pytest.raises(ValueError, match="nothing is drawn"):
        draw_model("nothing", [], pen=2)


def test_one_point_is_a_model() -> None:
    assert draw_model("dot", [[(5, 5)]], pen=3).ink.any()
