"""Proposes the rest of the truth from the regions that are known so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import Outlines
from spotlab.geometry.polygon import Points
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.engine.page_features import Seen
from spotlab.spotting.symbols.proposals.candidate_classifier import Judged, judge
from spotlab.spotting.symbols.proposals.examples import boxed, is_box
from spotlab.spotting.symbols.proposals.labelled_examples import Lessons
from spotlab.spotting.symbols.proposals.snapping import snapped

__all__ = ["Proposal", "propose", "snapped", "worth_showing"]

LEAST = 0.05  # less sure ones are not even listed
EASIEST = 0.15  # how sure it has to be while nothing was rejected
STRICTER = 0.4  # for the share of rejected ones among the latest lessons
RECENT = 40  # lessons
_SAME = 0.4  # overlap of boxes from which two regions are about the same thing
_PART = 0.8  # of the smaller box inside the other: it may be a part of it
_LARGE_PART = 0.25  # overlap from which a part of anything is closed

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Proposal:
    """A region that may be of a label.

    Attributes
    ----------
    page : str
    label : str
    outline : (N, 2) float
        Open ring in px.
    score : float
        0 to 1: how sure, given what has been learned so far.
    why : str
        For a person: what it was taken for this label by.
    """

    page: str
    label: str
    outline: Points
    score: float
    why: str = ""


def worth_showing(lessons: Lessons) -> float:
    """The score from which about every second proposal or more is accepted.

    Parameters
    ----------
    lessons : Lessons
        Where much was rejected of late, proposals have to be surer.

    Examples
    --------
    >>> worth_showing(Lessons())
    0.15
    """
    recent = lessons.all[-RECENT:]
    bad = sum(not each.good for each in recent)
    return EASIEST + STRICTER * bad / max(len(recent), 1)


def propose(
    page: Seen,
    lessons: Lessons,
    taken: Outlines,
    labels: Sequence[str] | None = None,
    progress: Progress = silent,
    *,
    name: str = "",
) -> tuple[Proposal, ...]:
    """Regions of the page that may be of the labels, best first.

    Candidates are what the page's contours enclose, see `candidates`; each is compared with what
    was accepted and rejected so far, see `judging`. What a page's candidates look like is found
    once and kept with what is seen of it.

    Parameters
    ----------
    page : Seen
    lessons : Lessons
        What is known, of this page and others.
    taken : Outlines
        The regions that the page has already: nothing is proposed where one is.
    labels : sequence of str, optional
        Propose only these; all that have a good example otherwise.
    progress : Progress
        Told before and after; the first look at a page takes a moment.
    name : str
        The page's name: what was rejected there for a label never comes back with it.

    Returns
    -------
    tuple of Proposal
        However unsure; see `worth_showing`. No two of about the same place. A label whose examples
        are mostly upright boxes is proposed as boxes.
    """
    wanted = [each for each in lessons.labels if labels is None or each in labels]
    progress(0, 1, "looking for more")
    found: tuple[Proposal, ...] = ()
    if wanted:
        judged = judge(page, lessons, wanted)
        found = _chosen(judged, lessons, taken, wanted, name)
    progress(1, 1, "looking for more")
    return found


def _chosen(
    judged: Judged, lessons: Lessons, taken: Outlines, labels: list[str], name: str
) -> tuple[Proposal, ...]:
    """From the best down, those that lie on nothing that is known or proposed already."""
    boxes = judged.candidates.boxes
    closed = _closed(boxes, taken.bounds)[:, None] | np.stack(
        [_rejected(boxes, lessons, label, name) for label in labels], 1
    )
    places, numbers = np.nonzero((judged.scores >= LEAST) & ~closed)
    scores = judged.scores[places, numbers]
    order = np.lexsort((numbers, places, -scores))
    good = [each for each in lessons.all if each.good]
    as_boxes = [_mostly_boxes(lessons, label) for label in labels]
    proposals: list[Proposal] = []
    for place, number in zip(places[order].tolist(), numbers[order].tolist(), strict=True):
        if closed[place, number]:
            continue
        iou, part = _overlaps(boxes, boxes[place : place + 1])
        closed[:, number] |= part[:, 0] > _PART
        closed |= (iou > _SAME) | ((part > _PART) & (iou > _LARGE_PART))
        hull = judged.candidates.hulls[place]
        like = good[int(judged.nearest[place, number])]
        outline = boxed(hull) if as_boxes[number] else hull
        why = f"most like the {like.label} on {like.page or 'this page'}"
        score = float(judged.scores[place, number])
        proposals.append(Proposal(name, labels[number], outline, score, why))
    return tuple(proposals)


def _closed(boxes: Floats, taken: Floats) -> NDArray[np.bool_]:
    """Which candidates are about the same as a region that is there, or a large part of one."""
    iou, part = _overlaps(boxes, taken)
    return np.asarray(((iou > _SAME) | ((part > _PART) & (iou > _LARGE_PART))).any(1))


def _rejected(boxes: Floats, lessons: Lessons, label: str, name: str) -> NDArray[np.bool_]:
    """Which candidates lie where a proposal of this label was rejected."""
    outlines = [
        each.outline
        for each in lessons.all
        if not each.good and each.label == label and each.page == name
    ]
    return np.asarray((_overlaps(boxes, Outlines.of(outlines).bounds)[0] > _SAME).any(1))


def _mostly_boxes(lessons: Lessons, label: str) -> bool:
    kinds = [is_box(each.outline) for each in lessons.all if each.good and each.label == label]
    return 2 * sum(kinds) > len(kinds)


def _overlaps(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """(N, M) IoU of boxes, and what they share of the smaller one."""
    corner = np.maximum(first[:, None, :2], second[None, :, :2])
    end = np.minimum(first[:, None, 2:], second[None, :, 2:])
    shared = (end - corner).clip(0).prod(2)
    one = (first[:, 2:] - first[:, :2]).prod(1)[:, None]
    other = (second[:, 2:] - second[:, :2]).prod(1)[None]
    iou = shared / np.maximum(one + other - shared, 1e-9)
    return iou, shared / np.maximum(np.minimum(one, other), 1e-9)
