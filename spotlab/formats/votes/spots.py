"""Runs of spotted regions as votes: regions of different systems that overlap are one item."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.votes import Votes
from spotlab.errors import counted
from spotlab.files import is_folder
from spotlab.formats.collection.page_names import PageNames, bare_name, names_apart
from spotlab.formats.page.images import find_image
from spotlab.formats.rows.numbers import natural
from spotlab.formats.runs.detection_texts import has_boxes
from spotlab.formats.runs.format import Naming, ReadRun
from spotlab.formats.runs.reading import read_run
from spotlab.formats.votes.format import VoteFormat, VoteOptions, VoteTable, first_names, head_of
from spotlab.geometry.polygon import Outlines, even_odd_geometry
from spotlab.imaging.reading.pixels import read_header
from spotlab.libraries import shapely
from spotlab.model.run import Run
from spotlab.progress import Progress, track
from spotlab.representation import short_repr

ROUNDING = 1e-12  # an average of overlaps that all are the threshold is not below it
DIGITS = 9  # of averages that are compared: the order in which they were added up must not count


@dataclass(frozen=True, eq=False)
class RegionOverlaps:
    """Pairs of regions that overlap.

    Attributes
    ----------
    first, second : (K,) int
        Their places in the one and in the other list of regions.
    iou : (K,) float
        Intersection over union, above 0.
    """

    first: Ints
    second: Ints
    iou: Floats

    __repr__ = short_repr


def shapes_of(outlines: Outlines) -> NDArray[Any]:
    """(N,) the shapely geometry of each outline, by the even-odd rule."""
    return np.array([even_odd_geometry(outlines[index]) for index in range(len(outlines))], object)


def overlaps(one: NDArray[Any], other: NDArray[Any]) -> RegionOverlaps:
    """All pairs of one shape of each list that have an area in common."""
    if not len(one) or not len(other):
        nothing = np.zeros(0, np.int64)
        return RegionOverlaps(nothing, nothing, np.zeros(0))
    first, second = shapely.STRtree(other).query(one, "intersects")
    shared = shapely.area(shapely.intersection(one[first], other[second]))
    union = shapely.area(one)[first] + shapely.area(other)[second] - shared
    iou = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    order = np.lexsort((second, first))
    order = order[iou[order] > 0]
    return RegionOverlaps(first[order], second[order], np.minimum(iou[order], 1.0))


def cluster(pairs: RegionOverlaps, system: Sequence[int], threshold: float) -> Ints:
    """Put regions together that are the same.

    Parameters
    ----------
    pairs : RegionOverlaps
        Of the N regions with each other.
    system : sequence of int
        Whose each region is.
    threshold : float
        The average intersection over union that two clusters have to reach to become one.

    Returns
    -------
    (N,) int
        The cluster of each region, numbered by their first regions.

    Notes
    -----
    Average linkage: the two clusters of the highest average overlap, 0 of regions apart counted in,
    become one, and so on. No cluster holds two regions of one system. Of equally good pairs that
    with the earlier regions is first, so that the same input gives the same clusters.

    Examples
    --------
    >>> pairs = RegionOverlaps(np.array([0, 0, 1]), np.array([1, 2, 2]), np.array([0.9, 0.6, 0.5]))
    >>> cluster(pairs, [0, 1, 2], 0.5)
    array([0, 0, 0])
    >>> cluster(pairs, [0, 1, 0], 0.5)
    array([0, 0, 1])
    """
    work = _Clusters(system, threshold)
    apart = pairs.first < pairs.second
    for first, second, iou in zip(
        pairs.first[apart].tolist(), pairs.second[apart].tolist(), pairs.iou[apart].tolist(),
        strict=True,
    ):  # fmt: skip
        work.add(first, second, iou)
    return work.run()


class _Clusters:
    """Clusters that become fewer; each has a number of its own, so that none ever changes."""

    def __init__(self, system: Sequence[int], threshold: float) -> None:
        self.members = {index: [index] for index in range(len(system))}
        self.systems = {index: 1 << own for index, own in enumerate(system)}
        self.near: dict[int, dict[int, float]] = {index: {} for index in range(len(system))}
        self.queue: list[tuple[float, int, int, int, int]] = []
        self.least = threshold - ROUNDING
        self.count = len(system)

    def add(self, one: int, two: int, total: float) -> None:
        """Note how much two clusters overlap, added up over all pairs of their regions."""
        self.near[one][two] = self.near[two][one] = total
        average = total / (len(self.members[one]) * len(self.members[two]))
        if average >= self.least and not self.systems[one] & self.systems[two]:
            first, second = sorted((self.members[one][0], self.members[two][0]))
            heapq.heappush(self.queue, (-round(average, DIGITS), first, second, one, two))

    def run(self) -> Ints:
        """Join until no two are alike enough."""
        new = self.count
        while self.queue:
            *_, one, two = heapq.heappop(self.queue)
            if one in self.members and two in self.members:
                self._join(one, two, new)
                new += 1
        found = np.zeros(self.count, np.int64)
        ordered = sorted(self.members.values(), key=lambda members: members[0])
        for number, members in enumerate(ordered):
            found[members] = number
        return found

    def _join(self, one: int, two: int, new: int) -> None:
        self.members[new] = sorted(self.members.pop(one) + self.members.pop(two))
        self.systems[new] = self.systems.pop(one) | self.systems.pop(two)
        totals: dict[int, float] = {}
        for old in (one, two):
            for other, total in self.near.pop(old).items():
                if other not in (one, two):
                    totals[other] = totals.get(other, 0.0) + total
                    del self.near[other][old]
        self.near[new] = {}
        for other, total in totals.items():
            self.add(new, other, total)


def match_truth(pairs: RegionOverlaps, clusters: Ints, regions: int, threshold: float) -> Ints:
    """The cluster of each true region, -1 where it has none.

    Parameters
    ----------
    pairs : RegionOverlaps
        Of true regions with those that are clustered.
    clusters : (N,) int
        What `cluster` gave.
    regions : int
        How many true regions there are.
    threshold : float
        The average intersection over union with a cluster's regions that makes them the same.

    Notes
    -----
    The highest average is matched first; every region and every cluster once.
    """
    matched = np.full(regions, -1, np.int64)
    if not len(pairs.iou):
        return matched
    size = np.bincount(clusters)
    keys = pairs.first * len(size) + clusters[pairs.second]
    found, which = np.unique(keys, return_inverse=True)
    region, own = found // len(size), found % len(size)
    average = np.bincount(which, pairs.iou) / size[own]
    taken: set[int] = set()
    for at in np.lexsort((own, region, -average.round(DIGITS))).tolist():
        able = average[at] >= threshold - ROUNDING and int(own[at]) not in taken
        if able and matched[region[at]] < 0:
            matched[region[at]] = own[at]
            taken.add(int(own[at]))
    return matched


Place = tuple[str, str]
"""A page and a query."""


@dataclass
class _Items:
    """The items found so far."""

    names: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    boxes: list[Floats] = field(default_factory=list)
    truth: list[float] = field(default_factory=list)
    item: list[int] = field(default_factory=list)
    system: list[int] = field(default_factory=list)
    missed: int = 0


def items_of_regions(
    runs: Sequence[Run],
    pages: Mapping[str, str],
    truth: Mapping[Place, Outlines] | None,
    known: frozenset[str],
    overlap: float,
    missed: bool,
    progress: Progress,
) -> VoteTable:
    """A table of votes from runs.

    Parameters
    ----------
    runs : sequence of Run
        One a system; it votes for all that it spotted, and against all that only others did.
    pages : mapping of str to str
        The page that each page of a run is; those that are not there are left out.
    truth : mapping of (page, query) to Outlines, or None
        True regions; None where nothing is known.
    known : frozenset of str
        The pages whose truth is known.
    overlap : float
        The average intersection over union from which regions are the same item.
    missed : bool
        Whether true regions that no system spotted are items.
    """
    groups = _groups(runs, pages)
    for place in truth or ():
        groups.setdefault(place, [])
    found = _Items()
    for place in track(sorted(groups, key=_in_order), progress, "matching regions"):
        true = None if truth is None else truth.get(place, Outlines.of([]))
        _add(found, place, runs, groups[place], true, place[0] in known, overlap, missed)
    votes = Votes.sparse(found.item, found.system, len(found.names), _names(runs))
    remarks = []
    if found.missed and not missed:
        what = counted(found.missed, "region")
        remarks.append(f"no system spotted {what} of the truth; only the true recall counts them")
    return VoteTable(
        votes,
        tuple(found.names),
        tuple(found.pages),
        None if truth is None else np.array(found.truth, np.float64),
        boxes=np.array(found.boxes, np.float64).reshape(-1, 4),
        unfound=None if truth is None or missed else np.full(len(runs), float(found.missed)),
        remarks=tuple(remarks),
    )


def _names(runs: Sequence[Run]) -> tuple[str, ...]:
    """The runs' names; where two are alike with a number behind."""
    names: list[str] = []
    for run in runs:
        name, number = run.name, 2
        while name in names:
            name, number = f"{run.name} {number}", number + 1
        names.append(name)
    return tuple(names)


