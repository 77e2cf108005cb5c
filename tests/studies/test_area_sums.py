"""The areas of a page as painted and summed over queries: by hand, against pixels, at a cut."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.geometry.polygon import Outlines, clip_to_page
from spotlab.imaging.overlay import PRECEDENCE, AreaKind, OverlayRaster, PageAreas, area_kinds
from spotlab.studies.tally.page_view import area_sums

SIZE = (420, 300)
SCALE = 4


def box(left: float, top: float, right: float, bottom: float) -> list[tuple[float, float]]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def page_of(
    truth: list[tuple[int, list]],
    spots: list[tuple[int, list]],
    query: int | None = None,
    ignored: list[tuple[int, list]] = [],  # noqa: B006 - never changed
) -> PageAreas:
    """Truth, spots and ignored regions, each a query and a ring; clipped to the page."""
    outlines, queries = [], []
    for some in (truth, spots, ignored):
        outlines.append(clip_to_page(Outlines.of([ring for _, ring in some]), SIZE))
        queries.append(np.array([of for of, _ in some], np.int64))
    return PageAreas(*outlines[:2], *queries[:2], query, outlines[2], queries[2])


def random_page(seed: int, query: int | None = None) -> PageAreas:
    """Truth nested in truth of other labels, spots near it and anywhere, also beyond the page."""
    random = np.random.default_rng(seed)

    def ring(x: float, y: float, radius: float) -> list[tuple[float, float]]:
        turns = np.sort(random.uniform(0, 2 * np.pi, random.integers(3, 9)))
        far = radius * random.uniform(0.5, 1.2, len(turns))
        return [(x + r * np.cos(t), y + r * np.sin(t)) for r, t in zip(far, turns, strict=True)]

    truth, spots = [], []
    for _ in range(6):
        x, y, radius = random.uniform(30, 390), random.uniform(30, 270), random.uniform(40, 70)
        of = int(random.integers(3))
        left, top = np.floor([x, y]) - 12  # along the axes, a pixel's part would add up
        nested = box(left, top, left + 37, top + 30)
        truth += [(of, ring(x, y, radius)), ((of + 1) % 3, nested)]
        for found in (of, int(random.integers(4))):
            spots.append((found, ring(x + random.normal(0, 15), y, radius)))
    for _ in range(4):
        x, y = random.uniform(0, 420), random.uniform(0, 300)
        crossed = [(x, y), (x + 70, y + 60), (x + 70, y), (x, y + 60)]  # a bow tie
        spots.append((int(random.integers(4)), crossed))
    ignored = []
    for of in (-1, 0, 1, 2, 3):  # of all queries, and of each
        x, y = np.floor([random.uniform(30, 330), random.uniform(30, 230)])
        ignored.append((of, box(x, y, x + 57, y + 41)))
    if query is not None:
        spots = [(of, ring) for of, ring in spots if of == query]
    return page_of(truth, spots, query, ignored if seed % 2 else [])


@pytest.mark.parametrize("query", [None, 0, 2])
@pytest.mark.parametrize("seed", range(8))
def test_the_areas_are_those_of_the_painted_pixels(seed: int, query: int | None) -> None:
    page = random_page(seed, query)
    matrix = (SCALE, 0, 0, SCALE, 0, 0)
    kinds = area_kinds(page, OverlayRaster(matrix, SCALE * SIZE[0], SCALE * SIZE[1]))
    sums = area_sums(page, SIZE)

    kinds_here = PRECEDENCE if seed % 2 else PRECEDENCE[:-1]
    assert sums.has_ignored == bool(seed % 2)
    assert all(sums.painted[kind] > 100 for kind in kinds_here)  # px²: each kind is there
    for kind in PRECEDENCE:
        pixels = np.count_nonzero(kinds == kind) / SCALE**2
        assert pixels == pytest.approx(sums.painted[kind], rel=0.005)
    free = np.count_nonzero(kinds == AreaKind.NOTHING) / SCALE**2
    assert sum(sums.painted.values()) + free == pytest.approx(SIZE[0] * SIZE[1], rel=1e-3)


@pytest.mark.parametrize("seed", range(8))
def test_sums_over_queries_are_those_of_single_queries(seed: int) -> None:
    sums = area_sums(random_page(seed), SIZE)
    single = [area_sums(random_page(seed, query), SIZE) for query in range(4)]

    for kind in PRECEDENCE:
        expected = sum(each.painted[kind] for each in single)
        assert sums.over_queries[kind] == pytest.approx(expected, rel=1e-9)
        assert all(each.over_queries[kind] == pytest.approx(each.painted[kind]) for each in single)


def test_nested_truth_by_hand() -> None:
    """A room of 100 × 50 with a bed of 20 × 10 in it; the bed is found, and taken for a room.

    The spot of the room covers the left half of the room, without the bed, and 10 × 50 beside it.
    """
    room, bed = box(100, 100, 200, 150), box(160, 110, 180, 120)
    spots = [(0, box(90, 100, 150, 150)), (1, bed), (2, bed)]
    sums = area_sums(page_of([(0, room), (1, bed)], spots), SIZE)

    assert sums.painted == pytest.approx({
        AreaKind.FOUND: 50 * 50 + 200,
        AreaKind.OTHER_LABEL: 0,  # the bed is found, which hides what else it was taken for
        AreaKind.FALSE: 10 * 50,
        AreaKind.MISSED: 50 * 50 - 200,
        AreaKind.IGNORED: 0,
    })  # fmt: skip
    assert sums.over_queries == pytest.approx({
        AreaKind.FOUND: 50 * 50 + 200,
        AreaKind.OTHER_LABEL: 200,
        AreaKind.FALSE: 10 * 50,
        AreaKind.MISSED: 50 * 50,
        AreaKind.IGNORED: 0,
    })  # fmt: skip
    assert [sums.differs(kind) for kind in PRECEDENCE] == [False, True, False, True, False]
    assert sums.share(AreaKind.FALSE) == pytest.approx(500 / (420 * 300))
    assert sums.wrong == pytest.approx(500 + 2300)


def test_a_place_retrieved_for_another_label_is_both_false_and_missed() -> None:
    truth, spot = (0, box(0, 0, 40, 40)), (1, box(20, 0, 60, 40))
    sums = area_sums(page_of([truth], [spot]), SIZE)

    assert list(sums.painted.values()) == pytest.approx([0, 800, 800, 800, 0])
    assert list(sums.over_queries.values()) == pytest.approx([0, 800, 800, 1600, 0])


def test_nothing_at_all() -> None:
    sums = area_sums(page_of([], []), (0, 0))

    assert list(sums.painted.values()) == [0, 0, 0, 0, 0] == list(sums.over_queries.values())
    assert sums.share(AreaKind.FOUND) is None and not sums.differs(AreaKind.FOUND)


def test_only_truth_and_only_spots() -> None:
    square = [(0, box(10, 10, 20, 20))]

    assert area_sums(page_of(square, []), SIZE).painted[AreaKind.MISSED] == 100
    assert area_sums(page_of([], square), SIZE).painted[AreaKind.FALSE] == 100
