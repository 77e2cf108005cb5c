"""The same input has the same headline at every door: command, library, report and window."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

import spotlab
from spotlab.formats.votes import read_votes
from spotlab.gui.inspect.panels.figures_table import FiguresPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.systems.ranking.systems_figures import SystemsFiguresPanel
from spotlab.gui.systems.state import Systems
from spotlab.measures.measure import MeasureSettings, known_figures
from spotlab.report.figure_text import written
from tests.gui.inspect.inspecting import calm, leave, open_workbench, show
from tests.gui.systems.systems_window import settle, workbench_on
from tests.judging_files import command

Captured = pytest.CaptureFixture[str]

VOTES = "item,S1,S2,S3\n1,1,1,1\n2,1,1,1\n3,0,1,0\n4,1,0,0\n5,1,0,0\n6,0,0,1\n7,0,0,0\n"


def line_of(text: str, start: str) -> list[str]:
    """The words of the first line that begins so, behind that."""
    return next(line[len(start) :] for line in text.splitlines() if line.startswith(start)).split()


def test_runs_have_the_same_means_everywhere(
    tmp_path: Path, qapp: QApplication, capsys: Captured
) -> None:
    workbench = open_workbench(tmp_path)
    pages, run = tmp_path / "pages", tmp_path / "runs" / "partly.csv"
    arguments = ["evaluate", "--truth", pages, "--run", run, "--draws", "0"]
    assert command(*arguments, "--out", tmp_path / "out") == 0
    said = capsys.readouterr().out
    assert command(*arguments, "--json", "-") == 0
    [in_json] = json.loads(capsys.readouterr().out)["runs"]
    means = spotlab.evaluate(pages, run, draws=0).means().set_index("figure")
    with (tmp_path / "out" / "runs.csv").open() as file:
        [in_report] = csv.DictReader(file)
    panel = FiguresPanel(workbench.state(Inspection), workbench.settings)
    show(panel, 1000, 320)
    calm()
    summary = panel.queries.summary
    names = [figure.name for figure in known_figures()]
    for name in ("f", "area_precision", "area_recall", "recognition_rate", "false_positives"):
        figure = next(each for each in known_figures() if each.name == name)
        over = "pooled" if name == "recognition_rate" else "mean"  # as the paper has it
        value = in_json[over][name]
        assert value == means.loc[name, over] == float(in_report[name]), name
        mean, *_, pooled = line_of(said, f"{figure.titled(MeasureSettings(), unit=True)}  ")
        assert mean == written(in_json["mean"][name], figure.unit, mean=True), name
        text = written(value, figure.unit, mean=over == "mean")
        assert {"mean": mean, "pooled": pooled}[over] == text, name
        assert summary.index(0, names.index(name)).data() == text, name
    leave(workbench, panel)


def test_systems_have_the_same_figures_everywhere(
    tmp_path: Path, qapp: QApplication, capsys: Captured
) -> None:
    votes = tmp_path / "votes.csv"
    votes.write_text(VOTES)
    arguments = ["consensus", votes, "--draws", "0"]
    assert command(*arguments, "--out", tmp_path / "out") == 0
    capsys.readouterr()
    assert command(*arguments, "--json", "-") == 0
    in_json = json.loads(capsys.readouterr().out)
    assert command(*arguments) == 0
    said = capsys.readouterr().out
    compared = spotlab.compare_systems(votes, draws=0)
    frame = compared.frame().set_index("system")
    with (tmp_path / "out" / "systems.csv").open() as file:
        in_report = {row["system"]: row for row in csv.DictReader(file)}
    workbench = workbench_on(tmp_path, read_votes(votes, "csv"))
    panel = SystemsFiguresPanel(workbench)
    show(panel, 800, 400)
    settle()
    model = panel.table.model
    for number, system in enumerate(("S1", "S2", "S3")):
        shown = {f.title: model.index(model.row_of(number), c).data()
                 for c, f in enumerate(model.figures)}  # fmt: skip
        texts = line_of(said, f"{system} ")[1:4]  # of the first table
        for place, name in enumerate(("precision", "recall", "f")):
            value = in_json["systems"][system][name]
            assert value == frame.loc[system, name] == float(in_report[system][name])
            text = written(value)
            assert texts[place] == text
            assert shown[{"f": "F"}.get(name, name.capitalize())] == text
    workbench.state(Systems).cancel()
    settle()
    panel.close()
