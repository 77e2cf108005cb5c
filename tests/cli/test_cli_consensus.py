"""`spotlab consensus`: figures without truth from files, by the paper's tables and by hand."""

from __future__ import annotations

import json
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from tests.judging_files import command

Captured = pytest.CaptureFixture[str]

# Table 1 of Lamiroy & Sun (2013)
PAPER = "item,S1,S2,S3\n1,1,1,1\n2,1,1,1\n3,0,1,0\n4,1,0,0\n5,1,0,0\n6,0,0,1\n7,0,0,0\n"
TRUTH = "item,truth\n1,1\n2,1\n3,0\n4,1\n5,0\n6,0\n7,0\n"
FACTORS = PAPER.replace("S3\n", "S3\n#engine,x,x,y\n", 1)


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def run(capsys: Captured, *arguments: object) -> Any:
    assert command("consensus", *arguments, "--json", "-") == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys: Captured, *arguments: object) -> str:
    """What is said in the one line."""
    assert command("consensus", *arguments) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    return write(tmp_path / "paper.csv", PAPER)


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    return write(tmp_path / "gold.csv", TRUTH)


def test_tables_2_and_3_of_the_paper(paper: Path, capsys: Captured) -> None:
    found = run(capsys, paper, "--draws", 0)
    assert found["items"] == 7
    assert found["weights"] == dict.fromkeys(("S1", "S2", "S3", "top", "bottom"), 0.2)
    # P(δ) = .8 .8 .4 .4 .4 .4 .2, so ΣP = 3.4
    expected = {"S1": (F(3, 5), F(24, 34), 1), "S2": (F(2, 3), F(20, 34), 2)}
    expected["S3"] = expected["S2"]
    for name, (precision, recall, rank) in expected.items():
        system = found["methods"]["paper"]["systems"][name]
        assert system["precision"] == pytest.approx(float(precision), abs=1e-12)
        assert system["recall"] == pytest.approx(float(recall), abs=1e-12)
        f = 2 * precision * recall / (precision + recall)
        assert system["f"] == pytest.approx(float(f), abs=1e-12)
        assert system["rank"] == rank
    by_paper = found["methods"]["paper"]
    assert by_paper["top"] == {"precision": pytest.approx(3.4 / 7), "recall": 1.0}
    assert by_paper["expected_relevant"] == pytest.approx(3.4)
    assert (found["truth"], found["kendall_tau"]) == (None, None)
    # what is recommended leads everywhere
    assert found["method"] == found["recommended"]["method"] == "share"
    assert found["systems"] == found["methods"]["share"]["systems"]


def test_vote_share_leaves_top_and_bottom_out(paper: Path, capsys: Captured) -> None:
    found = run(capsys, paper, "--draws", 0)
    share = found["methods"]["share"]
    assert share["systems"]["S1"]["precision"] == pytest.approx((1 + 1 + 1 / 3 + 1 / 3) / 4)
    assert share["expected_relevant"] == pytest.approx(10 / 3)
    same = run(capsys, paper, "--draws", 0, "--weights", "top=0,bottom=0")
    assert same["method"] == "weighted"
    assert same["systems"]["S2"]["f"] == pytest.approx(share["systems"]["S2"]["f"])
    assert same["weights"]["S1"] == pytest.approx(1 / 3)


def test_an_oracle_with_all_the_weight_is_ordinary_precision_and_recall(
    paper: Path, truth: Path, capsys: Captured
) -> None:
    found = run(capsys, paper, "--truth", truth, "--oracle", "truth", "--draws", 0)
    assert found["weights"]["truth"] == 1
    for name, hits, said in (("S1", 3, 4), ("S2", 2, 3), ("S3", 2, 3)):
        assert found["systems"][name]["precision"] == hits / said
        assert found["systems"][name]["recall"] == hits / 3
        assert found["systems"][name] == found["truth"][name]
    assert found["kendall_tau"] == pytest.approx(1)
    assert found["methods"]["weighted"]["against_truth"]["mean_error"]["f"] == 0
    # the paper's method still stands beside it, untouched
    assert found["methods"]["paper"]["systems"]["S1"]["precision"] == pytest.approx(0.6)


