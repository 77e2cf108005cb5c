"""Runs in CSV: every bad line is named, every good one is read as it stands."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spotlab.errors import BadInput, Cancelled
from spotlab.formats.rows import csv_rows
from spotlab.formats.runs import ReadRun, read_run
from spotlab.formats.runs.outline_columns import parse_point_list, plain_point_lists

HEADER = "query,page,rank,score,points\n"
POINTS = '"0,0 4,0 4,4"'
GOOD = f"sofa,plan.png,1,0.5,{POINTS}"
keep_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def read(folder: Path, content: str | bytes, name: str = "run.csv") -> ReadRun:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_run(path)


def test_a_run_is_read_as_it_stands(tmp_path: Path) -> None:
    got = read(tmp_path, HEADER + f'b,p.png,2,-3,{POINTS}\nb,q,1,1e-3,"1.5,2 3,4 -5,6"\n\n{GOOD}\n')
    assert got.bad_lines == ()
    assert got.remarks == ()
    run = got.run
    assert (run.name, run.queries, run.pages) == ("run", ("b", "sofa"), ("p.png", "plan.png", "q"))
    first, second, third = (run.spot(index) for index in range(3))
    assert (first.query, first.page, first.rank, first.score) == ("b", "q", 1, 0.001)
    assert first.points.tolist() == [[1.5, 2], [3, 4], [-5, 6]]
    assert (second.page, second.rank, second.score) == ("p.png", 2, -3)
    assert third.points.tolist() == [[0, 0], [4, 0], [4, 4]]
    assert run.line.tolist() == [3, 2, 5]
    assert run.source == tmp_path / "run.csv"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (f"sofa,plan,1,{POINTS}", "4 fields, not 5 as in the first line"),
        ("sofa,plan,1,.5,0,0 4,0 4,4",
         "8 fields, not 5 as in the first line; points need quotes around them"),
        (f"sofa,plan,1,high,{POINTS}", "score is 'high', not a finite number"),
        (f"sofa,plan,1,NaN,{POINTS}", "score is 'NaN', not a finite number"),
        (f"sofa,plan,1,-inf,{POINTS}", "score is '-inf', not a finite number"),
        (f"sofa,plan,1,1e999,{POINTS}", "score is '1e999', not a finite number"),
        (f"sofa,plan,1,1_0,{POINTS}", "score is '1_0', not a finite number"),
        (f"sofa,plan,0,.5,{POINTS}", "rank is '0', not a whole number above 0"),
        (f"sofa,plan,-1,.5,{POINTS}", "rank is '-1', not a whole number above 0"),
        (f"sofa,plan,1.5,.5,{POINTS}", "rank is '1.5', not a whole number above 0"),
        (f"sofa,plan,first,.5,{POINTS}", "rank is 'first', not a whole number above 0"),
        (f"sofa,plan,nan,.5,{POINTS}", "rank is 'nan', not a whole number above 0"),
        (f"sofa,plan,,,{POINTS}", "there is neither rank nor score"),
        (f" ,plan,1,.5,{POINTS}", "query is empty"),
        (f"sofa,,1,.5,{POINTS}", "page is empty"),
        ("sofa,plan,1,.5,", "points are missing"),
        ('sofa,plan,1,.5,"0,0 4,0"', "points has 2 corners, at least three are needed"),
        ('sofa,plan,1,.5,"0,0 4,0 4"', "points: '4' is not x,y"),
        ('sofa,plan,1,.5,"0,0 4,0 4,4,4"', "points: '4,4,4' is not x,y"),
        ('sofa,plan,1,.5,"0,0 4,0 1-2,4"', "points: '1-2,4' is not x,y"),
        ('sofa,plan,1,.5,"0,0 4,0 1_2,4"', "points: '1_2,4' is not x,y"),
        ('sofa,plan,1,.5,"0;0 4;0 4;4"', "points: '0;0' is not x,y"),
        ('sofa,plan,1,.5,"0,0 nan,0 4,4"', "points: the coordinate nan is not finite"),
        ('sofa,plan,1,.5,"0,0 inf,0 4,4"', "points: the coordinate inf is not finite"),
        ('sofa,plan,1,.5,"0,0 2147483648,0 4,4"',
         "points: the coordinate 2.14748e+09 is beyond ±2³¹"),
        ('sofa,plan,1,.5,"0,0 -1e300,0 4,4"', "points: the coordinate -1e+300 is beyond ±2³¹"),
        ('sofa,plan,1,.5,"0,0 4,0 4,4', "a quoted field is not closed"),
        ('sofa,plan,1,.5,"0,0 4,0 4,4"5', "a quote ends in the middle of a field"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("others", [0, 3, 40])
def test_a_bad_line_is_named_and_the_others_are_read(
    line: str | bytes, problem: str, others: int, tmp_path: Path
) -> None:
    bad = line.encode() if isinstance(line, str) else line
    good = (GOOD + "\n").encode() * others
    got = read(tmp_path, HEADER.encode() + good + bad + b"\n" + good + bad + b"\n" + good)
    place = [others + 2, 2 * others + 3]
    # a quote that is open till the end of the file is so because the file was cut off, perhaps
    problems = [each.problem.removesuffix("; the file may be truncated") for each in got.bad_lines]
    assert [each.line for each in got.bad_lines] == place
    assert problems == [problem] * 2
    assert str(got.bad_lines[0]) == f"line {place[0]}: {problem}"
    assert sorted(got.run.line.tolist()) == [
        line for line in range(2, 3 * others + 4) if line not in place
    ]


def test_lines_are_bad_or_read_and_none_is_lost(tmp_path: Path) -> None:
    generator = np.random.default_rng(3)
    kinds = [GOOD, GOOD, GOOD, "x", f"sofa,plan,x,1,{POINTS}", 'a,b,1,1,"0,0', ""]
    lines = [kinds[kind] for kind in generator.integers(0, len(kinds), 9_000)]  # several blocks
    got = read(tmp_path, HEADER + "\n".join(lines) + "\n")
    assert sorted(got.run.line.tolist()) == [
        number for number, line in enumerate(lines, 2) if line == GOOD
    ]
    assert [each.line for each in got.bad_lines] == [
        number for number, line in enumerate(lines, 2) if line not in (GOOD, "")
    ]


def test_a_query_without_an_order_is_left_out_and_all_its_lines_named(tmp_path: Path) -> None:
    lines = [f"sofa,p,1,,{POINTS}", GOOD.replace("sofa", "bed"), f"sofa,p,,7,{POINTS}",
             f"sofa,p,3,3,{POINTS}", f"door,p,,1,{POINTS}"]  # fmt: skip
    got = read(tmp_path, HEADER + "\n".join(lines) + "\n")
    assert [str(each) for each in got.bad_lines] == [
        "line 2, 4–5: the query 'sofa' has no order and is left out: "
        "no rank in line 4, no score in line 2"
    ]
    assert got.run.queries == ("bed", "door")
    assert got.run.line.tolist() == [3, 6]


def test_a_field_may_run_over_several_lines(tmp_path: Path) -> None:
    header = "text,query,page,rank,points\r\n"
    row = f'"one\r\n""two""",sofa,p,1,{POINTS}\r\n'
    got = read(tmp_path, header + row * 3)
    assert got.bad_lines == ()
    assert got.run.line.tolist() == [2, 4, 6]
    assert got.run.tied.all()
    assert got.remarks == ("ignored columns: 'text'",)


