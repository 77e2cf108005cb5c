"""Damages files of every kind that spotlab reads, and sees to it that each is read or told of.

``python -m tests.soak.fuzz --files 50000 --seed 1``

A file has to give a value, or a `SpotlabError` of one line that names it: no other error, no more
than 10 s, no runaway memory, and no change of the file. What fails is kept in ``build/fuzz``, and
``--only NUMBER`` with the same seed does it again.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

from spotlab.errors import SpotlabError
from tests.soak.mutation import mutated
from tests.soak.samples import Sample, samples

MEMORY = 6 << 30  # bytes that a process may take, libraries included
SECONDS = 10.0  # of the processor for one file
PATIENCE = 120.0  # seconds for one file on a machine that does other things, too
CHUNK = 500  # files that one process reads
LONGEST = 4000  # characters of a message
FAILED = Path(os.environ.get("SPOTLAB_FUZZ_FAILED", Path("build") / "fuzz"))


def case(number: int, seed: int, known: dict[str, Sample]) -> tuple[str, bytes]:
    """The kind and the content of a file, always the same ones for a number and a seed."""
    chance = random.Random(f"{seed} {number}")
    kind = chance.choice(sorted(known))
    return kind, mutated(known[kind].content, known[kind].name, chance)


def problem_of(sample: Sample, content: bytes, folder: Path) -> str:
    """What goes wrong when the file is read; "" where nothing does."""
    path = folder / sample.name
    sample.put(folder, content)
    there = set(os.listdir(folder))
    begun = time.process_time()
    problem = ""
    try:
        sample.read(path)
    except SpotlabError as error:
        text = str(error)
        named = str(folder) in text or path.name in text or sample.name.startswith("clipboard")
        if not named or "\n" in text or len(text) > LONGEST:
            problem = f"this message: {text[:LONGEST]!r}"
    except MemoryError:
        problem = "it wants too much memory\n" + traceback.format_exc()
    except BaseException:
        problem = traceback.format_exc()
    spent = time.process_time() - begun
    if spent > SECONDS:
        problem += f"\nit took {spent:.1f} s"
    if sample.mends:
        return problem
    if path.read_bytes() != content:
        problem += "\nthe file was changed"
    more = set(os.listdir(folder)) - there - {"out"}
    return problem + (f"\nthere are new files: {more}" if more else "")


def read_some(first: int, count: int, seed: int) -> None:
    """Read files of these numbers; this is the whole work of a process of its own."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")  # of libraries, about damaged files
    with tempfile.TemporaryDirectory() as name:
        known = samples(Path(tempfile.mkdtemp(dir=name)))
        for number in range(first, first + count):
            print(number, flush=True)  # whoever waits knows where this is
            kind, content = case(number, seed, known)
            folder = Path(name, str(number))
            folder.mkdir()
            problem = problem_of(known[kind], content, folder)
            shutil.rmtree(folder)
            if problem:
                keep(number, seed, kind, content, problem)


def keep(number: int, seed: int, kind: str, content: bytes, problem: str) -> None:
    """Keep a file that fails, and why."""
    folder = FAILED / f"{seed}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "file").write_bytes(content)
    again = f"python -m tests.soak.fuzz --seed {seed} --only {number}"
    (folder / "problem.txt").write_text(f"{kind}\n{again}\n\n{problem}\n")


def run(files: int, seed: int, first: int = 0, seconds: float | None = None) -> list[Path]:
    """Read so many files, or as many as there is time for; gives the folders of what failed."""
    before = set(FAILED.glob("*"))
    begun, number = time.monotonic(), first
    while number < first + files:
        if seconds is not None and time.monotonic() - begun > seconds:
            break
        count = min(CHUNK, first + files - number)
        reached = _watched(number, count, seed)
        if reached is not None:
            kind, content, problem = reached
            keep(problem[0], seed, kind, content, problem[1])
            number = problem[0] + 1
        else:
            number += count
        print(f"{number - first} files", end="\r", file=sys.stderr, flush=True)
    return sorted(set(FAILED.glob("*")) - before)


def _watched(first: int, count: int, seed: int) -> tuple[str, bytes, tuple[int, str]] | None:
    """Have a process read files; the one at which it ended or did not go on, if there is one."""
    command = [sys.executable, "-m", "tests.soak.fuzz", "--inside", str(first)]
    command += ["--files", str(count), "--seed", str(seed)]
    with tempfile.TemporaryFile("w+") as errors, tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(command, stdout=told, stderr=errors)
        size, since = 0, time.monotonic()
        problem = ""
        while process.poll() is None:
            time.sleep(0.05)
            if os.fstat(told.fileno()).st_size != size:
                size, since = os.fstat(told.fileno()).st_size, time.monotonic()
            elif time.monotonic() - since > PATIENCE:
                problem = f"it did not end within {PATIENCE:.0f} s"
                process.kill()
        if process.returncode == 0:
            return None
        errors.seek(0)
        told.seek(0)
        problem = problem or f"the process ended: {process.returncode}\n{errors.read()[-4000:]}"
        numbers = told.read().split()
    if not numbers:
        raise RuntimeError(problem)
    with tempfile.TemporaryDirectory() as folder:
        kind, content = case(int(numbers[-1]), seed, samples(Path(folder)))
    return kind, content, (int(numbers[-1]), problem)


def main() -> None:
    """Run it as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--seconds", type=float, help="End after so long, however many are left.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="The number of a single file.")
    parser.add_argument("--inside", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside is not None:
        read_some(given.inside, given.files, given.seed)
        return
    first, files = (0, given.files) if given.only is None else (given.only, 1)
    failed = run(files, given.seed, first, given.seconds)
    for folder in failed:
        print((folder / "problem.txt").read_text())
    print(file=sys.stderr)
    print(f"{len(failed)} failed, kept in {FAILED}" if failed else "all were read or told of")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
