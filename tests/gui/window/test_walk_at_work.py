"""What a workspace offers is done once by real events while a long job is under way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.walk.walked import walk

pytestmark = pytest.mark.slow


def test_work_under_way_disturbs_nothing(tmp_path: Path) -> None:
    walk("at work", "1024x700", tmp_path, "inspect")
