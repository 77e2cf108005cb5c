"""`spotlab pipelines`: tables, JSON, a folder that other commands read, and clear errors."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from spotlab.formats.votes.reading import read_votes
from spotlab.imaging.ink import InkMethod
from spotlab.lab.commands.pipelines import INKS, METHODS
from spotlab.lab.pipelines.pipelines import METHODS as KNOWN
from spotlab.spotting.reading import text_reader as base
from tests.judging_files import command
from tests.lab.pipelines import engines
from tests.lab.pipelines.engines import engine, write_page

Captured = pytest.CaptureFixture[str]
ENGINES = [part for name in ("one", "two", "three") for part in ("--engine", name)]


def test_choices_are_those_of_the_model() -> None:
    assert tuple(map(str, InkMethod)) == INKS
    assert tuple(METHODS) == KNOWN


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    known = {name: engine(name) for name in engines.TEXTS}
    monkeypatch.setattr(base, "text_readers", lambda: known)
    for number in (1, 2):
        write_page(tmp_path / "pages", number)
    (tmp_path / "truth").mkdir()
    (tmp_path / "truth" / "page1.txt").write_text("Ann, Bob: cat; Gus!")
    arguments = ["--pages", tmp_path / "pages", "--truth", tmp_path / "truth", *ENGINES]
    return ["pipelines", *arguments, "--ink", "otsu", "--entities", "words"]


@pytest.mark.slow
def test_tables_and_a_folder(files: list[object], tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "out"
    assert command(*files, "--out", out) == 0
    text, error = capsys.readouterr()
    assert error == ""
    lines = text.splitlines()
    assert lines[:2] == ["2 pages, entities by every word", "no true text of 1 page: page2"]
    rows = {line[:40].strip(): line.split() for line in lines if "truth" in line}
    assert "Method I, bag of words: 8 items" in lines
    assert "Method II, alignment: 8 items" in lines
    (row,) = {tuple(cells[-5:]) for name, cells in rows.items() if name.startswith("recall without")
              and "mean" not in name}  # fmt: skip
    assert row == ("1.000", ".833", ".750", ".750", ".000")
    page = (out / "report.html").read_text()
    assert "Method I, bag of words" in page and "With truth, mean of pages: Recall" in page
    with (out / "pipelines-bag-of-words.csv").open() as file:
        rows_of = {row["pipeline"]: row for row in csv.DictReader(file)}
    assert float(rows_of["otsu one"]["recall"]) == pytest.approx(0.833, abs=5e-4)
    assert rows_of["⊤, all items"]["recall"] == "1.0" and (out / "ranking-alignment.svg").exists()
    truth = (out / "entities" / "truth" / "page1.txt").read_text()
    assert truth == "Ann\nBob\ncat\nGus\n"
    assert read_votes(out / "votes-bag_of_words.csv").systems == (
        "otsu one", "otsu two", "otsu three",
    )  # fmt: skip
    again = read_votes(out / "texts")
    assert len(again) == 8
    engines.calls.clear()
    assert command(*files, "--out", out) == 0
    assert "6 texts reused from an earlier call" in capsys.readouterr().out
    assert engines.calls == []


def test_json(files: list[object], capsys: Captured) -> None:
    assert command(*files, "--json", "-", "--method", "bag_of_words") == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found["methods"]) == ["bag_of_words"]
    method = found["methods"]["bag_of_words"]
    assert method["systems"]["otsu one"]["precision"] == pytest.approx(4 / 6)
    assert [each["rank"] for each in method["systems"].values()] == [1, 2, 2]
    assert method["truth"]["otsu two"] == pytest.approx(
        {"precision": 1, "recall": 0.75, "f": 6 / 7}
    )
    assert found["true_entities"] == {"page1": 4}
    assert found["pipelines"][0]["engine"] == "one"


def test_without_tesseract_there_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    out = tmp_path / "out"
    assert command("pipelines", "--pages", write_page(tmp_path, 1), "--out", out) == 2
    error = capsys.readouterr().err
    assert error.startswith("spotlab: the program tesseract is not installed")
    assert error.count("\n") == 1
    assert not out.exists()


def test_what_is_wrong_is_said_in_a_line(
    files: list[object], tmp_path: Path, capsys: Captured
) -> None:
    assert command(*files, "--entities", "magic") == 2
    assert "nothing finds entities by 'magic'" in capsys.readouterr().err
    (tmp_path / "truth" / "page1.xml").write_text("<a/>")
    assert command(*files) == 2
    error = capsys.readouterr().err
    assert "page1.xml" in error
    assert error.count("\n") == 1
