"""Everything that the window offers is done once by real events, at 1024 × 700.

``make soak`` walks in every situation through all workspaces, at both sizes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.walk.walked import walk

pytestmark = pytest.mark.slow


def test_everything_can_be_done_with_something_selected(tmp_path: Path) -> None:
    walk("something selected", "1024x700", tmp_path)
