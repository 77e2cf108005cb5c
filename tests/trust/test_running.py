"""Nothing that lies in a stranger's folder is run, also where it is the current folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from spotlab.studies.own_spotter import Spotter, SpotterOrder, run_spotter

ROOT = Path(__file__).parents[2]
FLOORPLANS = ROOT / "datasets" / "floorplans"
MODULES = ["multiprocessing", "numpy", "json", "spotlab", "PySide6", "shapely", "runpy", "signal"]
START = "import sys; sys.path[0] = {root!r}; from spotlab.__main__ import main; main()"


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A folder with modules that say so when they are imported."""
    folder = tmp_path / "strange"
    folder.mkdir()
    for name in MODULES:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write('{name} ')")
    (folder / "matplotlibrc").write_text("text.usetex: True\ntext.latex.preamble: \\input{evil}\n")
    return folder


def run_in(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run spotlab as its command does, whose folder of modules is not the current one."""
    script = folder.parent / "start.py"
    script.write_text(f"if __name__ == '__main__':\n    {START.format(root=str(ROOT))}\n")
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, str(script), *command],
        cwd=folder,
        env={**clean, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def test_doctor_runs_no_module_of_the_current_folder(strange: Path, tmp_path: Path) -> None:
    done = run_in(strange, "doctor")
    assert "platform offscreen" in done.stdout, done.stderr
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_processes_run_no_module_of_the_current_folder(strange: Path, tmp_path: Path) -> None:
    given = ["--truth", str(FLOORPLANS), "--run", str(FLOORPLANS / "runs"), "--pages", "plan_00*"]
    done = run_in(strange, "evaluate", *given, "--jobs", "2", "--draws", "0")
    assert not done.returncode, done.stderr
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_figures_are_drawn_without_the_settings_of_the_current_folder(
    strange: Path, tmp_path: Path
) -> None:
    runs, out = str(next((FLOORPLANS / "runs").glob("*.csv"))), tmp_path / "report"
    given = ["--truth", str(FLOORPLANS), "--run", runs, "--pages", "plan_001", "--draws", "0"]
    done = run_in(strange, "evaluate", *given, "--out", str(out))
    assert not done.returncode, done.stderr
    assert not (tmp_path / "ran").exists()


def test_an_own_spotter_works_in_a_folder_that_the_user_trusts(
    strange: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    spots = 'query,page,rank,score,points\\nq,p,1,0.5,"1,1 9,1 9,9"\\n'
    (own / "mine.py").write_text(
        f"import os, sys; open(sys.argv[1], 'w').write('{spots}'); "
        "print(os.getcwd(), os.environ.get('PYTHONSAFEPATH'))"
    )
    (strange / "mine.py").write_text((strange / "numpy.py").read_text())
    lines: list[str] = []
    spotter = Spotter("mine", f"{sys.executable} mine.py {{out}}")
    order = SpotterOrder(spotter, strange, (), tmp_path / "runs", "mine", own)
    (path,) = run_spotter(order, lines.append, lambda *_: None)
    assert path == tmp_path / "runs" / "mine.csv"
    assert lines == [f"{own} None"]
    assert not (tmp_path / "ran").exists()
