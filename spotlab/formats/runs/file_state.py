"""The state of a run's file as seen from outside: changed, complete, to be read again."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from spotlab.files import is_folder, open_file

FileState = tuple[tuple[str, int, int, int], ...]  # of each file: name, time in ns, size, inode
_OPEN_FILES = Path("/proc") if sys.platform == "linux" else None
_ACCESS = 0o3  # of the flags of an open file; 0 is reading
SIDE_FILE = ".provenance.json"  # whose change changes no spot


def file_state(path: Path) -> FileState:
    """Tell when each file of a run was written last and how large it is; empty where there is none.

    Parameters
    ----------
    path : Path
        A file, or a folder with all files in it.
    """
    files = _files_in(path) if is_folder(path) else [path]
    found = []
    for file in files:
        try:
            status = file.stat()
        except OSError:  # it has gone
            continue
        name = str(file.relative_to(path)) if file != path else ""
        found.append((name, status.st_mtime_ns, status.st_size, status.st_ino))
    return tuple(sorted(found))


def size_of(state: FileState) -> int:
    """Bytes of all files together.

    Examples
    --------
    >>> size_of((("a.xml", 0, 10, 1), ("b.xml", 0, 5, 2)))
    15
    """
    return sum(size for _, _, size, _ in state)


def is_being_written(path: Path) -> bool:
    """Tell whether a process has one of the run's files open for writing, as far as that can be
    seen.

    Only Linux says so, and only of processes on this machine that the user may look at.
    """
    if _OPEN_FILES is None:
        return False
    wanted = _identities(path)
    return bool(wanted) and any(
        _writes(process, wanted) for process in _OPEN_FILES.iterdir() if process.name.isdecimal()
    )


def ends_within_a_line(path: Path) -> bool:
    """Tell whether a CSV file's last line has no end, as that of a file that is half written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     run = Path(folder, "run.csv")
    ...     _ = run.write_text("query,page,rank,points\\nsofa,plan_1,1,")
    ...     ends_within_a_line(run)
    True
    """
    if is_folder(path) or path.suffix.lower() not in (".csv", ".tsv"):
        return False
    try:
        with open_file(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 1))
            return file.read(1) not in (b"\n", b"\r")
    except OSError:
        return True


def _files_in(folder: Path) -> list[Path]:
    found = []
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [
            Path(root, name)
            for name in names
            if not name.startswith(".") and not name.endswith(SIDE_FILE)
        ]
    return found


def _identities(path: Path) -> set[tuple[int, int]]:
    found = set()
    for file in _files_in(path) if is_folder(path) else [path]:
        try:
            status = file.stat()
        except OSError:
            continue
        found.add((status.st_dev, status.st_ino))
    return found


def _writes(process: Path, wanted: Collection[tuple[int, int]]) -> bool:
    """Tell whether a process has one of these files open for writing."""
    try:
        handles = list((process / "fd").iterdir())
    except OSError:  # it has ended, or is somebody else's
        return False
    for handle in handles:
        try:
            status = handle.stat()
            if (status.st_dev, status.st_ino) not in wanted:
                continue
            described = (process / "fdinfo" / handle.name).read_text()
        except OSError:
            continue
        flags = next(line for line in described.splitlines() if line.startswith("flags:"))
        if int(flags.split()[1], 8) & _ACCESS:
            return True
    return False


QUIET = 0.2  # seconds without a change before a file is read
PATIENCE = 1.5  # seconds after which what is wrong is said, and a shorter file is believed


class FileStep(Enum):
    """Next action for a watched file."""

    WAIT = "wait"
    READ = "read"
    READ_PATIENTLY = "read patiently"
    TELL = "tell"


@dataclass
class WatchedFile:
    """One run's file or folder, as it was at each look.

    Attributes
    ----------
    path : Path
    read : FileState
        Of the reading that is shown.
    problem : str
        Why what is there now cannot be used; empty as long as nothing is known.
    """

    path: Path
    read: FileState
    problem: str = ""
    _seen: FileState = ()
    _since: float = field(default=-1.0)
    _tried: int = 0  # times that this state was read
    _told: bool = False

    def look(self, now: float, state: FileState, being_written: bool) -> FileStep:
        """Take note of how the file is now, and say what is to be done.

        Parameters
        ----------
        now : float
            Time in seconds, of any clock that does not go back.
        state : FileState
            Empty where the file is gone.
        being_written : bool
            Whether a process has it open for writing.
        """
        if state == self.read:
            self._forget()
            return FileStep.WAIT
        if state != self._seen or self._since < 0:
            self._forget()
            self._seen, self._since = state, now
            return FileStep.WAIT
        still = now - self._since
        if not state or being_written:
            self.problem = "it is still being written" if state else "it is gone"
            return self._tell(still)
        waits = (QUIET, PATIENCE)
        if self._tried == len(waits):
            return self._tell(still)
        if still < waits[self._tried]:
            return FileStep.WAIT
        self._tried += 1
        return FileStep.READ if self._tried == 1 else FileStep.READ_PATIENTLY

    def refuse(self, problem: str) -> None:
        """Refuse what was read."""
        self.problem = problem

    def _tell(self, still: float) -> FileStep:
        if self._told or still < PATIENCE or not self.problem:
            return FileStep.WAIT
        self._told = True
        return FileStep.TELL

    def _forget(self) -> None:
        self._seen, self._since, self._tried, self._told, self.problem = (), -1.0, 0, False, ""
