"""Areas of the parts into which spots and regions of several groups divide the plane.

Each place that some spot or region covers is of exactly one part. Groups are such as queries: a
spot finds what it shares with regions of its own group only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.coverage_reference import polygons_of
from spotlab.geometry.polygon import Outlines
from spotlab.libraries import shapely

DOUBT = 1e-9  # share of an area by which two ways to compute it may differ
GRID = 1e-6  # px; on a grid GEOS never loses polygons, but takes several times as long


@dataclass(frozen=True)
class Partition:
    """Areas of the parts in px².

    Attributes
    ----------
    found : float
        Covered by a spot and a region of the same group.
    other : float
        Covered by a spot and a region, but nowhere of the same group.
    false : float
        Covered by a spot and no region.
    missed : float
        Covered by a region that is sought and no spot.
    ignored : float
        Ignored, and none of the above.
    """

    found: float
    other: float
    false: float
    missed: float
    ignored: float = 0.0


def partition_areas(
    spots: Outlines,
    spot_group: ArrayLike,
    regions: Outlines,
    region_group: ArrayLike,
    sought: int | None = None,
    ignored: Outlines | None = None,
    ignored_group: ArrayLike = (),
) -> tuple[Partition, Partition]:
    """Compute the areas of the parts, and their sums over the groups.

    Parameters
    ----------
    spots : Outlines
        N rings in px.
    spot_group : (N,) int
        Group of each spot.
    regions : Outlines
        T rings in px.
    region_group : (T,) int
        Group of each region.
    sought : int, optional
        The only group whose regions can be missed; all by default.
    ignored : Outlines, optional
        I rings in px, which are neither covered nor regions for the group that they concern.
    ignored_group : (I,) int
        Group that each ignored ring concerns; -1 for all groups.

    Returns
    -------
    parts : Partition
        Each place counts once: where groups differ it is found if some group finds it, else other,
        false or missed, the first of these that holds.
    sums : Partition
        The sums of the parts of each group by itself, where the spots of other groups do not
        exist and only its own regions are sought. Areas where several groups overlap count several
        times.

    Examples
    --------
    A spot of group 0 covers half of a region of its group and a quarter of one of group 1, which
    another spot covers as well:

    >>> region, other = [(0, 0), (4, 0), (4, 2), (0, 2)], [(4, 0), (8, 0), (8, 2), (4, 2)]
    >>> spot, second = [(2, 0), (5, 0), (5, 2), (2, 2)], [(4, 0), (5, 0), (5, 2), (4, 2)]
    >>> parts, sums = partition_areas(
    ...     Outlines.of([spot, second]), [0, 1], Outlines.of([region, other]), [0, 1])
    >>> parts
    Partition(found=6.0, other=0.0, false=0.0, missed=10.0, ignored=0.0)
    >>> sums
    Partition(found=6.0, other=2.0, false=0.0, missed=10.0, ignored=0.0)
    """
    polygons, truth, off = polygons_of(spots, regions, ignored or Outlines.of([]))
    of_spot, of_region, of_off = (
        np.asarray(group, np.int64).reshape(-1)
        for group in (spot_group, region_group, ignored_group)
    )
    for grid in (None, GRID):
        overlay = _Overlay.of(polygons, of_spot, truth, of_region, sought, grid, off, of_off)
        if overlay.is_sound():
            break
    return overlay.parts(), overlay.sums()


@dataclass(frozen=True, eq=False)
class _Overlay:
    """Areas in px² of unions and intersections.

    Attributes
    ----------
    covered, truth, wanted : float
        Of the union of all spots, of all regions, and of those that are sought.
    either, on_truth, wanted_covered : float
        Of covered ∪ truth, covered ∩ truth, and covered ∩ wanted.
    found : float
        Of the union over groups of what they find.
    own_covered, own_truth, own_found, own_on_truth : (G,) float
        Of single groups: their spots, their sought regions, what they find, and what of their
        spots is on regions of any group.
    ignored : float
        Of what is ignored for a group that is sought, without what else there is.
    own_ignored : (G,) float
        Of what is ignored for each group that is sought.
    """

    covered: float
    truth: float
    wanted: float
    either: float
    on_truth: float
    wanted_covered: float
    found: float
    own_covered: Floats
    own_truth: Floats
    own_found: Floats
    own_on_truth: Floats
    ignored: float
    own_ignored: Floats

    @classmethod
    def of(
        cls,
        spots: NDArray[np.object_],
        of_spot: Ints,
        regions: NDArray[np.object_],
        of_region: Ints,
        sought: int | None,
        grid: float | None,
        ignored: NDArray[np.object_],
        of_ignored: Ints,
    ) -> _Overlay:
        """Overlay geometries, with corners on a grid if one is given."""

        def unite(geometries: NDArray[np.object_]) -> Any:
            return shapely.union_all(geometries, grid_size=grid)

        def share(one: Any, other: Any) -> Any:
            return shapely.intersection(one, other, grid_size=grid)

        groups = np.union1d(of_spot, of_region)
        wanted = groups if sought is None else groups[groups == sought]
        covers = _array([unite(spots[of_spot == group]) for group in groups])
        truths = _array([unite(regions[of_region == group]) for group in groups])
        off_area, own_off = 0.0, np.zeros(len(groups))
        off = _array([unite(ignored[np.isin(of_ignored, (group, -1))]) for group in groups])
        if len(ignored):
            covers, truths = (
                shapely.difference(whole, off, grid_size=grid) for whole in (covers, truths)
            )
        covered, truth = unite(covers), unite(truths)
        sought_truth = truth if sought is None else unite(truths[np.isin(groups, wanted)])
        found = share(covers, truths)
        if len(ignored):
            is_shown = np.full(len(ignored), True)
            if sought is not None:
                is_shown = np.isin(of_ignored, (sought, -1))
            shown = unite(ignored[is_shown])
            rest = shapely.difference(shown, unite(_array([covered, sought_truth])), grid_size=grid)
            off_area, own_off = rest.area, shapely.area(off) * np.isin(groups, wanted)
        return cls(
            covered.area,
            truth.area,
            sought_truth.area,
            unite(_array([covered, truth])).area,
            share(covered, truth).area,
            share(covered, sought_truth).area,
            unite(found).area,
            shapely.area(covers),
            shapely.area(truths) * np.isin(groups, wanted),
            shapely.area(found),
            shapely.area(share(covers, truth)),
            off_area,
            own_off,
        )

    def is_sound(self) -> bool:
        """Tell whether the areas fit each other.

        Where outlines touch in edges that are almost on one line, their union has slivers, on which
        GEOS (3.14) may lose whole polygons.
        """
        doubt = DOUBT * (self.covered + self.truth)
        return bool(
            abs(self.covered + self.truth - self.either - self.on_truth) <= doubt
            and self.own_found.max(initial=0.0) - doubt <= self.found
            and self.found <= min(self.own_found.sum(), self.on_truth) + doubt
            and self.own_covered.max(initial=0.0) - doubt <= self.covered
            and self.covered <= self.own_covered.sum() + doubt
            and (self.own_found <= self.own_on_truth + doubt).all()
            and (self.own_on_truth <= self.own_covered + doubt).all()
        )

    def parts(self) -> Partition:
        """Each place once."""
        return Partition(
            self.found,
            max(0.0, self.on_truth - self.found),
            max(0.0, self.covered - self.on_truth),
            max(0.0, self.wanted - self.wanted_covered),
            self.ignored,
        )

    def sums(self) -> Partition:
        """Each group by itself."""
        found, on_truth = float(self.own_found.sum()), float(self.own_on_truth.sum())
        return Partition(
            found,
            max(0.0, on_truth - found),
            max(0.0, float(self.own_covered.sum()) - on_truth),
            float(np.maximum(self.own_truth - self.own_found, 0.0).sum()),
            float(self.own_ignored.sum()),
        )


def _array(geometries: Sequence[Any]) -> NDArray[np.object_]:
    array = np.empty(len(geometries), object)
    array[:] = geometries
    return array
