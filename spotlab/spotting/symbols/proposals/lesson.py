"""What a page with labelled regions teaches: candidates that show them, and others that do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.polygon import convex_hull
from spotlab.model import Truth
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.proposals.appearance import (
    Rows,
    describe_appearance,
    page_appearance,
)
from spotlab.spotting.symbols.proposals.box_overlaps import overlaps
from spotlab.spotting.symbols.proposals.candidates import describe_regions, find_candidates
from spotlab.spotting.symbols.proposals.example_region import is_box

SHOWS = 0.65  # overlap (IoU) from which a candidate shows a region
_MISSES = 0.4  # and below which it does not
_TOUCHES = 0.1  # overlap from which what is not a region is still near one
_PART = 0.5  # of the smaller box inside the other: likewise
_ANSWERED = 3.0  # how much a region counts on the page that is worked on: others look like it
_REJECTED = 30.0  # how much a rejected proposal counts: it looked like many regions
_MOST = 150  # candidates near regions, and as many elsewhere, that are kept of a page


@dataclass(frozen=True, eq=False)
class Lesson:
    """Rows of one page, with what they show.

    Attributes
    ----------
    page : str
    boxes : (N, 4) float
        Left, top, right, bottom in px.
    rows : (N, D) float32
        See `describe_appearance`.
    labels : tuple of str
        N; "" for what shows no region.
    stands_for : (N,) float
        Number of the page's candidates that a row was drawn from, at least 1.
    emphasis : (N,) float
        How much a row counts, usually 1.
    regions : Outlines
        The labelled ones, in px.
    names : tuple of str
        Their labels.
    is_model : bool
        It is a picture of one symbol, and not a page.
    """

    page: str
    boxes: Floats
    rows: Rows
    labels: tuple[str, ...]
    stands_for: Floats
    emphasis: Floats
    regions: Outlines
    names: tuple[str, ...]
    is_model: bool = False

    def __len__(self) -> int:
        return len(self.labels)


def make_lesson(
    page: PageFeatures,
    name: str,
    regions: Outlines,
    names: Sequence[str],
    *,
    rejected: Outlines | None = None,
    unknown: Outlines | None = None,
    complete: bool = True,
) -> Lesson:
    """Choose what a page teaches.

    A region is shown by its own box and by the candidates that overlap it by `SHOWS`. What misses
    every region is background: candidates near a region always, others only where the page is
    complete. At most 150 of each are kept, always the same.

    Parameters
    ----------
    page : PageFeatures
    name : str
        The page's.
    regions : Outlines
        Labelled regions, in px.
    names : sequence of str
        Their labels.
    rejected : Outlines, optional
        Proposals that were rejected: background, too.
    unknown : Outlines, optional
        Areas that teach nothing.
    complete : bool
        All regions of the page are labelled.

    Returns
    -------
    Lesson

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_ink
    >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
    >>> square = Outlines.of([[(2, 2), (12, 2), (12, 12), (2, 12)]])
    >>> make_lesson(page, "plan", square, ["bed"]).labels
    ('bed',)
    """
    candidates, rows = find_candidates(page), page_appearance(page)
    boxes, own = candidates.boxes, regions.bounds
    iou, part = overlaps(boxes, own)
    best = iou.max(1, initial=0)
    showing = np.flatnonzero(best >= SHOWS)
    missing = best < _MISSES
    if unknown is not None and len(unknown):
        missing &= ~(overlaps(boxes, unknown.bounds)[1] > _PART).any(1)
    near = missing & ((best > _TOUCHES) | (part > _PART).any(1))
    far = missing & ~near if complete else np.zeros(len(boxes), bool)
    draw = np.random.default_rng(0)
    kept = [showing]
    counts = [np.ones(len(showing))]
    for group in (np.flatnonzero(near), np.flatnonzero(far)):
        some = draw.permutation(group)[:_MOST]
        kept.append(some)
        counts.append(np.full(len(some), len(group) / max(len(some), 1)))
    if rejected is not None and len(rejected):
        wrong = np.flatnonzero((overlaps(boxes, rejected.bounds)[0] >= SHOWS).any(1) & missing)
        kept.append(wrong)
        counts.append(np.ones(len(wrong)))
    numbers = np.concatenate(kept)
    emphasis = np.ones(len(own) + len(numbers))
    if not complete:
        emphasis[: len(own) + len(showing)] = _ANSWERED
    emphasis[len(own) + sum(map(len, kept[:3])) :] = _REJECTED
    shown = iou.argmax(1) if len(own) else np.zeros(len(boxes), np.int64)
    labels = [names[shown[number]] if best[number] >= SHOWS else "" for number in numbers]
    drawn = _own_rows(page, regions)
    return Lesson(
        name,
        np.vstack([own, boxes[numbers]]),
        np.vstack([drawn, rows[numbers]]),
        (*names, *labels),
        np.concatenate([np.ones(len(own)), *counts]),
        emphasis,
        regions,
        tuple(names),
    )


def lesson_of_truth(
    page: PageFeatures, truth: Truth, name: str, *, complete: bool = True
) -> Lesson:
    """Choose what a page teaches whose truth is known, see `make_lesson`.

    Parameters
    ----------
    page : PageFeatures
    truth : Truth
        Regions without a label are no examples.
    name : str
        The page's.
    complete : bool
        All regions of the page are labelled.
    """
    regions = [region for region in truth.regions if region.label]
    outlines = Outlines.of([region.array for region in regions])
    names = [region.label for region in regions]
    return make_lesson(page, name, outlines, names, complete=complete)


def _own_rows(page: PageFeatures, regions: Outlines) -> Rows:
    """The rows of regions themselves, each described once."""
    known = page.cached("own rows", dict[bytes, Rows])
    rings = [regions[number] for number in range(len(regions))]
    new = [ring for ring in rings if ring.tobytes() not in known]
    if new:
        hulls = Outlines.of([_hull(ring) for ring in new])
        described = describe_appearance(page, describe_regions(page, hulls))
        known.update({ring.tobytes(): row for ring, row in zip(new, described, strict=True)})
    if not rings:
        return np.zeros((0, page_appearance(page).shape[1]), np.float32)
    return np.stack([known[ring.tobytes()] for ring in rings])


def _hull(ring: NDArray[np.float64]) -> NDArray[np.float64]:
    """The hull of an outline; a speck where it has no area."""
    hull = convex_hull(ring)
    if len(hull):
        return hull
    left, top = ring.min(0)
    return np.array([(left, top), (left + 1, top), (left + 1, top + 1), (left, top + 1)])


def mostly_boxed(lessons: Sequence[Lesson], labels: Sequence[str]) -> frozenset[str]:
    """List the labels whose regions are mostly upright boxes.

    Parameters
    ----------
    lessons : sequence of Lesson
    labels : sequence of str
        Others are ignored.

    Returns
    -------
    frozenset of str

    Examples
    --------
    >>> square = Outlines.of([[(0, 0), (9, 0), (9, 9), (0, 9)]])
    >>> one, rows = np.ones(1), np.zeros((1, 3), np.float32)
    >>> lesson = Lesson("page", square.bounds, rows, ("bed",), one, one, square, ("bed",))
    >>> mostly_boxed([lesson], ["bed", "car"])
    frozenset({'bed'})
    """
    boxes = dict.fromkeys(labels, 0)
    for lesson in lessons:
        for number, name in enumerate(lesson.names):
            if name in boxes:
                boxes[name] += 1 if is_box(lesson.regions[number]) else -1
    return frozenset(label for label, balance in boxes.items() if balance > 0)


def thinned(lessons: Sequence[Lesson], most: int) -> list[Lesson]:
    """Leave out rows where there are too many, the same share of each page's.

    Parameters
    ----------
    lessons : sequence of Lesson
    most : int
        Rows of all lessons together, about.

    Returns
    -------
    list of Lesson

    Examples
    --------
    >>> square = Outlines.of([[(0, 0), (9, 0), (9, 9), (0, 9)]])
    >>> one, rows = np.ones(1), np.zeros((1, 3), np.float32)
    >>> lesson = Lesson("page", square.bounds, rows, ("bed",), one, one, square, ("bed",))
    >>> [len(thin) for thin in thinned([lesson, lesson], 1)]
    [1, 1]
    """
    total = sum(len(lesson) for lesson in lessons)
    if total <= most:
        return list(lessons)
    kept = []
    for lesson in lessons:
        number = max(round(len(lesson) * most / total), 1) if len(lesson) else 0
        rows = np.linspace(0, len(lesson) - 1, number).round().astype(np.int64)
        counts = lesson.stands_for[rows]
        labels = tuple(lesson.labels[row] for row in rows)
        thin = replace(
            lesson, boxes=lesson.boxes[rows], rows=lesson.rows[rows], labels=labels,
            stands_for=counts, emphasis=lesson.emphasis[rows],
        )  # fmt: skip
        kept.append(thin)
    return kept
