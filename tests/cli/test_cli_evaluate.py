"""`spotlab evaluate`: tables, JSON, and every bad line named."""

from __future__ import annotations

import json
from pathlib import Path

import pandas
import pytest

from spotlab.studies.evaluate.evaluation import SPOT_COLUMNS
from tests.judging_files import command, points, write_run, write_small

Captured = pytest.CaptureFixture[str]


def test_a_table_for_each_run(tmp_path: Path, capsys: Captured) -> None:
    truth, run = write_small(tmp_path)
    assert command("evaluate", "--truth", truth, "--run", run, "--draws", 50) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "truth: 2 pages, 3 regions"
    assert "run: 4 of 5 spots evaluated, 2 queries, 0 tied, sum / union of areas 1.333" in lines
    assert "  1 spot left out, on pages without truth: three (1)" in lines
    assert any("lamp (1)" in line for line in lines)
    assert any("without spots" in line and "bed" in line for line in lines)
    assert any("1.333 times the area" in line for line in lines)
    head = next(line for line in lines if "n queries" in line)
    recall = next(line for line in lines if line.startswith("Recall "))
    assert len(head) == len(recall)
    assert recall.split()[:2] == ["Recall", ".125"]
    assert recall.split()[-1] == ".167"
    apart = next(n for n, line in enumerate(lines) if line.startswith("queries without truth"))
    assert lines[apart + 1].split() == ["lamp", "1", "100", ".0050", "1"]
    assert next(line for line in lines if line.startswith("AveP (hits)")).split()[-1] == "–"


def test_json_goes_where_it_is_told(tmp_path: Path, capsys: Captured) -> None:
    truth, run = write_small(tmp_path)
    file = tmp_path / "result.json"
    arguments = ("evaluate", "--truth", truth, "--run", run, "--draws", 0)
    assert command(*arguments, "--json", file) == 0
    assert "Recall" in capsys.readouterr().out
    assert command(*arguments, "--json", "-") == 0
    printed = capsys.readouterr().out
    assert json.loads(printed) == json.loads(file.read_text())
    assert json.loads(printed)["runs"][0]["queries"]["sofa"]["symbols"] == 2


def test_options_reach_the_figures(tmp_path: Path, capsys: Captured) -> None:
    truth, run = write_small(tmp_path)
    assert (
        command(
            "evaluate", "--truth", truth, "--run", run, "--draws", 0, "--json", "-",
            "--overlap", "sum", "--beta", 2, "--recognised", 0.5, "--iou", 0.3,
            "--missing", "drop", "--primitive", "hull", "--seed", 3,
            "--at-recall", 0.4, "--at-precision", 0.9, "--at-rank", 20, "--models", "count",
        ) == 0
    )  # fmt: skip
    found = json.loads(capsys.readouterr().out)
    assert found["settings"] == {
        "overlap": "sum", "beta": 2.0, "recognised": 0.5, "iou": 0.3, "missing": "drop",
        "primitive": "hull", "draws": 0, "seed": 3, "at_recall": 0.4, "at_precision": 0.9,
        "at_rank": 20,
        "cut": None,
        "sizes": "coco", "models": "count",
    }  # fmt: skip
    assert found["runs"][0]["queries"]["sofa"]["area_precision"] == pytest.approx(300 / 700)


def test_all_bad_lines_are_printed(tmp_path: Path, capsys: Captured) -> None:
    truth, run = write_small(tmp_path)
    with run.open("a") as file:
        file.write('sofa,one,x,"0,0 1,0 1,1"\nsofa,,1,"0,0 1,0 1,1"\n')
    other = write_run(tmp_path / "other.csv", ("bed", "one", "inf", points(1, 1, 2, 2)),
                      ("bed", "one", 1, points(1, 1, 2, 2)))  # fmt: skip
    arguments = ("evaluate", "--truth", truth, "--run", run, "--run", other, "--draws", 0)
    assert command(*arguments, "--strict") == 2
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"{run}, line 7: score is 'x', not a finite number",
        f"{run}, line 8: page is empty",
        f"{other}, line 2: score is 'inf', not a finite number",
    ]
    assert err == (
        f"spotlab: 3 bad lines, the first: {run}, line 7: score is 'x', not a finite number; "
        "without --strict spotlab evaluates the rest\n"
    )
    assert command(*arguments) == 0
    shown = capsys.readouterr().out
    assert "line 7: score is 'x', not a finite number; left out" in shown
    assert command(*arguments, "--skip-bad-lines", "--json", "-") == 0
    found = json.loads(capsys.readouterr().out)
    assert [bad["line"] for bad in found["runs"][0]["notes"]["bad_lines"]] == [7, 8]
    assert found["runs"][0]["queries"]["sofa"]["area_recall"] == pytest.approx(0.25)
    assert found["runs"][1]["spots"] == 1


