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
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.files import is_missing
from spotlab.formats.rows.csv_rows import split_names
from spotlab.formats.rows.files import is_stream, write_atomically
from spotlab.formats.rows.json_values import Reader, load_object, parse_json
from spotlab.formats.runs.file_state import SIDE_FILE
from spotlab.formats.runs.format import ReadRun
from spotlab.formats.runs.tables.point_lists import format_point_lists, parse_point_list
from spotlab.geometry.outlines import Outlines
from spotlab.model.queries import QueryModel
from spotlab.model.run import Run
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
