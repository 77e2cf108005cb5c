"""What is found, taken for another label, false and missed, pixel by pixel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from spotlab.geometry.polygon import Outlines
from spotlab.imaging.overlay import (
    COLOURS,
    AreaKind,
    OverlayRaster,
    PageAreas,
    area_kinds,
    paint_areas,
    paint_outlines,
)

PLAIN = OverlayRaster((1, 0, 0, 1, 0, 0), 100, 80)


def box(left: float, top: float, right: float, bottom: float) -> list[tuple[float, float]]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def areas(truth: dict[int, list], spots: dict[int, list]) -> PageAreas:
    """Outlines by their query."""

    def parts(of: dict[int, list]) -> tuple[Outlines, np.ndarray]:
        rings = [(query, ring) for query, many in of.items() for ring in many]
        return Outlines.of([ring for _, ring in rings]), np.array(
            [query for query, _ in rings], np.int64
        )

    (truth_outlines, truth_query), (spot_outlines, spot_query) = parts(truth), parts(spots)
    return PageAreas(truth_outlines, spot_outlines, truth_query, spot_query)


def middle(kinds: np.ndarray, x: int, y: int) -> AreaKind:
    return AreaKind(int(kinds[y, x]))


def test_three_kinds_of_two_boxes() -> None:
    kinds = area_kinds(areas({0: [box(10, 10, 50, 50)]}, {0: [box(30, 10, 70, 50)]}), PLAIN)

    assert middle(kinds, 20, 30) is AreaKind.MISSED
    assert middle(kinds, 40, 30) is AreaKind.FOUND
    assert middle(kinds, 60, 30) is AreaKind.FALSE
    assert middle(kinds, 80, 30) is AreaKind.NOTHING
    for area, expected in ((AreaKind.MISSED, 800), (AreaKind.FOUND, 800), (AreaKind.FALSE, 800)):
        assert (kinds == area).sum() == expected


def test_only_a_spot_of_the_same_query_finds() -> None:
    kinds = area_kinds(areas({0: [box(10, 10, 50, 50)]}, {1: [box(10, 10, 50, 50)]}), PLAIN)

    assert (
        middle(kinds, 30, 30) is AreaKind.OTHER_LABEL
    )  # false for one query, missed for the other
    assert set(np.unique(kinds)) == {AreaKind.NOTHING, AreaKind.OTHER_LABEL}


def test_found_wins_over_missed_of_another_query() -> None:
    page = areas({0: [box(10, 10, 50, 50)], 1: [box(10, 10, 50, 50)]}, {1: [box(10, 10, 50, 50)]})

    assert middle(area_kinds(page, PLAIN), 30, 30) is AreaKind.FOUND


def test_truth_of_labels_that_are_not_looked_at_is_not_missed() -> None:
    page = areas(
        {0: [box(0, 0, 40, 40)], 1: [box(20, 0, 60, 40), box(0, 60, 20, 80)]},
        {0: [box(10, 0, 70, 20)]},
    )
    kinds = area_kinds(replace(page, query=0), PLAIN)

    assert middle(kinds, 5, 10) is AreaKind.MISSED
    assert middle(kinds, 30, 10) is AreaKind.FOUND  # both labels are there
    assert middle(kinds, 50, 10) is AreaKind.OTHER_LABEL
    assert middle(kinds, 65, 10) is AreaKind.FALSE
    assert middle(kinds, 50, 30) is middle(kinds, 10, 70) is AreaKind.NOTHING
    assert middle(area_kinds(page, PLAIN), 50, 30) is AreaKind.MISSED  # it is looked at there


def test_a_pixel_is_inside_where_its_centre_is() -> None:
    kinds = area_kinds(areas({0: [box(10.4, 10.6, 20.6, 30.4)]}, {}), PLAIN)

    rows, columns = np.nonzero(kinds)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (11, 29, 10, 20)


def test_holes_by_the_even_odd_rule() -> None:
    outer, inner = box(10, 10, 70, 70), box(30, 30, 50, 50)
    ring = [*outer, outer[0], *inner, inner[0]]  # there and back
    kinds = area_kinds(areas({}, {0: [ring]}), PLAIN)

    assert middle(kinds, 20, 20) is AreaKind.FALSE
    assert middle(kinds, 40, 40) is AreaKind.NOTHING


def test_what_overlaps_itself_is_covered_all_the_same() -> None:
    kinds = area_kinds(areas({}, {0: [box(10, 10, 50, 50), box(20, 20, 60, 60)]}), PLAIN)

    assert middle(kinds, 30, 30) is AreaKind.FALSE


def test_zoomed_turned_and_off_the_sheet() -> None:
    page = areas({0: [box(10, 10, 20, 20)]}, {0: [box(1e6, 1e6, 2e6, 2e6), box(-50, -50, 15, 15)]})
    zoomed = OverlayRaster((4, 0, 0, 4, -20, -20), 100, 80)
    turned = OverlayRaster((0, 1, -1, 0, 60, 0), 100, 80)  # a quarter turn

    assert middle(area_kinds(page, zoomed), 4 * 12 - 20, 4 * 12 - 20) is AreaKind.FOUND
    assert middle(area_kinds(page, zoomed), 4 * 18 - 20, 4 * 18 - 20) is AreaKind.MISSED
    assert middle(area_kinds(page, turned), 60 - 18, 18) is AreaKind.MISSED


def test_kinds_have_their_colours_and_different_hatchings() -> None:
    whole = np.empty((64, 64), np.uint8)
    pictures = {}
    for area in COLOURS:
        whole[:] = area
        pictures[area] = paint_areas(whole, OverlayRaster((1, 0, 0, 1, 0, 0), 64, 64))
    for area, picture in pictures.items():
        alpha = picture[..., 3]
        assert 0 < alpha.min() < alpha.max()  # a tint and lines
        strongest = picture[np.unravel_index(alpha.argmax(), alpha.shape)].astype(int)
        red, green, blue = (int(COLOURS[area][at : at + 2], 16) for at in (1, 3, 5))
        assert np.abs(strongest[:3] - np.array([blue, green, red]) * strongest[3] / 255).max() <= 1
    lines = [picture[..., 3] > 200 for picture in pictures.values()]
    assert all((a != b).any() for a in lines for b in lines if a is not b)
    false, missed = (lines[list(COLOURS).index(kind)] for kind in (AreaKind.FALSE, AreaKind.MISSED))
    assert (false == missed[:, ::-1]).mean() > 0.7  # they lean to opposite sides


def test_hatching_moves_with_the_page() -> None:
    whole = np.full((40, 60), AreaKind.FALSE, np.uint8)
    here = paint_areas(whole, OverlayRaster((1, 0, 0, 1, 0, 0), 60, 40))
    moved = paint_areas(whole, OverlayRaster((1, 0, 0, 1, 2, 5), 60, 40))

    assert np.array_equal(moved[5:, 2:], here[:-5, :-2])
    assert not np.array_equal(moved, here)


def test_opacity() -> None:
    whole = np.full((8, 8), AreaKind.FOUND, np.uint8)

    assert not paint_areas(whole, OverlayRaster((1, 0, 0, 1, 0, 0), 8, 8), 0.0).any()


def test_nothing_is_nothing() -> None:
    kinds = area_kinds(areas({}, {}), PLAIN)

    assert not kinds.any() and not paint_areas(kinds, PLAIN).any()


def test_outlines_are_drawn_where_they_are() -> None:
    painted = np.zeros((80, 100, 4), np.uint8)
    paint_outlines(painted, Outlines.of([box(10.5, 10.5, 50.5, 50.5)]), PLAIN, "#FF0000")

    blue, green, red, alpha = painted[30, 10].tolist()
    assert (blue, green) == (0, 0) and red == alpha > 200
    assert not painted[30, 30].any()
