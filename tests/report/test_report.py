"""A report is whole, says what the evaluation says, and needs nothing but itself."""

from __future__ import annotations

import csv
import html
import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from spotlab.errors import Cancelled, NotSaved
from spotlab.formats.runs.reading import read_run
from spotlab.imaging.overlay import AreaKind
from spotlab.measures.measure import MeasureSettings, default_figures, known_figures
from spotlab.report.images import draw_worst, measure_pages
from spotlab.report.pictures import area_table
from spotlab.report.write import write_report
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.evaluate.evaluation import Evaluation
from spotlab.studies.evaluate.evaluation_json import as_json
from spotlab.studies.tally.truth import read_truths
from tests.gui.inspect.inspecting import write_collection, write_runs

THEN = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    folder = write_collection(tmp_path_factory.mktemp("collection"))
    runs = [read_run(path) for path in write_runs(folder / "runs")]
    return evaluate(read_truths([folder]), runs, draws=50)


@pytest.fixture(scope="module")
def written(evaluation: Evaluation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its report, for all who only read it."""
    folder = tmp_path_factory.mktemp("written") / "report"
    assert write_report(evaluation, folder, made=THEN) == folder / "report.html"
    return folder


class Page(HTMLParser):
    """Counts elements, gathers what they refer to, and all that is no program or style."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.references: list[str] = []
        self.values: list[str] = []
        self.said = ""
        self._program = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self._program = tag == "style" or (tag == "script" and not attrs)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href"):
                self.references.append(value or "")
            if name == "data-sort":
                self.values.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        self._program = False

    def handle_data(self, data: str) -> None:
        self.said += "" if self._program else data


def test_the_page_needs_nothing_else(written: Path) -> None:
    text = (written / "report.html").read_text()
    found = Page(text)
    assert all(
        each.startswith(("data:image/png;base64,", "data:image/webp;base64,", "#"))
        for each in found.references
    )
    said = found.said
    assert "{{" not in said and "NaN" not in said and "nan" not in [*found.values, *said.split()]
    assert found.values
    assert found.elements.count("svg") >= 3
    assert found.elements.count("img") >= 1
    for figure in known_figures():
        assert html.escape(figure.titled(MeasureSettings(), unit=True)) in text


@pytest.mark.slow
def test_the_same_evaluation_gives_the_same_bytes(
    evaluation: Evaluation, written: Path, tmp_path: Path
) -> None:
    write_report(evaluation, tmp_path / "again", made=THEN)

    for path in written.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes(), path.name


def test_tables_hold_the_figures(evaluation: Evaluation, written: Path) -> None:
    for run in evaluation.runs:
        with (written / f"queries-{run.name}.csv").open() as file:
            rows = {row["query"]: row for row in csv.DictReader(file)}
        assert set(rows) == set(run.tally.queries)
        for number, query in enumerate(run.tally.queries):
            cell, value = rows[query]["area_recall"], run.figures.columns["area_recall"][number]
            assert (float(cell) if cell else None) == (value if value == value else None)
    latex = (written / "runs.tex").read_text()
    assert latex.count("&") == (len(evaluation.runs) + 1) * len(default_figures())
    with (written / "runs.csv").open() as file:
        runs = list(csv.DictReader(file))
    for row, run in zip(runs, evaluation.runs, strict=True):  # every figure, and its interval
        for figure in known_figures():
            interval = run.intervals_of(evaluation.design)[figure.name]
            interval = interval if figure.over == "mean" else None  # that is of means
            ends = [row[f"{figure.name}_{end}"] for end in ("low", "high")]
            assert ends == (
                ["", ""] if interval is None else [str(interval.low), str(interval.high)]
            )
    whole = json.loads((written / "evaluation.json").read_text())
    assert [run["name"] for run in whole["runs"]] == [run.name for run in evaluation.runs]


def test_plots_are_svg_and_pdf(written: Path) -> None:
    assert (written / "curves.pdf").read_bytes().startswith(b"%PDF-")
    svg = (written / "curves.svg").read_text()
    assert re.search(r"<text[^>]*>[^<]*recall", svg)  # letters stay letters


def test_names_are_not_markup(evaluation: Evaluation, tmp_path: Path) -> None:
    evil = replace(evaluation.runs[0], name="<script>alert(1)</script>")

    page = write_report(
        replace(evaluation, runs=(evil,), comparisons={}), tmp_path / "r", made=THEN
    )

    assert "<script>alert" not in page.read_text()
    assert all(path.parent == tmp_path / "r" for path in (tmp_path / "r").rglob("*"))


def test_runs_of_nearly_the_same_name_have_files_of_their_own(
    evaluation: Evaluation, tmp_path: Path
) -> None:
    alike = tuple(replace(evaluation.runs[0], name=name) for name in ("a/b", "a_b"))

    write_report(replace(evaluation, runs=alike, comparisons={}), tmp_path / "r", made=THEN)

    names = {path.name for path in (tmp_path / "r").glob("queries-*.csv")}
    assert names == {"queries-a_b.csv", "queries-a_b-2.csv"}


def test_no_runs_is_a_report_too(evaluation: Evaluation, tmp_path: Path) -> None:
    page = write_report(replace(evaluation, runs=(), comparisons={}), tmp_path / "r", made=THEN)

    assert "<html" in page.read_text()


def test_each_plot_is_told_and_cancelling_leaves_nothing(
    evaluation: Evaluation, tmp_path: Path
) -> None:
    told: list[str] = []

    def cancel(done: int, _total: int | None, doing: str) -> None:
        told.append(doing)
        if doing == "Writing the report":
            raise Cancelled

    with pytest.raises(Cancelled):
        write_report(evaluation, tmp_path / "report", cancel)

    assert list(tmp_path.iterdir()) == []
    assert told.count("writing sections") > 5 and len([x for x in told if "drawing" in x]) > 10


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o500)
    yield folder
    folder.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_closed_folder_is_said(evaluation: Evaluation, closed: Path) -> None:
    with pytest.raises(NotSaved, match="no permission"):
        write_report(evaluation, closed / "report")


