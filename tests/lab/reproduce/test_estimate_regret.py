"""The recommended estimate is close to the best of each set of votes; regret as defined."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from spotlab.cli import root
from spotlab.consensus.comparison import Nearness
from spotlab.consensus.votes import Votes
from spotlab.formats.votes import VoteTable
from spotlab.lab.reproduce.estimate_regret import (
    GRID,
    EstimateRegret,
    as_json,
    leave_one_out,
    mean_regret,
    measure_regret,
    simulated_votes,
)
from tests.judging_files import command


def near(tau: float | None, precision: float | None, recall: float) -> Nearness:
    return Nearness(3, tau, tau, precision, recall, recall)


def test_regret_is_the_difference_from_the_best_of_each_figure() -> None:
    methods = {"A": near(0.5, 0.1, 0.3), "B": near(0.75, 0.25, 0.1), "C": near(None, None, 0.2)}
    row = EstimateRegret("x", 3, 10, "A", 50, methods)
    assert (row.best, row.tau, row.precision) == ("B", 0.25, 0)
    assert row.recall == pytest.approx(0.2)
    undefined = EstimateRegret("y", 3, 10, "C", 0, methods)
    assert (undefined.tau, undefined.precision) == (None, None)
    assert undefined.recall == pytest.approx(0.1)
    assert mean_regret([row, undefined]) == (0.25, 0, pytest.approx(0.15))
    assert mean_regret([]) == (None, None, None)
    shared = EstimateRegret("z", 3, 10, "A", 0, {"B": near(0.5, 0, 0), "A": near(0.5, 0, 0)})
    assert (shared.best, shared.tau) == ("A", 0)
    json.dumps(as_json([row, undefined]), allow_nan=False)


def test_without_truth_there_is_nothing_to_compare_with() -> None:
    with pytest.raises(ValueError, match="no truth"):
        measure_regret("x", VoteTable(Votes.of([[1, 0]], ["a", "b"]), ("1",)))


@pytest.fixture(scope="module")
def simulated() -> list[EstimateRegret]:
    return [measure_regret(name, table) for name, table in simulated_votes(seed=3)]


def test_the_recommended_estimate_is_near_the_best_on_simulated_votes(
    simulated: list[EstimateRegret],
) -> None:
    tau, precision, recall = mean_regret(simulated)
    assert tau is not None and tau <= 0.03
    assert precision is not None and precision <= 0.05
    assert recall is not None and recall <= 0.05
    every = {title for row in simulated for title in row.nearness}
    assert {"Majority", "Lamiroy & Sun", "Vote share"} < every
    paper = [row.nearness["Lamiroy & Sun"].kendall or 0 for row in simulated]
    own = [row.nearness[row.recommended].kendall or 0 for row in simulated]
    assert np.mean(own) > np.mean(paper) + 0.2
    assert len({row.recommended for row in simulated}) >= 3


def test_nothing_is_chosen_on_the_votes_that_are_reported(simulated: list[EstimateRegret]) -> None:
    left = leave_one_out(simulated)
    assert [row.name for row in left] == [row.name for row in simulated]
    tau, *_ = mean_regret(left)
    assert tau is not None and tau <= 0.03


def test_limits_are_chosen_on_the_other_votes() -> None:
    methods = {"A": near(0.9, 0, 0), "B": near(0.1, 0, 0)}
    other = GRID[5]
    rows = [
        EstimateRegret("x", 3, 9, "B", 0, methods, {GRID[0]: "B", other: "A"}),
        EstimateRegret("y", 3, 9, "B", 0, methods, {GRID[0]: "B", other: "A"}),
        EstimateRegret("z", 3, 9, "A", 0, methods, {GRID[0]: "A", other: "B"}),
    ]
    # two of the others speak for other limits, which are wrong here; one of each ties elsewhere
    assert [row.recommended for row in leave_one_out(rows)] == ["B", "B", "B"]
    assert leave_one_out(rows[:1]) == ()


def test_the_command_prints_a_row_for_each_and_the_mean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = ["item,a,b,c,truth\n"]
    rows += [f"{n},{n % 2},{int(n % 4 > 0)},{int(n % 5 < 2)},{n % 2}\n" for n in range(60)]
    votes = tmp_path / "mine.csv"
    votes.write_text("".join(rows))
    file = tmp_path / "regret.json"
    with pytest.raises(SystemExit) as ended:
        root.main(["reproduce", "estimates", str(votes), "--no-simulated", "--json", str(file)])
    assert not ended.value.code
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("mine.csv") and lines[-1].startswith("mean")
    (row,) = json.loads(file.read_text())["votes"]
    assert row["recommended"] in row["methods"] and row["regret"]["tau"] >= 0


def test_votes_without_truth_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    votes = tmp_path / "mine.csv"
    votes.write_text("item,a,b\n1,1,0\n2,0,1\n")
    with pytest.raises(SystemExit) as ended:
        root.main(["reproduce", "estimates", str(votes)])
    assert ended.value.code == 2
    assert "votes whose truth is known" in capsys.readouterr().err


def test_collections_in_a_folder_are_read_class_by_class(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(2)
    for name, classes in (("breeds", "abc"), ("yes or no", "01")):
        (tmp_path / name).mkdir()
        truth = rng.choice(list(classes), 60)
        answers = [
            f"{item},w{worker},{label if rng.random() < 0.8 else rng.choice(list(classes))}"
            for item, label in enumerate(truth)
            for worker in range(5)
        ]
        (tmp_path / name / "answers.csv").write_text("\n".join(["item,worker,answer", *answers]))
        told = [f"{item},{label}" for item, label in enumerate(truth)]
        (tmp_path / name / "truth.csv").write_text("\n".join(["item,truth", *told]) + "\n")
    file = tmp_path / "found.json"
    options = ("--collections", tmp_path, "--no-simulated", "--json", file)
    assert command("reproduce", "estimates", *options) == 0
    found = json.loads(file.read_text())["votes"]
    assert [row["name"] for row in found] == ["breeds: a", "breeds: b", "breeds: c", "yes or no"]
    assert all(0 <= row["held"] <= 1 and row["regret"]["tau"] >= 0 for row in found)


def test_limits_are_chosen_without_the_family() -> None:
    methods = {"A": near(0.9, 0, 0), "B": near(0.5, 0, 0)}
    choices = {GRID[0]: "B", GRID[1]: "A"}
    same = [EstimateRegret(f"x: {n}", 3, 9, "B", 0, methods, choices, "x") for n in range(2)]
    assert [row.recommended for row in leave_one_out(same)] == ["B", "B"]  # nothing else to ask
    other = EstimateRegret("y", 3, 9, "B", 0, methods, choices, "y")
    assert [row.recommended for row in leave_one_out([*same, other])] == ["A"] * 3


def test_the_tables_of_the_papers_come_out_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("reproduce", "consensus") == 0
    text = capsys.readouterr().out
    assert "27 of 27 figures are as published" in text and "differs" not in text


def test_tables_4_to_6_of_other_systems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, words in (("truth", "one two three"), ("a", "one two"), ("b", "one four three")):
        (tmp_path / "texts" / name).mkdir(parents=True)
        (tmp_path / "texts" / name / "page.txt").write_text(words)
    file = tmp_path / "found.json"
    options = ("--texts", tmp_path / "texts", "--json", file)
    assert command("reproduce", "consensus", *options) == 0
    own = {
        (row["table"], row["row"], row["figure"]): row["computed"]
        for row in json.loads(file.read_text())["own"]
    }
    assert own["Table 4, with truth", "a", "precision"] == 1
    assert own["Table 4, with truth", "a", "recall"] == pytest.approx(2 / 3)
    assert own["Table 4, with truth", "b", "precision"] == pytest.approx(2 / 3)
    # of ⊤, ⊥, a and b: one .75, two, three and four .5
    assert own["Table 5, Method I", "a", "precision"] == pytest.approx(0.625)
    assert own["Table 6, Method II", "⊤", "recall"] == 1
