"""Reports every benchmark's median and 95th percentile, which is what our promises are about."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    session = getattr(config, "_benchmarksession", None)
    measured = [bench for bench in session.benchmarks if bench.stats.data] if session else []
    if not measured:
        return
    width = max(len(bench.name) for bench in measured)
    terminalreporter.section("benchmarks, milliseconds")
    terminalreporter.line(f"{'':{width}}  {'median':>10} {'p95':>10} {'rounds':>7}")
    for bench in measured:
        seconds = np.array(bench.stats.data)
        median, p95 = np.percentile(seconds, [50, 95]) * 1000
        extra = "  ".join(f"{name} {value}" for name, value in bench.extra_info.items())
        figures = f"{median:10,.3f} {p95:10,.3f} {len(seconds):7,}"
        terminalreporter.line(f"{bench.name:{width}}  {figures}  {extra}".rstrip())
