"""Processes for tests of studies: starting them takes longer than all that the tests do in them."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from spotlab.compute import executors

PROCESSES = 2


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of its scheduler; two workers in processes of their own, to be killed."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
        silence_logs=logging.CRITICAL,
    ) as running:  # fmt: skip
        yield running.scheduler_address


@pytest.fixture(scope="session")
def _pool() -> Iterator[Any]:
    with executors.executor(PROCESSES) as pool:
        with pytest.MonkeyPatch.context() as patch:  # they need not import pytest
            patch.setattr(sys.modules["__main__"], "__spec__", None)
            patch.delattr(sys.modules["__main__"], "__file__", raising=False)
            for started in [pool.submit(abs, -1) for _ in range(PROCESSES)]:
                assert started.result() == 1
        yield pool


@pytest.fixture
def two_processes(_pool: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work with ``jobs=2`` is done by the same two processes in all tests that ask for them."""

    @contextmanager
    def executor(jobs: int, cluster: str | None, common: tuple[Any, ...] = ()) -> Iterator[Any]:
        assert (jobs, cluster, common) == (PROCESSES, None, ())
        yield _pool

    monkeypatch.setattr(executors, "executor", executor)
