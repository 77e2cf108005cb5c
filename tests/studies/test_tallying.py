"""Tallies of runs against truth, by hand and with other processes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import Cancelled
from spotlab.geometry.coverage import Engine, areas
from spotlab.geometry.polygon import Outlines
from spotlab.measures.tally import Tally
from spotlab.model import Page, Primitive, Region, Run, Truth
from spotlab.studies.tally.outlines import outlines_as
from spotlab.studies.tally.tallying import tally, tally_page

Box = tuple[float, float, float, float]


def box(left: float, top: float, right: float, bottom: float) -> list[tuple[float, float]]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def truth(name: str, *regions: tuple[str, Box]) -> Truth:
    made = (Region(tuple(box(*at)), label, f"{name}{n}") for n, (label, at) in enumerate(regions))
    return Truth(Page(Path(f"{name}.png"), 100, 50), tuple(made))


def run_of(*spots: tuple[str, str, Box]) -> Run:
    return Run.ordered(
        "system",
        [query for query, _, _ in spots],
        [page for _, page, _ in spots],
        Outlines.of([box(*at) for _, _, at in spots]),
        rank=np.arange(len(spots), dtype=float),
    )


TRUTHS = {
    "one": truth("one", ("door", (0, 0, 10, 10)), ("sink", (10, 0, 20, 10)), ("", (0, 0, 5, 5))),
    "two": truth("two", ("door", (0, 0, 4, 4)), ("door", (2, 0, 6, 4))),
    "bare": truth("bare"),
}
RUN = run_of(
    ("door", "one.png", (5, 0, 15, 10)),
    ("door", "two.png", (0, 0, 6, 4)),
    ("door", "one.png", (5, 0, 10, 10)),
    ("door", "one.png", (0, 0, 10, 20)),
    ("sink", "one.png", (0, 0, 10, 10)),  # touches the sink
    ("sink", "elsewhere", (0, 0, 10, 10)),
    ("lamp", "bare.png", (0, 0, 1, 1)),
)
PAGES: Mapping[str, str | None] = {
    "one.png": "one",
    "two.png": "two",
    "bare.png": "bare",
    "elsewhere": None,
}


def same(one: Tally, other: Tally) -> None:
    for name in ("spot", "query", "page", "area", "pair_spot", "pair_region", "region_query"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
    for name in (
        "gained_area",
        "gained_true_area",
        "truth_area",
        "pair_shared",
        "pair_gained_area",
    ):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-12), name


@pytest.mark.parametrize("engine", [Engine.REFERENCE, Engine.COMPILED])
def test_boxes_by_hand(engine: Engine) -> None:
    found = tally(RUN, TRUTHS, PAGES, engine=engine)
    assert found.queries == ("door", "lamp", "sink")
    assert found.pages == ("one", "two", "bare")
    assert found.page_area.tolist() == [5000, 5000, 5000]
    assert found.area.tolist() == [100, 24, 50, 200, 1, 100]
    assert found.gained_area.tolist() == [100, 24, 0, 150, 1, 100]
    assert found.gained_true_area.tolist() == [50, 24, 0, 50, 0, 0]
    assert found.truth_area.tolist() == [[100, 24, 0], [0, 0, 0], [100, 0, 0]]
    pairs = np.c_[
        found.pair_spot, found.pair_region, found.pair_shared, found.pair_gained_area
    ].tolist()
    assert pairs == [
        [0, 0, 50, 50], [0, 1, 50, 0], [1, 3, 16, 16], [1, 4, 16, 16], [2, 0, 50, 0],
        [3, 0, 100, 50], [3, 2, 25, 0], [5, 0, 100, 0], [5, 2, 25, 0],
    ]  # fmt: skip
    assert found.hit.tolist() == [True, True, True, True, False, False]


def test_threads_give_the_same_and_tell_of_each_page() -> None:
    told: list[int] = []
    found = tally(
        RUN, TRUTHS, PAGES, jobs=2, progress=lambda done, _total, _doing: told.append(done)
    )
    same(found, tally(RUN, TRUTHS, PAGES))
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0, 3)


def test_one_page_again_is_the_page_of_the_whole() -> None:
    whole = tally(RUN, TRUTHS, PAGES)
    spot = np.flatnonzero(RUN.page == RUN.pages.index("one.png"))
    moved = truth("one", ("sink", (5, 0, 15, 10)))
    changed = whole.with_page(tally_page(RUN, spot, moved, "one"))
    same(changed, tally(RUN, {**TRUTHS, "one": moved}, PAGES))


def test_cancelling_ends_it() -> None:
    def cancel(done: int, _total: int | None, _doing: str) -> None:
        if done:  # threads may have done several since they were last asked
            raise Cancelled

    with pytest.raises(Cancelled):
        tally(RUN, TRUTHS, PAGES, engine=Engine.REFERENCE, progress=cancel)
    with pytest.raises(Cancelled):
        tally(RUN, TRUTHS, PAGES, engine=Engine.REFERENCE, jobs=2, progress=cancel)


def test_nothing_retrieved_and_no_pages() -> None:
    nothing = run_of()
    assert tally(nothing, TRUTHS, {}).truth_area.sum() == 224
    assert len(tally(nothing, {}, {}).pages) == len(tally(RUN, {}, {})) == 0


def test_zero_area_hits_nothing() -> None:
    flat = run_of(("door", "one", (0, 5, 10, 5)), ("door", "one", (3, 3, 3, 3)))
    found = tally(flat, TRUTHS, {"one": "one"})
    assert found.area.tolist() == found.gained_area.tolist() == [0, 0]
    assert not found.hit.any()


NOTCHED = [(0, 0), (12, 0), (12, 8), (6, 2), (0, 8)]  # 96 px² without a triangle of 36


@pytest.mark.parametrize(
    ("primitive", "area"),
    [
        (None, 60), (Primitive.POLYGON, 60), (Primitive.TRACE, 60), (Primitive.HULL, 96),
        (Primitive.BOX, 96), (Primitive.CELLS, 48), (Primitive.ISOTHETIC, 60),
    ],
)  # fmt: skip
def test_primitives_of_a_notched_box(primitive: Primitive | None, area: float) -> None:
    drawn = Outlines.of([NOTCHED, [], [(0, 0), (5, 5)]])
    found = outlines_as(drawn, primitive, (40, 40), cell_side=4)
    assert areas(found) == pytest.approx([area, 0, 25 if primitive is Primitive.BOX else 0])


def test_an_ellipse_keeps_the_moments() -> None:
    drawn = Outlines.of([box(0, 0, 12, 8), []])
    found = outlines_as(drawn, Primitive.ELLIPSE, (40, 40))
    left, top, right, bottom = found.bounds[0]
    # the variance of a side a is a²/12, that of an axis d nearly d²/16
    assert (right - left, bottom - top) == pytest.approx(
        (12 * 2 / 3**0.5, 8 * 2 / 3**0.5), rel=0.01
    )
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx((6, 4))
    assert len(found[1]) == 0


def test_pixels_and_cells_are_the_pages() -> None:
    sticking_out = Outlines.of([[(-5, 0), (4, 0), (4, 4), (-5, 3.9)]])
    for primitive in (Primitive.ISOTHETIC, Primitive.CELLS):
        assert outlines_as(sticking_out, primitive, (40, 40), 4).bounds.tolist() == [[0, 0, 4, 4]]


def test_a_primitive_is_used_for_truth_and_spots() -> None:
    diamond = Region(((10, 0), (20, 10), (10, 20), (0, 10)), "door", "a")
    page = {"one": Truth(Page(Path("one.png"), 100, 50), (diamond,))}
    found = tally(
        run_of(("door", "one", (0, 0, 20, 20))), page, {"one": "one"}, primitive=Primitive.BOX
    )
    assert found.region_area.tolist() == found.pair_gained_area.tolist() == [400]
