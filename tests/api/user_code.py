# pyright: strict, reportUnnecessaryTypeIgnoreComment=true
"""A script as users write it, whose types mypy and pyright check: a mistake needs its `ignore`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, assert_type

import spotlab

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def judge(folder: Path) -> list[str]:
    """Evaluate runs; the folder has what `tests.api.samples` makes."""
    truth = spotlab.read_truth(folder / "plans")
    assert_type(len(truth), int)
    result = spotlab.evaluate(
        truth,
        {"mine": folder / "mine.csv", "theirs": folder / "theirs.csv"},
        overlap="sum",
        beta=2,
        draws=0,
    )
    assert_type(result["mine"].f, float | None)
    said = [f"{name.upper()}: {run.figures['f']}" for name, run in result.items()]
    curves = result.curves("bed")
    if TYPE_CHECKING:
        assert_type(curves.plot(), Figure)
    assert_type(spotlab.validate(folder / "plans").errors, int)
    records = [{"query": "bed", "page": "plan_001", "score": 0.9, "xywh": [1, 2, 3, 4]}]
    assert_type(len(spotlab.read_run(records)), int)
    try:
        spotlab.rerank(folder / "nothing.csv", fusion=["cr"], jobs=2)
    except spotlab.SpotlabError as error:
        said.append(str(error))
        assert_type(error.lines, tuple[str, ...])
    return said


def mistakes() -> None:
    """Each line is an error of types; nobody calls this."""
    spotlab.evaluate("plans", "mine.csv", overlap="both")  # type: ignore[arg-type]
    spotlab.evaluate("plans", "mine.csv", betta=2)  # type: ignore[call-arg]
    spotlab.spot_words("letters", "the", top="6")  # type: ignore[arg-type]
    spotlab.evaluate("plans", "mine.csv").fram()  # type: ignore[attr-defined]
    spotlab.rerank()  # type: ignore[call-arg]
