"""The study of symbol spotting on a tiny collection, from drawing it to its report."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from spotlab.cli import root
from spotlab.cli.spot.propose import work_table
from spotlab.errors import Cancelled, SpotlabError
from spotlab.lab.commands.reproduce.symbols import COUNT, METHODS, SEED
from spotlab.lab.draw.collection import symbol_kinds
from spotlab.lab.draw.plans.options import PAPER
from spotlab.lab.reproduce.symbols import symbol_study
from spotlab.lab.reproduce.symbols.descriptor_invariance import CHANGES, measure_invariance
from spotlab.lab.reproduce.symbols.symbol_robustness import Robustness, RobustnessPoint
from spotlab.lab.reproduce.symbols.symbol_study import (
    SymbolStudy,
    drawn_pages,
    invariance_section,
    robustness_section,
    study_symbols,
)
from spotlab.spotting.symbols.methods import spotting_methods
from spotlab.studies.symbols.work_saved import PageWork, WorkSaved
from spotlab.studies.tally.truth import read_truths

pytestmark = pytest.mark.slow

TINY = replace(PAPER, width=900, height=700, symbols=4.0, gaps=0.0, jitter=0.0, touching=0.0)
FEW = ("b", "d", "e")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def pages(cache: Path) -> list[Path]:
    return drawn_pages(cache, 3, 104, TINY)


@pytest.fixture(scope="module")
def study(cache: Path, pages: list[Path]) -> SymbolStudy:
    return study_symbols(pages, read_truths(pages), FEW, cache=cache, draws=10)


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        root.main(["reproduce", "symbols", *map(str, arguments)])
    return int(ended.value.code or 0)


def test_every_class_is_searched_by_one_model_with_every_method(study: SymbolStudy) -> None:
    assert [model.name for model in study.models] == list(study.classes)
    assert study.methods == FEW and [run.name for run in study.evaluation.runs] == list(FEW)
    assert study.titles == {name: spotting_methods()[name].title for name in FEW}
    assert len({run.figures.tally.queries for run in study.evaluation.runs}) == 1


def test_figures_are_those_of_the_evaluation_in_the_papers_units(study: SymbolStudy) -> None:
    run = study.run("b")
    assert study.figures["f"]["b"] == pytest.approx(100 * run.figures.mean["f"])
    assert study.figures["recognition_rate"]["b"] == run.figures.mean["recognition_rate"]
    table = study.scalability.runs[0].precision
    assert table.mean_deviation is not None
    assert study.figures["precision_mean"]["b"] == pytest.approx(100 * table.mean_deviation)
    first, second, third = (size.false_positives for size in study.scalability.runs[0].sizes)
    growth = min(second / first, third / second) if first and second else None
    assert study.figures["false_positive_growth"]["b"] == growth
    # each model is found at its own place, if nowhere else
    assert all(rate and rate > 30 for rate in study.figures["recognition_rate"].values())


def test_symbols_that_are_models_can_be_left_out(study: SymbolStudy) -> None:
    run, rates = study.run("b").run, []
    for model in study.models:
        found = []
        for page, truth in study.evaluation.truths.items():
            spots = [
                shapely.Polygon(spot.points).buffer(0)
                for spot in map(run.spot, range(len(run)))
                if (spot.query, spot.page) == (model.name, page)
            ]
            for region in truth.regions:
                here = page == model.page and np.array_equal(region.array, model.place)
                if region.label == model.name and not here:
                    ring = shapely.Polygon(region.array)
                    found.append(ring.intersection(shapely.union_all(spots)).area / ring.area)
        if found:
            rates.append(float(np.mean([share >= 0.75 for share in found])))
    assert len(rates) < len(study.models)  # some classes have one symbol
    assert study.figures["recognition_others"]["b"] == pytest.approx(100 * np.mean(rates))


def test_the_collection_is_counted(study: SymbolStudy, pages: list[Path]) -> None:
    truths = read_truths(pages).truths.values()
    assert study.collection["symbols"] == sum(len(truth.regions) for truth in truths)
    assert (study.collection["pages"], study.collection["width"]) == (3, 900)
    assert sum(symbols for symbols, _ in study.classes.values()) == study.collection["symbols"]
    assert all(pages <= symbols for symbols, pages in study.classes.values())


def test_only_statements_about_methods_that_are_there_are_checked(study: SymbolStudy) -> None:
    assert study.claims == () or all(
        {method for _, method, _ in claim.values} <= set(FEW) for claim in study.claims
    )
    assert study.own_claims == ()  # they need all four others


def test_pages_that_are_drawn_are_not_drawn_again(cache: Path, pages: list[Path]) -> None:
    before = {page: page.stat().st_ino for page in pages}
    pages[1].unlink()

    def only_one(done: int, total: int | None, _doing: str) -> None:
        assert total == 1

    kept = pages[1].with_suffix(".xml").read_bytes()
    assert drawn_pages(cache, 3, 104, TINY, progress=only_one) == pages
    assert pages[0].stat().st_ino == before[pages[0]]
    assert pages[1].exists() and pages[1].with_suffix(".xml").read_bytes() == kept
    assert drawn_pages(cache, 3, 105, TINY)[0].parent != pages[0].parent


def test_a_method_that_is_named_twice_is_studied_once(
    study: SymbolStudy, cache: Path, pages: list[Path]
) -> None:
    twice = study_symbols(pages, read_truths(pages), ("b", "d", "b"), cache=cache, draws=2)
    assert twice.methods == ("b", "d")
    assert twice.figures["f"]["b"] == study.figures["f"]["b"]


def test_a_page_that_cannot_be_read_is_no_page_without_spots(
    study: SymbolStudy, cache: Path, pages: list[Path], tmp_path: Path
) -> None:
    copies = [tmp_path / page.name for page in pages]
    for page, copy in zip(pages, copies, strict=True):
        copy.write_bytes(page.read_bytes())
        copy.with_suffix(".xml").write_bytes(page.with_suffix(".xml").read_bytes())
    truth = read_truths(copies)
    (kept,) = truth.truths[pages[0].stem].regions[:1]
    one = replace(truth.truths[pages[0].stem], regions=(kept,))
    others = {page.stem: replace(truth.truths[page.stem], regions=()) for page in pages[1:]}
    copies[2].write_bytes(b"no image")
    with pytest.raises(SpotlabError, match="the page 'plan_003' cannot be searched"):
        study_symbols(
            copies, replace(truth, truths={pages[0].stem: one, **others}), "b", cache=cache
        )


def test_what_was_cancelled_goes_on(tmp_path: Path, pages: list[Path]) -> None:
    def stop(done: int, _total: int | None, doing: str) -> None:
        if doing == "spotting symbols" and done == 2:
            raise Cancelled

    truth = read_truths(pages)
    with pytest.raises(Cancelled):
        study_symbols(pages, truth, ["b"], cache=tmp_path, draws=2, progress=stop)
    kept = {path: path.stat().st_ino for path in tmp_path.rglob("*.spots")}
    assert kept
    study_symbols(pages, truth, ["b"], cache=tmp_path, draws=2)
    assert kept.items() <= {p: p.stat().st_ino for p in tmp_path.rglob("*.spots")}.items()


def test_what_cannot_be_studied_is_said(pages: list[Path], cache: Path) -> None:
    truth = read_truths(pages)
    with pytest.raises(SpotlabError, match="no method 'z'"):
        study_symbols(pages, truth, ["z"], cache=cache)
    with pytest.raises(SpotlabError, match="'plan_001' has no truth"):
        study_symbols(pages, replace(truth, truths={}), ["b"], cache=cache)
    bare = {name: replace(each, regions=()) for name, each in truth.truths.items()}
    with pytest.raises(SpotlabError, match="no symbol with a label"):
        study_symbols(pages, replace(truth, truths=bare), ["b"], cache=cache)


def test_one_command_writes_the_report(
    tmp_path: Path, cache: Path, pages: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report"
    chosen = ("--pages", pages[0].parent, "--cache", cache, "--methods", "b,d", "--draws", 5)
    assert run(*chosen, "--jobs", 1, "--out", out, "--json", tmp_path / "study.json") == 0
    said = capsys.readouterr().out
    assert "3 pages" in said and "report.html" in said and "AveP (%)" in said
    numbers = json.loads((tmp_path / "study.json").read_text())
    assert numbers == json.loads((out / "study.json").read_text())
    with (out / "table-2.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["method"][0] for row in rows] == ["b", "d"]
    assert float(rows[0]["f_paper"]) == 23.34
    assert float(rows[1]["f"]) == numbers["figures"]["f"]["d"]
    page = (out / "report.html").read_text()
    assert page.count("<svg") == 7 and "http" not in page.split("<svg")[0].split("</style>")[1]
    for name in ("table-3", "statements", "collection", "classes", "parts", "differences"):
        assert (out / f"{name}.csv").stat().st_size and (out / f"{name}.tex").stat().st_size
    for name in ("6", "6-page", "7", "8", "9-curves", "9-curves-by-number", "10"):
        assert (out / f"fig-{name}.svg").stat().st_size and (out / f"fig-{name}.pdf").stat().st_size


def test_truth_without_pages_is_a_mistake(
    pages: list[Path], cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # drawn pages may have the names of these
    assert run("--truth", pages[0].parent, "--count", 1, "--cache", cache) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "--truth needs --pages" in said.err


def test_the_command_names_what_the_study_has() -> None:
    assert (COUNT, SEED) == (symbol_study.PAGES, symbol_study.SEED)
    assert ",".join(sorted(spotting_methods())) == METHODS


def test_what_changes_do_to_descriptors_is_a_part_of_the_report() -> None:
    kind = symbol_kinds()["sofa"]
    changes = (CHANGES[0], next(each for each in CHANGES if each.name == "mirrored"))
    found = measure_invariance(drawings=kind.drawings[:2], changes=changes)
    table = invariance_section(found).tables["invariance"]
    assert [row[0].text for row in table.rows] == ["rotation 5°", "mirrored left to right"]
    assert len(table.columns) == 2 + 3 * len(found.false) == len(table.rows[0])
    assert table.rows[1][3].value == pytest.approx(100 * found.of("a", "mirrored")[0].within)


def test_damage_and_work_as_tables() -> None:
    points = tuple(
        RobustnessPoint("gaps", amount, "b", mended, 10, 12, found, None, None)
        for amount, found in ((0.0, 9), (8.0, 5))
        for mended in (False, True)
    )
    section = robustness_section(Robustness(points, {"b": "Hu"}, 1, ("sofa",)))
    rows = section.tables["robustness"].rows
    assert [[cell.text for cell in row] for row in rows] == [
        ["gaps", "0", "90.0", "90.0"], ["gaps", "8", "50.0", "50.0"],
    ]  # fmt: skip
    first, second = section.figures["robustness-curves"].figure().axes
    assert [line.get_linestyle() for line in first.lines] == ["--", "-"] and not second.lines
    pages = (PageWork("p", 10, 6, 3, 4, 5, 4.5), PageWork("q", 5, 0, 2, 5, 0, 0.0))
    rows = work_table(WorkSaved(pages)).rows
    assert [cell.text for cell in rows[-1]] == ["All", "15", "6", "9", "5", "40.0", "0.83"]
    assert rows[1][-1].text == "–"
