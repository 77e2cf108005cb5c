"""Ink, components, sketches and outlines against slow but obvious ways of computing them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.ndimage
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from spotlab.errors import Cancelled
from spotlab.geometry import polygon
from spotlab.imaging import page_ink as components_module
from spotlab.imaging.ink import Binariser, InkMethod, InkSettings, InkTone, binarise
from spotlab.imaging.outlines import make_outline, runs_from_mask
from spotlab.imaging.page_ink import (
    PageInk,
    count_pixels_inside,
    enclosed_rings,
    ink_tile,
    label_bands,
    label_components,
    runs_inside,
    select_components,
)
from spotlab.model import Primitive

EIGHT = np.ones((3, 3), int)
images = st.tuples(st.integers(1, 14), st.integers(1, 14)).flatmap(
    lambda shape: arrays(np.bool_, shape, elements=st.booleans())
)
strokes = st.lists(
    st.tuples(st.floats(-4, 18, width=32), st.floats(-4, 18, width=32)), min_size=3, max_size=9
)


@given(images, st.integers(1, 5), st.integers(1, 9))
def test_components_are_those_of_scipy(ink, rows, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(components_module, "_BLOCK", block)
        check_components(ink, rows)


def check_components(ink, rows):
    bands = ((top, ink[top : top + rows]) for top in range(0, len(ink), rows))
    components = label_bands(bands, ink.shape[1], ink.shape[0])
    expected, count = scipy.ndimage.label(ink, EIGHT)
    painted = components.paint(0, 0, ink.shape[1], ink.shape[0])
    assert components.count == count
    pairs = {(a, b) for a, b in zip(painted.ravel(), expected.ravel(), strict=True)}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
    assert components.sizes.tolist() == [(painted == id + 1).sum() for id in range(count)]
    for id, (left, top, right, bottom) in enumerate(components.bounds.tolist()):
        y, x = np.nonzero(painted == id + 1)
        assert (left, top, right, bottom) == (x.min(), y.min(), x.max() + 1, y.max() + 1)
    padded = np.pad(painted, ((0, 9), (0, 9)))
    assert (components.paint(2, 1, 7, 9) == padded[1:9, 2:7]).all()


def filled(stroke, width, height):
    """Pixels that cannot be reached from outside without crossing the stroke, one by one."""
    rings = enclosed_rings(polygon.as_points(stroke))
    centres = [[(x + 0.5, y + 0.5) for x in range(width)] for y in range(height)]
    return np.array(
        [[any(polygon.contains(ring, x, y) for ring in rings) for x, y in row] for row in centres]
    )


@given(strokes, images)
def test_pixels_inside_a_stroke_are_counted_by_their_centres(stroke, ink):
    height, width = ink.shape
    inside = filled(stroke, width, height)
    runs = runs_inside(stroke, width, height)
    mask = runs.fill(width, height, np.ones(len(runs), np.int32)) > 0
    assert (mask == inside).all()
    components = label_components(ink)
    painted = components.paint(0, 0, width, height)
    ids, counts = count_pixels_inside(components, stroke)
    expected = np.bincount(painted[inside], minlength=components.count + 1)[1:]
    assert ids.tolist() == np.flatnonzero(expected).tolist()
    assert counts.tolist() == expected[expected > 0].tolist()
    for share in (0.0, 0.5, 1.0):
        wanted = expected > share * components.sizes if share < 1 else expected == components.sizes
        assert (
            select_components(components, stroke, share).tolist() == np.flatnonzero(wanted).tolist()
        )


def test_circling_twice_takes_the_middle_too():
    angles = np.linspace(0, 4 * np.pi, 60, endpoint=False)
    radius = np.linspace(20, 30, 60)
    stroke = 40 + radius[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    ink = np.zeros((80, 80), bool)
    ink[38:42, 38:42] = True
    assert select_components(label_components(ink), stroke).tolist() == [0]


def test_half_inside_is_not_taken_and_one_more_pixel_is():
    ink = np.zeros((3, 10), bool)
    ink[1, 2:8] = True
    components = label_components(ink)
    assert select_components(components, [(0, 0), (5, 0), (5, 3), (0, 3)]).tolist() == []
    assert select_components(components, [(0, 0), (6, 0), (6, 3), (0, 3)]).tolist() == [0]
    assert select_components(components, [(0, 0), (1, 1)]).tolist() == []


@given(images)
def test_the_trace_is_exactly_the_pixels(ink):
    height, width = ink.shape
    ring = make_outline(runs_from_mask(ink), Primitive.TRACE, (width, height))
    if not ink.any():
        assert len(ring) == 0
        return
    found = [
        [polygon.contains(ring, x + 0.5, y + 0.5) for x in range(width)] for y in range(height)
    ]
    assert (np.array(found) == ink).all()
    assert polygon.area(ring) == pytest.approx(ink.sum(), abs=1e-6)
    assert (ring == np.rint(ring)).all()


def test_the_trace_of_many_parts_and_holes():
    ink = np.random.default_rng(4).random((150, 200)) < 0.5
    ring = make_outline(runs_from_mask(ink), Primitive.TRACE, (200, 150))
    following = np.roll(ring, -1, axis=0)
    low, high = np.minimum(ring, following), np.maximum(ring, following)
    found = np.zeros_like(ink)
    for row in range(150):
        crosses = (low[:, 1] < row + 0.5) & (high[:, 1] > row + 0.5)
        (x1, y1), (x2, y2) = ring[crosses].T, following[crosses].T
        x = x1 + (row + 0.5 - y1) / (y2 - y1) * (x2 - x1)
        found[row] = (x[None] < np.arange(200)[:, None] + 0.5).sum(axis=1) % 2
    assert (found == ink).all()


@given(images, st.sampled_from([each for each in Primitive if each.has_area]), st.integers(1, 5))
def test_every_outline_covers_the_pixels_inside_the_page(ink, primitive, cell):
    height, width = ink.shape
    ring = make_outline(runs_from_mask(ink), primitive, (width, height), cell)
    if not ink.any():
        assert len(ring) == 0
        return
    assert len(ring) >= 3
    assert (ring == np.rint(ring)).all()
    assert (ring >= 0).all() and (ring <= (width, height)).all()
    if primitive is Primitive.ELLIPSE:
        return  # on so few pixels rounding to whole ones cuts corners
    y, x = np.nonzero(ink)
    assert all(polygon.contains(ring, a + 0.5, b + 0.5) for a, b in zip(x, y, strict=True))


def test_outlines_of_a_ring_of_ink():
    ink = np.zeros((100, 120), bool)
    ink[16:80, 24:96] = True
    ink[32:64, 40:80] = False
    runs, page = runs_from_mask(ink), (120, 100)
    areas = {
        primitive: polygon.area(make_outline(runs, primitive, page))
        for primitive in Primitive
        if primitive.has_area
    }
    assert areas[Primitive.HULL] == areas[Primitive.BOX] == areas[Primitive.ISOTHETIC] == 64 * 72
    assert areas[Primitive.TRACE] == areas[Primitive.CELLS] == ink.sum()
    ellipse = make_outline(runs, Primitive.ELLIPSE, page)
    assert 64 * 72 * np.pi / 2 * 0.95 < polygon.area(ellipse) < 64 * 72 * np.pi / 2 * 1.05 or (
        ellipse.min() == 0 or (ellipse.max(axis=0) == page).any()
    )


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.floats(0, 1))
def test_sketching_before_labelling_takes_the_same(seed, share):
    random = np.random.default_rng(seed)
    page = np.full((500, 700), 255, np.uint8)
    page[random.integers(0, 500, 5)] = 0  # walls through the whole page
    page[:, random.integers(0, 700, 5)] = 0
    for _ in range(60):
        x, y, w, h = random.integers(0, 700), random.integers(0, 500), *random.integers(1, 60, 2)
        page[y : y + h, x : x + w] = random.choice([0, 255])
    stroke = random.normal((350, 250), random.uniform(10, 200), (12, 2))
    early, late = PageInk(page), PageInk(page)
    late.label()
    assert late.is_labelled and not early.is_labelled
    first, second = early.select(stroke, share), late.select(stroke, share)
    assert same(first, second)
    x, y = random.uniform(0, 700), random.uniform(0, 500)
    first, second = early.component_at(x, y), late.component_at(x, y)
    assert (first is None) == (second is None)
    assert first is None or same(first, second)


def test_a_page_may_be_labelled_while_a_component_is_looked_for(monkeypatch):
    page = np.full((500, 700), 255, np.uint8)
    page[250] = 0  # leaves every small box around it
    early, late = PageInk(page), PageInk(page)
    late.label()
    around, boxes = PageInk._around, []

    def meanwhile(self, *box):
        boxes.append(box)
        found = around(self, *box)
        self.label()
        return found

    monkeypatch.setattr(PageInk, "_around", meanwhile)
    assert same(early.component_at(300, 250), late.component_at(300, 250))
    assert len(boxes) > 1


def sizes(selection):
    """How many pixels of each component are selected."""
    _, number = np.unique(selection.component_keys, return_inverse=True)
    return np.bincount(number, selection.runs.stops - selection.runs.starts).tolist()


def same(first, second):
    return (
        np.array_equal(first.runs.rows, second.runs.rows)
        and np.array_equal(first.runs.starts, second.runs.starts)
        and np.array_equal(first.runs.stops, second.runs.stops)
        and np.array_equal(first.component_keys, second.component_keys)
    )


def test_sketching_while_the_page_is_being_labelled():
    page = np.where(np.random.default_rng(0).random((2000, 2000)) < 0.02, 0, 255).astype(np.uint8)
    ink, expected = PageInk(page), PageInk(page)
    expected.label()
    stroke = [(300, 300), (500, 300), (500, 500), (300, 500)]
    with ThreadPoolExecutor(3) as pool:
        labelling = pool.submit(ink.label)
        taken = [pool.submit(ink.select, stroke) for _ in range(50)]
        assert all(same(each.result(), expected.select(stroke)) for each in taken)
        labelling.result()
    assert ink.is_labelled


def test_labelling_can_be_cancelled():
    def stop(done, total, doing):
        raise Cancelled

    ink = PageInk(np.zeros((100, 100), np.uint8))
    with pytest.raises(Cancelled):
        ink.label(stop)
    assert not ink.is_labelled


def test_strokes_are_added_and_taken_away():
    page = np.full((100, 100), 255, np.uint8)
    page[10:20, 10:20] = page[10:20, 30:40] = page[50:60, 10:20] = 0
    ink = PageInk(page)
    two = ink.select([(5, 5), (45, 5), (45, 25), (5, 25)])
    one = ink.select([(5, 5), (25, 5), (25, 25), (5, 25)])
    other = ink.component_at(15, 61.5)
    assert (sizes(two), sizes(one)) == ([100, 100], [100])
    assert same(two.union(one), two)
    assert two.difference(one).runs.bounds == (30, 10, 40, 20)
    assert not one.difference(two)
    three = two.union(other)
    assert sizes(three) == [100, 100, 100]
    left, top, mask = three.mask()
    assert (left, top, mask.shape, mask.sum()) == (10, 10, (50, 30), 300)
    left, top, cells = three.mask(step=8)
    assert (left, top, cells.tolist()) == (
        8,
        8,
        [[True, True, True, True], [True, True, True, True]]
        + [[False] * 4] * 3
        + [[True, True, False, False]] * 2,
    )
    assert ink.component_at(80, 80) is None
    assert ink.component_at(-5, 1000) is None
    assert not ink.select([(70, 70), (90, 70), (90, 90)])
    assert not ink.select([(-70, -70), (-90, -70), (-90, -90)])
    assert len(ink.select([(70, 70), (90, 70), (90, 90)]).outline()) == 0


def page_with_shadow():
    random = np.random.default_rng(1)
    page = np.linspace(120, 250, 400)[None] + random.normal(0, 3, (300, 400))
    page[50:250:20, 20:380] -= 60
    return np.clip(page, 0, 255).astype(np.uint8)


def test_local_thresholds_find_ink_in_the_shadow():
    page = page_with_shadow()
    for method in (InkMethod.SAUVOLA, InkMethod.WOLF):
        ink = binarise(page, InkSettings(method, k=0.2))
        assert ink[50:250:20, 20:380].mean() > 0.95
        assert ink.mean() < 0.07
    assert binarise(page)[:, :100].mean() > 0.5  # Otsu cannot


@pytest.mark.parametrize("method", list(InkMethod))
@pytest.mark.parametrize("shape", [(300, 400), (300, 400, 3), (20, 300), (2, 2), (1, 1)])
def test_a_window_has_the_ink_of_the_whole_page(method, shape):
    page = np.resize(page_with_shadow(), shape)
    settings = InkSettings(method, window=31)
    whole = binarise(page, settings)
    random = np.random.default_rng(2)
    binariser = Binariser(page, settings)
    for _ in range(10):
        left, right = np.sort(random.integers(0, shape[1] + 1, 2))
        top, bottom = np.sort(random.integers(0, shape[0] + 1, 2))
        if left < right and top < bottom:
            window = binariser.window(int(left), int(top), int(right), int(bottom))
            assert (window == whole[top:bottom, left:right]).all()


def test_the_offset_makes_more_ink():
    page = page_with_shadow()
    amounts = [binarise(page, InkSettings(offset=offset)).sum() for offset in (-300 // 2, 0, 40)]
    assert amounts[0] < amounts[1] < amounts[2]


@pytest.mark.parametrize("wrong", [{"window": 50}, {"window": 1}, {"offset": 300}, {"k": 0}])
def test_settings_that_mean_nothing_are_refused(wrong):
    with pytest.raises(ValueError, match=r"between|odd"):
        InkSettings(**wrong)


def test_ink_tiles_line_up_with_the_pyramid():
    page = np.full((1100, 1500), 255, np.uint8)
    page[100, 100:1400] = 0
    page[200:300, 1200:1300] = 0
    ink = PageInk(page)
    assert ink_tile(ink, 0, 2, 0, coloured=False).shape == (512, 476, 3)
    assert ink_tile(ink, 0, 2, 2, coloured=False).shape == (76, 476, 3)
    assert ink_tile(ink, 0, 3, 0, coloured=False).size == 0
    tile = ink_tile(ink, 2, 0, 0, coloured=False)
    assert tile.shape == (275, 375, 3)
    assert tile[25, 100].tolist() == [191, 191, 191]
    assert (ink_tile(ink, 2, 0, 0, coloured=True) == tile).all()
    ink.label()
    coloured = ink_tile(ink, 0, 0, 0, coloured=True)
    other = ink_tile(ink, 0, 2, 0, coloured=True)
    assert coloured[100, 200].tolist() != other[250, 1250 - 1024].tolist()
    assert coloured[0, 0].tolist() == [255, 255, 255]


@given(strokes, images)
def test_ink_within_a_stroke_is_cut_at_it(stroke, ink):
    height, width = ink.shape
    taken = PageInk(np.where(ink, 0, 255).astype(np.uint8), InkSettings(tone=InkTone.DARK)).cut_out(
        stroke
    )
    expected = filled(stroke, width, height) & ink
    if 0 < ink.mean() < 1:  # a page of one colour has no threshold
        painted = np.zeros_like(ink)
        if taken:
            left, top, mask = taken.mask()
            painted[top : top + mask.shape[0], left : left + mask.shape[1]] = mask
        assert (painted == expected).all()
