"""Areas of overlapping polygons by machine code, which has to be compiled once.

``python -m spotlab.geometry.coverage_compiled`` compiles and stores it for all later starts.
"""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry.compiled import coverage_edges, coverage_kernels
from spotlab.geometry.compiled.machine_code import COVERAGE
from spotlab.geometry.polygon import Outlines


def areas(outlines: Outlines) -> Floats:
    """See `spotlab.geometry.coverage.areas`."""
    ring = np.arange(len(outlines))
    return coverage_kernels.areas_shared(*_rings(outlines), ring, np.full(len(ring), -1))


def overlapping_bounds(first: Outlines, second: Outlines) -> Ints:
    """See `spotlab.geometry.coverage.overlapping_bounds`."""
    all_first, all_second = np.arange(len(first)), np.arange(len(second)) + len(first)
    whole, ranges = np.array([0, len(first)]), np.array([[0, len(second)]])
    begins, others = coverage_edges.pair_bounds(
        *_rings(first, second), all_first, whole, all_second, ranges
    )
    return np.stack([np.repeat(all_first, np.diff(begins)), others - len(first)], axis=1)


def shared_areas(first: Outlines, second: Outlines, pairs: Ints) -> Floats:
    """See `spotlab.geometry.coverage.shared_areas`."""
    one = np.ascontiguousarray(pairs[:, 0])
    return coverage_kernels.areas_shared(*_rings(first, second), one, pairs[:, 1] + len(first))


def new_coverage(
    spots: Outlines, spot_group: Ints, regions: Outlines, region_group: Ints
) -> tuple[Ints, Floats, Floats, Floats]:
    """Compute what each spot newly covers, as `spotlab.geometry.coverage.new_coverage`.

    Parameters
    ----------
    spots, regions : Outlines
        N and T rings in px.
    spot_group, region_group : (N,) and (T,) int
        Groups do not affect each other.

    Returns
    -------
    pairs : (K, 2) int
        Spots and regions of one group whose bounds overlap, sorted.
    new_area, new_relevant : (N,) float
        In px².
    pair_new : (K,) float
        In px².

    Examples
    --------
    >>> square, wider = [(0, 0), (2, 0), (2, 2), (0, 2)], [(0, 0), (3, 0), (3, 2), (0, 2)]
    >>> spots, group = Outlines.of([square, wider]), np.zeros(2, np.int64)
    >>> _, new, relevant, _ = new_coverage(spots, group, Outlines.of([square]), group[:1])
    >>> new.tolist(), relevant.tolist()
    ([4.0, 2.0], [4.0, 0.0])
    """
    points, offsets = _rings(spots, regions)
    spot_order = np.argsort(spot_group, kind="stable")
    region_order = np.argsort(region_group, kind="stable")
    ordered, others = spot_group[spot_order], region_group[region_order]
    first = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))
    groups, first = ordered[first], np.append(first, len(ordered))
    ranges = np.stack([np.searchsorted(others, groups, side) for side in ("left", "right")], axis=1)
    in_groups = spot_order, first, region_order + len(spots), ranges
    begins, of_pair = coverage_edges.pair_bounds(points, offsets, *in_groups)
    new_area, relevant, pair_new = (
        np.zeros(len(spots)),
        np.zeros(len(spots)),
        np.zeros(len(of_pair)),
    )
    coverage_kernels.add_coverage(
        points, offsets, *in_groups, begins, of_pair, new_area, relevant, pair_new
    )
    pairs = np.stack(
        [np.repeat(np.arange(len(spots)), np.diff(begins)), of_pair - len(spots)], axis=1
    )
    return pairs, new_area, relevant, pair_new


def warm_up() -> None:
    """Load the machine code, or compile and store it."""
    square = Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)]])
    group, pairs = np.zeros(1, np.int64), np.zeros((1, 2), np.int64)
    areas(square)
    overlapping_bounds(square, square)
    shared_areas(square, square, pairs)
    new_coverage(square, group, square, group)
    COVERAGE.mark_stored()


def _rings(*several: Outlines) -> tuple[Floats, Ints]:
    """Corners and offsets of all outlines, one after the other."""
    points = np.concatenate([outlines.points for outlines in several])
    lengths = np.concatenate([np.diff(outlines.offsets) for outlines in several])
    return points, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


if __name__ == "__main__":
    warm_up()
