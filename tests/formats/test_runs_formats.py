"""Runs in CSV, Parquet, COCO and PAGE: the same run from each, every bad entry named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spotlab.errors import BadInput, NotSaved
from spotlab.formats.runs import Naming, read_run, write_csv, write_parquet
from spotlab.formats.runs.outline_columns import open_rings
from spotlab.geometry.polygon import Outlines
from spotlab.model.run import Run

SQUARE = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)]
NAMES = st.text(min_size=1, max_size=8).map(lambda text: " ".join(text.split())).filter(bool)
COORDINATES = st.integers(-(2**31) + 1, 2**31 - 1).map(float) | st.floats(
    -(2.0**31) + 1, 2.0**31 - 1
)
RINGS = st.lists(st.tuples(COORDINATES, COORDINATES), min_size=3, max_size=6)
SCORES = st.floats(-1e100, 1e100) | st.sampled_from([0.0, 0.5, 1.0])


@st.composite
def runs(draw: st.DrawFn) -> Run:
    count = draw(st.integers(0, 12))

    def column(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=count, max_size=count))

    queries = column(NAMES if draw(st.booleans()) else st.sampled_from(["a", 'b "c", d']))
    ranked = draw(st.booleans())
    score = np.array(column(SCORES | st.just(float("nan")) if ranked else SCORES))
    rank = np.array(column(st.integers(1, 4)), np.float64) if ranked else None
    labels = column(NAMES | st.just("")) if draw(st.booleans()) else None
    outlines = open_rings(Outlines.of(column(RINGS)))
    return Run.ordered("run", queries, column(NAMES), outlines, rank=rank, score=score,
                       labels=labels)  # fmt: skip


def assert_same(a: Run, b: Run) -> None:
    assert (a.queries, a.pages) == (b.queries, b.pages)
    assert [a.labels[i] if i >= 0 else "" for i in a.label] == [
        b.labels[i] if i >= 0 else "" for i in b.label
    ]
    for name in ("query", "page", "rank", "tied"):
        assert getattr(a, name).tolist() == getattr(b, name).tolist(), name
    assert a.score.tobytes() == b.score.tobytes()
    assert a.outlines.points.tobytes() == b.outlines.points.tobytes()
    assert a.outlines.offsets.tolist() == b.outlines.offsets.tolist()


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(runs())
def test_a_run_written_reads_back_the_same(tmp_path: Path, run: Run) -> None:
    for suffix, write in ((".csv", write_csv), (".parquet", write_parquet)):
        path = tmp_path / f"run{suffix}"
        write(run, path)
        got = read_run(path)
        assert got.bad_lines == ()
        assert got.run.name == "run"
        assert_same(got.run, run)


def test_writing_where_nothing_can_be_written(tmp_path: Path) -> None:
    run = Run.ordered("r", [], [], Outlines.of([]))
    for write in (write_csv, write_parquet):
        with pytest.raises(NotSaved):
            write(run, tmp_path / "none" / "run")
    assert list(tmp_path.iterdir()) == []


def table(folder: Path, **columns: Any) -> Path:
    path = folder / "run.parquet"
    basic = {"query": ["a"] * 3, "page": ["p"] * 3, "score": [0.9, 0.5, 0.1]}
    pq.write_table(pa.table({**basic, **columns}), path)
    return path


FLAT = [number for point in SQUARE for number in point]


@pytest.mark.parametrize(
    "points",
    [
        pa.array(["0,0 4,0 4,4"] * 3),
        pa.array(["0,0 4,0 4,4"] * 3, pa.large_string()),
        pa.array(["0,0 4,0 4,4"] * 3).dictionary_encode(),
        pa.array([FLAT] * 3),
        pa.array([[0, 0, 4, 0, 4, 4]] * 3, pa.list_(pa.int32())),
        pa.array([FLAT] * 3, pa.large_list(pa.float32())),
        pa.array([FLAT] * 3, pa.list_(pa.float64(), 6)),
        pa.array([SQUARE] * 3, pa.list_(pa.list_(pa.float64()))),
        pa.array([SQUARE] * 3, pa.list_(pa.list_(pa.float64(), 2))),
        pa.array([SQUARE] * 3, pa.list_(pa.list_(pa.int64()))),
    ],
    ids=lambda points: str(points.type),
)
def test_points_in_parquet_are_text_or_lists(points: pa.Array, tmp_path: Path) -> None:
    got = read_run(table(tmp_path, points=points))
    assert got.bad_lines == ()
    assert got.run.score.tolist() == [0.9, 0.5, 0.1]
    assert [got.run.outlines[i].tolist() for i in range(3)] == [[[0, 0], [4, 0], [4, 4]]] * 3


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"points": [FLAT, FLAT[:4], FLAT]}, "points has 2 corners, at least three are needed"),
        ({"points": [FLAT, FLAT[:5], FLAT]}, "points has 5 numbers, which cannot be paired as x, "
        "y"),
        ({"points": [FLAT, None, FLAT]}, "points are missing"),
        ({"points": [FLAT, [], FLAT]}, "points has 0 corners, at least three are needed"),
        ({"points": [FLAT, [*FLAT[:5], None], FLAT]}, "points: [4.0, None] is not x, y"),
        ({"points": [FLAT, [*FLAT[:5], 2.0**31], FLAT]},
         "points: the coordinate 2.14748e+09 is beyond ±2³¹"),
        ({"points": [SQUARE, [(1.0, 2.0), (3.0,), (4.0, 4.0)], SQUARE]},
         "points: [3.0] is not x, y"),
        ({"points": ["0,0 4,0 4,4", "0,0 4,0 4", "0,0 4,0 4,4"]}, "points: '4' is not x,y"),
        ({"score": [1.0, float("nan"), 0.5]}, "score is 'nan', not a finite number"),
        ({"score": [1.0, None, 0.5]}, "there is neither rank nor score"),
        ({"score": ["1", "x", "0.5"]}, "score is 'x', not a finite number"),
        ({"rank": [1, 0, 2]}, "rank is '0.0', not a whole number above 0"),
        ({"rank": [1.0, 1.5, None]}, "rank is '1.5', not a whole number above 0"),
        ({"query": ["a", None, "a"]}, "query is empty"),
        ({"page": ["p", " ", "p"]}, "page is empty"),
    ],
)  # fmt: skip
def test_a_bad_row_of_parquet_is_named(
    columns: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    got = read_run(table(tmp_path, **{"points": [FLAT] * 3, **columns}))
    assert [str(each) for each in got.bad_lines] == [f"row 2: {problem}"]
    assert got.run.line.tolist() == [1, 3]


def test_bad_rows_are_found_among_thousands(tmp_path: Path) -> None:
    score = np.linspace(1, 0, 25_000)
    score[[17, 9_999, 10_000, 24_999]] = np.inf
    many = {"query": ["a"] * 25_000, "page": ["p"] * 25_000, "points": [FLAT] * 25_000}
    got = read_run(table(tmp_path, score=score, **many))
    assert [each.line for each in got.bad_lines] == [18, 10_000, 10_001, 25_000]
    assert len(got.run) == 24_996


def test_what_is_no_parquet_is_refused(tmp_path: Path) -> None:
    path = table(tmp_path, points=[FLAT] * 3)
    whole = path.read_bytes()
    for cut in range(0, len(whole), 7):
        path.write_bytes(whole[:cut])
        with pytest.raises(BadInput, match=r"run\.parquet"):
            read_run(path)
    for columns, problem in (
        ({"points": [True] * 3}, "the column points holds bool"),
        ({"points": [{"x": 1}] * 3}, "the column points holds struct"),
        ({"points": [FLAT] * 3, "score": [[1.0]] * 3}, "the column score holds list"),
        ({}, "there is no column points"),
    ):
        with pytest.raises(BadInput, match=problem):
            read_run(table(tmp_path, **columns))


NAMING = Naming({1: "plan", "x": "other"}, {7: "sofa", 8: "bed"})
ENTRY = {"image_id": 1, "category_id": 7, "bbox": [1, 2, 3.5, 4], "score": 0.25}


def results(folder: Path, content: Any) -> Path:
    path = folder / "run.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_coco_results_are_the_same_run_as_their_boxes_in_csv(tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    entries, lines = [], ["query,page,score,points"]
    for _ in range(200):
        image = ["plan", "other"][generator.integers(2)]
        label = ["sofa", "bed"][generator.integers(2)]
        left, top, width, height = generator.integers(0, 90, 4).tolist()
        score = float(generator.integers(0, 50)) / 8
        entries.append({"image_id": {"plan": 1, "other": "x"}[image], "score": score,
                        "category_id": {"sofa": 7, "bed": 8}[label],
                        "bbox": [left, top, width, height]})  # fmt: skip
        right, bottom = left + width, top + height
        points = f'"{left},{top} {right},{top} {right},{bottom} {left},{bottom}"'
        lines.append(f"{label},{image},{score},{points}")
    (tmp_path / "run.csv").write_text("\n".join(lines) + "\n")
    got = read_run(results(tmp_path, entries), NAMING)
    assert got.bad_lines == ()
    assert got.remarks == ()
    assert_same(got.run, read_run(tmp_path / "run.csv").run)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"score": float("nan")}, "score is nan, not a finite number"),
        ({"score": "high"}, "score is 'high', not a number"),
        ({"score": 10**400}, "score is 1000000000000000000000000000000000000000, "
                             "not a finite number"),
        ({"bbox": [1, 2, 3]}, "there is neither a segmentation nor a bbox of four numbers"),
        ({"bbox": [1, 2, -3, 4]}, "bbox is -3 × 4 px"),
        ({"bbox": [1, 2, 2**31, 4]}, "points: the coordinate 2.14748e+09 is beyond ±2³¹"),
        ({"image_id": None}, "image_id is None, which is not an id"),
        ({"category_id": [7]}, "category_id is [7], which is not an id"),
        ({"segmentation": [[0, 0, 1, 1]]}, "no ring has three corners"),
        ({"segmentation": {"counts": "0a", "size": [2, 2]}},
         "the value is not compressed run lengths"),
    ],
)  # fmt: skip
def test_a_bad_entry_of_coco_results_is_named(
    change: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    alone = read_run(results(tmp_path, [ENTRY] * 20 + [{**ENTRY, **change}]), NAMING)
    assert [str(each) for each in alone.bad_lines] == [f"entry 21: {problem}"]
    entries = [ENTRY] * 40 + [{**ENTRY, **change}, {"no": 1}, 5] + [ENTRY]
    got = read_run(results(tmp_path, entries), NAMING)
    assert [str(each) for each in got.bad_lines] == [
        f"entry 41: {problem}", "entry 42: image_id is None, which is not an id",
        "entry 43: this is a number",
    ]  # fmt: skip
    assert got.run.line.tolist() == [*range(1, 41), 44]


def test_coco_results_without_names_and_whole_coco_files(tmp_path: Path) -> None:
    shape = {**ENTRY, "segmentation": [[0, 0, 5, 0, 5, 5.5]]}
    got = read_run(results(tmp_path, [shape]))
    assert (got.run.queries, got.run.pages) == (("7",), ("1",))
    assert got.run.outlines[0].tolist() == [[0, 0], [5, 0], [5, 5.5]]
    assert len(got.remarks) == 2
    whole = {"images": [{"id": 1, "file_name": "a/plan.png"}],
             "categories": [{"id": 7, "name": "sofa"}], "annotations": [shape, ENTRY]}  # fmt: skip
    got = read_run(results(tmp_path, whole), NAMING)
    assert (got.run.queries, got.run.pages, got.remarks) == (("sofa",), ("a/plan.png",), ())
    for entry in (shape, ENTRY):
        plain = {key: value for key, value in entry.items() if key != "score"}
        got = read_run(results(tmp_path, {**whole, "annotations": [plain] * 3}))
        assert got.remarks == ("there are no scores: the order in the file is the rank",)
        assert got.run.line.tolist() == [1, 2, 3]
        assert not got.run.tied.any()


@pytest.mark.parametrize("content", ['[{"image_id": 1', "{}", '{"annotations": 3}', "[1, 2", "{]"])
def test_what_is_no_coco_is_refused(content: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"run\.json"):
        read_run(results(tmp_path, content))
