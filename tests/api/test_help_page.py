"""What the help page on Python shows runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spotlab.resources import help_folder
from tests.api.samples import samples

__all__ = ["samples"]

PAGE = (help_folder() / "python.md").read_text("utf-8")
BLOCKS = {
    re.search(r"## (.+)\n[^#]*$", PAGE[: match.start()])[1]: match[1]  # type: ignore[index]
    for match in re.finditer(r"```python\n(.*?)```", PAGE, re.DOTALL)
}
FIVE_LINES = 5  # besides the import
LONGEST = "Adapt the network to a hand"  # that it works is also tried elsewhere


def test_there_is_a_section_for_each_job() -> None:
    assert len(BLOCKS) == 10
    for name in (
        "evaluate", "rerank", "compare_systems", "uncertain", "spot_symbols", "spot_words",
        "adapt_words", "hull_of_stroke", "read_truth", "write_truth", "read_run",
    ):  # fmt: skip
        assert f"spotlab.{name}(" in PAGE


@pytest.mark.parametrize(
    "section",
    [pytest.param(name, marks=[pytest.mark.slow] if name == LONGEST else []) for name in BLOCKS],
)
def test_a_block_runs(section: str, samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(samples)
    monkeypatch.delenv("SPOTLAB_MODELS")  # with the networks, as users have them
    exec(compile(BLOCKS[section], section, "exec"), {})


@pytest.mark.parametrize("section", BLOCKS)
def test_a_job_takes_five_lines(section: str) -> None:
    lines = [line for line in BLOCKS[section].splitlines() if line and line != "import spotlab"]
    assert len(lines) <= FIVE_LINES
