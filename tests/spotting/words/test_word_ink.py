"""Ink of pages with stains, the size of their writing and how much it leans."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from spotlab.geometry.polygon import pair_boxes
from spotlab.imaging.reading.pyramid import Pixels
from spotlab.spotting.words.extraction.layout import (
    Strokes,
    WordInk,
    find_layout,
    page_slant,
    page_strokes,
    text_height,
    word_ink,
)
from spotlab.spotting.words.extraction.page_words import (
    WordSettings,
    extract_words,
    word_candidates,
)
from tests.formats.written_pages import written_page


def _letters(page: Pixels) -> Strokes:
    return page_strokes(word_ink(page)).letters


@pytest.mark.parametrize("method", list(WordInk))
def test_ink_is_the_same_on_stained_paper(method: WordInk) -> None:
    page = written_page()
    shade = np.linspace(0.6, 1, page.shape[1])
    stained = (page * shade).astype(np.uint8)
    ink = word_ink(stained, method)
    assert ink.shape == page.shape
    assert ink.dtype == np.float32
    assert ink[page == 0].mean() > 0.85
    assert ink[cv2.erode(page, np.ones((9, 9))) == 255].mean() < 0.01


def _photographed(page: Pixels, around: int) -> Pixels:
    """The page on something dark and grainy, so many px of it."""
    size = (page.shape[0] + 2 * around, page.shape[1] + 2 * around)
    seen = np.random.default_rng(0).normal(40, 12, size).clip(0, 255).astype(np.uint8)
    seen[around:-around, around:-around] = np.maximum(page, 20) * 0.9
    return seen


def test_what_is_around_a_page_is_no_ink() -> None:
    page, around = written_page(), 250
    ink = word_ink(_photographed(page, around))
    inside = ink[around:-around, around:-around].copy()
    ink[around:-around, around:-around] = 0
    assert (ink > 0.25).sum() < 1e-4 * ink.size
    assert np.abs(inside - word_ink(page))[40:-40, 40:-40].mean() < 0.01


def test_candidates_are_those_of_the_page_alone() -> None:
    page, around = written_page(), 250
    alone = extract_words(page, WordSettings()).boxes + around
    seen = extract_words(_photographed(page, around), WordSettings()).boxes
    pairs = pair_boxes(seen, alone)
    assert len(np.unique(pairs.second[pairs.iou > 0.8])) > 0.9 * len(alone)
    assert len(seen) < 1.2 * len(alone)


def test_a_deep_shadow_on_a_page_has_ink_as_before() -> None:
    page = written_page()
    shade = np.where(np.arange(page.shape[1]) < 500, 0.4, 1.0)
    ink = word_ink((page * shade).astype(np.uint8))
    assert ink[:, :400][page[:, :400] == 0].mean() > 0.85


@pytest.mark.parametrize("method", list(WordInk))
@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (60, 80)])
def test_a_blank_page_has_no_ink(method: WordInk, shape: tuple[int, int]) -> None:
    assert not word_ink(np.full(shape, 230, np.uint8), method).any()


def test_a_binary_method_keeps_greys_of_ink_only() -> None:
    page = np.full((200, 200), 220, np.uint8)
    page[90:110, 50:150] = 20
    page[150:160, 50:150] = 200  # hardly darker than the paper
    assert word_ink(page)[155, 100] > 0.05
    ink = word_ink(page, "otsu")
    assert ink[155, 100] == 0
    assert ink[100, 100] == pytest.approx(200 / 220, abs=0.01)


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_text_height_grows_with_the_page(scale: float) -> None:
    page = written_page()
    other = cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    expected = scale * text_height(_letters(page))
    assert text_height(_letters(other)) == pytest.approx(expected, rel=0.12)


def test_a_page_without_pixels_is_one_error() -> None:
    with pytest.raises(ValueError, match="a page of 5 × 0 px has no pixels"):
        extract_words(np.zeros((0, 5), np.uint8), WordSettings())


@pytest.mark.parametrize("grey", [0, 255])
@pytest.mark.parametrize("shape", [(1, 1), (1, 400), (400, 1), (300, 200)])
def test_a_page_of_one_grey_has_no_words(shape: tuple[int, int], grey: int) -> None:
    assert len(extract_words(np.full(shape, grey, np.uint8), WordSettings())) == 0


def test_borders_and_rules_are_no_writing() -> None:
    page = written_page()
    plain = text_height(_letters(page))
    page[:, :60] = 0
    page[60:66] = 0
    letters = _letters(page)
    assert not letters[:, :55].any()
    assert not letters[60:66, 200:].any()
    assert text_height(_letters(page)) == pytest.approx(plain, rel=0.1)


def _squared(page: Pixels, distance: int) -> Pixels:
    """The page on squared paper that ends before the picture's edges."""
    page = page.copy()
    paper = page[20:-20, 20:-20]
    paper[::distance] = np.minimum(paper[::distance], 60)
    paper[:, ::distance] = np.minimum(paper[:, ::distance], 60)
    return page


def test_words_on_squared_paper_are_found_as_on_blank_paper() -> None:
    page = written_page()
    plain, squared = find_layout(word_ink(page)), find_layout(word_ink(_squared(page, 37)))
    assert squared.scale == pytest.approx(plain.scale, rel=0.1)
    assert squared.is_text
    here, there = word_candidates(plain).boxes, word_candidates(squared).boxes
    pairs = pair_boxes(here, there)
    again = np.unique(pairs.first[pairs.iou > 0.5])
    assert len(again) > 0.9 * len(here)


def test_words_that_touch_the_border_of_a_scan_are_found() -> None:
    page = written_page()
    page[:, -20:] = 255
    strokes = _letters(page)
    right = int(np.flatnonzero(strokes.any(axis=0))[-1])  # of the longest line
    page[:, right - 4 :] = 0
    left = _letters(page)
    assert left[:, : right - 12].sum() > 0.98 * strokes[:, : right - 12].sum()
    assert not left[:, right:].any()


@pytest.mark.parametrize("slant", [-0.5, 0.3, 0.8])
def test_slant_of_leaning_strokes(slant: float) -> None:
    strokes = np.zeros((300, 600), np.uint8)
    for line in range(40, 280, 40):
        for start in range(60, 520, 12):
            top = (round(start + slant * 16), line - 16)
            cv2.line(strokes, (start, line), top, 1, 2)
    assert page_slant(strokes, 8) == pytest.approx(slant, abs=0.12)
