"""The confusion table by spots, and what lies on what: by hand, and rows that add up."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab import evaluate
from spotlab.measures.confusion import (
    MISSED,
    NO_LABEL,
    NO_TRUTH,
    confuse,
    labels_under,
    queries_on,
    regions_under,
    row_shares,
)
from spotlab.measures.matching import classify_errors
from spotlab.resources import sample_collection
from tests.cli.test_cli_evaluate import command
from tests.measures.tally_cases import Placed, box, tally_of

PAGES = {"p": 1e4, "q": 1e4}


def strip(left: float, right: float, query: str = "a", page: str = "p") -> Placed:
    """A box of height 10, so that areas are ten times lengths."""
    return query, page, box(left, 0, right, 10)


SPOTS = [
    strip(0, 10),  # right
    strip(0, 11),  # a duplicate
    strip(26, 36),  # badly placed
    strip(50, 60),  # on a region of b
    strip(54, 64),  # on it with an IoU of 6/14: false, but not on nothing
    strip(59.5, 69.5),  # with an IoU of 1/39: on nothing
    strip(70, 80),  # on a region without a label
    strip(0, 10, "c"),  # a query without truth, on a region of a
    strip(100, 110, "b"),
]
REGIONS = [strip(0, 10), strip(20, 30), strip(50, 60, "b"), strip(70, 80, ""), strip(90, 95, "b")]


def test_every_spot_counts_for_one_label() -> None:
    errors = classify_errors(tally_of(SPOTS, REGIONS, PAGES))
    assert regions_under(errors).tolist() == [0, 0, 1, 2, 2, -1, 3, -1, 0]  # b stands before c
    assert labels_under(errors).tolist() == [0, 0, 0, 1, 1, 4, 3, 4, 0]
    table = confuse(errors)
    assert table.rows == ("a", "b", "c", MISSED)
    assert table.columns == ("a", "b", "c", NO_LABEL, NO_TRUTH)
    assert table.spots.tolist() == [
        [3, 2, 0, 1, 1],
        [0, 0, 0, 0, 1],
        [1, 0, 0, 0, 0],
        [0, 2, 0, 0, 0],
    ]
    rows, columns = table.shown
    assert rows.tolist() == [0, 1, 2, 3]
    assert columns.tolist() == [0, 1, 3, 4]  # no region is labelled c
    assert table.area is None
    assert table.spots_in(0, 1, "spots").tolist() == [3, 4]
    assert table.spots_in(3, 1, "spots").tolist() == []
    assert table.regions_in(1, "spots").tolist() == [2, 4]


def test_a_missed_region_knows_who_lies_on_it() -> None:
    errors = classify_errors(tally_of(SPOTS, REGIONS, PAGES))
    assert queries_on(errors).tolist() == [2, -1, 0, 0, -1]
    cut = errors.at(np.array([3, 9, 0]))
    assert queries_on(cut).tolist() == [-1, -1, -1, -1, -1]


def test_a_cut_leaves_spots_out() -> None:
    tally = tally_of(SPOTS, REGIONS, PAGES)
    table = confuse(classify_errors(tally).at(np.array([1, 0, 0])))
    assert table.spots.tolist() == [[1, 0, 0, 0, 0], [0] * 5, [0] * 5, [1, 2, 0, 0, 0]]
    assert table.spots_in(0, 0, "spots").tolist() == [0]


def test_shares_of_rows() -> None:
    shares = row_shares(confuse(classify_errors(tally_of(SPOTS, REGIONS, PAGES))).table("spots"))
    assert shares[0] == pytest.approx([3 / 7, 2 / 7, 0, 1 / 7, 1 / 7])
    assert np.isnan(row_shares(np.zeros((1, 2)))).all()


def test_nothing_at_all() -> None:
    table = confuse(classify_errors(tally_of([], [], PAGES)))
    assert table.spots.tolist() == [[0, 0]]
    assert table.regions_in(0, "spots").tolist() == []


def test_the_worst_pairs_come_first_in_all_doors(tmp_path, capsys):
    """The same pairs in the text, in JSON and in Python, by falling numbers of spots."""
    plans = sample_collection()
    run = plans / "runs" / "a_ratios.csv"
    result = evaluate(plans, run, draws=0)
    frame, table = result.confused(), result.evaluation.confusion(result.evaluation.runs[0])
    between = table.spots[: len(table.rows) - 1, : len(table.rows)].copy()
    np.fill_diagonal(between, 0)
    assert frame["spots"].tolist() == sorted(between[between > 0].tolist(), reverse=True)
    pairs = frame[["query", "label", "spots", "share"]].to_dict("records")
    assert result.as_dict()["runs"][0]["confused"] == pairs
    worst = pairs[0]
    at = table.rows.index(worst["query"]), table.columns.index(worst["label"])
    assert table.spots[at] == worst["spots"] == between.max()
    assert worst["share"] == pytest.approx(table.spots[at] / table.spots[at[0]].sum())
    assert command("evaluate", "--truth", plans, "--run", run, "--draws", 0) == 0
    printed = capsys.readouterr().out.split("confusions, by spots")[1].splitlines()[1]
    assert printed.split() == [
        *worst["query"].split(), *worst["label"].split(), str(worst["spots"]),
        f"{100 * worst['share']:.1f}",
    ]  # fmt: skip


def test_the_table_begins_with_the_labels_that_are_confused_most():
    result = evaluate(sample_collection(), sample_collection() / "runs" / "a_ratios.csv", draws=0)
    table = result.evaluation.confusion(result.evaluation.runs[0])
    rows, columns = table.worst_first("spots")
    shown = table.shown
    assert sorted(rows.tolist()) == shown[0].tolist()
    assert sorted(columns.tolist()) == shown[1].tolist()
    queries = len(table.rows) - 1
    query, label, *_ = table.pairs[0]
    assert [table.rows[row] for row in rows[:2]] == [query, label]
    assert rows[:-1].tolist() == columns[columns < queries].tolist()
    assert rows[-1] == queries and columns[-1] == queries + 1