def test_a_field_may_run_over_the_end_of_a_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = "text,query,page,rank,points\n"
    row = f'"one\n\nthree",sofa,p,1,{POINTS}\n'
    for size in range(1, 90, 7):
        monkeypatch.setattr(csv_rows, "BLOCK_BYTES", size)
        got = read(tmp_path, header + row * 5 + '"open\nx,sofa,p,2,' + POINTS + "\n")
        assert got.run.line.tolist() == [2, 5, 8, 11, 14, 18]
        assert [str(each) for each in got.bad_lines] == ["line 17: a quoted field is not closed"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("\n\n \n", "the file is empty"),
        ("query,page,rank,score\n", "there is no column points"),
        ("query;page;rank;score\n", "line 1: there is no column points; expected the columns"),
        ("query,page,points\n", "there is no column rank or score"),
        ("query,page,rank,rank,points\n", "the column rank occurs twice"),
        ('"query,page\n', "a quoted field is not closed"),
        (b"\xff\xfeq\0u\0", "there is no column query, page, points, rank or score"),
        (b"query\xe9,page,rank,points\n", "there is no column query"),
    ],
)  # fmt: skip
def test_a_file_of_which_nothing_can_be_read_is_refused(
    content: str | bytes, message: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput) as caught:
        read(tmp_path, content)
    assert message in str(caught.value)
    assert "run.csv" in str(caught.value)


