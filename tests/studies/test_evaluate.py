"""Evaluating runs: hand-computed figures, what is left out, and the JSON that is documented."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spotlab.errors import Cancelled
from spotlab.formats.runs import read_run
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Overlap
from spotlab.model import Primitive
from spotlab.studies.evaluate.cuts import FiguresAtCut
from spotlab.studies.evaluate.evaluate import LeftOut, evaluate
from spotlab.studies.evaluate.evaluation import Evaluation
from spotlab.studies.evaluate.evaluation_json import as_json
from spotlab.studies.tally.truth import read_truths
from tests.judging_files import box, judged, points, write_run, write_small, write_truth


@pytest.fixture
def small(tmp_path: Path) -> Evaluation:
    return judged(*write_small(tmp_path))


def in_json(evaluation: Evaluation) -> Any:
    return json.loads(json.dumps(as_json(evaluation), allow_nan=False))


def test_figures_by_hand(small: Evaluation) -> None:
    sofa = in_json(small)["runs"][0]["queries"]["sofa"]
    outside = 2 * 100 * 100 - 800
    assert sofa["area_precision"] == pytest.approx(200 / 500)
    assert sofa["area_recall"] == pytest.approx(200 / 800)
    assert sofa["f"] == pytest.approx(2 * 0.4 * 0.25 / 0.65)
    assert sofa["fall_out"] == pytest.approx(300 / outside)
    assert sofa["generality"] == pytest.approx(800 / 20000)
    assert sofa["average_precision"]["hits"] == pytest.approx(0.5)
    assert sofa["average_precision"]["relevant"] == pytest.approx((0.5 + 0.5) / 2)
    assert sofa["average_precision"]["retrieved"] == pytest.approx((0.5 + 0.5) / 3)
    assert (sofa["symbols"], sofa["recognised"], sofa["false_positives"]) == (2, 0, 3)
    assert sofa["recognition_rate"] == 0
    assert sofa["curve"]["rank"] == [1, 2, 3]
    assert sofa["curve"]["score"] == [0.9, 0.8, 0.7]
    assert sofa["curve"]["precision"] == pytest.approx([0.5, 0.5, 0.4])
    assert sofa["curve"]["recall"] == pytest.approx([0.25, 0.25, 0.25])
    assert sofa["curve"]["fall_out"] == pytest.approx([200 / outside, 200 / outside, 300 / outside])
    assert sofa["curve"]["f"] == pytest.approx([1 / 3, 1 / 3, 2 * 0.4 * 0.25 / 0.65])


def test_counts_are_whole_numbers_except_in_means(small: Evaluation) -> None:
    run = in_json(small)["runs"][0]
    assert isinstance(run["queries"]["sofa"]["symbols"], int)
    assert isinstance(run["pooled"]["false_positives"], int)
    assert run["mean"]["symbols"] == pytest.approx(3 / 2)


def test_undefined_is_null(small: Evaluation) -> None:
    run = in_json(small)["runs"][0]
    bed, lamp = run["queries"]["bed"], run["outside"]["lamp"]
    assert lamp["curve"]["recall"] == [None]
    assert (bed["area_precision"], bed["area_recall"]) == (None, 0)
    assert bed["average_precision"]["hits"] is None
    assert bed["curve"]["rank"] == []


def test_queries_that_the_truth_lacks_stand_apart(small: Evaluation) -> None:
    run = in_json(small)["runs"][0]
    assert list(run["queries"]) == ["bed", "sofa"]
    lamp = run["outside"]["lamp"]
    assert (lamp["spots"], lamp["false_area"], lamp["false_positives"]) == (1, 100, 1)
    assert lamp["fall_out"] == pytest.approx(100 / 20000)


def test_what_else_is_searched_changes_no_mean_and_no_interval(tmp_path: Path) -> None:
    truth, run = write_small(tmp_path)
    more = tmp_path / "more.csv"
    others = [f'other{n},one,.9,"{points(n, 0, n + 30, 40)}"' for n in range(20)]
    more.write_text(run.read_text() + "\n".join(others) + "\n")
    fewer = tmp_path / "fewer.csv"
    lines = run.read_text().splitlines(keepends=True)
    fewer.write_text("".join(line for line in lines if not line.startswith("lamp")))
    found = in_json(judged(truth, fewer, run, more, draws=100))
    plain, *others = found["runs"]
    for other in others:
        for name in ("mean", "defined", "pooled", "queries", "intervals"):
            assert other[name] == plain[name], name
    assert [len(run["outside"]) for run in found["runs"]] == [0, 1, 21]
    for compared in found["comparisons"]:
        values = [each for each in compared["differences"].values() if each and "value" in each]
        assert all(each["value"] == 0 for each in values)


def test_means_go_over_what_is_defined(small: Evaluation) -> None:
    run = in_json(small)["runs"][0]
    assert run["defined"]["area_precision"] == 1
    assert run["mean"]["area_precision"] == pytest.approx(0.4)
    assert run["defined"]["area_recall"] == 2
    assert run["mean"]["area_recall"] == pytest.approx((0.25 + 0) / 2)
    assert run["pooled"]["area_precision"] == pytest.approx(200 / 500)
    assert run["pooled"]["area_recall"] == pytest.approx(200 / 1200)
    assert run["pooled"]["average_precision"] == {
        "hits": None, "relevant": None, "retrieved": None,
    }  # fmt: skip


def test_what_is_left_out_is_listed(small: Evaluation) -> None:
    run = small.runs[0]
    assert run.left_out == (LeftOut("three", "there is no such page in the truth", 1),)
    assert run.unknown_queries == {"lamp": 1}
    assert run.unsearched == ("bed",)
    assert run.double_share == pytest.approx((400 + 200 + 100 + 100) / (400 + 100 + 100))
    assert run.tied == 0
    assert [line.split(":")[0] for line in run.listed] == ["page three", "query lamp", "query bed"]
    notes = in_json(small)["runs"][0]["notes"]
    assert notes["left_out"] == [
        {"page": "three", "reason": "there is no such page in the truth", "spots": 1}
    ]
    assert (notes["unknown_queries"], notes["unsearched"]) == ({"lamp": 1}, ["bed"])


def test_sums_count_twice_what_is_found_twice(tmp_path: Path) -> None:
    found = judged(*write_small(tmp_path), settings=MeasureSettings(Overlap.SUM))
    run = in_json(found)["runs"][0]
    assert run["overlap"] == "sum"
    assert run["queries"]["sofa"]["area_precision"] == pytest.approx(300 / 700)
    assert run["queries"]["sofa"]["area_recall"] == pytest.approx(300 / 800)


def test_settings_are_in_the_json(tmp_path: Path) -> None:
    settings = MeasureSettings(Overlap.UNION, 2.0, 0.5, 0.4, "drop")
    found = judged(*write_small(tmp_path), settings=settings, primitive=Primitive.BOX, seed=7)
    assert in_json(found)["settings"] == {
        "overlap": "union", "beta": 2.0, "recognised": 0.5, "iou": 0.4, "missing": "drop",
        "primitive": "box", "draws": 0, "seed": 7, "at_recall": 0.5, "at_precision": 0.5,
        "at_rank": 10,
        "cut": None,
        "sizes": "coco", "models": "ignore",
    }  # fmt: skip
    assert in_json(found)["runs"][0]["queries"]["sofa"]["recognised"] == 1  # half of one


def test_an_oracle_is_perfect(tmp_path: Path) -> None:
    truth, _ = write_small(tmp_path)
    oracle = write_run(
        tmp_path / "oracle.csv",
        ("sofa", "one", 1, points(10, 10, 30, 30)),
        ("sofa", "two", 1, points(10, 10, 30, 30)),
        ("bed", "one", 1, points(60, 60, 80, 80)),
    )
    run = judged(truth, oracle).runs[0]
    perfect = ("area_precision", "area_recall", "f", "average_precision_hits", "iou_precision")
    assert [run.figures.mean[name] for name in perfect] == pytest.approx([1] * 5)
    assert run.figures.mean["recognition_rate"] == 100
    assert run.figures.mean["false_positives"] == 0
    assert run.double_share == pytest.approx(1)
    assert run.tied == 2
    assert run.remarks == (
        "2 spots with the same rank or score as another spot of the query; "
        "ranked in the file's order",
    )


def test_threads_find_the_same(tmp_path: Path) -> None:
    paths = write_small(tmp_path)
    assert in_json(judged(*paths, jobs=2)) == in_json(judged(*paths))


def test_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    truth, run = write_small(tmp_path)
    (tmp_path / "later").mkdir()
    later = run.rename(tmp_path / "later" / "run.csv")
    run.write_bytes(later.read_bytes())
    names = [each.name for each in judged(truth, run, later, later).runs]
    assert names == [f"{tmp_path.name}/run", "later/run", "later/run (2)"]


def test_odd_outlines_are_listed(tmp_path: Path) -> None:
    truth = tmp_path / "truth"
    bow_tie = box("sofa", 10, 10, 30, 30).points
    crossed = [bow_tie[0], bow_tie[2], bow_tie[1], bow_tie[3]]
    flat = [(50, 50), (60, 50), (70, 50)]
    from spotlab.model import Region  # noqa: PLC0415

    write_truth(
        truth, "one", Region(crossed, "sofa", "r1"), Region(flat, "sofa", "r2"),  # type: ignore[arg-type]
        Region(bow_tie, "", "r3"),
    )  # fmt: skip
    run = write_run(
        tmp_path / "run.csv",
        ("sofa", "one", 0.9, "0,0 20,20 20,0 0,20"),
        ("sofa", "one", 0.8, "0,0 10,0 20,0"),
        ("sofa", "one", 0.7, points(10, 10, 30, 30)),
    )
    found = judged(truth, run)
    assert [each.region for each in found.truth_notes.crossing] == ["r1"]
    assert [each.region for each in found.truth_notes.without_area] == ["r2"]
    assert [each.region for each in found.truth_notes.without_label] == ["r3"]
    assert found.runs[0].crossing.tolist() == [0]
    assert found.runs[0].without_area.tolist() == [1]
    assert in_json(found)["runs"][0]["notes"]["without_area"] == [
        {"query": "sofa", "page": "one", "rank": 2, "line": 3}
    ]
    assert len(found.remarks) == 3
    assert found.runs[0].figures.mean["area_recall"] == pytest.approx(1)


def test_intervals_need_enough_queries_and_pages(tmp_path: Path) -> None:
    truth, run = write_small(tmp_path)
    found = in_json(judged(truth, run, draws=200))
    assert found["runs"][0]["intervals"]["queries"]["area_recall"] is None
    assert found["design"]["primary"] == "iou_precision"
    assert judged(truth, run).runs[0].intervals == {}


def test_runs_are_compared_pair_by_pair(tmp_path: Path) -> None:
    truth, run = write_small(tmp_path)
    other = write_run(tmp_path / "other.csv", ("sofa", "one", 1, points(10, 10, 30, 30)))
    found = in_json(judged(truth, run, other, draws=100))["comparisons"]
    assert [(each["first"], each["second"]) for each in found] == [("run", "other")]
    assert found[0]["differences"]["area_recall"]["value"] == pytest.approx(
        ((400 - 200) / 800 + 0) / 2
    )


def test_cancelling_ends_it(tmp_path: Path) -> None:
    truth, run = write_small(tmp_path)

    def cancel(_done: int, _total: int | None, doing: str) -> None:
        if doing.startswith("tallying"):
            raise Cancelled

    with pytest.raises(Cancelled):
        evaluate(read_truths([truth]), [read_run(run)], progress=cancel)


def test_no_number_is_nan(small: Evaluation) -> None:
    def check(value: object) -> None:
        if isinstance(value, dict):
            for each in value.values():
                check(each)
        elif isinstance(value, list):
            for each in value:
                check(each)
        else:
            assert not (isinstance(value, float) and not math.isfinite(value))
            assert not isinstance(value, np.generic)

    check(as_json(small))


def test_figures_at_a_cut_are_those_of_the_truths_queries(small: Evaluation) -> None:
    figures = small.runs[0].figures
    everything = FiguresAtCut(figures, np.diff(figures.tally.starts)).of(None)
    for name, value in everything.items():
        assert value == pytest.approx(figures.mean[name]), name
