"""The paper's four descriptors: values by hand, exact invariance, what has no area or no length."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.geometry.polygon import Outlines
from spotlab.spotting.symbols.descriptors.moments import polygons
from spotlab.spotting.symbols.descriptors.outline import WIDTH
from spotlab.spotting.symbols.drawing.contours import Primitives
from spotlab.spotting.symbols.voting.descriptor import Features, descriptors

PAPER = ("a", "b", "c", "d")


def described(name: str, *rings: object) -> Features:
    contours = Outlines.of([np.asarray(ring, np.float64) for ring in rings])
    return descriptors()[name].describe(Primitives(contours, np.zeros(len(rings), np.int64)))


def rectangle(width: float, height: float) -> np.ndarray:
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], float)


def circle(radius: float = 100, count: int = 720) -> np.ndarray:
    angles = np.arange(count) * 2 * np.pi / count
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def fine(ring: np.ndarray, sides: int = 40) -> np.ndarray:
    """The same ring with more points on its sides."""
    after = np.roll(ring, -1, axis=0)
    share = np.arange(sides)[None, :, None] / sides
    return (ring[:, None] * (1 - share) + after[:, None] * share).reshape(-1, 2)


# -- values by hand


def test_the_four_are_found_by_name() -> None:
    assert set(PAPER) <= set(descriptors())
    assert all(each.radius > 0 and each.definition for each in descriptors().values())


@pytest.mark.parametrize("name", PAPER)
def test_a_circle(name: str) -> None:
    """0 throughout, but for the rectangle around it and the polygon that is none."""
    wanted = np.zeros(described(name, circle()).shape[1])
    if name == "a":
        wanted[4] = 1 - np.pi / 4
    # what smoothing takes from the length, and what a polygon cuts off
    near = {"a": 0.006, "b": 1e-5, "c": 0.03, "d": 1e-5}[name]
    assert described(name, circle())[0] == pytest.approx(wanted, abs=near)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 1), (3, 7), (10, 1)])
def test_ratios_of_a_rectangle(width: float, height: float) -> None:
    long, short = max(width, height), min(width, height)
    found = described("a", 10 * rectangle(width, height))[0]
    eccentricity = np.sqrt(1 - (short / long) ** 2)
    circularity = np.pi * width * height / (width + height) ** 2
    assert found[[0, 2, 4]] == pytest.approx([eccentricity, 0, 0], abs=1e-3)
    # corners are rounded before the length is taken: at most 4 % shorter
    assert found[1] == pytest.approx(1 - circularity, abs=0.07)
    assert -0.045 < found[3] <= 0


def test_ratios_of_a_letter_l() -> None:
    """Three of four squares: area 3, hull 3.5, rectangle 4, length 8, of the hull 6 + √2."""
    ring = np.array([(0, 0), (20, 0), (20, 10), (10, 10), (10, 20), (0, 20)], float)
    found = described("a", ring)[0]
    assert found[2] == pytest.approx(1 - 3 / 3.5, abs=1e-6)
    assert found[4] == pytest.approx(1 - 3 / 4, abs=1e-6)
    assert found[3] == pytest.approx(1 - (60 + 10 * np.sqrt(2)) / 80, abs=0.06)


def test_hu_of_a_square_and_of_rectangles() -> None:
    """φ1 = (a / b + b / a) / 12 and √φ2 = |a / b - b / a| / 12, the others 0."""
    for ratio in (1.0, 1.5, 4.0, 30.0):
        found = described("b", 10 * rectangle(ratio, 1))[0]
        first = (ratio + 1 / ratio) / 12
        second = (ratio - 1 / ratio) / 12
        wanted = [0.5 * np.log(first * 2 * np.pi), second / first, 0, 0, 0, 0, 0]
        assert found == pytest.approx(wanted, abs=1e-5)


def test_hu_of_a_triangle() -> None:
    """Equilateral, side 1: c20 and c21 are 0, c30 = ∫ (x + iy)³ is all there is of third order."""
    corners = np.exp(2j * np.pi * np.arange(3) / 3) * 100
    found = described("b", np.column_stack([corners.real, corners.imag]))[0]
    # triangle with circumradius R: A = 3√3/4 R², ∫|z|² = A R²/4, ∫z³ = A R³/10
    area = 3 * np.sqrt(3) / 4
    first = (1 / 4) / area
    third = (1 / 10) / area**1.5
    wanted = [0.5 * np.log(first * 2 * np.pi), 0, 0.5 * third / first**1.5, 0, 0, 0, 0]
    assert found == pytest.approx(wanted, abs=1e-4)


def test_line_moments_of_a_rectangle() -> None:
    """Sides a, b: ∫x² over the line = a³/6 + a² b/2, over L³ with L = 2 (a + b)."""
    a, b = 40.0, 15.0
    found = described("c", rectangle(a, b))[0]
    xx, yy = a**3 / 6 + a**2 * b / 2, b**3 / 6 + b**2 * a / 2
    first, second = (xx + yy) / (2 * (a + b)) ** 3, (xx - yy) / (2 * (a + b)) ** 3
    wanted = [0.5 * np.log(first * 4 * np.pi**2), second / first, 0, 0, 0, 0, 0]
    assert found == pytest.approx(wanted, abs=1e-9)


def test_polygons_keep_corners_only() -> None:
    ring = fine(rectangle(60, 30))
    corners = polygons(Outlines.of([ring]))[0]
    assert {tuple(each) for each in corners.tolist()} == {
        tuple(each) for each in rectangle(60, 30).tolist()
    }


def test_curvature_of_rectangles() -> None:
    """Four turns of π / 2: F_k is cos(π k a / L) for even k, else 0, less the smoothing."""
    for a, b in ((50.0, 50.0), (70.0, 30.0)):
        found = described("d", rectangle(a, b))[0]
        k = np.arange(1, 17)
        wanted = np.where(k % 2 == 0, np.abs(np.cos(np.pi * k * a / (2 * (a + b)))), 0)
        smooth = np.exp(-((2 * np.pi * WIDTH * k) ** 2) / 2)
        assert found[:6] == pytest.approx((wanted * smooth / np.sqrt(k))[:6], abs=0.06)
        assert found[::2] == pytest.approx(np.zeros(8), abs=1e-6)


def test_a_letter_and_its_opposite_turns() -> None:
    """What turns inwards counts against: an L's turns are five outwards, one inwards."""
    ring = fine(np.array([(0, 0), (90, 0), (90, 30), (30, 30), (30, 90), (0, 90)], float))
    corners, where = np.array([1, 1, 1, -1, 1, 1]), np.array([0, 90, 120, 180, 240, 270]) / 360
    k = np.arange(1, 4)
    wanted = np.abs((corners * np.exp(-2j * np.pi * k[:, None] * where)).sum(axis=1)) / 4
    assert described("d", ring)[0][:3] == pytest.approx(wanted / np.sqrt(k), abs=0.1)


