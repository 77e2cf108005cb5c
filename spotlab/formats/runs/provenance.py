"""Provenance of a run, read from comment lines, metadata, or a file beside the run.

A CSV file has a line ``# key: value`` for each entry before the names of its columns, a Parquet
file one JSON object under ``spotlab.provenance``. For any other format, or program, the same object
may stand in ``RUN.provenance.json`` beside the run, whatever ``RUN`` is, ending included.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.files import is_missing
from spotlab.formats.rows.csv_rows import split_names
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import load_object, parse_json
from spotlab.formats.runs.file_state import SIDE_FILE
from spotlab.representation import utf8
from spotlab.trust import own_file

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
