"""Areas of overlapping polygons by machine code, which has to be compiled once.

``python -m spotlab.geometry.coverage_compiled`` compiles and stores it for all later starts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry import coverage_kernels
from spotlab.geometry.machine_code import COVERAGE
from spotlab.geometry.outlines import Outlines

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def areas(outlines: Outlines) -> Floats:
    """See `spotlab.geometry.coverage.areas`."""
    return coverage_kernels.enclosed_areas(*_rings(outlines))


def shared_areas(first: Outlines, second: Outlines, pairs: Ints) -> Floats:
    """See `spotlab.geometry.coverage.shared_areas`."""
    one = np.ascontiguousarray(pairs[:, 0])
    return coverage_kernels.shared_areas(*_rings(first, second), one, pairs[:, 1] + len(first))


def new_coverage(
    spots: Outlines, spot_group: Ints, regions: Outlines, region_group: Ints, pairs: Ints
) -> tuple[Floats, Floats, Floats]:
    """Compute what each spot newly covers, as `spotlab.geometry.coverage.new_coverage`.

    Parameters
    ----------
    spots, regions : Outlines
        N and T rings in px.
    spot_group, region_group : (N,) and (T,) int
        Groups do not affect each other.
    pairs : (K, 2) int
        Spots and regions of one group whose bounds overlap, sorted.

    Returns
    -------
    new_area, new_relevant : (N,) float
        In px².
    pair_new : (K,) float
        In px².
    """
    groups = np.unique(spot_group)
    spot_order = np.argsort(spot_group, kind="stable")
    region_order = np.argsort(region_group, kind="stable")
    ends = np.append(groups, groups[-1] + 1) if len(groups) else groups
    in_order = region_group[region_order]
    begin, end = np.searchsorted(in_order, groups), np.searchsorted(in_order, groups, "right")
    new_area, relevant, pair_new = (np.zeros(size) for size in (len(spots), len(spots), len(pairs)))
    coverage_kernels.add_coverage(
        *_rings(spots, regions),
        spot_order,
        np.searchsorted(spot_group[spot_order], ends),
        region_order + len(spots),
        np.stack([begin, end], axis=1),
        np.searchsorted(pairs[:, 0], np.arange(len(spots) + 1)),
        pairs[:, 1] + len(spots),
        new_area,
        relevant,
        pair_new,
    )
    return new_area, relevant, pair_new


def warm_up() -> None:
    """Load the machine code, or compile and store it."""
    square = Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)]])
    group, pairs = np.zeros(1, np.int64), np.zeros((1, 2), np.int64)
    areas(square)
    shared_areas(square, square, pairs)
    new_coverage(square, group, square, group, pairs)
    COVERAGE.mark_stored()


def _rings(*several: Outlines) -> tuple[Floats, Ints]:
    """Corners and offsets of all outlines, one after the other."""
    points = np.concatenate([outlines.points for outlines in several])
    lengths = np.concatenate([np.diff(outlines.offsets) for outlines in several])
    return points, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


if __name__ == "__main__":
    warm_up()
