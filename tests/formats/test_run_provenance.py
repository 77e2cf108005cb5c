"""What made a run travels in its file, or beside it, and other programs read the file as before."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.errors import BadInput
from spotlab.formats.runs import read_run, write_csv, write_parquet
from spotlab.formats.runs.side_files import (
    comment_lines,
    entry_of,
    read_side_file,
    write_side_file,
)
from spotlab.geometry.polygon import Outlines
from spotlab.model import Run

MADE = {
    "made by": "spotlab 1.0",
    "date": "2026-01-31T12:00:00+00:00",
    "setting ink": "even",
    "note": 'a # b, "c": ü',
}
ROW = 'sofa,plan_1,1,0.9,"0,0 9,0 9,9"'


def a_run() -> Run:
    return Run.ordered(
        "run", ["sofa", "#1 bed"], ["plan_1", "plan_2"],
        Outlines.of([[(0, 0), (9, 0), (9, 9)]] * 2), score=np.array([0.5, 0.25]), provenance=MADE,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["run.csv", "run.parquet"])
def test_it_is_read_back(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    (write_csv if path.suffix == ".csv" else write_parquet)(a_run(), path)
    found = read_run(path)
    assert found.run.provenance == MADE and not found.bad_lines and not found.remarks
    assert found.run.spot(0).query == "#1 bed" and len(found.run) == 2
    again = tmp_path / f"again_{name}"
    (write_csv if path.suffix == ".csv" else write_parquet)(found.run, again)
    assert again.read_bytes() == path.read_bytes()


def test_a_run_without_it_is_written_and_read_as_ever(tmp_path: Path) -> None:
    run = replace(a_run(), provenance={})
    write_csv(run, tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_text().startswith("query,page,rank,score,points\n")
    assert read_run(tmp_path / "run.csv").run.provenance == {}


def test_other_programs_read_the_file(tmp_path: Path) -> None:
    write_csv(replace(a_run(), queries=("bed", "sofa")), tmp_path / "run.csv")
    table = pandas.read_csv(tmp_path / "run.csv", comment="#")
    assert table.columns.tolist() == ["query", "page", "rank", "score", "points"]
    assert table["score"].tolist() == [0.25, 0.5]
    lines = (tmp_path / "run.csv").read_text().splitlines(True)
    rows = list(csv.DictReader(line for line in lines if not line.startswith("# ")))
    assert [row["query"] for row in rows] == ["bed", "sofa"]
    write_parquet(a_run(), tmp_path / "run.parquet")
    assert len(pandas.read_parquet(tmp_path / "run.parquet")) == 2


def test_lines_are_numbered_as_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text(f"# a: b\n\n# just a remark\nquery,page,rank,score,points\n{ROW}\nbad\n")
    found = read_run(path)
    assert found.run.provenance == {"a": "b"}
    assert found.run.line.tolist() == [5] and found.bad_lines[0].line == 6


def test_a_column_may_be_called_so(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text(f"#,query,page,rank,score,points\n7,{ROW}\n")
    assert len(read_run(path).run) == 1
    path.write_text("# a: b\n# c: d\n")
    with pytest.raises(BadInput, match="empty"):
        read_run(path)


def test_a_file_beside_a_run_of_any_format_says_it(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text(f"# a: own\nquery,page,rank,score,points\n{ROW}\n")
    assert write_side_file(path, {"a": "other", "b": "more"}).name == "run.csv.provenance.json"
    assert read_run(path).run.provenance == {"a": "own", "b": "more"}
    side = tmp_path / "run.csv.provenance.json"
    side.write_text(json.dumps({"n": 1, "deep": {"x": [1]}}))
    assert read_run(path).run.provenance == {"a": "own", "n": "1", "deep": '{"x": [1]}'}
    side.write_text("[")
    assert read_side_file(path) == {} and read_run(path).run.provenance == {"a": "own"}


@given(
    st.dictionaries(
        st.text("abcXYZ 019-_", min_size=1).filter(lambda key: key == key.strip()),
        st.text().map(lambda value: " ".join(value.split())),
        max_size=5,
    )
)
def test_any_text_comes_back(made: dict[str, str]) -> None:
    lines = io.StringIO(comment_lines(made), newline="").read().split("\n")[:-1]
    assert dict(filter(None, map(entry_of, lines))) == made
    assert lines == sorted(lines, key=lambda line: line[2:].split(":")[0])
