"""Systems compared by their votes: methods, weights, groups, doubts, by hand and brute force."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.arrays import Floats
from spotlab.consensus.accuracy import dawid_skene
from spotlab.consensus.votes import Votes
from spotlab.formats.votes import VoteTable, read_votes
from spotlab.studies.systems.comparison import SystemComparison, compare_systems, most_disputed
from spotlab.studies.systems.comparison_json import as_json
from spotlab.studies.systems.voters import weigh, with_system

NAMES = ("a", "b", "c", "d")


def table_of(votes: Floats, truth: Floats | None = None, **more: object) -> VoteTable:
    items = tuple(f"i{number}" for number in range(len(votes)))
    systems = tuple(f"s{number}" for number in range(votes.shape[1]))
    return VoteTable(Votes.of(votes, systems), items, truth=truth, **more)  # type: ignore[arg-type]


def contest(seed: int, engines: int = 2, each: int = 6, items: int = 600) -> VoteTable:
    """Systems of a few engines that make their engine's errors and some of their own."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(items) < 0.5).astype(np.float64)
    columns = []
    for engine in range(engines):
        heard = np.where(rng.random(items) < 0.3 - 0.2 * engine / engines, 1 - truth, truth)
        for own in range(each):
            columns.append(np.where(rng.random(items) < 0.02 + 0.02 * own, 1 - heard, heard))
    factors = {"engine": tuple(f"engine {n}" for n in range(engines) for _ in range(each))}
    return table_of(np.stack(columns, axis=1), truth, factors=factors)


cells = st.sampled_from([0.0, 1.0, 0.25, np.nan])


@pytest.mark.slow
@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=12), st.data())
def test_weights_do_what_the_formula_says(
    rows: list[tuple[float, ...]], data: st.DataObject
) -> None:
    votes = np.array(rows)
    truth = np.array([data.draw(st.sampled_from([0.0, 1.0, np.nan])) for _ in rows])
    given_weights = {"s0": 0.3, "truth": 0.4, "top": 0.1}
    found = compare_systems(table_of(votes, truth), given_weights, "truth")
    weights = found.weights
    assert sum(weights.values()) == pytest.approx(1)
    columns = np.column_stack([votes, truth])
    own = np.array([weights[name] for name in ("s0", "s1", "s2", "truth")])
    right, said, relevant = np.zeros(3), np.zeros(3), np.zeros(3)
    for row in columns:
        known = ~np.isnan(row)
        whole = own[known].sum() + weights["top"] + weights["bottom"]
        p = (own[known] @ row[known] + weights["top"]) / whole
        for system in np.flatnonzero(known[:3]):
            right[system] += p * row[system]
            said[system] += row[system]
            relevant[system] += p
    for system in range(3):
        figures = found.main.figures
        if said[system]:
            assert figures.precision[system] == pytest.approx(right[system] / said[system])
        else:
            assert np.isnan(figures.precision[system])
        if relevant[system]:
            assert figures.recall[system] == pytest.approx(right[system] / relevant[system])
    json.dumps(as_json(found), allow_nan=False)


@given(st.dictionaries(st.sampled_from([*NAMES, "top", "⊥"]), st.floats(0, 3), max_size=5))
def test_weights_always_sum_to_one(chosen: dict[str, float]) -> None:
    if len(chosen) == 6 or not sum(chosen.values()) > 0:
        chosen = {}
    found = weigh(NAMES, chosen)
    assert list(found) == [*NAMES, "top", "bottom"]
    assert sum(found.values()) == pytest.approx(1)
    for one in chosen:
        for other in chosen:  # proportions stay
            key, against = ({"⊥": "bottom"}.get(name, name) for name in (one, other))
            assert found[key] * chosen[other] == pytest.approx(found[against] * chosen[one])


