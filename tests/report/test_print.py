"""Plots and tables for print: fonts of TrueType, labelled axes, a legend of every mark, LaTeX."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import combinations
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from matplotlib import rc_context
from matplotlib.text import Text
from scipy.stats import rankdata

import spotlab
from spotlab.measures.intervals import Design
from spotlab.report.charts import styled
from spotlab.report.colours import RunStyle
from spotlab.report.run_plots import confusion_figure, rank_figure
from spotlab.report.tables import Cell, Column, Table, as_latex
from tests.judging_files import command

PLANS = Path(__file__).resolve().parents[2] / "datasets" / "floorplans"
RUNS = sorted((PLANS / "runs").glob("*.csv"))
KIND = r"(?:tabular|longtable)"
TABULAR = re.compile(rf"\\begin\{{{KIND}\}}\{{(\w+)\}}(.*?)\\end\{{{KIND}\}}", re.DOTALL)
FOLDED = re.compile(r'<details class="run"( open)?><summary class="run" data-link="run:(\w+)">')
FONTS = re.compile(rb"/Subtype\s*/(Type3|Type1|TrueType|CIDFontType2|CIDFontType0)\b")


@pytest.fixture(scope="module")
def result() -> spotlab.EvaluationResult:
    return spotlab.evaluate(PLANS, RUNS[:2], draws=50)


@pytest.fixture(scope="module")
def five() -> spotlab.EvaluationResult:
    return spotlab.evaluate(PLANS, RUNS, draws=1000)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five runs of three pages, two of them in full."""
    folder = tmp_path_factory.mktemp("print")
    runs = [part for run in RUNS for part in ("--run", run)]
    assert (
        command(
            "evaluate", "--truth", PLANS, *runs, "--pages", "plan_00[1-3]*", "--draws", 20,
            "--in-full", "c_polygons", "--out", folder / "report",
        ) == 0
    )  # fmt: skip
    return folder / "report"


def fonts_of(pdf: Path) -> set[bytes]:
    return set(FONTS.findall(pdf.read_bytes()))


def text_of(pdf: Path) -> str:
    page = pypdfium2.PdfDocument(pdf)[0]
    return str(page.get_textpage().get_text_bounded())


def test_fonts_are_truetype_in_every_plot(
    result: spotlab.EvaluationResult, report: Path, tmp_path: Path
) -> None:
    result.curves().plot().savefig(tmp_path / "python.pdf")
    pdfs = [tmp_path / "python.pdf", *report.glob("*.pdf")]
    assert len(pdfs) > 4
    for pdf in pdfs:
        assert b"CIDFontType2" in fonts_of(pdf), pdf.name
        assert not fonts_of(pdf) & {b"Type3", b"Type1"}, pdf.name


def test_axes_and_every_mark_are_named(result: spotlab.EvaluationResult, tmp_path: Path) -> None:
    result.curves().plot(width=7.16).savefig(tmp_path / "two.pdf")
    text = text_of(tmp_path / "two.pdf")
    for words in ("Area recall r", "Precision at recall r", "Fall-out at recall r", "F at recall r",
                  "a_ratios", "b_hu", "interval of the mean", "means over 36 queries"):  # fmt: skip
        assert words in text
    page = pypdfium2.PdfDocument(tmp_path / "two.pdf")[0]
    assert page.get_width() == pytest.approx(7.16 * 72, abs=1)


def test_the_detectors_view_is_drawn_for_print(report: Path) -> None:
    text = text_of(report / "detector-curves.pdf")
    for words in ("Recall at IoU .5", "Precision at IoU .5", "F at IoU .5", "c_polygons",
                  "Score from which spots"):  # fmt: skip
        assert words in text
    assert "a_ratios" in text_of(report / "detector-curves-all-runs.pdf")
    assert "F at IoU .5" in text_of(report / "curve-score-f.pdf")
    page = (report / "report.html").read_text("utf-8")
    assert "The detector's view" in page and "Score from which spots are kept" in page


