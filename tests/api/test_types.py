"""Types as a user's checker sees them: a script passes mypy --strict, and mistakes do not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from spotlab.resources import CHECKOUT

STUB = "class DataFrame:\n    def to_csv(self, path: str) -> None: ...\n"  # pandas-stubs, in short
SCRIPT = """
from pathlib import Path

import spotlab

truth = spotlab.read_truth(Path("plans"))
result = spotlab.evaluate(truth, {"mine": "mine.csv"}, overlap="sum", beta=2)
f: float | None = result["mine"].f
names: list[str] = list(result)
for name, alone in result.items():
    print(name.upper(), alone.figures["f"])
result.frame().to_csv("figures.csv")
reveal_type(result.frame())
reveal_type(result.curves("bed").plot())
reveal_type(truth["plan_001"])
reveal_type(spotlab.validate("plans").errors)
records = [{"query": "bed", "page": "plan", "score": 0.9, "xywh": [1, 2, 3, 4]}]
spotlab.read_run(records)
try:
    spotlab.rerank("lists.csv", fusion=["cr"], jobs=2)
except spotlab.SpotlabError as error:
    print(error.lines[:1])
"""
WRONG = """
import spotlab

spotlab.evaluate("plans", "mine.csv", overlap="both")
spotlab.evaluate("plans", "mine.csv", betta=2)
spotlab.spot_words("letters", "the", top="6")
spotlab.evaluate("plans", "mine.csv").fram()
"""


def checked(folder: Path, script: str) -> list[str]:
    """What mypy says of a user's script."""
    (folder / "stubs" / "pandas").mkdir(parents=True, exist_ok=True)
    (folder / "stubs" / "pandas" / "__init__.pyi").write_text(STUB)
    (folder / "script.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "script.py",
         "--cache-dir", str(folder / "cache"), "--follow-imports=silent"],
        cwd=folder,
        env={**os.environ, "MYPYPATH": f"{CHECKOUT}{os.pathsep}{folder / 'stubs'}"},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    return [line for line in done.stdout.splitlines() if line.startswith("script.py")]


@pytest.mark.slow
def test_a_script_of_a_user_has_types(tmp_path: Path) -> None:
    said = checked(tmp_path, SCRIPT)
    assert [line for line in said if "error" in line] == []
    shown = [line.partition("Revealed type is ")[2].strip('"') for line in said]
    assert [each.split(".")[-1] for each in shown if each] == [
        "DataFrame", "Figure", "GroundTruth", "int",
    ]  # fmt: skip
    wrong = "\n".join(checked(tmp_path, WRONG))
    for number in (4, 5, 6, 7):
        assert f"script.py:{number}: error" in wrong, wrong
