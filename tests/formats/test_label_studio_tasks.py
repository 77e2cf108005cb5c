"""Tasks of Label Studio with several images, and with several annotations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from spotlab.formats.collection.convert import convert
from spotlab.formats.collection.detect import format_of
from spotlab.formats.rows.reading import Reading
from spotlab.model import Truth
from tests.formats.exchanged import blank_page


def result(label: str, **more: Any) -> dict[str, Any]:
    value = {"x": 10, "y": 10, "width": 20, "height": 10, "rectanglelabels": [label]}
    return {"id": label, "type": "rectanglelabels", "value": value, "original_width": 400,
            "original_height": 300, **more}  # fmt: skip


def tasks(path: Path, data: dict[str, Any], *annotations: dict[str, Any]) -> Path:
    path.write_text(json.dumps([{"id": 1, "data": data, "annotations": list(annotations)}]))
    return path


def read(path: Path) -> tuple[list[Truth], str]:
    reading = Reading()
    truths = format_of(path).read_file(path, reading)
    return truths, " ".join(map(str, reading.findings))


def test_each_image_of_a_task_is_a_page(tmp_path: Path) -> None:
    for name in ("p0.png", "p1.png"):
        blank_page(tmp_path, name)
    annotation = {"result": [result("a", item_index=1), result("b", item_index=0), result("c"),
                             result("d", item_index=9)]}  # fmt: skip
    path = tasks(
        tmp_path / "all.json", {"pages": ["p0.png", "/data/local-files/?d=p1.png"]}, annotation
    )
    truths, told = read(path)
    found = {truth.page.name: [region.label for region in truth.regions] for truth in truths}
    assert found == {"p0": ["b", "c"], "p1": ["a"]}
    assert "item_index is 9" in told
    assert convert(path, tmp_path / "out").pages == 2


def test_of_several_annotations_the_latest_is_read(tmp_path: Path) -> None:
    blank_page(tmp_path)
    old = {"completed_by": 1, "updated_at": "2024-01-01T00:00:00Z", "result": [result("old")]}
    new = {"completed_by": 2, "updated_at": "2024-02-01T00:00:00Z", "result": [result("new")]}
    cancelled = {**new, "updated_at": "2025-01-01T00:00:00Z", "was_cancelled": True}
    path = tmp_path / "all.json"
    [truth], told = read(tasks(path, {"image": "plan.png"}, new, old, cancelled))
    assert [region.label for region in truth.regions] == ["new"]
    assert "by another annotator, or an earlier one: the latest is read" in told
    assert "several annotators, of whom one can be chosen (first: 2, 1)" in told
    assert "cancelled annotation" in told
    [truth], _ = read(tasks(path, {"image": "plan.png"}, new, {**old, "ground_truth": True}))
    assert [region.label for region in truth.regions] == ["old"]
