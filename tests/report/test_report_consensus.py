"""The report of a comparison is whole, says what the comparison says, and needs nothing else."""

from __future__ import annotations

import csv
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from markupsafe import escape

from spotlab.consensus.agreement import measure_agreement
from spotlab.consensus.answers import Draw, KnownAnswers
from spotlab.consensus.comparison import SystemFigures
from spotlab.consensus.votes import Votes
from spotlab.errors import NotSaved
from spotlab.formats.votes import VoteTable
from spotlab.report.studies.consensus import (
    RankColumn,
    agreement_chart,
    bar_chart,
    slope_chart,
    write_comparison,
)
from spotlab.studies.systems.comparison import SystemComparison, compare_systems
from spotlab.studies.systems.comparison_json import as_json
from tests.report.test_report import Page

THEN = datetime(2026, 11, 21, 12, tzinfo=UTC)


def votes_of(systems: int = 6, items: int = 120) -> tuple[Votes, np.ndarray]:
    rng = np.random.default_rng(2)
    truth = (rng.random(items) < 0.5).astype(np.float64)
    columns = [
        np.where(rng.random(items) < 0.1 + 0.05 * n, 1 - truth, truth) for n in range(systems)
    ]
    columns[1] = np.where(rng.random(items) < 0.05, 1 - columns[0], columns[0])
    columns[-1] = np.zeros(items)  # votes for nothing
    names = ["a<b>", *(f"s{number}" for number in range(1, systems))]
    return Votes.of(np.stack(columns, axis=1), names), truth


@pytest.fixture(scope="module")
def comparison() -> SystemComparison:
    votes, truth = votes_of()
    items = tuple(f"i{number}" for number in range(len(votes)))
    pages = tuple(f"page {number % 3}" for number in range(len(votes)))
    factors = {"engine": ("x", "x", "y", "y", "z", "z")}
    asked = np.arange(0, len(votes), 5)
    draw = Draw(asked, np.full(len(asked), 0.2))
    return compare_systems(
        VoteTable(votes, items, pages, truth, factors, name="trial"),
        group_by="engine", answers=KnownAnswers.none().with_draw(draw, truth[asked]),
    )  # fmt: skip


