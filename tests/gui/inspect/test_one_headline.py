"""Whoever asks for a mean is told the same: window, terminal, Python, report, CSV, LaTeX, JSON."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup
from PySide6.QtWidgets import QApplication

import spotlab
from spotlab.gui.inspect.panels.figures_table import FiguresPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.measures.measure import MeasureSettings, default_figures, known_figures
from spotlab.report.figure_text import written
from spotlab.report.tables import escaped
from tests.gui.inspect.inspecting import calm, leave, open_workbench, show
from tests.judging_files import command

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[FiguresPanel]:
    workbench = open_workbench(tmp_path)
    panel = FiguresPanel(workbench.state(Inspection), workbench.settings)
    show(panel, 1000, 320)
    calm()
    yield panel
    leave(workbench, panel)


def means_in_window(panel: FiguresPanel, run: int) -> dict[str, str]:
    panel.by_run.click()
    calm()
    model = panel.runs.model
    row = model.row_of(run)
    assert row is not None
    return {
        figure.name: model.index(row, column).data() for column, figure in enumerate(model.figures)
    }


def means_in_terminal(out: str, run: str) -> dict[str, str]:
    """The mean of each figure, or the pooled one where that is the figure of a run."""
    titles = {each.titled(MeasureSettings(), unit=True): each for each in known_figures()}
    lines = out[out.index(f"\n{run}: ") :].splitlines()
    found: dict[str, str] = {}
    for line in lines:
        title, *cells = re.split(r"\s{2,}", line)
        if title in titles and cells:
            figure = titles[title]
            found.setdefault(figure.name, cells[0 if figure.over == "mean" else -1])
    return found


def means_on_page(page: str, run: str) -> dict[str, str]:
    table = page[page.index("<h3>Runs: means over 2 queries</h3>") :]
    heads = [Markup(head).striptags() for head in re.findall(r"<th.*?</th>", table)]
    row = next(row for row in re.findall(r"<tr.*?</tr>", table) if f"run:{run}" in row)
    cells = re.findall(r"<td.*?</td>", row)
    texts = [
        Markup(re.sub(r'<span class="note">.*?</span>', "", cell)).striptags() for cell in cells
    ]
    names = {each.titled(MeasureSettings(), unit=True): each.name for each in known_figures()}
    found: dict[str, str] = {}
    for head, text in zip(heads[1:], texts[1:], strict=False):
        if head.removesuffix(", pooled") in names:
            found.setdefault(names[head.removesuffix(", pooled")], text)
    return found


def means_in_latex(text: str, run: str) -> list[str]:
    rows = [line for line in text.splitlines() if line.strip().startswith(f"{run} &")]
    cells = [cell for row in rows for cell in row.strip().removesuffix(r"\\").split("&")[1:]]
    return [re.sub(r"\\textbf\{(.*?)\}", r"\1", cell).split("{")[0].strip() for cell in cells]


def of_name(stored: dict[str, Any], name: str) -> float | None:
    """A figure in JSON, where the three kinds of average precision stand together."""
    kind = name.removeprefix("average_precision_")
    value: float | None = stored[name] if kind == name else stored["average_precision"][kind]
    return value


def test_all_doors_have_the_same_means(
    panel: FiguresPanel, tmp_path: Path, capsys: Captured
) -> None:
    runs = panel.inspection.runs
    paths = [run.run.source for run in runs]
    truth = tmp_path / "pages"
    arguments = [part for path in paths for part in ("--run", path)]
    out, file = tmp_path / "report", tmp_path / "found.json"
    options = ("--draws", 0, "--json", file, "--out", out)
    assert command("evaluate", "--truth", truth, *arguments, *options) == 0
    printed = capsys.readouterr().out
    result = spotlab.evaluate(truth, [str(path) for path in paths], draws=0)
    frame = result.means().set_index(["run", "figure"])
    with (out / "runs.csv").open(newline="") as table:
        rows = {row["run"]: row for row in csv.DictReader(table)}
    page = (out / "report.html").read_text("utf-8")
    latex = (out / "runs.tex").read_text("utf-8")
    stored = {each["name"]: each for each in json.loads(file.read_text())["runs"]}
    assert len(runs) > 1
    for number, run in enumerate(runs):
        window = means_in_window(panel, number)
        assert means_in_terminal(printed, run.name) == window
        assert means_on_page(page, run.name) == window
        expected = {each.name: window[each.name] for each in default_figures()}
        assert means_in_latex(latex, run.name) == list(map(escaped, expected.values()))
        for figure in known_figures():
            text = window[figure.name]
            value = frame.loc[(run.name, figure.name), figure.over]
            assert written(value, figure.unit, mean=True) == text
            cell = rows[run.name][figure.name]
            assert written(float(cell or "nan"), figure.unit, mean=True) == text
            in_json = of_name(stored[run.name][figure.over], figure.name)
            assert written(in_json, figure.unit, mean=True) == text


# Table 1 of Lamiroy & Sun (2013)
VOTES = (
    "item,truth,S1,S2,S3\n1,1,1,1,1\n2,1,1,1,1\n3,0,0,1,0\n4,1,1,0,0\n5,0,1,0,0\n6,0,0,0,1\n"
    "7,0,0,0,0\n"
)
LISTS = "query,item,score,relevant\nq,a,.95,1\nq,b,.85,0\np,a,.7,0\np,c,.6,1\n"


def test_lists_and_systems_have_the_same_headline_in_all_doors(
    tmp_path: Path, capsys: Captured
) -> None:
    lists, out = tmp_path / "WS.csv", tmp_path / "lists"
    lists.write_text(LISTS)
    assert command("rerank", lists, "--out", out) == 0
    said = capsys.readouterr().out
    result = spotlab.rerank(lists)
    expected = written(result.means()["mean_average_precision"][0])
    assert expected == ".750"  # (1 + 1/2) / 2
    assert next(line for line in said.splitlines() if line.startswith("WS")).split()[3] == expected
    assert expected in repr(result)
    assert f"WS & 2 & 0 & {expected}" in (out / "means.tex").read_text("utf-8")
    votes, out = tmp_path / "votes.csv", tmp_path / "systems"
    votes.write_text(VOTES)
    assert command("consensus", votes, "--out", out) == 0
    said = capsys.readouterr().out
    latex = (out / "methods.tex").read_text("utf-8")
    compared = spotlab.compare_systems(votes)
    titles = [method.title for method in compared.comparison.in_sight]
    assert titles == ["Vote share", "Lamiroy & Sun", "Majority"]
    for name, near in compared.as_dict()["methods"].items():
        if near["title"] not in titles:
            continue
        tau = written(near["against_truth"]["kendall_tau"])
        line = next(line for line in said.splitlines() if line.startswith(near["title"] + "  "))
        assert line.split(near["title"])[1].split()[1] == tau, name
        assert tau in ("1.000", "−1.000")
        rows = [
            row
            for row in latex.splitlines()
            if row.strip().startswith(f"{escaped(near['title'])} &")
        ]
        cells = [cell.strip() for row in rows for cell in row.strip(" \\").split("&")]
        assert escaped(tau) in cells
