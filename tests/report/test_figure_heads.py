"""Figures say at which threshold they are, in which unit, over how many queries, mean or pooled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import spotlab
from spotlab.measures.measure import Figure, MeasureSettings, known_figures
from tests.judging_files import command

PLANS = Path(__file__).resolve().parents[2] / "datasets" / "floorplans"
RUNS = [PLANS / "runs" / name for name in ("a_ratios.csv", "c_polygons.csv")]
CHOSEN = ("--iou", 0.3, "--recognised", 0.6, "--at-recall", 0.25, "--at-precision", 1, "--beta", 2,
          "--at-rank", 7)  # fmt: skip
TITLES = {
    "iou_precision": "AP at IoU .3",
    "f_at_iou": "F at IoU .3 (β = 2)",
    "f": "F (β = 2)",
    "precision_at_recall": "P at recall .25",
    "recall_at_precision": "R at precision 1",
    "precision_at_rank": "P@7",
    "recognition_rate": "Recognition rate (60 % of the area), in %",
    "false_positives": "False positives (60 % of the area)",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("heads")
    runs = [part for run in RUNS for part in ("--run", run)]
    assert (
        command(
            "evaluate", "--truth", PLANS / "plan_001.png", *runs, "--draws", 50, *CHOSEN,
            "--out", folder / "report", "--json", folder / "found.json",
        ) == 0
    )  # fmt: skip
    return folder


def test_terminal_json_and_report_name_thresholds(
    capsys: pytest.CaptureFixture[str], made: Path
) -> None:
    plan, run = PLANS / "plan_001.png", RUNS[0]
    capsys.readouterr()
    assert command("evaluate", "--truth", plan, "--run", run, "--draws", 0, *CHOSEN) == 0
    terminal = capsys.readouterr().out
    found = json.loads((made / "found.json").read_text())
    page = (made / "report" / "report.html").read_text("utf-8")
    for name, title in TITLES.items():
        assert any(line.startswith(f"{title}  ") for line in terminal.splitlines()), title
        assert found["figures"][name]["title"] == title
        assert title in page
    assert found["figures"]["iou_precision"]["threshold"] == {"iou": 0.3}
    assert found["figures"]["recognition_rate"]["over"] == "pooled"
    assert found["design"]["title"] == "AP at IoU .3"
    assert "n queries" in terminal


def test_every_table_for_print_says_its_number(made: Path) -> None:
    """Of queries, pages, symbols or spots: in the caption or in a column."""
    lacking = []
    for path in (made / "report").glob("*.tex"):
        text = path.read_text("utf-8")
        words = (
            "quer",
            "page",
            "symbol",
            "spots",
            "Symbols",
            "Queries",
            "Number",
            "px",
            "Rank",
            "n =",
        )
        caption = text.split(r"\caption{", 1)[1]
        if not any(word in caption for word in words):
            lacking.append(path.name)
    assert lacking == []
    found = json.loads((made / "found.json").read_text())
    n = len(found["runs"][0]["queries"])
    assert f"means over {n} queries" in (made / "report" / "runs.tex").read_text("utf-8")


def test_titles_of_other_packages_get_their_threshold_too() -> None:
    settings = MeasureSettings(iou=0.4, at_rank=5)
    assert Figure("hit", "Hit", "", 1, "", threshold="iou").titled(settings) == "Hit (IoU .4)"
    assert Figure("top", "Top@n", "", 1, "", threshold="at_rank").titled(settings) == "Top@5"
    assert (
        Figure("run", "Chosen", "", 1, "", threshold="at_rank").titled(settings) == "Chosen (n 5)"
    )
    assert Figure("f", "F", "", 1, "").titled(settings) == "F"


def test_means_of_python_are_those_of_the_paper() -> None:
    result = spotlab.evaluate(PLANS, RUNS[0], draws=0)
    said = repr(result)
    assert "Recognition rate (75 % of the area), in %, pooled" in said
    assert "49.2" in said
    assert "60.1" not in said
    assert "means over 36 queries" in said


def test_every_figure_with_a_threshold_names_it() -> None:
    plain, settings = MeasureSettings(), MeasureSettings()
    for figure in known_figures():
        assert (figure.titled(plain) != figure.title) == bool(figure.threshold)
        assert figure.titled(settings, unit=True).count("%") >= (figure.unit == "%")
