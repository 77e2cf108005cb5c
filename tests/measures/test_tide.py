"""TIDE's kinds and ΔAP: by hand, against tidecv on random boxes, and its values as literals."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.measures.tide import MAIN_KINDS, TIDE_KINDS, TideKind, tide_errors
from tests.measures.tally_cases import Placed, box, tally_of
from tests.measures.tide_peer import NONE, by_tidecv, is_same

K = TideKind
PAGES = {"p": 1e6, "q": 1e6, "r": 1e6}


def strip(left: float, right: float, query: str = "a", page: str = "p") -> Placed:
    """A box of height 10, so that areas are ten times lengths."""
    return query, page, box(left, 0, right, 10)


def random_case(seed: int) -> tuple[list[Placed], list[Placed], list[float]]:
    """Boxes of five labels on three pages: near regions, of another label, anywhere; some tied."""
    random = np.random.default_rng(seed)

    def anywhere(labels: str) -> Placed:
        left, top = random.integers(0, 300, 2).tolist()
        wide, high = random.integers(10, 60, 2).tolist()
        place = str(random.choice(list(PAGES)))
        return str(random.choice(list(labels))), place, box(left, top, left + wide, top + high)

    regions = [anywhere("abcd") for _ in range(random.integers(1, 60))]
    spots = []
    for _ in range(random.integers(1, 150)):
        label, page, ring = regions[random.integers(len(regions))]
        if random.random() < 0.3:
            spots.append(anywhere("abcde"))
            continue
        if random.random() < 0.3:
            label = str(random.choice(list("abcde")))
        (left, top), (right, bottom) = np.array(ring)[[0, 2]] + random.normal(0, 4, (2, 2))
        spots.append((label, page, box(left, top, max(right, left + 1), max(bottom, top + 1))))
    scores = np.round(random.random(len(spots)), int(random.integers(1, 7)))
    order = np.lexsort((-scores, [query for query, _, _ in spots]))
    return [spots[at] for at in order], regions, scores[order].tolist()


@pytest.mark.parametrize("seed", range(21))
def test_the_same_as_tidecv(seed: int) -> None:
    spots, regions, scores = random_case(seed)
    most, iou = (NONE, 100, 10)[seed % 3], (0.5, 0.5, 0.75)[seed % 3]
    tally = tally_of(spots, regions, PAGES, (), scores)
    ours = tide_errors(tally, iou, most=None if most == NONE else most)
    is_same(ours, by_tidecv(spots, regions, scores, PAGES, iou, most))


# tidecv 1.0.1 on random_case(seed) with all spots and IoU .5: AP, then ΔAP of Cls, Loc, Both, Dupe,
# Bkg, Miss, FalsePos, FalseNeg, in points; printed by by_tidecv on Python 3.11 with numpy 2.4
LITERALS: dict[int, tuple[float, ...]] = {
    1: (34.811809862, 2.100534264, 1.296013899, 1.868403731, 2.91051237, 13.998067077, 3.911497963,
        32.910962415, 6.284592415),
    2: (28.458582295, 5.374365835, 8.804559462, 4.081310916, 3.163687393, 3.551045041, 6.111235471,
        25.99686325, 13.275829146),
    8: (22.275922098, 8.267918266, 15.548617298, 2.216727167, 1.174448149, 2.596719013, 4.32705908,
        21.684473942, 17.214231313),
    21: (35.713514209, 2.674824625, 11.263769234, 1.845184518, 1.239552527, 10.225979741,
         2.376237624, 31.019159059, 9.231494578),
}  # fmt: skip


@pytest.mark.parametrize("seed", LITERALS)
def test_the_values_of_tidecv(seed: int) -> None:
    spots, regions, scores = random_case(seed)
    ours = tide_errors(tally_of(spots, regions, PAGES, (), scores))
    found = [ours.mean(), *(ours.gain(kind) for kind in TIDE_KINDS)]
    assert [100 * float(value or 0) for value in found] == pytest.approx(LITERALS[seed], abs=1e-6)


def test_each_kind_and_what_mending_it_gains() -> None:
    spots = [
        strip(0, 10),  # right
        strip(0, 11),  # on the same: duplicate
        strip(26, 36),  # IoU .25 with the second region: badly placed
        strip(80, 90),  # on nothing
        strip(54, 64),  # IoU .43 with a region of b: both
        strip(200, 210),  # on a region of b
    ]
    regions = [
        strip(0, 10), strip(20, 30), strip(300, 310),
        strip(50, 60, "b"), strip(200, 210, "b"),
    ]  # fmt: skip
    found = tide_errors(tally_of(spots, regions, PAGES))
    assert [None if kind < 0 else TIDE_KINDS[kind] for kind in found.kind] == [
        None, K.DUPLICATE, K.BADLY_PLACED, K.BACKGROUND, K.BOTH, K.WRONG_LABEL,
    ]  # fmt: skip
    assert found.region.tolist() == [0, 0, 1, -1, 3, 4]
    assert found.missed.tolist() == [False, False, True, True, False]
    assert found.unmatched.tolist() == [False, True, True, True, True]
    # a: 1 of 3 regions at precision 1: 34 of 101 recalls; b has regions but no spot
    assert found.average_precision == pytest.approx([34 / 101, 0])
    assert found.mean() == pytest.approx(17 / 101)
    assert found.count(K.FALSE_POSITIVE).tolist() == [5, 0]
    assert found.count(K.FALSE_NEGATIVE).tolist() == [2, 2]
    # the third spot finds the second region at precision 2/3: 33 recalls more
    assert found.gain(K.BADLY_PLACED, 0) == pytest.approx(33 * (2 / 3) / 101)
    # the last spot becomes the only one of b, and finds 1 of its 2 regions
    assert found.gain(K.WRONG_LABEL, 1) == pytest.approx(51 / 101)
    assert found.gain(K.WRONG_LABEL, 0) == 0
    # one region of a less: 1 of 2
    assert found.gain(K.MISSED, 0) == pytest.approx((51 - 34) / 101)
    # none of b is missed but one; none is right either
    assert found.gain(K.MISSED, 1) == 0
    assert found.gain(K.FALSE_NEGATIVE, 0) == pytest.approx((101 - 34) / 101)
    for kind in (K.DUPLICATE, K.BACKGROUND, K.BOTH, K.FALSE_POSITIVE):
        assert found.gain(kind) == pytest.approx(0)  # all come after what is right


def test_a_label_of_which_nothing_is_left_leaves_the_mean() -> None:
    """A query without truth has AP 0; once its background spots are dropped it has no AP."""
    found = tide_errors(tally_of([strip(0, 10), strip(0, 10, "z", "q")], [strip(0, 10)], PAGES))
    assert found.mean() == pytest.approx(0.5)
    assert found.gain(K.BACKGROUND) == pytest.approx(0.5)
    assert found.gain(K.BACKGROUND, 1) is None  # of the query itself nothing is left


def test_a_cut_leaves_later_spots_out() -> None:
    spots, regions = [strip(80, 90), strip(0, 10)], [strip(0, 10)]
    tally = tally_of(spots, regions, PAGES)
    assert tide_errors(tally).mean() == pytest.approx(0.5)
    cut = tide_errors(tally, counts=np.array([1]))
    assert (cut.mean(), cut.kind.tolist(), cut.region.tolist()) == (0, [4, -1], [-1, -1])
    assert cut.missed.tolist() == [True]


def test_without_scores_ranks_order_the_spots() -> None:
    spots, regions, _ = random_case(4)
    ranked = [-float(rank) for rank in range(len(spots))]
    by_score = tide_errors(tally_of(spots, regions, PAGES, (), ranked))
    tally = tally_of(spots, regions, PAGES, (), ranked)
    tally.score[:] = np.nan
    by_rank = tide_errors(tally)
    assert by_rank.average_precision == pytest.approx(by_score.average_precision, nan_ok=True)


def test_regions_without_a_label_take_no_part() -> None:
    found = tide_errors(tally_of([strip(0, 10)], [strip(0, 10, ""), strip(50, 60)], PAGES))
    assert TIDE_KINDS[found.kind[0]] is K.BACKGROUND
    assert found.missed.tolist() == [False, True]


def test_nothing_at_all() -> None:
    found = tide_errors(tally_of([], [], PAGES, ["a"]))
    assert found.mean() is None
    assert [found.gain(kind) for kind in MAIN_KINDS] == [None] * 6
    assert found.count(K.MISSED).tolist() == [0]