def test_a_system_as_oracle_is_not_compared(paper: Path, capsys: Captured) -> None:
    found = run(capsys, paper, "--oracle", "S1", "--draws", 0)
    assert list(found["systems"]) == ["S2", "S3"]
    assert found["systems"]["S2"]["precision"] == pytest.approx(2 / 3)
    assert found["systems"]["S2"]["recall"] == pytest.approx(2 / 4)
    half = run(capsys, paper, "--oracle", "S1", "--weights", "S1=.5", "--draws", 0)
    assert half["weights"] == {"S2": 0.125, "S3": 0.125, "S1": 0.5, "top": 0.125, "bottom": 0.125}
    # P = .875 .875 .25 .625 .625 .25 .125
    assert half["systems"]["S2"]["precision"] == pytest.approx((0.875 * 2 + 0.25) / 3)


def test_groups_are_compared_among_themselves(
    tmp_path: Path, truth: Path, capsys: Captured
) -> None:
    votes = write(tmp_path / "votes.csv", FACTORS)
    found = run(capsys, votes, "--truth", truth, "--group-by", "engine", "--draws", 50)
    x, y = found["groups"]
    assert (x["name"], list(x["systems"])) == ("x", ["S1", "S2"])
    assert (y["name"], list(y["systems"])) == ("y", ["S3"])
    # among S1 and S2 with ⊤ and ⊥: P = .75 .75 .5 .5 .5 .25 .25
    assert x["systems"]["S1"]["precision"] == pytest.approx(2.5 / 4)
    assert x["systems"]["S1"]["recall"] == pytest.approx(2.5 / 3.5)
    assert x["kendall_tau"] == pytest.approx(1)
    assert y["kendall_tau"] is None
    # nothing can order across two groups
    assert "two groups" in " ".join(found["warnings"])
    better = found["intervals"]["better"]
    assert better["S1"]["S3"] is None
    assert better["S1"]["S2"] + better["S2"]["S1"] == pytest.approx(1)
    assert set(found["corrections"]) == {"leave_group_out", "grouped_latent_class"}
    assert found["methods"]["paper"]["systems"]["S1"]["precision"] == pytest.approx(0.6)


def test_answers_make_one_more_method(tmp_path: Path, paper: Path, capsys: Captured) -> None:
    said = write(tmp_path / "said.csv", "item,relevant,inclusion,round\n1,1,.5,0\n5,0,.5,0\n7,,,\n")
    found = run(capsys, paper, "--answers", said, "--draws", 0)
    answered = found["methods"]["answers"]
    assert list(found["methods"]) == [
        "paper",
        "shared_errors",
        "share",
        "majority",
        "dawid_skene",
        "answers",
    ]
    assert "2 answers" in answered["assumption"]
    assert "figures are undefined" in answered["assumption"]
    assert answered["intervals"]["S1"]["f"] == [None, None]
    assert answered["systems"]["S1"] == dict.fromkeys(("precision", "recall", "f", "rank"))
    assert found["method"] == found["recommended"]["method"] == "share"


def test_answers_are_an_oracle_with_a_weight(tmp_path: Path, paper: Path, capsys: Captured) -> None:
    said = write(tmp_path / "said.csv", "item,relevant\n1,0\n4,1\n")
    options = ("--answers", said, "--oracle", "answers", "--weights", "answers=.6")
    found = run(capsys, paper, *options)
    share = 0.4 / 5  # of S1 to S3, ⊤ and ⊥
    assert found["weights"] == pytest.approx(
        {"S1": share, "S2": share, "S3": share, "answers": 0.6, "top": share, "bottom": share}
    )
    # item 1: 4 of 5 shares; item 4: 2 of 5 and the answer; the others as in the paper
    p = [0.4 * 0.8, 0.8, 0.4, 0.4 * 0.4 + 0.6, 0.4, 0.4, 0.2]
    s1 = found["systems"]["S1"]
    assert s1["precision"] == pytest.approx((p[0] + p[1] + p[3] + p[4]) / 4)
    assert s1["recall"] == pytest.approx((p[0] + p[1] + p[3] + p[4]) / sum(p))
    alone = run(capsys, paper, "--answers", said, "--oracle", "answers")
    assert alone["systems"]["S1"]["precision"] == 0.5  # of items 1 and 4
    assert "no column 'answers'" in refused(capsys, paper, "--oracle", "answers")


