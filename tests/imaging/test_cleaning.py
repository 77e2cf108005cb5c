"""Rulings, specks and small parts leave the ink; what crosses a ruling stays whole."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.imaging.cleaning import CleanedInk, clean_ink, remove_rulings
from spotlab.imaging.ink import (
    Binariser,
    Ink,
    InkMethod,
    InkSettings,
    binarise,
    colour_darkness,
    settings_as_values,
    settings_from_values,
)
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.reading.pixels import read_page, stretch_contrast
from spotlab.resources import sample_collection
from spotlab.spotting.words.extraction.layout import word_ink

SIZE = (600, 800)


def squared(distance: float, tilt: float, thickness: int = 2, upright: bool = True) -> Ink:
    """Squared or lined paper, a family of lines drawn at each side of the middle."""
    page = np.zeros(SIZE, np.uint8)
    middle, reach = np.array(SIZE[::-1]) / 2, 1200
    for degrees in (tilt, tilt + 90) if upright else (tilt,):
        along = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
        across = along[::-1] * [-1, 1]
        for number in range(-60, 61):
            start = middle + number * distance * across
            ends = [tuple(map(round, start + way * reach * along)) for way in (-1, 1)]
            cv2.line(page, ends[0], ends[1], 1, thickness)
    return page > 0


def drawing() -> Ink:
    """Circles and slanted strokes, which cross lines at all angles but small ones."""
    page = np.zeros(SIZE, np.uint8)
    for number, place in enumerate(((200, 200), (420, 180), (600, 400), (300, 430))):
        cv2.circle(page, place, 40 + 9 * number, 1, 3)
    cv2.line(page, (80, 90), (330, 520), 1, 3)
    cv2.line(page, (700, 80), (380, 560), 1, 3)
    return page > 0


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize(("distance", "tilt"), [(20, 0), (31, 1.5), (45, -4)])
def test_rulings_go_and_what_crosses_them_stays(
    distance: float, tilt: float, upright: bool
) -> None:
    paper, drawn = squared(distance, tilt, upright=upright), drawing()
    left = remove_rulings(paper | drawn)
    far = cv2.dilate(drawn.view(np.uint8), np.ones((9, 9), np.uint8)) == 0
    assert (left & far).sum() < 0.02 * (paper & far).sum()
    assert (left & drawn).sum() > 0.98 * drawn.sum()
    assert not (left & ~(paper | drawn)).any()


def test_strokes_on_a_crossing_stay_connected() -> None:
    paper = squared(40, 0)
    drawn = np.zeros(SIZE, np.uint8)
    cv2.line(drawn, (60, 60), (560, 460), 1, 3)
    left = remove_rulings(paper | (drawn > 0))
    _, labels = cv2.connectedComponents(left.view(np.uint8), connectivity=8)
    assert len(np.unique(labels[(drawn > 0) & left])) == 1


def test_without_rulings_nothing_is_removed() -> None:
    drawn = drawing()
    assert remove_rulings(drawn) is drawn
    nothing = np.zeros((0, 5), bool)
    assert remove_rulings(nothing) is nothing
    few = np.zeros(SIZE, bool)
    few[100:104, 50:700] = few[300:304, 50:700] = few[450:454, 50:700] = True
    assert (remove_rulings(few) == few).all()


@pytest.mark.parametrize("number", range(1, 7))
def test_lines_of_writing_are_no_rulings(number: int) -> None:
    page = sample_collection("manuscript") / f"letter_{number:03}.jpg"
    written = word_ink(read_page(page)) > 0.25
    assert remove_rulings(written) is written


@pytest.mark.parametrize("shape", [(100, 12_000), (12_000, 100), (1, 3000)])
def test_pages_much_longer_than_wide_keep_their_strokes(shape: tuple[int, int]) -> None:
    drawn = np.zeros(shape, np.bool_)
    drawn[::7, ::11] = True
    assert (remove_rulings(drawn) == drawn).all()


def test_rulings_in_the_shade_of_a_page() -> None:
    paper, drawn = squared(26, 1.0), drawing()
    light = np.linspace(250, 120, SIZE[1])
    page = np.where(paper | drawn, 0.35 * light, light).round().astype(np.uint8)
    left = binarise(page, InkSettings(InkMethod.EVEN, rulings=True))
    far = cv2.dilate(drawn.view(np.uint8), np.ones((9, 9), np.uint8)) == 0
    assert left[far].mean() < 0.01
    assert left[drawn].mean() > 0.98


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 12), st.integers(0, 6))
def test_what_is_removed_is_small(seed: int, specks: int, smallest: int) -> None:
    ink = np.random.default_rng(seed).random((40, 50)) < 0.2
    left, removed = clean_ink(ink, specks=specks, smallest=smallest)
    count, labels, facts, _ = cv2.connectedComponentsWithStats(ink.view(np.uint8), connectivity=8)
    gone = [n for n in range(1, count) if not left[labels == n].any()]
    kept = [n for n in range(1, count) if left[labels == n].all()]
    assert len(gone) + len(kept) == count - 1
    assert removed == CleanedInk(
        0,
        sum(facts[n, cv2.CC_STAT_AREA] <= specks for n in gone),
        sum(facts[n, cv2.CC_STAT_AREA] > specks for n in gone),
    )
    for n in gone + kept:
        small = facts[n, cv2.CC_STAT_AREA] <= specks or max(facts[n, 2], facts[n, 3]) < smallest
        assert small == (n in gone)


@pytest.mark.parametrize("method", InkMethod)
def test_windows_of_cleaned_pages_are_parts_of_the_whole(method: InkMethod) -> None:
    rng = np.random.default_rng(1)
    page = np.where(rng.random((90, 120)) < 0.1, 20, 240).astype(np.uint8)
    settings = InkSettings(method, specks=2, window=15)
    whole = binarise(page, settings)
    binariser = Binariser(page, settings)
    assert binariser.cleaned is None
    assert (binariser.window(13, 21, 77, 64) == whole[21:64, 13:77]).all()
    assert binariser.cleaned is not None and binariser.cleaned.specks > 0
    assert not (whole & ~binarise(page, InkSettings(method, window=15))).any()


def test_ink_of_one_colour_under_a_shadow() -> None:
    page = np.full((60, 90, 3), 250, np.uint8)
    page[10, 5:85], page[30, 5:85], page[50, 5:85] = (210, 40, 40), (40, 170, 200), (30, 30, 30)
    page[:, 45:] = (page[:, 45:] * 0.7).astype(np.uint8)
    for row, colour in ((10, (210, 40, 40)), (30, (40, 170, 200)), (50, (30, 30, 30))):
        ink = binarise(page, InkSettings(InkMethod.EVEN, colour=colour))
        expected = np.zeros((60, 90), bool)
        expected[row, 5:85] = True
        assert (ink == expected).all(), colour
    grey = page[..., 0]
    assert (colour_darkness(grey, (0, 0, 0)) == grey).all()


def test_defaults_clean_nothing_and_settings_survive_json() -> None:
    assert not InkSettings().cleans and PageInk(np.zeros((3, 3), np.uint8)).cleaned is None
    chosen = InkSettings(InkMethod.WOLF, rulings=True, specks=9, colour=(1, 2, 3), tolerance=50)
    assert settings_from_values(settings_as_values(chosen)) == chosen
    assert settings_from_values({"specks": -1}) == InkSettings()
    for wrong in ({"specks": -1}, {"smallest": 10**6}, {"colour": (0, 0)}, {"tolerance": 0}):
        with pytest.raises(ValueError):
            InkSettings(**wrong)


def test_thumbnails_of_pale_pages_have_contrast() -> None:
    page = np.full((80, 60, 3), (200, 195, 180), np.uint8)
    page[20:24] = (160, 155, 150)
    stretched = stretch_contrast(page)
    assert stretched[0, 0, 0] == 255 and stretched[22].min() == 0
    blank = np.full((8, 8), 90, np.uint8)
    assert stretch_contrast(blank) is blank
