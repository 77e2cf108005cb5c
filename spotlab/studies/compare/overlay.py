"""Areas of a page in two runs, as they are painted over each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from spotlab.arrays import Ints
from spotlab.geometry.coverage_reference import polygons_of
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.partition import DOUBT, GRID
from spotlab.imaging.overlay import ComparedAreas, ComparedKind
from spotlab.libraries import shapely
from spotlab.measures.cuts import CutRun
from spotlab.model.region import Primitive
from spotlab.model.truth import Truth
from spotlab.studies.tally.outlines import EVERY, measured_outlines


def compared_areas(
    first: CutRun,
    second: CutRun,
    page: str,
    truth: Truth,
    query: str | None = None,
    primitive: Primitive | None = None,
) -> ComparedAreas:
    """Gather what two runs keep on a page, and the truth there.

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
        return measured_outlines(outlines, primitive, size)

    def spots_of(run: CutRun) -> tuple[Outlines, Ints]:
        spot = kept_spots(run, page)
        common = np.array([number.get(name, -1) for name in run.tally.queries], np.int64)
        spot = spot[common[run.tally.query[spot]] >= 0]
        outlines = on_page(run.tally.run.outlines.take(run.tally.spot[spot]))
        return outlines, common[run.tally.query[spot]]

    regions = [region for region in truth.regions if region.label in number and not region.ignored]
    off = [region for region in truth.regions if region.ignored and region.label in {*number, ""}]
    one, one_query = spots_of(first)
    other, other_query = spots_of(second)
    return ComparedAreas(
        truth=on_page(Outlines.of([region.array for region in regions])),
        first=one,
        second=other,
        truth_query=np.array([number[region.label] for region in regions], np.int64),
        first_query=one_query,
        second_query=other_query,
        ignored=on_page(Outlines.of([region.array for region in off])),
        ignored_query=np.array([number.get(region.label, EVERY) for region in off], np.int64),
    )


def painted_areas(areas: ComparedAreas) -> dict[ComparedKind, float]:
    """Measure how much of a page is painted as each kind, each place once.

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
    truth, first, second, off = polygons_of(areas.truth, areas.first, areas.second, areas.ignored)
    of_truth = areas.truth_query
    queries = np.unique(np.concatenate([of_truth, areas.first_query, areas.second_query]))

    def unite(*shapes: Any) -> Any:
        return shapely.union_all(np.array(shapes, object), grid_size=grid)

    def share(one: Any, other: Any) -> Any:
        return shapely.intersection(one, other, grid_size=grid)

    def counted(shapes: Any, of_shape: Ints) -> list[Any]:
        """The union of each query's outlines, without what is ignored for it."""
        return [
            shapely.difference(
                unite(*shapes[of_shape == query]),
                unite(*off[np.isin(areas.ignored_query, (query, EVERY))]),
                grid_size=grid,
            )
            if len(off)
            else unite(*shapes[of_shape == query])
            for query in queries
        ]

    truths = counted(truth, of_truth)
    runs = [counted(first, areas.first_query), counted(second, areas.second_query)]
    found = [unite(*(share(*pair) for pair in zip(spots, truths, strict=True))) for spots in runs]
    whole, (first, second) = unite(*truths), (unite(*spots) for spots in runs)
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
