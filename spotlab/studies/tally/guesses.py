"""Checks of what was guessed while a run was read, by the truth that the run is held against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from spotlab.arrays import Floats
from spotlab.errors import BadInput
from spotlab.formats.runs.format import ReadRun
from spotlab.model import Truth
from spotlab.studies.tally.truth import TruthSet, match_pages

_IOU = 0.5
_MOST_PAGES = 60  # that are looked at
_MOST_SPOTS = 2000
_MOST_PAIRS = 4_000_000
_NAMED = "the COCO annotation file, data.yaml or list of names that the numbers are of, as naming"


def check_guesses(read: ReadRun, truth_set: TruthSet) -> None:
    """See that the truth does not contradict what numbers of pages and labels were taken for.

    Raises
    ------
    BadInput
        Most spots that lie on a region of the truth lie on one of another label than was guessed,
        or fit another page better than the one that was guessed.
    """
    run = read.run
    if not read.guessed or not len(run):
        return
    source = run.source or Path(run.name)
    pages = [page for page in match_pages(run.pages, truth_set).items() if page[1] is not None]
    truths = {name: truth_set.truths[name] for _, name in pages[:_MOST_PAGES] if name is not None}
    of_run = {name: run.pages.index(page) for page, name in pages[:_MOST_PAGES] if name is not None}
    boxes = {name: _boxes(truth) for name, truth in truths.items()}
    spots = {
        name: np.flatnonzero(run.page == number)[:_MOST_SPOTS] for name, number in of_run.items()
    }
    corners = {
        name: np.array([_box(run.outlines[spot]) for spot in some.tolist()]).reshape(-1, 4)
        for name, some in spots.items()
    }
    if "pages" in read.guessed:
        _check_pages(corners, boxes, source)
    if "labels" not in read.guessed:
        return
    said: Counter[tuple[str, str]] = Counter()
    for name, some in spots.items():
        labels = [region.label for region in truths[name].regions]
        overlap = _overlaps(corners[name], boxes[name])
        for spot, row in zip(some.tolist(), overlap, strict=True):
            if len(row) and row.max() >= _IOU:
                said[run.queries[run.query[spot]], labels[int(row.argmax())]] += 1
    right = sum(count for (query, label), count in said.items() if query == label)
    wrong = [(count, pair) for pair, count in said.items() if pair[0] != pair[1]]
    if wrong and 2 * right < sum(said.values()):
        count, (query, label) = max(wrong)
        problem = (
            f"its numbers of classes are taken for positions in the label list, which the truth "
            f"contradicts: {count:,} spots taken for {query!r} lie on {label!r}"
        )
        raise BadInput(source, problem, expected=_NAMED)


def _check_pages(corners: Mapping[str, Floats], boxes: Mapping[str, Floats], source: Path) -> None:
    """See that spots fit the page that was guessed about as well as any other one."""
    own = best = 0
    example = ""
    for name, spots in corners.items():
        hits = {
            other: int((_overlaps(spots, regions) >= _IOU).any(axis=1).sum())
            for other, regions in boxes.items()
            if len(spots) * len(regions) <= _MOST_PAIRS
        }
        if not hits:
            continue
        fitting = max(hits, key=lambda other: hits[other])
        own += hits.get(name, 0)
        best += hits[fitting]
        if not example and hits[fitting] > 2 * hits.get(name, 0):
            example = f"the spots of {name!r} lie on regions of {fitting!r}"
    if example and 2 * own < best:
        taken = "its image ids are taken for numbers of pages"
        problem = f"{taken}, which the truth contradicts: {example}"
        raise BadInput(source, problem, expected=_NAMED)


def _boxes(truth: Truth) -> Floats:
    return np.array([_box(np.asarray(region.points)) for region in truth.regions]).reshape(-1, 4)


def _box(points: Floats) -> list[float]:
    return [*points.min(axis=0).tolist(), *points.max(axis=0).tolist()]


def _overlaps(first: Floats, second: Floats) -> Floats:
    """(N, M) intersection over union of boxes."""
    if not len(first) or not len(second):
        return np.zeros((len(first), len(second)))
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=2)
    areas = [np.prod(each[:, 2:] - each[:, :2], axis=1) for each in (first, second)]
    whole = areas[0][:, None] + areas[1][None, :] - shared
    overlaps: Floats = np.divide(shared, whole, out=np.zeros_like(shared), where=whole > 0)
    return overlaps
