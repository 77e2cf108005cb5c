"""A measure of somebody else's package is in every table and file, named nowhere in spotlab."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from spotlab.measures.measure import known_measures
from tests.project import plugins
from tests.project.test_plugins import ROOT, run

PLANS = ROOT / "datasets" / "floorplans"
MISS_RATE = """
from spotlab.measures.area import ratio
from spotlab.measures.measure import Figure
from spotlab.measures.measure import Measure, SumsFormula

def compute(sums):
    return ratio(100 * (sums.symbols - sums.recognised), sums.symbols)

it = Measure(
    Figure("miss_rate", "Miss rate", "%", -1, "Missed regions / all truth regions."),
    SumsFormula(compute),
)
"""
FIRST_HIT = """
import numpy as np
from spotlab.measures.measure import Figure
from spotlab.measures.measure import Measure, RankingFormula

def per_query(lists):
    tally = lists.tally
    firsts = np.full(len(tally.queries), np.nan)
    for spot in np.flatnonzero(tally.hit)[::-1]:
        firsts[tally.query[spot]] = tally.rank[spot]
    return firsts

def resampled(drawn):
    there = drawn.weight[:, drawn.hits] > 0
    ranks = np.cumsum(drawn.weight, axis=1)[:, drawn.hits]
    first = np.where(there, ranks, np.inf).min(axis=1, initial=np.inf)
    return np.where(np.isfinite(first), first, np.nan)

it = Measure(
    Figure("first_hit", "First hit", "count", -1, "The rank of the first spot that is a hit."),
    RankingFormula(per_query, resampled, pooled=None),
)
"""
FAILING = """
from spotlab.measures.measure import Figure
from spotlab.measures.measure import Measure, SumsFormula
it = Measure(Figure("failing", "Failing", "", 1, "None."), SumsFormula(lambda sums: {body}))
"""
FLAWED = """
from spotlab.measures.measure import Figure
from spotlab.measures.measure import Measure, SumsFormula
it = Measure(Figure("errors", "Errors", {unit}, 1, "None."), SumsFormula(lambda sums: sums.truth))
"""
NAMES = """
from spotlab.measures.measure import known_measures
print(*(measure.name for measure in known_measures()), sep="\\n")
"""
IN_THE_WINDOW = """
import sys
from spotlab.gui.window.app import application
app = application()
from spotlab.gui.inspect.panels.figure_rows import query_rows, summary_rows
from spotlab.gui.kit.rows import FiguresModel
from spotlab.formats.runs import read_run
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.tally.truth import read_truths
from pathlib import Path
found = evaluate(read_truths([Path(sys.argv[1])]), [read_run(Path(sys.argv[2]))], draws=10)
run = found.runs[0]
model = FiguresModel()
model.set_rows(query_rows(run.figures, {}))
heads = [figure.title for figure in model.figures]
column = heads.index("Miss rate")
first = model.index(0, column).data()
model.set_rows(summary_rows(run.figures, run.intervals["queries"]))
print(first, model.index(0, column).data(), model.index(1, column).data(), sep="|")
"""
IN_PYTHON = """
import sys
import spotlab
result = spotlab.evaluate(sys.argv[1], sys.argv[2], draws=10)
frame, means = result.frame(), result.means()
assert (frame["miss_rate"] + frame["recognition_rate"]).round(9).eq(100).all()
row = means[means["figure"] == "miss_rate"].iloc[0]
assert 0 <= row["mean"] <= 100 and 0 <= row["pooled"] <= 100
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two packages, a measure each."""
    site = tmp_path_factory.mktemp("site")
    for name, code in (("miss-rate", MISS_RATE), ("first-hit", FIRST_HIT)):
        plugins.install(site, name, code, ("spotlab.measures.definitions",))
    return site


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Six plans of the sample, and what two of its runs found there."""
    folder = tmp_path_factory.mktemp("plans")
    names = [f"plan_{number:03}" for number in range(1, 7)]
    for name in names:
        for suffix in (".png", ".xml"):
            shutil.copy(PLANS / f"{name}{suffix}", folder)
    given = ["--truth", str(folder), "--draws", "20"]
    for run_name in ("c_polygons.csv", "d_curvature.csv"):
        rows = (PLANS / "runs" / run_name).read_text().splitlines()
        kept = [
            row for row in rows if row.startswith(("#", "query,")) or row.split(",")[1] in names
        ]
        (folder / run_name).write_text("\n".join(kept) + "\n")
        given += ["--run", str(folder / run_name)]
    return given


