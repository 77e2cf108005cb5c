"""Damaged files of every kind are read or told of; ``make soak`` tries as many as one likes."""

from __future__ import annotations

import ast
import re
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import spotlab
from spotlab.errors import SpotlabError
from spotlab.formats.collection.detect import format_of, known_formats
from spotlab.formats.lists.reading import known_list_formats, list_format_of
from spotlab.formats.runs.reading import known_run_formats, run_format_of
from tests.soak import fuzz
from tests.soak.samples import samples

FORMATS: dict[str, Callable[[Path], Any]] = {
    "truth": format_of, "run": run_format_of, "list": list_format_of
}  # fmt: skip
# readers that no sample reaches, and why
ELSEWHERE = {
    # kept by spotlab in its own cache, with a digest: tests.soak.damaged_page_files
    "formats/store.py: read_arrays",
    "geometry/compiled/checked_files.py: read_checked",
    "spotting/symbols/search/index.py: read_features",
    "spotting/symbols/search/symbol_search.py: read_spots",
    "spotting/words/embedding/network.py: read_description",
    "spotting/words/index.py: read_words",
    "studies/tally/cluster.py: read_tallies",
    # hand what they are given to readers that have samples
    "api/compare_systems.py: read_said",
    "studies/evaluate/inspected_run.py: read_inspected_run",
    "lab/pipelines/pipeline_texts.py: read_true_texts",
    "studies/systems/voters.py: read_systems",
    "formats/page/head.py: read_content",
    "formats/truth/page_xml.py: read",
    "formats/runs/csv_run.py: read_lines",
    "formats/runs/detection_records.py: read_folder",
    # called in a worker process, whose calls are not seen here
    "imaging/reading/image_file.py: read_exif",
    # in the user's own state folder
    "editing/unfinished.py: read_record",
    # need PyTorch, or fonts that a person chooses
    "learning/runs.py: read_state",
    "learning/words/hands.py: read_fonts",
}


def readers() -> dict[tuple[str, str], str]:
    """Functions that are called read or read_… and take a path, by file and name."""
    root = Path(spotlab.__file__).parent
    found = {}
    for file in root.rglob("*.py"):
        for each in ast.parse(file.read_text("utf-8")).body:
            if not isinstance(each, ast.FunctionDef) or not re.match(r"read(_|$)", each.name):
                continue
            first = [*each.args.posonlyargs, *each.args.args][:1]
            if first and first[0].annotation and "Path" in ast.unparse(first[0].annotation):
                found[str(file), each.name] = f"{file.relative_to(root).as_posix()}: {each.name}"
    return found


@pytest.mark.skipif(sys.gettrace() is not None, reason="something else watches calls")
def test_each_kind_of_file_is_read_as_it_is_and_no_reader_is_left_out(tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    known = samples(made)
    called: set[tuple[str, str]] = set()

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.add((frame.f_code.co_filename, frame.f_code.co_name))

    for number, (kind, sample) in enumerate(known.items()):
        path = sample.put(tmp_path / f"{number}")
        sys.setprofile(watch)
        threading.setprofile(watch)
        try:
            assert sample.read(path) is not None, kind
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    left_out = {name for key, name in readers().items() if key not in called}
    assert left_out == ELSEWHERE


def test_each_known_format_has_a_sample(tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    reached = set()
    for number, sample in enumerate(samples(made).values()):
        path = sample.put(tmp_path / f"{number}")
        for given in (path, path.parent):
            for group, find in FORMATS.items():
                with suppress(SpotlabError):
                    reached.add((group, find(given).name))
    known = {
        *(("truth", name) for name in known_formats()),
        *(("run", name) for name in known_run_formats()),
        *(("list", name) for name in known_list_formats()),
    }
    # as yolo, but for what is written; crops are only written
    assert known - reached <= {("truth", name) for name in ("yolo-seg", "yolo-obb", "crops")}


@pytest.mark.slow
def test_a_case_is_the_same_each_time(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        known = samples(tmp_path / name)
        found.append([fuzz.case(number, 4, known) for number in range(100)])
    assert found[0] == found[1]


@pytest.mark.slow
def test_damaged_files_are_read_or_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "FAILED", tmp_path / "failed")
    monkeypatch.setenv("SPOTLAB_FUZZ_FAILED", str(tmp_path / "failed"))
    failed = fuzz.run(files=250, seed=11)
    assert not failed, (failed[0] / "problem.txt").read_text()
