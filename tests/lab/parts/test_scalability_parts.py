"""Part by part, the scalability of runs is that of the whole collection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from spotlab.errors import SpotlabError
from spotlab.formats.rows.part_folder import PartFolder
from spotlab.formats.runs import ReadRun
from spotlab.lab.parts import query_figures
from spotlab.lab.parts.evaluate_parts import scalability_parts
from spotlab.lab.parts.partition import write_parts
from spotlab.measures.measure import MeasureSettings
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.evaluate.scalability import as_json, measure_scalability
from spotlab.studies.tally.truth import TruthSet
from tests.lab.parts.test_evaluate_parts import collection


def assert_same(found: Any, expected: Any, place: str = "") -> None:
    """The same to rounding, wherever there are numbers."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for name, value in expected.items():
            assert_same(found[name], value, f"{place}/{name}")
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected), place
        for number, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert_same(one, other, f"{place}/{number}")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12), place
    else:
        assert found == expected, place


@pytest.mark.slow
@pytest.mark.parametrize(("spots", "missing", "seed"), [(200_000, "zero", 1), (10, "drop", 5)])
def test_it_is_that_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spots: int, missing: Any, seed: int
) -> None:
    monkeypatch.setattr(query_figures, "SPOTS", spots)
    settings = MeasureSettings(missing=missing, recognised=0.05)
    truth_set, run = collection(seed)
    other = collection(seed + 1)[1]
    parts = PartFolder.of(tmp_path / "parts")
    write_parts(truth_set, {"mine": run, "other": other}, parts, pages=4)
    whole = evaluate(truth_set, [ReadRun(run), ReadRun(other)], settings, draws=0).runs
    expected = measure_scalability(
        ["mine", "other"], [each.figures for each in whole], draws=7, seed=3, step=1
    )
    folders = [parts / "runs" / name for name in ("mine", "other")]
    found, remarks = scalability_parts(
        parts / "truth", folders, PartFolder.of(tmp_path / "out"), settings,
        draws=7, seed=3, step=1,
    )  # fmt: skip
    assert_same(as_json(found), as_json(expected))
    rates = [size.recognition_rate or 0 for run in found.runs for size in run.sizes]
    assert any(0 < rate < 100 for rate in rates)
    assert found.runs[0].sizes[0].pages < found.runs[0].sizes[2].pages == len(truth_set.truths)
    assert any("left out" in line for line in remarks["mine"])


def test_a_truth_without_labels_has_no_classes(tmp_path: Path) -> None:
    truth_set, run = collection(2)
    parts = PartFolder.of(tmp_path)
    bare = {name: type(each)(each.page, ()) for name, each in truth_set.truths.items()}
    write_parts(TruthSet(bare), {"mine": run}, parts, pages=10)
    with pytest.raises(SpotlabError, match="no labelled region"):
        scalability_parts(parts / "truth", [parts / "runs" / "mine"], parts / "out")