def test_enough_answers_are_recommended(tmp_path: Path, capsys: Captured) -> None:
    rows = ["item,a,b,c\n", *(f"{n},1,{n % 2},{int(n % 3 > 0)}\n" for n in range(60))]
    votes = write(tmp_path / "votes.csv", "".join(rows))
    said = write(
        tmp_path / "said.csv",
        "item,relevant,inclusion,round\n" + "".join(f"{n},{n % 2},.4,0\n" for n in range(24)),
    )
    found = run(capsys, votes, "--answers", said, "--draws", 0)
    assert found["recommended"]["method"] == "answers"
    assert found["recommended"]["reason"].startswith("24 answers are known")
    assert found["recommended"]["systems"] == found["methods"]["answers"]["systems"]
    low, high = found["recommended"]["intervals"]["b"]["f"]
    assert 0 < low < found["recommended"]["systems"]["b"]["f"] <= high <= 1
    assert found["recommended"]["systems"]["b"]["rank"] == 1


def test_a_system_that_votes_for_nothing_has_no_precision(tmp_path: Path, capsys: Captured) -> None:
    votes = write(tmp_path / "votes.csv", "item,a,b,c\n1,1,0,1\n2,1,0,0\n3,0,0,1\n")
    found = run(capsys, votes, "--draws", 20)
    assert found["systems"]["b"]["precision"] is None
    assert found["systems"]["b"]["recall"] == 0
    assert found["intervals"]["systems"]["b"]["precision"] == [None, None]
    assert any("b votes for nothing" in each for each in found["warnings"])


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            ("--weights", "S9=1"),
            "A weight is given for 'S9', which is not a system; the systems are S1, S2, S3, top",
        ),
        (("--weights", "S1=x"), "--weights has 'S1=x'; expected NAME=WEIGHT"),
        (("--weights", "S1=1,S1=2"), "--weights has 'S1' twice"),
        (("--weights", "S1=-1"), "The weight of 'S1' is -1; expected 0 or more"),
        (("--weights", "S1=0,S2=0,S3=0,top=0,bottom=0"), "All weights are 0"),
        (("--group-by", "engine"), "There is no factor 'engine'; there are none"),
        (
            ("--oracle", "gold"),
            "There is no column 'gold' to use as the oracle; the columns are S1, S2, S3",
        ),
        (("--oracle", "truth"), "There is no column 'truth' to use as the oracle"),
        (("--kind", "nothing"), "--kind is 'nothing'; expected one of"),
        (("--json", f"{__file__}/x.json"), "its folder cannot be made"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    paper: Path, capsys: Captured, arguments: tuple[str, ...], problem: str
) -> None:
    assert problem in refused(capsys, paper, *arguments)


def test_all_bad_lines_are_listed(tmp_path: Path, capsys: Captured) -> None:
    votes = write(tmp_path / "votes.csv", "item,a,b\n1,1,0\n1,0,1\n2,7,0\n3,1\n4,x,1\n5,0,1\n")
    assert command("consensus", votes, "--strict", "--out", tmp_path / "report") == 2
    said = capsys.readouterr()
    assert [line.split(": ")[0].rsplit(" ", 1)[1] for line in said.out.splitlines()] == list("3456")
    assert "the item '1' is on line 2 already" in said.out.splitlines()[0]
    assert said.err.startswith("spotlab: 4 bad lines, the first: ")
    assert not (tmp_path / "report").exists()
    for older in ((), ("--skip-bad-lines",)):
        found = run(capsys, votes, *older, "--draws", 0)
    assert (found["items"], len(found["bad_lines"])) == (2, 4)
    assert any("line 3: the item '1' is on line 2" in remark for remark in found["remarks"])


