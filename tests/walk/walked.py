"""Walks in a program of its own, whose screen has the wanted size, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ENOUGH = {"actions": 100, "menus": 6, "panels": 4, "widgets": 15}  # in one workspace


def walk(situation: str, size: str, folder: Path, *workspaces: str) -> None:
    """Walk in a situation through these workspaces, or all of them.

    Fails with all that went wrong, or if hardly anything was walked.
    """
    report = folder / "walked.json"
    arguments = ["--situation", situation, "--size", size, "--json", str(report)]
    for name in workspaces:
        arguments += ["--workspace", name]
    ended = subprocess.run(
        [sys.executable, "-m", "tests.walk.walker", *arguments],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.exists(), ended.stderr[-4000:]
    walked = json.loads(report.read_text())
    assert not walked["faults"], "\n\n".join(walked["faults"])
    few = {what: walked["counts"].get(what, 0) for what in ENOUGH}
    assert all(few[what] >= least for what, least in ENOUGH.items()), few
