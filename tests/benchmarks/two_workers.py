"""How much faster two processes are than one, and two workers of a cluster, for each command.

``python -m tests.benchmarks.two_workers 200`` makes as many pages, keeps them in ``build`` for the
next time, and runs every command with ``--jobs 1`` and ``--jobs 2``, then on a cluster of one
worker and of two, each with an empty cache, and prints time and CPU time as it goes. On a busy
machine time says little. "Apart" is what CPU time alone allows where two cores are free: that of
one, divided by that of the command itself and half that of its processes or workers.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import psutil
from distributed import LocalCluster

KEPT = Path(__file__).parents[2] / "build" / "two_workers"
DRAWN = 40  # pages that are drawn; others are copies in which a pixel differs
DASKS_OWN = ("MALLOC_TRIM_THRESHOLD_", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
CODE = """
import resource, sys
from spotlab.cli.root import main
try: main(sys.argv[1:])
finally: print(*(each.ru_utime + each.ru_stime for each in map(resource.getrusage, (
    resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))), file=sys.stderr)
"""


def commands(folder: Path) -> dict[str, str]:
    """What is run, by its name; {out} is a new folder each time."""
    plans, letters = folder / "plans", folder / "letters"
    judged = f"--truth {plans} --run {folder}/runs"
    parts = f"--truth {folder}/parts/truth --run {folder}/parts/runs/sloppy --out {{out}}/parts"
    return {
        **{
            f"spot symbols {method}": f"spot symbols --method {method} --query sofa --query bed "
            f"--pages {plans} --truth {plans} --out {{out}}/run.csv --cache {{out}}/cache"
            for method in "abcde"
        },
        "spot symbols f": f"spot symbols --method f --lessons {folder}/lessons --pages {plans} "
        "--out {out}/run.csv --cache {out}/cache",
        "spot propose": f"spot propose --lessons {folder}/lessons --pages {plans} "
        "--json {out}/work.json --cache {out}/cache",
        "spot words": f"spot words --query the --query and --pages {letters} "
        "--out {out}/lists.csv --cache {out}/cache",
        "pipelines": f"pipelines --pages {letters} --ink otsu --entities words --out {{out}}/texts",
        "reproduce symbols": f"reproduce symbols --pages {plans} --methods a,e --no-further "
        "--draws 5 --json {out}/found.json --cache {out}/cache",
        "reproduce words": f"reproduce words --pages {letters} --each 1 --json {{out}}/found.json "
        "--cache {out}/cache",
        "evaluate": f"evaluate {judged} --draws 0 --json {{out}}/found.json",
        "evaluate intervals": f"evaluate {judged} --json {{out}}/found.json",
        "scalability": f"scalability {judged} --json {{out}}/found.json",
        "parts evaluate": f"parts evaluate {parts} --json {{out}}/found.json",
        "parts scalability": f"parts scalability {parts} --json {{out}}/found.json",
    }


@dataclass(frozen=True)
class Spent:
    """Seconds that a command took.

    Attributes
    ----------
    wall, own, others : float
        By the clock, and of CPU time of the command and of its processes.
    """

    wall: float
    own: float
    others: float


def spotlab(arguments: str) -> Spent:
    """What a command takes, with none of what Dask sets for the workers that it starts."""
    kept = {name: value for name, value in os.environ.items() if name not in DASKS_OWN}
    begun = os.times().elapsed
    done = subprocess.run(
        [sys.executable, "-c", CODE, *shlex.split(arguments)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
        env=kept,
    )  # fmt: skip
    said = done.stderr.strip().splitlines()
    if done.returncode:
        problem = next((line for line in reversed(said) if "spotlab:" in line), said[-1:])
        raise RuntimeError(f"spotlab {arguments.partition('--')[0]}: {problem}")
    own, children = map(float, said[-1].split())
    return Spent(os.times().elapsed - begun, own, children)


def prepare(folder: Path, pages: int) -> None:
    """Make pages, runs, and parts of one of these, unless all of them are there."""
    ready = folder / "ready"
    if ready.exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    drawn = folder / "drawn"
    small = f"--pages {min(pages, DRAWN)} --width 1400 --height 1000 --jobs 2"
    spotlab(f"synthesise floorplans --out {drawn}/plans {small}")
    spotlab(f"synthesise floorplans --out {folder}/lessons --seed 9 {small} --pages 4")
    spotlab(f"synthesise manuscript --out {drawn}/letters --lines 16 --stains 0 {small}")
    for name in ("plans", "letters"):
        multiply(drawn / name, folder / name, pages)
    spotlab(f"synthesise runs --truth {folder}/plans --out {folder}/runs")
    spotlab(
        f"parts write --truth {folder}/plans --run {folder}/runs/sloppy.csv --part-pages 10 "
        f"--out {folder}/parts"
    )
    ready.touch()


def multiply(source: Path, target: Path, pages: int) -> None:
    """Copy pages with their truth until there are so many; each image differs in a pixel."""
    target.mkdir(parents=True)
    known = sorted(source.glob("*.png"))
    for number in range(pages):
        image = known[number % len(known)]
        name = f"page_{number:05}"
        pixels = cv2.imread(str(image), cv2.IMREAD_GRAYSCALE)
        again = number // len(known)
        pixels[0, again] = 255 - pixels[0, again] if again else pixels[0, 0]
        cv2.imwrite(str(target / f"{name}.png"), pixels)
        truth = image.with_suffix(".xml").read_text()
        (target / f"{name}.xml").write_text(truth.replace(image.name, f"{name}.png"))


def by_processes(count: int, command: str) -> Spent:
    """What a command takes in so many processes."""
    with tempfile.TemporaryDirectory(prefix="spotlab-two-") as out:
        return spotlab(f"{command.format(out=out)} --jobs {count}")


def by_workers(count: int, command: str) -> Spent:
    """What a command takes on a cluster of so many workers that have worked before."""
    workers: Any = LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=":0")
    with workers as cluster, tempfile.TemporaryDirectory(prefix="spotlab-two-") as out:
        cluster.get_client().run(import_what_works)
        before = workers_cpu(cluster)
        spent = spotlab(f"{command.format(out=out)} --cluster {cluster.scheduler_address}")
        return replace(spent, others=workers_cpu(cluster) - before)


def import_what_works() -> None:
    """Import in a worker what it has imported once it has worked."""
    for name in (
        "spotlab.api.evaluate",
        "spotlab.api.spot_symbols",
        "spotlab.api.spot_words",
        "cv2",
    ):
        importlib.import_module(name)


def workers_cpu(cluster: LocalCluster) -> float:
    """CPU seconds of all workers until now."""
    times = (psutil.Process(nanny.pid).cpu_times() for nanny in cluster.workers.values())
    return sum(each.user + each.system for each in times)


def compare(name: str, command: str, doing: str, way: Callable[[int, str], Spent]) -> None:
    """Run a command in one process or worker, then in two, and print what they take."""
    try:
        one, two = way(1, command), way(2, command)
    except RuntimeError as error:  # a program that it needs may not be there
        print(f"{name:20} not measured: {error}", flush=True)
        return
    apart = (one.own + one.others) / (two.own + two.others / 2)
    print(
        f"{name:20} {doing:9} {one.wall:6.1f} → {two.wall:6.1f} s  × {one.wall / two.wall:4.2f}"
        f"  CPU {one.own:5.1f} + {one.others:5.1f} → {two.own:5.1f} + {two.others:5.1f} s"
        f"  apart × {apart:4.2f}  load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=int)
    parser.add_argument("--only", action="append", default=[], help="commands with this in a name")
    arguments = parser.parse_args()
    folder = KEPT / str(arguments.pages)
    prepare(folder, arguments.pages)
    for name, command in commands(folder).items():
        if not arguments.only or any(part in name for part in arguments.only):
            compare(name, command, "processes", by_processes)
            compare(name, command, "workers", by_workers)


if __name__ == "__main__":
    main()
