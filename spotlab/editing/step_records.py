"""What the user's state folder knows of unfinished steps; see `spotlab.editing.unfinished`."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from spotlab.editing.step_json import HEAD
from spotlab.errors import BadInput, NotSaved
from spotlab.formats.rows.files import read_bytes, write_atomically

BESIDE = "own files"  # in a record: digests of the user's own files in the folder

# what this process has written, by folder: where no record can be kept, this is it
_written: dict[Path, StepRecord] = {}


@dataclass(frozen=True)
class StepRecord:
    """What the state folder says of a collection with an unfinished step."""

    folder: Path
    root: Path
    own: tuple[str, ...]  # digests of the user's own files in the folder
    whole: bool = False  # the record has the step itself


def read_records() -> list[StepRecord]:
    """The records of all collections with an unfinished step of the user's."""
    try:
        files = sorted((user_state_path("spotlab") / "unfinished").glob("*.json"))
    except OSError:
        files = []
    known = {record.folder: record for file in files if (record := _record_in(file))}
    return list({**_written, **known}.values())


def read_record(folder: Path) -> StepRecord | None:
    """The record of a collection's folder; None if there is none."""
    return _record_in(record_path(folder)) or _written.get(folder)


def _record_in(file: Path) -> StepRecord | None:
    try:
        value = json.loads(read_bytes(file))
        folder = real(Path(value["folder"]))
        own = tuple(map(str, value.get(BESIDE, ())))
        return StepRecord(folder, real(Path(value.get("root", folder))), own, HEAD in value)
    except (BadInput, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None  # missing, or damaged: nothing is known of it


def write_record(record: StepRecord) -> None:
    """Record which files in a folder are the user's own."""
    file = record_path(record.folder)
    _written[record.folder] = record
    value = {"folder": str(record.folder), "root": str(record.root), BESIDE: record.own}
    with contextlib.suppress(OSError, NotSaved):  # the next start will ask
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, encoded(value))


def encoded(value: dict[str, Any]) -> bytes:
    """Return a value as a file has it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def digest_of(content: bytes) -> str:
    """Return the digest that tells a file with this content from others."""
    return hashlib.sha256(content).hexdigest()


def digest_of_file(path: Path) -> str:
    """The digest of a file; empty where it cannot be read."""
    try:
        return digest_of(read_bytes(path))
    except BadInput:
        return ""


def real(folder: Path) -> Path:
    """Return the folder without links."""
    return Path(os.path.realpath(folder))


def record_path(folder: Path) -> Path:
    """Where the state folder says what is unfinished in a collection's folder."""
    name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:24]
    return user_state_path("spotlab") / "unfinished" / f"{name}.json"


def forget_record(folder: Path) -> None:
    """Know nothing more of what this process has written in a folder."""
    _written.pop(folder, None)