def _in_order(place: Place) -> tuple[object, str]:
    return natural(place[0]), place[1]


def _groups(runs: Sequence[Run], pages: Mapping[str, str]) -> dict[Place, list[tuple[int, int]]]:
    """The spots, as system and place in its run, of each page and query."""
    groups: dict[Place, list[tuple[int, int]]] = {}
    for system, run in enumerate(runs):
        named = [pages.get(page) for page in run.pages]
        codes = zip(run.page.tolist(), run.query.tolist(), strict=True)
        for spot, (page, query) in enumerate(codes):
            name = named[page]
            if name is not None:
                groups.setdefault((name, run.queries[query]), []).append((system, spot))
    return groups


def _add(
    found: _Items,
    place: Place,
    runs: Sequence[Run],
    spots: Sequence[tuple[int, int]],
    true: Outlines | None,
    known: bool,
    overlap: float,
    missed: bool,
) -> None:
    """The items of one page and query."""
    outlines = Outlines.of([runs[system].outlines[spot] for system, spot in spots])
    systems = np.array([system for system, _ in spots], np.int64)
    shapes = shapes_of(outlines)
    clusters = cluster(overlaps(shapes, shapes), systems.tolist(), overlap)
    count = int(clusters.max(initial=-1)) + 1
    right = np.full(count, 0.0 if known else np.nan)
    boxes = _mean_boxes(outlines.bounds, clusters, count)
    if true is not None:
        pairs = overlaps(shapes_of(true), shapes)
        matched = match_truth(pairs, clusters, len(true), overlap)
        right[matched[matched >= 0]] = 1.0
        left = np.flatnonzero(matched < 0)
        found.missed += len(left)
        if missed:
            right = np.concatenate([right, np.ones(len(left))])
            boxes = np.concatenate([boxes, true.bounds[left]])
    order = np.lexsort((boxes[:, 0], boxes[:, 1]))
    page, query = place
    number = np.empty(len(order), np.int64)
    number[order] = len(found.names) + np.arange(len(order))
    found.names += [f"{page}/{query}/{each + 1}" for each in range(len(order))]
    found.pages += [page] * len(order)
    found.boxes += list(boxes[order])
    found.truth += right[order].tolist()
    found.item += number[clusters].tolist()
    found.system += systems.tolist()


