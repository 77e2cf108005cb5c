"""Kinds of errors: each by hand, which comes first, at a cut, the order of the worst, counts."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.measures.matching import ERROR_KINDS, ErrorKind, classify_errors, list_errors
from tests.measures.tally_cases import Placed, box, tally_of

PAGES = {"p": 1e4, "q": 1e4}
K = ErrorKind


def strip(left: float, right: float, query: str = "a", page: str = "p") -> Placed:
    """A box of height 10, so that areas are ten times lengths."""
    return query, page, box(left, 0, right, 10)


def kinds_of(spots, regions, iou=0.5):
    """The kind of each spot."""
    found = classify_errors(tally_of(spots, regions, PAGES), iou)
    return [ERROR_KINDS[number] for number in found.kind]


def test_each_kind():
    spots = [
        strip(0, 10),  # as the region is
        strip(0, 11),  # on the same
        strip(26, 36),  # IoU .25 with the second region
        strip(50, 60),  # on one of another label
        strip(80, 90),  # on nothing
    ]
    regions = [strip(0, 10), strip(20, 30), strip(50, 60, "b"), strip(200, 210)]
    found = classify_errors(tally_of(spots, regions, PAGES))
    assert [ERROR_KINDS[number] for number in found.kind] == [
        K.CORRECT, K.DUPLICATE, K.BADLY_PLACED, K.WRONG_LABEL, K.FALSE,
    ]  # fmt: skip
    assert found.region.tolist() == [0, 0, 1, 2, -1]
    assert found.iou == pytest.approx([1, 10 / 11, 4 / 16, 1, 0])
    # the third is found by the other query only, so its own query misses it; nothing is on the last
    assert found.missed.tolist() == [False, False, True, True]


@pytest.mark.parametrize(
    ("spot", "regions", "kind"),
    [
        # right for its query, whatever it is for another
        (strip(0, 10), [strip(0, 10), strip(0, 10, "b")], K.CORRECT),
        # badly placed before of the wrong label, though it fits the other better
        (strip(0, 10), [strip(6, 16), strip(0, 10, "b")], K.BADLY_PLACED),
        # of the wrong label only from the threshold
        (strip(0, 10), [strip(4, 14, "b")], K.FALSE),
        # just .1, and just less
        (strip(0, 10), [strip(9, 10)], K.BADLY_PLACED),
        (strip(0, 10), [strip(9.01, 10)], K.FALSE),
        # of the wrong label before false: too little of its own
        (strip(0, 10), [strip(9.5, 20), strip(0, 10, "b")], K.WRONG_LABEL),
        # a region without a label is of another one
        (strip(0, 10), [strip(0, 10, "")], K.WRONG_LABEL),
        # on another page
        (strip(0, 10), [strip(0, 10, "a", "q")], K.FALSE),
    ],
)
def test_which_kind_comes_first(spot, regions, kind):
    assert kinds_of([spot], regions) == [kind]


def test_a_duplicate_comes_before_badly_placed_and_wrong_label():
    regions = [strip(0, 10), strip(8, 18), strip(0, 10, "b")]
    spots = [strip(0, 10), strip(1, 10)]
    assert kinds_of(spots, regions) == [K.CORRECT, K.DUPLICATE]


def test_the_threshold_moves_kinds():
    spots, regions = [strip(0, 10)], [strip(4, 14)]  # IoU 6/14
    assert kinds_of(spots, regions, 0.5) == [K.BADLY_PLACED]
    assert kinds_of(spots, regions, 0.4) == [K.CORRECT]


def test_a_region_that_is_taken_by_another_label_is_missed_and_unlabelled_ones_never():
    regions = [strip(0, 10, "b"), strip(50, 60, "")]
    found = classify_errors(tally_of([strip(0, 10, "a")], regions, PAGES))
    assert found.missed.tolist() == [True, False]


def test_a_badly_placed_spot_is_about_the_region_it_is_most_on():
    regions = [strip(0, 10), strip(14, 24)]
    found = classify_errors(tally_of([strip(8, 20)], regions, PAGES))  # IoU 2/20 and 6/16
    assert found.region.tolist() == [1]
    assert found.missed.tolist() == [True, False]


def test_a_cut_leaves_later_spots_out_and_lets_their_regions_be_missed():
    spots = [strip(0, 10), strip(0, 10), strip(50, 60), strip(0, 10, "b")]
    regions = [strip(0, 10), strip(50, 60), strip(0, 10, "b")]
    tally = tally_of(spots, regions, PAGES)
    whole = classify_errors(tally)
    cut = whole.at(np.array([1, 0]))
    assert not whole.missed.any()
    assert whole.kept.all()
    assert cut.kept.tolist() == [True, False, False, False]
    assert cut.missed.tolist() == [False, True, True]
    assert cut.count(K.CORRECT).tolist() == [1, 0]
    assert cut.count(K.DUPLICATE).tolist() == [0, 0]
    assert cut.count(K.MISSED).tolist() == [1, 1]
    assert cut.kind is whole.kind  # nothing is computed, nor kept, twice
    assert cut.wrong_area is whole.wrong_area
    two = whole.at(np.array([2, 9]))
    assert two.count(K.DUPLICATE).tolist() == [1, 0]
    assert two.count(K.MISSED).tolist() == [1, 0]


def test_counts_add_up():
    random = np.random.default_rng(3)
    spots, regions = (
        [
            strip(left, left + random.integers(5, 15), *random.choice(list("abc"), 1))
            for left in random.integers(0, 100, number).tolist()
        ]
        for number in (60, 20)
    )
    tally = tally_of(spots, regions, PAGES, ["nothing"])
    found = classify_errors(tally)
    of_spots = sum(found.count(kind) for kind in ERROR_KINDS if kind is not K.MISSED)
    assert of_spots.tolist() == np.diff(tally.starts).tolist()
    assert found.count(K.CORRECT).sum() == len(set(found.region[found.kind == 0].tolist()))
    assert [int(found.count(kind)[tally.queries.index("nothing")]) for kind in ERROR_KINDS] == [
        0
    ] * 7
    assert len(found.worst) == len(tally) - found.count(K.CORRECT).sum() + found.missed.sum()


def test_the_worst_comes_first():
    spots = [
        strip(0, 10),  # right
        strip(0, 12),  # duplicate: 120 covered twice
        strip(107, 120),  # badly placed on 100 … 110: 30 of 200 shared, so 70 + 100 wrong
        strip(200, 206),  # false: 60
        strip(305, 335),  # of the wrong label: 300, none of its own
        strip(500, 518.5),  # false: 185
    ]
    regions = [strip(0, 10), strip(100, 110), strip(400, 450), strip(305, 330, "b")]
    tally = tally_of(spots, regions, PAGES)
    found = classify_errors(tally)
    assert [(each.kind, each.spot, each.region) for each in found.worst] == [
        (K.MISSED, None, 2),
        (K.WRONG_LABEL, 4, None),
        (K.MISSED, None, 3),
        (K.FALSE, 5, None),
        (K.BADLY_PLACED, 2, None),
        (K.DUPLICATE, 1, None),
        (K.FALSE, 3, None),
    ]
    rows = list_errors(found)
    assert [ERROR_KINDS[number] for number in rows.kind] == [each.kind for each in found.worst]
    assert rows.spot.tolist() == [-1, 4, -1, 5, 2, 1, 3]
    assert rows.region.tolist() == [2, -1, 3, -1, -1, -1, -1]
    assert rows.query.tolist() == [0, 0, 1, 0, 0, 0, 0]
    assert rows.within(np.array([3, 0])).tolist() == [0, 2, 4, 5]
    assert rows.within(np.array([9, 9]), query=1).tolist() == [2]
    chosen = rows.of_kinds(rows.within(np.array([9, 9])), [K.MISSED, K.FALSE])
    assert chosen.tolist() == [0, 2, 3, 6]
    assert rows.count(chosen)[K.MISSED] == 2


def test_a_false_spot_counts_what_is_outside_its_truth():
    spots = [strip(0, 100), strip(200, 297)]  # 5 of the first's 100 are truth of its query
    found = classify_errors(tally_of(spots, [strip(0, 5)], PAGES))
    assert [(each.kind, each.spot) for each in found.worst] == [
        (K.FALSE, 1), (K.FALSE, 0), (K.MISSED, None),
    ]  # fmt: skip


def test_nothing_at_all():
    found = classify_errors(tally_of([], [], PAGES, ["a"]))
    assert len(found.worst) == 0
    assert found.count(K.MISSED).tolist() == [0]
    assert len(list_errors(found)) == 0
