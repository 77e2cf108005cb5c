"""Differences of two annotators region by region, on a page and in a collection."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from spotlab.editing.operations import drawn, merge
from spotlab.errors import SpotlabError
from spotlab.files import is_missing
from spotlab.formats.rows.json_values import to_builtins
from spotlab.formats.truth import page_xml
from spotlab.geometry import coverage
from spotlab.geometry.polygon import Outlines, even_odd_geometry
from spotlab.geometry.rings import ring_from_geometry
from spotlab.libraries import shapely
from spotlab.measures.agreement import UNMATCHED, Areas, Pair, cohen_kappa, match_regions
from spotlab.measures.area import ratio
from spotlab.model import Contribution, Deed, Page, Primitive, Region, Truth
from spotlab.model.region import DECISIONS
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.studies.annotators.agreement import AnnotatedPages, pair_areas
from spotlab.studies.annotators.decisions import Decision, DecisionFile, Outline, verdict_counts

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
    first: Sequence[Region], second: Sequence[Region], *, match: float = MATCH, alike: float = ALIKE
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


_OURS = re.compile(r"d[0-9a-f]{12}")  # ids of regions that come from a pair


def decided_region(
    pair: RegionPair, decision: Decision, names: tuple[str, str], page: Page
) -> Region | None:
    """Make the region that a decision puts into the third truth.

    Parameters
    ----------
    pair : RegionPair
    decision : Decision
        About this pair.
    names : (str, str)
        Of the two annotators.
    page : Page
        Where it lies.

    Returns
    -------
    Region or None
        Its id is the pair's key, and its history ends with the decision. None where the side that
        was taken has no region.

    Raises
    ------
    SpotlabError
        Nothing is left of a merged region, or only one annotator has a region to merge.
    """
    first, second = pair.first, pair.second
    sides = [
        name for name, region in zip(names, (first, second), strict=True) if region is not None
    ]
    match decision.verdict:
        case Deed.KEPT:
            region, source = first, names[0]
        case Deed.TAKEN:
            region, source = second, names[1]
        case Deed.MERGED:
            region, source = _merged(pair, decision, page), " + ".join(sides)
        case _:
            left = first or second
            region, source = left and replace(left, uncertain=True), " / ".join(sides)
    if region is None:
        return None
    entry = Contribution(decision.verdict, decision.author, decision.time, source)
    return replace(region, id=pair.key, history=(*region.history, entry))


def _merged(pair: RegionPair, decision: Decision, page: Page) -> Region:
    if pair.first is None or pair.second is None:
        raise SpotlabError("Only one annotator has a region here: keep it or take the other side")
    both = (pair.first, pair.second)
    base = merge(both, page)
    if decision.outline is not Outline.HULL:
        shapes = [even_odd_geometry(region.array) for region in both]
        joined = decision.outline is Outline.UNION
        shape = shapely.union_all(shapes) if joined else shapely.intersection(*shapes)
        ring = ring_from_geometry(shape)
        region = drawn(ring, Primitive.POLYGON, page) if len(ring) >= 3 else None
    else:
        points = [point for region in both for point in region.points]
        region = drawn(points, Primitive.HULL, page)
    if region is None:
        raise SpotlabError("Nothing would be left of the merged region")
    history = sorted({*both[0].history, *both[1].history}, key=lambda entry: entry.time)
    return replace(
        base,
        points=region.points,
        primitive=region.primitive,
        label=decision.label,
        history=tuple(history),
    )


def third_regions(
    differences: PageDifferences,
    decisions: Mapping[str, Decision],
    names: tuple[str, str],
    page: Page,
    author: str,
    time: datetime,
) -> list[Region]:
    """All regions that the two agree on or that somebody has decided, in reading order of files.

    Parameters
    ----------
    differences : PageDifferences
    decisions : mapping of str to Decision
        By the key of the pair.
    names : (str, str)
        Of the two annotators.
    page : Page
    author : str
        Who puts in what both have drawn alike.
    time : datetime
        When, with a time zone.
    """
    found: list[Region] = []
    for pair in differences.pairs:
        decision = decisions.get(pair.key)
        if pair.differs:
            if decision is not None:
                region = decided_region(pair, decision, names, page)
                found += [region] if region is not None else []
        elif pair.first is not None:
            entry = Contribution(Deed.AGREED, author, time, " + ".join(names))
            history = (*pair.first.history, entry)
            found.append(replace(pair.first, id=pair.key, history=history))
    return sorted(found, key=lambda region: (region.bounds[1], region.bounds[0]))


def progress_of(differences: PageDifferences, decisions: Mapping[str, Decision]) -> tuple[int, int]:
    """Count how many differences of a page are decided, and how many there are.

    Parameters
    ----------
    differences : PageDifferences
    decisions : mapping of str to Decision
        By the key of the pair. An undecided one has been looked at, but does not count as decided.
    """
    keys = [pair.key for pair in differences.differences]
    found = (decisions.get(key) for key in keys)
    decided = sum(each is not None and each.verdict is not Deed.UNDECIDED for each in found)
    return decided, len(keys)


def brought_up(existing: Iterable[Region], wanted: Iterable[Region]) -> list[Region]:
    """Put decided regions into those that a file holds; what somebody else has put there stays.

    A region whose decision is in the file already stays as it is there, with later corrections.

    Examples
    --------
    >>> square = ((0, 0), (4, 0), (4, 4), (0, 4))
    >>> own, gone = Region(square, "mine", "r1"), Region(square, "old", "d0123456789ab")
    >>> new = Region(square, "new", "dba9876543210")
    >>> [region.label for region in brought_up([own, gone], [new])]
    ['new', 'mine']
    """
    there = {region.id: region for region in existing}
    found = []
    for region in wanted:
        known = there.pop(region.id, None)
        found.append(known if known is not None and _same_decision(known, region) else region)
    others = [region for id, region in there.items() if not _OURS.fullmatch(id)]
    return [*found, *others]


def write_third(path: Path, first: Truth, regions: Iterable[Region], *, complete: bool) -> Truth:
    """Write a page of the third truth, merged into the file that is there.

    Parameters
    ----------
    path : Path
        The truth file.
    first : Truth
        The first annotator's, whose page and labels a new file gets.
    regions : iterable of Region
        See `third_regions`.
    complete : bool
        Whether every difference is decided; the page is marked as checked then.

    Raises
    ------
    BadInput
        What is there cannot be read.
    NotSaved
        It cannot be written.
    """
    before = Truth(replace(first.page, checked=False)) if is_missing(path) else page_xml.read(path)
    page = replace(before.page, checked=complete, image=first.page.image)
    after = replace(
        before, page=page, regions=tuple(brought_up(before.regions, regions)), labels=first.labels
    )
    if is_missing(path) or _other(before, after):
        page_xml.write(after, path)
    return after


def third_path(folder: Path, truth_path: Path) -> Path:
    """The truth file of a page in the folder of the third truth."""
    return folder / truth_path.name


def write_page(
    path: Path,
    first: Truth,
    differences: PageDifferences,
    decisions: Mapping[str, Decision],
    names: tuple[str, str],
    author: str,
    time: datetime,
) -> None:
    """Bring a page of the third truth up to what is decided now.

    Parameters
    ----------
    path : Path
        The truth file; see `third_path`.
    first : Truth
        The first annotator's.
    differences : PageDifferences
        Between the two annotators.
    decisions, names, author, time
        See `third_regions`.

    Raises
    ------
    BadInput
        What is there cannot be read.
    NotSaved
        It cannot be written.
    """
    regions = third_regions(differences, decisions, names, first.page, author, time)
    decided, count = progress_of(differences, decisions)
    write_third(path, first, regions, complete=decided == count)


def _same_decision(known: Region, wanted: Region) -> bool:
    def last(region: Region) -> Contribution | None:
        entries = (entry for entry in reversed(region.history) if entry.deed in DECISIONS)
        return next(entries, None)

    one, other = last(known), last(wanted)
    if one is not None and other is not None and one.deed is other.deed is Deed.AGREED:
        return True  # whoever put it in first
    return one == other


def _other(before: Truth, after: Truth) -> bool:
    histories = ([region.history for region in truth.regions] for truth in (before, after))
    same = (before.page.checked, before.regions) == (after.page.checked, after.regions)
    return not same or len({tuple(each) for each in histories}) > 1