@pytest.fixture(scope="module")
def written(comparison: SystemComparison, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its report, for all who only read it."""
    folder = tmp_path_factory.mktemp("written") / "report"
    assert write_comparison(comparison, folder, THEN) == folder / "report.html"
    return folder


def test_the_page_needs_nothing_else(comparison: SystemComparison, written: Path) -> None:
    text = (written / "report.html").read_text()
    found = Page(text)
    assert all(
        each.startswith(("data:image/png;base64,", "data:image/webp;base64,", "#"))
        for each in found.references
    )
    said = found.said
    assert "{{" not in said and "NaN" not in said and "nan" not in said.split()
    assert ">None<" not in text
    assert "a&lt;b&gt;" in text and "a<b>" not in text
    heads = re.findall(r"<h2>(.*?)</h2>", text)
    assert heads == [
        "Summary", "Warnings", "Recommended estimate: With answers", "Systems, Lamiroy &amp; Sun",
        "Systems, Majority", "Ranking by method (Fig. 3)", "Agreement",
        "Within groups: engine (Fig. 4)", "Other methods", "Which is better?",
        "Items with the most disagreement",
    ]  # fmt: skip
    assert found.elements.count("svg") == 9
    for warning in comparison.warnings:
        assert str(escape(warning)) in text


def test_the_same_comparison_gives_the_same_files(
    comparison: SystemComparison, written: Path, tmp_path: Path
) -> None:
    write_comparison(comparison, tmp_path / "again", THEN)
    files = sorted(path.name for path in written.iterdir())
    wanted = "report.html study.json systems.csv systems.tex ranking.svg ranking.pdf agreement.svg "
    wanted += "groups.svg intervals.pdf better.csv disputed.csv group-1.csv methods-systems.csv "
    wanted += "other-methods-systems.tex paper.csv majority.csv intervals-paper.svg"
    assert set(wanted.split()) <= set(files)
    for name in files:
        assert (written / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    numbers = json.loads((written / "study.json").read_text())
    assert numbers == json.loads(json.dumps(as_json(comparison)))


def test_tables_hold_what_was_computed(comparison: SystemComparison, written: Path) -> None:
    with (written / "systems.csv").open() as file:
        rows = {row["system"]: row for row in csv.DictReader(file)}
    figures, truth = comparison.leading.figures, comparison.truth
    assert truth is not None
    for place, name in enumerate(comparison.systems[:-1]):
        assert float(rows[name]["f"]) == figures.f[place]
        assert float(rows[name]["true_recall"]) == truth.recall[place]
    assert rows["s5"]["precision"] == ""  # undefined, no number
    assert float(rows["⊤, all items"]["recall"]) == 1
    assert [row["system"] for row in csv.DictReader((written / "methods-systems.csv").open())] == [
        comparison.systems[place] for place in np.argsort(figures.rank, kind="stable")
    ]


def test_without_truth_and_groups_there_is_less_to_say(tmp_path: Path) -> None:
    votes, _ = votes_of(3)
    plain = compare_systems(VoteTable(votes, tuple(map(str, range(120)))))
    text = write_comparison(plain, tmp_path / "report", THEN).read_text()
    heads = re.findall(r"<h2>(.*?)</h2>", text)
    assert "With answers" not in text and "Agreement" in heads
    assert "Truth is not known." in text
    assert "with truth" not in (tmp_path / "report" / "systems.csv").read_text().lower()


def test_what_cannot_be_written_leaves_nothing(
    comparison: SystemComparison, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotSaved, match="was not written"):
        write_comparison(comparison, tmp_path / "file" / "report", THEN)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_slopes_go_from_rank_to_rank() -> None:
    first, second = np.array([1.0, 2, 2, np.nan]), np.array([3.0, 1, 2, 4])
    columns = [RankColumn("with", first), RankColumn("without", second)]
    (axis,) = slope_chart("abcd", columns, ["red"] * 4).axes
    heights = [line.get_ydata().tolist() for line in axis.get_lines()]
    assert heights[:3] == [[1, 3], [2, 1], [3, 2]]  # of the same rank, one stands below the other
    assert np.isnan(heights[3][0]) and heights[3][1] == 4
    texts = [text.get_text().split() for text in axis.texts]
    assert ["c", "2"] in texts and ["4", "d"] in texts and ["d", "nan"] not in texts


def test_bars_of_precision_and_recall_with_truth_and_without() -> None:
    figures = SystemFigures(*map(np.array, ([0.2, 0.9], [0.4, 0.8], [0.3, 0.85])))
    truth = SystemFigures(*map(np.array, ([0.5, np.nan], [0.6, 0.7], [0.55, np.nan])))
    left, right = bar_chart("ab", figures, truth, "Majority").axes
    assert [text.get_text() for text in left.get_yticklabels()] == ["b", "a"]  # the best first
    assert [bar.get_width() for bar in right.patches] == [0.9, 0.2, 0.8, 0.4]
    assert [bar.get_width() for bar in left.patches] == [0.0, 0.5, 0.7, 0.6]
    (alone,) = bar_chart("ab", figures, None, "Majority").axes
    assert alone.get_title(loc="left") == "Majority"


def test_the_dendrogram_stands_on_the_rows_of_the_matrix() -> None:
    votes, _ = votes_of()
    found = measure_agreement(votes)
    left, matrix, _ = agreement_chart(found, np.array([0, 0, 1, 2, 3, 4])).axes
    shown = matrix.get_images()[0].get_array()
    np.testing.assert_array_equal(
        np.ma.filled(shown, np.nan), found.phi[np.ix_(found.order, found.order)]
    )
    leaves = [y for line in left.get_lines() for x, y in line.get_xydata() if x == 0]
    assert sorted(leaves) == list(range(6))
    first = left.get_lines()[0].get_ydata()  # the two that agree most are side by side
    assert abs(first[0] - first[-1]) == 1
    assert len(matrix.patches) == 1
