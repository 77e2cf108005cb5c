"""The truth of one page and the spots of two runs on it, as they are painted and compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from spotlab.geometry.clip import clip_to_page
from spotlab.geometry.coverage import Engine
from spotlab.geometry.coverage_reference import polygons_of
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.partition import DOUBT, GRID
from spotlab.imaging.comparison_overlay import ComparedAreas, ComparedKind
from spotlab.measures.cut_run import CutRun
from spotlab.measures.tally import Ints
from spotlab.model.region import Primitive
from spotlab.model.truth import Truth
from spotlab.studies.areas.ignored_outlines import EVERY, IgnoredOutlines
from spotlab.studies.areas.primitive_outlines import outlines_as

OTHER = -2  # a query that is not looked at


def compared_areas(
    first: CutRun,
    second: CutRun,
    page: str,
    truth: Truth,
    query: str | None = None,
    primitive: Primitive | None = None,
) -> ComparedAreas:
    """What two runs keep on a page, and the truth there, without ignored area.

    Parameters
    ----------
    first, second : CutRun
        The runs before and after.
    page : str
        The page's name; a run that is not tallied on it has no spots there.
    truth : Truth
        The page's.
    query : str, optional
        Look at this query only; by default at all queries of both runs.
    primitive : Primitive, optional
        What all outlines are turned into before.
    """
    queries = sorted({*first.tally.queries, *second.tally.queries})
    number = {name: at for at, name in enumerate(queries) if query in (None, name)}
    size = truth.page.width, truth.page.height

    def on_page(outlines: Outlines) -> Outlines:
        return clip_to_page(outlines_as(outlines, primitive, size), size)

    part = first.tally.parts.get(page)
    off = set() if part is None else part.ignored_ids
    regions = [
        region for region in truth.regions if region.label in number and region.id not in off
    ]
    drawn, numbers = [], []
    for run in (first, second):
        spot = kept_spots(run, page)
        common = np.array([number.get(name, -1) for name in run.tally.queries], np.int64)
        spot = spot[common[run.tally.query[spot]] >= 0]
        drawn.append(on_page(run.tally.run.outlines.take(run.tally.spot[spot])))
        numbers.append(common[run.tally.query[spot]])
    truth_outlines = on_page(Outlines.of([region.array for region in regions]))
    labels = np.array([number[region.label] for region in regions], np.int64)
    if part is not None and part.ignored is not None:
        ignored = IgnoredOutlines(
            part.ignored.outlines,
            np.array([number.get(label, OTHER) if label else EVERY
                      for label in part.ignored_labels], np.int64),
            Engine.AUTO,
        )  # fmt: skip
        truth_outlines = ignored.cut_off(truth_outlines, labels)
        drawn = [
            ignored.cut_off(outlines, query) for outlines, query in zip(drawn, numbers, strict=True)
        ]
    (one, other), (of_one, of_other) = drawn, numbers
    return ComparedAreas(truth_outlines, one, other, labels, of_one, of_other)


def painted_areas(areas: ComparedAreas) -> dict[ComparedKind, float]:
    """How much of a page is painted as each kind, each place once.

    Parameters
    ----------
    areas : ComparedAreas
        Truth and the spots of both runs, clipped to the page.

    Returns
    -------
    dict of ComparedKind to float
        In px²; all kinds but ``NOTHING``.

    Examples
    --------
    >>> bed, half = [(0, 0), (4, 0), (4, 2), (0, 2)], [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> query = np.zeros(1, int)
    >>> drawn = ComparedAreas(Outlines.of([bed]), Outlines.of([half]), Outlines.of([bed]),
    ...                       query, query, query)
    >>> painted = painted_areas(drawn)
    >>> painted[ComparedKind.BOTH], painted[ComparedKind.SECOND], painted[ComparedKind.FIRST]
    (4.0, 4.0, 0.0)
    """
    for grid in (None, GRID):
        painted, is_sound = _painted(areas, grid)
        if is_sound:
            break
    return painted


def _painted(areas: ComparedAreas, grid: float | None) -> tuple[dict[ComparedKind, float], bool]:
    """The areas, and whether they fit each other; GEOS may lose slivers without a grid."""
    truth, *runs = polygons_of(areas.truth, areas.first, areas.second)
    queries = areas.first_query, areas.second_query

    def unite(*shapes: Any) -> Any:
        return shapely.union_all(np.array(shapes, object), grid_size=grid)

    def share(one: Any, other: Any) -> Any:
        return shapely.intersection(one, other, grid_size=grid)

    found = []
    for spots, of_spot in zip(runs, queries, strict=True):
        own = [
            share(unite(*spots[of_spot == query]), unite(*truth[areas.truth_query == query]))
            for query in np.intersect1d(of_spot, areas.truth_query)
        ]
        found.append(unite(*own))
    whole, (first, second) = unite(*truth), (unite(*spots) for spots in runs)
    both, retrieved = share(*found).area, share(first, second)
    one, other = (shape.area for shape in found)
    false_both = retrieved.area - share(retrieved, whole).area
    false = [shape.area - share(shape, whole).area for shape in (first, second)]
    painted = {
        ComparedKind.FIRST: one - both,
        ComparedKind.SECOND: other - both,
        ComparedKind.BOTH: both,
        ComparedKind.NEITHER: whole.area - (one + other - both),
        ComparedKind.FALSE_FIRST: false[0] - false_both,
        ComparedKind.FALSE_SECOND: false[1] - false_both,
        ComparedKind.FALSE_BOTH: false_both,
    }
    doubt = DOUBT * (whole.area + first.area + second.area)
    sums = (
        one + other - both - unite(*found).area,
        first.area + second.area - retrieved.area - unite(first, second).area,
    )
    is_sound = max(map(abs, sums)) <= doubt and min(painted.values()) >= -doubt
    return {kind: max(0.0, area) for kind, area in painted.items()}, is_sound


def kept_spots(run: CutRun, page: str) -> Ints:
    """The spots of a run that are kept on a page.

    Parameters
    ----------
    run : CutRun
        The run and its cut.
    page : str
        The page's name.

    Returns
    -------
    (n,) int
        Their places in the tally, rising; empty where the page is not tallied.
    """
    part = run.tally.parts.get(page)
    if part is None:
        return np.zeros(0, np.int64)
    spot = np.searchsorted(run.tally.spot, part.spot)
    return np.asarray(spot[run.kept[spot]], np.int64)
