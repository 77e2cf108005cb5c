"""A process that rewrites a large run, and how soon each version is shown, for tests."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from spotlab.gui.inspect.state.open_runs import OpenRuns
from spotlab.gui.kit import background
from tests.gui.inspect.inspecting import line, write_run

# On "next", moves ten spots by a pixel and writes all of them, in place or as another file
REWRITER = """
import os, re, sys
path, version = sys.argv[1], 0
for _ in sys.stdin:
    version += 1
    lines = open(path).read().splitlines(True)
    for at in range(1, 11):
        place = (at * 37 * version) % (len(lines) - 1) + 1
        while lines[place].endswith("~"):
            place = place % (len(lines) - 1) + 1
        head, points, rest = lines[place].split('"')
        corners = [tuple(map(int, each.split(","))) for each in points.split()]
        points = " ".join(f"{x + 1},{y}" for x, y in corners)
        lines[place] = head + '"' + points + '"' + rest + "~"
    text = "".join(lines).replace("~", "")
    target = path + ".new" if version % 2 else path
    with open(target, "w") as file:
        file.write(text)
    if version % 2:
        os.replace(target, path)
    print("written", flush=True)
"""
LARGE = 10_000  # spots


def rewrite_large(runs: OpenRuns, path: Path, versions: int) -> tuple[set[int], list[float]]:
    """Open a run of 10,000 spots and have a process rewrite it, in place and as another file.

    Gives all numbers of spots that were ever shown, and the seconds from each writing until what
    changed was listed.
    """
    boxes = [(x, y, x + 5, y + 4) for x in range(0, 312, 3) for y in range(0, 232, 2)]
    lines = [
        line("sofa" if number % 2 else "bed", f"page_{1 + number % 4 // 2}", number + 1, "", box)
        for number, box in enumerate(boxes[:LARGE])
    ]
    place = len(runs)
    write_run(path, *lines)
    runs.open([path])
    assert background.wait_for_all(60)
    writer = subprocess.Popen(
        [sys.executable, "-c", REWRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert writer.stdin is not None and writer.stdout is not None
    counts: set[int] = set()
    leave = runs.changed.connect(lambda: counts.add(len(runs[place].run)))
    late: list[float] = []
    for _ in range(versions):
        writer.stdin.write(b"next\n")
        writer.stdin.flush()
        assert writer.stdout.readline() == b"written\n"
        begin = time.monotonic()
        assert background.wait_until(lambda: len(runs[place].changes) > len(late), 30)
        late.append(time.monotonic() - begin)
    writer.stdin.close()
    writer.wait()
    leave()
    return counts, late
