"""How an unfinished step stands in its file; see `spotlab.editing.unfinished`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from spotlab.editing.collection_step import Arrival, Change, CollectionStep, LabelEntry
from spotlab.editing.edit_json import (
    page_as_json,
    page_from_json,
    region_as_json,
    region_from_json,
)
from spotlab.errors import shortened
from spotlab.formats.collection.label_file import entry_of
from spotlab.model import Label
from spotlab.trust import confined_truth

VERSION = 1
WITH_REGIONS = 2  # regions come in or go
HEAD = "spotlab unfinished step"
_LONGEST = 120  # characters of a step's name that are shown


def step_as_json(step: CollectionStep) -> dict[str, Any]:
    """Return a step as its file has it."""
    every = (change for changes in step.pages.values() for change in changes)
    version = WITH_REGIONS if any(isinstance(each, Arrival) for each in every) else VERSION
    value = {
        HEAD: version,
        "id": step.id,
        "name": step.name,
        "takes back": step.takes_back,
        "folder": str(step.folder),
        "root": str(step.root or step.folder),
        "removed": [_entry_as_json(entry) for entry in step.removed],
        "added": [_entry_as_json(entry) for entry in step.added],
        "pages": {
            os.path.relpath(path, step.folder): [_change_as_json(each) for each in changes]
            for path, changes in step.pages.items()
        },
    }
    if step.new:
        value["new"] = {
            os.path.relpath(path, step.folder): page_as_json(page)
            for path, page in step.new.items()
        }
    return value


def _change_as_json(change: Change | Arrival) -> dict[str, Any]:
    if isinstance(change, Arrival):
        way = "goes" if change.goes else "comes"
        return {"region": change.region, way: region_as_json(change.value)}
    return {"region": change.region, change.attribute: [change.before, change.after]}


def _change(value: dict[str, Any]) -> Change | Arrival:
    (attribute,) = value.keys() - {"region"}
    if attribute in ("comes", "goes"):
        return Arrival(region_from_json(value[attribute]), attribute == "goes")
    before, after = value[attribute]
    return Change(str(value["region"]), before, after, attribute)


def _entry_as_json(entry: LabelEntry) -> dict[str, Any]:
    label = entry.label
    return {"place": entry.place, **entry_of(label)}


def _entry(value: dict[str, Any]) -> LabelEntry:
    name, colour, digit = (str(value[key]) for key in ("name", "colour", "digit"))
    label = Label(name, colour, digit, str(value.get("description", "")))
    return LabelEntry(int(value["place"]), label)


def one_line(text: object) -> str:
    """A text of the file as one line that can be shown."""
    if not isinstance(text, str):
        raise TypeError("this is no text")
    return shortened("".join(each if each.isprintable() else "\ufffd" for each in text), _LONGEST)


def step_from_json(value: Any, folder: Path, root: Path) -> CollectionStep:
    """Read a step of the collection in a folder.

    Raises
    ------
    BadInput
        A page leads out of the root, or is no truth file.
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError
        Other values make no sense.
    """

    def page(name: str) -> Path:
        return confined_truth(os.path.join(folder, name), root)

    return CollectionStep(
        one_line(value["name"]),
        folder,
        {
            page(name): tuple(_change(each) for each in changes)
            for name, changes in value["pages"].items()
        },
        tuple(_entry(each) for each in value["removed"]),
        tuple(_entry(each) for each in value["added"]),
        one_line(value["id"]),
        value["takes back"] is True,
        {page(name): page_from_json(each) for name, each in value.get("new", {}).items()},
        root,
    )
