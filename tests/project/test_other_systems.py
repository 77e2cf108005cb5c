"""Commands where much of Unix is missing: /proc, users, numbers of processors.

Modules that only Unix has are guarded by ``sys.platform``, as tests/project/test_packaging.py sees.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from spotlab.resources import sample_collection

ROOT = Path(__file__).resolve().parents[2]
# as close to Windows and macOS as this system comes: what they do not have is not there
SCRIPT = """
import builtins, io, os, signal, sys
import multiprocessing.popen_spawn_posix, multiprocessing.resource_tracker  # Python's own for Unix
import concurrent.futures.process, filelock, platformdirs, shutil, subprocess, tempfile

for holder, names in (
    (os, ("geteuid", "getuid", "killpg", "getpgid", "sysconf", "sched_getaffinity", "statvfs")),
    (signal, ("SIGHUP", "SIGKILL")),
):
    for name in names:
        vars(holder).pop(name, None)
usual = io.open

def without_proc(file, *arguments, **settings):
    if str(file).startswith(("/proc", "/sys", "/dev/shm")):
        raise FileNotFoundError(2, "No such file or directory", str(file))
    return usual(file, *arguments, **settings)

io.open = builtins.open = without_proc
from spotlab.__main__ import main
main()
"""


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_runs_are_evaluated(tmp_path: Path) -> None:
    plans = sample_collection()
    run_file = plans / "runs" / "b_hu.csv"
    command = ["evaluate", "--truth", plans, "--run", run_file, "--draws", "0", "--jobs", "2"]
    done = run(*command, "--json", tmp_path / "here.json")
    assert done.returncode == 0, done.stderr
    command += ["--json", tmp_path / "usual.json"]
    usual = subprocess.run(
        [sys.executable, "-m", "spotlab", *map(str, command)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == usual.stdout


def test_truth_is_converted_and_pages_are_drawn_by_processes(tmp_path: Path) -> None:
    done = run("convert", sample_collection(), tmp_path / "truth.json", "--to", "coco")
    assert done.returncode == 0, done.stderr
    made = run(
        "synthesise", "floorplans", "--pages", "2", "--jobs", "2", "--out", tmp_path / "made"
    )
    assert made.returncode == 0, made.stderr
    assert len(list((tmp_path / "made").glob("*.png"))) == 2


def test_the_machine_is_examined_and_bad_input_is_one_line(tmp_path: Path) -> None:
    done = run("doctor")
    assert "Traceback" not in done.stderr and "memory" in done.stdout
    bad = tmp_path / "run.csv"
    bad.write_text("nothing of the kind\n")
    refused = run("evaluate", "--truth", sample_collection(), "--run", bad)
    assert refused.returncode == 2 and len(refused.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["Plan_001.png", "PLAN_001.PNG"])
def test_names_of_images_may_be_written_in_other_letters(name: str, tmp_path: Path) -> None:
    """A truth file names its image as a system spells it that takes A and a for the same."""
    plan = sample_collection() / "plan_001.xml"
    text = plan.read_text("utf-8").replace("plan_001.png", name)
    (tmp_path / "plan_001.xml").write_text(text, "utf-8")
    (tmp_path / name).write_bytes(plan.with_suffix(".png").read_bytes())
    done = run("validate", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
