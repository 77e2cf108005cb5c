"""Evaluating from Python: whatever the truth and the runs come as, the figures are the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas
import pytest

import spotlab
from spotlab.formats.truth import page_xml
from spotlab.measures.measure import known_figures
from tests.judging_files import command, write_small


@pytest.fixture
def small(tmp_path: Path) -> tuple[Path, Path]:
    return write_small(tmp_path)


def figures(truth: object, runs: object, **options: object) -> pandas.DataFrame:
    frame = spotlab.evaluate(truth, runs, draws=0, **options).frame()  # type: ignore[arg-type]
    return frame.drop(columns="run")


def test_frames_arrays_and_files_give_the_same_figures(small: tuple[Path, Path]) -> None:
    truth, path = small
    expected = figures(truth, path)
    assert expected.set_index("query").loc["sofa", "area_recall"] == pytest.approx(0.25)
    run = spotlab.read_run(path)
    frame = run.frame()
    texts = pandas.read_csv(path)
    columns = {name: frame[name].tolist() for name in ("query", "page", "score", "points")}
    read = spotlab.read_truth(truth)
    for runs in (str(path), [path], run, run.run, frame, texts, columns, {"mine": columns}):
        pandas.testing.assert_frame_equal(figures(read, runs), expected)
    for same in ([str(truth)], read.frame(), read.frame().to_dict("list")):
        pandas.testing.assert_frame_equal(figures(same, path), expected)


def test_the_command_line_says_the_same(
    small: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    truth, run = small
    options = ("--draws", 20, "--overlap", "sum", "--beta", 2, "--json", "-")
    assert command("evaluate", "--truth", truth, "--run", run, *options) == 0
    printed = json.loads(capsys.readouterr().out)
    result = spotlab.evaluate(truth, run, draws=20, overlap="sum", beta=2)
    assert result.as_dict() == printed


def test_a_folder_of_runs_is_several_runs(small: tuple[Path, Path], tmp_path: Path) -> None:
    truth, run = small
    (tmp_path / "runs").mkdir()
    for name in ("run 10.csv", "run 2.csv"):
        (tmp_path / "runs" / name).write_bytes(run.read_bytes())
    result = spotlab.evaluate(truth, tmp_path / "runs", draws=0)
    assert [each.name for each in result.evaluation.runs] == ["run 2", "run 10"]


def test_names_are_those_of_a_mapping(small: tuple[Path, Path]) -> None:
    truth, run = small
    result = spotlab.evaluate(truth, {"mine": run, "theirs": spotlab.read_run(run)}, draws=5)
    assert result.frame()["run"].unique().tolist() == ["mine", "theirs"]
    assert set(result.differences()["first"]) == {"mine"}
    assert result.means().groupby("run").size().tolist() == [len(known_figures())] * 2
    ranks = result.ranks()
    assert ranks[(ranks["run"] == "mine") & (ranks["query"] == "sofa")]["rank"].tolist() == [
        1,
        2,
        3,
    ]


def test_curves_are_a_frame_and_a_plot(small: tuple[Path, Path], tmp_path: Path) -> None:
    truth, run = small
    curves = spotlab.evaluate(truth, run, draws=0).curves()
    frame = curves.frame(recalls=5)
    assert frame["recall"].tolist() == [0, 0.25, 0.5, 0.75, 1]
    # sofa reaches a quarter with a precision of a half; bed is never searched and counts 0
    assert frame["precision"].tolist() == pytest.approx([0.25, 0.25, 0, 0, 0])
    figure = curves.plot()
    figure.savefig(tmp_path / "curves.png")
    assert len(figure.axes) == 3
    assert figure._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(spotlab.BadArgument, match="recalls is 1"):
        curves.frame(1)


@pytest.mark.slow
def test_the_report_is_that_of_the_command(small: tuple[Path, Path], tmp_path: Path) -> None:
    page = spotlab.evaluate(*small, draws=0).write_report(tmp_path / "report")
    assert page.is_file()
    assert (tmp_path / "report" / "evaluation.json").is_file()


def test_a_run_reads_back_from_its_frame_and_its_file(
    small: tuple[Path, Path], tmp_path: Path
) -> None:
    run = spotlab.read_run(small[1])
    for suffix in (".csv", ".parquet"):
        again = spotlab.read_run(run.write(tmp_path / f"again{suffix}"))
        pandas.testing.assert_frame_equal(again.frame(), run.frame())
    pandas.testing.assert_frame_equal(spotlab.read_run(run.frame()).frame(), run.frame())


def test_truth_is_written_as_it_was_read(small: tuple[Path, Path], tmp_path: Path) -> None:
    truth = spotlab.read_truth(small[0])
    for target in (tmp_path / "pages", tmp_path / "truth.json"):
        spotlab.write_truth(truth, target)
        again = spotlab.read_truth(target).frame()
        assert again["label"].tolist() == truth.frame()["label"].tolist()
        for points, same in zip(again["points"], truth.frame()["points"], strict=True):
            np.testing.assert_allclose(points, same)
    with pytest.raises(spotlab.SpotlabError, match="already exists"):
        spotlab.write_truth(truth, tmp_path / "truth.json")
    spotlab.write_truth(truth, tmp_path / "truth.json", overwrite=True)


def test_truth_is_drawn_by_a_stroke(small: tuple[Path, Path], tmp_path: Path) -> None:
    hull = spotlab.hull_of_stroke(_page(), [(10, 5), (40, 5), (40, 25), (10, 25)])
    drawn = {"page": ["one.png"], "label": ["sofa"], "points": [hull]}
    [file] = spotlab.write_truth(drawn, tmp_path / "drawn", images=small[0])
    [region] = page_xml.read(file).regions
    assert (region.label, region.area) == ("sofa", 200)
    nothing = spotlab.hull_of_stroke(_page(), [(0, 0), (5, 0), (5, 5)])
    assert nothing.shape == (0, 2)


def _page() -> np.ndarray:
    page = np.full((100, 100), 255, np.uint8)
    page[10:20, 15:35] = 0
    return page
