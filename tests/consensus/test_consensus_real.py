"""Real systems beside their truth: the figures that were measured of them come out again."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from spotlab.consensus.agreement import find_groups
from spotlab.consensus.answers import KnownAnswers, estimate_with_answers, next_items
from spotlab.consensus.comparison import kendall
from spotlab.consensus.precision import figures_with_truth, item_probability, vote_share_weights
from spotlab.consensus.votes import Votes
from spotlab.formats.votes import VoteTable, read_votes
from spotlab.studies.systems.comparison import compare_systems
from tests.consensus.corrected import corrected
from tests.consensus.real_cases import LEAST, RealCase, RealTable, compare_with_truth

DATA = Path(__file__).resolve().parents[3] / "shared/data"
CROWDS = DATA / "crowd_labels"


def bluebirds() -> VoteTable:
    """Votes that are kept as worker: {item: bool}."""
    folder = CROWDS / "bluebirds"
    pair = re.compile(r"(\d+): (true|false)")
    truth = {item: yes == "true" for item, yes in pair.findall((folder / "gt.yaml").read_text())}
    places = {item: place for place, item in enumerate(truth)}
    item, system, vote, names = [], [], [], []
    text = (folder / "labels.yaml").read_text()
    for name, body in re.findall(r"(\d+): \{([^}]*)\}", text):
        for what, yes in pair.findall(body):
            item.append(places[what])
            system.append(len(names))
            vote.append(float(yes == "true"))
        names.append(name)
    votes = Votes.of(Votes.sparse(item, system, len(truth), names, vote).dense(), names)
    return VoteTable(votes, tuple(truth), truth=np.array([*truth.values()], float))


def crowd(folder: str, yes: str = "") -> VoteTable:
    path = CROWDS / folder
    return read_votes([path / "answer.csv", path / "truth.csv"], yes=[yes] if yes else ())


READ = {
    "trec@20": lambda: [read_votes(DATA / "trec_robust03", depth=20)],
    "trec@100": lambda: [read_votes(DATA / "trec_robust03", depth=100)],
    "kant": lambda: [read_votes(DATA / "kant_ocr_systems")],
    "bluebirds": lambda: [bluebirds()],
    "product": lambda: [crowd("d_jn-product")],
    "dogs": lambda: [crowd("s4_Dog_data", breed) for breed in "0123"],
}
FOLDER = {"kant": "kant_ocr_systems", "trec@20": "trec_robust03", "trec@100": "trec_robust03"}

# τ of F, errors of P and of R: as measured when the methods were chosen
MEASURED = {
    ("trec@20", "paper"): (0.39, 0.10, 0.04),
    ("trec@20", "dawid_skene"): (0.39, None, None),
    ("trec@100", "paper"): (0.24, 0.30, 0.12),
    ("trec@100", "dawid_skene"): (0.22, None, None),
    ("kant", "paper"): (0.62, 0.07, 0.12),
    ("kant", "share"): (0.62, 0.06, 0.06),
    ("kant", "dawid_skene"): (0.52, None, None),
    ("bluebirds", "paper"): (0.66, 0.18, 0.10),
    ("bluebirds", "dawid_skene"): (0.85, 0.06, 0.05),
}
AT_LEAST = {
    ("bluebirds", "dawid_skene"): 0.82,
    ("product", "dawid_skene"): 0.72,
    ("dogs", "dawid_skene"): 0.64,
    ("kant", "answers"): 0.9,
    ("bluebirds", "answers"): 0.88,
}


@cache
def case(name: str) -> RealCase:
    folder = DATA / FOLDER.get(name, "crowd_labels")
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    return RealCase(name, tuple(READ[name]()))


@cache
def table(name: str) -> RealTable:
    return compare_with_truth([case(name)], seeds=15 if (name, "answers") in AT_LEAST else 3)


@pytest.mark.parametrize(("name", "method"), MEASURED)
def test_what_was_measured_comes_out_again(name: str, method: str) -> None:
    near = table(name).at(name, method).nearness
    found = (near.kendall, near.precision_error, near.recall_error)
    for figure, expected in zip(found, MEASURED[name, method], strict=True):
        assert expected is None or figure == pytest.approx(expected, abs=0.0101)


@pytest.mark.parametrize(("name", "method"), AT_LEAST)
def test_the_order_comes_near_the_true_one(name: str, method: str) -> None:
    near = table(name).at(name, method).nearness
    assert near.kendall >= AT_LEAST[name, method]


def test_few_voters_are_not_compared_but_they_vote() -> None:
    product, dogs = case("product"), case("dogs")
    assert (len(product.votes.systems), len(product.compared)) == (176, 97)
    assert (len(dogs.votes.systems), len(dogs.compared)) == (109, 69)
    assert len(dogs.votes) == 4 * 807
    assert dogs.truth.sum() == 807  # every image is of one breed


def test_an_automatic_correction_would_harm_the_bluebirds() -> None:
    """They agree because they are competent: why corrections are offered, and not applied."""
    votes, truth = case("bluebirds").votes, case("bluebirds").truth
    true_f = figures_with_truth(votes, truth)[2]
    plain = item_probability(votes, vote_share_weights(len(votes.systems)))
    before = kendall(figures_with_truth(votes, plain)[2], true_f)
    groups = find_groups(votes)
    assert groups.warning is not None and "or they are all good" in groups.warning
    assert kendall(corrected(votes, groups, "leave_group_out").f, true_f) < before - 0.1


@pytest.mark.parametrize(("name", "draws"), [("kant", 10), ("bluebirds", 10), ("product", 2)])
def test_intervals_with_fifty_answers_hold_the_true_figures(name: str, draws: int) -> None:
    """Also where 176 systems outnumber the answers."""
    votes, truth = case(name).votes, case(name).truth
    share = item_probability(votes, vote_share_weights(len(votes.systems)))
    held = []
    for seed in range(draws):
        draw = next_items(votes, share, [], 50, seed)
        found = estimate_with_answers(votes, KnownAnswers.none().with_draw(draw, truth[draw.items]))
        intervals = (found.precision_interval, found.recall_interval, found.f_interval)
        for interval, true in zip(intervals, figures_with_truth(votes, truth), strict=True):
            defined = ~np.isnan(true)
            low, high = interval[defined].T
            held.append(np.mean((low <= true[defined] + 1e-9) & (true[defined] - 1e-9 <= high)))
    assert np.mean(held) >= 0.9


@pytest.mark.parametrize(
    ("name", "least"), [("bluebirds", 0.9), ("product", 0.9), ("kant", 0.85), ("trec@20", 0.9)]
)
def test_intervals_without_answers_hold_the_true_figures(name: str, least: float) -> None:
    real = case(name)
    found = compare_systems(real.parts[0], min_votes=LEAST)
    shown, truth = found.recommended, found.truth
    assert shown.intervals is not None and truth is not None and found.superiority is not None
    for ends, true in (
        (shown.intervals.precision, truth.precision),
        (shown.intervals.recall, truth.recall),
        (shown.intervals.f, truth.f),
    ):
        defined = ~(np.isnan(true) | np.isnan(ends[:, 0]))
        low, high = ends[defined].T
        assert np.mean((low <= true[defined] + 1e-9) & (true[defined] <= high + 1e-9)) >= least
    better = np.argwhere(
        (found.superiority >= 0.95) & ~np.isnan(truth.f) & ~np.isnan(truth.f[:, None])
    )
    right = [truth.f[one] > truth.f[other] for one, other in better.tolist()]
    assert not right or np.mean(right) >= 0.93


@pytest.mark.parametrize(("name", "behind"), [("bluebirds", -0.15), ("product", -0.1)])
def test_the_recommended_estimate_orders_better_than_the_majority(name: str, behind: float) -> None:
    found = compare_systems(case(name).parts[0], min_votes=LEAST)
    (majority,) = (each for each in found.methods if each.name == "majority")
    assert found.recommended.name == "shared_errors"
    near, other = found.recommended.nearness, majority.nearness
    assert near is not None and other is not None
    assert near.kendall is not None and other.kendall is not None
    assert other.kendall - near.kendall <= behind + 0.03
    assert near.precision_error is not None and other.precision_error is not None
    assert near.precision_error < other.precision_error


def small(truth: object, votes: object = ((1, 0), (0, 1))) -> VoteTable:
    array = None if truth is None else np.array(truth, float)
    return VoteTable(Votes.of(votes, ["a", "b"]), ("x", "y"), truth=array)


def test_items_without_truth_are_left_out_of_both_sides() -> None:
    part = small([1, np.nan])
    only = RealCase("one", (part,), least=0)
    assert only.truth.tolist() == [1.0] and only.votes.dense().tolist() == [[1.0, 0.0]]


def test_a_case_that_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="no truth"):
        RealCase("none", (small(None),))
    other = VoteTable(Votes.of([[1, 0]], ["a", "c"]), ("x",), truth=np.ones(1))
    with pytest.raises(ValueError, match="same systems"):
        RealCase("two", (small([1, 0]), other))
