"""Proposes regions of the truth that are still missing, from those known so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Points
from spotlab.errors import counted
from spotlab.geometry.outlines import Outlines
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.proposals.appearance import page_appearance
from spotlab.spotting.symbols.proposals.candidate_classifier import (
    ClassifiedCandidates,
    classify_candidates,
)
from spotlab.spotting.symbols.proposals.candidates import bounding_ring, is_box, overlaps
from spotlab.spotting.symbols.proposals.lesson import (
    LARGE_PART,
    PART,
    SAME,
    LabelledExample,
    LabelledExamples,
)
from spotlab.spotting.symbols.proposals.region_learner import RegionLearner, likely_share

MIN_SCORE = 0.05  # of a proposal that is listed
EASIEST = 0.15  # score from which proposals are shown while nothing was rejected
STRICTER = 0.4  # added, times the share of rejected ones among the latest examples
RECENT = 40  # examples


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


def default_min_score(
    proposals: Sequence[Proposal], examples: LabelledExamples, learner: RegionLearner | None
) -> float:
    """Compute the score from which a page's proposals are shown if nobody chooses another one.

    Parameters
    ----------
    proposals : sequence of Proposal
        Of one page.
    examples : LabelledExamples
    learner : RegionLearner or None
        By which they were judged.

    Returns
    -------
    float
        In [0, 1]. As low as 9 of 10 are expected to be right where the learner has judged; else
        see `min_shown_score`.

    Examples
    --------
    >>> default_min_score([], LabelledExamples(), None) == min_shown_score(LabelledExamples())
    True
    """
    if learner is None or not any(each.label in learner.trusted for each in proposals):
        return min_shown_score(examples)
    return likely_share([proposal.score for proposal in proposals])


def propose(
    page: PageFeatures,
    examples: LabelledExamples,
    taken: Outlines,
    labels: Sequence[str] | None = None,
    progress: Progress = silent,
    *,
    name: str = "",
    learner: RegionLearner | None = None,
) -> tuple[Proposal, ...]:
    """Propose regions of a page that may be of the labels.

    Candidates are what the page's contours enclose, see `find_candidates`. Labels that the
    learner is trusted with are judged by it; for others each candidate is compared with what was
    accepted and rejected so far, see `classify_candidates`. A page's candidates are found once and
    cached with its features.

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
    learner : RegionLearner, optional
        What the collection's labelled regions teach; it knows about this page's, too.

    Returns
    -------
    tuple of Proposal
        Best first, however unlikely; see `min_shown_score`. No two of about the same place. A label
        whose examples are mostly upright boxes is proposed as boxes.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_ink
    >>> page = features_of_ink(np.ones((20, 20), bool), methods=[])
    >>> propose(page, LabelledExamples(), Outlines.of([]))  # nothing is known
    ()
    """
    taught = learner.trusted if learner is not None else frozenset()
    known = sorted({*examples.labels, *taught})
    wanted = [label for label in known if labels is None or label in labels]
    learner = learner if taught.intersection(wanted) else None
    progress(0, 1, "looking for more")
    proposals: tuple[Proposal, ...] = ()
    if wanted:
        compared = [label for label in wanted if label not in taught]
        classified = classify_candidates(page, examples, compared)
        proposals = _chosen(
            _with_learned(page, classified, wanted, compared, learner),
            examples, taken, wanted, name, learner,
        )  # fmt: skip
    progress(1, 1, "looking for more")
    return proposals


def _chosen(
    classified: ClassifiedCandidates,
    examples: LabelledExamples,
    taken: Outlines,
    labels: list[str],
    name: str,
    learner: RegionLearner | None,
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
    as_boxes = [_mostly_boxes(examples, label, learner) for label in labels]
    proposals: list[Proposal] = []
    for place, number in zip(places[order].tolist(), numbers[order].tolist(), strict=True):
        if closed[place, number]:
            continue
        iou, part = overlaps(boxes, boxes[place : place + 1])
        closed[:, number] |= part[:, 0] > PART
        closed |= (iou > SAME) | ((part > PART) & (iou > LARGE_PART))
        hull = classified.candidates.hulls[place]
        outline = bounding_ring(hull) if as_boxes[number] else hull
        like = int(classified.nearest[place, number])
        why = _why(positive[like] if like >= 0 else None, labels[number], learner)
        score = float(classified.scores[place, number])
        proposals.append(Proposal(name, labels[number], outline, score, why))
    return tuple(proposals)


def _closed(boxes: Floats, taken: Floats) -> NDArray[np.bool_]:
    """Tell which candidates are about the same as a region that is there, or a large part of
    one.
    """
    iou, part = overlaps(boxes, taken)
    return np.asarray(((iou > SAME) | ((part > PART) & (iou > LARGE_PART))).any(1))


def _rejected(
    boxes: Floats, examples: LabelledExamples, label: str, name: str
) -> NDArray[np.bool_]:
    """Tell which candidates lie where a proposal of this label was rejected."""
    outlines = [
        example.outline
        for example in examples.all
        if not example.is_positive and example.label == label and example.page == name
    ]
    return np.asarray((overlaps(boxes, Outlines.of(outlines).bounds)[0] > SAME).any(1))


def _mostly_boxes(examples: LabelledExamples, label: str, learner: RegionLearner | None) -> bool:
    if learner is not None and label in learner.trusted:
        return label in learner.boxed
    are_boxes = [
        is_box(example.outline)
        for example in examples.all
        if example.is_positive and example.label == label
    ]
    return 2 * sum(are_boxes) > len(are_boxes)


def _why(example: LabelledExample | None, label: str, learner: RegionLearner | None) -> str:
    """Tell which example a candidate resembles most, or how many regions it was judged by."""
    if example is not None:
        return f"most like the {example.label} on {example.page or 'this page'}"
    return f"learned from {counted(learner.counts[label] if learner else 0, 'region')}"


def _with_learned(
    page: PageFeatures,
    classified: ClassifiedCandidates,
    labels: list[str],
    compared: list[str],
    learner: RegionLearner | None,
) -> ClassifiedCandidates:
    """Scores of all labels: those of comparison, and in their places those that were learned."""
    if learner is None:
        return classified
    count = len(classified.candidates)
    scores, nearest = np.zeros((count, len(labels))), np.full((count, len(labels)), -1, np.int64)
    learned = learner.probabilities(page_appearance(page), learner.page_similarities(page))
    for number, label in enumerate(labels):
        if label in learner.trusted:
            scores[:, number] = learned[:, learner.labels.index(label)]
        else:
            place = compared.index(label)
            scores[:, number] = classified.scores[:, place]
            nearest[:, number] = classified.nearest[:, place]
    return replace(classified, scores=scores, nearest=nearest)
