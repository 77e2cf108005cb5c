"""The same pair of runs: one difference, one p in text, JSON, HTML, Python and the window."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from spotlab import evaluate
from spotlab.gui.inspect.panels.figures_table import FiguresPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.report.figure_text import written_difference, written_p
from spotlab.resources import sample_collection
from tests.cli.test_cli_evaluate import Captured, command
from tests.gui.windows import begin_anew, settle

PLANS = sample_collection()
RUNS = [PLANS / "runs" / f"{name}.csv" for name in ("a_ratios", "c_polygons", "e_alignment")]
PAIR = ("a_ratios", "e_alignment")
FIGURE = "iou_precision"


@pytest.mark.slow
def test_the_same_pair_has_one_difference_and_one_p(
    lasting: MainWindow, tmp_path: Path, capsys: Captured
) -> None:
    result = evaluate(PLANS, RUNS)
    expected = result.evaluation.comparisons[PAIR][FIGURE]
    assert expected is not None and expected.interval is not None and expected.p_holm is not None

    frame = result.differences()
    row = frame[(frame["first"] == PAIR[0]) & (frame["second"] == PAIR[1])]
    row = row[row["figure"] == FIGURE].iloc[0]
    assert (row["difference"], row["p"]) == (expected.value, expected.p)
    assert (row["low"], row["high"], row["p_holm"]) == (
        expected.interval.low, expected.interval.high, expected.p_holm
    )  # fmt: skip

    chosen = [option for run in RUNS for option in ("--run", run)]
    report, file = tmp_path / "report", tmp_path / "found.json"
    done = command("evaluate", "--truth", PLANS, *chosen, "--json", file, "--out", report)
    assert done == 0
    text = capsys.readouterr().out.split(f"{PAIR[1]} minus {PAIR[0]}")[1]
    printed = next(line for line in text.splitlines() if line.startswith("AP at IoU .5"))
    assert printed.endswith(written_difference(expected))
    [found] = [
        each["differences"][FIGURE]
        for each in json.loads(file.read_text())["comparisons"]
        if (each["first"], each["second"]) == PAIR
    ]
    assert (found["value"], found["p"], found["p_holm"]) == (
        expected.value, expected.p, expected.p_holm
    )  # fmt: skip
    plain = re.sub(r"<[^>]*>", "", (report / "report.html").read_text("utf-8"))
    assert written_p(expected.p_holm) in plain

    plans = tmp_path / "plans"
    plans.mkdir()
    for each in PLANS.glob("plan_0*"):
        (plans / each.name).write_bytes(each.read_bytes())
    window = begin_anew(lasting, plans)
    window.enter("inspect")
    inspection = window.workbench.state(Inspection)
    inspection.runs.open(RUNS)
    assert background.wait_until(
        lambda: len(inspection.runs) == 3 and not inspection.runs.busy, 300
    )
    window.docks.bring("figures")
    panel = window.panel(FiguresPanel)
    panel.uncertainty.set_wanted(True)
    settle()
    assert background.wait_until(lambda: (0, 2) in panel.uncertainty.known.pairs, 300)
    shown = panel.uncertainty.known.pairs[0, 2][FIGURE]
    assert shown is not None and shown.p_holm == expected.p_holm
    assert (shown.value, shown.p, shown.interval) == (expected.value, expected.p, expected.interval)
