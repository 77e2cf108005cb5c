"""What a workspace offers is done once by real events, at 1440 × 900, in each situation.

``make soak`` walks in every situation through all workspaces, at both sizes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.walk.walked import walk

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("situation", "workspace"),
    [("no truth", "annotate"), ("truth", "words"), ("nothing open", "systems")],
)
def test_a_workspace_can_be_used(situation: str, workspace: str, tmp_path: Path) -> None:
    walk(situation, "1440x900", tmp_path, workspace)