def _mean_boxes(bounds: Floats, clusters: NDArray[np.int64], count: int) -> Floats:
    size = np.bincount(clusters, minlength=count)
    totals = [np.bincount(clusters, side, count) for side in bounds.T]
    return np.stack(totals, axis=1) / size[:, None]


def read(paths: Sequence[Path], options: VoteOptions, progress: Progress) -> VoteTable:
    """The votes of runs, without truth: that is in files of other kinds.

    Raises
    ------
    BadInput
        One of them cannot be read.
    """
    runs = read_runs(paths, Naming(size_of=partial(_size_beside, paths)), progress)
    pages = names_without_truth([read.run.pages for read in runs])
    table = items_of_regions(
        [read.run for read in runs], pages, None, frozenset(), options.overlap, False, progress
    )
    return with_remarks(table, runs)


def _size_beside(paths: Sequence[Path], page: str) -> tuple[int, int] | None:
    """Width and height of a page whose image lies beside a run, for shares of pages."""
    for path in paths:
        folders = (path, path / "labels") if is_folder(path) else (path.parent,)
        for folder in folders:
            image = find_image(folder / f"{bare_name(page)}.txt", "")
            if image is not None:
                header = read_header(image)
                return header.width, header.height
    return None


def read_runs(paths: Sequence[Path], naming: Naming, progress: Progress) -> list[ReadRun]:
    """The runs in these files; of a folder that is none itself, those in it."""
    files = [file for path in paths for file in _runs_in(path)]
    return [read_run(file, naming, progress) for file in track(files, progress, "reading runs")]


