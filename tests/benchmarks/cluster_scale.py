"""How time and memory of `spotlab parts evaluate` grow with the number of pages.

``python -m tests.benchmarks.cluster_scale 1000 10000 --jobs 1`` makes parts with as many pages, of
100 small spots and 20 regions of 38 labels each, evaluates them in processes of their own, and
prints CPU time per page and the largest memory. What two pages take is the start: it is the same
however many pages there are, and printed apart. ``--cluster ADDRESS`` uses a Dask cluster. With
``--linked``, parts and their tallies are links to the same two, made before: what is left is to
check them, to add them up, and to rank all spots.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet

SPOTS, REGIONS, LABELS, SIDE = 100, 20, 38, 1000
PART = 500  # pages


def write_collection(folder: Path, pages: int, seed: int = 0) -> None:
    """Write ``truth`` and ``runs/made`` as parts."""
    for place in ("truth", "runs/made"):
        (folder / place).mkdir(parents=True)
    for number, first in enumerate(range(0, pages, PART)):
        chance = np.random.default_rng([seed, number])
        names = [f"page_{first + at:07}" for at in range(min(PART, pages - first))]
        count = len(names) * REGIONS
        corner = chance.uniform(0, SIDE - 60, (count, 2))
        label = chance.integers(0, LABELS, count)
        size = np.full(count, SIDE)
        write(
            folder / "truth" / f"part-{number:05}.parquet",
            np.repeat(np.arange(len(names)), REGIONS), names, label, "label", squares(corner, 40),
            {"page_width": size, "page_height": size},
        )  # fmt: skip
        # some spots lie near regions, the others anywhere
        count = len(names) * SPOTS
        near = (
            chance.integers(0, REGIONS, count) + np.repeat(np.arange(len(names)), SPOTS) * REGIONS
        )
        is_near = chance.random(count) < 0.4
        place = np.where(is_near[:, None], corner[near] + chance.normal(0, 8, (count, 2)),
                         chance.uniform(0, SIDE - 60, (count, 2)))  # fmt: skip
        query = np.where(is_near, label[near], chance.integers(0, LABELS, count))
        score = np.round(np.where(is_near, chance.beta(5, 2, count), chance.beta(2, 3, count)), 6)
        write(
            folder / "runs" / "made" / f"part-{number:05}.parquet",
            np.repeat(np.arange(len(names)), SPOTS), names, query, "query", squares(place, 40),
            {"score": score},
        )  # fmt: skip


def squares(corner, size):  # type: ignore[no-untyped-def]
    steps = np.array([0, 0, size, 0, size, size, 0, size], np.float64)
    return np.round(np.tile(corner, 4) + steps, 1)


def write(path, page, names, label, column, points, more):  # type: ignore[no-untyped-def]
    labels = [f"label_{number:02}" for number in range(LABELS)]
    table = {
        "page": pyarrow.DictionaryArray.from_arrays(pyarrow.array(page.astype(np.int32)), names),
        column: pyarrow.DictionaryArray.from_arrays(pyarrow.array(label.astype(np.int32)), labels),
        "points": pyarrow.ListArray.from_arrays(
            pyarrow.array(np.arange(len(points) + 1, dtype=np.int32) * 8), points.ravel()
        ),
        **more,
    }
    pyarrow.parquet.write_table(pyarrow.table(table), path, compression="zstd")


def link_parts(made: Path, folder: Path, pages: int) -> None:
    """Parts and tallies of so many pages, of which only two are different."""
    run_folder(made, ["--jobs", "1"])
    for place in ("truth", "runs/made", "out/made/tallies"):
        (folder / place).mkdir(parents=True)
        for number in range(pages // PART):
            target = made / place / f"part-{number % 2:05}.parquet"
            os.link(target, folder / place / f"part-{number:05}.parquet")


def run_folder(folder: Path, where: list[str]) -> str:
    """What a process says that evaluates the parts in a folder."""
    code = (
        "import resource, sys; from spotlab.cli.root import main\n"
        "try: main(sys.argv[1:])\n"
        "finally:\n"
        " own = resource.getrusage(resource.RUSAGE_SELF)\n"
        " children = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        " print(own.ru_maxrss, children.ru_maxrss, file=sys.stderr)\n"
    )
    given = [
        "--truth",
        folder / "truth",
        "--run",
        folder / "runs" / "made",
        "--out",
        folder / "out",
    ]
    return subprocess.run(
        [sys.executable, "-c", code, "parts", "evaluate", *map(str, given), *where],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ).stderr  # fmt: skip


def measure(folder: Path, pages: int, where: list[str], start: float = 0.0) -> float:
    """Evaluate in a process of its own; print what it and its workers took.

    Returns the CPU seconds; ``start`` are those that do not depend on the number of pages.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = os.times().elapsed
    said = run_folder(folder, where)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    own, children = (int(part) / 1024 for part in said.split()[-2:])
    size = sum(path.stat().st_size for path in (folder / "out").rglob("*.parquet"))
    print(
        f"{pages:>9,} pages: {start:4.1f} s + {1000 * (cpu - start) / pages:6.2f} ms CPU a page, "
        f"{cpu:8.1f} s CPU, {os.times().elapsed - started:8.1f} s; memory {own:5.0f} MB, largest "
        f"worker {children:5.0f} MB; kept {size / pages:6.0f} bytes a page; "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    return cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=int, nargs="+")
    parser.add_argument("--jobs", default="1")
    parser.add_argument("--cluster")
    parser.add_argument("--linked", action="store_true")
    parser.add_argument("--keep", type=Path, help="folder with the two parts of --linked")
    arguments = parser.parse_args()
    where = ["--cluster", arguments.cluster] if arguments.cluster else ["--jobs", arguments.jobs]
    with tempfile.TemporaryDirectory(prefix="spotlab-scale-") as folder:
        write_collection(Path(folder), 2)
        start = measure(Path(folder), 2, where)
    for pages in arguments.pages:
        with tempfile.TemporaryDirectory(prefix="spotlab-scale-") as folder:
            place = Path(folder)
            if arguments.linked:
                made = arguments.keep or place / "made"
                if not made.exists():
                    write_collection(made, 2 * PART)
                link_parts(made, place, pages)
            else:
                write_collection(place, pages)
            measure(place, pages, where, start)


if __name__ == "__main__":
    main()
