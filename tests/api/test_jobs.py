"""Re-ranking, comparing, uncertain truth and spotting from Python, with tables and with files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas
import pytest

import spotlab
from tests.api.samples import samples
from tests.judging_files import command

__all__ = ["samples"]


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> object:
    assert command(*arguments, "--json", "-") == 0
    return json.loads(capsys.readouterr().out)


def test_reranking(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = (samples / "lists.csv", "--scores", samples / "scores.npz")
    result = spotlab.rerank(samples / "lists.csv", fusion="cr", scores=samples / "scores.npz")
    assert result.as_dict() == printed(capsys, "rerank", *files)
    table = pandas.read_csv(samples / "lists.csv")
    matrix = np.load(samples / "scores.npz")["scores"]
    square = pandas.DataFrame(matrix, index=list("abcd"), columns=list("abcd"))
    for lists in (table, table.to_dict("list"), [table], {"lists": table}):
        for scores in (square, (matrix, list("abcd"))):
            other = spotlab.rerank(lists, "cr", scores=scores)
            names = ["rank", "item", "score", "relevant", "kept"]
            pandas.testing.assert_frame_equal(other.frame()[names], result.frame()[names])
    assert result.means()["list"].tolist() == ["lists", "cr"]


def test_lists_of_several_systems_are_fused_by_default(samples: Path) -> None:
    table = pandas.read_csv(samples / "lists.csv")
    result = spotlab.rerank({"mine": table, "theirs": table.iloc[::-1]})
    assert result.means()["list"].tolist() == ["mine", "theirs", "reciprocal_rank"]
    again = spotlab.rerank(result.frame()[["query", "list", "item", "score", "relevant"]])
    assert "mine" in again.means()["list"].tolist()


def test_places_survive_a_frame() -> None:
    lists = {
        "query": ["orders"] * 2, "page": ["270"] * 2, "x": [1.5, 20], "y": [2, 2],
        "width": [9, 9], "height": [4, 4], "score": [0.9, 0.5],
    }  # fmt: skip
    frame = spotlab.rerank(lists).frame()
    assert frame[["x", "y", "width", "height"]].iloc[0].tolist() == [1.5, 2, 9, 4]
    names = ["query", "list", "page", "x", "y", "width", "height", "score"]
    pandas.testing.assert_frame_equal(spotlab.rerank(frame[names]).frame(), frame)


def test_comparing_systems(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = spotlab.compare_systems(samples / "votes.csv", draws=20, group_by="engine")
    options = ("--draws", 20, "--group-by", "engine")
    assert result.as_dict() == printed(capsys, "consensus", samples / "votes.csv", *options)
    table = pandas.read_csv(samples / "votes.csv", comment="#", dtype={"item": str})
    pandas.testing.assert_frame_equal(
        spotlab.compare_systems(table, draws=20).frame(),
        spotlab.compare_systems(samples / "votes.csv", draws=20).frame(),
    )


def test_votes_in_memory() -> None:
    votes = {"S1": [1, 1, 0, 1, 1, 0, 0], "S2": [1, 1, 1, 0, 0, 0, 0], "S3": [1, 1, 0, 0, 0, 1, 0]}
    truth = [1, 1, 0, 0, np.nan, 0, 0]
    expected = spotlab.compare_systems(votes, truth=truth, draws=0).frame()
    paper = spotlab.compare_systems(votes, truth=truth, draws=0).methods()
    figures = paper[paper["method"] == "paper"]["precision"]
    assert figures.tolist() == pytest.approx([0.6, 2 / 3, 2 / 3])
    array = np.array(list(votes.values()), float).T
    named = pandas.DataFrame(votes, index=list("abcdefg"))
    for same in (named, array, array.tolist()):
        frame = spotlab.compare_systems(same, truth=truth, draws=0).frame()
        pandas.testing.assert_frame_equal(
            frame.drop(columns="system"), expected.drop(columns="system")
        )
    factors = {"engine": {"S1": "a", "S2": "a", "S3": "b"}}
    grouped = spotlab.compare_systems(votes, factors=factors, group_by="engine", draws=0)
    assert [len(group.systems) for group in grouped.comparison.grouped] == [2, 1]


def test_uncertain_truth(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [samples / f"{name}.csv" for name in ("judgements", "tree", "answers")]
    result = spotlab.uncertain(*files)
    arguments = (files[0], "--tree", files[1], "--answers", files[2])
    assert result.as_dict() == printed(capsys, "uncertain", *arguments)
    tables = [pandas.read_csv(path) for path in files]
    other = spotlab.uncertain(tables[0], {"people": "all", "scenery": "all"}, tables[2])
    pandas.testing.assert_frame_equal(other.frame(), result.frame())
    assert result.frame()["precision_mean"].tolist() == [1, 0.75, 0.5, 0.75]
    assert result.frame()["precision_low"].tolist() == [1, 0.5, 0, 0.5]
    # full rankings are compared at the rank of as many items as are relevant: here the first
    assert result.comparisons()["equal"].tolist() == [0.5]
    assert result.systems()["precision"].tolist() == [1, 0.5]


@pytest.mark.slow
def test_spotting_symbols(samples: Path) -> None:
    page = samples / "plans" / "plan_001.png"
    found = spotlab.spot_symbols(page, "toilet", method="b")
    assert found.counts["toilet"][1] == pytest.approx(1, abs=0.01)
    region = spotlab.read_truth(page).frame().query("label == 'toilet'").iloc[0]
    (left, top), (right, bottom) = region["points"].min(axis=0), region["points"].max(axis=0)
    box = ("plan_001.png", (left, top, right - left, bottom - top))
    by_box = spotlab.spot_symbols(page, {"mine": box}, method="b")
    assert by_box.counts["mine"][1] == pytest.approx(1, abs=0.01)
    assert found.search.reused == 0
    assert spotlab.spot_symbols(page, "toilet", method="b").search.reused == 1
    pixels = np.full((60, 60), 255, np.uint8)
    pixels[10:50, 10:50] = 0
    assert list(spotlab.spot_symbols(page, {"block": pixels}, method="b").counts) == ["block"]
    left_out = spotlab.spot_symbols(page, "toilet", method="b", leave_out_models=True)
    assert len(left_out.run) == len(found.run) - 1


def test_spotting_words(samples: Path) -> None:
    found = spotlab.spot_words(samples / "letters", "the", lists=["ws", "cr"], given_boxes=True)
    frame = found.frame()
    assert set(frame["list"]) == {"ws", "cr"}
    first = frame.iloc[0]
    box = (first["page"], tuple(first[["x", "y", "width", "height"]]))
    by_box = spotlab.spot_words(samples / "letters", box, lists="ws", given_boxes=True)
    assert by_box.frame()["text"].iloc[0] == "the"
    assert found.run("ws").name == "ws"
    result = spotlab.evaluate(samples / "letters", found.run("ws"), texts=True, draws=0)
    assert result.frame().query("query == 'the'")["area_precision"].item() > 0
    with pytest.raises(spotlab.BadArgument, match="name is 'ml'; expected one of ws, cr"):
        found.run("ml")
