"""What lays templates on pages is compiled once, in a process of its own, for all later ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

SEARCH = """
import numpy as np
from spotlab.spotting.symbols.alignment.chamfer_reference import CHAMFER
from spotlab.spotting.symbols.methods.alignment import METHOD
from spotlab.spotting.symbols.engine.page_features import draw_model
from spotlab.spotting.symbols.engine.method import features_of_ink, features_of_model
model = draw_model("fan", [[(0, 0), (90, 10), (40, 70), (0, 0)], [(5, 60), (80, 60)]], pen=2)
ink = np.zeros((400, 500), bool)
ink[50:50 + model.ink.shape[0], 200:200 + model.ink.shape[1]] = model.ink
assert CHAMFER.is_stored()
METHOD.spot(features_of_ink(ink, [METHOD]), features_of_model(model, [METHOD]))
"""


@pytest.mark.slow
def test_nothing_is_compiled_after_it_was_stored(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def run(*arguments: str) -> list[Path]:
        subprocess.run([sys.executable, *arguments], env=environment, check=True, timeout=120)
        return sorted(tmp_path.glob("chamfer-*/**/*.nbc"))

    stored = run("-m", "spotlab.spotting.symbols.alignment.chamfer_compiled")
    assert len(stored) > 3
    assert run("-c", SEARCH) == stored