def test_answers_of_other_items_are_bad_lines(
    tmp_path: Path, paper: Path, capsys: Captured
) -> None:
    said = write(tmp_path / "said.csv", "item,relevant\n1,2\n9,1\n2,1\n")
    assert "2 bad lines" in refused(capsys, paper, "--answers", said, "--strict")
    for text, problem in (
        ("item\n1\n", "the column relevant is not there"),
        ("item,relevant,inclusion\n1,1,0\n", "inclusion is '0'; expected above 0"),
        ("item,relevant,round\n1,1,-1\n", "round is '-1'; expected a whole number"),
    ):
        assert problem in refused(capsys, paper, "--answers", write(said, text))


def test_the_terminal_says_it_with_truth(tmp_path: Path, truth: Path, capsys: Captured) -> None:
    votes = write(tmp_path / "votes.csv", FACTORS)
    assert command("consensus", votes, "--truth", truth, "--group-by", "engine", "--draws", 0) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "7 items, 3 systems"
    assert lines[1] == "weights: .200 for each system, and for top and bottom"
    first = lines.index("Recommended: Vote share")
    assert lines[first + 1].startswith("  Only 7 items are voted on")
    assert lines[first + 2].startswith("  Answer 7 items")
    assert "  Assumes that systems err in different ways" in "\n".join(lines[first:])
    by_paper = lines[lines.index("Lamiroy & Sun:") :]
    row = next(line for line in by_paper if line.startswith("S1")).split()
    assert row[:5] == ["S1", "1", ".600", ".706", ".649"]
    assert row[-4:] == ["1", ".750", "1.000", ".857"]
    assert next(line for line in by_paper if line.startswith("⊤")).split() == ["⊤", ".486", "1.000"]
    assert not any(line.startswith(("Dawid & Skene", "Judged by other groups")) for line in lines)
    assert any("order 2 of 2 pairs differently" in line for line in lines)
    assert command("consensus", votes, "--group-by", "engine", "--all-methods") == 0
    every = capsys.readouterr().out.splitlines()
    assert {"Dawid & Skene:", "Judged by other groups:"} <= set(every)  # each has its figures
    assert any(line.startswith("Dawid & Skene") for line in every)
    assert any(line.startswith("Judged by other groups") for line in every)


@pytest.mark.slow
def test_json_and_report_go_beside_each_other(
    tmp_path: Path, paper: Path, capsys: Captured
) -> None:
    file, out = tmp_path / "found.json", tmp_path / "report"
    assert command("consensus", paper, "--draws", 5, "--json", file, "--out", out) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"wrote {out / 'report.html'}"
    assert json.loads(file.read_text()) == json.loads((out / "study.json").read_text())


def test_runs_of_spotted_regions_beside_truth_files(capsys: Captured) -> None:
    plans = Path(__file__).resolve().parents[2] / "datasets" / "floorplans"
    found = run(capsys, plans / "runs", "--truth", plans, "--draws", 0)
    runs = {path.stem for path in (plans / "runs").iterdir()}
    assert set(found["truth"]) == set(found["systems"]) == runs and len(runs) == 5
    best = max(found["truth"], key=lambda name: found["truth"][name]["precision"])
    assert best == "c_polygons" and found["truth"][best]["precision"] > 0.5
    assert any("no system spotted" in remark for remark in found["remarks"])


@pytest.mark.parametrize("number", ["nan", "inf"])
def test_a_number_has_to_be_finite(paper: Path, number: str, capsys: Captured) -> None:
    assert "not a finite number" in refused(capsys, paper, "--beta", number)


def test_files_that_do_not_belong_together_are_told_apart_from_no_votes(
    tmp_path: Path, paper: Path, capsys: Captured
) -> None:
    other = write(tmp_path / "other.csv", PAPER)
    assert "has another format than other.csv" in refused(capsys, paper, other)
