"""Predictions in an export of Label Studio are a run, turned boxes too."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication

from spotlab.errors import BadInput
from spotlab.formats.runs import read_run
from spotlab.gui.inspect.state.inspection import Inspection
from tests.gui.inspect.inspecting import calm
from tests.gui.windows import close, open_window
from tests.judging_files import command


def box(label: str, x: float, y: float, w: float, h: float, **more: Any) -> dict[str, Any]:
    value = {"x": x, "y": y, "width": w, "height": h, "rotation": more.pop("rotation", 0),
             "rectanglelabels": [label]}  # fmt: skip
    return {"id": f"{label}{x}", "type": "rectanglelabels", "value": value, "original_width": 400,
            "original_height": 200, **more}  # fmt: skip


def task(name: str, truth: list[Any], *predictions: dict[str, Any]) -> dict[str, Any]:
    image = f"/data/upload/3/4c9c9b1e-{name}.png"
    annotations = [{"id": 1, "result": truth}]
    return {"data": {"image": image}, "annotations": annotations, "predictions": list(predictions)}


@pytest.fixture
def export(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    for name in ("one", "two"):
        Image.fromarray(np.full((200, 400), 255, np.uint8)).save(folder / f"{name}.png")
    turned = box("door", 50, 10, 20, 10, rotation=30)
    tasks = [
        task("one", [box("bed", 0, 0, 25, 50), turned],
             {"model_version": "old", "created_at": "2026-01-01", "score": 0.1, "result": [
                 box("bed", 70, 70, 10, 10)]},
             {"model_version": "new", "created_at": "2026-02-01", "score": 0.3, "result": [
                 box("bed", 0, 0, 25, 50, score=0.9), turned]}),
        task("two", [box("bed", 50, 50, 25, 50)],
             {"model_version": "new", "created_at": "2026-02-02", "result": [
                 box("bed", 50, 50, 25, 50, score=0.8), box("bed", 0, 0, 10, 10)]}),
    ]  # fmt: skip
    path = folder / "export.json"
    path.write_text(json.dumps(tasks))
    return path


def test_predictions_are_judged_by_the_annotations_beside_them(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    arguments = ("--truth", export, "--run", export, "--draws", 0, "--json", out)
    assert command("evaluate", *arguments) == 0
    queries = json.loads(out.read_text())["runs"][0]["queries"]
    assert {name: values["area_recall"] for name, values in queries.items()} == pytest.approx(
        {"bed": 1, "door": 1}
    )
    said = "".join(capsys.readouterr())
    assert "the predictions of 'new' are read, not those of 'old'" in said
    assert command("evaluate", *arguments, "--strict") == 2  # one result has no score


def test_turned_boxes_outlines_and_scores(export: Path) -> None:
    read = read_run(export)
    run = read.run
    assert sorted(run.score.tolist()) == [0.3, 0.8, 0.9]
    [spot] = np.flatnonzero(run.query == run.queries.index("door")).tolist()
    door = run.outlines[spot]
    first, second = door[0], door[1]
    assert first.tolist() == pytest.approx([200, 20])
    step = second - first
    assert math.degrees(math.atan2(step[1], step[0])) == pytest.approx(30)
    [bad] = read.bad_lines
    assert "score" in bad.problem


def test_shapes_without_sizes_and_bad_ones(export: Path, tmp_path: Path) -> None:
    content = json.loads(export.read_text())[1]
    prediction = content["predictions"][0]
    del prediction["result"][0]["original_width"], prediction["result"][0]["original_height"]
    prediction["result"][1] |= {"value": {"x": 1}, "score": 0.5}
    export.write_text(json.dumps(content))  # one task, no list
    read = read_run(export)
    assert len(read.run) == 1
    assert read.run.outlines[0].max(axis=0).tolist() == pytest.approx([300, 200])
    assert [line.problem for line in read.bad_lines] != []
    content["predictions"] = []
    export.write_text(json.dumps(content))
    with pytest.raises(BadInput, match="its tasks have no predictions, and annotations are truth"):
        read_run(export)


def test_the_window_opens_them(export: Path, tmp_path: Path, qapp: QApplication) -> None:
    assert command("convert", export, export.parent, "--to", "page") == 0
    window = open_window(tmp_path, export.parent)
    inspection = window.workbench.state(Inspection)
    inspection.runs.open([export])
    calm()
    (run,) = inspection.runs
    assert run.figures is not None
    assert run.figures.mean["area_recall"] == pytest.approx(1, abs=0.02)  # PAGE has whole px
    close(window)
