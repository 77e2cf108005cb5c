"""Means of systems that do not answer all queries: over the same queries, with their number."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.judging_files import command

Captured = pytest.CaptureFixture[str]

ALL = "1 Q0 b 1 1 all\n2 Q0 z 1 1 all\n2 Q0 a 2 .5 all\n3 Q0 c 1 .9 all\n"
ONE = "1 Q0 b 1 1.0 one\n"
EXTRA = "9 Q0 b 1 1.0 one\n"  # a query that nobody has judged


def write(folder: Path, qrels: str, **runs: str) -> list[Path]:
    (folder / "q.qrels").write_text(qrels)
    for name, text in runs.items():
        (folder / f"{name}.trec").write_text(text)
    return [folder / f"{name}.trec" for name in runs]


def test_a_query_that_a_list_does_not_answer_counts_0(tmp_path: Path, capsys: Captured) -> None:
    qrels = "1 0 b 1\n2 0 a 1\n3 0 c 1\n4 0 d 1\n5 0 d 0\n"  # nobody answers 4; 5 has no answer
    files = write(tmp_path, qrels, one=ONE + EXTRA, all=ALL)
    options = ("--qrels", tmp_path / "q.qrels", "--fusion", "combmnz")
    assert command("rerank", *files, *options, "--out", tmp_path / "report") == 0
    shown = capsys.readouterr().out
    assert "one: 3 judged queries were not answered; they count 0" in shown
    assert "all: 1 judged query was not answered; it counts 0" in shown
    rows = {line.split()[0]: line.split()[1:4] for line in shown.splitlines() if line.split()[1:]}
    assert rows["one"] != rows["all"]
    assert "one            2        4     .250" in shown
    assert "all            3        4     .625" in shown
    assert "combmnz        4        4     .625" in shown
    with (tmp_path / "report" / "means.csv").open() as file:
        means = {row["list"]: row for row in csv.DictReader(file)}
    assert [means[name]["average_precision_n"] for name in ("one", "all", "combmnz")] == ["4"] * 3
    assert [means[name]["unanswered"] for name in ("one", "all", "combmnz")] == ["3", "1", "1"]
    assert means["one"]["precision_n"] == "1"
    latex = (tmp_path / "report" / "means.tex").read_text()
    assert "of means over different queries none is marked as the best." in latex
    assert r"\textbf{.625}" in latex and r"1.000 {\scriptsize(n = 1)}" in latex
    assert r"\textbf{1.000}" not in latex  # the precision of one query is not the best
    assert command("rerank", *files, *options, "--json", "-") == 0
    found = json.loads(capsys.readouterr().out)
    assert [(each["defined"], each["unanswered"]) for each in found["lists"]] == [
        (4, 3),
        (4, 1),
        (4, 1),
    ]
    figures = found["comparison"]["lists"][1]["figures"]["average_precision"]
    assert figures["difference"]["value"] == pytest.approx((0 + 0.5 + 1 + 0) / 4)


def test_a_list_that_answers_all_is_averaged_as_before(tmp_path: Path, capsys: Captured) -> None:
    (run,) = write(tmp_path, "1 0 b 1\n2 0 a 1\n3 0 c 1\n", all=ALL)
    assert command("rerank", run, "--qrels", tmp_path / "q.qrels", "--json", "-") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["lists"][0]["mean_average_precision"] == pytest.approx(2.5 / 3)
    assert found["lists"][0]["unanswered"] == 0
    assert not any("answered" in remark for remark in found["remarks"])


def test_means_of_runs_over_different_queries_are_not_ranked(tmp_path: Path) -> None:
    truth = tmp_path / "t.json"
    boxes = [(1, 0, 0), (2, 50, 0)]
    truth.write_text(json.dumps({
        "images": [{"id": 1, "file_name": "p.png", "width": 100, "height": 100}],
        "categories": [{"id": 1, "name": "bed"}, {"id": 2, "name": "sofa"}],
        "annotations": [{"id": c, "image_id": 1, "category_id": c, "bbox": [x, y, 20, 20]}
                        for c, x, y in boxes],
    }))  # fmt: skip
    head = "query,page,score,points\n"
    (tmp_path / "few.csv").write_text(head + 'bed,p,1,"0,0 20,0 20,20 0,20"\n')
    (tmp_path / "both.csv").write_text(
        head + 'bed,p,1,"0,0 20,0 20,20 0,20"\nsofa,p,1,"50,0 80,0 80,20 50,20"\n'
    )
    report = tmp_path / "report"
    runs = ("--run", tmp_path / "few.csv", "--run", tmp_path / "both.csv")
    assert command("evaluate", "--truth", truth, *runs, "--out", report) == 0
    latex = (report / "runs.tex").read_text()
    few, both = (
        next(line for line in latex.splitlines() if line.strip().startswith(name))
        for name in ("few", "both")
    )
    assert r"1.000 {\scriptsize(n = 1)}" in few and r"\textbf{1.000}" not in few
    assert r"\textbf{" in both  # recall and F are over both queries
    assert "of means over different queries none is marked as the best." in latex
    with (report / "runs.csv").open() as file:
        rows = {row["run"]: row for row in csv.DictReader(file)}
    assert [rows[name]["area_precision_n"] for name in ("few", "both")] == ["1", "2"]
    assert [rows[name]["area_recall_n"] for name in ("few", "both")] == ["2", "2"]
    page = (report / "report.html").read_text()
    assert "n = 1" in page
