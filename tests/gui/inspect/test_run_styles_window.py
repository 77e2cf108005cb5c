"""Each run keeps its colour and dash: by name, over restarts, in every list and plot."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.open_runs import MOST, RunStyles
from spotlab.gui.kit.settings import RUN_STYLES, Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.report.colours import RunStyle, run_style
from tests.gui.inspect.inspected import drawn, first_run, open_curves, second_run, use
from tests.gui.inspect.inspecting import leave, open_workbench, write_collection, write_runs
from tests.gui.windows import settle


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[CurvesPanel]:
    with open_curves(tmp_path) as panel:
        yield panel


def styles(workbench: Workbench) -> dict[str, RunStyle]:
    return {run.name: RunStyle(run.colour, run.dash) for run in workbench.state(Inspection).runs}


def test_a_run_has_its_style_again_after_a_restart_whatever_is_opened_first(
    tmp_path: Path, qapp: QApplication
) -> None:
    workbench = open_workbench(tmp_path)
    before = styles(workbench)
    assert before == {"partly": run_style(0), "all": run_style(1)}
    assert workbench.settings.flush()
    leave(workbench)
    again = Workbench(Settings(tmp_path / "settings.json"))
    again.open_paths([tmp_path / "pages"])
    settle()
    shutil.copy(tmp_path / "runs" / "all.csv", tmp_path / "runs" / "third.csv")
    again.state(Inspection).runs.open(
        [tmp_path / "runs" / f"{name}.csv" for name in ("third", "all", "partly")]
    )
    settle()
    after = styles(again)
    assert {name: after[name] for name in before} == before
    assert after["third"] == run_style(2)  # which no run has had
    leave(again)


def test_two_open_runs_of_one_name_differ_and_the_first_one_keeps_the_known_style(
    tmp_path: Path, qapp: QApplication
) -> None:
    workbench = Workbench(Settings(tmp_path / "settings.json"))
    workbench.open_paths([write_collection(tmp_path / "pages")])
    settle()
    runs = workbench.state(Inspection).runs
    first, second = write_runs(tmp_path / "one")[0], write_runs(tmp_path / "two")[0]
    runs.open([first, second])
    settle()
    assert [RunStyle(run.colour, run.dash) for run in runs] == [run_style(0), run_style(1)]
    runs.close(0)
    runs.close(0)
    runs.open([second])
    settle()
    assert styles(workbench) == {"partly": run_style(0)}
    leave(workbench)


def test_names_are_remembered_up_to_a_number_and_odd_settings_do_no_harm(tmp_path: Path) -> None:
    odd = {"styles of runs": {"a": "blue", "b": -1, "c": 10**9, "d": True, "e": 3}}
    (tmp_path / "settings.json").write_text(json.dumps(odd))
    settings = Settings(tmp_path / "settings.json")
    chosen = RunStyles(settings)
    assert chosen.choose("e", ()) == run_style(3)
    assert chosen.choose("a", ()) == run_style(0)
    for number in range(MOST + 20):
        chosen.choose(f"run {number}", ())
    assert len(settings.get(RUN_STYLES)) == MOST
    taken = [run_style(number) for number in range(32)]
    assert chosen.choose("one too many", taken) in taken


def test_the_legend_keeps_its_order_and_the_current_run_is_on_top(panel: CurvesPanel) -> None:
    use(panel, first_run(), second_run())
    for current in (0, 1):
        panel.inspection.runs.choose(current)
        drawn()
        colour = panel.inspection.runs[current].colour
        assert panel.plots[0].curve_items.shown[0].colour == colour
        named = [line.dots[0].text() for line in panel.readout._rows]
        assert "first" in named[0] and "second" in named[1]


def test_bands_are_off_above_two_runs_until_they_are_switched_on(panel: CurvesPanel) -> None:
    def bands() -> set[bool]:
        drawn()
        return {each.band for plot in panel.plots for each in plot.curve_items.shown}

    use(panel, first_run(), second_run())
    assert bands() == {True} and panel.head.band.isChecked()
    use(panel, first_run(), second_run(), first_run("third"))
    assert bands() == {False} and not panel.head.band.isChecked()
    QTest.mouseClick(panel.head.band, Qt.MouseButton.LeftButton)
    assert bands() == {True}
    use(panel, first_run())
    QTest.mouseClick(panel.head.band, Qt.MouseButton.LeftButton)
    assert bands() == {False}
    use(panel, first_run(), second_run(), first_run("third"))
    assert bands() == {True} and panel.head.band.isChecked()  # chosen separately


def test_curves_are_drawn_with_their_dashes(panel: CurvesPanel) -> None:
    dash = run_style(1).dash
    use(panel, first_run(), replace(second_run(), dash=dash))
    means = [mean.opts["pen"] for _, _, mean in panel.plots[0].curve_items.items]
    assert means[0].style() is Qt.PenStyle.SolidLine
    assert tuple(means[1].dashPattern()) == dash
    thin = panel.plots[0].curve_items.items[1][0].opts["pen"]
    assert thin.style() is Qt.PenStyle.SolidLine
    panel.inspection.choose_query("sofa")
    drawn()
    exact = panel.plots[0].curve_items.items[1][0].opts["pen"]
    assert tuple(exact.dashPattern()) == dash
