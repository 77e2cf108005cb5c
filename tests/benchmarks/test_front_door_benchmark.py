"""How long `import spotlab` takes besides Python itself."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

LONGEST = 0.030  # s above bare Python
TRIES = 15


def seconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def test_importing_is_quick(benchmark) -> None:
    pairs = [(seconds("pass"), seconds("import spotlab")) for _ in range(TRIES)]
    benchmark.extra_info["above bare Python, ms"] = [
        round(1000 * (whole - bare), 1) for bare, whole in pairs
    ]
    benchmark(seconds, "import spotlab")
    bare, whole = (statistics.median(times) for times in zip(*pairs, strict=True))
    assert whole - bare < LONGEST
