"""The study of keywords: which instances are queries, what their lists are worth, the report."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from spotlab.cli.root import main
from spotlab.errors import SpotlabError
from spotlab.lab.reproduce.words.keyword_study import CUTS, choose_queries, study_keywords
from spotlab.model.ranked_list import Items
from spotlab.ranking.displacement import average_precision
from spotlab.spotting.words.index import build_index
from spotlab.spotting.words.search import make_lists, search
from spotlab.spotting.words.word_index import WordIndex, WordQuery
from spotlab.studies.words.word_truth import read_words, relevance
from tests.gui.words.searching import write_letters


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_letters(tmp_path_factory.mktemp("study") / "letters")


@pytest.fixture(scope="module")
def known(folder: Path) -> Items:
    return read_words([folder])


@pytest.fixture(scope="module")
def index(folder: Path) -> WordIndex:
    return build_index([folder], cache=folder.parent / "cache")


def test_queries_are_the_instances_most_and_least_like_the_others(
    index: WordIndex, known: Items
) -> None:
    chosen = choose_queries(index, known, "the", 2)
    assert list(chosen) == ["representative", "difficult"]
    here = [at for at, text in enumerate(known.texts) if text and text.casefold() == "the"]
    features = np.array(
        [
            index.describe(WordQuery(known.page_name(at), tuple(known.boxes[at].tolist())))
            for at in here
        ]
    )
    scores = index.scale.apply((features @ features.T).astype(np.float64))
    np.fill_diagonal(scores, 0)
    order = [here[place] for place in np.argsort(-scores.sum(axis=1), kind="stable")]
    boxes = [tuple(known.boxes[at].tolist()) for at in order]
    assert {query.box for query in chosen["representative"]} == set(boxes[:2])
    assert {query.box for query in chosen["difficult"]} == set(boxes[-2:])


def test_a_query_is_no_hit_of_its_own(index: WordIndex, known: Items) -> None:
    study = study_keywords(index, known, ["the"], lists=("ws", "cr"), per_kind=1)
    result = study.results[0]
    query = choose_queries(index, known, "the", 1)["representative"][0]
    found = search(index, query, words=known)
    right = relevance(found.items, "the", known)
    for name, ranked in zip(("ws", "cr"), make_lists(found, ("ws", "cr")), strict=True):
        others = [int(item) for item in ranked.item if item != found.own]
        expected = average_precision(right[others] == 1, result.relevant)
        assert result.average_precision[name] == expected
        assert study.mean("representative", name) == expected
    instances = sum(text is not None and text.casefold() == "the" for text in known.texts)
    assert result.relevant == instances - 1


def test_means_and_increases_are_those_of_the_tables(index: WordIndex, known: Items) -> None:
    study = study_keywords(index, known, ["the", "you"], lists=("ws", "qe", "cr"), per_kind=2)
    assert len(study.results) == 2 * 2 * 2
    for kind in ("representative", "difficult"):
        means = {}
        for name in study.lists:
            by_word = [
                np.mean([each.average_precision[name] for each in study.results
                         if (each.kind, each.word) == (kind, word)])
                for word in study.words
            ]  # fmt: skip
            means[name] = float(np.mean(by_word))
            assert study.mean(kind, name) == pytest.approx(means[name])
        assert study.increase(kind, "ws") is None
        if means["ws"] > 0 and means["qe"] > 0:
            expected = 100 * (means["qe"] / means["ws"] - 1)
            assert study.increase(kind, "qe") == pytest.approx(expected)
            expected = 100 * (means["cr"] / means["qe"] - 1)
            assert study.increase(kind, "cr") == pytest.approx(expected)


def test_a_word_that_is_written_too_seldom_is_refused(index: WordIndex, known: Items) -> None:
    with pytest.raises(SpotlabError, match=r"'Winchester' is written \d times, not 20"):
        study_keywords(index, known, ["Winchester"], per_kind=10)
    with pytest.raises(SpotlabError, match="there is no list 'best'"):
        study_keywords(index, known, ["the"], lists=("best",))


@pytest.mark.slow
def test_one_command_writes_the_report(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--pages", str(folder), "--word", "the", "--word", "you", "--each", "1",
                 "--cache", str(folder.parent / "cache"), "--out", str(tmp_path / "report"),
                 "--json", str(tmp_path / "study.json")]  # fmt: skip
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "words", *arguments])
    assert ended.value.code in (None, 0)
    printed = capsys.readouterr().out
    assert "representative queries" in printed and "ML-CR" in printed
    files = {file.name for file in (tmp_path / "report").iterdir()}
    tables = ("representative", "difficult", "representative-purged", "difficult-purged",
              "over-queries", "differences")  # fmt: skip
    sheets = {name for name in files if name.startswith("sheet-")}
    words = sorted((name.split("_")[0], name[-4:]) for name in sheets)
    kinds = [".pdf", ".pdf", ".png", ".png"]  # a representative and a difficult query
    assert words == [(f"sheet-{word}", kind) for word in ("the", "you") for kind in kinds]
    assert files - sheets == {
        "report.html", "study.json", "scores.svg", "scores.pdf",
        *(f"{name}.{kind}" for name in tables for kind in ("csv", "tex")),
    }  # fmt: skip
    page = (tmp_path / "report" / "report.html").read_text()
    assert all(title in page for title in CUTS.values())
    assert "Queries (Fig. 1)" in page and 'class="right"' in page and 'class="wrong"' in page
    numbers = json.loads((tmp_path / "study.json").read_text())
    assert numbers["words"] == ["the", "you"]
    assert numbers == json.loads((tmp_path / "report" / "study.json").read_text())


def test_pages_without_words_are_refused_in_one_line(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letter_001.jpg").write_bytes((folder / "letter_001.jpg").read_bytes())
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "words", "--pages", str(tmp_path)])
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "--truth" in error


def test_words_are_searched_that_are_written_often_enough_on_any_pages(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page"
    page.mkdir()
    for suffix in (".jpg", ".xml"):
        shutil.copy(folder / f"letter_001{suffix}", page)
    arguments = ["--pages", str(page), "--cache", str(folder.parent / "cache"), "--lists", "ws"]
    with pytest.raises(SystemExit) as left:
        main(["reproduce", "words", *arguments, "--each", "40", "--json", "-"])
    assert left.value.code in (0, None)
    study = json.loads(capsys.readouterr().out)
    texts = [text for text in read_words([page]).texts if text]
    for word in study["words"]:
        assert len(word) >= 1
        assert sum(text.casefold() == word.casefold() for text in texts) >= 2
