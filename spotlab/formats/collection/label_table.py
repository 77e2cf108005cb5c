"""Sets of labels in files of their own, for teams: CSV, JSON and plain lists of names.

- CSV: ``name,colour,digit,description`` with a line of names first; only ``name`` is needed, and
  ``label`` and ``color`` are understood. Also with semicolons or tabs.
- JSON: an object as in ``spotlab.json``; a list of names; a list of objects with ``name`` and
  ``color``, as CVAT exports the labels of a project.
- Any other file: a name on each line, as labelme's ``labels.txt``.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spotlab.errors import BadInput
from spotlab.formats.collection.label_file import entry_of, labels_in
from spotlab.formats.rows.csv_rows import rows_of
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import json_kind, load_json
from spotlab.formats.rows.text_files import content_name, read_text
from spotlab.model import Label, LabelSet
from spotlab.model.labels import DIGITS

COLUMNS = ("name", "colour", "digit", "description")
_OTHER_NAMES = {"label": "name", "color": "colour", "key": "digit"}
_OF_LABELME = ("__ignore__", "_background_")  # no labels, though they stand in its lists
_EXPECTED = "a column name"
_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3}){1,2}")


def read_label_table(path: Path) -> LabelSet:
    """Read a set of labels.

    Parameters
    ----------
    path : Path
        ``.csv``, ``.tsv``, ``.json``, or a text with a name on each line.

    Returns
    -------
    LabelSet
        Colours are empty where the file has none. Only a JSON file of spotlab can be locked.

    Raises
    ------
    BadInput
        The file cannot be read, has no label, or has a label or a digit twice.
    """
    suffix = content_name(path).suffix.lower()
    locked = False
    if suffix == ".json":
        content = load_json(path, "labels")
        if isinstance(content, dict):
            found = labels_in(content, path)
            labels, locked = list(found), found.locked
        else:
            labels = _of_list(content, path)
    elif suffix in (".csv", ".tsv"):
        labels = _of_table(read_text(path), path)
    else:
        names = (" ".join(line.split()) for line in read_text(path).splitlines())
        labels = [Label(name, "") for name in names if name and name not in _OF_LABELME]
    if not labels:
        raise BadInput(path, "there is no label in it", expected="at least one label")
    return _as_set(labels, locked, path)


def write_label_table(path: Path, labels: LabelSet) -> None:
    """Write a set of labels: JSON, names alone for ``.txt``, else CSV.

    Parameters
    ----------
    path : Path
    labels : LabelSet

    Raises
    ------
    NotSaved
        The file could not be written.
    """
    suffix = path.suffix.lower()
    if suffix == ".json":
        content: dict[str, Any] = {"labels": [entry_of(label) for label in labels]}
        if labels.locked:
            content["locked"] = True
        text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    elif suffix == ".txt":
        text = "".join(f"{label.name}\n" for label in labels)
    else:
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(
            (label.name, label.colour, label.digit, label.description) for label in labels
        )
        text = stream.getvalue()
    write_atomically(path, text.encode("utf-8", "surrogatepass"))


def _of_table(text: str, path: Path) -> list[Label]:
    try:
        rows = list(rows_of(text))
    except csv.Error as error:
        raise BadInput(path, f"no table: {error}", expected=_EXPECTED) from error
    names = [" ".join(name.split()).casefold() for name in rows[0][1]] if rows else []
    names = [_OTHER_NAMES.get(name, name) for name in names]
    if "name" not in names:
        raise BadInput(path, "there is no column name", place="line 1", expected=_EXPECTED)
    return [
        _label(dict(zip(names, row, strict=False)), path, f"line {line}") for line, row in rows[1:]
    ]


def _of_list(content: Any, path: Path) -> list[Label]:
    if not isinstance(content, list):
        raise BadInput(path, f"holds {json_kind(content)}", expected="a list of labels")
    return [
        _label(_named(entry), path, f"label {number}") for number, entry in enumerate(content, 1)
    ]


def _named(entry: Any) -> dict[str, Any]:
    if isinstance(entry, str):
        return {"name": entry}
    if not isinstance(entry, dict):
        return {}
    return {_OTHER_NAMES.get(str(key), str(key)): value for key, value in entry.items()}


def _label(values: Mapping[str, Any], path: Path, place: str) -> Label:
    name, colour, digit, description = (str(values.get(key) or "").strip() for key in COLUMNS)
    name = " ".join(name.split())
    if not name:
        raise BadInput(path, "a label has no name", place=place, expected="a name")
    if colour and not _COLOUR.fullmatch(colour):
        raise BadInput(path, f"{colour!r} is not a colour", place=place, expected="#rrggbb")
    if len(colour) == 4:
        colour = "#" + "".join(2 * each for each in colour[1:])
    if digit not in DIGITS or len(digit) > 1:
        raise BadInput(path, f"{digit!r} is not a digit", place=place, expected="0 to 9")
    return Label(name, colour, digit, description)


def _as_set(labels: list[Label], locked: bool, path: Path) -> LabelSet:
    names: set[str] = set()
    digits: set[str] = set()
    for label in labels:
        if label.name in names:
            raise BadInput(path, f"the label {label.name!r} is there twice", expected="once")
        if label.digit in digits:
            raise BadInput(path, f"two labels have the digit {label.digit}", expected="one")
        names.add(label.name)
        digits |= {label.digit} - {""}
    return LabelSet(tuple(labels), locked)
