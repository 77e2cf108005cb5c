"""The study of the descriptors' invariance: partners are right, figures are what they say."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest

from spotlab.errors import Cancelled
from spotlab.geometry.polygon import Outlines
from spotlab.lab.draw.collection import SymbolDrawing
from spotlab.lab.draw.plans.strokes import arc, box, line
from spotlab.lab.reproduce.symbols.descriptor_invariance import (
    CHANGES,
    DrawingChange,
    DrawingManner,
    all_drawings,
    find_congruent,
    join_primitives,
    matching_contours,
    measure_invariance,
    trace_drawing,
)
from spotlab.spotting.symbols.drawing.contours import Primitives
from spotlab.spotting.symbols.voting.descriptor import Descriptor, Features

TABLE = SymbolDrawing(100, 60, (box(0, 0, 100, 60), arc(25, 20, 9), box(60, 12, 90, 24)))
STOOL = SymbolDrawing(50, 50, (arc(25, 25, 25), line(25, 0, 25, 50)))


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def sizes(name: str, radius: float) -> Descriptor:
    """Something that is not invariant: the length in px."""

    def describe(primitives: Primitives) -> Features:
        return np.diff(primitives.contours.offsets)[:, None].astype(float)

    return Descriptor(name, name, "for tests", describe, radius)


# -- drawings


@pytest.mark.parametrize(
    "manner",
    [
        DrawingManner(degrees=35),
        DrawingManner(mirrored=True),
        DrawingManner(scale=1.6),
        DrawingManner(70, 1.3, True),
        DrawingManner(),
    ],
)
def test_contours_are_found_again(manner: DrawingManner) -> None:
    """Three holes and the outside of three strokes; the places in cm stay what they are."""
    before, after = (
        trace_drawing(TABLE, DrawingManner(), rng()),
        trace_drawing(TABLE, manner, rng()),
    )
    partners = matching_contours(before, after, 1.5)
    assert sorted(before.holes.tolist()) == [False] * 3 + [True] * 3
    assert sorted(partners.tolist()) == list(range(6))
    assert np.abs(before.middles - after.middles[partners]).max() < 1.5
    # the middle of the large box is that of the drawing, the circle is left of it and above
    assert np.abs(before.middles[np.argmax(before.sizes)]) < 1
    circle = before.middles[np.argmin(before.sizes)]
    assert circle == pytest.approx(-25 - 10j, abs=1)


def test_a_contour_has_one_partner_or_none() -> None:
    before = trace_drawing(TABLE, DrawingManner(), rng())
    assert matching_contours(before, trace_drawing(STOOL, DrawingManner(), rng()), 1.5).max() <= 3
    blank = trace_drawing(SymbolDrawing(100, 60, (line(0, 0, 1, 0),)), DrawingManner(), rng())
    assert matching_contours(before, blank, 1.5).tolist() == [-1] * 6
    for drawing in all_drawings()[::9]:
        partners = matching_contours(
            trace_drawing(drawing, DrawingManner(), rng()),
            trace_drawing(drawing, DrawingManner(jitter=2.4), rng()),
            1.5,
        )
        kept = partners[partners >= 0]
        assert len(set(kept.tolist())) == len(kept)


def test_each_change_is_one_thing_that_differs() -> None:
    usual = asdict(DrawingManner())
    for change in CHANGES:
        assert len(asdict(change.manner).items() - usual.items()) == 1


# -- shapes


def test_what_is_congruent() -> None:
    rings = [
        box(0, 0, 40, 20)[:-1],
        box(0, 0, 20, 40)[:-1] * 3 + 7,
        box(0, 0, 40, 13)[:-1],
        arc(0, 0, 20)[:-1],
        arc(50, 50, 5)[:-1],
        np.array([(0, 0), (40, 0), (40, 10), (10, 10), (10, 30), (0, 30)], float),
        np.array([(0, 0), (-40, 0), (-40, 10), (-10, 10), (-10, 30), (0, 30)], float),
        np.array([(0, 0), (9, 0)], float),
    ]
    found = find_congruent(Outlines.of(rings))
    classes = [0, 0, 1, 2, 2, 3, 3, 4]
    assert found.tolist() == [[a == b for b in classes] for a in classes]
    assert find_congruent(Outlines.of([])).shape == (0, 0)


# -- the study


def test_figures_by_hand() -> None:
    """Lengths in px double with the scale, which is 1 / radius of what they were."""
    double = (DrawingChange("scale", "× 2", DrawingManner(scale=2.0)),)
    found = measure_invariance(0, [sizes("length", 10.0)], drawings=[TABLE, STOOL], changes=double)
    (row,) = found.rows
    before = join_primitives(
        [trace_drawing(each, DrawingManner(), rng()).primitives for each in (TABLE, STOOL)]
    )
    lengths = np.diff(before.contours.offsets)
    assert (row.contours, row.left, found.contours) == (len(lengths), 1.0, len(lengths))
    assert row.median == pytest.approx(np.median(lengths) / 10, rel=0.1)
    assert row.within == 0
    # any two differ by less than 1,000 px, and all are alike for a descriptor so coarse
    coarse = measure_invariance(0, [sizes("length", 1e4)], drawings=[TABLE, STOOL], changes=double)
    assert coarse.rows[0].within == 1
    assert coarse.false == {"length": 100.0}


def test_nothing_moves_when_nothing_changes() -> None:
    same_again = (DrawingChange("none", "at all", DrawingManner()),)
    found = measure_invariance(drawings=[TABLE, STOOL], changes=same_again)
    assert [row.descriptor for row in found.rows] == ["a", "b", "c", "d"]
    for row in found.rows:
        assert (row.left, row.median, row.within, row.nearest) == (1, 0, 1, 1)


def test_the_four_keep_their_characters() -> None:
    """a is tolerant and takes much for the same, c is neither, turning at right angles is free."""
    some = [
        change
        for change in CHANGES
        if (change.name, change.amount)
        in {("rotation", "90°"), ("rotation", "30°"), ("jitter", "1.2 px"), ("scale", "× 1.4")}
    ]
    found = measure_invariance(drawings=all_drawings()[::3], changes=some)
    assert found.false["a"] > 2 * found.false["b"] > 2 * found.false["d"]
    for change in {each.name for each in some}:
        within = {name: found.of(name, change)[-1].within or 0 for name in "abcd"}
        assert within["a"] >= max(within.values()) - 0.02
        assert within["c"] == min(within.values())
        assert within["a"] > 0.85 and within["b"] > 0.8 and within["d"] > 0.7
    assert all((found.of(name, "rotation")[-1].median or 0) < 0.05 for name in "abcd")


def test_results_are_repeatable_and_can_be_written() -> None:
    few = (DrawingChange("jitter", "1 px", DrawingManner(jitter=1.0)),)
    first, second = (measure_invariance(7, drawings=[TABLE], changes=few) for _ in range(2))
    other = measure_invariance(8, drawings=[TABLE], changes=few)
    assert first == second != other
    read = json.loads(json.dumps(first.as_json(), allow_nan=False))
    assert read["rows"][0]["descriptor"] == "a" and read["contours"] == 6


def test_what_is_all_gone_is_undefined() -> None:
    specks = SymbolDrawing(12, 12, (arc(6, 6, 2.5),))
    gone = (DrawingChange("blur", "10 px", DrawingManner(blur=10.0)),)
    found = measure_invariance(drawings=[specks], changes=gone)
    assert found.rows[0].left == 0 and found.rows[0].median is None
    nothing = measure_invariance(drawings=[], changes=gone)
    assert nothing.contours == 0 and nothing.rows[0].nearest is None


def test_it_can_be_cancelled() -> None:
    def stop(done: int, total: int | None, doing: str) -> None:
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        measure_invariance(drawings=[TABLE], progress=stop)
