"""Compares two annotators' truths of a page, region by region, the worst difference first."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from spotlab.geometry import coverage
from spotlab.geometry.outlines import Outlines
from spotlab.measures.agreement import UNMATCHED, Pair, cohen_kappa, match_regions
from spotlab.measures.area import ratio
from spotlab.model import Region
from spotlab.representation import short_repr

MATCH = 0.5  # IoU from which two regions are taken for the same thing
ALIKE = 0.9  # IoU from which two outlines count as the same


class DifferenceKind(StrEnum):
    """How two annotators' regions differ."""

    NONE = "alike"
    OUTLINE = "other outline"
    LABEL = "other label"
    ONLY_FIRST = "only mine"
    ONLY_SECOND = "only theirs"


@dataclass(frozen=True)
class RegionPair:
    """A thing on the page, as two annotators have drawn it.

    Attributes
    ----------
    first, second : Region or None
        None where the annotator has no region for it.
    iou : float
        Intersection over union; NaN without a partner.
    kind : DifferenceKind
    disputed : float
        Area in px² that the two do not agree on: of regions without a partner and with different
        labels all of it, else what only one outline encloses. 0 where they are the same.
    """

    first: Region | None
    second: Region | None
    iou: float
    kind: DifferenceKind
    disputed: float

    __repr__ = short_repr

    @property
    def labels(self) -> Pair:
        """The labels that the two give; `UNMATCHED` where one has no region."""
        return (
            UNMATCHED if self.first is None else self.first.label,
            UNMATCHED if self.second is None else self.second.label,
        )

    @property
    def differs(self) -> bool:
        """Whether there is something to decide."""
        return self.kind is not DifferenceKind.NONE

    @cached_property
    def key(self) -> str:
        """Names the pair by its regions as they are now, valid as an XML id."""
        digest = hashlib.sha1(usedforsecurity=False)
        for region in (self.first, self.second):
            said = (region.id, region.label, region.points) if region is not None else ()
            digest.update(repr(said).encode("utf-8", "surrogatepass"))
        return f"d{digest.hexdigest()[:12]}"


@dataclass(frozen=True, eq=False)
class PageDifferences:
    """Regions of two annotators, paired; `compare_regions` pairs those of a page.

    Attributes
    ----------
    pairs : tuple of RegionPair
        All regions of both; the largest disputed area first, then in the order of the files.
    """

    pairs: tuple[RegionPair, ...]

    __repr__ = short_repr

    @cached_property
    def differences(self) -> tuple[RegionPair, ...]:
        """The pairs that differ, the worst first."""
        return tuple(pair for pair in self.pairs if pair.differs)

    @cached_property
    def counts(self) -> Counter[DifferenceKind]:
        """How many pairs are of each kind."""
        return Counter(pair.kind for pair in self.pairs)

    @property
    def matched(self) -> int:
        """How many regions have a partner."""
        return sum(pair.first is not None and pair.second is not None for pair in self.pairs)

    @cached_property
    def kappa(self) -> float:
        """Cohen's κ by region; NaN where it is undefined, see `cohen_kappa`."""
        return cohen_kappa(pair.labels for pair in self.pairs)


def compare_regions(
    first: Sequence[Region],
    second: Sequence[Region],
    *,
    match: float = MATCH,
    alike: float = ALIKE,
) -> PageDifferences:
    """Find where two annotators of a page differ.

    Parameters
    ----------
    first, second : sequence of Region
        What each has drawn on the page.
    match : float
        IoU in (0, 1] from which two regions are taken for the same thing, whatever their labels.
    alike : float
        IoU in (0, 1] from which two outlines count as the same.

    Examples
    --------
    >>> square, beside = ((0, 0), (4, 0), (4, 4), (0, 4)), ((8, 0), (9, 0), (9, 1), (8, 1))
    >>> page = compare_regions([Region(square, "sofa")], [Region(square, "bed"), Region(beside)])
    >>> [(pair.kind.value, pair.disputed) for pair in page.pairs]
    [('other label', 16.0), ('only theirs', 1.0)]
    """
    one = Outlines.of([region.array for region in first])
    other = Outlines.of([region.array for region in second])
    near = coverage.overlapping_bounds(one, other)
    shared = coverage.shared_areas(one, other, near)
    areas = coverage.areas(one), coverage.areas(other)
    union = areas[0][near[:, 0]] + areas[1][near[:, 1]] - shared
    iou = np.minimum(ratio(shared, union), 1.0)
    partner = match_regions(near, iou, len(first), match)
    place = {(int(a), int(b)): at for at, (a, b) in enumerate(near.tolist())}
    pairs = []
    for number, at in enumerate(partner.tolist()):
        if at < 0:
            area = float(areas[0][number])
            pairs.append(RegionPair(first[number], None, math.nan, DifferenceKind.ONLY_FIRST, area))
        else:
            entry = place[number, at]
            both = float(iou[entry]), float(union[entry]), float(shared[entry])
            pairs.append(_matched(first[number], second[at], both, alike))
    alone = sorted(set(range(len(second))) - set(partner.tolist()))
    pairs += [
        RegionPair(None, second[at], math.nan, DifferenceKind.ONLY_SECOND, float(areas[1][at]))
        for at in alone
    ]
    return PageDifferences(tuple(sorted(pairs, key=lambda pair: -pair.disputed)))


def _matched(
    first: Region, second: Region, both: tuple[float, float, float], alike: float
) -> RegionPair:
    iou, union, shared = both
    if first.label != second.label:
        return RegionPair(first, second, iou, DifferenceKind.LABEL, union)
    if iou < alike:
        return RegionPair(first, second, iou, DifferenceKind.OUTLINE, union - shared)
    return RegionPair(first, second, iou, DifferenceKind.NONE, 0.0)
