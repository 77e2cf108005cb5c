"""What a collection step intends, on the disk from before its first page is touched to its end.

The file ``spotlab.unfinished.json`` lies in the collection's folder, beside its list of labels, or
in the user's state folder where that folder cannot be written. It is whole or not there, and on the
disk before the first page changes; it goes when all pages and the list of labels are written::

    {"spotlab unfinished step": 1, "id": "r0c…", "name": "Rename sofa to couch",
     "takes back": false, "folder": "/plans", "removed": [{"place": 3, "name": …}], "added": […],
     "pages": {"one.xml": [{"region": "r1", "label": ["sofa", "couch"]}]}}

A region that comes in is ``{"region": "r1", "comes": {…}}``, one that goes has ``goes``; ``new``
has the pages that the step begins a truth file for. A file with such regions is of version 2.

Pages are named relative to the folder, so that it may be moved. The folder itself is locked while a
window carries a step out, so that no other one takes it for interrupted.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from spotlab.editing.collection_step import Arrival, Change, CollectionStep, LabelEntry
from spotlab.editing.journal import InUse
from spotlab.editing.journal_lines import (
    page_as_json,
    page_from_json,
    region_as_json,
    region_from_json,
)
from spotlab.errors import BadInput, NotSaved
from spotlab.formats.rows.atomic import lock, write_atomically
from spotlab.formats.rows.file_content import read_bytes
from spotlab.formats.truth.label_file import entry_of
from spotlab.model import Label

NAME = "spotlab.unfinished.json"
VERSION = 1
WITH_REGIONS = 2  # regions come in or go
_HEAD = "spotlab unfinished step"


class Claim:
    """Keeps other windows from carrying out steps of a collection, until it is released.

    Raises
    ------
    InUse
        Another window is doing so.
    """

    def __init__(self, folder: Path) -> None:
        self._handle = _open_to_lock(folder)
        if self._handle is not None and not lock(self._handle):
            self.release()
            raise InUse(f"Another window is changing labels on the pages of {folder.name}")

    def release(self) -> None:
        """Let others do so."""
        if self._handle is not None:
            os.close(self._handle)
        self._handle = None


def write_unfinished(step: CollectionStep) -> Path:
    """Put down what is intended, in place of what was; on the disk when this returns.

    Returns
    -------
    path : Path
        Where it was written.

    Raises
    ------
    NotSaved
        It could be written neither to the collection's folder nor to the state folder.
    """
    content = json.dumps(_as_json(step), ensure_ascii=False, separators=(",", ":"))
    data = content.encode("utf-8", "surrogatepass")
    beside, apart = _places(step.folder)
    try:
        write_atomically(beside, data)
    except NotSaved:
        with contextlib.suppress(OSError):
            apart.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(apart, data)
        return apart
    apart.unlink(missing_ok=True)
    return beside


def remove_unfinished(folder: Path) -> None:
    """The step is done, everywhere.

    Raises
    ------
    NotSaved
        The file cannot be removed.
    """
    for path in _places(folder):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            if path.exists():
                raise NotSaved(f"{path} cannot be removed: {error.strerror}") from error


def find_unfinished(folders: Iterable[Path]) -> list[Path]:
    """The files of unfinished steps of any collection that has pages in these folders.

    Looks into the folders above them, too: a step is found where only some of its pages are opened.
    """
    looked: dict[Path, None] = {}
    for folder in dict.fromkeys(folders):
        for start in (Path(os.path.realpath(folder)), Path(os.path.abspath(folder))):
            for each in (start, *start.parents):
                looked.setdefault(each)
    places = (place for folder in looked for place in _places(folder))
    return list(
        {os.path.realpath(place): place for place in places if os.path.isfile(place)}.values()
    )


def read_unfinished(path: Path) -> CollectionStep:
    """The step that a file holds.

    Raises
    ------
    BadInput
        It cannot be read, or is not what `write_unfinished` writes.
    """
    try:
        value = json.loads(read_bytes(path))
        if value[_HEAD] not in (VERSION, WITH_REGIONS):
            expected = f"version {VERSION} or {WITH_REGIONS}"
            raise BadInput(path, f"version {value[_HEAD]!r}", expected=expected)
        folder = Path(value["folder"]) if path.name != NAME else path.parent
        return CollectionStep(
            str(value["name"]),
            Path(os.path.realpath(folder)),
            {
                Path(os.path.normpath(folder / page)): tuple(_change(each) for each in changes)
                for page, changes in value["pages"].items()
            },
            tuple(_entry(each) for each in value["removed"]),
            tuple(_entry(each) for each in value["added"]),
            str(value["id"]),
            value["takes back"] is True,
            {
                Path(os.path.normpath(folder / page)): page_from_json(each)
                for page, each in value.get("new", {}).items()
            },
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(
            path, "is no unfinished step of spotlab", expected="what it wrote"
        ) from error


def unfinished_remarks(paths: Iterable[Path]) -> list[str]:
    """A line for each unfinished step of collections that these files or folders belong to."""
    remarks = []
    for path in find_unfinished(path if path.is_dir() else path.parent for path in paths):
        try:
            step = read_unfinished(path)
        except BadInput as error:
            remarks.append(str(error))
            continue
        pages = "1 page" if len(step.pages) == 1 else f"{len(step.pages):,} pages"
        remarks.append(
            f"{path}: “{step.name}” on {pages} was interrupted: some regions may have old values "
            f"and "
            "others new ones. Open the pages in the window to finish the step"
        )
    return remarks


def _open_to_lock(folder: Path) -> int | None:
    """The folder, or on Windows, which opens none, a file that stands for it."""
    with contextlib.suppress(OSError):
        if os.name != "nt":
            return os.open(folder, os.O_RDONLY)
        path = _places(folder)[1].with_suffix(".lock")
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT)
    return None  # nobody can be kept away


def _places(folder: Path) -> tuple[Path, Path]:
    """Beside the list of labels, and in the state folder."""
    name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:24]
    return folder / NAME, user_state_path("spotlab") / "unfinished" / f"{name}.json"


def _as_json(step: CollectionStep) -> dict[str, Any]:
    every = (change for changes in step.pages.values() for change in changes)
    version = WITH_REGIONS if any(isinstance(each, Arrival) for each in every) else VERSION
    value = {
        _HEAD: version,
        "id": step.id,
        "name": step.name,
        "takes back": step.takes_back,
        "folder": str(step.folder),
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
