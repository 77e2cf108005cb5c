"""Names that a spreadsheet would run as formulas: written as they are, or safe when asked."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from PySide6.QtWidgets import QApplication, QFileDialog

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.window.main_window import MainWindow
from tests.gui.inspect.inspecting import calm
from tests.gui.windows import close, open_window, settle
from tests.judging_files import box, command, points, write_run, write_truth

FORMULA = "=cmd()"


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    folder = tmp_path / "plans"
    write_truth(folder, "one", box(FORMULA, 0, 0, 40, 40), box("-sofa", 50, 50, 90, 90))
    write_run(
        folder / "@run.csv",
        (FORMULA, "one", -0.5, points(0, 0, 40, 40)),
        ("-sofa", "one", -0.75, points(50, 50, 80, 90)),
    )
    return folder


def first_cells(path: Path) -> list[str]:
    with path.open(newline="") as file:
        return [row[0] for row in csv.reader(file)][1:]


@pytest.mark.slow
def test_reports_have_names_as_they_are_or_safe(truth: Path, tmp_path: Path) -> None:
    given = ("evaluate", "--truth", truth, "--run", truth / "@run.csv", "--draws", 0)
    assert command(*given, "--out", tmp_path / "plain") == 0
    assert command(*given, "--out", tmp_path / "safe", "--csv-safe") == 0
    assert command(*given, "--out", tmp_path / "again") == 0
    for name, table in (("plain", ""), ("safe", "'"), ("again", "")):
        assert first_cells(tmp_path / name / "runs.csv")[0] == f"{table}@run"
        [queries] = (tmp_path / name).glob("queries-*.csv")
        assert set(first_cells(queries)) == {f"{table}{FORMULA}", f"{table}-sofa"}
    plain, safe = ((tmp_path / name / "runs.csv").read_text() for name in ("plain", "safe"))
    assert safe.replace("'@run", "@run") == plain  # numbers are as they were


@pytest.mark.parametrize(
    "command", ["scalability", "consensus", "uncertain", "annotators", "reproduce words",
                "reproduce symbols", "evaluate",
                "rerank", "pipelines", "parts scalability", "spot propose", "spot symbols",
                "spot words", "synthesise runs"],
)  # fmt: skip
def test_every_command_that_writes_names_as_csv_offers_it(command: str) -> None:
    from spotlab.cli.root import _root  # noqa: PLC0415

    done = CliRunner().invoke(_root(), [*command.split(), "--help"])
    text = " ".join(done.output.split())
    assert "--csv-safe" in text and "By default, names are written unchanged" in text


def test_lists_and_runs_are_safe_too(truth: Path, tmp_path: Path) -> None:
    lists = tmp_path / "list.csv"
    lists.write_text(f"query,item,score,text\n{FORMULA},@x,-0.5,+y\n{FORMULA},z,0.25,w\n")
    assert command("rerank", lists, "--out", tmp_path / "safe", "--csv-safe") == 0
    made = ("synthesise", "runs", "--truth", truth, "--character", "sloppy")
    assert command(*made, "--out", tmp_path / "safe", "--csv-safe") == 0
    files = sorted((tmp_path / "safe").rglob("*.csv"))
    for file in files:
        with file.open(newline="") as opened:
            cells = [cell for row in csv.reader(opened) for cell in row]
        assert cells and not any(is_run(cell) for cell in cells), file
    assert {"lists.csv", "purged.csv", "sloppy.csv"} <= {file.name for file in files}
    assert f"'{FORMULA}" in (tmp_path / "safe" / "lists.csv").read_text()


def is_run(cell: str) -> bool:
    """Whether a spreadsheet would run it."""
    try:
        float(cell)
    except ValueError:
        return cell.startswith(("=", "+", "-", "@"))
    return False


@pytest.fixture
def window(truth: Path, tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    """Closed however the test ends: an open one must not be left for others to delete."""
    window = open_window(tmp_path, truth)
    yield window
    close(window)


def test_the_window_exports_both(window: MainWindow, truth: Path, tmp_path: Path) -> None:
    window.enter("inspect")
    window.workbench.state(Inspection).runs.open([truth / "@run.csv"])
    window.docks.bring("figures")  # folded away in a window of this width
    calm()
    for filter, cells in ((None, FORMULA), (export_figures.SAFE, f"'{FORMULA}")):
        panel = window.panels["figures"]
        action = next(
            each
            for each in panel.more.menu().actions()
            if "CSV" in each.text()  # type: ignore[attr-defined]
        )
        action.trigger()
        [dialog] = [each for each in window.findChildren(QFileDialog) if each.isVisible()]
        if filter:
            dialog.selectNameFilter(filter)
        target = tmp_path / f"{len(cells)}.csv"
        dialog.selectFile(str(target))
        dialog.accept()
        settle()
        assert cells in first_cells(target)
