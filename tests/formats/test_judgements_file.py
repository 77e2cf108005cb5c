"""Judgements survive: kills, torn lines, lines of others; the last one on an item counts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from spotlab.errors import BadInput, NotSaved
from spotlab.formats.lists.kept_lines import read_judgements
from spotlab.formats.shared import shared_file
from spotlab.model.ranked_list import Items
from tests.formats.kept_lines import KeptJudgements

HEAD = "query,page,left,top,right,bottom,judgement\n"
ITEMS = Items(
    ("270", "a, b"),
    [0, 0, 1, -1],
    [[0, 0, 9, 9.5], [20, 0, 29, 9], [0, 0, 9, 9.5], [float("nan")] * 4],
    names=("", "", "", "FT 1"),
)

JUDGE_FOR_EVER = """
import sys
from tests.formats.kept_lines import KeptJudgements
from spotlab.model.ranked_list import Items
file = KeptJudgements(sys.argv[1])
for count in range(10**6):
    box = [10 * count, 0, 10 * count + 5, 7]
    file.judge("word", Items(("270",), [0], [box]), 0, count % 2 == 0)
    print(count, flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "judgements.csv"


def judged(path: Path, query: str = "the") -> list[int]:
    return read_judgements(path).of(query, ITEMS).tolist()


def test_what_is_judged_is_in_the_file_at_once(path: Path) -> None:
    with KeptJudgements(path) as file:
        assert not path.exists()
        file.judge("the", ITEMS, 0, True)
        assert path.read_text() == HEAD + "the,270,0,0,9,9.5,relevant\n"
        file.judge("the", ITEMS, 2, False)
        file.judge("the", ITEMS, 3, True)
        assert path.read_text().splitlines()[2:] == [
            'the,"a, b",0,0,9,9.5,irrelevant', "the,FT 1,,,,,relevant",
        ]  # fmt: skip
        assert file.of("the", ITEMS).tolist() == [1, -1, 0, 1]
        assert file.of("and", ITEMS).tolist() == [-1] * 4
    assert judged(path) == [1, -1, 0, 1]


def test_the_last_line_counts_and_none_takes_a_judgement_back(path: Path) -> None:
    with KeptJudgements(path) as file:
        for judgement in (True, False):
            file.judge("the", ITEMS, 0, judgement)
        file.judge("the", ITEMS, 1, True)
        file.judge("the", ITEMS, 1, None)
        file.judge("the", ITEMS, 2, None)
        assert file.of("the", ITEMS).tolist() == [0, -1, -1, -1]
    assert judged(path) == [0, -1, -1, -1]
    assert len(path.read_text().splitlines()) == 5


def test_judging_goes_on_where_it_was_left(path: Path) -> None:
    with KeptJudgements(path) as file:
        file.judge("the  one\n", ITEMS, 0, True)
    with KeptJudgements(path) as file:
        assert file.of("the one", ITEMS).tolist() == [1, -1, -1, -1]
        file.judge("the one", ITEMS, 1, False)
    assert judged(path, "the one") == [1, 0, -1, -1]


LINES = HEAD + "the,270,0,0,9,9.5,relevant\nthe,270,20,0,29,9,irrelevant\n"


@pytest.mark.parametrize("kept", range(len(LINES) + 1))
def test_a_file_cut_anywhere_is_mended_and_goes_on(path: Path, kept: int) -> None:
    path.write_text(LINES[:kept])
    # without its end a line is whole as soon as its judgement is
    whole = [len(HEAD), LINES.index("relevant\n") + 8, len(LINES) - 1]
    first = 1 if kept >= whole[1] else -1
    second = 0 if kept >= whole[2] else -1
    with KeptJudgements(path) as file:
        assert read_judgements(path).bad_lines == ()
        assert file.of("the", ITEMS).tolist() == [first, second, -1, -1]
        file.judge("the", ITEMS, 2, True)
    assert judged(path) == [first, second, 1, -1]
    assert read_judgements(path).bad_lines == ()
    assert path.read_text().startswith(HEAD)


def test_zeros_that_a_power_failure_left_at_the_end_are_cut_off(path: Path) -> None:
    path.write_bytes(LINES.encode() + b"\0" * 500)
    with KeptJudgements(path) as file:
        file.judge("the", ITEMS, 2, True)
    assert judged(path) == [1, 0, 1, -1]
    assert b"\0" not in path.read_bytes()


def test_a_killed_program_has_lost_nothing_that_it_said_was_judged(path: Path) -> None:
    command = [sys.executable, "-c", JUDGE_FOR_EVER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [int(process.stdout.readline()) for _ in range(40)]
        process.send_signal(signal.SIGKILL)
        said += [int(line) for line in process.stdout.read().splitlines()]
    assert process.returncode == -signal.SIGKILL
    read = read_judgements(path)
    assert read.bad_lines == ()
    lefts = [int(place[1]) for place in read.judged["word"]]
    assert lefts == list(range(0, 10 * len(lefts), 10))  # in order, without a gap
    assert len(said) <= len(lefts) <= len(said) + 1
    with KeptJudgements(path) as file:
        file.judge("word", ITEMS, 1, True)
    assert len(read_judgements(path).judged["word"]) in (len(lefts), len(lefts) + 1)


def test_bad_lines_are_named_and_stay_where_they_are(path: Path) -> None:
    rows = [
        "the,270,0,0,9,9.5,maybe",
        "the,270,9,0,0,9,relevant",
        "the,,0,0,9,9,relevant",
        "the,270,0,0,9,relevant",
        'the,"270,0,0,9,9,relevant',
        "the,270,0,,9,9,relevant",
        "the,270,0,0,inf,9,relevant",
        "",
        "the,270,20,0,29,9,relevant",
    ]
    path.write_text(HEAD + "\n".join(rows) + "\n")
    with KeptJudgements(path) as file:
        assert [
            str(line).removeprefix(f"{path}, ") for line in read_judgements(path).bad_lines
        ] == [
            "line 2: judgement is 'maybe'; expected one of relevant, irrelevant, none",
            "line 3: '9, 0, 0, 9' is not a box; expected left, top, right, bottom",
            "line 4: page is empty",
            "line 5: 6 fields, not 7; expected query,page,left,top,right,bottom,judgement",
            "line 6: not a line of CSV; expected query,page,left,top,right,bottom,judgement",
            "line 7: '0, , 9, 9' is not a box; expected left, top, right, bottom",
            "line 8: '0, 0, inf, 9' is not a box; expected left, top, right, bottom",
        ]
        file.judge("the", ITEMS, 0, True)
    assert path.read_text() == HEAD + "\n".join([*rows, "the,270,0,0,9,9.5,relevant", ""])


def test_a_table_that_a_spreadsheet_saved_is_read(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + LINES.replace("\n", "\r\n").encode())
    with KeptJudgements(path) as file:
        assert read_judgements(path).bad_lines == ()
        file.judge("the", ITEMS, 2, True)
    assert judged(path) == [1, 0, 1, -1]


@pytest.mark.parametrize("content", [b"query,page,rank,score,points\n", b"query\xff", b"a", b"\n"])
def test_another_file_is_refused_and_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(BadInput, match="line 1: these are no judgements"):
        KeptJudgements(path)
    assert path.read_bytes() == content
    with pytest.raises(NotSaved):
        KeptJudgements(path.parent / "no folder" / "judgements.csv").judge("a", ITEMS, 0, True)


def test_a_full_disk_is_told_and_nothing_is_torn(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def write_some(handle: int, content: bytes) -> int:
        return write(handle, content[:9])

    with KeptJudgements(path) as file:
        file.judge("the", ITEMS, 0, True)
        before = path.read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(shared_file.os, "write", write_some)
            with pytest.raises(NotSaved, match="was not saved: the disk is full"):
                file.judge("the", ITEMS, 1, False)
            assert path.read_bytes() == before
        assert file.of("the", ITEMS).tolist() == [1, 0, -1, -1]
        file.judge("the", ITEMS, 2, True)
    assert judged(path) == [1, 0, 1, -1]


def test_what_two_windows_say_of_a_query_is_kept_in_both(path: Path) -> None:
    one, other = KeptJudgements(path), KeptJudgements(path)
    one.judge("the", ITEMS, 0, True)
    other.judge("the", ITEMS, 1, False)
    one.judge("and", ITEMS, 2, True)
    one.judge("the", ITEMS, 0, None)
    other.judge("and", ITEMS, 3, False)
    one.file.look()
    for file in (one, other):
        assert file.of("the", ITEMS).tolist() == [-1, 0, -1, -1]
        assert file.of("and", ITEMS).tolist() == [-1, -1, 1, 0]


def test_a_file_that_was_removed_is_written_anew(path: Path) -> None:
    with KeptJudgements(path) as file:
        file.judge("the", ITEMS, 0, True)
        path.unlink()
        file.judge("the", ITEMS, 1, False)
    assert judged(path) == [1, 0, -1, -1]


def test_a_query_is_renamed(path: Path) -> None:
    with KeptJudgements(path) as file:
        for item, query in enumerate(("the", "the", "that")):
            file.judge(query, ITEMS, item, True)
        file.judge("that", ITEMS, 0, False)
        file.rename("the", "that")
        assert file.of("that", ITEMS).tolist() == [0, 1, 1, -1]
        assert file.of("the", ITEMS).tolist() == [-1] * 4
        file.rename("that", "the", keep=True)
    assert judged(path) == judged(path, "that") == [0, 1, 1, -1]
