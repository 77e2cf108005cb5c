"""What is kept of pages is bounded, and is used only where it is whole."""

from __future__ import annotations

import os
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from spotlab.formats import store as entries
from spotlab.formats.store import keyed_file, read_arrays, write_arrays
from tests.soak import damaged_page_files

MAGIC = b"spotlab test 1\n"


def test_damaged_page_files_are_noticed() -> None:
    assert damaged_page_files.run(each=2, seed=5) > 30


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_a_bomb_is_not_followed(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "LARGEST", 1 << 20)
    path = tmp_path / "a.symbols"
    path.write_bytes(list(damaged_page_files.bombs(MAGIC, 1 << 26))[number])
    assert path.stat().st_size < 1 << 20
    tracemalloc.start()
    try:
        assert read_arrays(path, MAGIC) is None
        assert tracemalloc.get_traced_memory()[1] < 1 << 23
    finally:
        tracemalloc.stop()


def test_a_pipe_in_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.symbols")
    assert read_arrays(tmp_path / "a.symbols", MAGIC) is None


def test_what_was_not_used_for_long_is_cleared(tmp_path: Path) -> None:
    day = 86_400.0
    ages = {"0": 0.0, "1": 0.5, "2": 2.0, "3": 3.0, "4": 100.0}
    files = {}
    for digit, age in ages.items():
        path = files[digit] = keyed_file(tmp_path, digit * 40, ".words")
        write_arrays({"x": np.zeros(1000)}, path, MAGIC)
        os.utime(path, (time.time() - age * day,) * 2)
    (tmp_path / "44" / "notes.words").touch()
    os.utime(tmp_path / "44" / "notes.words", (0, 0))

    def left() -> set[str]:
        return {digit for digit, path in files.items() if path.exists()}

    entries.clear(tmp_path)
    assert left() == {"0", "1", "2", "3"}
    assert read_arrays(files["3"], MAGIC) is not None  # and so it is used again
    entries.clear(tmp_path, largest=4 * files["0"].stat().st_size - 1)
    assert left() == {"0", "1", "3"}
    entries.clear(tmp_path, largest=0)
    assert left() == {"0", "1", "3"}  # what is in use stays
    assert (tmp_path / "44" / "notes.words").exists()
