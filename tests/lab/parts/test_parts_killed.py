"""Workers and clients of an evaluation by parts are killed, and it goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from spotlab.formats.rows.part_folder import PartFolder
from spotlab.geometry.polygon import Outlines
from spotlab.lab.parts.partition import write_page_parts, write_parts
from spotlab.model import Page, Region, Run, Truth
from spotlab.studies.tally.truth import TruthSet
from tests.judging_files import write_truth
from tests.lab.parts.test_evaluate_parts import of_parts, said, square

distributed = pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills as POSIX does"),
]
PARTS, SPOTS = 40, 150


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> PartFolder:
    """Forty parts of a page with many spots."""
    chance = np.random.default_rng(0)
    truths = {}
    for number in range(PARTS):
        places = chance.integers(0, 900, (20, 2)).tolist()
        regions = tuple(Region(square(x, y, 60), "bed", f"r{at}") for at, (x, y) in
                        enumerate(places))  # fmt: skip
        truths[f"p{number}"] = Truth(Page(Path(f"p{number}.png"), 1000, 1000), regions)
    count = PARTS * SPOTS
    rings = [square(x, y, 50) for x, y in chance.integers(0, 900, (count, 2)).tolist()]
    run = Run.ordered(
        "mine", ["bed"] * count, [f"p{at % PARTS}" for at in range(count)], Outlines.of(rings),
        score=chance.random(count),
    )  # fmt: skip
    out = PartFolder.of(tmp_path_factory.mktemp("parts"))
    write_parts(TruthSet(truths), {"mine": run}, out, pages=1)
    return out


@pytest.fixture(scope="module")
def expected(folder: PartFolder, tmp_path_factory: pytest.TempPathFactory) -> str:
    return said(of_parts(folder, tmp_path_factory.mktemp("expected")))


def test_a_cluster_gives_the_same(
    folder: PartFolder, expected: str, cluster: str, tmp_path: Path
) -> None:
    assert said(of_parts(folder, tmp_path, cluster=cluster)) == expected


def test_a_killed_worker_changes_nothing(
    folder: PartFolder, expected: str, cluster: str, tmp_path: Path
) -> None:
    killed: list[int] = []
    with distributed.Client(cluster, set_as_default=False) as client:
        workers = client.run(os.getpid)

    def kill_one(done: int, _total: int | None, doing: str) -> None:
        if doing.startswith("tallying") and done == PARTS // 2 and not killed:
            killed.append(next(iter(workers.values())))
            os.kill(killed[0], signal.SIGKILL)

    assert said(of_parts(folder, tmp_path, cluster=cluster, progress=kill_one)) == expected
    assert len(killed) == 1


def test_a_killed_client_goes_on_where_it_was(
    folder: PartFolder, expected: str, cluster: str, tmp_path: Path
) -> None:
    client = subprocess.Popen(
        [sys.executable, "-m", "spotlab", "parts", "evaluate", "--truth", (folder / "truth").place,
         "--run", (folder / "runs" / "mine").place, "--out", str(tmp_path), "--cluster", cluster,
        ],
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    tallies = tmp_path / "mine" / "tallies"
    while client.poll() is None and len(list(tallies.glob("*.parquet"))) < 3:
        time.sleep(0.01)
    client.kill()
    client.wait()
    found = of_parts(folder, tmp_path, cluster=cluster)
    assert 3 <= found.runs[0].totals.reused < PARTS
    assert said(found) == expected


def test_parts_are_written_on_after_a_kill(tmp_path: Path) -> None:
    for number in range(300):
        regions = [Region(square(x, x, 9), "bed", f"r{x}") for x in range(60)]
        write_truth(tmp_path / "pages", f"plan_{number}", *regions)
    out = tmp_path / "parts" / "truth"
    given = ["--truth", str(tmp_path / "pages"), "--part-pages", "5", "--out", str(out.parent)]
    child = subprocess.Popen(
        [sys.executable, "-m", "spotlab", "parts", "write", *given, "--jobs", "2"],
        stdout=subprocess.DEVNULL,
    )
    while child.poll() is None and len(list(out.glob("*.parquet"))) < 3:
        time.sleep(0.01)
    child.kill()
    child.wait()
    before = {file: file.stat().st_mtime_ns for file in out.glob("part-*.parquet")}
    assert 3 <= len(before) < 60
    again = write_page_parts([tmp_path / "pages"], PartFolder.of(out), 5)
    assert again is not None and len(again.truths) == 300
    assert len(list(out.glob("*.parquet"))) == 60
    assert all(file.stat().st_mtime_ns == when for file, when in before.items())
