"""Sets of labels in files of their own, for teams: CSV, JSON and plain lists of names.

- CSV: ``name,colour,digit,description`` with a line of names first; only ``name`` is needed, and
  ``label`` and ``color`` are understood. Also with semicolons or tabs.
- JSON: an object as in ``spotlab.json``; a list of names; a list of objects with ``name`` and
  ``color``, as CVAT exports the labels of a project.
- Also JSON: a project of VIA. XML: a task of CVAT, and the configuration of Label Studio. All of
  these, and CVAT's labels, say which attributes regions have.
- Any other file: a name on each line, as labelme's ``labels.txt``.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from spotlab.errors import BadInput
from spotlab.formats.collection.label_file import entry_of, labels_in, spec_entry
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.csv_rows import rows_of
from spotlab.formats.rows.files import read_bytes, write_atomically
from spotlab.formats.rows.json_values import json_kind, load_json
from spotlab.formats.rows.text_files import content_name, read_text
from spotlab.formats.truth import cvat
from spotlab.formats.truth.annotation_tools import via
from spotlab.model import AttributeKind, AttributeSpec, Label, LabelSet
from spotlab.model.attributes import Specs
from spotlab.model.region import DIGITS

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
        ``.csv``, ``.tsv``, ``.json``, ``.xml``, or a text with a name on each line.

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
    specs: Specs = ()
    if suffix == ".json":
        content = load_json(path, "labels")
        if isinstance(content, dict) and "_via_attributes" in content:
            found = via.declared_labels(content["_via_attributes"])
            labels, specs = list(found), found.attributes
        elif isinstance(content, dict):
            found = labels_in(content, path)
            labels, locked, specs = list(found), found.locked, found.attributes
        else:
            labels = _of_list(content, path)
    elif suffix == ".xml":
        found = _of_xml(path)
        labels, specs = list(found), found.attributes
    elif suffix in (".csv", ".tsv"):
        labels = _of_table(read_text(path), path)
    else:
        names = (" ".join(line.split()) for line in read_text(path).splitlines())
        labels = [Label(name, "") for name in names if name and name not in _OF_LABELME]
    if not labels and not specs:
        raise BadInput(path, "there is no label in it", expected="at least one label")
    return replace(_as_set(labels, locked, path), attributes=specs)


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
        if labels.attributes:
            content["attributes"] = list(map(spec_entry, labels.attributes))
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
    try:
        specs = tuple(map(_cvat_spec, values.get("attributes") or ()))
    except (AttributeError, TypeError, ValueError) as error:
        raise BadInput(
            path, "an attribute of a label makes no sense", place=place,
            expected="name, input_type, values and default_value, as CVAT has them",
        ) from error  # fmt: skip
    return Label(name, colour, digit, description, attributes=specs)


def _cvat_spec(entry: dict[str, Any]) -> AttributeSpec:
    texts = (str(entry.get(key) or "") for key in ("name", "input_type", "default_value"))
    name, kind, default = texts
    return cvat.declared_spec(name, kind, list(map(str, entry.get("values") or ())), default)


def _of_xml(path: Path) -> LabelSet:
    """The labels of a task of CVAT, or of a configuration of Label Studio."""
    root = read_tree(read_bytes(path), path).root
    if root.name == "annotations":
        return cvat.declared_labels(root)
    if root.name != "View":
        raise BadInput(path, f"the root is {root.name}", place=root.place,
                       expected="annotations of CVAT, or View of Label Studio")  # fmt: skip
    names = [(node.get("value"), node.get("background")) for node in root.walk()
             if node.name == "Label" and node.get("value")]  # fmt: skip
    specs = [_asked(node) for node in root.walk() if node.get("perRegion") == "true"]
    named = {spec.name: spec for spec in specs if spec is not None}
    labels = [Label(name, colour if _COLOUR.fullmatch(colour) else "")
              for name, colour in dict(names).items()]  # fmt: skip
    return LabelSet(tuple(labels), attributes=tuple(named.values()))


def _asked(node: Node) -> AttributeSpec | None:
    """The rule of a control that Label Studio shows for each region; None for other controls."""
    choices = tuple(dict.fromkeys(each.get("value") for each in node.walk()
                                  if each.name == "Choice" and each.get("value")))  # fmt: skip
    several = node.get("choice") == "multiple"
    listed = AttributeKind.CHOICES if several else AttributeKind.CHOICE
    kinds = {"Number": AttributeKind.NUMBER, "Rating": AttributeKind.WHOLE,
             "DateTime": AttributeKind.TEXT}  # fmt: skip
    kind = listed if node.name == "Choices" and choices else kinds.get(node.name)
    if kind is None or not node.get("name").strip():
        return None
    required = node.get("required") == "true"
    return AttributeSpec(node.get("name"), kind, choices if kind.chooses else (), None, required)


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
