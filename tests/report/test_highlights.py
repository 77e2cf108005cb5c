"""The best of a column is bold, ties are all bold, and stars mean what the caption says."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from spotlab.measures.intervals import Design, Difference, Interval
from spotlab.report.run_tables import only_columns, stars_of, with_best, with_best_and_stars
from spotlab.report.tables import Cell, Column, Table, as_csv, as_latex

HEADS = (
    Column("Run", "run"),
    Column("F", "f", better=1),
    Column("Fall-out", "fall_out", better=-1),
    Column("Symbols", "symbols"),
)


DESIGN = Design("f", "F", "queries", 12, 5)


def table(*rows: tuple[str, float | None, float | None]) -> Table:
    def cell(value: float | None) -> Cell:
        return Cell("–") if value is None else Cell(f"{value:.2f}", value)

    cells = ((Cell(name), cell(f), cell(out), Cell("7", 7.0)) for name, f, out in rows)
    return Table("Runs", HEADS, tuple(cells))


def best(marked: Table) -> list[list[bool]]:
    return [[cell.best for cell in row[1:]] for row in marked.rows]


def of(p: float) -> Difference:
    return Difference(0.1, Interval(0.0, 0.2), p / 4, p)


def test_the_best_is_the_highest_or_the_lowest_and_ties_are_as_printed() -> None:
    marked = with_best(table(("a", 0.501, 0.2), ("b", 0.503, 0.1), ("c", 0.2, None)))
    assert best(marked) == [[True, False, False], [True, True, False], [False, False, False]]
    assert "as printed" in marked.note


def test_one_run_is_not_the_best_and_nothing_is_of_nothing() -> None:
    assert best(with_best(table(("a", 0.5, 0.2)))) == [[False] * 3]
    assert best(with_best(table(("a", 0.5, 0.2), ("b", 0.501, 0.2)))) == [[False] * 3] * 2
    nothing = with_best(table(("a", None, None), ("b", None, None)))
    assert best(nothing) == [[False] * 3] * 2 and nothing.note == ""
    assert with_best(Table("", HEADS, ())).rows == ()


def test_stars_are_of_corrected_differences_to_the_best() -> None:
    pairs = {
        ("a", "b"): {"f": of(0.03), "fall_out": of(0.0002)},
        ("a", "c"): {"f": of(0.0001), "fall_out": of(0.0001)},  # c is the best of nothing
        ("b", "c"): {"f": of(0.2), "fall_out": None},
    }
    marked = with_best_and_stars(
        table(("a", 0.3, 0.3), ("b", 0.7, 0.1), ("c", 0.6, 0.2)), pairs, DESIGN
    )
    stars = [[cell.stars for cell in row[1:]] for row in marked.rows]
    assert stars == [["*", "***", ""], ["", "", ""], ["", "", ""]]
    assert "differs from the best of the column" in marked.note
    assert "corrected by Holm for 5 pairs of runs" in marked.note
    assert (
        "none with p < .05"
        in with_best_and_stars(marked, {("a", "b"): {"f": of(0.3)}}, DESIGN).note
    )


@pytest.mark.parametrize(
    ("p", "stars"), [(0.05, ""), (0.0499, "*"), (0.01, "*"), (0.001, "**"), (0.0, "***")]
)
def test_levels(p: float, stars: str) -> None:
    assert stars_of(p) == stars


def test_latex_says_what_is_bold_and_starred() -> None:
    pairs = {("[a_1]", "b"): {"f": of(0.004)}}
    marked = with_best_and_stars(table(("[a_1]", 0.3, None), ("b", 0.7, 0.1)), pairs, DESIGN)
    latex = as_latex(only_columns(marked, ["f", "fall_out"]))
    assert r"{}[a\_1] & 0.30\textsuperscript{**} & -- \\" in latex
    assert r"b & \textbf{0.70} & \textbf{0.10} \\" in latex
    assert "Symbols" not in latex and r"** p $<$ .01" in latex


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="LaTeX is not installed")
def test_latex_is_typeset(tmp_path: Path) -> None:
    body = as_latex(with_best(table(("[a]", 0.3, None), ("[*]", 0.7, 0.1))))
    (tmp_path / "t.tex").write_text(
        r"\documentclass{article}\usepackage{booktabs}\begin{document}" + body + r"\end{document}"
    )
    done = subprocess.run(["pdflatex", "-halt-on-error", "t.tex"], cwd=tmp_path, check=False)
    assert done.returncode == 0


def test_csv_has_both_ends_of_intervals() -> None:
    rows = ((Cell("a"), Cell(".5", 0.5, ends=(0.4, 0.6))), (Cell("b"), Cell("–")))
    text = as_csv(Table("", HEADS[:2], rows, has_ends=True))
    assert text == "run,f,f_low,f_high\na,0.5,0.4,0.6\nb,,,\n"
