"""A run whose file changes is read again: by real writing processes, whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spotlab.formats.runs import read_run
from spotlab.gui.inspect.panels.run_model import reading_note
from spotlab.gui.inspect.panels.runs import RunsPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.open_runs import OpenRuns
from spotlab.gui.kit import background
from spotlab.gui.pages.workbench import Workbench
from spotlab.studies.evaluate.cuts import ListCut
from tests.gui.choosing import pick
from tests.gui.inspect.inspecting import (
    BED,
    HALF,
    NOTHING,
    SOFA,
    click,
    leave,
    line,
    open_workbench,
    show,
    write_run,
)
from tests.gui.inspect.rewriting import LARGE, rewrite_large

PARTLY = [
    line("sofa", "page_1", 1, 0.9, SOFA),
    line("sofa", "page_1", 2, 0.8, NOTHING),
    line("sofa", "page_2", 3, 0.7, HALF),
]
SLOWLY = """
import sys, time
source, target = sys.argv[1:3]
content = open(source, "rb").read()
with open(target, "wb", buffering=0) as file:
    size = len(content) // 6 + 1
    for start in range(0, len(content), size):
        file.write(content[start:start + size])
        print("part", flush=True)
        time.sleep(float(sys.argv[3]))
"""


@pytest.fixture
def workbench(tmp_path: Path, qapp: QApplication) -> Iterator[Workbench]:
    """With "partly" and "all" open, "partly" the current one."""
    workbench = open_workbench(tmp_path)
    workbench.state(Inspection).runs.choose(0)
    yield workbench
    leave(workbench)


def runs_of(workbench: Workbench) -> OpenRuns:
    return workbench.state(Inspection).runs


def said(workbench: Workbench) -> list[tuple[str, bool]]:
    notes: list[tuple[str, bool]] = []
    workbench.said.connect(lambda text, serious: notes.append((text, serious)))
    return notes


def wait_for_spots(workbench: Workbench, count: int, seconds: float = 10) -> None:
    def there() -> bool:
        return not runs_of(workbench).busy and len(runs_of(workbench)[0].run) == count

    assert background.wait_until(there, seconds), len(runs_of(workbench)[0].run)


def wait_for_changes(workbench: Workbench, times: int) -> None:
    def there() -> bool:
        return len(runs_of(workbench)[0].changes) == times

    assert background.wait_until(there, 10)


def pass_time(seconds: float) -> None:
    end = time.monotonic() + seconds
    background.wait_until(lambda: time.monotonic() > end, seconds + 1)


def write_slowly(content: Path, target: Path, pause: float) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", SLOWLY, str(content), str(target), str(pause)],
        stdout=subprocess.PIPE,
    )


def test_a_rewritten_run_is_read_and_what_changed_is_listed(
    workbench: Workbench, tmp_path: Path
) -> None:
    inspection, notes = workbench.state(Inspection), said(workbench)
    inspection.choose_query("sofa")
    inspection.set_cut(ListCut("rank", 2))
    inspection.choose_spot(0, go=False)
    before = inspection.runs[0]
    bed = line("bed", "page_1", 1, 0.6, BED)
    write_run(tmp_path / "runs" / "partly.csv", bed, *PARTLY[:1], PARTLY[2].replace("0.7", "0.65"))
    wait_for_changes(workbench, 1)
    after = inspection.runs[0]
    changes = after.changes[-1]
    assert (changes.whole.added, changes.whole.removed) == (1, 1)
    assert (changes.whole.moved, changes.whole.rescored) == (0, 1)
    assert [(each.query, each.gained) for each in changes.symbols] == [("bed", True)]
    by_query = {each.query: each for each in changes.queries}
    assert set(by_query) == {"bed", "sofa"}
    assert by_query["sofa"].precision == pytest.approx(4500 / 6000 - 4500 / 6400)
    assert any(
        "partly was read again: 1 spot added, 1 removed, 1 re-scored; 1 symbol gained" in text
        for text, _ in notes
    )
    # what was looked at stays
    assert inspection.query == "sofa" and inspection.cut == ListCut("rank", 2)
    assert inspection.spot is not None and after.tally is not None
    at = int(after.tally.spot[inspection.spot])
    assert after.run.spot(at).points.tolist()[0] == [40, 40]
    assert (after.colour, after.dash, after.shown) == (before.colour, before.dash, before.shown)
    assert inspection.runs.current_index == 0


def test_a_file_replaced_at_once_is_read(workbench: Workbench, tmp_path: Path) -> None:
    for count in (1, 3, 2):
        other = write_run(tmp_path / "new.csv", *PARTLY[:count])
        os.replace(other, tmp_path / "runs" / "partly.csv")
        wait_for_spots(workbench, count)
    assert len(runs_of(workbench)[0].changes) == 3


def test_a_half_written_file_never_takes_the_place_of_the_good_one(
    workbench: Workbench, tmp_path: Path
) -> None:
    counts: set[int] = set()
    runs_of(workbench).changed.connect(lambda: counts.add(len(runs_of(workbench)[0].run)))
    content = write_run(tmp_path / "content.csv", *PARTLY, *PARTLY)
    writer = write_slowly(content, tmp_path / "runs" / "partly.csv", 0.4)
    wait_for_spots(workbench, 6, 20)
    assert writer.wait() == 0
    assert counts <= {3, 6}


@pytest.mark.slow
def test_a_killed_writer_leaves_the_last_reading_and_a_note(
    workbench: Workbench, tmp_path: Path
) -> None:
    notes = said(workbench)
    content = write_run(tmp_path / "content.csv", *PARTLY, *PARTLY)
    writer = write_slowly(content, tmp_path / "runs" / "partly.csv", 0.4)
    assert writer.stdout is not None
    for _ in range(2):
        writer.stdout.readline()
    writer.kill()
    writer.wait()
    assert background.wait_until(lambda: any(serious for _, serious in notes), 15)
    text = next(text for text, serious in notes if serious)
    assert text.startswith("partly.csv: ") and text.endswith("stays as it was last read")
    assert len(runs_of(workbench)[0].run) == 3 and not runs_of(workbench)[0].changes
    told = len(notes)
    pass_time(1)
    assert len(notes) == told  # once
    write_run(tmp_path / "runs" / "partly.csv", *PARTLY[:1])
    wait_for_spots(workbench, 1)


def test_a_run_that_is_deleted_and_made_again(workbench: Workbench, tmp_path: Path) -> None:
    notes = said(workbench)
    path = tmp_path / "runs" / "partly.csv"
    path.unlink()
    assert background.wait_until(lambda: any("it is gone" in text for text, _ in notes), 10)
    assert len(runs_of(workbench)[0].run) == 3
    write_run(path, *PARTLY[:2])
    wait_for_spots(workbench, 2)


def test_a_file_that_becomes_something_else_is_named(workbench: Workbench, tmp_path: Path) -> None:
    notes = said(workbench)
    (tmp_path / "runs" / "partly.csv").write_text("this,is\nno,run\n")
    assert background.wait_until(lambda: any(serious for _, serious in notes), 10)
    text = next(text for text, serious in notes if serious)
    assert "partly.csv" in text and "no column query" in text
    assert len(runs_of(workbench)[0].run) == 3


def test_nothing_is_read_where_it_is_switched_off(workbench: Workbench, tmp_path: Path) -> None:
    watch = runs_of(workbench).live.watch
    watch.set_wanted(False)
    write_run(tmp_path / "runs" / "partly.csv", *PARTLY[:1])
    pass_time(0.8)
    assert len(runs_of(workbench)[0].run) == 3
    watch.set_wanted(True)
    wait_for_spots(workbench, 1)


def test_changes_are_listed_from_the_runs_row_and_a_symbol_is_shown(
    workbench: Workbench, tmp_path: Path
) -> None:
    inspection, shown = workbench.state(Inspection), []
    panel = RunsPanel(inspection, shown.append)
    show(panel, 300, 500)
    write_run(tmp_path / "runs" / "partly.csv", line("bed", "page_1", 1, 0.6, BED), *PARTLY)
    wait_for_changes(workbench, 1)
    assert "+1 −0" in reading_note(inspection.runs[0])
    assert "Read again once" in str(panel.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole))
    panel.show_changes(0)
    dialog = panel.changes
    texts = [dialog.queries.index(row, 1).data() for row in range(dialog.queries.rowCount())]
    assert texts == ["1", "1"]  # all queries, bed
    assert dialog.symbols.index(0, 0).data() == "gained"
    click(dialog.symbol_table, 0)
    assert len(shown) == 1 and inspection.runs[0].tally is not None
    assert inspection.runs[0].tally.region_id[shown[0].region] == "r2"
    write_run(tmp_path / "runs" / "partly.csv", *PARTLY)
    wait_for_changes(workbench, 2)
    assert dialog.reading.values == (2, 1) and dialog.reading.value == 2
    assert dialog.symbols.index(0, 0).data() == "lost"
    dialog.show()
    pick(dialog.reading, 1)
    assert dialog.symbols.index(0, 0).data() == "gained"
    dialog.close()
    leave(workbench, panel)


@pytest.mark.slow
def test_figures_after_many_readings_are_those_of_a_fresh_one(
    workbench: Workbench, tmp_path: Path
) -> None:
    random = np.random.default_rng(3)
    path = tmp_path / "runs" / "partly.csv"
    for version in range(4):
        chosen = [each for each in [*PARTLY, line("bed", "page_1", 1, 0.6, BED)]
                  if random.random() < 0.7] or PARTLY[:1]  # fmt: skip
        write_run(path, *chosen, line("sofa", "page_2", 9, 0.1 + version / 100, SOFA))
        wait_for_changes(workbench, version + 1)
        shown = runs_of(workbench)[0]
        assert shown.tally is not None and shown.figures is not None
        fresh = read_run(path).run
        assert len(fresh) == len(shown.run)
        runs_of(workbench).open([path])
        assert background.wait_for_all(30)
        again = runs_of(workbench)[2]
        assert again.figures is not None
        for name, values in again.figures.columns.items():
            np.testing.assert_allclose(shown.figures.columns[name], values, rtol=1e-9)
        runs_of(workbench).close(2)
        runs_of(workbench).choose(0)


@pytest.mark.slow
def test_a_large_run_that_a_process_rewrites_is_never_half_read(
    workbench: Workbench, tmp_path: Path
) -> None:
    counts, _ = rewrite_large(runs_of(workbench), tmp_path / "runs" / "large.csv", 4)
    assert counts == {LARGE}
    changes = runs_of(workbench)[2].changes
    assert len(changes) == 4
    assert all(each.whole.moved == 10 and not each.whole.added for each in changes)
