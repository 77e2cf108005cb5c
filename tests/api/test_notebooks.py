"""The example notebooks run from their first cell to their last."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from spotlab.resources import CHECKOUT

pytestmark = pytest.mark.slow

NOTEBOOKS = sorted((CHECKOUT / "resources" / "notebooks").glob("*.ipynb"))
JOBS = {
    "compare-systems", "draw-truth", "evaluate", "rerank", "spot-symbols", "spot-words",
    "uncertain-truth",
}  # fmt: skip


def test_every_job_has_a_notebook() -> None:
    assert {path.stem for path in NOTEBOOKS} == JOBS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    last = cells[-1].outputs
    assert last, "the last cell shows something"
    errors = [out for cell in cells for out in cell.outputs if out.get("name") == "stderr"]
    assert errors == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_uses_only_what_is_public(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert path.stat().st_size < 100_000
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert "from spotlab" not in code and "import spotlab." not in code
    assert notebook.cells[-1].outputs, "what is committed shows results"
