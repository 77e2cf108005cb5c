"""An index is being built and the program is killed: the next build goes on where it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spotlab.imaging.reading.pixels import read_page
from spotlab.spotting.words import index as indexing
from spotlab.spotting.words.index import build_index, read_words
from tests.processes import is_running
from tests.spotting.words.word_pages import write_pages

PAGES = 5

# builds in a process of its own, saying how far it is, and never gets beyond the third page's file
CHILD = """
import sys, time
from pathlib import Path
from spotlab.formats import store as entries
from spotlab.spotting.words import index

wholly = entries.write_atomically
def slowly(path, content):
    if len(list(Path(sys.argv[2]).rglob("*.words"))) == 2:
        (path.parent / ".half.tmp").write_bytes(content[:1000])
        print("writing", flush=True)
        time.sleep(60)
    wholly(path, content)
entries.write_atomically = slowly
index.build_index([Path(sys.argv[1])], cache=Path(sys.argv[2]))
"""


@pytest.mark.slow
def test_finished_pages_are_not_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages, cache = tmp_path / "pages", tmp_path / "cache"
    write_pages(pages, PAGES)
    command = [sys.executable, "-c", CHILD, str(pages), str(cache)]
    root = Path(__file__).resolve().parents[3]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "writing\n"
        child.kill()
    assert child.returncode == -signal.SIGKILL
    files = list(cache.rglob("*.words"))
    assert len(files) == 2
    assert all(read_words(file) is not None for file in files)

    opened: list[str] = []

    def noting(path: Path, *more: Any) -> Any:
        opened.append(path.stem)
        return read_page(path, *more)

    monkeypatch.setattr(indexing, "read_page", noting)
    resumed = build_index([pages], cache=cache)
    assert opened == ["page_3", "page_4", "page_5"]
    assert resumed.reused == 2
    untouched = build_index([pages], cache=tmp_path / "other")
    assert np.array_equal(resumed.items.boxes, untouched.items.boxes)
    assert np.array_equal(resumed.features, untouched.features)
    assert resumed.scale.as_dict() == untouched.scale.as_dict()


# says who works for it, and waits
CALLER = """
import os, time
from spotlab.compute import executor
if __name__ == "__main__":
    with executor(2) as pool:
        futures = [pool.submit(os.getpid) for _ in range(20)]
        print(*{future.result() for future in futures}, flush=True)
        time.sleep(60)
"""


def test_nobody_goes_on_working_for_a_killed_program(tmp_path: Path) -> None:
    script = tmp_path / "caller.py"
    script.write_text(CALLER)
    root = Path(__file__).resolve().parents[3]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as caller:
        assert caller.stdout is not None
        workers = [int(number) for number in caller.stdout.readline().split()]
        assert workers
        caller.kill()
    while any(map(is_running, workers)):
        time.sleep(0.01)
