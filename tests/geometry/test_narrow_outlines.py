"""Outlines with corners at whole px take half the memory, and are the same in every other way."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from spotlab.formats.rows.numbers import Growing
from spotlab.formats.runs.csv_run import write_csv
from spotlab.formats.runs.format import Naming
from spotlab.formats.runs.reading import read_run
from spotlab.geometry.polygon import NarrowOutlines, Outlines, outlines_of
from spotlab.model import Run
from spotlab.progress import silent

RINGS = [[(0, 0), (20, 0), (20.5, 10)], [], [(5, 5), (16_000_001, 5), (6, 6), (-7, 8.25)]]


def narrow() -> tuple[NarrowOutlines, Outlines]:
    wide = Outlines.of(RINGS)
    found = outlines_of(wide.points.astype(np.float32), wide.offsets)
    assert isinstance(found, NarrowOutlines)
    return found, wide


def test_narrow_outlines_give_what_wide_ones_give() -> None:
    found, wide = narrow()
    assert len(found) == len(wide)
    for one, other in zip(found, wide, strict=True):
        assert one.dtype == np.float64
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(found.points, wide.points)
    np.testing.assert_array_equal(found.bounds, wide.bounds)
    assert found.bounds.dtype == np.float64
    for several in (found.take([2, 0]), found.arranged([2, 0]), Outlines.joined([found, found])):
        assert several.points.dtype == np.float64
        assert several.is_sound()
    np.testing.assert_array_equal(found.arranged([2, 0]).points, wide.take([2, 0]).points)
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.points, wide.points)


def test_arranged_outlines_take_no_more_memory() -> None:
    found, _ = narrow()
    arranged = found.arranged([2, 0])
    assert isinstance(arranged, NarrowOutlines)
    assert arranged.corners.itemsize == 4


@pytest.mark.parametrize("odd", [0.1, 2.0**24 + 1, 1e300, 1 / 3])
def test_a_corner_that_float32_does_not_hold_stays_as_it_is(odd: float) -> None:
    corners = Growing()
    corners.add(np.arange(4000.0).reshape(-1, 2))
    corners.add(np.array([[odd, 1.0]]))
    corners.add(np.array([[2.0, 3.0]]))
    taken = corners.taken()
    assert taken.dtype == np.float64
    np.testing.assert_array_equal(taken[:2000], np.arange(4000.0).reshape(-1, 2))
    assert taken[2000:].tolist() == [[odd, 1.0], [2.0, 3.0]]


@pytest.mark.parametrize(("shift", "kept"), [(0, NarrowOutlines), (0.1, Outlines)])
def test_a_run_is_read_as_it_was_written(tmp_path: Path, shift: float, kept: type) -> None:
    rings = [np.array([(0, 0), (9, 0), (9, at + 1)]) + shift for at in range(50)]
    run = Run.ordered(
        "run", ["a", "b"] * 25, ["p"] * 50, Outlines.of(rings), score=np.linspace(0, 1, 50)
    )
    path = tmp_path / "run.csv"
    write_csv(run, path)
    again = read_run(path, Naming(), silent).run
    assert type(again.outlines) is kept
    np.testing.assert_array_equal(again.outlines.points, run.outlines.points)