def test_ranks_are_those_of_scipy_and_bars_those_of_the_letters(
    five: spotlab.EvaluationResult, tmp_path: Path
) -> None:
    figure = five.plot_critical_difference()
    figure.savefig(tmp_path / "ranks.pdf")
    text = text_of(tmp_path / "ranks.pdf")
    per_query = five.frame().pivot(index="query", columns="run", values="iou_precision").dropna()
    ranks = rankdata(-per_query.round(9), axis=1).mean(axis=0)
    for name, rank in zip(per_query.columns, ranks.tolist(), strict=True):
        assert name in text and f"{rank:.2f}" in text
    letters = dict(zip(per_query.columns, five.evaluation.letters, strict=True))
    alike = {
        (one, other)
        for one, other in combinations(letters, 2)
        if set(letters[one]) & set(letters[other])
    }
    bars = [line for line in figure.axes[0].lines if line.get_marker() == "."]
    by_rank = {round(rank, 6): name for name, rank in zip(per_query.columns, ranks, strict=True)}
    joined = {
        pair
        for bar in bars
        for pair in combinations(sorted(by_rank[round(x, 6)] for x in bar.get_xdata()), 2)
    }
    assert alike and joined == alike
    assert "10 pairs" in text and "36 queries" in text


@pytest.mark.parametrize(("alike", "said"), [(True, "A bar joins"), (False, "All runs differ")])
def test_two_runs_that_do_not_differ_are_joined(alike: bool, said: str) -> None:
    p = np.full((3, 3), 0.001)
    if alike:
        p[0, 2] = p[2, 0] = 0.4
    design = Design("f", "F at r", "queries", 20, 3, ranks=(1.4, 2.9, 1.7))
    styles = [RunStyle(colour) for colour in ("#111111", "#222222", "#333333")]
    figure = rank_figure(["one", "two", "three"], styles, design, p)
    bars = [line for line in figure.axes[0].lines if line.get_marker() == "."]
    assert [sorted(bar.get_xdata()) for bar in bars] == ([[1.4, 1.7]] if alike else [])
    assert said in " ".join(text.get_text() for text in figure.texts)


@pytest.mark.parametrize("by", ["spots", "area"])
def test_cells_of_confusions_have_their_numbers(five: spotlab.EvaluationResult, by: str) -> None:
    confusion = five.evaluation.confusion(five.evaluation.runs[0])
    figure = confusion_figure("a_ratios", confusion, by, width=16)
    table = confusion.table(by)
    assert figure is not None and table is not None
    axis = figure.axes[0]
    written = {text.get_text() for text in axis.texts}
    unit = 1 if by == "spots" else 1000
    rows, columns = confusion.worst_first(by)
    expected = {f"{each / unit:,.0f}" for each in table[np.ix_(rows[:5], columns[:5])].flat if each}
    assert expected and expected <= written
    left, bottom, right, top = axis.get_position().extents
    assert 0 <= left < right <= 1 and 0 <= bottom < top <= 1
    assert figure.get_figheight() > len(axis.get_yticks()) * 0.08


def test_nothing_follows_the_settings_of_matplotlib(five: spotlab.EvaluationResult) -> None:
    run = RUNS[0].stem
    with rc_context({"text.usetex": True, "text.parse_math": True}):
        figures = five.plot_critical_difference(), five.plot_confusion(run), five.plot_errors(run)
        with styled():
            texts = [text for figure in figures for text in figure.findobj(Text)]
    assert len(texts) > 50
    assert not any(text.get_usetex() or text.get_parse_math() for text in texts)


def test_nothing_tested_has_no_ranks() -> None:
    alone = spotlab.evaluate(PLANS / "plan_001.png", RUNS[0], draws=0)
    with pytest.raises(spotlab.BadArgument, match="expected two runs and draws"):
        alone.plot_critical_difference()
    with pytest.raises(
        spotlab.BadArgument, match="names nobody; expected one of the runs a_ratios"
    ):
        alone.plot_errors("nobody")


def test_confusions_and_errors_are_pictures(report: Path, tmp_path: Path) -> None:
    for by, words in (("spots", "number of spots"), ("area", "area in 1,000 px²")):
        text = text_of(report / f"confusion-{by}-c_polygons.pdf")
        assert words in text and "sofa" in text and "own label" in text and "missed" in text
    text = text_of(report / "errors-c_polygons.pdf")
    assert "the worst errors at IoU .5" in text and "spot" in text and "truth" in text
    assert b"/Image" in (report / "errors-c_polygons.pdf").read_bytes()
    assert not (report / "errors-a_ratios.pdf").exists()  # which is not shown in full
    narrow = spotlab.evaluate(PLANS / "plan_001.png", RUNS[0], draws=0).plot_confusion(width=3.5)
    narrow.savefig(tmp_path / "narrow.pdf")
    assert "labels of" in text_of(tmp_path / "narrow.pdf").replace("\r\n", " ")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX")
