"""PAGE files become parts of truth, a part at a time, whoever reads them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from spotlab.errors import BadInput, NotSaved
from spotlab.formats.collection.truth_parts import read_truth_part
from spotlab.formats.rows.part_folder import PartFolder
from spotlab.lab.parts.partition import write_page_parts, write_parts
from spotlab.model import Region
from spotlab.studies.tally.truth import read_truths
from tests.judging_files import command, write_small, write_truth

SOFA = ((10, 10), (30, 10), (30, 30))


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Five pages, one of which has nothing on it."""
    folder = tmp_path / "pages"
    for number in range(1, 5):
        labels = ("sofa", "bed", "sofa")[:number]
        regions = [Region(SOFA, label, f"r{at}") for at, label in enumerate(labels)]
        write_truth(folder, f"plan_{number}", *regions)
    write_truth(folder, "plan_10")
    return folder


def truths_in(folder: PartFolder) -> list[object]:
    return [
        [(truth.page.name, truth.page.width, truth.regions) for truth in
         read_truth_part(folder.read(name), name)]
        for name in folder.names()
    ]  # fmt: skip


def test_parts_are_those_of_the_whole_truth(pages: Path, tmp_path: Path) -> None:
    whole, by_part = PartFolder.of(tmp_path / "whole"), PartFolder.of(tmp_path / "by part")
    write_parts(read_truths([pages]), {}, whole, pages=2)
    known = write_page_parts([pages], by_part, pages=2)
    assert len(by_part.names()) == 3
    assert truths_in(by_part) == truths_in(whole / "truth")
    assert known is not None
    assert list(known.truths) == ["plan_1", "plan_2", "plan_3", "plan_4", "plan_10"]
    labels = [[region.label for region in truth.regions] for truth in known.truths.values()]
    assert labels == [["sofa"], ["bed"], ["sofa", "bed"], [], []]  # of each part the first


def test_what_is_there_is_used_again_and_never_written_over(pages: Path, tmp_path: Path) -> None:
    out = PartFolder.of(tmp_path / "parts")
    write_page_parts([pages], out, pages=2)
    files = sorted((tmp_path / "parts").iterdir())
    for file in files:
        os.utime(file, ns=(1, 1))
    files[1].unlink()  # as if it had been killed before
    write_page_parts([pages], out, pages=2)
    assert [file.stat().st_mtime_ns == 1 for file in files] == [True, False, True]
    damaged = files[0].read_bytes()
    files[0].write_bytes(damaged[: len(damaged) // 2])
    write_page_parts([pages], out, pages=2)
    assert files[0].read_bytes() == damaged
    write_truth(pages, "plan_1", Region(SOFA, "lamp", "r1"))
    with pytest.raises(NotSaved, match="has parts already"):
        write_page_parts([pages], out, pages=2)
    with pytest.raises(NotSaved, match="has parts already"):
        write_page_parts([pages], out, pages=4)  # fewer parts than there are
    assert files[0].read_bytes() == damaged


def test_other_truth_is_left_to_whoever_reads_it_whole(pages: Path, tmp_path: Path) -> None:
    out = PartFolder.of(tmp_path / "parts")
    assert write_page_parts([pages / "plan_1.xml"], out) is None
    assert write_page_parts([tmp_path / "nothing.json"], out) is None
    assert not out.names()


def test_two_pages_of_one_name_are_an_error(pages: Path, tmp_path: Path) -> None:
    write_truth(tmp_path / "more", "plan_3")
    with pytest.raises(BadInput, match="already has truth"):
        write_page_parts([pages, tmp_path / "more"], PartFolder.of(tmp_path / "parts"))


def test_the_command_writes_truth_and_runs(tmp_path: Path) -> None:
    truth, run = write_small(tmp_path)
    out = tmp_path / "parts"
    given = ["--truth", truth, "--run", run, "--part-pages", 1, "--out", out, "--jobs", 1]
    assert command("parts", "write", *given) == 0
    places = (out / "truth", out / "runs" / run.stem)
    assert [len(PartFolder.of(place).names()) for place in places] == [2, 2]
    here = ["--truth", out / "truth", "--run", out / "runs" / run.stem, "--out", tmp_path / "out"]
    assert command("parts", "evaluate", *here, "--jobs", 1) == 0
