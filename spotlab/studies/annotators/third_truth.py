"""The third truth: what two annotators have drawn alike, and what is decided where they differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from spotlab.editing.operations import drawn, merge
from spotlab.errors import SpotlabError
from spotlab.files import is_missing
from spotlab.formats.truth import page_xml
from spotlab.geometry.polygon import even_odd_geometry
from spotlab.geometry.rings import ring_from_geometry
from spotlab.libraries import shapely
from spotlab.model import Contribution, Deed, Page, Primitive, Region, Truth
from spotlab.model.region import DECISIONS
from spotlab.studies.annotators.decisions import Decision, Outline
from spotlab.studies.annotators.differences import PageDifferences, RegionPair

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