@pytest.mark.parametrize("kind", ["bits", "soft", "all listed", "some listed"])
def test_truth_becomes_one_more_system(kind: str) -> None:
    rng = np.random.default_rng(1)
    dense = (rng.random((200, 3)) < 0.4).astype(np.float64)
    truth = rng.choice([0.0, 1.0, np.nan], 200)
    if kind == "soft":
        dense *= 0.5
    if kind in ("bits", "soft"):
        dense[rng.random(dense.shape) < 0.3] = np.nan
        votes = Votes.of(dense, "abc")
    else:
        some = kind == "some listed"
        item, system = np.nonzero(rng.random(dense.shape) < 0.5 if some else dense)
        votes = Votes.sparse(item, system, 200, "abc", dense[item, system] if some else None)
        dense = votes.dense()
    found = with_system(votes, "truth", truth)
    assert found.systems == ("a", "b", "c", "truth")
    np.testing.assert_array_equal(found.dense(), np.column_stack([dense, truth]))


def test_dawid_and_skene_is_what_its_probabilities_make_of_it() -> None:
    table = contest(3)
    found = compare_systems(table)
    (method,) = (each for each in found.methods if each.name == "dawid_skene")
    p, votes = dawid_skene(table.votes).probability, table.votes.dense()
    np.testing.assert_allclose(method.figures.precision, p @ votes / votes.sum(axis=0))
    np.testing.assert_allclose(method.figures.recall, p @ votes / p.sum())
    names = ["paper", "shared_errors", "share", "majority", "dawid_skene"]
    assert [each.name for each in found.methods] == names


def test_two_engines_that_err_apart_are_found_and_named() -> None:
    """The paper's own failure, §4.3: within engines the ranking holds, across them it does not."""
    found = compare_systems(contest(1))
    assert found.found.only_two
    assert found.warnings[0].startswith("The systems fall into two groups")
    for group in found.grouped:
        assert group.result.nearness is not None
        assert group.result.nearness.kendall is not None
        assert group.result.nearness.kendall > 0.7
    same = found.found.label[:, None] == found.found.label
    assert found.superiority is not None
    np.testing.assert_array_equal(np.isnan(found.superiority), ~same)


def test_corrections_stand_beside_the_figures_they_do_not_change() -> None:
    table = contest(8, engines=4, each=3)
    alone = VoteTable(table.votes, table.items)
    by_engine = compare_systems(table, group_by="engine")
    plain = compare_systems(alone)
    np.testing.assert_array_equal(by_engine.main.figures.f, plain.main.figures.f)
    names = [each.name for each in by_engine.corrections]
    assert names == ["leave_group_out", "grouped_latent_class"]
    assert all(each.nearness is not None for each in by_engine.corrections)
    assert by_engine.declared is not None
    assert [len(group.systems) for group in by_engine.grouped] == [3, 3, 3, 3]


def test_items_that_split_the_systems_come_first() -> None:
    rng = np.random.default_rng(4)
    votes = rng.choice([0.0, 1.0, np.nan], (300, 5), p=[0.5, 0.3, 0.2])
    found = most_disputed(Votes.of(votes, "abcde"), 300)
    with np.errstate(invalid="ignore"):
        share = np.nansum(votes, axis=1) / (~np.isnan(votes)).sum(axis=1)
    split = np.nan_to_num(share * (1 - share))
    assert set(found.items.tolist()) == set(np.flatnonzero(split > 0).tolist())
    assert (np.diff(split[found.items]) <= 1e-12).all()
    np.testing.assert_array_equal(found.votes, votes[found.items])
    np.testing.assert_allclose(found.share, share[found.items])


def test_no_items_or_one_system_are_no_mistake() -> None:
    one = compare_systems(table_of(np.array([[1.0], [0.0]])))
    assert one.main.figures.rank.tolist() == [1]
    assert "few systems" in " ".join(one.warnings)
    none = compare_systems(table_of(np.zeros((0, 3))))
    assert np.isnan(none.main.figures.f).all()
    assert as_json(none)["systems"]["s1"] == dict.fromkeys(("precision", "recall", "f", "rank"))
    unseen = compare_systems(table_of(np.array([[1.0, np.nan], [0.0, np.nan]])))
    assert any("s1: no vote is known" in each for each in unseen.warnings)
    json.dumps([as_json(each) for each in (one, none, unseen)], allow_nan=False)


