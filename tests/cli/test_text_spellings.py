"""With --texts, case and punctuation count neither in the truth nor in the queries of runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

import spotlab
from spotlab.cli import root

WORDS = (("Dunbar", 10), ("DUNBAR,", 60), ("Winchester’s", 110), ("—", 160))
PLACES = {text: f"10,{top} 90,{top} 90,{top + 20} 10,{top + 20}" for text, top in WORDS}


def page(folder: Path) -> Path:
    words = "".join(
        f'<TextRegion id="r{at}"><Coords points="{PLACES[text]}"/><TextLine id="l{at}"><Coords '
        f'points="{PLACES[text]}"/><Word id="w{at}"><Coords points="{PLACES[text]}"/><TextEquiv>'
        f"<Unicode>{text}</Unicode></TextEquiv></Word></TextLine></TextRegion>"
        for at, (text, _) in enumerate(WORDS)
    )
    folder.mkdir()
    Image.new("L", (200, 200), 255).save(folder / "plan.png")
    (folder / "plan.xml").write_text(
        '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Metadata>'
        "<Creator>x</Creator><Created>2026-01-01T00:00:00</Created><LastChange>2026-01-01T00:00:00"
        '</LastChange></Metadata><Page imageFilename="plan.png" imageWidth="200" '
        f'imageHeight="200">{words}</Page></PcGts>'
    )
    return folder


def run_of(path: Path, *spots: tuple[str, str, float]) -> Path:
    lines = [f'"{query}",plan,{score},"{PLACES[text]}"' for query, text, score in spots]
    path.write_text("\n".join(["query,page,score,points", *lines]) + "\n", "utf-8")
    return path


def evaluate(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        root.main(["evaluate", *map(str, arguments)])
    return int(ended.value.code or 0)


@pytest.mark.parametrize("query", ["Dunbar", "dunbar", "DUNBAR", "dunbar,"])
def test_any_spelling_of_a_query_finds_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], query: str
) -> None:
    pages = page(tmp_path / "pages")
    run = run_of(tmp_path / "r.csv", (query, "Dunbar", 0.9), (query, "DUNBAR,", 0.8))
    assert evaluate("--truth", pages, "--texts", "--run", run, "--json", tmp_path / "o.json") == 0
    [found] = json.loads((tmp_path / "o.json").read_text())["runs"]
    assert (found["pooled"]["area_recall"], found["pooled"]["area_precision"]) == (0.5, 1)
    assert "1 × label that stands for several texts" in capsys.readouterr().out


def test_a_sign_inside_a_word_does_not_count(tmp_path: Path) -> None:
    pages = page(tmp_path / "pages")
    run = run_of(tmp_path / "r.csv", ("winchester's", "Winchester’s", 0.9), ("—", "—", 0.8))
    result = spotlab.evaluate(pages, run, texts=True)
    frame = result.frame().set_index("query")
    assert frame["area_recall"]["winchesters"] == frame["area_recall"]["—"] == 1


def test_spellings_that_become_one_query_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = page(tmp_path / "pages")
    run = run_of(tmp_path / "r.csv", ("Dunbar", "Dunbar", 0.2), ("dunbar", "Winchester’s", 0.9))
    assert evaluate("--truth", pages, "--texts", "--run", run) == 0
    out = capsys.readouterr().out
    assert "1 query of several spellings, whose spots are ranked together: Dunbar, dunbar" in out
    frame = spotlab.evaluate(pages, run, texts=True).frame().set_index("query")
    assert (frame["spots"]["dunbar"], frame["area_recall"]["dunbar"]) == (2, 0.5)


def test_labels_are_compared_as_they_stand(tmp_path: Path) -> None:
    pages = page(tmp_path / "pages")
    run = run_of(tmp_path / "r.csv", ("WORD", "Dunbar", 0.9))
    assert evaluate("--truth", pages, "--words", "--run", run) == 2
