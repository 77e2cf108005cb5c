"""Readings of a run that is rewritten: tallied as a fresh one, compared spot by spot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.formats.runs import write_csv
from spotlab.formats.runs.side_files import (
    PATIENCE,
    QUIET,
    FileStep,
    WatchedFile,
    file_state,
    is_being_written,
)
from spotlab.geometry.polygon import Outlines
from spotlab.model import Page, Region, Run, Truth
from spotlab.progress import silent
from spotlab.studies.compare.readings import RunChanges, compare_readings
from spotlab.studies.evaluate.inspected_run import (
    InspectedRun,
    Judging,
    read_inspected_run,
    reread_run,
    tally_inspected_run,
)
from spotlab.studies.tally.truth import TruthSet

Spots = list[tuple[str, str, float, int, int]]  # query, page, score, left, top
SIDE = 20


def ring(left: float, top: float) -> tuple[tuple[float, float], ...]:
    return (left, top), (left + SIDE, top), (left + SIDE, top + SIDE), (left, top + SIDE)


TRUTHS = {
    name: Truth(
        Page(Path(f"{name}.png"), 100, 100),
        (Region(ring(0, 0), "a", "r1"), Region(ring(40, 40), "b", "r2"),
         Region(ring(10, 0), "a", "r3")),
    )
    for name in ("p1", "p2")
}  # fmt: skip


def run_of(spots: Spots) -> Run:
    return Run.ordered(
        "run", [spot[0] for spot in spots], [spot[1] for spot in spots],
        Outlines.of([ring(left, top) for *_, left, top in spots]),
        score=np.array([spot[2] for spot in spots]),
    )  # fmt: skip


def inspected(spots: Spots) -> InspectedRun:
    run = InspectedRun("run", "#000000", run_of(spots))
    return tally_inspected_run(run, TruthSet(TRUTHS), Judging(), silent)


def compared(before: InspectedRun, after: InspectedRun) -> tuple[RunChanges, np.ndarray]:
    return compare_readings(before.run, before.figures, after.run, after.figures)


SPOT = st.tuples(
    st.sampled_from(["a", "b", "c"]), st.sampled_from(["p1", "p2", "p3"]),
    st.integers(0, 9).map(float), st.sampled_from([0, 5, 10, 40, 90]),
    st.sampled_from([0, 10, 40]),
)  # fmt: skip


@given(st.lists(SPOT, max_size=10), st.lists(SPOT, max_size=10))
@settings(max_examples=30, deadline=None)
def test_spots_add_up(before: Spots, after: Spots) -> None:
    changes, places = compared(inspected(before), inspected(after))
    whole = changes.whole
    assert len(before) - whole.removed + whole.added == len(after)
    there = places[places >= 0]
    assert len(set(there.tolist())) == len(there) == len(before) - whole.removed
    for name in ("added", "removed", "moved", "rescored", "gained", "lost"):
        assert sum(getattr(each, name) for each in changes.queries) == getattr(whole, name)


def test_the_same_reading_has_no_changes() -> None:
    spots: Spots = [("a", "p1", 2.0, 0, 0), ("a", "p1", 1.0, 0, 0), ("b", "p2", 1.0, 40, 40)]
    changes, places = compared(inspected(spots), inspected(spots))
    assert not changes.queries and not changes.symbols and not changes.whole.words
    assert places.tolist() == [0, 1, 2]
    assert changes.words == "nothing changed in 3 spots"


def test_changes_are_counted_by_hand() -> None:
    before = inspected([
        ("a", "p1", 9.0, 0, 0),  # finds r1
        ("a", "p1", 8.0, 90, 0),  # is removed
        ("b", "p2", 7.0, 40, 10),  # is re-scored
    ])  # fmt: skip
    after = inspected([
        ("a", "p1", 9.0, 4, 0),  # moved by a fifth: IoU .67; still finds r1
        ("b", "p2", 6.0, 40, 10),
        ("b", "p1", 5.0, 40, 40),  # is added, finds r2
    ])  # fmt: skip
    changes, places = compared(before, after)
    whole = changes.whole
    assert (whole.added, whole.removed, whole.moved, whole.rescored) == (1, 1, 1, 1)
    assert [(each.query, each.page, each.region, each.gained) for each in changes.symbols] == [
        ("b", "p1", "r2", True)
    ]
    assert places.tolist() == [0, -1, 1]
    of_a = next(each for each in changes.queries if each.query == "a")
    # half of the second lies off the page: 400 of 600 px² are true, then 400 of 400
    assert of_a.precision == pytest.approx(1 - 400 / 600)
    assert of_a.recall == pytest.approx(0)  # of 600 + 600 px² on both pages
    assert whole.words.startswith("1 spot added, 1 removed, 1 moved, 1 re-scored; 1 symbol gained")


def test_a_file_is_read_when_it_is_quiet_and_what_is_wrong_is_told_once() -> None:
    file = WatchedFile(Path("run.csv"), (("", 1, 10, 1),))
    half, whole = (("", 2, 5, 1),), (("", 3, 20, 1),)
    assert file.look(0.0, file.read, False) is FileStep.WAIT
    assert file.look(1.0, half, True) is FileStep.WAIT
    assert file.look(1.0 + QUIET, half, True) is FileStep.WAIT  # somebody writes it
    assert file.look(2.0, whole, True) is FileStep.WAIT
    assert file.look(2.0 + QUIET, whole, False) is FileStep.READ
    assert file.look(2.1 + QUIET, whole, False) is FileStep.WAIT
    file.refuse("it is no run")
    assert file.look(2.0 + PATIENCE, whole, False) is FileStep.READ_PATIENTLY
    assert file.look(2.1 + PATIENCE, whole, False) is FileStep.TELL
    assert file.look(9.0, whole, False) is FileStep.WAIT
    assert file.look(10.0, (), False) is FileStep.WAIT
    assert file.look(10.0 + PATIENCE, (), False) is FileStep.TELL and file.problem == "it is gone"
    file.read = whole
    assert file.look(20.0, whole, False) is FileStep.WAIT and not file.problem


def test_who_writes_a_file_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("a")
    assert not is_being_written(path)
    with path.open("r"):
        assert not is_being_written(path)
    with path.open("a"):
        assert is_being_written(path) and is_being_written(tmp_path)
    assert not is_being_written(tmp_path / "none.csv") and file_state(tmp_path / "none.csv") == ()
    assert file_state(path) != file_state(tmp_path)


def test_a_doubtful_reading_is_not_used_until_it_has_been_quiet(tmp_path: Path) -> None:
    path, truths = tmp_path / "run.csv", TruthSet(TRUTHS)
    spots: Spots = [("a", "p1", float(number), 0, 0) for number in range(20)]
    write_csv(run_of(spots), path)
    run = tally_inspected_run(read_inspected_run(path, truths, silent), truths, Judging(), silent)

    def again(patient: bool) -> str:
        found = reread_run(run, truths, Judging(), silent, patient=patient)
        return found.problem

    content = path.read_bytes()
    path.write_bytes(b"\n".join(content.split(b"\n")[:5]) + b"\n")
    assert again(False) == "it is much shorter than before" and again(True) == ""
    path.write_bytes(content[: len(content) // 2])
    assert again(False) == again(True) == "it ends in the middle of a line"
    path.write_bytes(content + b"a,p1,x,1,\n")
    assert "line 22" in again(False) and again(True) == ""
    path.write_bytes(b"")
    assert again(True) == "the file is empty"
    gone = replace(run, run=replace(run.run, source=None))
    assert reread_run(gone, truths, Judging(), silent).problem == "it has no file"
