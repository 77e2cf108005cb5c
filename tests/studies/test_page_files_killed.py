"""Workers and clients of an evaluation of page files are killed, and it goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spotlab import evaluate
from spotlab.errors import BadInput
from spotlab.formats.truth import page_xml
from spotlab.model import Region
from tests.judging_files import box, command, points, write_run, write_truth

distributed = pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills as POSIX does"),
]
PAGES, REGIONS, SPOTS, LABELS = 160, 8, 15, ("bed", "sofa", "")


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Many pages with truth, and a run."""
    folder = tmp_path_factory.mktemp("pages")
    chance = np.random.default_rng(0)
    for number in range(PAGES):
        write_truth(folder / "truth", f"plan_{number}", *map(region, range(REGIONS), [chance] * 99))
    places = chance.integers(0, 80, (PAGES * SPOTS, 2)).tolist()
    rows = [
        (LABELS[at % 2], f"plan_{at % PAGES}", round(float(chance.random()), 2),
         points(x, y, x + 20, y + 20))
        for at, (x, y) in enumerate(places)
    ]  # fmt: skip
    return folder / "truth", write_run(folder / "mine.csv", *rows)


def region(number: int, chance: np.random.Generator) -> Region:
    x, y = chance.integers(0, 90, 2).tolist()
    return box(LABELS[number % 3], x, y, x + 15, y + 15)  # some beyond the page


def said(given: tuple[Path, Path], **where: Any) -> str:
    """All figures, to the last digit."""
    truth, run = given
    return json.dumps(evaluate(truth, run, draws=5, **where).as_dict())


@pytest.fixture(scope="module")
def expected(given: tuple[Path, Path]) -> str:
    return said(given)


def test_the_client_reads_no_page(
    given: tuple[Path, Path], expected: str, cluster: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def refuse(*_: object, **__: object) -> None:
        raise BadInput("truth", "it was read here")

    monkeypatch.setattr(page_xml, "parse", refuse)
    assert said(given, cluster=cluster, cache=tmp_path) == expected


def test_a_killed_worker_changes_nothing(
    given: tuple[Path, Path], expected: str, cluster: str, tmp_path: Path
) -> None:
    killed: list[str] = []
    with distributed.Client(cluster, set_as_default=False) as client:
        workers = list(client.run(os.getpid).values())

    def kill_one(done: int, total: int | None, doing: str) -> None:
        stage = doing.partition(" ")[0]
        if stage in ("reading", "tallying") and total and done == total // 2:
            if stage not in killed:
                os.kill(workers.pop(), signal.SIGKILL)
            killed.append(stage)

    assert said(given, cluster=cluster, cache=tmp_path, progress=kill_one) == expected
    assert set(killed) == {"reading", "tallying"}


@pytest.mark.parametrize("name", ["evaluate", "scalability"])
def test_a_killed_client_goes_on_where_it_was(
    given: tuple[Path, Path], cluster: str, tmp_path: Path, name: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    truth, run = given
    what = ["--truth", str(truth), "--run", str(run), "--json", "-", "--draws", "5"]
    where = ["--cluster", cluster, "--cache", str(tmp_path)]
    client = subprocess.Popen(
        [sys.executable, "-m", "spotlab", name, *what, *where], stdout=subprocess.DEVNULL
    )
    while client.poll() is None and len(list(tmp_path.glob("??/*.tallies"))) < 3:
        time.sleep(0.01)
    client.kill()
    client.wait()
    kept = {file: file.stat().st_ino for file in tmp_path.glob("??/*.tallies")}
    assert 3 <= len(kept) < PAGES / 20
    assert command(name, *what, *where) == 0
    there = capsys.readouterr().out
    assert len(list(tmp_path.glob("??/*.tallies"))) == PAGES / 20
    assert all(file.stat().st_ino == number for file, number in kept.items())
    assert command(name, *what) == 0
    assert capsys.readouterr().out == there


def test_damaged_tallies_are_made_anew(
    given: tuple[Path, Path], expected: str, cluster: str, tmp_path: Path
) -> None:
    assert said(given, cluster=cluster, cache=tmp_path) == expected
    files = sorted(tmp_path.glob("??/*.tallies"))
    for file, damage in zip(files, (b"", files[0].read_bytes()[:-7] + b"nothing"), strict=False):
        file.write_bytes(damage)
    assert said(given, cluster=cluster, cache=tmp_path) == expected
    assert len(files) == len(list(tmp_path.glob("??/*.tallies"))) == PAGES / 20


def test_a_page_that_changed_is_tallied_again(
    given: tuple[Path, Path], cluster: str, tmp_path: Path
) -> None:
    truth, run = given
    shared = {"cluster": cluster, "cache": tmp_path}
    small = [truth / f"plan_{number}.png" for number in range(3)]
    before = evaluate(small, run, draws=0, **shared)  # type: ignore[arg-type]
    xml = truth / "plan_1.xml"
    content = xml.read_bytes()
    try:
        write_truth(truth, "plan_1", box("bed", 0, 0, 50, 50))
        after = evaluate(small, run, draws=0, **shared)  # type: ignore[arg-type]
        here = evaluate(small, run, draws=0)
    finally:
        xml.write_bytes(content)
    assert json.dumps(after.as_dict()) == json.dumps(here.as_dict())
    assert json.dumps(after.as_dict()) != json.dumps(before.as_dict())
