"""Every command with ``--cluster`` gives what one process gives."""

from __future__ import annotations

import json
import logging
import resource
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from spotlab import write_truth as write_truths
from spotlab.cli.root import _root
from spotlab.compute import each_done
from spotlab.errors import SpotlabError
from spotlab.model import Ignore, Region
from spotlab.progress import silent
from spotlab.resources import LETTERS, sample_collection
from spotlab.spotting.reading import text_reader
from spotlab.spotting.words import index
from tests.judging_files import box, command, points, write_run, write_small, write_truth
from tests.lab.pipelines import engines
from tests.lab.pipelines.engines import engine, write_page
from tests.spotting.symbols.drawn_symbols import write_drawings

distributed = pytest.importorskip("distributed")
PLANS = sample_collection()
BOW_TIE = ((0, 0), (20, 20), (20, 0), (0, 20))
FLAWED = (
    replace(box("sofa", 40, 40, 60, 60), uncertain=True),
    replace(box("bed", 50, 50, 70, 70), ignore=Ignore.SYMBOL),
    replace(box("", 70, 70, 120, 90), ignore=Ignore.AREA),
    Region(BOW_TIE, "bed"),
)
COMMANDS = (
    "evaluate", "scalability", "pipelines", "spot symbols", "spot words", "spot propose",
    "reproduce symbols", "reproduce words",
)  # fmt: skip


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler whose two workers are threads of this process."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None,
        silence_logs=logging.CRITICAL,
    ) as running:  # fmt: skip
        yield running.scheduler_address


def both(capsys: pytest.CaptureFixture[str], cluster: str, *arguments: object) -> list[str]:
    """The JSON that a command says, here and with the cluster."""
    said = []
    for where in ([], ["--cluster", cluster]):
        assert command(*arguments, "--json", "-", *where) == 0
        said.append(capsys.readouterr().out)
    assert json.loads(said[0])
    return said


def pages_asked_of_the_system(megabytes: int) -> int:
    """How many pages of memory the system gives when arrays come and go, once they did before.

    Only this thread is counted: a worker's others ask for memory of their own.
    """
    for _ in range(3):
        np.ones(megabytes << 20, np.uint8)
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for _ in range(10):
        np.ones(megabytes << 20, np.uint8)
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="glibc keeps memory on Linux")
def test_workers_keep_memory_for_the_next_page_whatever_dask_sets() -> None:
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
    ) as running:
        works = each_done(
            pages_asked_of_the_system, [1], 1, running.scheduler_address, silent, "working"
        )
        (asked,) = (result for _, result in works)
    assert asked < 256  # those of one array: Dask's own setting asks for ten


@pytest.mark.slow
def test_runs_are_evaluated(
    cluster: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PLANS.parent)
    given = ["--truth", PLANS.name, "--run", f"{PLANS.name}/runs/a_ratios.csv"]
    here, there = both(capsys, cluster, "evaluate", *given, "--draws", 0)
    assert here == there
    here, there = both(capsys, cluster, "scalability", *given, "--draws", 2)
    assert here == there


@pytest.mark.parametrize(
    "format",
    [
        "page",
        *(pytest.param(format, marks=pytest.mark.slow) for format in ("labelme", "voc")),
        "coco",
    ],
)
def test_truth_of_any_format_is_evaluated(
    cluster: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, format: str
) -> None:
    truth, run = write_small(tmp_path)
    write_truth(truth, "ten", *FLAWED)
    other = tmp_path / format
    write_truths(truth, other / "truth.json" if format == "coco" else other, format=format)
    given = ["--truth", other, "--run", run, "--cache", tmp_path / "cache", "--draws", 2]
    for chosen in ([], ["--pages", "t*", "--primitive", "box"], ["--uncertain", "ignore"]):
        here, there = both(capsys, cluster, "evaluate", *given, *chosen)
        assert here == there
    here, there = both(capsys, cluster, "scalability", *given)
    assert here == there
    out = tmp_path / "report"
    assert command("evaluate", *given, "--out", out, "--cluster", cluster) == 0
    assert (out / "report.html").stat().st_size > 10_000


@pytest.mark.slow
def test_words_are_evaluated(
    cluster: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    letters = sample_collection(LETTERS)
    run = write_run(tmp_path / "run.csv", ("the", "letter_1", 0.9, points(10, 10, 90, 60)))
    given = ["--truth", letters, "--run", run, "--texts", "--draws", 0, "--cache", tmp_path]
    page = sorted(letters.glob("*.xml"))[0].stem
    run.write_text(run.read_text().replace("letter_1", page))
    here, there = both(capsys, cluster, "evaluate", *given)
    assert here == there


def test_a_page_that_cannot_be_read_is_named(
    cluster: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    truth, run = write_small(tmp_path)
    (truth / "two.xml").write_text((truth / "two.xml").read_text().replace("10,10", "10,ten"))
    said = []
    for where in ([], ["--cluster", cluster]):
        given = ["--truth", truth, "--run", run, *where]
        assert command("evaluate", *given) == 0
        told = [line for line in capsys.readouterr().out.splitlines() if "two.xml" in line]
        assert command("evaluate", *given, "--strict") == 2
        said.append([*told, capsys.readouterr().err.splitlines()[-1]])
    assert said[0] == said[1] and len(said[1]) == 2
    assert said[1][0].endswith("left out") and "two.xml" in said[1][1]


@pytest.mark.slow
def test_pages_are_read(
    cluster: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    known = {name: engine(name) for name in engines.TEXTS}
    monkeypatch.setattr(text_reader, "text_readers", lambda: known)
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        write_page(tmp_path / "pages", number)
    given = ["--pages", "pages", "--engine", "one", "--engine", "two", "--ink", "otsu"]
    here, there = both(capsys, cluster, "pipelines", *given, "--entities", "words")
    assert here == there


@pytest.mark.slow
def test_proposals_are_simulated(
    cluster: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    write_drawings(tmp_path / "pages", 2)
    monkeypatch.chdir(tmp_path)
    given = ["--pages", "pages", "--lessons", "pages", "--cache", "cache"]
    here, there = both(capsys, cluster, "spot", "propose", *given)
    assert here == there


def test_word_studies_hand_the_index_to_the_cluster(
    cluster: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def begun(*_: object, cluster: str, **__: object) -> None:
        raise SpotlabError(f"indexed by {cluster}")  # the study itself takes a minute

    monkeypatch.setattr(index, "build_index", begun)
    given = ["--pages", sample_collection(LETTERS), "--cluster", cluster]
    assert command("reproduce", "words", *given) == 2
    assert f"indexed by {cluster}" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_says_whom_to_trust(name: str) -> None:
    text = " ".join(CliRunner().invoke(_root(), [*name.split(), "--help"]).output.split())
    assert "--cluster ADDRESS" in text and "trust the scheduler" in text
