"""Runs of TREC and their truth: what is read, what is not, and the precision of real ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.errors import BadInput
from spotlab.formats.lists.format import QueryLists
from spotlab.formats.lists.reading import read_lists
from spotlab.formats.lists.trec import judge, read_qrels, write_trec
from spotlab.model.ranked_list import Items, RankedList
from spotlab.ranking.displacement import average_precision

ROBUST = Path(__file__).resolve().parents[3] / "shared" / "data" / "trec_robust03"


def named(query: QueryLists, index: int = 0) -> list[str]:
    return [query.items.name(item) for item in query.lists[index].item]


def test_lists_are_in_order_of_score_and_equals_in_order_of_rank(tmp_path: Path) -> None:
    file = tmp_path / "run.txt"
    file.write_text("q Q0 a 1 .5 s\nq Q0 b 3 .9 s\nq Q0 c 2 .9 s\np Q0 a 0 7 s\n")
    read = read_lists(file)
    assert [each.query for each in read.queries] == ["q", "p"]
    assert named(read.query("q")) == ["c", "b", "a"]
    assert read.query("q").lists[0].score.tolist() == [0.9, 0.9, 0.5]
    assert read.query("q").lists[0].name == "s"
    assert read.query("q").relevant is None
    assert read.query("q").relevance.tolist() == [-1, -1, -1]
    assert read.bad_lines == ()


def test_tabs_and_spaces_in_any_number_are_between_words(tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_bytes(b"q\tQ0\ta\t1\t.5\ts\r\n  q  Q0 b\t2 .4 s \r\n\r\nq Q0 c 3 .3 s")
    read = read_lists(file)
    assert named(read.query("q")) == ["a", "b", "c"]
    assert read.bad_lines == ()


def test_every_bad_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "run.txt"
    file.write_bytes(
        b"q Q0 a 1 .5 s\nq Q0 b x .5 s\nq Q0 c 3 nan s\n\nq Q0 d 4 .2\nq Q0 a 5 .1 s\n"
        b"q Q0 \xff 6 .1 s\nq Q0 e 7 1_0 s\nq Q0 f 1.5 1 s\nq Q0 g 9 .01 s\n"
        b"q Q0 \xc3\xa9 10 .005 s\nq Q0 \xc3\xa8 11 .004 s\n"
    )
    read = read_lists(file)
    expected = "; expected query Q0 item rank score tag"
    assert [str(line) for line in read.bad_lines] == [
        f"{file}, line 2: rank is 'x', not a finite number{expected}",
        f"{file}, line 3: score is 'nan', not a finite number{expected}",
        f"{file}, line 5: 5 words, not 6{expected}",
        f"{file}, line 6: the item is in this list already, in line 1",
        f"{file}, line 7: not UTF-8: the byte 0xFF",
        f"{file}, line 8: score is '1_0', not a finite number{expected}",
        f"{file}, line 9: rank is '1.5', not a whole number{expected}",
    ]
    assert named(read.query("q")) == ["a", "g", "é", "è"]


def test_a_line_number_is_right_where_lines_are_empty_and_all_else_is_well(tmp_path: Path) -> None:
    file = tmp_path / "run.txt"
    file.write_text("\n\nq Q0 a 1 .5 s\n\nq Q0 a 2 .4 s\n")
    (bad,) = read_lists(file).bad_lines
    assert bad.line == 5
    assert "in line 3" in bad.problem


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "the file is empty"),
        (" \n", "the file is empty"),
        ("q 0 a 1\n", "qrels"),
        ("what is this\n", "no ranked lists"),
        ("q Q0 a first .5 s\n", "line 1: rank is 'first'"),
    ],
)
def test_what_is_no_run_is_refused_in_one_line(tmp_path: Path, content: str, problem: str) -> None:
    file = tmp_path / "run.txt"
    file.write_text(content)
    with pytest.raises(BadInput, match=problem):
        read_lists(file)


def test_systems_of_several_files_are_lists_of_one_query(tmp_path: Path) -> None:
    (tmp_path / "one.run").write_text("q Q0 a 1 .5 s\nq Q0 b 2 .4 s\n")
    (tmp_path / "two.run").write_text("q Q0 b 1 9 t\nq Q0 c 2 8 t\nq Q0 c 2 8 s\n")
    read = read_lists([tmp_path / "one.run", tmp_path / "two.run"])
    (query,) = read.queries
    assert [each.name for each in query.lists] == ["s", "t", "two: s"]
    assert len(query.items) == 3
    assert [named(query, at) for at in range(3)] == [["a", "b"], ["b", "c"], ["c"]]


def test_relevant_items_that_no_list_holds_count(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 .5 s\nq Q0 b 2 .4 s\nq Q0 c 3 .3 s\np Q0 a 1 1 s\n")
    (tmp_path / "qrels").write_text("q 0 a 2\nq 0 b 0\nq 0 d 1\nq 0 e -1\n")
    judged = judge(read_lists(tmp_path / "run"), read_qrels(tmp_path / "qrels"))
    query = judged.query("q")
    assert query.relevance.tolist() == [1, 0, -1]
    assert query.relevant == 2
    assert judged.query("p").relevant is None
    assert judged.remarks == ("no relevance judgements for 1 query: p",)


def test_bad_lines_of_qrels_are_named(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 b\nq 0 c 0.5\nq 0 a 0\nq 0 d 1e99\n")
    qrels = read_qrels(tmp_path / "qrels")
    assert qrels.grades == {"q": {"a": 0}}
    assert [line.line for line in qrels.bad_lines] == [2, 3, 5]
    with pytest.raises(BadInput, match="line 1: 3 words, not 4; expected query iteration item"):
        (tmp_path / "bad").write_text("q 0 a\n")
        read_qrels(tmp_path / "bad")


words = st.text("abcXYZ0189-_.ü", min_size=1, max_size=6)
scores = st.floats(-1e100, 1e100)


@given(st.dictionaries(words, st.lists(scores, min_size=1, max_size=5), min_size=1), st.data())
def test_a_run_reads_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, queries: dict[str, list[float]], data: st.DataObject
) -> None:
    made = []
    for query, values in queries.items():
        names = data.draw(st.lists(words, min_size=len(values), max_size=len(values), unique=True))
        ranked = RankedList("system", np.arange(len(values)), sorted(values, reverse=True))
        made.append(
            QueryLists(query, Items.named(names), (ranked,), np.full(len(values), -1, "i1"), None)
        )
    file = tmp_path_factory.mktemp("run") / "run.trec"
    write_trec(made, file)
    read = read_lists(file)
    assert read.bad_lines == ()
    assert [each.query for each in read.queries] == [each.query for each in made]
    for before, after in zip(made, read.queries, strict=True):
        assert named(after) == list(before.items.names)
        wanted, found = before.lists[0].score, after.lists[0].score
        assert (np.diff(found.astype(np.float32)) < 0).all()
        with np.errstate(over="ignore", invalid="ignore"):
            singles = wanted.astype(np.float32)
            apart = np.isfinite(singles).all() and (np.diff(singles) < 0).all()
        assert not apart or found.tolist() == wanted.tolist()


def test_ties_are_ranked_elsewhere_as_they_are_here(tmp_path: Path) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    names = [f"item{number:03}" for number in range(60)]  # by name the relevant ones come last
    relevance = np.array([1, 0, 0] * 20, np.int8)
    tied = [0.9] * 20 + [0.5 + 1e-12 * (20 - n) for n in range(20)] + [0.0] * 20
    query = QueryLists(
        "q", Items.named(names), (RankedList("s", np.arange(60), np.array(tied)),), relevance, 20
    )
    write_trec([query], tmp_path / "run.trec")
    lines = [line.split() for line in (tmp_path / "run.trec").read_text().splitlines()]
    assert [line[2] for line in lines] == names
    grades = {name: int(grade) for name, grade in zip(names, relevance, strict=True)}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": grades}, {"map"})
    found = evaluator.evaluate({"q": {line[2]: float(line[4]) for line in lines}})
    assert found["q"]["map"] == pytest.approx(average_precision(relevance > 0, 20))


def test_a_name_with_a_space_is_not_written(tmp_path: Path) -> None:
    query = QueryLists(
        "two words", Items.named(["a"]), (RankedList("s", [0], [1.0]),), np.zeros(1, "i1"), None
    )
    with pytest.raises(ValueError, match="contains a space"):
        write_trec([query], tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not ROBUST.is_dir(), reason="the runs of TREC 2003 Robust are not here")
def test_average_precision_of_real_runs_is_that_of_trec_eval() -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels = read_qrels(ROBUST / "qrels_last50topics.txt")
    evaluator = pytrec_eval.RelevanceEvaluator(qrels.grades, {"map"})
    for file in sorted((ROBUST / "runs").iterdir()):
        read = judge(read_lists(file), qrels)
        assert read.bad_lines == ()
        assert len(read.queries) == 50
        orders = {query.query: trec_order(query) for query in read.queries}
        expected = evaluator.evaluate(
            {
                query.query: {
                    query.items.name(item): -float(place)
                    for place, item in enumerate(orders[query.query])
                }
                for query in read.queries
            }
        )
        for query in read.queries:
            relevant = query.relevance[orders[query.query]] == 1
            assert query.relevant is not None
            found = average_precision(relevant, query.relevant)
            assert found == pytest.approx(expected[query.query]["map"], abs=1e-9)


def trec_order(query: QueryLists) -> list[int]:
    """Items by score, equal ones by name from the end of the alphabet, as TREC's program has it."""
    (ranked,) = query.lists
    pairs = zip(ranked.score.tolist(), ranked.item.tolist(), strict=True)
    keys = sorted(((score, query.items.name(item), item) for score, item in pairs), reverse=True)
    return [item for _, _, item in keys]
