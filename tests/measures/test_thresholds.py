"""Thresholds that are printed: read again, they cut where they cut."""

from __future__ import annotations

import csv
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.representation import short_threshold, written_threshold
from spotlab.resources import sample_collection
from tests.cli.test_cli_evaluate import command

SCORES = st.floats(-1e8, 1e8, allow_subnormal=False)


@given(SCORES, SCORES)
def test_a_threshold_lies_between_the_scores_that_it_parts(one, other):
    low, high = sorted((one, other))
    if low == high:
        return
    found = float(written_threshold(short_threshold(high, low)))
    assert low < found <= high


@given(SCORES)
def test_the_lowest_score_stays(score):
    assert float(written_threshold(short_threshold(score))) <= score


def test_no_shorter_one_would_do():
    assert written_threshold(short_threshold(0.641174, 0.641169)) == "0.64117"
    assert written_threshold(short_threshold(0.641174, 0.58)) == "0.6"
    assert written_threshold(short_threshold(-0.25, -0.5)) == "-0.3"


def test_the_best_f_that_is_printed_is_reached_by_cutting_there(tmp_path, capsys):
    """A score of five digits and more, just above another one, in the text and in JSON."""
    run = tmp_path / "long.csv"
    with (sample_collection() / "runs" / "a_ratios.csv").open() as source, run.open("w") as target:
        rows = list(csv.reader(source))
        at = rows[0].index("score")
        random = np.random.default_rng(0)
        for row in rows[1:]:
            row[at] = f"{float(row[at]) + random.uniform(-4e-5, 4e-5):.9f}"
        csv.writer(target).writerows(rows)
    arguments = ("evaluate", "--truth", sample_collection(), "--run", run, "--draws", 0)

    def evaluated(*more: str) -> tuple[str, dict]:
        file = tmp_path / "found.json"
        assert command(*arguments, *more, "--json", file) == 0
        return capsys.readouterr().out, json.loads(file.read_text())["runs"][0]

    text, found = evaluated()
    best = found["best_f"]["score"]["mean"]
    printed = re.search(r"mean +score +≥ (\S+)", text)[1]
    assert float(printed) == best["threshold"]
    _, there = evaluated("--cut", f"score={printed}")
    _, by_rule = evaluated("--cut", "best-f")
    assert there["cut"]["mean"]["f"] == pytest.approx(best["f"], abs=1e-12)
    assert there["cut"]["spots"] == by_rule["cut"]["spots"]
