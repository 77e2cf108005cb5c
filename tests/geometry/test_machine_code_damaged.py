"""Stored machine code that is damaged is never run: it is compiled anew."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.soak import damaged_machine_code

pytest.importorskip("numba")
pytestmark = pytest.mark.slow

ASK = """
import sys
import numpy as np
import own_kernels
stored = own_kernels.CODE.is_stored()
made = own_kernels.CODE.compile_ahead()
assert own_kernels.doubled(np.arange(5.0)) == 20.0
loaded = sum(own_kernels.doubled.stats.cache_hits.values())
print(stored, made, loaded)
"""


def ask(environment: dict[str, str]) -> str:
    """Whether the code was stored, was made, and how much of it was loaded."""
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.strip()


def test_damaged_machine_code_is_not_run() -> None:
    assert damaged_machine_code.run(each=1, seed=3) > 10


def test_it_is_made_anew_and_old_versions_are_cleared(tmp_path: Path) -> None:
    kernels, cache = damaged_machine_code.environment(tmp_path), tmp_path / "cache"
    for number in range(9):
        (cache / f"own-{number}" / "sub").mkdir(parents=True)
        os.utime(cache / f"own-{number}", (number, number))
    (cache / "another").mkdir()
    assert ask(kernels) == "False True 1"
    left = {path.name for path in cache.iterdir()}
    assert {"another", "own-5", "own-6", "own-7", "own-8"} < left
    assert len(left) == 6
    files = sorted(cache.rglob("*.nb?"))
    assert len(files) == 4
    for file in files:
        file.write_bytes(file.read_bytes()[:-1])
    assert ask(kernels) == "False True 1"
    for file in files:
        file.unlink()
        file.mkdir()  # nothing can take its place
        (file / "full").touch()
    assert ask(kernels).startswith("False")  # and computes what is right
