"""Workflows that test and release spotlab elsewhere: what they call is there."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.project.test_documented_blocks import try_wheel

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = {path.stem: path for path in ROOT.glob(".github/workflows/*.yml")}
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def jobs(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(WORKFLOWS[name].read_text("utf-8"))["jobs"]
    return found


@pytest.mark.parametrize("name", WORKFLOWS)
def test_what_is_called_is_there(name: str) -> None:
    for job in jobs(name).values():
        assert job["runs-on"] and set(job.get("needs", ())) <= jobs(name).keys()
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), step
            for target in re.findall(r"\bmake (\w+)", step.get("run", "")):
                assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target
            for file in re.findall(r"python (\S+\.py)", step.get("run", "")):
                assert (ROOT / file).is_file(), file
            if action := step.get("uses"):
                assert re.fullmatch(r"[\w-]+/[\w-]+@[\w/.]+", action), "a version is named"


def test_each_way_is_tried_on_each_system_with_each_python() -> None:
    matrix = jobs("test")["installed"]["strategy"]["matrix"]
    about = (ROOT / "pyproject.toml").read_text("utf-8")
    known = re.findall(r"Python :: (3\.\d+)", about)
    tried = set(product(*matrix.values()))
    systems = ("ubuntu-latest", "macos-latest", "windows-latest")
    assert tried == set(product(systems, known, tuple(try_wheel.WAYS)))


def test_a_release_is_published_after_it_was_built_and_tried() -> None:
    release = jobs("release")
    assert release["publish"]["needs"] == ["python", "debian"]
    built = " ".join(step.get("run", "") for step in release["python"]["steps"])
    assert built.index("build") < built.index("try_wheel.py")
