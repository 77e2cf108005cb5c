"""Walks in a program of its own, whose screen has the wanted size, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ENOUGH = {"actions": 400, "menus": 20, "panels": 20, "tools": 10, "widgets": 60}


def walk(situation: str, size: str, folder: Path) -> None:
    """Walk in a situation; fails with all that went wrong, or if hardly anything was walked."""
    report = folder / "walked.json"
    arguments = ["--situation", situation, "--size", size, "--json", str(report)]
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
