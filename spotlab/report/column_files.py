"""Writes columns of values to a file: CSV, Parquet or JSON, as its suffix says."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spotlab.errors import NotSaved
from spotlab.extras import optional_module
from spotlab.formats.rows.csv_rows import are_wanted, safe_csv
from spotlab.formats.rows.files import write_atomically
from spotlab.representation import utf8, well_formed

SUFFIXES = (".csv", ".parquet", ".json")

Columns = Mapping[str, Sequence[Any]]


def write_columns(columns: Columns, path: Path) -> None:
    """Write columns, equally long, to a file that is made whole or not at all.

    Raises
    ------
    NotSaved
        It cannot be written, or its suffix is none of `SUFFIXES`.
    """
    write_atomically(path, columns_bytes(columns, path))


def columns_bytes(columns: Columns, path: Path) -> bytes:
    """The content of a file of this name: None is empty in CSV, null in Parquet and JSON.

    Raises
    ------
    NotSaved
        Its suffix is none of `SUFFIXES`.

    Examples
    --------
    >>> columns_bytes({"query": ["sofa"], "score": [None]}, Path("spots.csv"))
    b'query,score\\nsofa,\\n'
    >>> columns_bytes({"query": ["sofa"]}, Path("spots.json"))
    b'[\\n{"query": "sofa"}\\n]\\n'
    """
    check_suffix(path)
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return _parquet(columns)
    rows = zip(*columns.values(), strict=True)
    if suffix == ".json":
        objects = (json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False)
                   for row in rows)  # fmt: skip
        return utf8("[\n" + ",\n".join(objects) + "\n]\n")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return (safe_csv(text.getvalue()) if are_wanted() else text.getvalue()).encode(
        "utf-8", "replace"
    )


def check_suffix(path: Path) -> None:
    """Check that a file's name says a format.

    Raises
    ------
    NotSaved
        It does not.
    """
    if path.suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES[:-1])
        raise NotSaved(f"{path} was not written: its name has to end in {known} or {SUFFIXES[-1]}")


def _parquet(columns: Columns) -> bytes:
    optional_module("pyarrow")
    import pyarrow  # noqa: PLC0415 - a quarter of a second that CSV need not wait
    import pyarrow.parquet  # noqa: PLC0415

    buffer = pyarrow.BufferOutputStream()
    table = pyarrow.table(
        {name: list(map(_well_formed, values)) for name, values in columns.items()}
    )
    pyarrow.parquet.write_table(table, buffer, compression="zstd")
    content: bytes = buffer.getvalue().to_pybytes()
    return content


def _well_formed(value: object) -> object:
    return well_formed(value) if isinstance(value, str) else value
