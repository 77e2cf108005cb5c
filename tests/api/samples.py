"""Files of every kind that the functions take, small, in one folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from resources.packaging.documented_blocks import make_files


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """plans/, letters/, mine.csv, theirs.csv, votes.csv, lists.csv, scores.npz and so on."""
    make_files(tmp_path)
    return tmp_path
