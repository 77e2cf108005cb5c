"""Differences of two annotators region by region, on a page and in a collection."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np

from spotlab.formats.rows.json_values import to_builtins
from spotlab.geometry import coverage
from spotlab.geometry.outlines import Outlines
from spotlab.measures.agreement import UNMATCHED, Areas, Pair, cohen_kappa, match_regions
from spotlab.measures.area import ratio
from spotlab.model import Deed, Region, Truth
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.studies.annotators.agreement import AnnotatedPages, pair_areas
from spotlab.studies.annotators.decisions import Decision, DecisionFile, verdict_counts

MATCH = 0.5  # IoU from which two regions are taken for the same thing
ALIKE = 0.9  # IoU from which two outlines count as the same


class DifferenceKind(StrEnum):
    """Ways in which two annotators' regions differ."""

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
        """True if there is something to decide."""
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
        """Number of pairs of each kind."""
        return Counter(pair.kind for pair in self.pairs)

    @property
    def matched(self) -> int:
        """Number of regions that have a partner."""
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


@dataclass(frozen=True, eq=False)
class AnnotatorAgreement:
    """Agreement of two annotators on the pages that both have seen.

    Attributes
    ----------
    pages : mapping of str to PageDifferences
        By name.
    labels : tuple of str
        All labels that one of the two uses.
    areas : Areas
        The second annotator as a run against the first, by label: A(R) is what the second has
        marked, A(T) what the first has.
    """

    pages: Mapping[str, PageDifferences]
    labels: tuple[str, ...]
    areas: Areas

    __repr__ = short_repr

    @cached_property
    def differences(self) -> PageDifferences:
        """The pairs of all pages together."""
        return PageDifferences(tuple(pair for page in self.pages.values() for pair in page.pairs))

    @property
    def iou(self) -> float:
        """Intersection over union of what both have marked, of all labels' areas together."""
        return self.areas.pooled("iou")

    @property
    def iou_by_label(self) -> dict[str, float]:
        """Intersection over union of the unions of each label's regions."""
        values = self.areas.of_queries("iou").tolist()
        return dict(zip(self.labels, values, strict=True))

    def as_json(self) -> Any:
        """Figures by name as `json.dumps` takes them, null where they are undefined."""
        found = self.differences
        counts = {kind.name.lower(): found.counts[kind] for kind in DifferenceKind}
        figures = {"pages": len(self.pages), "iou": self.iou, "kappa": found.kappa}
        return to_builtins({**figures, **counts})


def compare_collections(
    first: Mapping[str, Truth],
    second: Mapping[str, Truth],
    *,
    match: float = MATCH,
    alike: float = ALIKE,
    progress: Progress = silent,
) -> AnnotatorAgreement | None:
    """Compare two annotators on all pages that both have seen.

    Parameters
    ----------
    first, second : mapping of str to Truth
        What each has drawn, by page.
    match, alike : float
        See `compare_regions`.

    Returns
    -------
    AnnotatorAgreement or None
        None where they have no page in common.
    """
    names = [name for name in first if name in second]
    if not names:
        return None
    pages = {
        name: compare_regions(first[name].regions, second[name].regions, match=match, alike=alike)
        for name in track(names, progress, "comparing annotators")
    }
    common = [{name: side[name] for name in names} for side in (first, second)]
    return AnnotatorAgreement(pages, *pair_areas(*common, progress=progress))


def compare_page(
    first: Truth,
    second: Truth,
    match: float = MATCH,
    alike: float = ALIKE,
    progress: Progress = silent,
) -> AnnotatorAgreement:
    """Compare two annotators' truths of a page, by region and by area.

    Parameters
    ----------
    first, second : Truth
        Of pages of the same size.
    match, alike : float
        See `compare_regions`.

    Raises
    ------
    BadInput
        The two have been drawn on images of different sizes.
    """
    found = compare_collections(
        {"page": first}, {"page": second}, match=match, alike=alike, progress=progress
    )
    assert found is not None  # they have this page in common
    return found


@dataclass(frozen=True, eq=False)
class DecisionReport:
    """Decisions between two annotators, and their agreement.

    Attributes
    ----------
    log : DecisionFile
    agreement : AnnotatorAgreement
        Of the two, as they are now.
    """

    log: DecisionFile
    agreement: AnnotatorAgreement

    __repr__ = short_repr

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions about differences that are there now."""
        found = (
            self.log.get(name, pair.key)
            for name, page in self.agreement.pages.items()
            for pair in page.differences
        )
        return tuple(decision for decision in found if decision is not None)

    @property
    def differences(self) -> int:
        """Number of differences, decided or not."""
        return len(self.agreement.differences.differences)

    @property
    def decided(self) -> int:
        """Number of them that are decided; one that was left undecided is not."""
        return sum(decision.verdict is not Deed.UNDECIDED for decision in self.decisions)

    @property
    def authors(self) -> dict[str, int]:
        """Number of decisions that each person has made, in alphabetical order."""
        return dict(sorted(Counter(decision.author for decision in self.decisions).items()))

    @property
    def summary(self) -> str:
        """One line for people."""
        verdicts = verdict_counts(self.decisions)
        first, second = self.log.names
        return (
            f"{self.decided:,} of {self.differences:,} differences decided: {verdicts['kept']:,} "
            f"for {first}, {verdicts['taken']:,} for {second}, {verdicts['merged']:,} merged; "
            f"{verdicts['undecided']:,} left undecided"
        )

    def as_json(self) -> Any:
        """All of it as `json.dumps` takes it."""
        first, second = self.log.names
        return {
            "first": first,
            "second": second,
            "differences": self.differences,
            "decided": self.decided,
            "verdicts": verdict_counts(self.decisions),
            "authors": self.authors,
            "decisions": [
                {
                    "page": decision.page,
                    "verdict": decision.verdict.value,
                    "author": decision.author,
                    "time": decision.time.isoformat(),
                }
                for decision in self.decisions
            ],
        }


@dataclass(frozen=True)
class PairwiseAgreement:
    """The agreement of each two annotators; None where they share no page."""

    names: tuple[str, ...]
    pairs: Mapping[tuple[int, int], AnnotatorAgreement | None]

    @property
    def each_two(self) -> dict[str, AnnotatorAgreement]:
        """Each two annotators once, by their names."""
        return {
            f"{self.names[i]} and {self.names[j]}": agreement
            for (i, j), agreement in self.pairs.items()
            if i < j and agreement is not None
        }

    def as_json(self) -> list[list[Any]]:
        """``[i][j]`` is annotator i as the first and j as the second; null on the diagonal."""
        count = range(len(self.names))
        return [[(pair := self.pairs.get((i, j))) and pair.as_json() for j in count] for i in count]


def compare_pairs(annotated: AnnotatedPages, progress: Progress = silent) -> PairwiseAgreement:
    """Compare each two annotators, on the pages that both have seen."""
    count = range(len(annotated.names))
    seen = [
        {annotated.pages[at]: truths[annotated.pages[at]] for at in saw.nonzero()[0].tolist()}
        for saw, truths in zip(annotated.seen, annotated.truths, strict=True)
    ]
    return PairwiseAgreement(
        annotated.names,
        {
            (i, j): compare_collections(seen[i], seen[j], progress=progress)
            for i in count
            for j in count
            if i != j
        },
    )