@pytest.mark.slow
def test_a_file_in_the_way_is_said_and_kept(evaluation: Evaluation, tmp_path: Path) -> None:
    (tmp_path / "report").write_text("mine")

    with pytest.raises(NotSaved):
        write_report(evaluation, tmp_path / "report")

    assert (tmp_path / "report").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


@pytest.mark.slow
def test_other_files_in_the_folder_stay(evaluation: Evaluation, tmp_path: Path) -> None:
    folder = tmp_path / "report"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")

    write_report(evaluation, folder)

    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / "report.html").is_file()
    assert list(tmp_path.iterdir()) == [folder]


def test_worst_pages_say_the_areas_as_they_are_painted(
    evaluation: Evaluation, written: Path
) -> None:
    run = evaluation.runs[0]
    worst = draw_worst(evaluation, run, measure_pages(evaluation, run))

    wrong = [page.sums.wrong for page in worst]
    assert wrong == sorted(wrong, reverse=True) and wrong[0] > 0
    tally = run.tally
    for page in worst:
        at = tally.pages.index(page.page)
        found = tally.gained_true_area[tally.page == at].sum()
        assert page.sums.over_queries[AreaKind.FOUND] == pytest.approx(found)
        missed = tally.truth_area[:, at].sum() - found
        assert page.sums.over_queries[AreaKind.MISSED] == pytest.approx(missed)
        retrieved = tally.gained_area[tally.page == at].sum()
        sums = page.sums.over_queries
        outside = sums[AreaKind.FALSE] + sums[AreaKind.OTHER_LABEL]
        assert outside == pytest.approx(retrieved - found)

    text = (written / "report.html").read_text()
    for row in area_table(worst[0].sums).rows:
        cells = "".join(f"<td>{cell}</td>" for cell in row.cells)
        assert f'<th scope="row">{row.kind.words}</th>{cells}' in text


@pytest.mark.slow
def test_the_report_says_what_made_a_run(tmp_path: Path) -> None:
    folder = write_collection(tmp_path / "pages")
    partly = write_runs(tmp_path / "runs")[0]
    truths = read_truths([folder])
    without = evaluate(truths, [read_run(partly)], draws=0)
    assert "How the runs were made" not in write_report(without, tmp_path / "one").read_text()
    assert "provenance" not in as_json(without)["runs"][0]
    partly.write_text("# method: <b>e</b>\n" + partly.read_text())
    stamped = evaluate(truths, [read_run(partly)], draws=0)
    page = write_report(stamped, tmp_path / "two").read_text()
    assert "How the runs were made" in page and "&lt;b&gt;e&lt;/b&gt;" in page
    assert as_json(stamped)["runs"][0]["provenance"] == {"method": "<b>e</b>"}
