"""Areas of spots on each label's truth, and the confusion table, against counting pixels."""

from __future__ import annotations

import time
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from spotlab.geometry.polygon import Outlines
from spotlab.measures.confusion import LabelAreas, confuse
from spotlab.measures.matching import classify_errors
from spotlab.measures.tally import Overlap, PageTally, Tally
from spotlab.model import Page, Region, Run, Truth
from spotlab.model.region import Ignore
from spotlab.studies.tally import label_areas as module
from spotlab.studies.tally.label_areas import label_areas
from spotlab.studies.tally.tallying import SomeSpots, tally

SIDE = 40  # px of a page
Box = tuple[int, int, int, int]
Placed = tuple[str, str, Box]  # label (- for none, ! for ignored) or query, page, box in px
PAGES = ("p", "q")
PHASES = [phase for phase in Phase if phase is not Phase.shrink]  # it would take minutes


def placed(names: Sequence[str], most: int) -> st.SearchStrategy[list[Placed]]:
    """Boxes on two pages; some reach over the page's edge."""
    sides = st.tuples(*[st.integers(-4, SIDE), st.integers(-4, SIDE)], *[st.integers(1, 25)] * 2)
    box = sides.map(lambda side: (side[0], side[1], side[0] + side[2], side[1] + side[3]))
    one = st.tuples(st.sampled_from(list(names)), st.sampled_from(PAGES), box)
    return st.lists(one, max_size=most)


def measured(spots: list[Placed], regions: list[Placed]) -> tuple[Tally, LabelAreas]:
    truths = truths_of(regions)
    run = Run.ordered(
        "run",
        [query for query, _, _ in spots],
        [page for _, page, _ in spots],
        Outlines.of([corners(box) for _, _, box in spots]),
        rank=np.arange(1.0, len(spots) + 1),
    )
    found = tally(run, truths, {page: page for page in PAGES})
    return found, label_areas(found, truths)


def truths_of(regions: list[Placed]) -> dict[str, Truth]:
    return {
        page: Truth(
            Page(Path(f"{page}.png"), SIDE, SIDE),
            tuple(
                Region(
                    corners(box),
                    label.strip("-!"),
                    f"r{at}",
                    ignore=Ignore.AREA if "!" in label else Ignore.NO,
                )
                for at, (label, where, box) in enumerate(regions)
                if where == page
            ),
        )
        for page in PAGES
    }


def corners(box: Box) -> tuple[tuple[float, float], ...]:
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom)


def pixels(box: Box) -> np.ndarray:
    left, top, right, bottom = (max(side, 0) for side in box)
    found = np.zeros((SIDE, SIDE), np.bool_)
    found[top:bottom, left:right] = True
    return found


def painted(regions: list[Placed], page: str, query: str, labels: tuple[str, ...]) -> np.ndarray:
    """The column of each pixel of a page for a query: ignored, its own label, smaller regions'."""
    found = np.full((SIDE, SIDE), len(labels) + 1)
    here = [(label, pixels(box)) for label, where, box in regions if where == page]
    sizes = {name: mean_size(regions, page, name) for name, _ in here}
    # the largest is painted first; of equal ones the later in the alphabet, without a label at all
    names = sorted(sizes, key=lambda name: (name != "-", -sizes[name]))
    for name in [*(name for name in names if "!" not in name), query]:
        column = len(labels) if name == "-" else labels.index(name)
        for label, area in here:
            if label == name:
                found[area] = column
    for label, area in here:
        if label in (f"{query}!", "-!"):
            found[area] = -1
    return found


