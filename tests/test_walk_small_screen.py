"""Everything that the window offers is done once by real events, at 1024 × 700."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.walk.walked import walk


@pytest.mark.parametrize("situation", ["nothing open", "something selected"])
def test_everything_can_be_done(situation: str, tmp_path: Path) -> None:
    walk(situation, "1024x700", tmp_path)
