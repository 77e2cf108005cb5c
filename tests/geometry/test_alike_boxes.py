"""Boxes that are nearly the same: one stands for them, or they are left out."""

from __future__ import annotations

import numpy as np

from spotlab.geometry.polygon import share_boxes, unlike


def _iou(box: np.ndarray, other: np.ndarray) -> float:
    low, high = np.maximum(box[:2], other[:2]), np.minimum(box[2:], other[2:])
    shared = np.prod(np.maximum(high - low, 0))
    return shared / (sum(np.prod(each[2:] - each[:2]) for each in (box, other)) - shared)


def _boxes(random: np.random.Generator, count: int) -> np.ndarray:
    corners = random.uniform(0, 300, (count, 2))
    return np.concatenate([corners, corners + random.uniform(20, 90, (count, 2))], axis=1)


def test_boxes_that_are_nearly_the_same_share_one() -> None:
    random = np.random.default_rng(0)
    boxes = _boxes(random, 40)
    boxes = np.concatenate([boxes, boxes + random.uniform(-2, 2, boxes.shape)])
    chosen, row = share_boxes(boxes, 0.75)
    assert len(chosen) < 60
    assert row[chosen].tolist() == list(range(len(chosen)))
    for box, owner in zip(boxes, boxes[chosen][row], strict=True):
        assert _iou(box, owner) >= 0.75


def test_those_unlike_others_share_little_with_each() -> None:
    random = np.random.default_rng(1)
    boxes, others = _boxes(random, 60), _boxes(random, 60)
    wanted = [all(_iou(box, other) < 0.3 for other in others) for box in boxes]
    assert 10 < sum(wanted) < 60
    assert unlike(boxes, others, 0.3).tolist() == wanted


def test_no_boxes_are_unlike_none() -> None:
    none = np.empty((0, 4))
    assert share_boxes(none, 0.5)[0].tolist() == []
    assert unlike(none, none, 0.5).shape == (0,)
