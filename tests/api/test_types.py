"""Types as users' checkers see them: mypy checks `user_code.py` with the program, pyright here."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from spotlab.resources import CHECKOUT
from tests.api import user_code
from tests.api.samples import samples

__all__ = ["samples"]


def test_the_script_runs(samples: Path) -> None:
    said = user_code.judge(samples)
    assert [line.partition(":")[0] for line in said[:2]] == ["MINE", "THEIRS"]
    assert "nothing.csv" in said[2]


def test_the_check_of_types_includes_the_script() -> None:
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]
    assert settings["modules"] == [user_code.__name__] and settings["strict"]


def test_pyright_sees_the_same() -> None:
    if not (pyright := shutil.which("pyright")):
        pytest.skip("pyright is not installed; the workflow has it")
    done = subprocess.run(
        [pyright, "--pythonpath", sys.executable, user_code.__file__],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
