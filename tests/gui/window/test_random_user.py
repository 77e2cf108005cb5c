"""A user who does anything at all, and is killed twice: no exception, nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def test_nothing_that_was_shown_is_lost() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.soak.random_user", "--events", "900", "--kills", "2"],
        cwd=Path(__file__).parents[3],
        env=os.environ | {"PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-2000:]
    assert "2 kills, 0 faults" in ended.stdout
