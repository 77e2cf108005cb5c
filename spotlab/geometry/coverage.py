"""Areas of overlapping polygons: of each, of pairs, and of each beyond those before it.

All polygons enclose their area by the even-odd rule, in continuous px; nothing is rasterised.

Two engines give the same areas: `compiled` is machine code and some ten times faster, `reference`
is shapely. Compiling takes many seconds at the first start of a version and holds Python's lock.
Another process therefore compiles, and stores the code for all later starts. Until then, and where
numba is missing, the reference computes small tasks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Floats, Ints
from spotlab.geometry import coverage_reference
from spotlab.geometry.compiled.machine_code import COVERAGE
from spotlab.geometry.polygon import Outlines
from spotlab.progress import Progress, silent

LITTLE = 20_000  # polygons that the reference does sooner than machine code is compiled


class Engine(StrEnum):
    """Implementation that computes areas."""

    AUTO = "auto"
    COMPILED = "compiled"
    REFERENCE = "reference"


@dataclass(frozen=True, eq=False)
class NewCoverage:
    """Area that each spot in a sequence covers and no earlier spot does.

    Attributes
    ----------
    new_area : (N,) float
        The part of each spot that no earlier spot of its group covers, in px².
    new_relevant : (N,) float
        The part of ``new_area`` that lies in the union of the group's regions, in px².
    pair_spot, pair_region : (K,) int
        Spots and regions of one group whose bounds overlap, sorted by spot and then region.
    pair_new : (K,) float
        The area of the region alone that the spot newly covers, in px²; may be 0.
    """

    new_area: Floats
    new_relevant: Floats
    pair_spot: Ints
    pair_region: Ints
    pair_new: Floats


def choose_engine(polygons: int, progress: Progress = silent) -> Engine:
    """Choose the engine for a number of polygons; compile ahead if that saves time.

    Parameters
    ----------
    polygons : int
        Number of polygons to work on.
    progress : Progress
        Called while machine code is compiled.

    Returns
    -------
    Engine
        ``COMPILED`` if machine code is stored or has just been compiled, else ``REFERENCE``.

    Examples
    --------
    >>> choose_engine(10) in (Engine.COMPILED, Engine.REFERENCE)
    True
    """
    if COVERAGE.is_stored() or (polygons > LITTLE and COVERAGE.compile_ahead(progress)):
        return Engine.COMPILED
    return Engine.REFERENCE


def areas(outlines: Outlines, engine: Engine = Engine.AUTO) -> Floats:
    """Compute the area that each outline encloses.

    Parameters
    ----------
    outlines : Outlines
        N rings, in px.
    engine : Engine
        What computes; the result is the same.

    Returns
    -------
    (N,) float
        Areas in px²; 0 for fewer than three points and for points on a line.

    Examples
    --------
    >>> bow_tie, line = [(0, 0), (2, 2), (2, 0), (0, 2)], [(0, 0), (5, 5)]
    >>> areas(Outlines.of([bow_tie, line, []])).tolist()
    [2.0, 0.0, 0.0]
    """
    if _engine(engine, len(outlines)) is Engine.REFERENCE:
        return coverage_reference.areas(outlines)
    from spotlab.geometry import coverage_compiled  # noqa: PLC0415  # imports numba, half a second

    return coverage_compiled.areas(outlines)


def overlapping_bounds(first: Outlines, second: Outlines, engine: Engine = Engine.AUTO) -> Ints:
    """Find the pairs of outlines whose bounding boxes share area.

    Parameters
    ----------
    first, second : Outlines
        Rings in px; one without corners overlaps nothing.
    engine : Engine
        What computes; the result is the same.

    Returns
    -------
    (K, 2) int
        Positions in ``first`` and in ``second``, sorted.

    Examples
    --------
    >>> square, beside = [(0, 0), (2, 0), (2, 2), (0, 2)], [(2, 0), (3, 0), (3, 2)]
    >>> overlapping_bounds(Outlines.of([square, beside]), Outlines.of([square])).tolist()
    [[0, 0]]
    """
    if _engine(engine, len(first)) is Engine.REFERENCE:
        return coverage_reference.overlapping_bounds(first, second)
    from spotlab.geometry import coverage_compiled  # noqa: PLC0415

    return coverage_compiled.overlapping_bounds(first, second)


def shared_areas(
    first: Outlines, second: Outlines, pairs: ArrayLike, engine: Engine = Engine.AUTO
) -> Floats:
    """Compute the area that the two outlines of each pair share.

    Parameters
    ----------
    first, second : Outlines
        Rings in px.
    pairs : (K, 2) int
        Positions in ``first`` and in ``second``.
    engine : Engine
        What computes; the result is the same.

    Returns
    -------
    (K,) float
        Areas in px²; 0 where the outlines do not overlap.

    Examples
    --------
    >>> square = Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)]])
    >>> triangle = Outlines.of([[(0, 0), (2, 0), (2, 2)]])
    >>> shared_areas(square, triangle, [(0, 0)]).tolist()
    [2.0]
    """
    numbers = np.asarray(pairs, np.int64).reshape(-1, 2)
    if _engine(engine, len(numbers)) is Engine.REFERENCE:
        return coverage_reference.shared_areas(first, second, numbers)
    from spotlab.geometry import coverage_compiled  # noqa: PLC0415

    return coverage_compiled.shared_areas(first, second, numbers)


def new_coverage(
    spots: Outlines,
    spot_group: ArrayLike,
    regions: Outlines,
    region_group: ArrayLike,
    engine: Engine = Engine.AUTO,
) -> NewCoverage:
    """Compute what each spot covers that no earlier spot of its group does.

    Parameters
    ----------
    spots : Outlines
        N rings in px, in order of rank within their group.
    spot_group : (N,) int
        Group of each spot, such as one for each query on a page. Groups do not affect each other.
    regions : Outlines
        T rings in px: the truth.
    region_group : (T,) int
        Group of each region.
    engine : Engine
        What computes; the result is the same.

    Returns
    -------
    NewCoverage
        A spot without area adds 0.

    Notes
    -----
    The cumulative sums of the result are the areas of unions for all lengths of a list at once:
    Rusiñol & Lladós (2009), eq. 7, with each place counted once.

    Examples
    --------
    >>> wide, narrow = [(0, 0), (4, 0), (4, 1), (0, 1)], [(3, 0), (5, 0), (5, 1), (3, 1)]
    >>> truth = [(2, 0), (9, 0), (9, 1), (2, 1)]
    >>> coverage = new_coverage(Outlines.of([wide, narrow]), [0, 0], Outlines.of([truth]), [0])
    >>> coverage.new_area.tolist(), coverage.new_relevant.tolist(), coverage.pair_new.tolist()
    ([4.0, 1.0], [2.0, 1.0], [2.0, 1.0])
    """
    of_spot = np.asarray(spot_group, np.int64).reshape(-1)
    of_region = np.asarray(region_group, np.int64).reshape(-1)
    if _engine(engine, len(spots)) is Engine.REFERENCE:
        covered = coverage_reference.new_coverage(spots, of_spot, regions, of_region)
    else:
        from spotlab.geometry import coverage_compiled  # noqa: PLC0415

        covered = coverage_compiled.new_coverage(spots, of_spot, regions, of_region)
    pairs, new_area, new_relevant, pair_new = covered
    return NewCoverage(new_area, new_relevant, pairs[:, 0], pairs[:, 1], pair_new)


def union_areas(
    outlines: Outlines, group: ArrayLike, groups: int, engine: Engine = Engine.AUTO
) -> Floats:
    """Compute the area of the union of each group's outlines.

    Parameters
    ----------
    outlines : Outlines
        N rings in px.
    group : (N,) int
        Group of each outline, from 0 to ``groups`` − 1.
    groups : int
        Number of groups.
    engine : Engine
        What computes; the result is the same.

    Returns
    -------
    (groups,) float
        Areas in px²; 0 for a group without outlines.

    Examples
    --------
    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> union_areas(Outlines.of([square, square, square]), [0, 0, 2], 3).tolist()
    [4.0, 0.0, 4.0]
    """
    numbers = np.asarray(group, np.int64).reshape(-1)
    new = new_coverage(outlines, numbers, Outlines.of([]), [], engine)
    return np.bincount(numbers, new.new_area, groups).astype(np.float64)


def _engine(wanted: Engine, polygons: int) -> Engine:
    return choose_engine(polygons) if wanted is Engine.AUTO else wanted
