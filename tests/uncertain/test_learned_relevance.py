"""Probability of truth from subjects who disagree: learned, and its bands hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from spotlab.consensus.accuracy import dawid_skene
from spotlab.consensus.votes import Votes
from spotlab.formats.lists.rankings import Ranking
from spotlab.studies.uncertain.study import (
    USUAL_SHIFT,
    CategoryRelevance,
    UncertainSettings,
    judge_answer,
    study_uncertainty,
)
from spotlab.uncertain_truth import judgements as module
from spotlab.uncertain_truth.answers import adapt_to_rank, returned_probability
from spotlab.uncertain_truth.judgements import CategoryTree, Judgements, category_truth, relevance

LEARNED = UncertainSettings(shift=USUAL_SHIFT["learned"], relevance="learned")


def judged(
    seed: int, subjects: int = 24, items: int = 200, categories: int = 3, each: int = 8
) -> tuple[Judgements, NDArray[np.int64]]:
    """Subjects of different accuracy, and the true category of every item, from 1."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, categories, items)
    right = rng.uniform(0.55, 0.9, subjects)
    rows = []
    for item in range(items):
        for subject in rng.permutation(subjects)[:each]:
            other = (truth[item] + rng.integers(1, categories)) % categories
            said = truth[item] if rng.random() < right[subject] else other
            rows.append((f"s{subject}", f"i{item}", f"c{said}"))
    tree = CategoryTree.of([(f"c{number}", "all") for number in range(categories)])
    return Judgements.of(tree, rows), truth + 1


def of_subjects(judgements: Judgements, chosen: NDArray[np.bool_]) -> Judgements:
    kept = chosen[judgements.subject]
    columns = (judgements.item[kept], judgements.subject[kept], judgements.category[kept])
    return Judgements(judgements.tree, judgements.items, judgements.subjects, *columns)


def test_what_is_learned_is_nearer_the_truth_than_the_shares() -> None:
    judgements, truth = judged(0)
    learned, shares = category_truth(judgements), relevance(judgements)
    assert learned.sum(axis=1) == pytest.approx(1) and (learned[:, 0] == 0).all()
    true = np.eye(4)[truth]
    assert ((learned - true)[:, 1:] ** 2).sum() < 0.5 * ((shares - true)[:, 1:] ** 2).sum()
    assert (learned.argmax(axis=1) == truth).mean() > 0.93


def test_two_categories_and_many_judgements_are_dawid_and_skene_with_two_coins() -> None:
    judgements, _ = judged(1, subjects=9, items=500, categories=2, each=9)
    rows = np.full((500, 9), np.nan)
    rows[judgements.item, judgements.subject] = judgements.category == 1
    votes = dawid_skene(Votes.of(rows, judgements.subjects))
    assert category_truth(judgements)[:, 1] == pytest.approx(votes.probability, abs=0.02)


def test_subjects_share_one_confusion_where_there_are_too_many_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judgements, truth = judged(2)
    own = category_truth(judgements)
    monkeypatch.setattr(module, "MOST_CONFUSIONS", 10)
    common = category_truth(judgements)
    assert (common != own).any() and (common.argmax(axis=1) == truth).mean() > 0.85


def test_nobody_judged_it() -> None:
    tree = CategoryTree.of([("a", "all"), ("b", "all")])
    none = Judgements.of(tree, [])
    assert category_truth(none).shape == (0, 3)
    whole = Judgements.of(tree, [("A", "1", "a"), ("A", "2", "b"), ("B", "1", "a")])
    part = of_subjects(whole, np.array([False, True]))
    assert np.isnan(category_truth(part)[1]).all()
    assert category_truth(part)[0].tolist() == [0, 1, 0]