def test_every_table_and_plot_is_compiled_by_latex(report: Path, tmp_path: Path) -> None:
    tables = [rf"\input{{{path}}}\clearpage" for path in sorted(report.glob("*.tex"))]
    plots = [
        rf"\noindent\includegraphics{{{path}}}\clearpage" for path in sorted(report.glob("*.pdf"))
    ]
    (tmp_path / "paper.tex").write_text("\n".join([
        r"\documentclass{article}", r"\usepackage[textwidth=7.16in]{geometry}",
        r"\usepackage[T1]{fontenc}", r"\usepackage{booktabs,longtable,graphicx}",
        r"\begin{document}", *tables, *plots, r"\end{document}",
    ]), "utf-8")  # fmt: skip
    arguments = ("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex")
    made = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout[-2000:]
    wide = re.findall(r"Overfull \\hbox \((\d+)\.\d+pt", made.stdout)
    assert max(map(int, wide), default=0) < 10


def test_runs_and_queries_are_chosen(result: spotlab.EvaluationResult, tmp_path: Path) -> None:
    result.curves().plot(["b_hu"], query="sofa", width=3.5).savefig(tmp_path / "one.pdf")
    text = text_of(tmp_path / "one.pdf")
    assert "query: sofa" in text
    assert "a_ratios" not in text
    with pytest.raises(spotlab.BadArgument, match="names 'nobody'; expected of a_ratios, b_hu"):
        result.curves().plot(["nobody"])
    with pytest.raises(spotlab.BadArgument, match="'spaceship', which none of the runs has"):
        result.curves().plot(query="spaceship")


def test_latex_is_balanced_and_has_as_many_cells_as_columns(report: Path) -> None:
    files = sorted(report.glob("*.tex"))
    assert len(files) > 20
    kinds = set()
    for path in files:
        text = path.read_text("utf-8")
        opened = re.findall(r"\\begin\{(\S+?)\}", text)
        assert sorted(opened) == sorted(re.findall(r"\\end\{(\S+?)\}", text)), path.name
        kinds |= set(opened)
        bare = text.replace(r"\{", "").replace(r"\}", "")
        assert bare.count("{") == bare.count("}"), path.name
        for columns, body in TABULAR.findall(text):
            rows = [line for line in body.splitlines() if line.endswith(r" \\")]
            for row in rows:
                if "caption" not in row and "multicolumn" not in row:
                    cells = len(re.findall(r"(?<!\\)&", row)) + 1
                    assert cells == len(columns), (path.name, row)
        lines = [line for line in text.splitlines() if "&" in line]
        assert max((line.count("&") for line in lines), default=0) <= 14, path.name
    assert {"table", "table*"} <= kinds


def test_a_long_table_goes_over_several_pages() -> None:
    columns = (
        Column("Query", "query"),
        Column("Recognition rate (75 % of the area), in %", "rate"),
    )
    rows = tuple((Cell(f"q_{number}"), Cell("1", 1.0)) for number in range(50))
    text = as_latex(Table("Every query", columns, rows, foot=((Cell("mean"), Cell("1")),)))
    assert "table*" not in text and text.count(r"\begin{longtable}{lr}") == 1
    assert text.count(r"\toprule") == 2  # of the first page, and of all others
    head, body = text.split(r"\endlastfoot")
    assert head.index(r"\endfirsthead") < head.index(r"\endhead") < head.index(r"\endfoot")
    assert body.count(r"\\") == 51
    assert body.index("mean") > body.index(r"q\_49")


def test_a_report_of_many_runs_folds_those_that_are_not_chosen(report: Path) -> None:
    page = (report / "report.html").read_text("utf-8")
    details = FOLDED.findall(page)
    assert {name for is_open, name in details if is_open} == {"c_polygons"}
    assert details[0][1] == "c_polygons"
    assert len({name for _, name in details}) == 5


def test_a_dozen_runs_have_fewer_than_two_hundred_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = []
    for number in range(12):
        run = tmp_path / f"run_{number:02}.csv"
        run.write_bytes(RUNS[number % len(RUNS)].read_bytes())
        runs += ["--run", run]
    arguments = ("--truth", PLANS, "--pages", "plan_00[1-3]*", "--draws", 20)
    assert command("evaluate", *arguments, *runs) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 200
    assert all(any(f"run_{number:02}" in line for line in lines) for number in range(12))
