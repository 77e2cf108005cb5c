"""Ends commands by Ctrl+C and SIGTERM at random moments, and looks at how they take it.

``python -m tests.soak.interrupts --count 300 --seed 1``. Each command has to end within two seconds
with 130 or 143 and one line, with no traceback, no process and no temporary file left.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.soak.recipe_files import prepare
from tests.soak.recipes import RECIPES, places

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 2.0  # s from the signal to the end
HANG = 20.0  # s that it is given nevertheless
LONGEST = 6.0  # s, the latest moment at first
BAD_WORDS = ("Traceback", "Exception ignored", "Error:", "Fatal Python", "Aborted", "leaked")
OFFSCREEN = ("This plugin does not support propagateSizeHints()",)  # of tests only
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}


@dataclass
class Tally:
    """What became of one command."""

    tried: int = 0
    finished: int = 0  # at the moment of the signal: everything was done and only the end was left
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)


def main() -> None:
    """Interrupt commands as the arguments say; exit code 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="commands that begin so")
    arguments = parser.parse_args()
    names = [name for name in RECIPES if name.startswith(arguments.only)]
    chance = random.Random(arguments.seed)
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    with tempfile.TemporaryDirectory(prefix="interrupts-") as folder, _scheduler() as scheduler:
        soak = Soak(Path(folder), scheduler, chance)
        for number in range(arguments.count):
            name = names[number % len(names)]
            soak.interrupt(name, tallies[name])
    print_table(tallies)
    sys.exit(any(tally.faults for tally in tallies.values()))


@contextmanager
def _scheduler() -> Iterator[str]:
    """The address of a Dask cluster of one worker."""
    import distributed  # noqa: PLC0415

    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


class Soak:
    """Interrupts commands, each in a folder of its own."""

    def __init__(self, folder: Path, scheduler: str, chance: random.Random) -> None:
        self._folder, self._chance = folder, chance
        self._made = prepare(folder / "made")
        self._places = {**places(self._made), "cluster": scheduler}
        self._latest: dict[str, float] = {}
        self._number = 0

    def interrupt(self, name: str, tally: Tally) -> None:
        """Start the command until a signal has come before its end."""
        for _ in range(8):
            if self._tried(name, tally):
                return
        tally.faults.append("it was always too quick to be interrupted")

    def _tried(self, name: str, tally: Tally) -> bool:
        """Whether the command was still at work when the signal came."""
        chance = self._chance
        self._number += 1
        work = self._folder / str(self._number)
        for each in ("tmp", "out"):
            (work / each).mkdir(parents=True)
        cold = chance.random() < 0.25
        moment = chance.uniform(0, self._latest.get(name, LONGEST))
        number = chance.choice(list(CODES))
        to_group, twice = chance.random() < 0.5, chance.random() < 0.15
        gap = chance.uniform(0, 0.4)
        process = self._start(name, work, cold)
        try:
            if not _until(lambda: _answers(process), HANG) or _ends(process, moment):
                code = process.wait()
                self._latest[name] = max(0.05, moment * 0.9)
                if code:
                    tally.faults.append(f"code {code} by itself: {_errors(work)}")
                return bool(code)
            began = time.monotonic()
            send: Callable[[int, int], None] = os.killpg if to_group else os.kill
            send(process.pid, number)
            if twice and not _ends(process, gap):
                with suppress(ProcessLookupError):
                    send(process.pid, number)
            ended = _ends(process, HANG)
            took = time.monotonic() - began
            gone = _until(lambda: not _of_session(process.pid), HANG)
            lasted = time.monotonic() - began
            what = (
                f"{signal.Signals(number).name}{' twice' if twice else ''}"
                f"{' to the group' if to_group else ''} after {moment:.3f} s"
                f"{', caches cold' if cold else ''}"
            )
            faults = list(_faults(process, number, work, ended, took, gone, lasted))
            tally.faults += [f"{what}: {fault}" for fault in faults]
            tally.tried += 1
            tally.finished += process.returncode == 0
            tally.slowest = max(tally.slowest, took)
            return True
        finally:
            for each in _of_session(process.pid):
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
            process.wait()
            shutil.rmtree(work, ignore_errors=True)

    def _start(self, name: str, work: Path, cold: bool) -> subprocess.Popen[bytes]:
        words = RECIPES[name].split()
        named = {**self._places, "out": work / "out"}
        command = [sys.executable, "-m", "spotlab", *name.partition("@")[0].split()]
        kept = work if cold else self._folder
        surroundings = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PATH": f"{self._made / 'bin'}:{os.environ['PATH']}",
            "QT_QPA_PLATFORM": "offscreen",
            "TMPDIR": str(work / "tmp"),
            "NUMBA_CACHE_DIR": str(kept / "numba"),
            **{f"XDG_{each}_HOME": str(kept / each) for each in ("CACHE", "CONFIG", "DATA")},
            "XDG_STATE_HOME": str(work / "state"),
        }
        with (work / "stdout").open("wb") as out, (work / "stderr").open("wb") as err:
            return subprocess.Popen(
                [*command, *(word.format(**named) for word in words)],
                stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=surroundings, cwd=work,
                start_new_session=True, preexec_fn=_answer_signals,  # noqa: PLW1509
            )  # fmt: skip


