"""A spotting method of somebody else's, installed for a test: slow, and it notes what it does."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from spotlab.registry import discover
from spotlab.spotting.symbols.methods import methods
from spotlab.spotting.symbols.search.index import extraction_version
from spotlab.spotting.symbols.search.symbol_search import spotting_version

NAME = "slow"
SECONDS = "SLOW_SECONDS"  # what it takes to spot, in the environment
NOTES = "SLOW_NOTES"  # folder for a file each time that it has begun
ENOUGH = "SLOW_ENOUGH"  # after so many pages it never comes back
MODULE = """
import os, time, uuid, zlib
from pathlib import Path
import numpy as np
from spotlab.spotting.symbols.engine.method import SpottingMethod
from spotlab.spotting.symbols.engine.page_features import QuerySpots

class Slow(SpottingMethod):
    name, title, definition = "slow", "Slow", "Finds the largest contours, and takes its time."

    def extract(self, ink, primitives, pen):
        return {"page": np.array(zlib.crc32(ink.tobytes()))}

    def spot(self, page, query):
        note = f"{page.arrays[self.name]['page']}-{os.getpid()}-{uuid.uuid4().hex}"
        Path(os.environ["SLOW_NOTES"], note).touch()
        if "SLOW_ENOUGH" in os.environ and self.number() >= int(os.environ["SLOW_ENOUGH"]):
            time.sleep(1e6)
        time.sleep(float(os.environ["SLOW_SECONDS"]))
        sizes = page.primitives.sizes
        best = np.argsort(-sizes, kind="stable")[:5]
        return QuerySpots(page.primitives.contours.take(best), sizes[best] / 1000)

    def number(self):
        for number in range(100):
            try:
                Path(f"{os.environ['SLOW_NOTES']}.{number}").touch(exist_ok=False)
            except FileExistsError:
                continue
            return number

slow = Slow()
"""


def install(folder: Path, notes: Path, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the method known to this process and to all that it starts."""
    about = folder / "slow_spotting-1.0.dist-info"
    about.mkdir(parents=True)
    notes.mkdir(exist_ok=True)
    (folder / "slow_spotting.py").write_text(MODULE)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-spotting\nVersion: 1.0\n")
    group = "spotlab.spotting.symbols.methods"
    (about / "entry_points.txt").write_text(f"[{group}]\n{NAME} = slow_spotting:slow\n")
    root = Path(__file__).resolve().parents[3]
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{root}")
    monkeypatch.setenv(NOTES, str(notes))
    monkeypatch.setenv(SECONDS, str(seconds))
    monkeypatch.syspath_prepend(str(folder))
    sys.modules.pop("slow_spotting", None)  # that of another test
    forget()


def forget() -> None:
    """See to it that what is installed is looked up again."""
    for known in (methods, discover, extraction_version, spotting_version):
        known.cache_clear()


def noted(notes: Path) -> list[tuple[str, int]]:
    """The page and the process of each time that the method has begun, in order."""
    files = sorted(notes.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    parts = [file.name.split("-") for file in files]
    return [(page, int(process)) for page, process, _ in parts]
