"""Tallies for tests, made by brute force: unions of shapely polygons, again for every spot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from shapely import Polygon, union_all

from spotlab.geometry.polygon import Outlines
from spotlab.measures.tally import PageTally, Tally
from spotlab.model.run import Run

Ring = Sequence[tuple[float, float]]
Placed = tuple[str, str, Ring]  # query or label, page, ring


def box(left: float, top: float, right: float, bottom: float) -> Ring:
    """The ring of a rectangle."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def tally_of(
    spots: Sequence[Placed],
    regions: Sequence[Placed],
    pages: Mapping[str, float],
    queries: Sequence[str] = (),
    scores: Sequence[float] | None = None,
    ranks: Sequence[float] | None = None,
) -> Tally:
    """The tally of spots in order (or with scores, or ranks) on pages of these areas.

    Rings must not cross themselves. Regions are named by their place in the list.
    """
    count = len(spots)
    score = -np.arange(count, dtype=np.float64) if scores is None else np.array(scores, np.float64)
    run = Run.ordered(
        "run",
        [query for query, _, _ in spots],
        [page for _, page, _ in spots],
        Outlines.of([ring for _, _, ring in spots]),
        rank=None if ranks is None else np.array(ranks, np.float64),
        score=score,
    )
    return Tally.of(run, pages, [_page_tally(run, regions, page) for page in pages], queries)


def _page_tally(run: Run, regions: Sequence[Placed], page: str) -> PageTally:
    spot = [index for index in range(len(run)) if run.spot(index).page == page]
    shapes = [Polygon(run.outlines[index]) for index in spot]
    names = [run.spot(index).query for index in spot]
    here = [number for number, region in enumerate(regions) if region[1] == page]
    labels = [regions[number][0] for number in here]
    truth = [Polygon(regions[number][2]) for number in here]
    united = {label: _united(truth, labels, label) for label in labels if label}
    gained_area, gained_true_area, pairs = [], [], []
    for place, (shape, name) in enumerate(zip(shapes, names, strict=True)):
        earlier = _united(shapes[:place], names[:place], name)
        new = shape.difference(earlier)
        gained_area.append(new.area)
        gained_true_area.append(new.intersection(united.get(name, Polygon())).area)
        for region, (label, other) in enumerate(zip(labels, truth, strict=True)):
            shared = shape.intersection(other).area
            if shared > 1e-9:  # else they touch
                fresh = new.intersection(other).area if label == name else 0.0
                pairs.append((spot[place], region, shared, fresh))
    columns = np.array(pairs, np.float64).reshape(-1, 4).T
    return PageTally(
        page=page,
        spot=np.array(spot, np.int64),
        area=np.array([shape.area for shape in shapes]),
        gained_area=np.array(gained_area),
        gained_true_area=np.array(gained_true_area),
        region_id=tuple(str(number) for number in here),
        region_label=tuple(labels),
        region_area=np.array([shape.area for shape in truth]),
        truth_area={label: shape.area for label, shape in united.items()},
        pair_spot=columns[0].astype(np.int64),
        pair_region=columns[1].astype(np.int64),
        pair_shared=columns[2],
        pair_gained_area=columns[3],
    )


def _united(shapes: Sequence[Polygon], names: Sequence[str], name: str) -> Polygon:
    return union_all([shape for shape, own in zip(shapes, names, strict=True) if own == name])
