"""Every command with ``--cluster`` gives what one process gives."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from spotlab.cli.root import _root
from spotlab.errors import SpotlabError
from spotlab.resources import LETTERS, sample_collection
from spotlab.spotting.reading import text_reader
from spotlab.spotting.words import index
from tests.judging_files import command
from tests.spotting.symbols.drawn_symbols import write_drawings
from tests.studies import engines
from tests.studies.engines import engine, write_page

distributed = pytest.importorskip("distributed")
PLANS = sample_collection()
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


def test_runs_are_evaluated(
    cluster: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PLANS.parent)
    given = ["--truth", PLANS.name, "--run", f"{PLANS.name}/runs/a_ratios.csv"]
    here, there = both(capsys, cluster, "evaluate", *given, "--draws", 0)
    assert here == there
    here, there = both(capsys, cluster, "scalability", *given, "--draws", 2)
    assert here == there


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
