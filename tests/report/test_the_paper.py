"""Section 4 of Rusiñol & Lladós, line by line: each measure, table and figure is there."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest

from spotlab.measures.measure import known_figures
from tests.judging_files import command

ROOT = Path(__file__).resolve().parents[2]
PLANS = ROOT / "datasets" / "floorplans"
RUNS = [PLANS / "runs" / name for name in ("a_ratios.csv", "b_hu.csv")]

# read off the paper's sections 3, 4 and 5, not off the program
DEFINED = (
    "Table 1", "Table 2", "Table 3", "P@n", "P(r)", "P_A", "R_A", "AveP_A", "F_A^β", "F_A^β(r)",
    "Fo_A", "G_A", "AveG_A", "recognised", "recognition rate", "AveFP", "std_R", "std_P", "std_F",
    "eq. 7", "eq. 8", "eq. 9", "eq. 10", "eq. 11", "eq. 12", "Fig. 2", "Fig. 3", "Fig. 4",
    "Fig. 7a", "Fig. 7b", "Fig. 8a", "Fig. 8b", "Fig. 9a", "Fig. 9b", "Fig. 9c", "Fig. 10a",
    "Fig. 10b",
)  # fmt: skip


def listed() -> list[tuple[str, str, str]]:
    """The rows of the help's list."""
    text = (ROOT / "resources" / "help" / "measures.md").read_text("utf-8")
    rows = text.split("## The paper, line by line", 1)[1].splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if "|" in row]
    return [(row[0], row[1], row[2]) for row in cells[2:]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paper")
    runs = [part for run in RUNS for part in ("--run", run)]
    common = ("--truth", PLANS, *runs)
    assert command("evaluate", *common, "--draws", 0, "--out", folder / "evaluate") == 0
    assert command("scalability", *common, "--draws", 3, "--out", folder / "scalability") == 0
    return folder


def test_every_definition_of_the_paper_has_a_row() -> None:
    said = " ".join(row[0] for row in listed())
    assert [each for each in DEFINED if each not in said] == []


def test_every_row_is_offered(made: Path) -> None:
    figures = {figure.name for figure in known_figures()}
    files = {path.name for path in made.rglob("*.*")}
    page = (made / "evaluate" / "report.html").read_text("utf-8")
    for paper, name, _ in listed():
        if name.startswith("*"):
            assert name.strip("*") in page, paper
            continue
        wanted = name.strip("`")
        found = wanted in figures or any(
            file.startswith(wanted) and file.endswith((".pdf", ".tex")) for file in files
        )
        assert found, paper


def test_table_1_adds_up_to_the_pages(made: Path) -> None:
    with (made / "evaluate" / "paper-table-1-a_ratios.csv").open() as file:
        rows = list(csv.DictReader(file))
    found = json.loads((made / "evaluate" / "evaluation.json").read_text())
    queries = found["runs"][0]["queries"]
    assert len(rows) == len(queries) == 36
    for row in rows:
        areas = {name: float(text) for name, text in row.items() if name != "query"}
        of_json = queries[row["query"]]
        assert areas == pytest.approx(of_json["areas"])
        cells = [name for name in areas if "retrieved_" in name]
        assert len(cells) == 4
        assert sum(areas[name] for name in cells) == pytest.approx(areas["total"])
        inside, false = areas["retrieved_relevant"], areas["retrieved_non_relevant"]
        assert inside / areas["retrieved"] == pytest.approx(of_json["area_precision"])
        assert inside / areas["relevant"] == pytest.approx(of_json["area_recall"])
        assert false / areas["non_relevant"] == pytest.approx(of_json["fall_out"])
        assert areas["relevant"] / areas["total"] == pytest.approx(of_json["generality"])


def test_table_2_is_as_defined_and_printed_there(made: Path) -> None:
    found = json.loads((made / "evaluate" / "evaluation.json").read_text())
    text = (made / "evaluate" / "paper-table-2.tex").read_text("utf-8")
    assert "36 queries" in text
    assert "581 symbols" in text
    for run in found["runs"]:
        queries = list(run["queries"].values())
        mean = {
            "AveP": 100 * np.mean([each["average_precision"]["retrieved"] for each in queries]),
            "F": 100 * np.mean([each["f"] for each in queries]),
            "FP": np.mean([each["false_positives"] for each in queries]),
            "G": 100 * np.mean([each["generality"] for each in queries]),
        }
        recognised = sum(each["recognised"] for each in queries)
        rate = 100 * recognised / sum(each["symbols"] for each in queries)
        line = next(each for each in text.splitlines() if run["name"].replace("_", r"\_") in each)
        printed = re.findall(r"\d+\.\d\d", line)
        wanted = [mean["AveP"], mean["F"], rate, mean["FP"], mean["G"]]
        assert printed == [f"{value:.2f}" for value in wanted]
    assert r"Rec. rate (75 \%" in text


def test_the_recognition_rate_is_that_of_all_symbols(made: Path) -> None:
    for name in ("runs.tex", "report.html"):
        text = (made / "evaluate" / name).read_text("utf-8")
        assert "49.2" in text
    with (made / "evaluate" / "runs.csv").open() as file:
        first = next(iter(csv.DictReader(file)))
    assert round(float(first["recognition_rate"]), 1) == 49.2
