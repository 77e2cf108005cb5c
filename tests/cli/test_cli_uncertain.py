"""`spotlab uncertain`: from files to figures by hand, options, bad files, the folder it writes."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from spotlab.formats.lists.rankings import Ranking
from spotlab.studies.uncertain.study import UncertainSettings, study_uncertainty
from spotlab.studies.uncertain.subject_displacement import displace, displace_by_judgements
from spotlab.uncertain_truth.judgements import CategoryTree, Judgements
from tests.judging_files import command

Captured = pytest.CaptureFixture[str]

TREE = "category,parent\npeople,all\nscenery,all\ncrowd,people\ncity,scenery\n"
# q: half people, half city; r: all crowd; s: all city; t: one of two people
JUDGEMENTS = """subject,item,category
Ann,q,people
Bob,q,city
Ann,r,crowd
Bob,r,crowd
Ann,s,city
Bob,s,city
Ann,t,people
Bob,t,all
"""
ANSWERS = """system,query,rank,item
A,q,1,r
A,q,2,t
B,q,1,t
B,q,2,s
"""


def files(folder: Path, **texts: str) -> list[object]:
    given = {"judgements": JUDGEMENTS, "tree": TREE, "answers": ANSWERS, **texts}
    for name, text in given.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return [
        folder / "judgements.csv",
        "--tree", folder / "tree.csv",
        "--answers", folder / "answers.csv",
    ]  # fmt: skip


def run(capsys: Captured, *arguments: object) -> dict[str, Any]:
    assert command("uncertain", *arguments, "--json", "-") == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_figures_by_hand(tmp_path: Path, capsys: Captured) -> None:
    found = run(capsys, *files(tmp_path))
    assert found["items"]["q"] == {
        "all": 1, "people": 0.5, "scenery": 0.5, "city": 0.5,
    }  # fmt: skip
    sizes = {each["category"]: each["expected_size"] for each in found["categories"]}
    assert sizes == {"all": 4, "people": 2, "scenery": 1.5, "crowd": 1, "city": 1.5}
    a, b = found["answers"]
    assert a["categories"] == {
        "people": {"weight": 0.5, "expected_size": 2},
        "city": {"weight": 0.5, "expected_size": 1.5},
    }
    assert (a["cut_off"], a["weight_sum"], a["unjudged"]) == ([1, 2], 1, [])
    # of people: r surely, t by half; of city: none of A's, s of B's
    assert a["precision"]["mean"] == pytest.approx([0.5, 0.5 * 0.75])
    assert a["recall"]["mean"] == pytest.approx([0.25, 0.5 * 1.5 / 2])
    assert b["precision"]["mean"] == pytest.approx([0.25, 0.5 * 0.25 + 0.5 * 0.5])
    assert b["recall"]["mean"] == pytest.approx([0.125, 0.5 * 0.25 + 0.5 / 1.5])
    assert a["precision"]["most"] == [[0, 1], [0, 1]]
    # t cancels: r against s
    (between,) = found["comparisons"]
    assert between["difference"] == {
        "better": 0.5, "equal": 0, "worse": 0.5, "mean": 0, "interval": [-0.5, 0.5],
        "common": 0.5, "queries": 1,
    }  # fmt: skip
    assert found["systems"][0]["precision"]["mean"] == pytest.approx(0.375)
    assert found["systems"][1]["recall"]["mean"] == pytest.approx(0.125 + 1 / 3)
    assert "not how far they are right" in found["captions"][0]


def test_the_displacement_of_each_subject_by_both_hypotheses(
    tmp_path: Path, capsys: Captured
) -> None:
    """Ann: q, r, t are people, all with 1; Bob: q is a city, as s is, r, t are of no relevance."""
    found = run(capsys, *files(tmp_path))["displacement"]
    for name in ("optimist", "pessimist"):
        by_system = {
            system["system"]: {one["subject"]: one["displacement"] for one in system["subjects"]}
            for system in found[name]["systems"]
        }
        missing_of_ann = {"optimist": 1, "pessimist": 4}[name]
        missing_of_bob = {"optimist": 2, "pessimist": 4}[name]
        # Ann's r is not in B's answer, behind whose end it comes: t, s, r
        assert by_system["B"] == {"Ann": missing_of_ann, "Bob": 1}
        assert by_system["A"] == {"Ann": 0, "Bob": missing_of_bob}
        for system in found[name]["systems"]:
            mean = sum(by_system[system["system"]].values()) / 2
            assert system["displacement"] == mean


def test_the_whole_tree_is_named_and_its_weights_pass_one(tmp_path: Path, capsys: Captured) -> None:
    found = run(capsys, *files(tmp_path), "--mixture", "whole-tree")
    (a, _) = found["answers"]
    assert a["weight_sum"] == 2.5  # all 1, people, scenery and city .5 each
    assert a["precision"]["mean"][0] == pytest.approx((1 + 0.5) / 2.5)
    assert any("weights pass 1" in caption for caption in found["captions"])


def test_cut_offs_and_the_shift_are_chosen_by_name(tmp_path: Path, capsys: Captured) -> None:
    arguments = files(tmp_path)
    found = run(capsys, *arguments, "--cutoff", 2, "--cutoff", 1, "--cutoff", 9, "--shift", 1)
    a, _ = found["answers"]
    assert a["cut_off"] == [1, 2, 9]
    assert a["precision"]["mean"][2] is None
    assert a["recall"]["most"][2] == [None, None]
    assert found["settings"]["shift"] == 1
    assert any("standard deviation 1" in caption for caption in found["captions"])
    assert run(capsys, *arguments)["settings"]["shift"] == 0
    learned = run(capsys, *arguments, "--relevance", "learned")
    assert learned["settings"]["relevance"] == "learned"
    assert learned["settings"]["shift"] == 1.2
    assert run(capsys, *arguments, "--relevance", "learned", "--shift", 0)["settings"]["shift"] == 0
    assert "what is true" in learned["captions"][0]


def many_judgements(items: int = 40) -> tuple[str, str]:
    """40 items, half of them city; three subjects of whom one errs often; two full rankings."""
    rows, order = ["subject,item,category"], [f"i{n}" for n in range(items)]
    for n, item in enumerate(order):
        for number, subject in enumerate(("Ann", "Bob", "Cid")):
            city = (n < items // 2) != ((n * 7 + number) % (9 - 3 * number) == 0)
            rows.append(f"{subject},{item},{'city' if city else 'people'}")
    answers = ["system,query,rank,item"]
    for system, ranked in (("good", order), ("bad", order[::-1])):
        answers += [f"{system},city,{rank},{item}" for rank, item in enumerate(ranked, 1)]
    return "\n".join(rows) + "\n", "\n".join(answers) + "\n"


def test_full_rankings_are_compared_where_they_differ(tmp_path: Path, capsys: Captured) -> None:
    judgements, answers = many_judgements()
    arguments = files(tmp_path, judgements=judgements, answers=answers)
    found = run(capsys, *arguments)
    size = next(each["expected_size"] for each in found["categories"] if each["category"] == "city")
    assert found["settings"]["compared_at"] == round(size)
    assert any("all systems rank the same items" in remark for remark in found["remarks"])
    assert found["comparisons"][0]["difference"]["better"] > 0.99
    at = run(capsys, *arguments, "--cutoff", 10, "--cutoff", 5, "--cutoff", 99)
    assert at["settings"]["compared_at"] == 10  # the largest that all reach
    assert run(capsys, *arguments, "--compare-at", 3)["settings"]["compared_at"] == 3


def test_relevance_is_learned_where_judgements_are_few(tmp_path: Path, capsys: Captured) -> None:
    judgements, answers = many_judgements()
    arguments = files(tmp_path, judgements=judgements, answers=answers)
    found = run(capsys, *arguments)
    assert (found["settings"]["relevance"], found["settings"]["shift"]) == ("learned", 1.2)
    assert any("20 judgements or fewer" in caption for caption in found["captions"])
    shares = run(capsys, *arguments, "--relevance", "shares")
    assert (shares["settings"]["relevance"], shares["settings"]["shift"]) == ("shares", 0)
    few, answers = many_judgements(20)  # too few items to learn from
    arguments = files(tmp_path, judgements=few, answers=answers)
    assert run(capsys, *arguments)["settings"]["relevance"] == "shares"


def test_a_displacement_becomes_a_quality_as_chosen(tmp_path: Path, capsys: Captured) -> None:
    found = run(capsys, *files(tmp_path), "--quality", "exponential", "--steepness", 0.1)
    study = found["displacement"]["pessimist"]
    assert study["settings"]["quality"] == "exponential"
    query = study["systems"][-1]["subjects"][0]["queries"][0]
    assert query["quality"] == pytest.approx(math.exp(-0.1 * query["displacement"]))


def test_what_nobody_judged_is_undefined_or_left_out_and_listed(
    tmp_path: Path, capsys: Captured
) -> None:
    answers = ANSWERS + "A,q,3,new\nA,q,4,s\nB,lost,1,s\nB,crowd,1,r\n"
    arguments = files(tmp_path, answers=answers)
    found = run(capsys, *arguments, "--compare-at", 2)
    a = found["answers"][0]
    assert a["unjudged"] == ["new"]
    assert a["precision"]["median"][2:] == [None, None]
    assert a["recall"]["mean"][2:] == [None, None]
    assert [each["query"] for each in found["answers"]] == ["q", "q", "crowd"]
    assert any("the query lost; left out" in remark for remark in found["remarks"])
    assert any("nobody judged new" in remark for remark in found["remarks"])
    assert found["comparisons"][0]["left_out"] == ["crowd"]
    found = run(capsys, *arguments, "--unjudged", "left-out")
    a = found["answers"][0]
    assert (a["cut_off"], a["returned"], a["unjudged"]) == ([1, 2, 3], 3, ["new"])
    assert a["precision"]["mean"][2] == pytest.approx((0.5 * 1.5 + 0.5 * 1) / 3)


def test_a_category_that_nothing_is_assigned_to(tmp_path: Path, capsys: Captured) -> None:
    arguments = files(
        tmp_path, tree=TREE + "sea,scenery\n", answers="query,rank,item\nsea,1,r\nsea,2,s\n"
    )
    found = run(capsys, *arguments)
    (answer,) = found["answers"]
    assert answer["system"] == "answers"
    assert answer["categories"]["sea"]["expected_size"] == 0
    assert answer["precision"]["mean"] == [0, 0]
    assert answer["recall"]["mean"] == [None, None]
    assert any("anything to sea: recall is undefined" in each for each in found["remarks"])
    assert found["systems"][0]["recall"] is None


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"tree": "category,parent\na,b\nb,a\n"}, "line 2: the parents of 'a' run in a circle"),
        ({"tree": TREE + "x,\ny,\n"}, "the parent 'all' is no category of the tree"),
        ({"tree": TREE + "all,\nx,\n"}, "line 7: 'x' has no parent, but 'all' is the root"),
        ({"judgements": JUDGEMENTS + "Cid,q,sea\n"}, "line 10: the category 'sea' is not in the"),
        (
            {"judgements": JUDGEMENTS + "Ann,q,city\n"},
            "line 10: Ann has judged q already: 'people'",
        ),
        ({"answers": ANSWERS + "A,q,2,s\n"}, "line 6: rank 2 is already used"),
        ({"answers": "system,query,rank,item\n"}, "there is no answer"),
        ({"answers": "system,query,item\n"}, "there is no column rank"),
    ],
)
def test_bad_files_are_one_line_and_exit_code_2(
    tmp_path: Path, capsys: Captured, texts: dict[str, str], words: str
) -> None:
    assert command("uncertain", *files(tmp_path, **texts), "--strict") == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_bad_lines_can_be_passed_over_but_not_those_of_a_tree(
    tmp_path: Path, capsys: Captured
) -> None:
    arguments = files(tmp_path, judgements=JUDGEMENTS + "Cid,q,sea\nAnn,q,city\n")
    assert command("uncertain", *arguments, "--strict") == 2
    assert "line 11" in capsys.readouterr().out  # both are listed
    found = run(capsys, *arguments)
    assert any("line 10" in remark for remark in found["remarks"])
    assert found["subjects"] == ["Ann", "Bob"]
    arguments = files(tmp_path, tree=TREE + "city,people\n")
    assert command("uncertain", *arguments, "--skip-bad-lines") == 2
    assert "has the parent 'scenery' already; a tree has to" in capsys.readouterr().err


def test_text_and_a_folder(tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "out"
    assert command("uncertain", *files(tmp_path), "--out", out) == 0
    text = capsys.readouterr().out
    assert "8 judgements by 2 subjects on 4 items in 5 categories" in text
    assert "A, q: people 0.50 (|ω| 2.0), city 0.50 (|ω| 1.5)" in text
    assert "A better than B: probability 0.500, equal 0.000, worse 0.500" in text
    assert "not how far they are right" in text
    names = {path.name for path in out.iterdir()}
    assert {"uncertain.json", "bands.csv", "means.tex", "comparisons.csv", "query-1.svg",
            "displacement-optimist.csv", "displacement-pessimist.csv"} <= names  # fmt: skip
    rows = (out / "bands.csv").read_text().splitlines()
    assert rows[0].startswith("system,query,n,precision_mean,precision_median,precision_half_low")
    assert rows[1].startswith("A,q,1,0.5,0.0,0.0,1.0,")
    assert len(rows) == 5
    assert "Items returned" in (out / "query-1.svg").read_text()
    assert json.loads((out / "uncertain.json").read_text())["answers"]
    page = (out / "report.html").read_text()
    assert "not how far they are right" in page and page.count("<svg") == 1
    for title in ("Means", "Which is better?", "Weighted displacement"):
        assert f"{title}</h2>" in page


def test_the_study_refuses_what_makes_no_sense() -> None:
    tree = CategoryTree.of([("a", "all")])
    judgements = Judgements.of(tree, [("Ann", "q", "a")])
    twice = [Ranking("S", "q", ("q",)), Ranking("S", "q", ())]
    with pytest.raises(ValueError, match="S answers q twice"):
        study_uncertainty(judgements, twice)
    with pytest.raises(ValueError, match="no answer"):
        study_uncertainty(judgements, [])
    for wrong in ({"mixture": "all"}, {"unjudged": "0"}, {"shift": -1.0}, {"cut_offs": (0,)}):
        with pytest.raises(ValueError, match=r"neither|0 or more|1 or more"):
            UncertainSettings(**wrong)  # type: ignore[arg-type]


def test_an_empty_answer_and_nobody_who_judged_the_query() -> None:
    tree = CategoryTree.of([("a", "all"), ("b", "all")])
    judgements = Judgements.of(tree, [("Ann", "q", "a"), ("Ann", "r", "a"), ("Bob", "r", "b")])
    study = study_uncertainty(judgements, [Ranking("S", "q", ()), Ranking("T", "q", ("r",))])
    assert study.compared_at is None
    assert (study.means, study.comparisons) == ((), ())
    assert len(study.answers[0].bands.cut_off) == 0
    optimist, pessimist = displace(judgements, [Ranking("S", "q", ()), Ranking("T", "q", ("r",))])
    assert [each.system for each in optimist.systems] == ["T", "S"]
    # only Ann has judged q; behind an empty answer r comes second
    assert optimist.systems[1].displacement == 1
    assert [one.subject for one in optimist.systems[1].subjects] == ["Ann"]
    assert pessimist.systems[1].displacement == 2  # of the two items that Ann judged
    assert displace_by_judgements(judgements, [Ranking("S", "lost", ("r",))]) is None