# -- invariance of continuous contours


@st.composite
def stars(draw: st.DrawFn) -> np.ndarray:
    """Rings around a centre, some of them deeply dented."""
    count = draw(st.integers(5, 12))
    reach = draw(st.lists(st.floats(20, 100), min_size=count, max_size=count))
    angles = np.arange(count) * 2 * np.pi / count
    return np.array(reach)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])


# a and d sample the contour from its first point on; c jumps with the polygon's corners, see below
TOLERANCE = {"a": 6e-3, "b": 1e-3, "d": 2e-2}


@pytest.mark.parametrize("name", TOLERANCE)
@settings(max_examples=40, deadline=None)
@given(
    ring=stars(),
    degrees=st.floats(0, 360),
    scale=st.floats(0.5, 20),
    mirrored=st.booleans(),
    shift=st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4)),
    first=st.integers(0, 400),
    backwards=st.booleans(),
)
def test_nothing_changes(
    name: str,
    ring: np.ndarray,
    degrees: float,
    scale: float,
    mirrored: bool,
    shift: tuple[float, float],
    first: int,
    backwards: bool,
) -> None:
    """Turned, scaled, mirrored, moved, begun elsewhere, run through the other way round."""
    dense = fine(ring)
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    other = dense * [-1 if mirrored else 1, 1] @ np.array([[c, s], [-s, c]]) * scale + shift
    other = np.roll(other, first, axis=0)
    other = other[::-1] if backwards else other
    before, after = described(name, dense, other)
    assert np.linalg.norm(before - after) < TOLERANCE[name]


@settings(max_examples=40, deadline=None)
@given(
    corners=st.lists(st.floats(60, 100), min_size=5, max_size=8),
    degrees=st.floats(0, 360),
    scale=st.floats(0.5, 20),
    mirrored=st.booleans(),
)
def test_polygons_move_as_their_contours_do(
    corners: list[float], degrees: float, scale: float, mirrored: bool
) -> None:
    """Convex enough that all corners are kept: then the moments are exactly the same."""
    angles = np.arange(len(corners)) * 2 * np.pi / len(corners)
    ring = np.array(corners)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    if len(polygons(Outlines.of([ring]))[0]) < len(ring):
        return
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    other = ring * [-1 if mirrored else 1, 1] @ np.array([[c, s], [-s, c]]) * scale
    if len(polygons(Outlines.of([other]))[0]) < len(ring):
        return
    before, after = described("c", ring, other)
    assert np.linalg.norm(before - after) < 1e-4