@settings(max_examples=60, deadline=None, phases=PHASES)
@given(placed("abc", 12), placed(["a", "b", "d", "-", "a!", "-!"], 8), st.integers(0, 5))
def test_the_table_by_area_counts_pixels(
    spots: list[Placed], regions: list[Placed], cut: int
) -> None:
    found, areas = measured(spots, regions)
    counts = np.minimum(np.diff(found.starts), cut)
    table = confuse(classify_errors(found).at(counts), areas)
    queries = found.queries
    wanted = np.zeros((len(queries) + 1, len(queries) + 2))
    summed = np.zeros_like(wanted)
    for number, query in enumerate(queries):
        mine = [each for each in spots if each[0] == query][:cut]
        for page in PAGES:
            column = painted(regions, page, query, queries)
            boxes = [pixels(box) for _, where, box in mine if where == page]
            union = np.any([np.zeros((SIDE, SIDE), np.bool_), *boxes], axis=0)
            counted = column >= 0
            wanted[number] += np.bincount(column[union & counted], minlength=len(queries) + 2)
            for area in boxes:
                summed[number] += np.bincount(column[area & counted], minlength=len(queries) + 2)
            own = column == number
            wanted[-1, number] += (own & ~union).sum()
    if not ambiguous(regions):
        assert table.area == pytest.approx(wanted, abs=1e-6)
        by_sum = confuse(classify_errors(found).at(counts), areas, Overlap.SUM).area
        assert by_sum is not None
        assert by_sum[:-1] == pytest.approx(summed[:-1], abs=1e-6)
    kept = found.rank <= counts[found.query]
    retrieved = np.bincount(found.query[kept], found.gained_area[kept], len(queries))
    assert table.area is not None
    assert table.area[:-1].sum(axis=1) == pytest.approx(retrieved, abs=1e-6)
    relevant = np.bincount(found.query[kept], found.gained_true_area[kept], len(queries))
    assert np.diag(table.area[:-1]) == pytest.approx(relevant, abs=1e-6)
    assert (np.diag(table.area[:-1]) + table.area[-1, : len(queries)]) == pytest.approx(
        found.truth_area.sum(axis=1), abs=1e-6
    )
    spots_of = np.bincount(found.query[table.kept], minlength=len(queries))
    assert table.spots[:-1].sum(axis=1).tolist() == spots_of.tolist()
    if not any("!" in label for label, _, _ in regions):
        assert spots_of.tolist() == np.minimum(counts, np.diff(found.starts)).tolist()


def mean_size(regions: list[Placed], page: str, label: str) -> float:
    sizes = [
        pixels(box).sum()
        for name, where, box in regions
        if (name.strip("!"), where) == (label, page)
    ]
    return float(np.mean(sizes)) if sizes else 0.0


def ambiguous(regions: list[Placed]) -> bool:
    """Whether labels of a page are equally large, so that their order is only the alphabet's."""
    for page in PAGES:
        sizes = [mean_size(regions, page, label) for label in "abd"]
        sizes = [size for size in sizes if size]
        if len(set(sizes)) < len(sizes):
            return True
    return False


def test_two_who_ask_at_the_same_time_measure_each_page_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, areas = measured([("a", "p", (0, 0, 9, 9))], [("b", "p", (3, 3, 9, 9))])
    again = tally(found.run, truths := truths_of([("b", "p", (3, 3, 9, 9))]), {p: p for p in PAGES})
    measure, pages = module.label_entries, []

    def slow(spots: SomeSpots, queries: Sequence[str], part: PageTally, *rest: Any) -> Any:
        pages.append(part.page)
        time.sleep(0.05)
        return measure(spots, queries, part, *rest)

    monkeypatch.setattr(module, "label_entries", slow)
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: label_areas(again, truths), range(2)))
    assert sorted(pages) == sorted(PAGES)
    for each in both:
        assert each.shared.tolist() == areas.shared.tolist()


def test_tables_of_a_run_share_its_areas_and_let_go_of_them_with_it() -> None:
    spots, regions = (
        [("a", "p", (0, 0, 9, 9))],
        [("a", "p", (1, 1, 9, 9)), ("b", "q", (0, 0, 5, 5))],
    )
    found, first = measured(spots, regions)
    second = label_areas(found, truths_of(regions))
    for column in ("spot", "label", "shared", "gained"):
        assert getattr(second, column) is getattr(first, column)
    kept = weakref.ref(found)
    del found, first, second
    assert kept() is None
