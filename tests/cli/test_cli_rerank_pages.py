"""`spotlab rerank` on boxes of others: truth of pages, consensus by their content, a report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spotlab.resources import LETTERS, sample_collection
from spotlab.spotting.words.word_index import instances
from spotlab.studies.words.word_truth import read_words
from tests.judging_files import command

Captured = pytest.CaptureFixture[str]
PAGE = sample_collection(LETTERS) / "letter_001.jpg"


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A list of boxes of "the" and of other words, a px beside those of the truth."""
    words = read_words([PAGE])
    the = instances(words, "the").tolist()
    others = [item for item in range(len(words)) if item not in the][:3]
    chosen = [the[0], others[0], the[1], others[1], the[2], others[2]]
    lines = ["query,page,x,y,width,height,score"]
    for rank, item in enumerate(chosen):
        left, top, right, bottom = words.boxes[item].tolist()
        box = f"{left + 1},{top},{right - left},{bottom - top}"
        lines.append(f"the,letter_001.jpg,{box},{0.95 - 0.05 * rank}")
    path = tmp_path_factory.mktemp("lists") / "theirs.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_truth_and_pages_give_recall_of_all_and_a_better_list(
    lists: Path, tmp_path: Path, capsys: Captured
) -> None:
    every = len(instances(read_words([PAGE]), "the"))
    out = tmp_path / "out"
    options = ("--pages", PAGE, "--fusion", "cr", "--cache", tmp_path, "--out", out, "--json", "-")
    assert command("rerank", lists, *options) == 0
    found = json.loads(capsys.readouterr().out)
    [query] = found["queries"]
    given, made = query["lists"]
    assert query["relevant"] == every > 3
    assert given["average_precision"] == pytest.approx((1 + 2 / 3 + 3 / 5) / every)
    assert made["name"] == "cr" and made["average_precision"] >= given["average_precision"]
    means = {each["name"]: each["figures"] for each in found["comparison"]["lists"]}
    assert means["theirs"]["average_precision"]["mean"] == given["average_precision"]
    assert command("rerank", lists, "--pages", PAGE, "--cache", tmp_path) == 0
    text = capsys.readouterr().out
    assert "average precision: the query itself counts" in text, text
    page = (out / "report.html").read_text()
    assert "data:image/webp" in page and "not known which word it is" in page


def test_two_truths_are_refused(lists: Path, tmp_path: Path, capsys: Captured) -> None:
    qrels = tmp_path / "a.qrels"
    qrels.write_text("the 0 a 1\n")
    assert command("rerank", lists, "--truth", PAGE, "--qrels", qrels) == 2
    error = capsys.readouterr().err
    assert "both say what is relevant" in error