@pytest.mark.parametrize("name", PAPER)
def test_where_a_contour_starts_changes_nothing_much(name: str) -> None:
    """A traced contour, begun at each of its points: far within the radius."""
    page = np.zeros((200, 200), np.uint8)
    cv2.ellipse(page, (100, 90), (70, 35), 20, 0, 300, 1, 3)
    cv2.rectangle(page, (60, 60), (120, 130), 1, 3)
    found, tree = cv2.findContours(page, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for ring in (found[i][:, 0] for i in np.flatnonzero(tree[0][:, 3] >= 0)):
        rolled = described(name, *(np.roll(ring, shift, axis=0) for shift in range(len(ring))))
        away = np.linalg.norm(rolled - rolled[0], axis=1)
        assert away.max() < descriptors()[name].radius / 2


# -- drawn, not calculated


@pytest.mark.parametrize("name", PAPER)
@pytest.mark.parametrize("degrees", [0, 17, 45, 90])
@pytest.mark.parametrize("scale", [0.6, 1.0, 1.7])
def test_drawings_of_the_same_thing_are_alike(name: str, degrees: float, scale: float) -> None:
    """Turned and scaled before the pixels are set, by a pen that does not grow with the shape."""
    upright, turned = _traced(0, 1, "plate"), _traced(degrees, scale, "plate")
    other = _traced(degrees, scale, "wedge")
    same, unlike, base = described(name, turned, other, upright)
    radius = descriptors()[name].radius
    assert np.linalg.norm(same - base) < (2.5 if name == "c" else 1) * radius
    assert np.linalg.norm(unlike - base) > 2 * radius


def _traced(degrees: float, scale: float, shape: str) -> np.ndarray:
    rings = {
        "plate": [(-60, -40), (60, -40), (60, 40), (-60, 40)],
        "wedge": [(-60, -40), (60, -10), (60, 10), (-60, 40), (-20, 0)],
    }
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    points = scale * np.array(rings[shape], float) @ np.array([[c, s], [-s, c]]) + 200
    page = np.zeros((400, 400), np.uint8)
    cv2.polylines(page, [np.round(points * 8).astype(np.int32)], True, 1, 3, cv2.LINE_8, 3)
    found, tree = cv2.findContours(page, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    holes = [ring[:, 0] for ring, links in zip(found, tree[0], strict=True) if links[3] >= 0]
    return np.asarray(max(holes, key=len), float)


# -- every contour has a description

ODD = {
    "point": [(7, 7)],
    "the same point again and again": [(3, 3)] * 4,
    "two points": [(0, 0), (5, 5)],
    "line": [(0, 0), (5, 0), (9, 0), (5, 0)],
    "eight that encloses nothing": [(0, 0), (10, 10), (10, 0), (0, 10)],
    "huge": [(0, 0), (1e6, 0), (1e6, 1e6), (0, 1e6)],
    "tiny": [(0, 0), (1e-3, 0), (1e-3, 1e-3)],
    "hair": [(0, 0), (10_000, 0), (10_000, 0.5), (0, 0.5)],
    "none": np.empty((0, 2)),
}


@pytest.mark.parametrize("name", PAPER)
@pytest.mark.parametrize("odd", [key for key in ODD if key != "none"])
def test_odd_contours_have_a_description(name: str, odd: str) -> None:
    alone = described(name, ODD[odd])
    assert np.isfinite(alone).all()
    among = described(name, circle(), ODD[odd], rectangle(5, 9))
    assert among[1] == pytest.approx(alone[0], abs=1e-9)
    assert len(described(name)) == 0 and described(name).shape[1] == alone.shape[1]


def test_what_has_no_area_is_a_line_and_what_has_no_length_is_round() -> None:
    line = ODD["two points"]
    assert described("a", line)[0][:2].tolist() == [1, 1]
    assert described("b", line)[0][1] == pytest.approx(1)
    assert described("c", line)[0][:2] == pytest.approx([0.5 * np.log(np.pi**2 / 12), 1])
    for name in PAPER:
        assert described(name, ODD["point"])[0] == pytest.approx(0, abs=1e-9)
    # forth and back: two half turns, so that every second harmonic is 1
    assert described("d", line)[0][:4] * np.sqrt([1, 2, 3, 4]) == pytest.approx(
        [0, 1, 0, 1], abs=0.02
    )


@pytest.mark.parametrize("name", PAPER)
def test_far_from_the_origin_no_digits_are_lost(name: str) -> None:
    ring = fine(np.array([(0, 0), (9, 0), (9, 3), (3, 3), (3, 9), (0, 9)], float), 3)
    near, far = described(name, ring, ring + 1e5)
    assert near == pytest.approx(far, abs=1e-3)


@pytest.mark.parametrize("name", PAPER)
def test_many_are_described_as_each_alone(name: str) -> None:
    """More than are worked on at once."""
    random = np.random.default_rng(0)
    rings = [random.uniform(0, 50, (count, 2)) for count in random.integers(1, 9, 1_100).tolist()]
    together = described(name, *rings)
    for number in (0, 511, 512, 1_023, 1_024, 1_099):
        assert together[number] == pytest.approx(described(name, rings[number])[0], abs=1e-9)