def evaluate(site: Path, given: list[str], *further: str) -> tuple[str, str]:
    """What the command says, and what it says went wrong."""
    done = run(site, "-m", "spotlab", "evaluate", *given, *further)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.slow
def test_it_is_in_the_terminal_and_in_every_file(
    site: Path, given: list[str], tmp_path: Path
) -> None:
    text, errors = evaluate(site, given, "--out", str(tmp_path))
    assert "spotlab: " not in errors
    [line] = [line for line in text.splitlines() if line.startswith("Miss rate (%)")][:1]
    found = json.loads((tmp_path / "evaluation.json").read_text())
    first = found["runs"][0]
    for figures in (first["mean"], first["pooled"], *first["queries"].values()):
        assert figures["miss_rate"] == pytest.approx(100 - figures["recognition_rate"])
    for over in ("queries", "pages"):
        low, high = first["intervals"][over]["miss_rate"]
        assert low <= first["mean"]["miss_rate"] <= high
        assert f"[{low:.1f}, {high:.1f}]" in line
    difference = found["comparisons"][0]["differences"]["miss_rate"]
    assert difference["low"] <= difference["value"] <= difference["high"]
    assert first["pooled"]["first_hit"] is None  # it says that it has none
    low, high = first["intervals"]["pages"]["first_hit"]
    assert 0 <= low <= first["mean"]["first_hit"] <= high
    with (tmp_path / "runs.csv").open() as file:
        [row, _] = csv.DictReader(file)
    assert float(row["miss_rate"]) == pytest.approx(first["mean"]["miss_rate"])
    for name in ("runs.tex", "runs-pooled.tex", "queries-c_polygons.tex"):
        assert "Miss rate" in (tmp_path / name).read_text()
    page = (tmp_path / "report.html").read_text()
    assert "Missed regions / all truth regions." in page
    assert page.count(">Miss rate (%)<") >= 4


@pytest.mark.slow
def test_it_is_in_the_tables_of_the_window(site: Path) -> None:
    done = run(site, "-c", IN_THE_WINDOW, str(PLANS), str(PLANS / "runs" / "c_polygons.csv"))
    assert done.returncode == 0, done.stderr
    cells = done.stdout.strip().split("|")
    assert len(cells) == 3
    assert all(0 <= float(cell) <= 100 for cell in cells)


@pytest.mark.slow
def test_it_is_in_the_frames_of_python(site: Path) -> None:
    done = run(site, "-c", IN_PYTHON, str(PLANS), str(PLANS / "runs" / "c_polygons.csv"))
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("sums.truth[:1]", "ValueError: values of shape (1,), expected "),
    ],
)
def test_one_that_fails_is_undefined_and_named(
    body: str, reason: str, given: list[str], tmp_path: Path
) -> None:
    code = FAILING.format(body=body)
    plugins.install(tmp_path / "site", "failing", code, ("spotlab.measures.definitions",))
    figures = tmp_path / "figures.json"
    _, errors = evaluate(tmp_path / "site", given, "--json", str(figures))
    [mean] = {run["mean"]["failing"] for run in json.loads(figures.read_text())["runs"]}
    assert mean is None
    start = "spotlab: the package failing 1.0: 'failing' is left out: "
    assert any(line.startswith(start + reason) for line in errors.splitlines()), errors


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unit", "reason"),
    [
        ("''", "the name 'errors' is taken"),
        ("'px'", "ValueError: the unit of errors is 'px', expected one of ('', '%', 'count',"),
        ("3", "ValueError: the unit of errors is 3"),
    ],
)
def test_one_that_cannot_be_shown_is_left_out(unit: str, reason: str, tmp_path: Path) -> None:
    code = FLAWED.format(unit=unit)
    plugins.install(tmp_path, "flawed", code, ("spotlab.measures.definitions",))
    done = run(tmp_path, "-c", NAMES)
    assert done.stdout.splitlines() == [measure.name for measure in known_measures()]
    [line] = done.stderr.splitlines()
    assert f"of spotlab.measures.definitions is left out: {reason}" in line
