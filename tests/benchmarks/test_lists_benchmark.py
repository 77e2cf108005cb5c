"""How long it takes to read a million rows of ranked lists, all good or one of them bad."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from spotlab.formats.lists.reading import read_lists
from tests.benchmarks.sizes import sized

ROWS = 1_000_000


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lists") / "lists.csv"
    with path.open("w") as file:
        file.write("query,page,x,y,width,height,score,relevant,text,list\n")
        for at in range(ROWS):
            place = f"{270 + at % 15},{at % 1999},{at // 1999},{30 + at % 7},{20 + at % 5}"
            name = "QE" if at % 3 else "WS"
            file.write(f"q{at % 100},{place},{1 - at / ROWS},{at % 2},word{at % 5000},{name}\n")
    return path


def test_a_million_rows(benchmark: Any, rows: Path) -> None:
    read = benchmark.pedantic(read_lists, (rows,), rounds=sized(2, 1))
    assert sum(len(each) for query in read.queries for each in query.lists) == ROWS
    assert read.bad_lines == ()


def test_a_million_rows_and_a_bad_one(benchmark: Any, rows: Path) -> None:
    spoilt = rows.with_name("spoilt.csv")
    spoilt.write_bytes(rows.read_bytes() + b"q0,270\n")
    read = benchmark.pedantic(read_lists, (spoilt,), rounds=1)
    assert [line.line for line in read.bad_lines] == [ROWS + 2]
