"""Chooses one candidate of those that are about the same place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.spotting.symbols.proposals.box_overlaps import overlaps
from spotlab.spotting.symbols.proposals.lesson import Lesson

SAME = 0.4  # overlap of boxes from which two regions are about the same thing
PART = 0.8  # of the smaller box inside the other: it may be a part of it
LARGE_PART = 0.25  # overlap from which a part of anything is closed
RIGHT = 0.5  # overlap with a region of its label from which a candidate is right
_LOWEST = 0.02  # score that is looked at


def best_of_each_place(boxes: Floats, scores: Floats, lowest: float = _LOWEST) -> Ints:
    """Choose candidates from the best down, none at the place of another.

    Parameters
    ----------
    boxes : (N, 4) float
        In px.
    scores : (N, L) float
        The best label counts.
    lowest : float
        Candidates below are not chosen.

    Returns
    -------
    (K,) int
        Best first.

    Examples
    --------
    >>> boxes = np.array([[0, 0, 10, 10], [1, 0, 10, 10], [20, 0, 30, 10.0]])
    >>> best_of_each_place(boxes, np.array([[0.5], [0.9], [0.4]])).tolist()
    [1, 2]
    """
    best, label = scores.max(1, initial=0), scores.argmax(1)
    order = np.argsort(-best, kind="stable")
    is_open = best >= lowest
    chosen = []
    for number in order.tolist():
        if not is_open[number]:
            continue
        chosen.append(number)
        iou, part = (each[:, 0] for each in overlaps(boxes, boxes[number : number + 1]))
        closed = (iou > SAME) | ((part > PART) & (iou > LARGE_PART))
        closed |= (part > PART) & (label == label[number])
        is_open &= ~closed
    return np.array(chosen, np.int64)


def judge_against(lesson: Lesson, chosen: Ints, labels: Sequence[str]) -> NDArray[np.bool_]:
    """Say which of the chosen rows of a page overlap a region of their label, each region once.

    Parameters
    ----------
    lesson : Lesson
    chosen : (K,) int
        Rows, best first.
    labels : sequence of str
        Those that they are taken for.

    Returns
    -------
    (K,) bool

    Examples
    --------
    >>> from spotlab.geometry.outlines import Outlines
    >>> square = Outlines.of([[(0, 0), (9, 0), (9, 9), (0, 9)]])
    >>> one, rows = np.ones(1), np.zeros((1, 3), np.float32)
    >>> lesson = Lesson("page", square.bounds, rows, ("bed",), one, one, square, ("bed",))
    >>> judge_against(lesson, np.array([0]), ["bed"]), judge_against(lesson, np.array([0]), ["car"])
    (array([ True]), array([False]))
    """
    iou = overlaps(lesson.boxes[chosen], lesson.regions.bounds)[0]
    free = np.ones(len(lesson.names), bool)
    names = np.array(lesson.names, object)
    right = np.zeros(len(chosen), bool)
    for place, label in enumerate(labels):
        fits = np.where(free & (names == label), iou[place], 0)
        if fits.max(initial=0) > RIGHT:
            free[fits.argmax()] = False
            right[place] = True
    return right
