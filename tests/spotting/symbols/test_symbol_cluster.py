"""A Dask cluster of two workers finds the same as this machine, whatever becomes of the workers."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spotlab import compute
from spotlab.cli.root import main
from spotlab.compute import executors
from spotlab.errors import Cancelled, SpotlabError
from spotlab.formats.collection.folder import scan
from spotlab.formats.runs import write_csv
from spotlab.progress import silent
from spotlab.spotting.symbols.engine.page_features import SymbolModel
from spotlab.spotting.symbols.search import symbol_search as searching
from spotlab.spotting.symbols.search.symbol_search import search_symbols
from spotlab.spotting.words import index as words
from spotlab.studies.symbols.symbol_queries import crop_models
from tests.spotting.symbols import foreign_methods
from tests.spotting.symbols.drawn_symbols import write_drawings
from tests.spotting.words.word_pages import write_pages

distributed = pytest.importorskip("distributed")
PAGES = 6


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A slow method is installed, here and on the cluster; the folder of its notes."""
    folder = tmp_path_factory.mktemp("slow")
    with pytest.MonkeyPatch.context() as patch:
        foreign_methods.install(folder / "site", folder / "notes", 0.3, patch)
        yield folder / "notes"
    foreign_methods.forget()


@pytest.fixture(scope="module")
def cluster(notes: Path) -> Iterator[str]:
    """The address of its scheduler."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
        silence_logs=logging.CRITICAL,
    ) as running:  # fmt: skip
        yield running.scheduler_address


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_drawings(tmp_path_factory.mktemp("pages"), PAGES)


@pytest.fixture(scope="module")
def models(pages: list[Path]) -> list[SymbolModel]:
    return [*crop_models(scan(pages))]


@pytest.fixture(scope="module")
def expected(
    pages: list[Path],
    models: list[SymbolModel],
    notes: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> bytes:
    """What the slow method finds, searched here."""
    folder = tmp_path_factory.mktemp("expected")
    run = search_symbols(pages, models[:1], "slow", cache=folder).run
    write_csv(run, folder / "run.csv")
    return (folder / "run.csv").read_bytes()


@pytest.fixture(autouse=True)
def clean(notes: Path) -> None:
    for note in notes.iterdir():
        note.unlink()


def test_a_cluster_finds_what_two_processes_do(
    cluster: str, pages: list[Path], models: list[SymbolModel], tmp_path: Path,
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")  # the files say when they were made
    monkeypatch.chdir(tmp_path)  # the workers are elsewhere, paths may be relative nevertheless
    folder = os.path.relpath(pages[0].parent)
    usual = ["spot", "symbols", "--pages", folder, "--method", "d"]
    for name, where in (("here", ["--jobs", "2"]), ("there", ["--cluster", cluster])):
        for suffix in ("csv", "parquet"):
            file, cache = f"{name}.{suffix}", f"cache_{name}"
            with pytest.raises(SystemExit) as ended:
                main([*usual, *where, "--out", file, "--cache", cache])
            assert not ended.value.code
    said = capfd.readouterr()
    assert said.err == ""  # Dask says nothing
    assert said.out.count("wrote ") == 4
    for suffix in ("csv", "parquet"):
        files = [tmp_path / f"{name}.{suffix}" for name in ("here", "there")]
        assert files[0].read_bytes() == files[1].read_bytes()
    kept = [
        {file.name: file.read_bytes() for file in (tmp_path / f"cache_{name}").rglob("*.s*")}
        for name in ("here", "there")
    ]
    assert kept[0] == kept[1]
    assert len(kept[0]) == 2 * PAGES


def test_the_death_of_a_worker_changes_nothing(
    cluster: str, pages: list[Path], models: list[SymbolModel], expected: bytes, notes: Path,
    tmp_path: Path,
) -> None:  # fmt: skip
    killed: list[int] = []

    def kill_one(done: int, _total: int | None, doing: str) -> None:
        if doing == "spotting symbols" and done == 2 and not killed:
            killed.append(foreign_methods.noted(notes)[-1][1])
            os.kill(killed[0], signal.SIGKILL)

    search = search_symbols(
        pages, models[:1], "slow", cache=tmp_path, cluster=cluster, progress=kill_one
    )
    assert len(killed) == 1
    write_csv(search.run, tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_bytes() == expected
    times = Counter(page for page, _ in foreign_methods.noted(notes))
    assert len(times) == PAGES
    # what it was doing is begun again, and a page that it had finished but not yet handed over
    assert times.total() <= PAGES + 2


def test_a_cancelled_search_goes_on_where_it_was(
    cluster: str, pages: list[Path], models: list[SymbolModel], expected: bytes, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def stop(done: int, _total: int | None, _doing: str) -> None:
        if done == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        search_symbols(pages, models[:1], "slow", cache=tmp_path, cluster=cluster, progress=stop)
    assert 3 <= len(list(tmp_path.rglob("*.spots"))) < PAGES
    sent: list[str] = []

    def noting(function: Any, works: Any, *more: Any, **named: Any) -> Any:
        sent.extend(work.entry.name for work in works)
        return compute.each_done(function, works, *more, **named)

    monkeypatch.setattr(searching, "each_done", noting)
    search = search_symbols(pages, models[:1], "slow", cache=tmp_path, cluster=cluster)
    assert search.reused >= 3  # what was under way when it was cancelled is kept, too
    assert len(sent) == PAGES - search.reused > 0
    write_csv(search.run, tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_bytes() == expected


def test_words_are_found_on_a_cluster_too(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_pages(tmp_path / "pages", 1)
    monkeypatch.chdir(tmp_path)
    there = words.build_index([Path("pages")], cache=Path("there"), cluster=cluster)
    here = words.build_index([Path("pages")], cache=Path("here"))
    assert np.array_equal(there.features, here.features)
    assert np.array_equal(there.items.boxes, here.items.boxes)


def test_an_error_of_the_work_comes_back_as_it_is(cluster: str) -> None:
    with compute.executor(cluster=cluster) as pool:
        assert pool.submit(pow, 2, 5).result() == 32
        with pytest.raises(ZeroDivisionError):
            pool.submit(divmod, 1, 0).result()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "", "http://x:1"])
def test_an_address_without_a_scheduler_is_an_error(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "PATIENCE", 0.3)
    with pytest.raises(SpotlabError, match="no Dask scheduler answers"):
        compute.executor(cluster=address)


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SpotlabError, match=r"pip install spotlab\[cluster\]"):
        compute.executor(cluster="tcp://127.0.0.1:1")


def test_what_dask_raises_is_said_in_a_line() -> None:
    class Pool(Executor):
        """All work ends with an error, or is cancelled as where the scheduler is gone."""

        room = 2

        def __init__(self, error: Exception | None) -> None:
            self.error = error

        def stop(self) -> None:
            """Nobody is at work."""

        def do(self, *_: Any) -> Any:
            future: Future[int] = Future()
            if self.error is None:
                future.cancel()
                future.set_running_or_notify_cancel()
            else:
                future.set_exception(self.error)
            return future

    killed = distributed.scheduler.KilledWorker("work", None, 3)
    closed = distributed.comm.CommClosedError("in between")
    expected = {None: "scheduler is gone", killed: "several workers", closed: "in between"}
    for error, text in expected.items():
        with pytest.MonkeyPatch.context() as patch, pytest.raises(SpotlabError, match=text):
            patch.setattr(executors, "executor", lambda *_, error=error: Pool(error))
            list(compute.each_done(abs, [1, 2], 1, "tcp://somewhere:1", silent, "working"))