def test_systems_with_few_votes_vote_but_nothing_is_said_of_them() -> None:
    table = contest(2)
    votes = table.votes.dense()
    votes[30:, 4] = np.nan
    table = VoteTable(Votes.of(votes, table.systems), table.items, (), table.truth)
    every, most = (compare_systems(table, min_votes=min_votes) for min_votes in (0, 31))
    others = np.arange(12) != 4
    for one, other in zip(every.methods, most.methods, strict=True):
        np.testing.assert_array_equal(one.figures.f[others], other.figures.f[others])
        assert np.isnan(other.figures.f[4])
        assert not np.isnan(one.figures.f[4])
        assert other.nearness is not None
        assert other.nearness.systems == 11
    assert as_json(most)["systems"]["s4"]["rank"] is None
    assert any(each.startswith("1 of 12 systems have fewer than 31") for each in most.warnings)


def near(found: SystemComparison, method: str) -> tuple[float, float, float]:
    """τ, and the mean errors of precision and recall, rounded as findings are."""
    (result,) = (each for each in found.methods if each.name == method)
    nearness = result.nearness
    assert nearness is not None
    values = (nearness.kendall, nearness.precision_error, nearness.recall_error)
    assert None not in values
    return tuple(round(value, 2) for value in values if value is not None)  # type: ignore[return-value]


def test_real_ranked_lists_beside_their_truth(shared_data: Path) -> None:
    folder = shared_data / "trec_robust03"
    if not folder.is_dir():
        pytest.skip("the runs of TREC 2003 are not here")
    files = [*sorted((folder / "runs").iterdir()), folder / "qrels_last50topics.txt"]
    found = compare_systems(read_votes(files, depth=20))
    assert len(found.systems) == 17
    assert near(found, "paper") == (0.39, 0.10, 0.18)  # recall of all, found or not
    assert near(found, "share")[0] == near(found, "dawid_skene")[0] == 0.39


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bag_of_words", "alignment"])
def test_real_ocr_beside_its_truth(shared_data: Path, method: str) -> None:
    folder = shared_data / "kant_ocr_systems"
    if not folder.is_dir():
        pytest.skip("the OCR of Kant is not here")
    folders = [*sorted(folder.glob("OCR-D-OCR-*")), folder / "OCR-D-GT-PAGE"]
    table = read_votes(folders, method=method)  # type: ignore[arg-type]
    found = compare_systems(table)
    assert len(found.systems) == 7
    assert near(found, "paper")[0] >= 0.5
    assert near(found, "paper")[1] <= 0.15


def test_recall_by_the_truth_counts_what_nobody_found(tmp_path: Path) -> None:
    texts = {"a": "one two four", "b": "one nine", "truth": "one two three four five"}
    for system, text in texts.items():
        (tmp_path / system).mkdir()
        (tmp_path / system / "p.txt").write_text(text)
    (tmp_path / "truth" / "q.txt").write_text("six")  # a page that b alone has read
    (tmp_path / "b" / "q.txt").write_text("seven")
    table = read_votes(tmp_path)
    found = compare_systems(table)
    assert table.unfound is not None and table.unfound.tolist() == [2, 3]  # three, five; six
    assert found.truth is not None
    assert found.truth.recall.tolist() == pytest.approx([3 / 5, 1 / 6])
    assert found.truth.precision.tolist() == pytest.approx([1, 1 / 3])
    every = compare_systems(read_votes(tmp_path, missed=True))
    assert every.truth is not None
    assert found.truth.recall.tolist() == pytest.approx(every.truth.recall.tolist())
    only = compare_systems(table, oracle="a")
    assert only.truth is not None and only.truth.recall.tolist() == pytest.approx([1 / 6])
