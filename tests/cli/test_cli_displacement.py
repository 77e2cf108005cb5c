"""`spotlab displacement`: answers against subjects' rankings, by Santini's equations by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.formats.lists.rankings import Ranking, read_answers, read_ideal
from spotlab.studies.words.displacement import measure_displacement
from tests.judging_files import command

Captured = pytest.CaptureFixture[str]
IDEAL = """subject,query,rank,item,relevance
Ann,cat,1,a,1
Ann,cat,2,b,.5
Ann,cat,3,c,.25
Ben,cat,1,c,1
Ben,cat,2,a,.5
Ann,dog,1,d,.5
"""
ANSWERS = """system,query,rank,item,relevance
S1,cat,3,c,
S1,cat,1,a,
S1,cat,2,b,
S1,dog,1,d,.9
S2,cat,1,c,
S2,cat,2,x,
S2,bird,1,y,
"""


def write(folder: Path) -> tuple[Path, Path]:
    ideal, answers = folder / "ideal.csv", folder / "answers.csv"
    ideal.write_text(IDEAL)
    answers.write_text(ANSWERS)
    return ideal, answers


def test_an_optimist_by_hand(tmp_path: Path, capsys: Captured) -> None:
    assert command("displacement", *write(tmp_path), "--json", "-") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["settings"] == {
        "missing": "optimist", "items": 6, "quality": "rational", "steepness": 1.0,
    }  # fmt: skip
    first, second = found["systems"]
    assert (first["system"], second["system"]) == ("S1", "S2")
    ann, ben = first["subjects"]
    assert (ann["subject"], ann["displacement"], ann["quality"]) == ("Ann", 0, 1)
    # Ben has c, a; S1 has a, b, c: 1 |1 − 3| + .5 |2 − 1|
    assert ben["displacement"] == 2.5
    assert ben["quality"] == pytest.approx(1 / 3.5)
    assert first["displacement"] == 1.25
    assert first["quality"] == pytest.approx((1 + 1 / 3.5) / 2)
    ann, ben = second["subjects"]
    # S2 has c, x. Ann, cat: c was third, .25 |3 − 1|; a, b come fourth and fifth, 1·3 + .5·3.
    # dog is not answered: d comes second, .5·1.
    cat, dog = ann["queries"]
    assert (cat["found"], cat["missed"], cat["displacement"]) == (0.5, 4.5, 5)
    assert (cat["up"], cat["missing"]) == ([-3, -3, 2], [True, True, False])
    assert (dog["answered"], dog["displacement"]) == (False, 0.5)
    assert ann["displacement"] == 2.75
    # Ben: c is right, a comes third instead of second
    assert ben["displacement"] == 0.5
    assert second["displacement"] == pytest.approx((2.75 + 0.5) / 2)
    assert found["remarks"] == [
        "S2 does not answer dog: all items count as missing",
        "S2 answers bird, which nobody ranks: left out",
    ]


def test_a_pessimist_by_hand(tmp_path: Path, capsys: Captured) -> None:
    arguments = ("--missing", "pessimist", "--size", 100, "--json", "-")
    assert command("displacement", *write(tmp_path), *arguments) == 0
    systems = {each["system"]: each for each in json.loads(capsys.readouterr().out)["systems"]}
    ann, ben = systems["S2"]["subjects"]
    assert ann["queries"][0]["displacement"] == 0.5 + 100 * 1.5
    assert ann["queries"][1]["displacement"] == 100 * 0.5
    assert ben["displacement"] == 100 * 0.5
    assert systems["S1"]["displacement"] == 1.25


def test_a_table_has_a_row_a_system(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "result.json"
    arguments = (*write(tmp_path), "--json", file, "--steepness", 2)
    assert command("displacement", *arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == "weighted displacement, optimist, 6 items; smaller is better"
    assert lines[3].split() == ["quality", "mean", "Ann", "Ben"]
    assert lines[4].split() == ["S1", "0.541", "1.250", "0.000", "2.500"]
    assert lines[5].split() == ["S2", "0.340", "1.625", "2.750", "0.500"]
    assert json.loads(file.read_text())["settings"]["steepness"] == 2
    assert command("displacement", *arguments, "--quality", "exponential") == 0
    found = json.loads(file.read_text())["systems"][0]["subjects"][0]["queries"][0]
    assert found["quality"] == pytest.approx(math.exp(-2 * found["displacement"]))


def test_files_without_subject_and_system_are_ones(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "Ann.csv").write_text("query,rank,item,relevance\ncat,1,a,1\ncat,4,b,1\n")
    for name, first, second in (("one", "a", "b"), ("two", "b", "a")):
        (tmp_path / f"{name}.csv").write_text(f"query,rank,item\ncat,1,{first}\ncat,2,{second}\n")
    files = [tmp_path / f"{name}.csv" for name in ("Ann", "one", "two")]
    assert command("displacement", *files, "--json", "-") == 0
    found = json.loads(capsys.readouterr().out)
    assert [(each["system"], each["displacement"]) for each in found["systems"]] == [
        ("one", 0), ("two", 2),
    ]  # fmt: skip
    assert found["systems"][0]["subjects"][0]["subject"] == "Ann"
    assert found["remarks"] == [
        f"{files[0]}: ranks are missing in 1 ranking; the items after a gap move up"
    ]


def test_every_bad_line_is_named(tmp_path: Path, capsys: Captured) -> None:
    ideal, answers = write(tmp_path)
    ideal.write_text(
        IDEAL + "Ann,cat,0,e,1\nAnn,cat,4,e,2\nAnn,cat,4,,1\nAnn,cat,2,e,1\nAnn,cat,4,a,1\nAnn\n"
        "Ann,cat,4,e,\n"
    )
    assert command("displacement", ideal, answers, "--strict") == 2
    captured = capsys.readouterr()
    assert [line.removeprefix(f"{ideal}, ") for line in captured.out.splitlines()] == [
        "line 8: rank is '0'; expected a whole number from 1 on",
        "line 9: relevance is '2'; expected a number from 0 to 1",
        "line 10: item is empty; expected a name",
        "line 11: rank 2 is already used in line 3",
        "line 12: the item is in this ranking already, in line 2",
        "line 13: 1 fields, not 5 as in the first line",
        "line 14: relevance is '', not a finite number",
    ]
    assert "7 bad lines, the first" in captured.err
    assert command("displacement", ideal, answers, "--skip-bad-lines") == 0


@pytest.mark.parametrize(
    ("ideal", "answers", "extra", "problem"),
    [
        ("query,rank,item\n", ANSWERS, (), "there is no column relevance; expected the columns"),
        (IDEAL, "system,rank,item\n", (), "there is no column query; expected the columns [sys"),
        (IDEAL, "system,query,rank,item\n", (), "there is no answer"),
        (IDEAL, ANSWERS, ("--size", 3), "a collection of 3 items, but the rankings name 6"),
        ("", ANSWERS, (), "the file is empty"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    tmp_path: Path,
    capsys: Captured,
    ideal: str,
    answers: str,
    extra: tuple[object, ...],
    problem: str,
) -> None:
    files = write(tmp_path)
    files[0].write_text(ideal)
    files[1].write_text(answers)
    assert command("displacement", *files, "--json", tmp_path / "result.json", *extra) == 2
    err = capsys.readouterr().err
    assert problem in err
    assert err.count("\n") == 1
    assert not (tmp_path / "result.json").exists()


def test_a_system_answers_once(tmp_path: Path, capsys: Captured) -> None:
    ideal, answers = write(tmp_path)
    assert command("displacement", ideal, answers, answers) == 2
    assert "S1 answers cat twice" in capsys.readouterr().err


@given(st.permutations("abcdef"), st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_whole_answers_are_as_far_as_equation_17_says(
    answer: list[str], relevance: list[float]
) -> None:
    ideal = Ranking("Ann", "cat", tuple("abcdef"), tuple(relevance))
    study = measure_displacement([ideal], [Ranking("S", "cat", tuple(answer))], "pessimist")
    expected = sum(
        weight * abs(place - answer.index(item))
        for place, (item, weight) in enumerate(zip("abcdef", relevance, strict=True))
    )
    assert study.systems[0].displacement == pytest.approx(expected)


def test_rankings_are_read_in_order_of_rank(tmp_path: Path) -> None:
    ideal, answers = write(tmp_path)
    assert read_ideal(ideal).rankings[0] == Ranking("Ann", "cat", ("a", "b", "c"), (1, 0.5, 0.25))
    assert read_answers(answers).rankings[0] == Ranking("S1", "cat", ("a", "b", "c"))
    assert read_answers(answers).rankings[1].relevance == (0.9,)
