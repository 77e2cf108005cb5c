"""`spotlab rerank`: fusing, judging and purging lists from files, by hand-computed figures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from spotlab.formats.lists.format import QueryLists
from spotlab.formats.lists.kept_lines import JUDGEMENT_COLUMNS
from spotlab.formats.lists.reading import read_lists
from spotlab.formats.lists.trec import judge, read_qrels
from spotlab.model.ranked_list import Items, RankedList
from spotlab.ranking.fusion import Choices, MatrixScores
from spotlab.ranking.list_scale import ListScale
from spotlab.studies.words.ranked_lists import as_json, rerank
from tests.judging_files import command

Captured = pytest.CaptureFixture[str]
EXPECTED = ",".join(JUDGEMENT_COLUMNS)
ROBUST = Path(__file__).resolve().parents[3] / "shared" / "data" / "trec_robust03"

# a and b are alike, and c is like them; d, which the query prefers to c, is not
MATRIX = np.array([[1, 0.9, 0.8, 0.1], [0.9, 1, 0.7, 0.2], [0.8, 0.7, 1, 0.3], [0.1, 0.2, 0.3, 1]])
WS = "query,item,score,relevant\nq,a,.95,1\nq,b,.85,1\nq,d,.75,0\nq,c,.6,1\n"


def write_small(folder: Path) -> tuple[Path, Path]:
    ws, scores = folder / "WS.csv", folder / "scores.npz"
    ws.write_text(WS)
    np.savez(scores, scores=MATRIX, items=list("abcd"))
    return ws, scores


def run(capsys: Captured, *arguments: object) -> dict[str, object]:
    assert command("rerank", *arguments, "--json", "-") == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_consensus_ranking_brings_what_is_alike_up(tmp_path: Path, capsys: Captured) -> None:
    ws, scores = write_small(tmp_path)
    found = run(capsys, ws, "--scores", scores, "--purge", 0.7)
    (query,) = found["queries"]
    given, made = query["lists"]
    assert (given["name"], given["made"], made["name"], made["made"]) == ("WS", False, "cr", True)
    assert given["item"] == ["a", "b", "d", "c"]
    assert made["item"] == ["a", "b", "c", "d"]
    # re-scored by a and b, which have .8 or more
    assert made["score"] == pytest.approx([0.95, 0.95, 0.75, 0.15])
    assert made["up"] == [0, 0, 1, -1]
    assert given["average_precision"] == pytest.approx((1 + 1 + 3 / 4) / 3)
    assert made["average_precision"] == 1
    assert made["purged"]["kept"] == 3
    assert (given["purged"]["true"], given["purged"]["false"], given["purged"]["lost"]) == (2, 1, 1)
    assert made["purged"]["removed"] == 1
    assert [each["name"] for each in made["suggestions"]] == ["tau", "best_f", "largest_drop"]
    ws_mean, cr_mean = found["lists"]
    assert ws_mean["lost"] == pytest.approx(1 / 3)
    assert (cr_mean["lost"], cr_mean["removed"], cr_mean["kept"]) == (0, 1, 3)
    assert found["settings"]["fusions"] == ["cr"]


def test_options_reach_the_fusion(tmp_path: Path, capsys: Captured) -> None:
    ws, scores = write_small(tmp_path)
    arguments = ("--scores", scores, "--top", 1, "--at-least", 0.9, "--purge", 0.5)
    found = run(capsys, ws, *arguments, "--fusion", "cr", "--fusion", "qe")
    (query,) = found["queries"]
    assert query["lists"][1]["score"] == pytest.approx([1, 0.9, 0.8, 0.1])  # by a alone
    assert query["lists"][2]["score"] == query["lists"][0]["score"]
    assert query["lists"][0]["purged"]["kept"] == 4
    assert found["settings"] == {
        "fusions": ["cr", "qe"], "top": 1, "at_least": 0.9, "weight": 0.0, "iterations": 1,
        "scale": "score", "threshold": 0.5,
    }  # fmt: skip
    weighted = run(capsys, ws, "--scores", scores, "--weight", 2)
    scores_made = weighted["queries"][0]["lists"][1]["score"]
    a, b = 0.95**2, 0.85**2
    assert scores_made[2] == pytest.approx((a * 0.8 + b * 0.7) / (a + b))


def test_systems_are_fused_and_relevant_items_that_none_found_count(
    tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "one").write_text("q Q0 a 1 9 one\nq Q0 b 2 8 one\n")
    (tmp_path / "two").write_text("q Q0 b 1 .9 two\nq Q0 c 2 .8 two\np Q0 x 1 1 two\n")
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 z 1\nq 0 b 0\n")
    files = (tmp_path / "one", tmp_path / "two")
    found = run(capsys, *files, "--qrels", tmp_path / "qrels", "--setting", "rank_constant=1")
    query, other = found["queries"]
    made = query["lists"][2]
    assert made["name"] == "reciprocal_rank"
    assert made["item"] == ["b", "a", "c"]
    assert made["score"] == pytest.approx([1 / 3 + 1 / 2, 1 / 2, 1 / 3])
    assert made["relevant"] == [False, True, None]
    assert made["average_precision"] == pytest.approx(0.5 / 2)
    # the lists have scores of two scales, and too little is judged
    assert found["settings"]["scale"] == "rank"
    assert made["common_score"] == pytest.approx([1, 1 / 2, 1 / 3])
    assert (made["purged"]["kept"], made["purged"]["true"], made["purged"]["false"]) == (3, 1, 1)
    cut = run(capsys, *files, "--purge", 2)["queries"][0]["lists"]
    assert [each["purged"]["kept"] for each in cut] == [2, 2, 2]
    assert command("rerank", *files, "--setting", "normalise=scaled") == 2
    assert "expected none, min_max, sum, standard" in capsys.readouterr().err
    assert made["up"] == [1, -1, None]
    assert (query["relevant"], other["relevant"]) == (2, None)
    assert other["lists"][0]["average_precision"] is None
    mean = {each["name"]: each for each in found["lists"]}["reciprocal_rank"]
    assert (mean["mean_average_precision"], mean["defined"], mean["queries"]) == (0.25, 1, 2)


def test_one_list_is_only_judged_and_purged(tmp_path: Path, capsys: Captured) -> None:
    ws, _ = write_small(tmp_path)
    assert command("rerank", ws) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "1 query; fusions: none"
    assert out[4].split() == ["WS", "1", "1", ".917", "3", "2", "1", ".333", ".000"]
    assert out[6] == "q: relevant items: 3"
    assert "AP .917; kept 3 of 4 (2 true, 1 false)" in out[7]


def test_all_that_was_found_is_written(tmp_path: Path, capsys: Captured) -> None:
    ws, scores = write_small(tmp_path)
    out = tmp_path / "new" / "folder"
    assert command("rerank", ws, "--scores", scores, "--out", out) == 0
    names = ("lists.csv", "purged.csv", "made.trec", "report.html")
    assert capsys.readouterr().out.splitlines()[-4:] == [f"wrote {out / name}" for name in names]
    (whole,) = read_lists(out / "lists.csv").queries
    assert [each.name for each in whole.lists] == ["WS", "cr"]
    assert whole.relevant == 3
    (purged,) = read_lists(out / "purged.csv").queries
    assert [len(each) for each in purged.lists] == [3, 3]
    (made,) = read_lists(out / "made.trec").queries
    assert [made.items.name(item) for item in made.lists[0].item] == list("abcd")


@pytest.mark.parametrize(
    ("extra", "problem"),
    [
        (("--fusion", "cr"), "Consensus ranking (CR) needs the scores of the items"),
        (("--fusion", "nothing"), "there is no fusion 'nothing'; there are"),
        (("--scores", "WS.csv"), "this is not a complete .npz file"),
        (
            ("--qrels", "WS.csv"),
            "line 1: relevance is 'relevant', not a finite number, and it does not name",
        ),
        (("--setting", "k"), "--setting has 'k'; expected NAME=VALUE"),
        (("--json", f"{__file__}/x.json"), "its folder cannot be made"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    tmp_path: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    extra: tuple[str, str],
    problem: str,
) -> None:
    write_small(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert command("rerank", "WS.csv", *extra) == 2
    err = capsys.readouterr().err
    assert problem in err
    assert err.count("\n") == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["WS.csv", "scores.npz"]


def test_bad_lines_are_printed_and_may_be_skipped(tmp_path: Path, capsys: Captured) -> None:
    ws, _ = write_small(tmp_path)
    ws.write_text(WS + "q,e,x,1\nq,a,.1,\n")
    assert command("rerank", ws, "--strict", "--out", tmp_path / "out") == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [
        f"{ws}, line 6: score is 'x', not a finite number",
        f"{ws}, line 7: the item is in this list already, in line 2",
    ]
    assert "2 bad lines, the first" in captured.err
    assert not (tmp_path / "out").exists()
    assert command("rerank", ws, "--skip-bad-lines") == 0
    capsys.readouterr()
    assert command("rerank", ws) == 0
    assert f"{ws}, line 6: score is 'x', not a finite number; left out" in capsys.readouterr().out


def test_feedback_and_ties(tmp_path: Path) -> None:
    ranked = RankedList("WS", [2, 0, 1, 3], [0.9, 0.8, 0.8, 0.8])
    query = QueryLists("q", Items.named("abcd"), (ranked,), np.array([1, 0, 0, 0]), 1)
    irrelevant = np.array([False, False, True, False])
    choices = Choices(top=2, at_least=0.8, irrelevant=irrelevant)
    between = MatrixScores(MATRIX)
    result = rerank([query], lambda items: between.among(order_of(items)), ["cr"], choices)
    given, made = result.queries[0].lists
    assert (given.tied, given.tied_at_top) == (3, 3)
    # c is out, a and b re-score: as `MATRIX` has them
    assert made.ranked.item.tolist() == [0, 1, 2, 3]
    assert made.ranked.score == pytest.approx([0.95, 0.95, 0.75, 0.15])
    json.dumps(as_json(result), allow_nan=False)


def test_judgements_are_feedback_and_count_more_than_the_truth(
    tmp_path: Path, capsys: Captured
) -> None:
    ws, scores = write_small(tmp_path)
    said = tmp_path / "judgements.csv"
    said.write_text(f"{EXPECTED}\nq,c,,,,,relevant\nq,b,,,,,irrelevant\nother,d,,,,,relevant\n")
    found = run(capsys, ws, "--scores", scores, "--judgements", said, "--top", 2)
    given, made = found["queries"][0]["lists"]
    assert given["average_precision"] == pytest.approx((1 + 2 / 4) / 2)  # a and c now
    # by a and c: a (1 + .8) / 2, c the same, b (.9 + .7) / 2, d (.1 + .3) / 2
    assert dict(zip(made["item"], made["score"], strict=True)) == pytest.approx(
        {"a": 0.9, "c": 0.9, "b": 0.8, "d": 0.2}
    )
    said.write_text(f"{EXPECTED}\nq,c,,,,,perhaps\n")
    assert command("rerank", ws, "--judgements", said, "--strict") == 2
    assert "judgement is 'perhaps'" in capsys.readouterr().err
    assert command("rerank", ws, "--judgements", said) == 0


@pytest.mark.parametrize("setting", ["rank_constant=-5", "rank_constant=nan"])
def test_a_setting_out_of_range_is_one_line(tmp_path: Path, capsys: Captured, setting: str) -> None:
    ws, _ = write_small(tmp_path)
    assert command("rerank", ws, "--fusion", "reciprocal_rank", "--setting", setting) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert "rank_constant" in said[-1] and "expected" in said[-1]
    assert not any("Traceback" in line for line in said)


@pytest.mark.parametrize(
    ("option", "value", "problem"),
    [
        ("--setting", "rank_constnt=9", "there is no setting 'rank_constnt'"),
        ("--at-least", "nan", "'nan' is not a finite number"),
        ("--weight", "inf", "'inf' is not a finite number"),
        ("--purge", "nan", "'nan' is not a finite number"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    tmp_path: Path, capsys: Captured, option: str, value: str, problem: str
) -> None:
    ws, _ = write_small(tmp_path)
    assert command("rerank", ws, option, value) == 2
    assert problem in capsys.readouterr().err


def order_of(items: Items) -> np.ndarray:
    return np.array(["abcd".index(name) for name in items.names])


def test_equal_scores_stay_in_the_order_of_the_list() -> None:
    ranked = RankedList("WS", [3, 1, 2, 0], [0.9, 0.85, 0.8, 0.8])
    query = QueryLists("q", Items.named("abcd"), (ranked,), np.full(4, -1), None)
    result = rerank([query], lambda items: MatrixScores(np.ones((4, 4))), ["cr"])
    assert result.queries[0].lists[1].ranked.item.tolist() == [3, 1, 2, 0]
    assert result.means[1].mean_average_precision is None


def test_lists_of_any_scale_are_purged_by_one_probability(tmp_path: Path, capsys: Captured) -> None:
    """A good system with large scores, a bad one with small ones; every fourth item is relevant."""
    random = np.random.default_rng(4)
    lines: dict[str, list[str]] = {"good": [], "bad": [], "qrels": []}
    for query in range(30):
        relevant = np.arange(60) % 4 == 0
        lines["qrels"] += [f"{query} 0 d{item} {int(relevant[item])}" for item in range(60)]
        for name, sees, scale in (("good", 2.0, 1e7), ("bad", 1.2, 10)):
            score = scale * (sees * relevant + random.normal(size=60) + query)
            order = np.argsort(-score)[:40].tolist()
            lines[name] += [
                f"{query} Q0 d{item} {rank} {score[item]} {name}" for rank, item in enumerate(order)
            ]
    for name, own in lines.items():
        (tmp_path / name).write_text("\n".join(own))
    found = run(capsys, tmp_path / "good", tmp_path / "bad", "--qrels", tmp_path / "qrels")
    assert (found["settings"]["scale"], found["settings"]["threshold"]) == ("probability", 0.5)
    good, bad, fused = found["lists"]
    assert fused["name"] == "noisy_or"
    assert fused["mean_average_precision"] >= good["mean_average_precision"]
    assert good["kept"] > bad["kept"]  # at the same probability
    expected, right, items = {}, {}, {}
    for query in found["queries"]:
        for each in query["lists"]:
            name = each["name"]
            expected[name] = expected.get(name, 0) + sum(each["common_score"])
            right[name] = right.get(name, 0) + sum(each["relevant"])
            items[name] = items.get(name, 0) + len(each["relevant"])
    for name in ("good", "bad"):
        assert expected[name] / items[name] == pytest.approx(right[name] / items[name], abs=0.02)


@pytest.mark.skipif(not ROBUST.is_dir(), reason="the runs of TREC 2003 Robust are not here")
def test_fusing_real_systems_beats_each_of_them() -> None:
    read = read_lists(sorted((ROBUST / "runs").iterdir()))
    judged = judge(read, read_qrels(ROBUST / "qrels_last50topics.txt"))
    result = rerank(judged.queries, None, ["noisy_or"])
    assert result.scale is ListScale.PROBABILITY
    *systems, fused = result.means
    assert len(systems) == 17
    assert fused.defined == 50
    best = max(each.mean_average_precision or 0 for each in systems)
    assert fused.mean_average_precision is not None
    assert fused.mean_average_precision > best


def test_lists_of_one_search_are_cut_by_score_however_far_apart(
    tmp_path: Path, capsys: Captured
) -> None:
    rows = ["query,list,item,score", "q,ws,a,1.0000002", "q,ws,b,0.6", "q,cr,b,0.5", "q,cr,a,0.4"]
    (tmp_path / "lists.csv").write_text("\n".join(rows) + "\n")
    found = run(capsys, tmp_path / "lists.csv", "--threshold", 0.55)
    assert found["settings"]["scale"] == "score"
    kept = [each["purged"]["kept"] for each in found["queries"][0]["lists"]]
    assert kept[:2] == [2, 0]
