"""How long runs take to read and write, beside the loop that everybody writes first."""

from __future__ import annotations

import csv
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from spotlab.formats.runs import Naming, read_run, write_csv, write_parquet
from spotlab.formats.runs.outline_columns import format_point_lists
from spotlab.geometry.polygon import Outlines
from spotlab.model.run import Run
from tests.benchmarks.sizes import sized

CORNERS = 12
MILLION = sized(1_000_000, 100_000)


def make_run(count: int) -> Run:
    """Twelve-gons of 38 queries on 42 pages, in px with a digit behind the point."""
    draw = np.random.default_rng(1)
    angle = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points = draw.uniform(0, 3000, (count, 1, 2)) + draw.uniform(10, 90, (count, 1, 1)) * circle
    outlines = Outlines(points.round(1).reshape(-1, 2), np.arange(count + 1) * CORNERS)
    queries = [f"symbol {number}" for number in draw.integers(0, 38, count)]
    pages = [f"plan_{number:03}.png" for number in draw.integers(0, 42, count)]
    return Run.ordered("run", queries, pages, outlines, score=draw.random(count).round(6))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], Path]:
    folder = tmp_path_factory.mktemp("runs")
    made: dict[tuple[str, int], Path] = {}
    for count in (10_000, MILLION):
        run = make_run(count)
        made["csv", count] = folder / f"{count}.csv"
        made["parquet", count] = folder / f"{count}.parquet"
        made["parquet of text", count] = folder / f"{count}_text.parquet"
        write_csv(run, made["csv", count])
        write_parquet(run, made["parquet", count])
        table = pq.read_table(made["parquet", count])
        text = pa.array(format_point_lists(run.outlines))
        table = table.set_column(table.schema.get_field_index("points"), "points", text)
        pq.write_table(table, made["parquet of text", count])
    return made


def read_with_a_loop(path: Path) -> list[tuple[str, str, float, list[tuple[float, ...]]]]:
    """Row by row, corner by corner, without a look at what may be wrong."""
    with path.open(newline="", encoding="utf-8") as file:
        return [
            (row["query"], row["page"], float(row["score"]),
             [tuple(map(float, point.split(","))) for point in row["points"].split()])
            for row in csv.DictReader(file)
        ]  # fmt: skip


@pytest.mark.parametrize("count", [10_000, MILLION])
@pytest.mark.parametrize("kind", ["csv", "parquet", "parquet of text"])
def test_read(benchmark: Any, files: dict[tuple[str, int], Path], kind: str, count: int) -> None:
    path = files[kind, count]
    rounds = 10 if count < MILLION else 2
    got = benchmark.pedantic(lambda: read_run(path), rounds=rounds, warmup_rounds=1)
    assert len(got.run) == count
    assert got.bad_lines == ()
    benchmark.extra_info["MB"] = round(path.stat().st_size / 1e6)
    if kind == "csv" and count < MILLION:
        start = time.perf_counter()
        assert len(read_with_a_loop(path)) == count
        ratio = (time.perf_counter() - start) / np.median(benchmark.stats.stats.data)
        benchmark.extra_info["times faster than a loop"] = round(ratio, 1)


def test_read_with_a_bad_line_in_every_thousand(
    benchmark: Any, files: dict[tuple[str, int], Path], tmp_path: Path
) -> None:
    lines = files["csv", MILLION].read_text("utf-8").splitlines(keepends=True)[:200_001]
    bad = len(lines[1::1000])
    lines[1::1000] = ["sofa,plan,1,nan,x\n"] * bad
    path = tmp_path / "bad.csv"
    path.write_text("".join(lines), "utf-8")
    got = benchmark.pedantic(lambda: read_run(path), rounds=3, warmup_rounds=1)
    assert (len(got.run), len(got.bad_lines)) == (len(lines) - 1 - bad, bad)


def test_read_many_boxes_of_coco(benchmark: Any, tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    boxes = draw.uniform(1, 900, (MILLION, 4)).round(1).tolist()
    entries = [
        {"image_id": index % 42, "category_id": index % 38, "bbox": box, "score": index / MILLION}
        for index, box in enumerate(boxes)
    ]
    path = tmp_path / "results.json"
    path.write_text(json.dumps(entries))
    naming = Naming({number: f"p{number}" for number in range(42)}, {})
    got = benchmark.pedantic(lambda: read_run(path, naming), rounds=2)
    assert len(got.run) == MILLION


@pytest.mark.parametrize("write", [write_csv, write_parquet])
def test_write_100_000(benchmark: Any, tmp_path: Path, write: Any) -> None:
    run = make_run(100_000)
    benchmark.pedantic(lambda: write(run, tmp_path / "run"), rounds=3)