def test_no_file_and_no_run(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="it does not exist"):
        read_run(tmp_path / "none.csv")
    known = "line 1 is 'hello'; expected one of COCO results or other JSON, Folder of CSV"
    with pytest.raises(BadInput, match=known):
        read(tmp_path, "hello\n", "hello.txt")


def test_a_run_without_spots_is_one(tmp_path: Path) -> None:
    got = read(tmp_path, HEADER)
    assert (len(got.run), got.run.queries, got.bad_lines, got.remarks) == (0, (), (), ())
    assert len(read(tmp_path, HEADER.rstrip("\n")).run) == 0


def test_columns_come_in_any_order_with_others_between(tmp_path: Path) -> None:
    got = read(tmp_path, "\ufeffPoints, mood ,Score,Label,PAGE,query\n"
               f"{POINTS},fine,.5,chair,p,  arm   chair \n")  # fmt: skip
    spot = got.run.spot(0)
    assert (spot.query, spot.page, spot.score, spot.label) == ("arm chair", "p", 0.5, "chair")
    assert got.remarks == ("ignored columns: 'mood '",)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_will_do(end: str, tmp_path: Path) -> None:
    got = read(tmp_path, (HEADER + GOOD + "\n" + "bad\n" + GOOD + "\n").replace("\n", end))
    assert got.run.line.tolist() == [2, 4]
    assert [each.line for each in got.bad_lines] == [3]


def test_outlines_without_area_and_closed_ones(tmp_path: Path) -> None:
    rings = ['"5,5 5,5 5,5"', '"0,0 1,1 0,0"', '"0,0 4,0 4,4 0,0"', '"3,3 3,3 3,3 3,3 3,3"',
             '" 0 , 0  4,0\t4,4 "', '"2147483647,0 -2147483647,0 0,1"']  # fmt: skip
    got = read(tmp_path, HEADER + "".join(f"a,p,{i + 1},,{r}\n" for i, r in enumerate(rings)))
    assert got.bad_lines == ()
    assert [ring.tolist() for ring in map(got.run.outlines.__getitem__, range(6))] == [
        [[5, 5]] * 3, [[0, 0], [1, 1], [0, 0]], [[0, 0], [4, 0], [4, 4]], [[3, 3]] * 3,
        [[0, 0], [4, 0], [4, 4]], [[2147483647, 0], [-2147483647, 0], [0, 1]],
    ]  # fmt: skip


def test_ranks_against_scores_are_remarked(tmp_path: Path) -> None:
    got = read(tmp_path, HEADER + f"a,p,1,.1,{POINTS}\na,p,2,.9,{POINTS}\nb,p,1,.9,{POINTS}\n")
    assert got.remarks == ("in one query a better rank has a lower score; the rank is used",)
    assert got.run.score.tolist() == [0.1, 0.9, 0.9]


def spots_of(got: ReadRun) -> set[tuple[object, ...]]:
    run = got.run
    spots = [run.spot(index) for index in range(len(run))]
    return {
        (each.query, each.page, each.score, tuple(each.points.ravel().tolist())) for each in spots
    }


