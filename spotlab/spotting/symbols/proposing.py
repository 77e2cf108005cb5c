"""Proposes the rest of the truth from the regions that are known so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.box_pairs import pair_boxes
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.polygon import Points
from spotlab.progress import Progress, silent, track
from spotlab.spotting.symbols.learning import Lessons
from spotlab.spotting.symbols.seen import Seen
from spotlab.spotting.symbols.snapping import snapped

__all__ = ["Proposal", "propose", "snapped", "worth_showing"]

_SAME = 0.5  # overlap from which two regions are about the same thing


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
    """The score from which about every second proposal or more is accepted."""
    return 0.5


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
        Told of each label.
    name : str
        The page's name: what was rejected there never comes back.

    Returns
    -------
    tuple of Proposal
        However low the score; see `worth_showing`. No two lie on the same place.
    """
    rejected = [each.outline for each in lessons.all if not each.good and each.page == name]
    closed = np.vstack([taken.bounds, Outlines.of(rejected).bounds])
    features = _features(page)
    hulls = page.primitives.hulls
    candidates: list[Proposal] = []
    for label in track(labels or lessons.labels, progress, "looking for more"):
        good = [each for each in lessons.all if each.good and each.label == label]
        bad = [each for each in lessons.all if each.label != label or not each.good]
        if good and len(hulls):
            near = _nearest(features, [_own(each.query.seen) for each in good])
            far = _nearest(features, [_own(each.query.seen) for each in bad])
            scores = np.exp(-near) * (1 - np.exp(-far) / 2)
            candidates += [
                Proposal(name, label, hulls[place], float(scores[place]))
                for place in np.flatnonzero(scores > 0.1).tolist()
            ]
    return _without_overlaps(candidates, closed)


def _features(seen: Seen) -> NDArray[np.float64]:
    """(P, 3) what each contour's hull looks like: size, aspect, fullness."""

    def make() -> NDArray[np.float64]:
        primitives = seen.primitives
        moments = primitives.moments
        spread = moments[:, 10:11] + moments[:, 12:13]
        unlike = np.hypot(moments[:, 10] - moments[:, 12], 2 * moments[:, 11])[:, None]
        flat = unlike / np.maximum(spread, 1e-9)
        round_ = np.maximum(moments[:, :1], 1) ** 2 / (2 * np.pi * np.maximum(spread, 1e-9))
        return np.hstack([2 * np.log(primitives.sizes)[:, None], 2 * flat, 3 * round_])

    return seen.made("proposing", make)


def _own(seen: Seen) -> NDArray[np.float64]:
    """(D,) features of a model's largest contour; NaN where it has none."""
    features = _features(seen)
    if not len(features):
        return np.full(features.shape[1], np.nan)
    own: NDArray[np.float64] = features[int(seen.primitives.sizes.argmax())]
    return own


def _nearest(
    features: NDArray[np.float64], examples: list[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """(P,) distance to the nearest example; infinite where there is none."""
    found = np.full(len(features), np.inf)
    for example in examples:
        apart = np.linalg.norm(features - example, axis=1)
        found = np.fmin(found, apart)
    return found


def _without_overlaps(
    candidates: list[Proposal], closed: NDArray[np.float64]
) -> tuple[Proposal, ...]:
    """From the best down, those that lie on nothing that is known or proposed already."""
    candidates = sorted(candidates, key=lambda each: -each.score)
    boxes = Outlines.of([each.outline for each in candidates]).bounds
    free = np.ones(len(candidates), bool)
    on_known = pair_boxes(boxes, closed)
    free[on_known.first[on_known.iou >= _SAME]] = False
    pairs = pair_boxes(boxes, boxes)
    same = pairs.iou >= _SAME
    for one, other in zip(pairs.first[same], pairs.second[same], strict=True):
        if free[one] and one < other:
            free[other] = False
    return tuple(each for each, is_free in zip(candidates, free, strict=True) if is_free)
