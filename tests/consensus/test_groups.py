"""Systems that err together: found, declared, corrected; a contest whose outcome is known."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from spotlab.consensus.accuracy import find_patterns
from spotlab.consensus.agreement import (
    Groups,
    declared_groups,
    find_groups,
    fit_grouped,
    measure_agreement,
)
from spotlab.consensus.comparison import kendall
from spotlab.consensus.precision import consensus_of, figures_with_truth, gram_of, uniform_weights
from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import VoteTable
from spotlab.formats.votes.reading import read_votes
from spotlab.lab.draw.contest import THREE_ENGINES, Contest, ContestEngine, simulate_contest
from spotlab.progress import silent
from spotlab.studies.systems.comparison import compare_systems
from spotlab.studies.systems.comparison_json import as_json
from tests.consensus.corrected import PROBABILITIES, corrected

SEEDS = range(14)
CONTEST = Path(__file__).resolve().parents[2] / "datasets" / "votes" / "contest.csv"


@cache
def contest(seed: int) -> Contest:
    return simulate_contest(seed=seed)


@cache
def found_groups(seed: int) -> Groups:
    return find_groups(contest(seed).votes)


def true_f(game: Contest) -> np.ndarray:
    return figures_with_truth(game.votes, game.truth)[2]


def right_across(f: np.ndarray, truth: np.ndarray, engine: tuple[str, ...]) -> float:
    """Share of the pairs from the first and the second engine that are in the true order."""
    first = np.array(engine) == engine[0]
    pairs = (f[first][:, None] > f[~first]) == (truth[first][:, None] > truth[~first])
    return float(pairs.mean())


def test_the_papers_formula_turns_the_engines_round() -> None:
    """Opposite phase (§4.3): within an engine the order is right, across engines it is wrong."""
    across, within = [], []
    for seed in SEEDS:
        game = contest(seed)
        f, truth = consensus_of(gram_of(game.votes), uniform_weights(24)).f, true_f(game)
        across.append(right_across(f, truth, game.engine))
        engine = np.array(game.engine)
        within += [kendall(f[engine == name], truth[engine == name]) for name in set(engine)]
    assert np.median(across) < 0.25
    assert np.median(within) > 0.85


@pytest.mark.slow
def test_found_groups_repair_it() -> None:
    taus = {name: [] for name in PROBABILITIES}
    for seed in SEEDS:
        game, groups = contest(seed), found_groups(seed)
        assert "12 of 24 systems" in groups.warning and "biased 1" in groups.warning
        biased = groups.label[12:]
        assert (biased == biased[0]).all() and not (groups.label[:12] == biased[0]).any()
        for name, values in taus.items():
            values.append(kendall(corrected(game.votes, groups, name).f, true_f(game)))
    assert np.median(taus["grouped_latent_class"]) >= 0.95
    assert np.median(taus["leave_group_out"]) >= 0.93


def test_with_three_declared_groups_the_order_is_right() -> None:
    taus = []
    for seed in SEEDS:
        game = simulate_contest(THREE_ENGINES, seed=seed)
        groups = declared_groups(game.votes.systems, game.engine)
        assert not groups.only_two
        taus.append(kendall(corrected(game.votes, groups, "grouped_latent_class").f, true_f(game)))
    assert np.median(taus) >= 0.93


def test_two_declared_groups_cannot_be_ordered_and_say_so() -> None:
    game = contest(0)
    groups = declared_groups(game.votes.systems, game.engine)
    assert groups.only_two and "two groups" in groups.warning
    found = corrected(game.votes, groups, "grouped_latent_class")
    assert "within a group" in found.assumption
    assert kendall(found.f, true_f(game)) < 0.6


def test_exactly_two_groups_are_found_and_warned_of() -> None:
    """Both engines always err their own way: nobody stands outside who could judge them."""
    twins = [ContestEngine("a", 5, 0.7, 0.98), ContestEngine("b", 5, 0.7, 0.98)]
    game = simulate_contest(twins, seed=1)
    groups = find_groups(game.votes)
    assert groups.label.tolist() == [0] * 5 + [1] * 5
    assert groups.only_two and "two groups" in groups.warning


def test_independent_systems_are_no_group() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random((3000, 1)) < 0.4
    votes = np.where(rng.random((3000, 8)) < rng.uniform(0.7, 0.9, 8), truth, ~truth)
    groups = find_groups(Votes.of(votes, list("abcdefgh")))
    assert not groups.together and groups.warning is None
    assert groups.evidence[-1].groups == 8
    assert groups.names == tuple("abcdefgh")


def test_the_best_cut_has_the_smallest_evidence() -> None:
    groups = found_groups(0)
    best = min(groups.evidence, key=lambda cut: cut.bic)
    assert best.groups == len(groups.names)
    assert [cut.groups for cut in groups.evidence] == list(range(2, 25))


def test_many_items_are_drawn_from_and_the_groups_say_so() -> None:
    votes = contest(0).votes
    often = votes.take(np.tile(np.arange(len(votes)), 2))
    groups = find_groups(often)
    assert groups.items == 5_000 < len(often)
    assert (groups.label[12:] == groups.label[12]).all()


def test_more_systems_than_can_be_tried_are_cut_coarsely_then_finely() -> None:
    rng = np.random.default_rng(3)
    truth = rng.random((400, 1)) < 0.5
    opinion = np.where(rng.random((400, 1)) < 0.6, truth, ~truth)
    alone = np.where(rng.random((400, 30)) < 0.75, truth, ~truth)
    herd = np.where(rng.random((400, 15)) < 0.93, opinion, ~opinion)
    groups = find_groups(Votes.of(np.hstack([alone, herd]), [f"s{index}" for index in range(45)]))
    assert (groups.label[30:] == groups.label[30]).all()
    assert groups.sizes[groups.label[30]] == 15
    assert len(groups.evidence) < 40
    counts = [cut.groups for cut in groups.evidence]
    best = counts.index(len(groups.names))
    assert counts[best + 1] - counts[best - 1] <= 2  # both neighbours were tried


def test_strangers_are_not_grouped() -> None:
    votes = np.full((40, 10), np.nan)
    for system in range(10):
        votes[system * 4 : system * 4 + 4, system] = [1, 0, 1, 0]
    groups = find_groups(Votes.of(votes, [f"s{index}" for index in range(10)]))
    assert not groups.together and "too few items" in groups.remark


@pytest.mark.parametrize("systems", [0, 1, 2])
def test_few_systems_are_no_groups(systems: int) -> None:
    votes = Votes.of(np.ones((4, systems)), [f"s{index}" for index in range(systems)])
    groups = find_groups(votes)
    assert groups.label.tolist() == list(range(systems)) and groups.warning is None


def test_one_declared_group_is_warned_of_and_not_corrected() -> None:
    votes = Votes.of([[1, 0], [1, 1]], ["a", "b"])
    groups = declared_groups(votes.systems, ["x", "x"])
    assert "one group" in groups.warning and not groups.only_two
    found = corrected(votes, groups, "leave_group_out")
    assert "nothing is corrected" in found.assumption
    assert found.precision.tolist() == [0.75, 1.0]


def test_systems_alone_are_judged_as_by_dawid_and_skene() -> None:
    """The grouped model by hand: every system alone, one round of Bayes from its own figures."""
    votes = Votes.of([[1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 1, 0]] * 5, ["a", "b", "c"])
    table = find_patterns(votes)
    fit = fit_grouped(table, np.arange(3))
    p, rows = fit.probability[table.of_item], votes.dense()
    sensitivity = (rows.T @ p + 2) / (p.sum() + 3)
    specificity = ((1 - rows).T @ (1 - p) + 2) / ((1 - p).sum() + 3)
    share = (p.sum() + 1) / (len(p) + 2)
    for row, probability in zip(rows, p, strict=True):
        yes = share * np.where(row == 1, sensitivity, 1 - sensitivity).prod()
        no = (1 - share) * np.where(row == 1, 1 - specificity, specificity).prod()
        assert probability == pytest.approx(yes / (yes + no), abs=1e-3)


def test_corrections_leave_unknown_items_out() -> None:
    votes = Votes.of([[1, 1, np.nan], [np.nan] * 3, [0, 1, 1]], ["a", "b", "c"])
    groups = declared_groups(votes.systems, ["x", "x", "y"])
    others = corrected(votes, groups, "leave_group_out")
    assert others.precision.tolist() == pytest.approx([np.nan, 1.0, 0.5], nan_ok=True)


def test_a_group_for_every_system_has_to_be_declared() -> None:
    votes = Votes.of([[1, 0]], ["a", "b"])
    with pytest.raises(ValueError, match="1 groups are declared for 2 systems"):
        declared_groups(votes.systems, ["x"])


def sample() -> VoteTable:
    return read_votes([CONTEST], progress=silent)


@pytest.mark.parametrize("group_by", [None, "engine"])
def test_the_warning_names_the_biased_group_of_the_sample_first_and_all_others(
    group_by: str | None,
) -> None:
    comparison = compare_systems(sample(), group_by=group_by)
    warning = comparison.warnings[0]
    assert warning.startswith("8 of 24 systems vote much alike (biased 1, ")
    places = [warning.index(name) for name in ("biased 1", "middling 1", "good 1")]
    assert places == sorted(places)
    found = json.loads(json.dumps(as_json(comparison)))["found_groups"]
    assert found["warning"] == comparison.found.warning
    excess = np.subtract(found["agreement"], found["expected_agreement"])
    assert excess.argmax() == comparison.found.label[-1]  # of "biased 8"


def test_groups_that_only_are_right_lie_where_they_are_expected() -> None:
    """Good systems beside bad ones agree much, and no more than their being right explains."""
    rng = np.random.default_rng(1)
    truth = rng.random((20_000, 1)) < 0.5
    right = np.array([0.95, 0.95, 0.95, 0.7, 0.7, 0.7, 0.8, 0.8])
    votes = np.where(rng.random((len(truth), 8)) < right, truth, ~truth)
    shared = truth[:, 0] ^ (rng.random(len(truth)) < 0.25)
    votes[:, 3:6] = shared[:, None] ^ (rng.random((len(truth), 3)) < 0.1)
    votes = Votes.of(votes, list("abcdefgh"))
    groups = declared_groups(votes.systems, list("gggbbbxx"), measure_agreement(votes))
    assert groups.observed is not None and groups.expected is not None
    excess = dict(zip(groups.names, groups.observed - groups.expected, strict=True))
    assert abs(excess["g"]) < 0.03 and abs(excess["x"]) < 0.03 and excess["b"] > 0.3
    assert groups.names[groups.suspicion[0]] == "b"
    assert groups.observed[0] > groups.observed[1]  # those that agree most are the good ones


def test_groups_of_unknown_agreement_are_all_named_the_largest_first() -> None:
    groups = declared_groups(list("abcdefg"), ["x", "x", "y", "y", "y", "z", "w"])
    assert groups.warning is not None
    assert groups.warning.startswith("3 of 7 systems vote much alike (c, d, e); so do 2 (a, b). ")
