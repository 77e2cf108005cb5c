"""Plain lines of a run are taken thousands at once, to the same run as one by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.formats.rows.numbers import parse_decimals
from tests.formats.test_runs_csv import HEADER, POINTS, keep_folder, read

DECIMAL = st.from_regex(r"-?[0-9]{0,9}\.?[0-9]{0,9}", fullmatch=True)


@given(st.lists(DECIMAL | st.text("0123456789.-+e _", min_size=1, max_size=18), min_size=1))
def test_numbers_parsed_at_once_are_those_that_python_reads(texts: list[str]) -> None:
    joined = ",".join(texts)
    ends = np.cumsum([len(text) + 1 for text in texts]) - 1
    numbers = parse_decimals(np.frombuffer(joined.encode(), np.uint8), ends)
    if numbers is not None:
        assert list(map(repr, numbers.tolist())) == [repr(float(text)) for text in texts]


def test_long_decimals_are_exact() -> None:
    text = b"0.1,123456.789012345,-0,999999999999999,1.000000000000001"
    values = [float(each) for each in text.split(b",")][:4]
    ends = np.flatnonzero(np.frombuffer(text + b",", np.uint8) == ord(","))
    codes = np.frombuffer(text, np.uint8)
    numbers = parse_decimals(codes[: ends[3]], ends[:4])
    assert numbers is not None
    assert list(map(repr, numbers.tolist())) == list(map(repr, values))
    assert parse_decimals(codes, ends) is None  # sixteen digits may not be


FIELD = st.sampled_from(
    ["a", "b c", " b", "", "1", ".25", "1e-3", "0.30000000000000004", "-0", "x"]
)
QUOTED = st.sampled_from([POINTS, '"0,0 4.5,0 4,-4 0,0"', '"0,0 4,0"', '"a"', "", '"4,4"', 'x"y"'])


@given(
    st.lists(st.tuples(FIELD, FIELD, FIELD, FIELD, QUOTED, FIELD), max_size=6), st.integers(0, 5)
)
@keep_folder
def test_lines_taken_at_once_are_as_lines_taken_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]], place: int
) -> None:
    names = ["query", "page", "rank", "score", "label"]
    names.insert(place, "points")
    lines = []
    for *fields, points, label in rows:
        values = [*fields, label]
        values.insert(place, points)
        lines.append(",".join(values) + "\n")
    content = ",".join(names) + "\n" + "".join(lines)
    folder = tmp_path_factory.mktemp("run")
    at_once = read(folder, content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("spotlab.formats.runs.csv_run.quoted_block", lambda *_: None)
        each = read(folder, content)
    assert at_once.bad_lines == each.bad_lines
    assert at_once.remarks == each.remarks
    for one, other in ((at_once.run, each.run),):
        assert (one.queries, one.pages, one.labels) == (other.queries, other.pages, other.labels)
        for column in ("query", "page", "label", "score", "line", "tied"):
            assert getattr(one, column).tobytes() == getattr(other, column).tobytes()
        assert one.outlines.points.tobytes() == other.outlines.points.tobytes()


def test_a_plain_file_is_taken_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spotlab.formats.runs.csv_run.add_rows", lambda *_: pytest.fail("by rows"))
    monkeypatch.setattr("spotlab.formats.runs.csv_run.plain_block", lambda *_: pytest.fail("texts"))
    got = read(tmp_path, HEADER + "".join(f"bed,plan,{n},,{POINTS}\n" for n in range(1, 9)))
    assert got.run.line.tolist() == list(range(2, 10))
