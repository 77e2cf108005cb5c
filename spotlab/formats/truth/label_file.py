"""A collection's labels, with colours, digits and descriptions, in ``spotlab.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from spotlab.errors import BadInput
from spotlab.formats.rows.atomic import write_atomically
from spotlab.formats.rows.json_values import is_shallow, load_object
from spotlab.model import Label, LabelSet

NAME = "spotlab.json"
_KEYS = ("name", "colour", "digit", "description")


def read_labels(folder: Path) -> LabelSet:
    """The labels of the collection; none where there is no file.

    Raises
    ------
    BadInput
        The file is not what `write_labels` writes.
    """
    path = folder / NAME
    if not path.exists():
        return LabelSet()
    return labels_in(_read(path), path)


def entry_of(label: Label) -> dict[str, str]:
    """A label as the file has it; what is empty and need not be there is left out."""
    entry = {"name": label.name, "colour": label.colour, "digit": label.digit}
    return {**entry, "description": label.description} if label.description else entry


def write_labels(folder: Path, labels: LabelSet) -> None:
    """Write the labels; what else is in the file stays.

    Raises
    ------
    NotSaved
        The file could not be written.
    BadInput
        There is such a file, but it is not JSON: it is not overwritten.
    """
    path = folder / NAME
    content = _read(path) if path.exists() else {}
    old = {}
    if isinstance(content.get("labels"), list):
        entries = [entry for entry in content["labels"] if isinstance(entry, dict)]
        old = {str(entry.get("name")): entry for entry in entries}
    content["labels"] = [
        {**_without(old.get(label.name, {}), "description"), **entry_of(label)} for label in labels
    ]
    content.pop("locked", None)
    if labels.locked:
        content["locked"] = True
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    write_atomically(path, text.encode("utf-8", "surrogatepass"))


def _read(path: Path) -> dict[str, Any]:
    content = load_object(path, "labels")
    if not is_shallow(content):
        raise BadInput(path, "the values are nested too deeply", expected="labels")
    return content


def labels_in(content: dict[str, Any], path: Path) -> LabelSet:
    """The labels in the content of a file; ``path`` is named in errors."""
    entries = content.get("labels", [])
    if not isinstance(entries, list):
        raise BadInput(path, "labels is not a list", place="labels", expected="a list of objects")
    labels = []
    for index, entry in enumerate(entries):
        values = entry if isinstance(entry, dict) else {}
        name, colour, digit, description = (values.get(key, "") for key in _KEYS)
        texts = all(isinstance(value, str) for value in (name, colour, digit, description))
        if not (texts and name):
            expected = '{"name": …, "colour": "#rrggbb", "digit": "1"}'
            raise BadInput(path, "no label", place=f"labels[{index}]", expected=expected)
        labels.append(Label(name, colour, digit, description))
    try:
        return LabelSet(tuple(labels), content.get("locked") is True)
    except ValueError as error:
        raise BadInput(path, str(error), place="labels") from error


def _without(entry: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != key}