@pytest.mark.parametrize("header", [HEADER, "points,query,page,score,rank\n"])
def test_a_file_cut_off_anywhere_gives_no_spot_that_is_not_in_it(
    header: str, tmp_path: Path
) -> None:
    rows = [("sofa", "plan_10.png", "11", "0.75"), ("très long", "plan_2.png", "12", "0.5"),
            ("sofa", "b", "3", "12.25")]  # fmt: skip
    order = header.strip().split(",")
    lines = []
    for query, page, rank, score in rows:
        points = f'"0,0 {rank}0,0 4,44"'
        values = {"query": query, "page": page, "rank": rank, "score": score, "points": points}
        lines.append(",".join(values[name] for name in order) + "\n")
    whole = (header + "".join(lines)).encode()
    everything = spots_of(read(tmp_path, whole))
    assert len(everything) == 3
    for cut in range(len(whole)):
        try:
            got = read(tmp_path, whole[:cut])
        except BadInput:
            assert cut < len(header.encode())
            continue
        assert spots_of(got) <= everything, cut
        complete = whole[:cut].count(b"\n") - 1
        told = bool(got.bad_lines or got.remarks)
        at_end = whole[:cut].endswith((b"\n", b'"'))
        assert len(got.run) >= complete
        assert told or at_end or cut < len(header), cut


@keep_folder
@given(data=st.data())
def test_no_damage_to_a_file_breaks_the_reader(data: st.DataObject, tmp_path: Path) -> None:
    content = bytearray((HEADER + (GOOD + "\n") * 30).encode())
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(
            st.binary(max_size=3) | st.sampled_from([b'"', b"\n", b",", b"\r", b'""', b"\0"])
        )
    try:
        got = read(tmp_path, bytes(content))
    except BadInput:
        return
    lines = got.run.line.tolist()
    assert len(set(lines)) == len(lines)
    assert not {each.line for each in got.bad_lines if "no order" not in each.problem} & set(lines)


NUMBER_LIKE = st.text("0123456789.-+eE_,\t\x0b ,,  ", max_size=24)


@given(st.lists(NUMBER_LIKE | st.sampled_from(["0,0 4,0 4,4", "1,2 3,4 5,6"]), max_size=4))
def test_reading_many_outlines_at_once_gives_what_reading_each_gives(texts: list[str]) -> None:
    at_once = plain_point_lists(texts)
    if at_once is not None:
        each = [parse_point_list(text) for text in texts]
        assert [at_once[i].tolist() for i in range(len(texts))] == [
            [list(point) for point in ring] for ring in each
        ]


@pytest.mark.parametrize(
    "text",
    ["0,0 1\t2,\t 3,4 5,6", "0,0 1, 3,4", "0,0 4,0 4,4 ", " 0,0 4,0 4,4", "0,0 4,0 ,4",
     "0,0 4,0 4,4\n0,0 4,0 4,4", "0,0 4,0", "0,0 4,0 4,٤", "0,0 1-2,3 4,4", "0,0 1.5.5,3 4,4", ""],
)  # fmt: skip
def test_what_is_not_plain_is_not_read_at_once(text: str) -> None:
    assert plain_point_lists([text]) is None
    assert plain_point_lists(["0,0 4,0 4,4", text]) is None


def test_a_negative_zero_stays_one(tmp_path: Path) -> None:
    got = read(tmp_path, HEADER + 'a,p,1,-0,"0,0 4,0 -0,4"\n')
    assert np.signbit(got.run.outlines.points).ravel().tolist() == [False] * 4 + [True, False]


def test_a_long_file_tells_how_far_it_is_and_can_be_cancelled(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text(HEADER + (GOOD + "\n") * 30_000)
    told: list[tuple[int, int | None]] = []
    read_run(path, progress=lambda done, total, _: told.append((done, total)))
    assert len(told) >= 2
    assert told == sorted(told)
    assert told[-1] == (os.path.getsize(path), os.path.getsize(path))

    def cancel(done: int, _total: int | None, _doing: str) -> None:
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_run(path, progress=cancel)