@pytest.mark.parametrize(
    ("option", "value"),
    [("--beta", "nan"), ("--beta", 0), ("--recognised", 1.5), ("--iou", 0), ("--draws", -1)],
)
def test_settings_that_make_no_sense(
    tmp_path: Path, capsys: Captured, option: str, value: object
) -> None:
    truth, run = write_small(tmp_path)
    assert command("evaluate", "--truth", truth, "--run", run, option, value) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("spotlab: ")
    assert err.count("\n") == 1


def test_a_report_is_written(tmp_path: Path, capsys: Captured) -> None:
    pytest.importorskip("spotlab.report.images")
    truth, run = write_small(tmp_path)
    folder = tmp_path / "report"
    assert command("evaluate", "--truth", truth, "--run", run, "--out", folder) == 0
    assert f"wrote {folder / 'report.html'}" in capsys.readouterr().out
    assert (folder / "report.html").is_file()
    assert json.loads((folder / "evaluation.json").read_text())["runs"][0]["name"] == "run"
    assert not list(tmp_path.glob(".report*"))


def test_what_was_taken_for_what(tmp_path: Path, capsys: Captured) -> None:
    """Of the first sofa 200 px² are found, 200 px² of the spots lie on nothing, and the third."""
    truth, run = write_small(tmp_path)
    folder = tmp_path / "report"
    arguments = ("evaluate", "--truth", truth, "--run", run, "--draws", 0, "--out", folder)
    assert command(*arguments, "--json", "-") == 0
    judged = json.loads(capsys.readouterr().out)["runs"][0]
    confusion = judged["confusion"]
    assert confusion["rows"] == ["bed", "lamp", "sofa", "(missed)"]
    assert confusion["columns"] == ["bed", "sofa", "(no truth)"]
    assert confusion["spots"] == [[0, 0, 0], [0, 0, 1], [0, 2, 1], [1, 1, 0]]
    assert confusion["area"] == [[0, 0, 0], [0, 0, 100], [0, 200, 300], [400, 600, 0]]
    assert judged["tide"]["average_precision"] == 0
    assert judged["tide"]["errors"]["background"] == {"count": 2, "gain": 0}
    assert judged["queries"]["sofa"]["tide"]["errors"]["badly_placed"]["count"] == 2
    table = (folder / "confusion-spots-run.csv").read_text().splitlines()
    assert table[0] == "query,bed,sofa,(no truth)"
    assert table[3] == "sofa,0.0,2.0,1.0"
    assert (folder / "tide-run.csv").read_text().splitlines()[1].startswith("wrong label,Cls,0.0,")
    page = (folder / "report.html").read_text()
    assert "What was taken for what" in page
    assert "ΔAP" in page


@pytest.mark.parametrize("suffix", ["csv", "parquet", "json"])
def test_all_spots_are_written(tmp_path: Path, capsys: Captured, suffix: str) -> None:
    truth, run = write_small(tmp_path)
    file = tmp_path / f"spots.{suffix}"
    arguments = ("evaluate", "--truth", truth, "--run", run, "--draws", 0, "--spots", file)
    assert command(*arguments) == 0
    assert f"wrote {file}" in capsys.readouterr().out
    read = {
        "csv": lambda: pandas.read_csv(file, dtype={"region": str}),
        "parquet": lambda: pandas.read_parquet(file),
        "json": lambda: pandas.DataFrame(json.loads(file.read_text())),
    }
    spots = read[suffix]()
    assert list(spots.columns) == list(SPOT_COLUMNS)
    assert spots["query"].tolist() == ["lamp", "sofa", "sofa", "sofa"]
    assert spots["rank"].tolist() == [1, 1, 2, 3]
    assert spots["kind"].tolist() == ["false", "badly_placed", "badly_placed", "false"]
    assert spots["label"].fillna("–").tolist() == ["–", "sofa", "sofa", "–"]
    assert spots["iou"].tolist()[1:3] == pytest.approx([1 / 3, 100 / 500])
    assert spots["own_share"].tolist() == [0, 0.5, 0.5, 0]
    assert spots["no_truth_share"].tolist() == [1, 0.5, 0.5, 1]
    assert spots["area"].tolist() == [100, 400, 200, 100]


def test_a_table_of_spots_needs_a_known_suffix(tmp_path: Path, capsys: Captured) -> None:
    truth, run = write_small(tmp_path)
    arguments = ("evaluate", "--truth", truth, "--run", run, "--spots", tmp_path / "spots.txt")
    assert command(*arguments) == 2
    assert "has to end in .csv, .parquet or .json" in capsys.readouterr().err
    assert not (tmp_path / "spots.txt").exists()
