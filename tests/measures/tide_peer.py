"""ΔAP of TIDE by its own package, tidecv 1.0.1, for tests; skips the test where it is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pytest

from spotlab.measures.tide import MAIN_KINDS, TIDE_KINDS, TideErrors
from tests.measures.tally_cases import Placed, Ring

NONE = 10**9  # spots of a page that take part: all


class Peer(NamedTuple):
    """Mean AP, and ΔAP and number of errors by TIDE's short names; AP in [0, 100]."""

    ap: float
    gains: Mapping[str, float]
    counts: Mapping[str, int]


def by_tidecv(
    spots: Sequence[Placed],
    regions: Sequence[Placed],
    scores: Sequence[float],
    pages: Iterable[str],
    iou: float = 0.5,
    most: int = NONE,
) -> Peer:
    """What tidecv says of boxes; of equal scores those on earlier pages come first."""
    reason = "tidecv, which needs opencv-python, is not installed"
    tidecv = pytest.importorskip("tidecv", reason=reason)
    labels = {name: at for at, name in enumerate(sorted({each[0] for each in (*spots, *regions)}))}
    truth, found = tidecv.Data("truth", max_dets=most), tidecv.Data("run", max_dets=most)
    for data in (truth, found):
        for name, number in labels.items():
            data.add_class(number, name)
    for page in pages:
        truth.add_image(page, page)
    for label, page, ring in regions:
        truth.add_ground_truth(page, labels[label], box=_sides(ring))
    for (query, page, ring), score in zip(spots, scores, strict=True):
        found.add_detection(page, labels[query], float(score), box=_sides(ring))
    tide = tidecv.TIDE(pos_threshold=iou, mode=tidecv.TIDE.BOX)
    run = tide.evaluate(truth, found)
    errors = tide.get_all_errors()
    counts = {kind.short_name: count for kind, count in run.count_errors().items()}
    return Peer(run.ap, {**errors["main"]["run"], **errors["special"]["run"]}, counts)


def is_same(ours: TideErrors, theirs: Peer) -> None:
    """Check everything to 1e-6 points of AP, and all counts."""
    mean = ours.mean()
    assert mean is not None
    assert 100 * mean == pytest.approx(theirs.ap, abs=1e-6)
    for kind in TIDE_KINDS:
        gain = ours.gain(kind)
        assert gain is not None
        assert 100 * gain == pytest.approx(theirs.gains[kind.short], abs=1e-6), kind
    assert {kind.short: ours.count(kind).sum() for kind in MAIN_KINDS} == dict(theirs.counts)


def _sides(ring: Ring) -> list[float]:
    points = np.asarray(ring, np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    return [*low.tolist(), *(high - low).tolist()]
