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
