"""The same drawing in black on white, white on black, white on blue: the same ink and regions."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

import spotlab
from spotlab.imaging.ink import (
    InkMethod,
    InkSettings,
    InkTone,
    binarise,
    settings_as_values,
    settings_from_values,
    tone_of,
)
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.rooms.room_map import survey_plan
from spotlab.imaging.rooms.walls import WallKind
from spotlab.imaging.stroke_outline import take_ink
from spotlab.progress import silent
from tests.imaging.floor_plans import draw_plan

COLOURS = {
    "black": ((0, 0, 0), (255, 255, 255)),
    "blue": ((20, 60, 140), (255, 255, 255)),
    "pure blue": ((0, 0, 255), (255, 255, 255)),
    "screen": ((0, 0, 0), (255, 255, 0)),
}
STROKE = [(285, 135), (315, 135), (315, 165), (285, 165)]


def white_plan() -> np.ndarray:
    page = draw_plan(front=True)
    page = page if page.ndim == 2 else page[..., 0]
    page = np.ascontiguousarray(page)
    cv2.circle(page, (300, 150), 10, 0, 2)
    return cv2.GaussianBlur(page, (3, 3), 0)


def recoloured(page: np.ndarray, name: str) -> np.ndarray:
    paper, ink = (np.array(each) for each in COLOURS[name])
    share = page[..., None] / 255
    return np.rint(share * paper + (1 - share) * ink).astype(np.uint8)


@pytest.mark.parametrize("name", COLOURS)
@pytest.mark.parametrize("method", InkMethod)
def test_the_same_ink(name: str, method: InkMethod) -> None:
    page = white_plan()
    other = recoloured(page, name)
    assert tone_of(page) is InkTone.DARK and tone_of(other) is InkTone.LIGHT
    ink = binarise(page, InkSettings(method))
    changed = (binarise(other, InkSettings(method)) != ink).sum()  # by colours that are rounded
    local = method in (InkMethod.SAUVOLA, InkMethod.WOLF)
    assert ink.any() and changed <= (0.002 * ink.sum() if local else 0)
    assert not np.array_equal(binarise(other, InkSettings(method, tone=InkTone.DARK)), ink)


@pytest.mark.parametrize("name", COLOURS)
def test_the_same_regions_and_rooms(name: str) -> None:
    page = white_plan()
    inks = [PageInk(page), PageInk(recoloured(page, name))]
    regions = [take_ink(ink, STROKE).taken.outline() for ink in inks]
    assert len(regions[0]) > 4 and np.array_equal(*regions)
    plans = [survey_plan(ink.ink(0, 0, *ink.page_size), WallKind.AUTOMATIC, silent) for ink in inks]
    assert plans[0].default_gap == plans[1].default_gap


def test_a_dark_table_around_a_page_and_a_lamp_on_it_make_no_light_ink() -> None:
    page = white_plan()
    height, width = page.shape
    photo = np.zeros((2 * height, 2 * width), np.uint8)
    photo[height // 2 : height // 2 + height, width // 2 : width // 2 + width] = page
    assert tone_of(photo) is InkTone.DARK
    y, x = np.mgrid[:height, :width]
    lamp = 0.3 + 0.7 * np.exp(-((x - 100) ** 2 + (y - 100) ** 2) / 2e4)
    assert tone_of((page * lamp).astype(np.uint8)) is InkTone.DARK


def test_the_tone_is_kept_as_text() -> None:
    settings = InkSettings(tone=InkTone.LIGHT)
    assert settings_from_values(settings_as_values(settings)) == settings
    with pytest.raises(TypeError):
        InkSettings(tone="light")  # type: ignore[arg-type]


def test_the_interface_and_the_command_take_it(tmp_path: Path) -> None:
    page = white_plan()
    dark = recoloured(page, "blue")
    wanted = spotlab.hull_of_stroke(page, STROKE)
    assert len(wanted) and np.array_equal(spotlab.hull_of_stroke(dark, STROKE), wanted)
    Image.fromarray(dark).save(tmp_path / "page.png")
    found = spotlab.hull_of_stroke(tmp_path / "page.png", STROKE, tone="light")
    assert np.array_equal(found, wanted)
    assert not np.array_equal(spotlab.hull_of_stroke(dark, STROKE, tone="dark"), wanted)
