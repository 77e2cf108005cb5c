"""Damaged files of every kind are read or told of; ``make soak`` tries as many as one likes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak import fuzz
from tests.soak.samples import samples

pytestmark = pytest.mark.slow


def test_each_kind_of_file_is_read_as_it_is(tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    known = samples(made)
    assert len(known) > 40
    for number, sample in enumerate(known.values()):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        for name, content in {**sample.beside, sample.name: sample.content}.items():
            (folder / name).write_bytes(content)
        assert sample.read(folder / sample.name) is not None, sample.name


def test_a_case_is_the_same_each_time(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        known = samples(tmp_path / name)
        found.append([fuzz.case(number, 4, known) for number in range(100)])
    assert found[0] == found[1]


def test_damaged_files_are_read_or_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "FAILED", tmp_path / "failed")
    monkeypatch.setenv("SPOTLAB_FUZZ_FAILED", str(tmp_path / "failed"))
    failed = fuzz.run(files=250, seed=11)
    assert not failed, (failed[0] / "problem.txt").read_text()