def _answer_signals() -> None:
    """Who starts this in the background lets it, and its children, ignore Ctrl+C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _faults(
    process: subprocess.Popen[bytes],
    number: int,
    work: Path,
    ended: bool,
    took: float,
    gone: bool,
    lasted: float,
) -> Iterator[str]:
    if not ended:
        yield "it did not end"
        return
    if took > LIMIT:
        yield f"it took {took:.1f} s to end"
    if not gone or lasted > 2 * LIMIT:
        yield f"other processes lived on for {lasted:.1f} s"
    lines = [line for line in _errors(work).splitlines() if line not in OFFSCREEN]
    if any(word in line for line in lines for word in BAD_WORDS):
        yield "\n".join(["it said", *lines])
    if process.returncode == 0 and not lines:
        return
    if process.returncode != CODES[signal.Signals(number)]:
        yield f"it ended with {process.returncode}: {lines}"
    if sum(line.startswith("spotlab: cancelled") for line in lines) != 1 or len(lines) != 1:
        yield f"not one line: {lines}"
    left = [str(file.relative_to(work)) for file in _temporary(work)]
    if left:
        yield f"left behind {left}"


def _temporary(work: Path) -> Iterator[Path]:
    yield from (work / "tmp").iterdir()
    yield from (file for file in work.rglob(".*") if "numba" not in file.parts)


def _errors(work: Path) -> str:
    return (work / "stderr").read_text("utf-8", "replace")


def _answers(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has come to our first lines, or has ended."""
    if process.poll() is not None:
        return True
    with suppress(OSError):
        for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
    return False


def _ends(process: subprocess.Popen[bytes], within: float) -> bool:
    with suppress(subprocess.TimeoutExpired):
        process.wait(within)
    return process.returncode is not None


def _of_session(leader: int) -> list[int]:
    """The processes that were started by this one, directly or not, and itself."""
    found = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            state, _parent, _group, session = (
                (folder / "stat").read_text().rpartition(")")[2].split()[:4]
            )
            if int(session) == leader and state != "Z":
                found.append(int(folder.name))
    return found


def _until(happened: Callable[[], bool], within: float) -> bool:
    end = time.monotonic() + within
    while not happened() and time.monotonic() < end:
        time.sleep(0.001)
    return happened()


def print_table(tallies: dict[str, Tally]) -> None:
    """A line for each command, and below them what went wrong."""
    print(f"{'command':24} {'tried':>6} {'just done':>10} {'slowest':>8} {'faults':>7}")
    for name, tally in tallies.items():
        figures = f"{tally.tried:6} {tally.finished:10} {tally.slowest:7.2f}s {len(tally.faults):7}"
        print(f"{name:24} {figures}")
    all_faults = Counter(
        f"{name}: {each}" for name, tally in tallies.items() for each in tally.faults
    )
    tried = sum(tally.tried for tally in tallies.values())
    slowest = max((tally.slowest for tally in tallies.values()), default=0)
    print(f"{'all':24} {tried:6} {'':10} {slowest:7.2f}s {all_faults.total():7}")
    for fault in all_faults:
        print(fault)


if __name__ == "__main__":
    main()
