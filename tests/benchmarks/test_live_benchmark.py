"""How soon a run of 10,000 spots is shown after a process has rewritten it."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from spotlab.gui.inspect.state.inspection import Inspection
from tests.gui.inspect.inspecting import leave, open_workbench
from tests.gui.inspect.rewriting import LARGE, rewrite_large

VERSIONS = 20


@pytest.mark.benchmark(group="live run")
def test_each_version_is_shown(benchmark: Any, tmp_path: Path, qapp: QApplication) -> None:
    workbench = open_workbench(tmp_path)
    runs, path = workbench.state(Inspection).runs, tmp_path / "runs" / "large.csv"
    counts, late = benchmark.pedantic(rewrite_large, (runs, path, VERSIONS), rounds=1)
    leave(workbench)
    assert counts == {LARGE} and len(late) == VERSIONS
    benchmark.extra_info["median s"], benchmark.extra_info["latest s"] = (
        f"{value:.2f}" for value in (median(late), max(late))
    )
