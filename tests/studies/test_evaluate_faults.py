"""Evaluating what is broken: every fault has an outcome, and nothing half written is left."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from spotlab.studies.evaluate.evaluation_json import as_json
from tests.judging_files import box, command, judged, points, write_run, write_small, write_truth

Captured = pytest.CaptureFixture[str]


def fails(capsys: Captured, *arguments: object) -> tuple[str, str]:
    """What a command that ends with 2 and one line on standard error prints."""
    assert command("evaluate", "--draws", 0, "--strict", *arguments) == 2
    out, err = capsys.readouterr()
    assert err.startswith("spotlab: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return out, err


def query(truth: Path, run: Path, name: str) -> dict[str, Any]:
    found = as_json(judged(truth, run))["runs"][0]["queries"][name]
    assert isinstance(found, dict)
    return found


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    return write_small(tmp_path)[0]


def test_a_run_cut_off_mid_file(tmp_path: Path, truth: Path, capsys: Captured) -> None:
    row = f'sofa,one,0.9,"{points(10, 10, 30, 30)}"\n'
    run = tmp_path / "cut.csv"
    run.write_text("query,page,score,points\n" + row + row[:-12])
    out, err = fails(capsys, "--truth", truth, "--run", run)
    assert out.startswith(f"{run}, line 3: ")
    assert f"1 bad line: {run}, line 3: " in err
    arguments = ("--truth", truth, "--run", run, "--draws", 0, "--skip-bad-lines", "--json", "-")
    assert command("evaluate", *arguments) == 0
    found = json.loads(capsys.readouterr().out)["runs"][0]
    assert found["queries"]["sofa"]["area_recall"] == pytest.approx(0.5)
    assert [bad["line"] for bad in found["notes"]["bad_lines"]] == [3]


def test_nan_scores_are_bad_lines(tmp_path: Path, truth: Path, capsys: Captured) -> None:
    outline = points(10, 10, 30, 30)
    run = write_run(tmp_path / "r.csv", *[("sofa", "one", each, outline) for each in ("nan", 1)])
    out, _ = fails(capsys, "--truth", truth, "--run", run)
    assert out == f"{run}, line 2: score is 'nan', not a finite number\n"


def test_negative_scores_rank_last(tmp_path: Path, truth: Path) -> None:
    run = write_run(
        tmp_path / "run.csv",
        ("sofa", "one", -3.5, points(80, 80, 90, 90)),
        ("sofa", "one", 0, points(10, 10, 30, 30)),
        ("sofa", "one", -1, points(50, 50, 60, 60)),
    )
    curve = query(truth, run, "sofa")["curve"]
    assert curve["score"] == [0, -1, -3.5]
    assert curve["precision"] == pytest.approx([1, 400 / 500, 400 / 600])


def test_huge_coordinates(tmp_path: Path, truth: Path) -> None:
    """A spot that covers all and a million times more is the page."""
    far = 1e7
    run = write_run(tmp_path / "run.csv", ("sofa", "one", 1, points(-far, -far, far, far)))
    sofa = query(truth, run, "sofa")
    assert sofa["area_recall"] == pytest.approx(0.5)
    assert sofa["area_precision"] == pytest.approx(400 / 100**2)
    assert 0 < sofa["fall_out"] <= 1


def test_coordinates_beyond_reason(tmp_path: Path, truth: Path, capsys: Captured) -> None:
    """Either a bad line or a defined figure, but never NaN or a crash."""
    run = write_run(tmp_path / "run.csv", ("sofa", "one", 1, points(0, 0, 1e200, 1e200)))
    out, _ = fails(capsys, "--truth", truth, "--run", run)
    assert out.startswith(f"{run}, line 2: ")


def test_self_crossing_spots_count_by_the_even_odd_rule(tmp_path: Path, truth: Path) -> None:
    run = write_run(tmp_path / "run.csv", ("sofa", "one", 1, "10,10 30,30 30,10 10,30"))
    found = judged(truth, run).runs[0]
    assert found.crossing.tolist() == [0]
    assert found.figures.columns["area_precision"][found.tally.queries.index("sofa")] == 1
    assert query(truth, run, "sofa")["area_recall"] == pytest.approx(200 / 800)


def test_spots_without_area_retrieve_nothing(tmp_path: Path, truth: Path) -> None:
    run = write_run(
        tmp_path / "run.csv",
        ("sofa", "one", 1, "10,10 20,10 30,10"),
        ("sofa", "one", 0.5, "5,5 5,5 5,5"),
    )
    found = judged(truth, run).runs[0]
    assert found.without_area.tolist() == [0, 1]
    assert found.double_share is None
    sofa = query(truth, run, "sofa")
    assert (sofa["area_precision"], sofa["area_recall"]) == (None, 0)
    assert sofa["curve"]["precision"] == [None, None]
    assert sofa["false_positives"] == 2


def test_a_page_without_truth(tmp_path: Path, truth: Path, capsys: Captured) -> None:
    Image.new("1", (100, 100), 1).save(truth / "bare.png")
    run = write_run(
        tmp_path / "run.csv",
        ("sofa", "bare", 1, points(10, 10, 30, 30)),
        ("sofa", "one", 0.5, points(10, 10, 30, 30)),
    )
    found = judged(truth, run)
    assert [(each.page, each.reason, each.spots) for each in found.runs[0].left_out] == [
        ("bare", "the page has no truth file", 1)
    ]
    assert found.remarks == ("1 page without a truth file, not evaluated: bare",)
    assert query(truth, run, "sofa")["area_precision"] == 1


def test_a_run_without_spots(tmp_path: Path, truth: Path, capsys: Captured) -> None:
    run = tmp_path / "empty.csv"
    run.write_text("query,page,score,points\n")
    found = as_json(judged(truth, run, draws=20))["runs"][0]
    assert (found["spots"], found["evaluated"]) == (0, 0)
    assert found["notes"]["unsearched"] == ["bed", "sofa"]
    assert found["mean"]["area_precision"] is None
    assert found["mean"]["area_recall"] == 0
    assert found["mean"]["recognition_rate"] == 0
    assert found["intervals"]["queries"]["area_precision"] is None
    assert command("evaluate", "--truth", truth, "--run", run) == 0
    precision = next(
        line for line in capsys.readouterr().out.splitlines() if line.startswith("Precision")
    )
    assert precision.split() == ["Precision", "–", "0", "–"]
    assert command("scalability", "--truth", truth, "--run", run) == 0


def test_all_spots_on_unknown_pages(tmp_path: Path, truth: Path) -> None:
    run = write_run(tmp_path / "run.csv", ("sofa", "elsewhere", 1, points(1, 1, 9, 9)))
    found = judged(truth, run, draws=20).runs[0]
    assert len(found.tally) == 0
    assert found.unsearched == ("bed",)
    assert found.figures.mean["area_recall"] == 0


def test_an_empty_run_file(tmp_path: Path, truth: Path, capsys: Captured) -> None:
    run = tmp_path / "blank.csv"
    run.touch()
    _, err = fails(capsys, "--truth", truth, "--run", run)
    assert err == f"spotlab: {run}: the file is empty; expected a run\n"


def test_no_pages_at_all(tmp_path: Path, truth: Path, capsys: Captured) -> None:
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    run = write_run(tmp_path / "run.csv", ("sofa", "one", 1, points(1, 1, 9, 9)))
    _, err = fails(capsys, "--truth", nothing, "--run", run)
    assert f"{nothing}: it has no truth" in err


@pytest.mark.parametrize("option", ["--truth", "--run"])
def test_what_is_missing_is_named(
    tmp_path: Path, truth: Path, capsys: Captured, option: str
) -> None:
    paths = {"--truth": truth, "--run": tmp_path / "run.csv"} | {option: tmp_path / "gone"}
    _, err = fails(capsys, *[each for pair in paths.items() for each in pair])
    assert f"'{tmp_path / 'gone'}' does not exist" in err


def test_a_page_of_truth_that_is_empty(tmp_path: Path) -> None:
    truth = tmp_path / "truth"
    write_truth(truth, "one", box("sofa", 10, 10, 30, 30))
    write_truth(truth, "two")
    run = write_run(tmp_path / "run.csv", ("sofa", "two", 1, points(10, 10, 30, 30)))
    sofa = query(truth, run, "sofa")
    assert (sofa["area_precision"], sofa["area_recall"], sofa["f"]) == (0, 0, 0)
    assert sofa["fall_out"] == pytest.approx(400 / (20000 - 400))


def test_truth_without_any_region(tmp_path: Path) -> None:
    write_truth(tmp_path / "truth", "one")
    run = write_run(tmp_path / "run.csv", ("sofa", "one", 1, points(10, 10, 30, 30)))
    found = as_json(judged(tmp_path / "truth", run, draws=20))["runs"][0]
    assert found["mean"]["area_recall"] is None
    assert found["mean"]["area_precision"] is None
    assert found["outside"]["sofa"]["false_area"] == 400
    assert found["pooled"]["area_recall"] is None


def test_json_that_cannot_be_written(tmp_path: Path, capsys: Captured) -> None:
    truth, run = write_small(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    target = run / "result.json"  # below a file
    _, err = fails(capsys, "--truth", truth, "--run", run, "--json", target)
    assert str(target) in err
    assert sorted(tmp_path.rglob("*")) == before


def test_old_json_survives_a_failure(tmp_path: Path, truth: Path, capsys: Captured) -> None:
    target = tmp_path / "result.json"
    target.write_text("old")
    run = write_run(tmp_path / "run.csv", ("sofa", "one", "x", points(1, 1, 9, 9)))
    fails(capsys, "--truth", truth, "--run", run, "--json", target)
    assert target.read_text() == "old"


@pytest.mark.slow
def test_a_report_that_cannot_be_written(tmp_path: Path, capsys: Captured) -> None:
    pytest.importorskip("spotlab.report.images")
    if os.geteuid() == 0:
        target = tmp_path / "file" / "report"
        target.parent.write_text("a file, not a folder")
    else:
        target = tmp_path / "locked" / "report"
        target.parent.mkdir(mode=0o500)
    truth, run = write_small(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    fails(capsys, "--truth", truth, "--run", run, "--out", target)
    assert sorted(tmp_path.rglob("*")) == before
