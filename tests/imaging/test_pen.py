"""The pen's width, measured from lines and not from what is written between them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from spotlab.imaging.ink import Ink, binarise
from spotlab.imaging.stroke_outline import pen_width, thinnest_line
from spotlab.lab.draw.floorplans import make_page
from spotlab.lab.draw.plans.options import FloorPlanOptions
from spotlab.spotting.symbols.drawing.strokes import extract_strokes

PLAN = FloorPlanOptions(width=1600, height=1100, line_width=2, text=False, dimensions=False)
LINE = 3  # px: what OpenCV draws for 2 at places between pixels
MARKER = 6  # px: the pen of lettering


def with_lettering(ink: Ink, rows: int = 12) -> Ink:
    """The drawing and lines of writing in a thicker pen, everywhere."""
    page = ink.view(np.uint8).copy()
    for row in range(rows):
        bottom = 60 + row * (ink.shape[0] - 80) // rows
        cv2.putText(page, 40 * "mnotes ", (5, bottom), cv2.FONT_HERSHEY_SIMPLEX, 1.2, 1, MARKER)
    return page > 0


@pytest.fixture(scope="module")
def plan() -> Ink:
    return binarise(make_page(1, 5, PLAN)[0])


def median_run(ink: Ink) -> float:
    """What the pen was taken for before."""
    edges = [np.flatnonzero(np.diff(np.pad(image, ((0, 0), (1, 1))).ravel()))
             for image in (ink.view(np.int8), ink.T.view(np.int8))]  # fmt: skip
    return float(np.median(np.concatenate([each[1::2] - each[::2] for each in edges])))


def test_lettering_does_not_change_the_pen(plan: Ink) -> None:
    written = with_lettering(plan)
    assert pen_width(plan) == pen_width(written) == median_run(plan) == LINE
    assert median_run(written) > LINE  # it would change the median of all runs


@pytest.mark.parametrize("pen", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("degrees", [0, 3, 20, 45, 70, 90])
def test_lines_at_any_angle_are_as_wide_as_they_were_drawn(pen: int, degrees: int) -> None:
    page = np.zeros((500, 500), np.uint8)
    way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    across = way[::-1] * [-1, 1]
    for offset in (-100, 0, 100):
        middle = np.array([250, 250]) + offset * across
        corners = [middle + a * 120 * way + b * pen / 2 * across
                   for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]  # fmt: skip
        cv2.fillPoly(page, [np.rint(np.array(corners) * 32 - 16).astype(np.int32)], 255, 8, 5)
    drawn = float((page > 0).sum()) / (3 * 240)  # px of ink per px of line
    assert pen_width(page > 0) == pytest.approx(drawn, abs=0.8)


def test_a_page_of_writing_alone_has_the_median_of_its_runs() -> None:
    page = with_lettering(np.zeros((300, 900), bool), rows=3)
    assert pen_width(page) == median_run(page)
    assert pen_width(np.zeros((9, 7), bool)) == thinnest_line(np.zeros((0, 0), bool)) == 1


def test_the_small_page_keeps_the_thinnest_common_line() -> None:
    ink = np.zeros((600, 900), bool)
    for number in range(8):
        top = 20 + 70 * number
        ink[top : top + 6, 10:890] = True  # the usual line
        ink[top + 12 : top + 18, 10:890] = True
        ink[top + 40 + number % 3, 10:890] = True  # a thin one for every two of them
    pen = pen_width(ink)
    assert (pen, thinnest_line(ink)) == (6, 1)
    strokes = extract_strokes(ink, pen)
    height = strokes.is_stroke.shape[0]
    for number in range(8):
        row = (20 + 70 * number + 40 + number % 3 + 0.5) * height / 600
        near = strokes.is_stroke[round(row) - 2 : round(row) + 2, 20:-20]
        assert near.any(axis=0).mean() > 0.99


def test_a_rare_thin_line_changes_nothing() -> None:
    ink = np.zeros((600, 900), bool)
    for number in range(8):
        ink[20 + 70 * number :][:6, 10:890] = True
    rare = ink.copy()
    rare[50, 10:210] = True
    assert thinnest_line(rare) == pen_width(rare) == 6
    plain, other = extract_strokes(ink, 6), extract_strokes(rare, 6)
    rows = slice(60 * plain.ink.shape[0] // 600, None)
    assert (plain.ink[rows] == other.ink[rows]).all()


def test_the_pen_does_not_depend_on_gaps_and_specks() -> None:
    worn = replace(PLAN, gaps=4.0, speckle=300.0)
    assert pen_width(binarise(make_page(1, 5, worn)[0])) == LINE
