"""A folder is one run, or the runs in it: its content says which."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spotlab.api.evaluate import evaluate
from spotlab.cli.root import main
from spotlab.errors import BadInput
from spotlab.formats.runs import read_run
from spotlab.formats.runs.reading import runs_in
from spotlab.formats.runs.side_files import write_side_file
from tests.gui.inspect.inspecting import (
    BED,
    HALF,
    SOFA,
    line,
    write_collection,
    write_run,
    write_runs,
)


def write_parts(folder: Path) -> Path:
    """One run, a file for each page."""
    folder.mkdir()
    write_run(
        folder / "page_1.csv",
        line("sofa", "page_1", 1, 0.5, SOFA),
        line("bed", "page_1", 1, 0.7, BED),
    )
    write_run(folder / "page_2.csv", line("sofa", "page_2.png", 1, 0.9, HALF))
    return folder


def test_files_named_like_their_pages_are_one_run(tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "mine")
    assert runs_in(folder) == [folder]
    run = read_run(folder).run
    assert run.name == "mine" and len(run) == 3
    best = run.spot(1)
    assert (best.query, best.page, best.rank, best.score) == ("sofa", "page_2.png", 1, 0.9)


def test_ranks_order_the_files_together_where_there_are_no_scores(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for page in ("page_1", "page_2"):
        spots = [line("sofa", page, rank, "", box) for rank, box in enumerate((SOFA, BED), 1)]
        write_run(folder / f"{page}.csv", *spots)
    run = read_run(folder).run
    assert [run.spot(at).page for at in range(4)] == ["page_1", "page_2", "page_1", "page_2"]
    assert run.tied.all()


def test_files_named_like_their_queries_are_one_run_and_bad_lines_name_theirs(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    write_run(folder / "sofa.csv", line("sofa", "page_1", 1, 0.5, SOFA), "sofa,page_1,x,1,")
    write_run(folder / "bed.csv", line("bed", "page_1", 1, 0.7, BED))
    read = read_run(folder)
    assert read.run.queries == ("bed", "sofa")
    assert read.bad_lines[0].place == "sofa.csv, line 3"


def test_other_run_files_are_runs_of_their_own(tmp_path: Path) -> None:
    partly, everything = write_runs(tmp_path / "runs")
    write_side_file(partly, {"method": "x"})
    assert runs_in(tmp_path / "runs") == [everything, partly]


@pytest.mark.parametrize("command", ["evaluate", "scalability"])
def test_a_folder_is_given_to_commands(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = write_collection(tmp_path / "pages")
    for folder, names in (
        (write_parts(tmp_path / "mine"), ["mine"]),
        (write_runs(tmp_path / "runs")[0].parent, ["all", "partly"]),
    ):
        arguments = ["--truth", str(pages), "--run", str(folder), "--draws", "2", "--json", "-"]
        with pytest.raises(SystemExit) as ended:
            main([command, *arguments])
        assert not ended.value.code
        found = json.loads(capsys.readouterr().out)
        assert [run["name"] for run in found["runs"]] == names


def test_a_folder_without_a_run_says_what_is_expected(tmp_path: Path) -> None:
    pages = write_collection(tmp_path / "pages")
    (tmp_path / "empty").mkdir()
    with pytest.raises(
        BadInput, match=r"no run; expected run files .* each a run; or files of one"
    ):
        evaluate(pages, tmp_path / "empty", draws=0)
