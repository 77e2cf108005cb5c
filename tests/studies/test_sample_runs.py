"""The sample's runs are what the methods find, made by the commands that its README gives."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from spotlab.cli import root
from spotlab.formats.runs import read_run
from spotlab.measures.measure import MeasureSettings
from spotlab.spotting.symbols.methods import spotting_methods
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.tally.truth import read_truths

DATASETS = Path(__file__).resolve().parents[2] / "datasets"
PLANS = DATASETS / "floorplans"
MADE_AGAIN = "c"  # the quickest


def recipes() -> dict[str, list[str]]:
    """The commands by method."""
    lines = (DATASETS / "README.md").read_text().splitlines()
    commands = [shlex.split(line) for line in lines if "spotlab spot symbols" in line]
    return {command[command.index("--method") + 1]: command[1:] for command in commands}


def test_every_method_has_its_run_and_every_run_its_recipe() -> None:
    found = recipes()
    assert sorted(found) == sorted(spotting_methods())
    files = {Path(command[command.index("--out") + 1]).name for command in found.values()}
    assert files == {path.name for path in (PLANS / "runs").iterdir()}
    assert [name[0] for name in sorted(files)] == sorted(found)
    assert all(path.stat().st_size < 300_000 for path in (PLANS / "runs").iterdir())


@pytest.mark.slow
def test_a_run_is_made_again_to_the_byte(tmp_path: Path) -> None:
    command = recipes()[MADE_AGAIN]
    made = command.index("--out") + 1
    committed = PLANS / "runs" / Path(command[made]).name
    command[made] = str(tmp_path / "again.csv")
    command[command.index("--pages") + 1] = str(PLANS)
    with pytest.raises(SystemExit) as ended:
        root.main([*command, "--cache", str(tmp_path / "cache")])
    assert not ended.value.code
    lines = (tmp_path / "again.csv").read_bytes().splitlines(keepends=True)
    head = [line for line in lines if line.startswith(b"#")]
    assert any(line.startswith(b"# method: c") for line in head)  # it says what made it
    assert b"".join(lines[len(head) :]) == committed.read_bytes()


def test_runs_differ_as_methods_do() -> None:
    runs = [read_run(path) for path in sorted((PLANS / "runs").iterdir())]
    found = evaluate(read_truths([PLANS]), runs, MeasureSettings(), draws=0)
    rates = {run.name[0]: run.figures.mean["recognition_rate"] for run in found.runs}
    assert all(rate is not None and rate > 5 for rate in rates.values())
    assert rates["e"] == max(rates.values()) and rates["c"] == min(rates.values())
    assert all(not run.bad_lines and not run.left_out for run in found.runs)
