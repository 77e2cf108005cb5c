"""Files beside a run: its query models, and its provenance where the run has no room for it.

``run.csv`` has ``run.csv.models``, in JSON, which says where the models were cropped from the pages
that were searched::

    {"models": [{"query": "sofa", "page": "plan_001", "points": "10,10 90,10 90,60"}]}

A CSV file has a line ``# key: value`` for each entry of its provenance before the names of its
columns, a Parquet file one JSON object under ``spotlab.provenance``. For any other format the same
object may stand in ``RUN.provenance.json`` beside the run, whatever ``RUN`` is, ending included.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.files import is_folder, is_missing, open_file
from spotlab.formats.rows.csv_rows import split_names
from spotlab.formats.rows.files import is_stream, write_atomically
from spotlab.formats.rows.json_values import Reader, load_object, parse_json
from spotlab.formats.rows.numbers import files_below
from spotlab.formats.runs.format import ReadRun
from spotlab.formats.runs.outline_columns import format_point_lists, parse_point_list
from spotlab.geometry.polygon import Outlines
from spotlab.model.run import QueryModel, Run
from spotlab.representation import utf8
from spotlab.trust import own_file

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
    found = []
    for file in _files(path):
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


def _files(path: Path) -> list[Path]:
    if not is_folder(path):
        return [path]
    return [file for file in files_below(path) if not file.name.endswith(SIDE_FILE)]


def _identities(path: Path) -> set[tuple[int, int]]:
    found = set()
    for file in _files(path):
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


METADATA = b"spotlab.provenance"  # of Parquet files
_ENTRY = re.compile(r"#\s*([^:]+?)\s*:\s*(.*?)\s*$")
_COLUMNS = {"query", "page", "points"}


def comment_lines(provenance: Mapping[str, str]) -> str:
    """The lines that stand before a CSV file's columns, by key.

    Examples
    --------
    >>> print(comment_lines({"method": "e", "made by": "spotlab 1.0"}), end="")
    # made by: spotlab 1.0
    # method: e
    """
    return "".join(f"# {key}: {_plain(provenance[key])}\n" for key in sorted(provenance))


def is_comment(line: str) -> bool:
    """Tell whether a line before the columns is none of them: a column may be called ``#``, too.

    Examples
    --------
    >>> is_comment("# method: e"), is_comment("#,query,page,score,points")
    (True, False)
    """
    if not line.startswith("#"):
        return False
    names = split_names(line)
    return not {name.strip().casefold() for name in names} >= _COLUMNS


def entry_of(line: str) -> tuple[str, str] | None:
    """Key and value of a comment line; None where it is any other comment.

    Examples
    --------
    >>> entry_of("# date: 2026-01-31T12:00:00+00:00")
    ('date', '2026-01-31T12:00:00+00:00')
    """
    found = _ENTRY.match(line)
    return (found[1], found[2]) if found else None


def as_metadata(provenance: Mapping[str, str]) -> dict[bytes, bytes]:
    """Return what a Parquet file's schema says; nothing where there is nothing."""
    if not provenance:
        return {}
    return {METADATA: utf8(json.dumps(dict(provenance), sort_keys=True, ensure_ascii=False))}


def from_metadata(metadata: Mapping[bytes, bytes] | None) -> dict[str, str]:
    """Return what a Parquet file's schema says; empty where it says nothing or something else."""
    try:
        found = parse_json((metadata or {}).get(METADATA, b"{}"))
    except ValueError:
        return {}
    return _texts(found) if isinstance(found, dict) else {}


def side_file(path: Path) -> Path:
    """The file beside a run, or a folder of runs, that says what made it."""
    return path.with_name(path.name + SIDE_FILE)


def read_side_file(path: Path) -> dict[str, str]:
    """Return what the file beside a run says; empty where there is none, or it cannot be read."""
    side = side_file(path)
    try:
        return {} if is_missing(side) else _texts(load_object(side, "provenance"))
    except (BadInput, OSError):
        return {}


def write_side_file(path: Path, provenance: Mapping[str, str]) -> Path:
    """Say beside a run what made it.

    Raises
    ------
    NotSaved
        The file could not be written.
    """
    text = json.dumps(dict(provenance), sort_keys=True, indent=1, ensure_ascii=False) + "\n"
    write_atomically(own_file(side_file(path)), text.encode("utf-8", "replace"))
    return side_file(path)


def _texts(values: Mapping[str, object]) -> dict[str, str]:
    return {
        str(key): value if isinstance(value, str) else json.dumps(value, sort_keys=True)
        for key, value in values.items()
    }


def _plain(value: str) -> str:
    return " ".join(value.split())


SUFFIX = ".models"


def models_path(run_path: Path) -> Path:
    """The file beside a run that holds its models.

    Examples
    --------
    >>> models_path(Path("runs/mine.csv")).name
    'mine.csv.models'
    """
    return run_path.with_name(run_path.name + SUFFIX)


def write_models(run: Run, run_path: Path) -> None:
    """Write the models of a run beside it; without any, an old file of the run is removed.

    Raises
    ------
    NotSaved
        The file cannot be written.
    """
    if is_stream(run_path):
        return
    path = models_path(run_path)
    if not run.models:
        path.unlink(missing_ok=True)
        return
    rings = format_point_lists(Outlines.of([model.points for model in run.models]))
    rows = [
        {"query": model.query, "page": model.page, "points": ring}
        for model, ring in zip(run.models, rings, strict=True)
    ]
    content = json.dumps({"models": rows}, ensure_ascii=False, indent=1)
    write_atomically(own_file(path), content.encode("utf-8", "replace"))


def with_models(read: ReadRun, run_path: Path) -> ReadRun:
    """A run with the models beside it; a damaged file of them is remarked on.

    Parameters
    ----------
    read : ReadRun
        The run without them.
    run_path : Path
        Its file.
    """
    path = models_path(run_path)
    try:
        if is_missing(path):
            return read
        models = tuple(_models(path))
    except BadInput as error:
        return replace(read, remarks=(*read.remarks, f"query models are unknown: {error}"))
    return replace(read, run=replace(read.run, models=models))


def _models(path: Path) -> list[QueryModel]:
    reader = Reader(path)
    models = []
    for index, value in enumerate(reader.list_of(load_object(path, "query models"), "models")):
        place = f"models[{index}]"
        model = reader.object(value, place)
        try:
            ring = parse_point_list(reader.text(model, "points", place))
        except ValueError as error:
            raise reader.fail(str(error), f"{place}.points", "x,y x,y …") from error
        names = reader.text(model, "query", place), reader.text(model, "page", place)
        models.append(QueryModel(*names, tuple(ring)))
    return models
