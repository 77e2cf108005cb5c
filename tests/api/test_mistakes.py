"""Mistakes in what functions are given: the error names what was expected."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import spotlab
from tests.api.samples import samples

__all__ = ["samples"]

RUN = {"query": ["sofa"], "page": ["p"], "score": [0.9], "points": ["0,0 9,0 9,9"]}
LISTS = {"query": ["q", "q"], "item": ["a", "b"], "score": [0.9, 0.8]}
TRUTH = {"page": ["p"], "label": ["sofa"], "points": ["0,0 9,0 9,9"]}
SIZED = TRUTH | {"page_width": [20], "page_height": [20]}
JUDGEMENTS = {"subject": ["A"], "item": ["i"], "category": ["c"]}
ANSWERS = {"query": ["c"], "rank": [1], "item": ["i"]}

MISTAKES: list[tuple[Callable[[], object], str]] = [
    (lambda: spotlab.evaluate(SIZED, RUN, iou=50), r"iou is 50 .*above 0 and at most 1"),
    (lambda: spotlab.evaluate(SIZED, RUN, draws=-1), r"draws is -1 .*whole number of at least 0"),
    (
        lambda: spotlab.evaluate(SIZED, RUN, draws=1.5),
        r"draws is 1.5 \(of type float\); expected a",
    ),
    (
        lambda: spotlab.evaluate(SIZED, RUN, jobs="2"),
        r"jobs is '2' \(of type str\); expected",
    ),
    (
        lambda: spotlab.evaluate(SIZED, RUN, pages=Path("plan")),
        r"pages is .* expected a text, or several texts",
    ),
    (lambda: spotlab.evaluate(SIZED, RUN, progress=1), r"progress is 1 .* a function of"),
    (lambda: spotlab.read_run(RUN, skip_bad_lines="no"), r"skip_bad_lines is 'no' .*True or False"),
    (lambda: spotlab.rerank(LISTS, qrels={"a": 1}), r"qrels is .*of type dict.; expected a path"),
    (lambda: spotlab.spot_symbols("nowhere", "a", ink=5), r"ink is 5 .*one of even.*InkSettings"),
    (lambda: spotlab.read_truth("nowhere"), r"nowhere: .*does not exist"),
    (lambda: spotlab.evaluate(3, RUN), r"truth is 3 \(of type int\); expected a path"),
    (lambda: spotlab.evaluate(SIZED, 3), r"runs is 3 \(of type int\); expected a path"),
    (lambda: spotlab.evaluate(SIZED, "nowhere.csv"), r"nowhere.csv: .*does not exist"),
    (lambda: spotlab.evaluate(SIZED, [RUN, 7]), r"runs is 7"),
    (lambda: spotlab.evaluate(SIZED, RUN, overlap="both"), "overlap is 'both'; expected one of un"),
    (lambda: spotlab.evaluate(SIZED, RUN, primitive="hulls"), "primitive is 'hulls'; expected one"),
    (lambda: spotlab.evaluate(SIZED, RUN, beta=-1), "beta is -1 .*; expected a number above 0"),
    (
        lambda: spotlab.evaluate(SIZED, {"mine": RUN | {"query": ["sink"]}}),
        "mine: none of its queries .1. is a label of the truth: sink; expected queries such",
    ),
    (
        lambda: spotlab.read_run({"query": ["a"], "page": ["p"], "score": [1]}),
        "the run 'run': there is no column points; expected the columns query, page, points",
    ),
    (
        lambda: spotlab.read_run(RUN | {"points": ["0,0 9,9"]}, name="mine"),
        "the run 'mine', row 1: points has 2 corners, at least three are needed; expected at least",
    ),
    (lambda: spotlab.read_run(RUN | {"page": ["p", "q"]}), "columns of different lengths"),
    (lambda: spotlab.read_truth({"page": ["p"]}), "no column label, points; expected the columns"),
    (lambda: spotlab.read_truth(TRUTH), "how large the page 'p' is; expected the columns page_wid"),
    (
        lambda: spotlab.read_truth(SIZED | {"points": ["0,0"]}),
        "the truth, row 1: points has 1 corner, at least three are needed; mend these rows",
    ),
    (lambda: spotlab.rerank(LISTS, fusion="best"), "there is no fusion 'best'; there are .*cr,"),
    (lambda: spotlab.rerank(LISTS, fusion="cr"), "needs the scores of the items with each other"),
    (lambda: spotlab.rerank(LISTS, settings={"k": 1}), "there is no setting 'k'; there are "),
    (lambda: spotlab.rerank(5), r"lists is 5 \(of type int\); expected a path, a table with"),
    (
        lambda: spotlab.rerank(LISTS, scores=(np.eye(2), ["a"])),
        "scores are 2 × 2 for 1 items; expected N × N",
    ),
    (lambda: spotlab.rerank(LISTS, scores=(np.eye(1), ["a"])), "no scores of 1 item, the first is"),
    (
        lambda: spotlab.rerank(LISTS | {"item": ["a", "a"]}, strict=True),
        "the lists, row 2: the item is in this list already, in row 1",
    ),
    (lambda: spotlab.compare_systems(3), "votes is 3 .of type int.; expected a path"),
    (lambda: spotlab.compare_systems("nowhere.csv"), "nowhere.csv: .*does not exist"),
    (
        lambda: spotlab.compare_systems({"a": [1, 2]}, strict=True),
        "the votes, row 2: the vote of a is '2'; expected 0, 1, a number between",
    ),
    (lambda: spotlab.compare_systems({"a": [1]}, oracle="b"), "b"),
    (lambda: spotlab.compare_systems({"a": [1]}, kind="xls"), "kind is 'xls'; expected one of"),
    (
        lambda: spotlab.compare_systems({"a": [1, 0]}, truth=[1]),
        "truth is .1. .of type list.; expected one value for each of the 2 items",
    ),
    (
        lambda: spotlab.compare_systems({"a": [1]}, factors={"engine": {"b": "x"}}),
        "factors: there is no system 'b'; there are a",
    ),
    (
        lambda: spotlab.uncertain(JUDGEMENTS, {"c": "d", "d": "c"}, ANSWERS),
        "the tree, row 1: the parents of 'c' run in a circle.*a tree has to be right as a whole",
    ),
    (
        lambda: spotlab.uncertain(JUDGEMENTS, {"d": "all"}, ANSWERS),
        "the judgements, row 1: the category 'c' is not in the tree",
    ),
    (
        lambda: spotlab.uncertain(JUDGEMENTS, {"c": "all"}, {"query": ["c"]}),
        "the answers: there is no column rank, item; expected the columns",
    ),
    (
        lambda: spotlab.uncertain(JUDGEMENTS, {"c": "a"}, ANSWERS, compare_at=0),
        "compare_at is 0 .*of at least",
    ),
    (lambda: spotlab.uncertain(1, {"c": "a"}, ANSWERS), "judgements is 1 .of type int."),
    (lambda: spotlab.spot_symbols("nowhere", "sofa"), "nowhere: it does not exist"),
    (lambda: spotlab.spot_symbols(4, "sofa"), "pages is 4 .of type int.; expected a path"),
    (lambda: spotlab.spot_symbols("nowhere", "a", ink="x"), "ink is 'x'; expected one of even"),
    (lambda: spotlab.spot_words("nowhere", "the", lists="ws,best"), "there is no list 'best'; the"),
    (lambda: spotlab.spot_words("nowhere", 5), "queries is 5 .of type int.; expected a text"),
    (lambda: spotlab.spot_words("nowhere", []), "there is no query"),
    (lambda: spotlab.hull_of_stroke("nowhere.png", [(0, 0), (1, 1)]), "nowhere.png: .*not exist"),
    (lambda: spotlab.hull_of_stroke(np.eye(3), [(0, 0)]), "image is .*; expected a path, or"),
    (
        lambda: spotlab.hull_of_stroke(np.zeros((9, 9), np.uint8), [1, 2, 3]),
        r"stroke has the shape \(3,\); expected finite points, \(N, 2\)",
    ),
]


@pytest.mark.parametrize(("call", "expected"), MISTAKES, ids=[text for _, text in MISTAKES])
def test_an_error_names_what_was_expected(call: Callable[[], object], expected: str) -> None:
    with pytest.raises(spotlab.SpotlabError, match=expected) as raised:
        call()
    assert "\n" not in str(raised.value)
    assert "/tmp" not in str(raised.value)
    assert "`" not in str(raised.value)


FUNCTIONS = [
    name
    for name in spotlab.__all__
    if inspect.isfunction(getattr(spotlab, name)) and name != "sample_collection"
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_argument_of_a_wrong_type_is_taken_or_ends_in_a_raw_error(name: str) -> None:
    function = getattr(spotlab, name)
    parameters = inspect.signature(function).parameters.values()
    needed = {each.name: "nowhere" for each in parameters if each.default is each.empty}
    for each in parameters:
        wrong = needed | {each.name: object()}
        with pytest.raises(spotlab.SpotlabError) as raised:
            function(**wrong)
        assert "\n" not in str(raised.value)
        if each.name not in ("scores", "result"):  # others are missed before they are looked at
            assert "object object" in str(raised.value) or "nowhere" in str(raised.value), each


def test_symbols_and_words_need_truth(samples: Path) -> None:
    for xml in samples.glob("*/*.xml"):
        xml.unlink()
    with pytest.raises(spotlab.BadArgument, match="expected truth, models, or a query that is an"):
        spotlab.spot_symbols(samples / "plans")
    with pytest.raises(spotlab.BadArgument, match="give PAGE XML with words as truth"):
        spotlab.spot_words(samples / "letters", "the")
    with pytest.raises(spotlab.SpotlabError, match="'plan_9' of the query is not among the pages"):
        spotlab.spot_symbols(samples / "plans", ("plan_9", (1, 2, 3, 4)))


def test_bad_rows_are_left_out_if_that_is_wanted() -> None:
    table = {name: values * 2 for name, values in RUN.items()}
    table["points"] = ["0,0 9,0 9,9", "0,0"]
    for chosen in ({}, {"skip_bad_lines": True}, {"strict": False}):
        run = spotlab.read_run(table, **chosen)
        assert len(run) == 1
    for chosen in ({"skip_bad_lines": False}, {"strict": True}):
        with pytest.raises(spotlab.BadLines, match="strict=False takes the rest"):
            spotlab.read_run(table, **chosen)
    assert run.remarks == ("the run 'run', row 2: points has 1 corner, at least three are needed",)


def test_a_frame_with_a_row_for_each_vote_is_read_as_the_file_is(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    votes = pandas.DataFrame(
        {"Item": [1, 1, 2, 2, 1], "worker": list("abaab"), "vote": ["yes", "no", "yes", "no", "no"]}
    ).iloc[:4]
    votes.loc[3, "worker"] = "b"
    truth = pandas.DataFrame({"item": [1, 2], "truth": [1, 0]})
    found = spotlab.compare_systems(votes, truth=truth)
    votes.to_csv(tmp_path / "votes.csv", index=False)
    truth.to_csv(tmp_path / "truth.csv", index=False)
    same = spotlab.compare_systems(tmp_path / "votes.csv", truth=tmp_path / "truth.csv")
    assert found.frame().equals(same.frame())
    assert found.frame()["true_precision"].dropna().tolist() == [0.5]
    with pytest.raises(spotlab.SpotlabError, match="a table with the columns item, truth"):
        spotlab.compare_systems(votes, truth=[1, 0])
