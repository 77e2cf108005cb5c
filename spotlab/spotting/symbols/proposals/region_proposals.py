"""Proposes regions of the truth that are still missing, from those known so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import Outlines
from spotlab.geometry.polygon import Points
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.proposals.candidate_classifier import (
    ClassifiedCandidates,
    classify_candidates,
)
from spotlab.spotting.symbols.proposals.example_region import bounding_ring, is_box
from spotlab.spotting.symbols.proposals.labelled_examples import LabelledExamples

MIN_SCORE = 0.05  # of a proposal that is listed
EASIEST = 0.15  # score from which proposals are shown while nothing was rejected
STRICTER = 0.4  # added, times the share of rejected ones among the latest examples
RECENT = 40  # examples
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
        Probability, 0 to 1, given the examples so far.
    why : str
        For a person: which example it resembles most.
    """

    page: str
    label: str
    outline: Points
    score: float
    why: str = ""


def min_shown_score(examples: LabelledExamples) -> float:
    """Compute the score from which about every second proposal or more is accepted.

    Parameters
    ----------
    examples : LabelledExamples
        The more were rejected of late, the higher the score.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> min_shown_score(LabelledExamples())
    0.15
    """
    recent = examples.all[-RECENT:]
    rejected = sum(not example.is_positive for example in recent)
    return EASIEST + STRICTER * rejected / max(len(recent), 1)


def propose(
    page: PageFeatures,
    examples: LabelledExamples,
    taken: Outlines,
    labels: Sequence[str] | None = None,
    progress: Progress = silent,
    *,
    name: str = "",
) -> tuple[Proposal, ...]:
    """Propose regions of a page that may be of the labels.

    Candidates are what the page's contours enclose, see `find_candidates`; each is compared with
    what was accepted and rejected so far, see `classify_candidates`. A page's candidates are found
    once and cached with its features.

    Parameters
    ----------
    page : PageFeatures
    examples : LabelledExamples
        Of this page and others.
    taken : Outlines
        The regions that the page has already: nothing is proposed where one is.
    labels : sequence of str, optional
        Propose only these; by default all that have a positive example.
    progress : Progress
        Called before and after; the first search of a page takes a moment.
    name : str
        The page's name: what was rejected there for a label never comes back with it.

    Returns
    -------
    tuple of Proposal
        Best first, however unlikely; see `min_shown_score`. No two of about the same place. A label
        whose examples are mostly upright boxes is proposed as boxes.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_ink
    >>> page = features_of_ink(np.ones((20, 20), bool), methods=[])
    >>> propose(page, LabelledExamples(), Outlines.of([]))  # nothing is known
    ()
    """
    wanted = [label for label in examples.labels if labels is None or label in labels]
    progress(0, 1, "looking for more")
    proposals: tuple[Proposal, ...] = ()
    if wanted:
        classified = classify_candidates(page, examples, wanted)
        proposals = _chosen(classified, examples, taken, wanted, name)
    progress(1, 1, "looking for more")
    return proposals


def _chosen(
    classified: ClassifiedCandidates,
    examples: LabelledExamples,
    taken: Outlines,
    labels: list[str],
    name: str,
) -> tuple[Proposal, ...]:
    """From the best down, those that lie on nothing that is known or proposed already."""
    boxes = classified.candidates.boxes
    closed = _closed(boxes, taken.bounds)[:, None] | np.stack(
        [_rejected(boxes, examples, label, name) for label in labels], 1
    )
    places, numbers = np.nonzero((classified.scores >= MIN_SCORE) & ~closed)
    scores = classified.scores[places, numbers]
    order = np.lexsort((numbers, places, -scores))
    positive = [example for example in examples.all if example.is_positive]
    as_boxes = [_mostly_boxes(examples, label) for label in labels]
    proposals: list[Proposal] = []
    for place, number in zip(places[order].tolist(), numbers[order].tolist(), strict=True):
        if closed[place, number]:
            continue
        iou, part = _overlaps(boxes, boxes[place : place + 1])
        closed[:, number] |= part[:, 0] > _PART
        closed |= (iou > _SAME) | ((part > _PART) & (iou > _LARGE_PART))
        hull = classified.candidates.hulls[place]
        like = positive[int(classified.nearest[place, number])]
        outline = bounding_ring(hull) if as_boxes[number] else hull
        why = f"most like the {like.label} on {like.page or 'this page'}"
        score = float(classified.scores[place, number])
        proposals.append(Proposal(name, labels[number], outline, score, why))
    return tuple(proposals)


def _closed(boxes: Floats, taken: Floats) -> NDArray[np.bool_]:
    """Which candidates are about the same as a region that is there, or a large part of one."""
    iou, part = _overlaps(boxes, taken)
    return np.asarray(((iou > _SAME) | ((part > _PART) & (iou > _LARGE_PART))).any(1))


def _rejected(
    boxes: Floats, examples: LabelledExamples, label: str, name: str
) -> NDArray[np.bool_]:
    """Which candidates lie where a proposal of this label was rejected."""
    outlines = [
        example.outline
        for example in examples.all
        if not example.is_positive and example.label == label and example.page == name
    ]
    return np.asarray((_overlaps(boxes, Outlines.of(outlines).bounds)[0] > _SAME).any(1))


def _mostly_boxes(examples: LabelledExamples, label: str) -> bool:
    are_boxes = [
        is_box(example.outline)
        for example in examples.all
        if example.is_positive and example.label == label
    ]
    return 2 * sum(are_boxes) > len(are_boxes)


def _overlaps(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """(N, M) IoU of boxes, and what they share of the smaller one."""
    corner = np.maximum(first[:, None, :2], second[None, :, :2])
    end = np.minimum(first[:, None, 2:], second[None, :, 2:])
    shared = (end - corner).clip(0).prod(2)
    one = (first[:, 2:] - first[:, :2]).prod(1)[:, None]
    other = (second[:, 2:] - second[:, :2]).prod(1)[None]
    iou = shared / np.maximum(one + other - shared, 1e-9)
    return iou, shared / np.maximum(np.minimum(one, other), 1e-9)
