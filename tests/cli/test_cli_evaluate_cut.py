"""Runs are evaluated at a cut as well: by rank, score, recall, precision or best F."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from spotlab.resources import sample_collection
from tests.cli.test_cli_evaluate import Captured, command

PLANS = sample_collection()
RUNS = [PLANS / "runs" / f"{name}.csv" for name in ("a_ratios", "c_polygons")]


def evaluated(capsys: Captured, *options: object) -> list[dict[str, Any]]:
    runs = [option for run in RUNS for option in ("--run", run)]
    done = command("evaluate", "--truth", PLANS, *runs, "--draws", 0, "--json", "-", *options)
    assert done == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["runs"]
    return found


@pytest.mark.slow
def test_each_run_is_cut_where_it_reaches_the_recall(capsys: Captured, tmp_path: Path) -> None:
    first, other = evaluated(capsys, "--cut", "recall=.5", "--out", tmp_path / "report")
    cut = first["cut"]
    assert cut["rule"] == "recall=0.5" and cut["by"] == "score"
    recalls = {name: query["curve"] for name, query in first["queries"].items()}
    # by hand: what each query's own curve has at its last score that is high enough
    reached = []
    for name, curve in recalls.items():
        kept = sum(score >= cut["value"] for score in curve["score"])
        assert cut["queries"][name]["spots"] == kept
        reached.append(curve["recall"][kept - 1] if kept else 0.0)
    assert cut["mean"]["area_recall"] == pytest.approx(sum(reached) / len(reached))
    assert cut["mean"]["area_recall"] >= 0.5
    assert cut["spots"] == sum(query["spots"] for query in cut["queries"].values())
    assert other["cut"] == dict.fromkeys(cut) | {"rule": "recall=0.5"}  # never reaches it
    with (tmp_path / "report" / "runs-cut.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["area_recall"]) == cut["mean"]["area_recall"]
    assert float(rows[0]["cut"]) == cut["value"] and rows[1]["cut"] == rows[1]["f"] == ""
    assert "Runs cut at recall=0.5" in (tmp_path / "report" / "report.html").read_text()


@pytest.mark.slow
def test_best_f_is_the_best_of_all_ranks(capsys: Captured) -> None:
    (first, _) = evaluated(capsys, "--cut", "best-f")
    best = first["best_f"]
    assert first["cut"]["value"] == best["score"]["mean"]["threshold"]
    assert first["cut"]["mean"]["f"] == pytest.approx(best["score"]["mean"]["f"])
    sofa = first["queries"]["sofa"]
    assert sofa["best_f"]["rank"]["f"] == pytest.approx(max(sofa["curve"]["f"]))
    rank = int(best["rank"]["mean"]["threshold"])
    (cut, _) = evaluated(capsys, "--cut", f"rank={rank}")
    assert cut["cut"]["mean"]["f"] == pytest.approx(best["rank"]["mean"]["f"])
    for near in (rank - 1, rank + 1):
        (cut, _) = evaluated(capsys, "--cut", f"rank={near}")
        assert cut["cut"]["mean"]["f"] < best["rank"]["mean"]["f"]
    rank = int(best["rank"]["pooled"]["threshold"])
    (cut, _) = evaluated(capsys, "--cut", f"rank={rank}")
    assert cut["cut"]["pooled"]["f"] == pytest.approx(best["rank"]["pooled"]["f"])


def test_without_a_rule_there_is_no_cut(capsys: Captured) -> None:
    assert [run["cut"] for run in evaluated(capsys)] == [None, None]


@pytest.mark.parametrize("rule", ["best", "recall=2", "rank=x", "score"])
def test_what_is_no_rule_is_refused(capsys: Captured, rule: str) -> None:
    assert command("evaluate", "--truth", PLANS, "--run", RUNS[0], "--cut", rule) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