def test_ranks_that_hold_more_relevant_items_raise_the_probabilities() -> None:
    rng = np.random.default_rng(0)
    relevant = np.arange(200) < 120
    said = np.where(rng.random(200) < 0.75, relevant, ~relevant)
    alone = np.where(said, 0.5, 0.1)  # odds of 3 and of 1/3, where a fourth is relevant
    adapted = adapt_to_rank(alone, 0.25)
    assert adapted[:60].mean() == pytest.approx(1, abs=0.12)
    assert adapted[150:].mean() == pytest.approx(0, abs=0.2)
    assert adapted.mean() == pytest.approx(0.6, abs=0.1) and alone.mean() < 0.35
    shuffled = adapt_to_rank(np.where(rng.random(4000) < 0.375, 0.5, 0.1), 0.25)
    assert shuffled.mean() == pytest.approx(0.25, abs=0.03)


def test_certain_categories_and_items_that_nobody_judged_stay() -> None:
    probability = np.array([[1.0, 1.0, np.nan], [0.0, 0.0, np.nan], [0.7, 0.2, np.nan]])
    found = returned_probability(
        probability, np.array([1.0, 0.0, 0.4]), probability, np.array([4.0, 4.0, 0.0])
    )
    np.testing.assert_array_equal(found[:2], probability[:2])
    assert np.isnan(found[2, 2]) and 0 < found[2, 1] < found[2, 0] < 1


def test_recall_has_no_bands_where_the_relevance_is_learned() -> None:
    judgements, _ = judged(4)
    ranking = Ranking("system", "c1", tuple(judgements.items[:30]))
    relevance_of = {how: CategoryRelevance.of(judgements, how) for how in ("shares", "learned")}
    learned = judge_answer(relevance_of["learned"], ranking, LEARNED)
    shares = judge_answer(relevance_of["shares"], ranking, UncertainSettings())
    assert learned is not None and shares is not None
    assert np.isnan(learned.bands.recall.middle_95).all()
    assert not np.isnan(learned.bands.recall.median).any()
    assert not np.isnan(learned.bands.precision.middle_95).any()
    assert not np.isnan(shares.bands.recall.middle_95).any()
    study = study_uncertainty(judgements, [ranking], LEARNED)
    assert any("Recall has no bands" in line for line in study.captions)


def test_bands_of_precision_hold_the_truth_where_the_plain_ones_do_not() -> None:
    """Half of the subjects find the items, the other half judges them."""
    held: dict[str, list[bool]] = {"learned": [], "shares": []}
    for seed in range(6):
        judgements, truth = judged(10 + seed)
        rng = np.random.default_rng(seed)
        chosen = rng.random(len(judgements.subjects)) < 0.5
        found, judges = (of_subjects(judgements, side) for side in (chosen, ~chosen))
        shares = np.nan_to_num(relevance(found))
        known = np.flatnonzero(judges.subject_counts > 0)
        for settings in (LEARNED, UncertainSettings(relevance="shares")):
            probable = CategoryRelevance.of(judges, settings.relevance)
            for category in (1, 2, 3):
                order = known[np.lexsort((known, -shares[known, category]))][:40]
                name = judgements.tree.categories[category]
                items = tuple(judgements.items[item] for item in order)
                answer = judge_answer(probable, Ranking("s", name, items), settings)
                assert answer is not None
                true = np.cumsum(truth[order] == category) / np.arange(1, 41)
                for cut in (10, 20, 40):
                    low, high = answer.bands.precision.middle_95[cut - 1]
                    held[settings.relevance].append(low - 1e-9 <= true[cut - 1] <= high + 1e-9)
    assert np.mean(held["learned"]) >= 0.9
    assert np.mean(held["shares"]) <= 0.6


def test_the_study_says_what_the_bands_describe() -> None:
    judgements, _ = judged(3, items=30)
    rankings = [Ranking(who, "c1", judgements.items[start : start + 20])
                for who, start in (("a", 0), ("b", 5))]  # fmt: skip
    learned, plain = (
        study_uncertainty(judgements, rankings, settings)
        for settings in (LEARNED, UncertainSettings(relevance="shares"))
    )
    assert "what is true" in learned.captions[0] and "subjects agree" in plain.captions[0]
    assert learned.comparisons[0].comparison is not None
    assert learned.means[0].precision is not None
    with pytest.raises(ValueError, match="neither auto, shares nor learned"):
        UncertainSettings(relevance="guessed")  # type: ignore[arg-type]
