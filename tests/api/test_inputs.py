"""Inputs as other programs hold them: boxes, polygons, records, images and tables of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import shapely
from PIL import Image

import spotlab

SIZE = {"page_width": 100, "page_height": 80}
TRUTH = [
    {"page": "plan", "label": "bed", "points": [(0, 0), (20, 0), (20, 10), (0, 10)], **SIZE},
    {"page": "plan", "label": "sofa", "points": [(40, 40), (60, 40), (60, 60), (40, 60)], **SIZE},
]
RUN = [
    {"query": "bed", "page": "plan", "score": 0.9, "points": "0,0 20,0 20,10 0,10"},
    {"query": "sofa", "page": "plan", "score": 0.8, "points": "40,40 60,40 60,50 40,50"},
]


def columns(records: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [record[name] for record in records] for name in records[0]}


class OnlyArrow:
    """A table that only speaks Arrow, as those of DuckDB or Ibis do."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


TABLES: dict[str, Callable[[list[dict[str, Any]]], Any]] = {
    "records": lambda records: records,
    "columns": columns,
    "pandas": pd.DataFrame,
    "pyarrow": lambda records: pa.table(columns(records)),
    "arrow": lambda records: OnlyArrow(pa.table(columns(records))),
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_of_any_library_gives_the_same(kind: str) -> None:
    made = TABLES[kind]
    result = spotlab.evaluate(made(TRUTH), {"mine": made(RUN)}, draws=0)
    assert result["mine"].figures["area_recall"] == pytest.approx(0.75)
    assert len(spotlab.read_run(made(RUN))) == 2
    lists = [{"query": "q", "item": "a", "score": 0.9}, {"query": "q", "item": "b", "score": 0.8}]
    assert len(spotlab.rerank(made(lists)).frame()) == 2
    votes = [{"item": "1", "A": 1, "B": 1}, {"item": "2", "A": 0, "B": 1}]
    assert spotlab.compare_systems(made(votes)).frame()["system"].tolist() == ["A", "B"]


def test_polars_is_read_without_pyarrow() -> None:
    polars = pytest.importorskip("polars")
    truth, run = polars.DataFrame(TRUTH), polars.DataFrame(RUN)
    assert spotlab.evaluate(truth, run, draws=0).figures["area_recall"] == pytest.approx(0.75)


@pytest.mark.parametrize(
    "box",
    [
        {"xyxy": (10, 20, 40, 60)},
        {"bbox_xyxy": np.array([10.0, 20, 40, 60])},
        {"xywh": [10, 20, 30, 40]},
        {"x": 10, "y": 20, "width": 30, "height": 40},
        {"xmin": 10, "ymin": 20, "xmax": 40, "ymax": 60},
        {"cx": 25, "cy": 40, "w": 30, "h": 40},
        {"points": shapely.box(10, 20, 40, 60)},
    ],
    ids=lambda box: next(iter(box)),
)
def test_boxes_and_polygons_are_regions_of_truth_and_spots(box: dict[str, Any]) -> None:
    truth = spotlab.read_truth([{"page": "plan", "label": "bed", **box, **SIZE}])
    run = spotlab.read_run([{"page": "plan", "query": "bed", "score": 1, **box}])
    corners = {(10, 20), (40, 20), (40, 60), (10, 60)}
    for frame in (truth.frame(), run.frame()):
        assert set(map(tuple, frame["points"][0].tolist())) == corners
    assert spotlab.evaluate(truth, run, draws=0).f == 1


def test_a_polygon_keeps_its_hole() -> None:
    ring = shapely.box(0, 0, 30, 30).difference(shapely.box(10, 10, 20, 20))
    frame = spotlab.read_truth([{"page": "plan", "label": "o", "points": ring, **SIZE}]).frame()
    assert frame["area"][0] == 800


def test_a_wrong_box_is_named_by_its_row() -> None:
    rows = [{"page": "plan", "label": "bed", "xywh": box, **SIZE} for box in ([1, 2, 3, 4], [1, 2])]
    with pytest.raises(spotlab.BadLines, match="the truth, row 2: ") as raised:
        spotlab.read_truth(rows)
    assert len(raised.value.lines) == 1


def test_images_of_pillow_are_pages_and_symbols() -> None:
    page = np.full((40, 60), 255, np.uint8)
    page[10:20, 15:35] = 0
    stroke = [(10, 5), (40, 5), (40, 25), (10, 25)]
    expected = spotlab.hull_of_stroke(page, stroke).tolist()
    for image in (
        Image.fromarray(page),
        Image.fromarray(page).convert("1"),
        Image.fromarray(page).convert("RGBA"),
        page > 0,
    ):
        assert spotlab.hull_of_stroke(image, stroke).tolist() == expected
