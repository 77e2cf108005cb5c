"""Subsets of pages: chosen by patterns and files, and what is evaluated of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import BadInput
from spotlab.formats.runs import read_run
from spotlab.measures.figures import figures_by_page, page_sums
from spotlab.resources import sample_collection
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.evaluate.evaluation import Evaluation
from spotlab.studies.evaluate.evaluation_json import as_json
from spotlab.studies.tally.subset import read_subset, subset_of, write_subset
from spotlab.studies.tally.truth import TruthSet, read_truths
from tests.judging_files import box, command, judged, points, write_run, write_truth

SAMPLE = sample_collection()
RUN = SAMPLE / "runs" / "a_ratios.csv"


@pytest.fixture(scope="module")
def sample() -> TruthSet:
    return read_truths([SAMPLE])


def of(truths: TruthSet) -> Evaluation:
    return evaluate(truths, [read_run(RUN)], draws=0)


def test_a_subset_has_the_figures_of_a_collection_of_its_pages(
    sample: TruthSet, tmp_path: Path
) -> None:
    part = subset_of(sample, ["plan_00[1-3]"])
    assert list(part.truths) == ["plan_001", "plan_002", "plan_003"]
    alone = read_truths([SAMPLE / f"{name}.png" for name in part.truths])
    ours, theirs = of(part).runs[0], of(alone).runs[0]
    assert ours.figures.pooled == theirs.figures.pooled
    assert ours.figures.mean == theirs.figures.mean


def test_pages_outside_are_told_once_and_are_no_fault(sample: TruthSet) -> None:
    found = of(subset_of(sample, ["plan_001"]))
    assert found.remarks[0] == "a subset: 1 of 12 pages with truth are evaluated"
    assert found.runs[0].left_out == ()
    assert not any("pages without truth" in remark for remark in found.runs[0].remarks)
    assert len(as_json(found)["truth"]["outside"]) == 11


def test_a_subset_file_names_pages_as_runs_do(sample: TruthSet, tmp_path: Path) -> None:
    file = tmp_path / "worn.txt"
    file.write_text("# the worn ones\n\nplan_003.png\nplan_001\nplan_001\n")
    assert read_subset(file) == ("plan_003.png", "plan_001")
    assert list(subset_of(sample, files=[file]).truths) == ["plan_001", "plan_003"]
    assert list(subset_of(sample, ["plan_012"], [file]).truths) == [
        "plan_001",
        "plan_003",
        "plan_012",
    ]


def test_a_subset_is_written_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "worn.txt"
    write_subset(file, ["plan é", "b"])
    assert read_subset(file) == ("plan é", "b")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"# nothing\n", "names no page"),
        (b"plan_001\nT\xfcr\n", "'Tür': there is no such page"),
        (b"plan_001\nplan_099\n", "'plan_099': there is no such page"),
    ],
)
def test_a_bad_subset_file_says_what_is_wrong(
    sample: TruthSet, tmp_path: Path, content: bytes, problem: str
) -> None:
    file = tmp_path / "bad.txt"
    file.write_bytes(content)
    with pytest.raises(BadInput, match=problem) as raised:
        subset_of(sample, files=[file])
    assert "bad.txt" in str(raised.value)


def test_pages_add_up_to_the_collection(sample: TruthSet) -> None:
    figures = of(sample).runs[0].figures
    for counts in (None, np.arange(len(figures.tally.queries))):
        of_pages, whole = page_sums(figures, counts), figures.sums
        if counts is not None:
            whole = figures.sums_at(counts)
        for name in ("retrieved", "relevant", "truth", "symbols", "recognised", "false_positives"):
            together = getattr(of_pages, name).sum(axis=1)
            assert together == pytest.approx(getattr(whole, name), rel=1e-9, abs=1e-6), name


def test_the_figures_of_a_page_are_those_of_a_subset_of_it(sample: TruthSet) -> None:
    whole = of(sample).runs[0].figures
    columns = figures_by_page(whole)
    page = whole.tally.pages.index("plan_004")
    alone = of(subset_of(sample, ["plan_004"])).runs[0].figures
    for name in ("area_recall", "symbols", "recognised", "recognition_rate"):
        assert columns[name][page] == pytest.approx(alone.pooled[name]), name


def test_the_figures_of_pages_by_hand(tmp_path: Path) -> None:
    write_truth(tmp_path / "pages", "one", box("bed", 0, 0, 10, 10), box("sofa", 20, 0, 30, 10))
    write_truth(tmp_path / "pages", "two", box("bed", 0, 0, 10, 10))
    run = write_run(
        tmp_path / "run.csv",
        ("bed", "one", 0.9, points(0, 0, 10, 5)),
        ("sofa", "two", 0.8, points(50, 50, 60, 60)),
    )
    figures = judged(tmp_path / "pages", run).runs[0].figures
    columns = figures_by_page(figures)
    assert columns["area_precision"].tolist() == [1.0, 0.0]
    assert columns["area_recall"].tolist() == [0.25, 0.0]
    assert columns["false_positives"].tolist() == [1.0, 1.0]  # half of the bed is below .75
    # two queries are asked of each page of 10,000 px²
    assert columns["fall_out"][1] == pytest.approx(100 / (20_000 - 100))
    assert columns["symbols"].tolist() == [2.0, 1.0]


def test_the_command_takes_patterns_and_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.txt"
    file.write_text("plan_007\n")
    arguments = ("evaluate", "--truth", SAMPLE, "--run", RUN, "--draws", 0)
    assert command(*arguments, "--pages", "plan_00[12]", "--subset", file) == 0
    assert "a subset: 3 of 12 pages" in capsys.readouterr().out
    assert command(*arguments, "--pages", "plam*") == 2
    assert "no page with truth fits 'plam*'" in capsys.readouterr().err
