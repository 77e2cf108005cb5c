"""Prints the median and the 95th percentile of each benchmark: our promises are about these.

A row is printed as soon as it has been measured, so that a run that is stopped has said what it
knows. Without ``FULL=1`` in the environment some sizes are smaller, see `sizes`, and what has not
begun after ten minutes is left out and listed.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spotlab.processes import share_one_heap
from tests.benchmarks.sizes import FULL, MINUTES

WIDTH = 64  # characters of a name; a longer one moves its figures to the right


class Rows:
    """Prints a row for each benchmark once it has been measured.

    Parameters
    ----------
    config : pytest.Config
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._printed = 0
        self._began = time.monotonic()
        self._file = ""

    def pytest_runtest_setup(self) -> None:
        """Begin nothing more once the time is over."""
        if not FULL and time.monotonic() - self._began > 60 * MINUTES:
            pytest.skip(f"{MINUTES} minutes are over; make bench FULL=1")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print what was measured meanwhile; of what was left out say why."""
        session = getattr(self._config, "_benchmarksession", None)
        measured = session.benchmarks[self._printed :] if session else []
        self._printed += len(measured)
        place, _, name = report.nodeid.partition("::")
        for bench in measured:
            if bench.stats.data:
                self._head(place)
                self._row(bench)
        if report.skipped and isinstance(report.longrepr, tuple):
            self._head(place)
            self._line(
                f"{name:{WIDTH}}  not measured: {report.longrepr[2].removeprefix('Skipped: ')}"
            )

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """No dots between rows; of what fails pytest tells as always."""
        if report.failed:
            return None
        return ("skipped" if report.skipped else "passed" if report.when == "call" else "", "", "")

    def _head(self, place: str) -> None:
        """Say what follows, once for each file."""
        if place == self._file:
            return
        self._file = place
        what = Path(place).stem.removeprefix("test_").removesuffix("_benchmark").replace("_", " ")
        since = time.monotonic() - self._began
        self._line("")
        self._line(
            f"{f'{what}, milliseconds':{WIDTH}}  {'median':>10} {'p95':>10} {'rounds':>7}"
            f"  after {since:.0f} s, load {os.getloadavg()[0]:.1f}"
        )

    def _row(self, bench: Any) -> None:
        seconds = np.array(bench.stats.data)
        median, p95 = np.percentile(seconds, [50, 95]) * 1000
        extra = "  ".join(f"{name} {value}" for name, value in bench.extra_info.items())
        figures = f"{median:10,.3f} {p95:10,.3f} {len(seconds):7,}"
        self._line(f"{bench.name:{WIDTH}}  {figures}  {extra}".rstrip())

    def _line(self, text: str) -> None:
        writer = self._config.get_terminal_writer()
        writer.line(text)
        writer.flush()


def pytest_configure(config: pytest.Config) -> None:
    share_one_heap()  # as the program does when it starts
    if config.getoption("benchmark_only", False):
        config.pluginmanager.register(Rows(config), "benchmark rows")
