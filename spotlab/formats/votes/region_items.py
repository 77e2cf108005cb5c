"""Turns the spots of several systems into items: what they spotted, each thing once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.consensus.votes import Votes
from spotlab.errors import counted
from spotlab.formats.rows.natural import natural
from spotlab.formats.votes.clusters import cluster, match_truth, overlaps, shapes_of
from spotlab.formats.votes.format import VoteTable
from spotlab.geometry.outlines import Outlines
from spotlab.model.run import Run
from spotlab.progress import Progress, track

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
