"""`spotlab annotators` on files: a table, JSON, and one clear line where something is wrong."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from spotlab.formats.truth import page_xml
from spotlab.model import Deed
from spotlab.studies.annotators.decisions import Decision, open_decisions, sides
from spotlab.studies.annotators.differences import compare_regions, third_path, write_page
from tests.judging_files import box, command, points, write_run, write_truth


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    """Anna marks the left half of what is retrieved, Bert all of it; Bert has not seen page two."""
    for name in ("anna", "bert"):
        (tmp_path / name).mkdir()
    write_truth(tmp_path / "anna" / "truth", "one", box("sofa", 0, 0, 10, 10))
    write_truth(tmp_path / "anna" / "truth", "two", box("sofa", 0, 0, 10, 10))
    write_truth(tmp_path / "bert" / "truth", "one", box("sofa", 0, 0, 20, 10))
    run = write_run(
        tmp_path / "run.csv",
        ("sofa", "one", 0.9, points(0, 0, 20, 10)),
        ("sofa", "two", 0.8, points(0, 0, 20, 10)),
        ("sofa", "six", 0.7, points(0, 0, 20, 10)),
    )
    folders = [tmp_path / name / "truth" for name in ("anna", "bert")]
    return ["--annotator", folders[0], "--annotator", folders[1], "--run", run]


def test_a_table_for_people(files: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    assert command("annotators", *files) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "anna/truth: 2 of 2 pages, 2 regions",
        "bert/truth: 1 of 2 pages, 1 region",
    ]
    assert "run: 2 of 3 spots evaluated" in lines
    cells = [re.split(r"\s{2,}", line) for line in lines if "  ." in line or " 1." in line]
    rows = {name: figures for name, *figures in reversed(cells)}  # the first table wins
    # page one: (½ + 1) / 2 of 200 px², page two ½ of them: 250 of 400; ∫ r is 150 + 100
    assert rows["expected"][:3] == [".625", "1.000", ".769"]
    assert rows["anna/truth"][:3] == [".500", "1.000", ".667"]
    assert rows["standard deviation over annotators"][:2] == [".250", ".000"]


def test_json(files: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    assert command("annotators", *files, "--json", "-", "--beta", 2) == 0
    found = json.loads(capsys.readouterr().out)
    (run,) = found["runs"]
    assert run["pooled"]["expected_precision"] == pytest.approx(0.625)
    assert run["annotators"]["bert/truth"] == pytest.approx({"precision": 1, "recall": 1, "f": 1})
    assert run["queries"]["sofa"]["curve"]["expected_precision"] == pytest.approx([0.75, 0.625])
    assert run["queries"]["sofa"]["curve"]["rank"] == [1, 2]
    assert run["left_out"] == [
        {"page": "six", "reason": "there is no such page in the truth", "spots": 1}
    ]
    assert found["annotators"][1] == {"name": "bert/truth", "seen": ["one"]}
    pairs = found["agreement"]["pairs"]
    assert pairs[0][1] == pytest.approx({"precision": 1, "recall": 0.5, "f": 5 * 0.5 / (4 + 0.5)})
    assert pairs[1][0] == pytest.approx({"precision": 0.5, "recall": 1, "f": 5 * 0.5 / (2 + 1)})
    assert pairs[0][0] is None
    assert run["annotators"]["anna/truth"]["f"] == pytest.approx(5 * 0.5 / (4 * 0.5 + 1))


def test_without_a_run_there_is_the_agreement(
    files: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("annotators", *files[:4]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].split() == ["anna/truth", "–", ".667", "1.000", ".500", ".667"]


def test_what_is_wrong_is_said_in_a_line(
    files: list[object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("annotators", *files[:2], *files[:2]) == 2
    assert "--annotator has the same path twice" in capsys.readouterr().err
    empty = tmp_path / "empty"
    empty.mkdir()
    assert command("annotators", *files, "--annotator", empty) == 2
    error = capsys.readouterr().err
    assert "empty: it has no truth" in error
    assert error.count("\n") == 1
    (tmp_path / "run.csv").write_text("query,page,score,points\nsofa,one,high,0\n")
    assert command("annotators", *files) == 2
    assert "line 2: score is 'high'" in capsys.readouterr().err


def test_a_report(files: list[object], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report"
    assert command("annotators", *files, "--out", out) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"wrote {out / 'report.html'}"
    page = (out / "report.html").read_text()
    assert "Annotators against each other</h2>" in page
    rows = [line.split(",") for line in (out / "run-1.csv").read_text().splitlines()]
    assert [float(cell) for cell in rows[1][1:4]] == pytest.approx([0.625, 1, 1.25 / 1.625])
    agreement = (out / "agreement.csv").read_text().splitlines()
    assert agreement[1].startswith("anna/truth,,0.666")
    study = json.loads((out / "study.json").read_text())
    assert study["runs"][0]["name"]
    assert "Agreement by region</h2>" in page
    heads, row = ((out / "regions.csv").read_text().splitlines()[at].split(",") for at in (0, 1))
    by_region = study["agreement"]["regions"][0][1]
    assert dict(zip(heads, row, strict=True))["annotators"] == "anna/truth and bert/truth"
    assert float(row[heads.index("area_iou")]) == pytest.approx(by_region["iou"])


def test_agreement_by_region_is_told_for_each_two(
    files: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("annotators", *files) == 0
    lines = capsys.readouterr().out.splitlines()
    row = next(line for line in lines if line.startswith("anna/truth and bert/truth"))
    # of page one 100 of 200 px² are shared, which is a match; κ needs two categories
    assert re.split(r"\s{2,}", row)[1:] == [".500", "–", "0", "1", "0", "0", "0"]
    assert command("annotators", *files, "--json", "-") == 0
    regions = json.loads(capsys.readouterr().out)["agreement"]["regions"]
    assert regions[0][1]["iou"] == 0.5 and regions[0][1]["kappa"] is None
    assert regions[0][0] is None and regions[1][0]["outline"] == 1


def test_decisions_are_counted_and_annotators_compared_with_what_results(
    tmp_path: Path, files: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    anna, bert = (tmp_path / name / "truth" for name in ("anna", "bert"))
    log = open_decisions(tmp_path / "decided", *sides(anna, bert))
    first, second = (page_xml.read(folder / "one.xml") for folder in (anna, bert))
    found = compare_regions(first.regions, second.regions)
    (pair,) = found.differences
    now = datetime(2026, 1, 2, tzinfo=UTC)
    decision = Decision("one", pair.key, Deed.TAKEN, "Cleo", now)
    log.record("one", pair.key, decision, by=decision)
    path, decisions = third_path(log.folder, anna / "one.xml"), log.of_page("one")
    write_page(path, first, found, decisions, log.names, "Cleo", now)
    assert command("annotators", *files, "--decided", log.folder) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (
        "1 of 1 differences decided: 0 for anna/truth, 1 for bert/truth, 0 merged; "
        "0 left undecided" in lines
    )
    assert "  by Cleo: 1" in lines
    out = tmp_path / "report"
    assert command("annotators", *files, "--decided", log.folder, "--out", out) == 0
    rows = (out / "decided.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in rows] == ["annotators", "anna/truth", "bert/truth"]
    capsys.readouterr()
    assert command("annotators", *files, "--decided", log.folder, "--json", "-") == 0
    told = json.loads(capsys.readouterr().out)["decisions"]
    assert (told["decided"], told["differences"], told["authors"]) == (1, 1, {"Cleo": 1})
    against = told["against_decided"]
    assert (against["anna/truth"]["iou"], against["bert/truth"]["iou"]) == (0.5, 1)
    assert command("annotators", "--annotator", anna, "--decided", log.folder) == 2
    assert "give both with --annotator" in capsys.readouterr().err
    assert command("annotators", *files, "--decided", anna) == 2