def with_remarks(table: VoteTable, runs: Sequence[ReadRun]) -> VoteTable:
    """The table with what is to be said of the runs, and named after the first."""
    remarks = [remark for read in runs for remark in read.remarks]
    bad = [line for read in runs for line in read.bad_lines]
    names = [read.run.source.parent.name for read in runs if read.run.source is not None]
    return replace(
        table,
        bad_lines=tuple(bad),
        remarks=(*remarks, *table.remarks),
        name=names[0] if names else "runs",
    )


def names_without_truth(runs: Sequence[Sequence[str]]) -> dict[str, str]:
    """Names by which pages of several runs are the same, however these call them.

    Folders and endings are left out, unless one of the runs has pages that differ in them only.

    Parameters
    ----------
    runs : sequence of sequence of str
        The pages of each run.

    Examples
    --------
    >>> names_without_truth([["scans/plan.tif"], ["plan"]])
    {'scans/plan.tif': 'plan', 'plan': 'plan'}
    >>> names_without_truth([["a/1.png", "b/1.png"], ["x/a/1"]])
    {'a/1.png': 'a/1', 'b/1.png': 'b/1', 'x/a/1': 'a/1'}
    """
    pages = [*dict.fromkeys(page for run in runs for page in run)]
    apart: dict[str, Path] = {}
    for run in runs:
        names = names_apart([Path(page.replace("\\", "/")) for page in run])
        for page, name in zip(run, names, strict=True):
            if "/" in name:
                apart[name] = Path(page)
    known = PageNames(apart)
    meant = [known.meant(page) if apart else [] for page in pages]
    return {
        page: found[0] if len(found) == 1 else page if found else bare_name(page)
        for page, found in zip(pages, meant, strict=True)
    }


def _runs_in(path: Path) -> list[Path]:
    """The run files in a folder; without any, it may be a run itself, of PAGE files."""
    if not is_folder(path) or has_boxes(path):
        return [path]
    return sorted(file for file in path.iterdir() if are_spots(file)) or [path]


def are_spots(path: Path) -> bool:
    """Tell whether a file is a run of spotted regions.

    PAGE files are texts unless one says else.
    """
    if has_boxes(path):
        return True
    if is_folder(path):
        return False
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return {"query", "page", "points"} <= set(first_names(path))
    return suffix in (".parquet", ".pq") or (suffix == ".json" and head_of(path)[:1] == b"[")


def _sniff(paths: Sequence[Path]) -> bool:
    return all(are_spots(file) for path in paths for file in _runs_in(path))


FORMAT = VoteFormat("runs", "runs of spotted regions", _sniff, read, on_pages=True)
