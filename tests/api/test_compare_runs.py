"""Two runs compared: as tables and dictionaries, on the command line and in the report."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import spotlab
from spotlab.api.evaluate import EvaluationResult
from tests.judging_files import command, points, write_run

Captured = pytest.CaptureFixture[str]
TRUTH = {
    "page": ["one", "one", "two"],
    "label": ["bed", "<b>lamp</b>", "bed"],
    "points": ["0,0 20,0 20,10 0,10", "50,50 60,50 60,60 50,60", "0,0 20,0 20,10 0,10"],
    "page_width": [100] * 3,
    "page_height": [100] * 3,
}
BED, HALF, LAMP = points(0, 0, 20, 10), points(0, 0, 10, 10), points(50, 50, 60, 60)
NOTHING = points(70, 0, 90, 20)


def run(*spots: tuple[str, str, str]) -> dict[str, list[object]]:
    queries, pages, rings = (list(column) for column in zip(*spots, strict=True))
    scores = [1 - 0.1 * place for place in range(len(spots))]
    return {"query": queries, "page": pages, "score": scores, "points": rings}


def evaluated(draws: int = 100) -> EvaluationResult:
    """A finds half of the first bed and all of the second, and nothing where there is none."""
    before = run(("bed", "one", HALF), ("bed", "two", BED), ("bed", "two", NOTHING))
    after = run(("bed", "one", BED), ("<b>lamp</b>", "one", LAMP))
    third = run(("bed", "one", BED))
    return spotlab.evaluate(TRUTH, {"A": before, "B": after, "C": third}, draws=draws)


def test_tables_of_a_comparison() -> None:
    found = spotlab.compare_runs(evaluated(), "A", "B")
    changes = found.changes()
    assert changes[["change", "label", "page", "area"]].to_numpy().tolist() == [
        ["false_lost", "bed", "two", 400.0],
        ["lost", "bed", "two", 200.0],
        ["gained", "bed", "one", 100.0],
        ["gained", "<b>lamp</b>", "one", 100.0],
    ]
    bed = changes.iloc[2]
    assert (bed.covered_first, bed.covered_second, bed.iou_first, bed.iou_second) == (
        0.5,
        1,
        0.5,
        1,
    )
    areas = found.areas().set_index("page")
    assert areas.loc["one"].tolist() == [0, 200, 100, 0, 0, 0, 0]
    assert areas.loc["two"].tolist() == [200, 0, 0, 0, 400, 0, 0]
    labels = found.labels().set_index(["label", "figure"])
    assert labels.loc[("bed", "area_recall"), "change"] == pytest.approx(200 / 400 - 300 / 400)
    assert labels.loc[("<b>lamp</b>", "area_precision")].isna()["change"]  # A retrieves none
    pages = found.pages().set_index(["page", "figure"])
    assert pages.loc[("one", "area_recall"), "change"] == pytest.approx(1 - 100 / 300)
    assert "2 symbols gained, 1 lost; 0 new false spots, 1 gone" in repr(found)


def test_the_other_way_round_all_signs_turn() -> None:
    result = evaluated(draws=0)
    there, back = (spotlab.compare_runs(result, *names) for names in (("A", "B"), ("B", "A")))
    changes = [found.labels()["change"].to_numpy() for found in (there, back)]
    assert changes[0] == pytest.approx(-changes[1], nan_ok=True)
    assert sorted(back.changes()["change"]) == ["false_gained", "gained", "lost", "lost"]


def test_names_that_are_none_are_refused() -> None:
    result = evaluated(draws=0)
    with pytest.raises(spotlab.BadArgument, match="names nobody; expected one of the runs A, B, C"):
        spotlab.compare_runs(result, "A", "nobody")
    with pytest.raises(spotlab.BadArgument, match="names A twice"):
        spotlab.compare_runs(result, "A", "A")
    with pytest.raises(spotlab.BadArgument, match="names None"):
        spotlab.compare_runs(result)  # which two of three?


@pytest.mark.slow
def test_the_report_of_two_runs_compares_them(tmp_path: Path) -> None:
    runs = {
        "a<i>": run(("bed", "one", HALF), ("bed", "two", BED)),
        "b": run(("bed", "one", BED), ("<b>lamp</b>", "one", LAMP)),
    }
    page = spotlab.evaluate(TRUTH, runs, draws=20).write_report(tmp_path / "report")
    text = page.read_text()
    assert "Comparison of two runs" in text and "Pages that change most" in text
    assert "From A, <b>a&lt;i&gt;</b>" in text and "a<i>" not in text
    assert "<b>lamp</b>" not in text and "&lt;b&gt;lamp&lt;/b&gt;" in text
    with (page.parent / "comparison-symbols.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["change"] for row in rows] == ["symbol lost", "symbol gained", "symbol gained"]
    assert float(rows[1]["covered_first"]) == 0.5
    pages = list(csv.DictReader((page.parent / "comparison-pages.csv").open(newline="")))
    assert [float(row["second"]) for row in pages] == [200.0, 0.0]


@pytest.mark.slow
def test_a_report_of_three_runs_compares_those_that_are_named(tmp_path: Path) -> None:
    result = evaluated(draws=0)
    assert "Comparison of two runs" not in result.write_report(tmp_path / "all").read_text()
    named = spotlab.compare_runs(result, "C", "B").result
    text = named.write_report(tmp_path / "named").read_text()
    assert "From A, <b>C</b>, to B, <b>B</b>" in text
    assert "compared" not in result.as_dict() and named.as_dict()["compared"]["first"] == "C"


@pytest.mark.slow
def test_compare_on_the_command_line(tmp_path: Path, capsys: Captured) -> None:
    plans = spotlab.sample_collection()
    files = [plans / "runs" / f"{name}.csv" for name in ("a_ratios", "b_hu", "c_polygons")]
    given = [part for file in files for part in ("--run", file)]
    target = tmp_path / "figures.json"
    options = ("--compare", "c_polygons", files[0], "--draws", 0, "--json", target)
    assert command("evaluate", "--truth", plans, *given, *options) == 0
    out = capsys.readouterr().out
    assert "A: c_polygons, B: a_ratios; changes are B minus A" in out
    compared = json.loads(target.read_text())["compared"]
    counts = compared["counts"]
    expected = ", ".join(
        f"{words}: {counts[name]:,}"
        for name, words in (
            ("gained", "symbol gained"), ("lost", "symbol lost"),
            ("false_gained", "new false spot"), ("false_lost", "false spot gone"),
        )
    )  # fmt: skip
    assert expected in out and len(compared["changes"]) == sum(counts.values())
    low, high = compared["mean"]["f"]["interval"]  # of few pages or queries, without draws
    assert low < compared["mean"]["f"]["change"] < high, compared["mean"]["f"]
    areas = [page["areas"]["only_second"] for page in compared["pages"].values()]
    assert compared["areas"]["only_second"] == pytest.approx(sum(areas))


def test_an_unknown_run_is_named_as_an_option(tmp_path: Path, capsys: Captured) -> None:
    truth = spotlab.sample_collection()
    first = truth / "runs" / "a_ratios.csv"
    second = write_run(tmp_path / "bed.csv", ("bed", "plan_001", 0.5, BED))
    options = ("--run", first, "--run", second, "--compare", "a_ratios", "theirs", "--draws", 0)
    assert command("evaluate", "--truth", truth / "plan_001.png", *options) == 2
    assert "theirs" in capsys.readouterr().err


def test_a_page_of_a_table_that_names_an_image_is_that_image() -> None:
    named = {**TRUTH, "page": ["plan", "plan", "scan.jpg"]}
    truths = spotlab.read_truth(named).truth_set.truths.values()
    assert [truth.page.image.name for truth in truths] == ["plan.png", "scan.jpg"]
