"""`spotlab spot symbols`: from pages and queries to a run."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from spotlab.cli.root import main
from spotlab.formats.runs import read_run
from spotlab.imaging.ink import InkMethod, InkSettings, settings_as_values
from spotlab.model.run import Run
from spotlab.spotting.symbols.search import symbol_search as search
from tests.spotting.symbols import foreign_methods
from tests.spotting.symbols.drawn_symbols import draw, write_drawings
from tests.spotting.symbols.learned_pages import write_pages


@pytest.fixture
def pages(tmp_path: Path) -> list[Path]:
    return write_drawings(tmp_path / "pages")


def command(tmp_path: Path, *arguments: object) -> list[str]:
    usual = [
        "spot", "symbols", "--pages", tmp_path / "pages", "--out", tmp_path / "out.csv", "--method",
        "b", "--cache", tmp_path / "cache", "--jobs", 1,
    ]  # fmt: skip
    return [str(each) for each in [*usual, *arguments]]


def run(tmp_path: Path, *arguments: object) -> int:
    """The exit code of the command."""
    with pytest.raises(SystemExit) as ended:
        main(command(tmp_path, *arguments))
    return int(ended.value.code or 0)


def found(path: Path) -> Run:
    read = read_run(path)
    assert not read.bad_lines
    return read.run


def test_every_label_of_the_truth_is_searched(
    tmp_path: Path, pages: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0].split() == ["query", "spots", "best", "score"]
    assert [line.split()[0] for line in lines[1:4]] == ["house", "target", "window"]
    assert lines[4:] == ["3 pages", f"wrote {tmp_path / 'out.csv'}"]
    assert said.err == ""
    spots = found(tmp_path / "out.csv")
    assert spots.queries == ("house", "target", "window")
    assert [int(line.split()[1]) for line in lines[1:4]] == np.bincount(spots.query).tolist()
    assert spots.spot(0).label == "house"
    # again, as Parquet: nothing is done twice, and it is the same run
    assert run(tmp_path, "--out", tmp_path / "out.parquet") == 0
    assert "3 pages, 3 reused from an earlier call" in capsys.readouterr().out
    again = found(tmp_path / "out.parquet")
    assert again.score.tolist() == spots.score.tolist()
    assert again.outlines.points.tolist() == spots.outlines.points.tolist()


def test_queries_are_labels_boxes_and_images(
    tmp_path: Path, pages: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    pixels = np.full((120, 120), 255, np.uint8)
    draw(pixels, "window", 30, 30, 60)
    cv2.imwrite(str(tmp_path / "pane.png"), pixels)
    (tmp_path / "models").mkdir()
    for name in ("second", "first", ".hidden"):
        cv2.imwrite(str(tmp_path / "models" / f"{name}.png"), pixels)
    queries = ["target", "scans/plan_1.png:145,35,70,70", tmp_path / "pane.png", "house"]
    asked = [part for query in queries for part in ("--query", query)]
    assert run(tmp_path, *asked, "--models", tmp_path / "models", "--json", "-") == 0
    facts = json.loads(capsys.readouterr().out)
    assert [each["query"] for each in facts["queries"]] == [
        "target", "plan_1:145,35,70,70", "pane", "house", "first", "second",
    ]  # fmt: skip
    assert (facts["method"], facts["pages"], facts["left_out"]) == ("b", 3, [])
    by_name = {each["query"]: each for each in facts["queries"]}
    assert by_name["target"]["models"][0]["page"] == "plan_1"
    assert by_name["pane"]["models"][0]["page"] is None
    assert by_name["pane"]["spots"] == by_name["first"]["spots"]
    spots = found(tmp_path / "out.csv")
    for name, each in by_name.items():
        assert each["spots"] == (spots.query == spots.queries.index(name)).sum()


def test_nothing_found_is_said_so(
    tmp_path: Path, pages: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    # a model of the wrong form: one stroke
    pixels = np.full((40, 90), 255, np.uint8)
    cv2.line(pixels, (9, 9), (80, 30), 0, 1)
    cv2.imwrite(str(tmp_path / "stroke.png"), pixels)
    assert run(tmp_path, "--query", tmp_path / "stroke.png", "--json", tmp_path / "f.json") == 0
    [query] = json.loads((tmp_path / "f.json").read_text())["queries"]
    assert (query["spots"], query["best_score"]) == (0, None)
    assert capsys.readouterr().out.splitlines()[1].split() == ["stroke", "0", "–"]


def test_options_reach_the_search(
    tmp_path: Path, pages: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}
    real = search.search_symbols

    def noting(entries: Any, models: Any, method: str, settings: Any, **named: Any) -> Any:
        asked.update(named, models=models, settings=settings)
        return real(entries, models, method, settings, **named)

    monkeypatch.setattr(search, "search_symbols", noting)
    assert run(tmp_path, "--each", 2, "--most", 1, "--ink", "sauvola", "--plain", "--seed", 4) == 0
    assert [model.name for model in asked["models"]] == [
        "house", "house", "target", "target", "window", "window",
    ]  # fmt: skip
    assert asked["max_spots"] == 1
    assert asked["settings"].ink.method is InkMethod.SAUVOLA
    assert not asked["settings"].mend
    assert (asked["jobs"], asked["cluster"], asked["cache"]) == (1, None, tmp_path / "cache")
    assert np.bincount(found(tmp_path / "out.csv").query).max() == 1


def test_a_model_finds_itself_unless_it_is_left_out(tmp_path: Path, pages: list[Path]) -> None:
    query = ["--query", "house"]
    assert run(tmp_path, *query) == 0
    whole = found(tmp_path / "out.csv")
    assert (whole.spot(0).page, whole.spot(0).rank) == ("plan_1", 1)
    assert run(tmp_path, *query, "--leave-out-model") == 0
    left = found(tmp_path / "out.csv")
    assert len(left) == len(whole) - 1
    assert left.score.tolist() == whole.score.tolist()[1:]


def test_truth_may_be_elsewhere(
    tmp_path: Path, pages: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "truth").mkdir()
    for page in pages:
        page.with_suffix(".xml").rename(tmp_path / "truth" / f"{page.stem}.xml")
    assert run(tmp_path, "--query", "house") == 2
    assert "expected --truth, --models, or a --query" in capsys.readouterr().err
    assert run(tmp_path, "--query", "house", "--truth", tmp_path / "truth") == 0
    assert found(tmp_path / "out.csv").queries == ("house",)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--method", "z"], "there is no method 'z'; there are a, b, c, d"),
        (["--query", "sofa"], "no region of the label 'sofa'; there are house, target, window"),
        (["--query", "plan_9:1,2,3,4"], "the page 'plan_9' of the query is not among the pages"),
        (["--query", "plan_1:1,1,9,9"], "plan_1.png: there is no ink in the query's box"),
        (["--query", "plan_1:1,1,9,0"], "has no area"),
        (["--query", "lost.png"], "lost.png: there is no such image"),
        (
            ["--out", "plan_1.png"],
            "plan_1.png cannot be written: the name of a run must end in",
        ),
        (["--out", "a.csv", "--json", "a.csv"], "a.csv cannot be written: --json names the same"),
        (["--json", "/"], "/ cannot be written: it is a folder"),
        (["--json", "plan.png"], "plan.png cannot be written: the name is that of an image file"),
        (["--cluster", "nonsense"], "no Dask scheduler answers at 'nonsense'"),
        (["--most", "0"], "--max-spots"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], expected: str, tmp_path: Path, pages: list[Path],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert run(tmp_path, *arguments) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert expected in said.err
    assert not (tmp_path / "out.csv").exists()


def test_pages_that_cannot_be_read_are_named(
    tmp_path: Path, pages: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    pages[2].write_bytes(b"no image")
    assert run(tmp_path, "--query", "house") == 0
    said = capsys.readouterr()
    assert said.err == "left out plan_3: this is not an image, or it is damaged\n"
    assert "2 pages" in said.out


def test_no_page_that_can_be_read_is_said_once(
    tmp_path: Path, pages: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    pane = tmp_path / "pane.png"
    pages[0].rename(pane)
    for page in pages[1:]:
        page.write_bytes(b"no image")
    assert run(tmp_path, "--query", pane) == 2
    problem = "this is not an image, or it is damaged"
    assert capsys.readouterr().err == f"spotlab: {pages[1]}: {problem}\n"


@pytest.mark.slow
def test_ctrl_c_loses_no_finished_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_drawings(tmp_path / "pages", 5)
    notes, cache = tmp_path / "notes", tmp_path / "cache"
    foreign_methods.install(tmp_path / "site", notes, 0, monkeypatch)
    monkeypatch.setenv(foreign_methods.ENOUGH, "2")
    arguments = command(tmp_path, "--method", "slow", "--query", "house", "--jobs", "2")
    program = [sys.executable, "-m", "spotlab", *arguments]
    with subprocess.Popen(
        program,
        stderr=subprocess.PIPE,
        text=True,
        # who starts the tests in the background lets them, and their children, ignore Ctrl+C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as child:
        while len(list(cache.rglob("*.spots"))) < 2 and child.poll() is None:
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        _, error = child.communicate(timeout=60)
    assert child.returncode == 130
    note = "finished pages are kept; run the same command again to continue"
    assert error == f"spotlab: cancelled; {note}\n"
    assert not (tmp_path / "out.csv").exists()
    assert len(list(cache.rglob("*.spots"))) == 2
    for note in notes.iterdir():
        note.unlink()
    monkeypatch.delenv(foreign_methods.ENOUGH)
    try:
        assert run(tmp_path, "--method", "slow", "--query", "house") == 0
    finally:
        monkeypatch.undo()
        foreign_methods.forget()
    assert len(foreign_methods.noted(notes)) == 3


def test_a_run_says_what_made_it(
    tmp_path: Path, pages: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    written = []
    for label in ("house", "house", "target"):
        assert run(tmp_path, "--query", label) == 0
        written.append((tmp_path / "out.csv").read_bytes())
    assert written[0] == written[1]  # the date is all that differs
    lines = written[0].decode().splitlines()
    head = [line for line in lines if line.startswith("# ")]
    keys = [line.split(":")[0] for line in head]
    assert keys == sorted(keys) and lines[len(head)].startswith("query,page,rank,score,points")
    made = found(tmp_path / "out.csv").provenance
    assert made["made by"].startswith("spotlab ") and made["method"] == "b"
    assert made["date"] == "1970-01-01T00:00:00+00:00" and made["setting ink"] == "even"
    assert made["pages"].startswith(f"{len(pages):,} page")
    queries = [next(line for line in text.splitlines() if line.startswith(b"# queries"))
               for text in written]  # fmt: skip
    assert queries[0] == queries[1] != queries[2]


def test_ink_is_cleaned_as_asked_or_as_kept_with_the_pages(
    tmp_path: Path, pages: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    real = search.search_symbols

    def noting(entries: Any, models: Any, method: str, settings: Any, **named: Any) -> Any:
        asked.append(settings.ink)
        return real(entries, models, method, settings, **named)

    monkeypatch.setattr(search, "search_symbols", noting)
    query = ["--query", "house"]
    assert run(tmp_path, *query, "--remove-rulings", "--specks", 4, "--colour", "#000000") == 0
    expected = InkSettings(InkMethod.EVEN, rulings=True, specks=4, colour=(0, 0, 0))
    assert asked == [expected]
    provenance = found(tmp_path / "out.csv").provenance
    assert "even rulings=True specks=4 colour=(0,0,0)" in str(provenance)
    assert run(tmp_path, *query, "--collection-ink") != 0  # nothing is kept yet
    kept = InkSettings(InkMethod.WOLF, smallest=5)
    values = json.dumps({"ink": settings_as_values(kept)})
    (tmp_path / "pages" / "spotlab.json").write_text(values)
    assert run(tmp_path, *query, "--collection-ink") == 0
    assert asked[1:] == [kept]
    assert run(tmp_path, *query, "--colour", "blue") != 0


@pytest.mark.slow
def test_all_regions_of_lessons_are_models_together(
    tmp_path: Path, pages: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    lessons = ["--method", "e", "--lessons", pages[0], "--query", "house"]
    assert run(tmp_path, *lessons) == 0
    spots = found(tmp_path / "out.csv")
    assert spots.queries == ("house",)
    assert {model.page for model in spots.models} == {pages[0].stem}
    assert spots.score.min() >= 0.3
    assert run(tmp_path, *lessons, "--at-least", 0) == 0  # the same search, and what is unlikely
    assert "reused from an earlier call" in capsys.readouterr().out
    assert len(found(tmp_path / "out.csv")) >= len(spots)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--seed", 3], "`seed` cannot be used with `lessons`"),
        (["--query", "plan:1,1,9,9"], "is no label; with `lessons` only labels can be"),
        (["--query", "boat"], "the lessons have no region of the label 'boat'"),
    ],
)
def test_what_lessons_cannot_be_asked_is_said(
    tmp_path: Path, pages: list[Path], capsys: pytest.CaptureFixture[str],
    arguments: list[object], problem: str,
) -> None:  # fmt: skip
    assert run(tmp_path, "--lessons", pages[0], *arguments) > 0
    assert problem.replace("`", "") in capsys.readouterr().err.replace("`", "").replace("--", "")


def test_a_method_that_learns_says_from_what(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pages(tmp_path / "pages", range(2))
    (tmp_path / "pages" / "plan_1.xml").unlink()
    assert run(tmp_path, "--method", "f", "--query", "bed", "--json", "-") == 0
    said = capsys.readouterr()
    facts = json.loads(said.out)
    assert facts["lessons"] == {"pages": ["plan_0"], "regions": {"bed": 2}}
    assert [each["query"] for each in facts["queries"]] == ["bed"]
    assert "no spots of 'bed' on plan_0: no other page has an example" in said.err
    assert found(tmp_path / "out.csv").pages == ("plan_1",)
    assert not (tmp_path / "out.csv.models").exists()
    assert run(tmp_path, "--method", "f", "--each", 3) == 2
    assert (
        "--models-per-label cannot be used: method f learns from all regions"
        in capsys.readouterr().err
    )
