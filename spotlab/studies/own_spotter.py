"""Has somebody's own spotter make a run of a collection, and stamps it with what made it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

from spotlab.errors import BadArgument, NotSaved, SpotlabError, counted, reason
from spotlab.files import exists, is_folder
from spotlab.formats.runs.reading import read_run
from spotlab.formats.runs.side_files import write_side_file
from spotlab.processes import environment_of_others
from spotlab.progress import Progress
from spotlab.studies.provenance import hash_of_files, made_at

PLACES = {
    "pages": "the folder with the images of the pages",
    "truth": "the folder with their truth files",
    "out": "the file that the run is to be written to",
    "list": "a text file with the path of one image in each line",
}
LAST_LINES = 12  # of the output, that a failure is told with
_PLACE = re.compile(r"\{(\w+)\}")
_OF = re.compile(r"(?<![\d.])(\d{1,9})\s*(?:/|of)\s*(\d{1,9})(?![\d.])")
_PERCENT = re.compile(r"(?<![\d.])(\d{1,3})(?:\.\d+)?\s?%")
_WAIT = 0.1  # seconds between two looks at whether it is still wanted
_GRACE = 2.0  # seconds that a process has to end by itself


class SpotterFailed(SpotlabError):
    """A spotter that did not do what it should, with the last lines that it wrote."""

    def __init__(self, problem: str, lines: Sequence[str] = ()) -> None:
        super().__init__(": ".join([problem, *lines[-1:]]))
        self.problem, self.lines = problem, tuple(lines)


@dataclass(frozen=True)
class Spotter:
    """A spotter under a name.

    Attributes
    ----------
    name : str
        Names the run, too.
    command : str
        The command line, with ``{pages}``, ``{truth}``, ``{out}`` and ``{list}``.
    ending : str
        Of the file that it writes, for instance ".csv": how its format is told.
    """

    name: str
    command: str
    ending: str = ".csv"

    def arguments(self, places: Mapping[str, str]) -> list[str]:
        """The program and its arguments, each as the program gets it.

        Parameters
        ----------
        places : mapping of str to str
            What stands for each name in braces.

        Raises
        ------
        BadArgument
            The command line is empty, has an open quote or an unknown name in braces, or does not
            say where the run is to be written.

        Examples
        --------
        >>> Spotter("mine", "spot --in '{pages}' -o {out}").arguments(
        ...     {"pages": "/my pages; rm", "out": "/runs/mine.csv"})
        ['spot', '--in', '/my pages; rm', '-o', '/runs/mine.csv']
        """
        try:
            parts = shlex.split(self.command)
        except ValueError as error:
            raise BadArgument(f"the command line cannot be split: {error}") from error
        if not parts:
            raise BadArgument("the command line is empty")
        named = {name for part in parts for name in _PLACE.findall(part)}
        unknown = sorted(named - PLACES.keys())
        if unknown:
            known = ", ".join(f"{{{name}}}" for name in PLACES)
            raise BadArgument(f"{{{unknown[0]}}} stands for nothing; there are {known}")
        if "out" not in named:
            raise BadArgument("the command line lacks {out}, the file that the run is written to")
        return [_PLACE.sub(lambda found: places[found[1]], part) for part in parts]


def progress_in(line: str) -> tuple[int, int] | None:
    """Tell how far a line says that the work is: done and total; None where it says nothing.

    Examples
    --------
    >>> progress_in("page 12/42"), progress_in(" 37 % done"), progress_in("loading model 3.5")
    ((12, 42), (37, 100), None)
    """
    found = _OF.search(line)
    if found and 0 <= int(found[1]) <= int(found[2]) != 0:
        return int(found[1]), int(found[2])
    found = _PERCENT.search(line)
    if found and int(found[1]) <= 100:
        return int(found[1]), 100
    return None


@dataclass
class SpotterProcess:
    """A spotter at work.

    Attributes
    ----------
    arguments : list of str
        See `Spotter.arguments`.
    folder : Path
        It works there.
    said : callable
        Called with each line that it writes, in the thread that waits for it.
    """

    arguments: Sequence[str]
    folder: Path
    said: Callable[[str], object] = lambda _: None
    _lines: SimpleQueue[str | None] = field(default_factory=SimpleQueue)

    def run(self, name: str, progress: Progress) -> None:
        """Wait until it has ended; if it is not wanted any more, end it and all it has started.

        Raises
        ------
        SpotterFailed
            It cannot be started, or ends with another exit code than 0.
        Cancelled
            ``progress`` raised it.
        """
        last: deque[str] = deque(maxlen=LAST_LINES)
        process = self._start()
        try:
            self._follow(process, name, last, progress)
            code = self._wait(process, progress)
        except BaseException:
            _end(process)
            raise
        if code:
            how = f"ended with exit code {code}" if code > 0 else f"was ended by signal {-code}"
            raise SpotterFailed(f"{name} {how}", list(last))

    def _follow(
        self, process: subprocess.Popen[bytes], name: str, last: deque[str], progress: Progress
    ) -> None:
        """Take its lines until there will be no more."""
        far: tuple[int, int | None] = (0, None)
        while True:
            progress(*far, f"running {name}" + (f": {last[-1][:80]}" if last else ""))
            try:
                line = self._lines.get(timeout=_WAIT)
            except Empty:
                if process.poll() is not None:  # something that it started holds its output open
                    return
                continue
            if line is None:
                return
            if line.strip():
                last.append(line)
                far = progress_in(line) or far
                self.said(line)

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(
                list(self.arguments),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a group of its own, to be ended as a whole
                env={**environment_of_others(), "PYTHONUNBUFFERED": "1"},
            )
        except (OSError, ValueError) as error:
            why = reason(error) if isinstance(error, OSError) else str(error)
            raise SpotterFailed(f"{self.arguments[0]} cannot be started: {why}") from error
        assert process.stdout is not None
        Thread(target=self._read, args=(process.stdout,), daemon=True).start()
        return process

    def _read(self, output: IO[bytes]) -> None:
        """Take every line, also those that a progress bar writes over each other."""
        rest = b""
        while piece := os.read(output.fileno(), 4096):
            *lines, rest = re.split(rb"[\r\n]+", rest + piece)
            for line in lines:
                self._lines.put(line.decode("utf-8", "replace"))
        if rest:
            self._lines.put(rest.decode("utf-8", "replace"))
        self._lines.put(None)

    @staticmethod
    def _wait(process: subprocess.Popen[bytes], progress: Progress) -> int:
        """The exit code; its output has ended."""
        while True:
            try:
                return process.wait(_WAIT)
            except subprocess.TimeoutExpired:
                progress(0, None, "waiting for the spotter to end")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started: politely, then at once."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        try:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, number)
            elif process.poll() is None:
                process.terminate()
        except (ProcessLookupError, PermissionError):
            break
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            continue
    process.wait()


@dataclass(frozen=True)
class SpotterOrder:
    """Instructions for a spotter: its pages, and where the run is to be saved.

    Attributes
    ----------
    spotter : Spotter
    pages : Path
        The folder with the images, and the truth beside them.
    images : tuple of Path
    runs : Path
        The folder for the run.
    name : str
        Of the run and its file; a file of that name is replaced.
    folder : Path, optional
        The program works there, so relative paths in its command line are in it. It is a folder
        that the user trusts, not one that was merely opened. By default ``pages``.
    """

    spotter: Spotter
    pages: Path
    images: tuple[Path, ...]
    runs: Path
    name: str
    folder: Path | None = None


def run_spotter(
    order: SpotterOrder, said: Callable[[str], object], progress: Progress
) -> Sequence[Path]:
    """Run the spotter and put what it wrote into the folder of runs.

    Parameters
    ----------
    order : SpotterOrder
    said : callable
        Called with each line of its output.
    progress : Progress
        Told what its lines say of how far it is; it may raise `Cancelled`.

    Returns
    -------
    sequence of Path
        The run; several where it wrote several files and not the one that it was asked for.

    Raises
    ------
    SpotterFailed
        It failed, or wrote no run. What was there before is untouched.
    """
    spotter, begin = order.spotter, time.monotonic()
    try:
        order.runs.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix=".spotter-", dir=order.runs))
    except OSError as error:
        raise NotSaved(f"{order.runs} cannot be written: {reason(error)}") from error
    try:
        made = place / "made"
        made.mkdir()
        images = place / "pages.txt"
        images.write_text("".join(f"{image}\n" for image in order.images), "utf-8")
        out = made / f"{order.name}{spotter.ending}"
        places = {
            "pages": str(order.pages), "truth": str(order.pages), "out": str(out),
            "list": str(images),
        }  # fmt: skip
        arguments = spotter.arguments(places)
        SpotterProcess(arguments, order.folder or order.pages, said).run(spotter.name, progress)
        written = [out] if exists(out) else sorted(made.iterdir())
        if not written:
            raise SpotterFailed(f"{spotter.name} ended without writing {{out}}")
        for path in written:
            read_run(path, progress=progress)  # it says what is wrong with it
        stamp = _provenance(order, time.monotonic() - begin)
        return [_put(path, order.runs, stamp) for path in written]
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _provenance(order: SpotterOrder, seconds: float) -> dict[str, str]:
    count = len(order.images)
    return {
        "made by": order.spotter.name,
        "command": order.spotter.command,
        "date": made_at().isoformat(timespec="seconds"),
        "pages": f"{counted(count, 'page')}, sha256 {hash_of_files(order.images)}",
        "seconds": f"{seconds:.1f}",
    }


def _put(path: Path, folder: Path, stamp: dict[str, str]) -> Path:
    target = folder / path.name
    try:
        if is_folder(target):
            shutil.rmtree(target)
        write_side_file(target, stamp)
        os.replace(path, target)
    except OSError as error:
        raise NotSaved(f"{target} was not written: {reason(error)}") from error
    return target
