"""The intention of a collection step, on the disk from before its first page is touched to its end.

The file ``spotlab.unfinished.json`` lies in the collection's folder, beside its list of labels. It
is whole or not there, and on the disk before the first page changes; it goes when all pages and the
list of labels are written::

    {"spotlab unfinished step": 1, "id": "r0c…", "name": "Rename sofa to couch",
     "takes back": false, "folder": "/plans", "removed": [{"place": 3, "name": …}], "added": […],
     "pages": {"one.xml": [{"region": "r1", "label": ["sofa", "couch"]}]}}

A region that comes in is ``{"region": "r1", "comes": {…}}``, one that goes has ``goes``; ``new``
has the pages that the step begins a truth file for. A file with such regions is of version 2.

**Whose step it is.** The user's state folder has a record for each collection with an unfinished
step: the collection's folder, the folder that was opened, and the digests of the file as it is and
as it was before. Only a file with such a digest in this folder is the user's own and is finished
without a question. Any other one came with the data: it is shown and asked about. Where the
collection's folder cannot be written, or holds such a foreign file, the record has the whole step.

Pages are named relative to the folder. A name that leads out of the opened folder is refused. The
folder is locked while a window carries a step out, so that no other window takes it for
interrupted.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from spotlab.editing.collection_step import Arrival, Change, CollectionStep, PlacedLabel, Tagging
from spotlab.editing.edit_json import page_as_json, page_from_json, region_as_json, region_from_json
from spotlab.editing.journal import InUse
from spotlab.errors import BadInput, NotSaved, counted, shortened
from spotlab.files import exists, is_folder
from spotlab.formats.collection.label_file import entry_of
from spotlab.formats.rows.files import lock, read_bytes, write_atomically
from spotlab.model import Label
from spotlab.trust import confined, confined_truth

BESIDE = "own files"  # in a record: digests of the user's own files in the folder

# what this process has written, by folder: where no record can be kept, this is it
_written: dict[Path, StepRecord] = {}


@dataclass(frozen=True)
class StepRecord:
    """The state folder's record of a collection with an unfinished step."""

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
    """The file of the state folder that says what is unfinished in a collection's folder."""
    name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:24]
    return user_state_path("spotlab") / "unfinished" / f"{name}.json"


def forget_record(folder: Path) -> None:
    """Know nothing more of what this process has written in a folder."""
    _written.pop(folder, None)


VERSION = 1
WITH_REGIONS = 2  # regions come in or go
WITH_TAGS = 3  # pages get or lose tags
HEAD = "spotlab unfinished step"
_LONGEST = 120  # characters of a step's name that are shown


def step_as_json(step: CollectionStep) -> dict[str, Any]:
    """Return a step as its file has it."""
    every = (change for changes in step.pages.values() for change in changes)
    version = max(map(_version_of, every), default=VERSION)
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


def _version_of(change: Change | Arrival | Tagging) -> int:
    if isinstance(change, Tagging):
        return WITH_TAGS
    return WITH_REGIONS if isinstance(change, Arrival) else VERSION


def _change_as_json(change: Change | Arrival | Tagging) -> dict[str, Any]:
    if isinstance(change, Tagging):
        return {"tags": {"added": change.added, "removed": change.removed}}
    if isinstance(change, Arrival):
        way = "goes" if change.goes else "comes"
        return {"region": change.region, way: region_as_json(change.value)}
    return {"region": change.region, change.attribute: [change.before, change.after]}


def _change(value: dict[str, Any]) -> Change | Arrival | Tagging:
    if "tags" in value:
        return Tagging(*(tuple(map(one_line, value["tags"][way])) for way in ("added", "removed")))
    (attribute,) = value.keys() - {"region"}
    if attribute in ("comes", "goes"):
        return Arrival(region_from_json(value[attribute]), attribute == "goes")
    before, after = value[attribute]
    return Change(str(value["region"]), before, after, attribute)


def _entry_as_json(entry: PlacedLabel) -> dict[str, Any]:
    label = entry.label
    return {"place": entry.place, **entry_of(label)}


def _entry(value: dict[str, Any]) -> PlacedLabel:
    name, colour, digit = (str(value[key]) for key in ("name", "colour", "digit"))
    number = value.get("number")
    number = number if isinstance(number, int | str) else None
    label = Label(name, colour, digit, str(value.get("description", "")), number)
    return PlacedLabel(int(value["place"]), label)


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


NAME = "spotlab.unfinished.json"


@dataclass(frozen=True)
class Interrupted:
    """A file that holds a step that is not finished.

    Attributes
    ----------
    path : Path
    root : Path
        No file outside of this folder is touched: the one that was opened when the step was begun,
        or, for a foreign file, the one that is opened now.
    digest : str
        Of the user's own file; empty if the file is foreign.
    """

    path: Path
    root: Path
    digest: str = ""

    @property
    def own(self) -> bool:
        """True if this user's spotlab wrote the file."""
        return bool(self.digest)


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
    folder, root = real(step.folder), real(step.root or step.folder)
    beside, record = folder / NAME, record_path(folder)
    said = read_record(folder)
    before = digest_of_file(beside)
    own = (before,) if said and before in said.own else ()
    value = step_as_json(step)
    if (own or not os.path.lexists(beside)) and not (said and said.whole):
        data = encoded(value)
        try:
            write_record(StepRecord(folder, root, (digest_of(data), *own)))
            write_atomically(confined(beside, folder), data)
            return beside
        except (NotSaved, BadInput):
            forget_record(folder)
    with contextlib.suppress(OSError):
        record.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(record, encoded({**value, BESIDE: own}))
    return record


def adopt_unfinished(interrupted: Interrupted, content: bytes) -> None:
    """Take a foreign file with this content for the user's own: the user has agreed to the step."""
    folder = real(interrupted.path.parent)
    write_record(StepRecord(folder, interrupted.root, (digest_of(content),)))


def remove_unfinished(folder: Path) -> None:
    """The step is done, everywhere. A foreign file stays.

    Raises
    ------
    NotSaved
        The file cannot be removed.
    """
    folder = real(folder)
    said, beside = read_record(folder), folder / NAME
    own = said is not None and digest_of_file(beside) in said.own
    for path in (*([beside] if own else []), record_path(folder)):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            if exists(path):
                raise NotSaved(f"{path} cannot be removed: {error.strerror}") from error
    forget_record(folder)


def find_unfinished(folders: Iterable[Path], root: Path | None = None) -> list[Interrupted]:
    """Find the unfinished steps of any collection that has pages in these folders.

    The user's own steps are found wherever their collection's folder is, also where only some of
    its pages are opened. Foreign ones are looked for in the opened folder, not above it.

    Parameters
    ----------
    folders : iterable of Path
        Where pages lie.
    root : Path, optional
        The opened folder; by default each of the folders is one.
    """
    looked = tuple(dict.fromkeys(real(folder) for folder in folders))
    found, own = [], set()
    for record in read_records():
        if not any(folder.is_relative_to(record.folder) for folder in looked):
            continue
        beside = record.folder / NAME
        digest = digest_of_file(beside)
        if digest in record.own:
            own.add(record.folder)
        if record.whole:
            path = record_path(record.folder)
            found.append(Interrupted(path, record.root, digest_of_file(path)))
        elif digest in record.own:
            found.append(Interrupted(beside, record.root, digest))
    foreign = [
        Interrupted(folder / NAME, real(root) if root else folder)
        for folder in _up_to(looked, root)
        if folder not in own and os.path.lexists(folder / NAME)
    ]
    return [*found, *foreign]


def read_unfinished(interrupted: Interrupted) -> CollectionStep:
    """The step that a file holds.

    Raises
    ------
    BadInput
        It cannot be read, is not what `write_unfinished` writes, or names a file outside of the
        folder.
    """
    return step_in(content_of(interrupted), interrupted)


def content_of(interrupted: Interrupted) -> bytes:
    """The content of the file of a step.

    Raises
    ------
    BadInput
        It cannot be read, leads out of the folder, or is not the user's own any more.
    """
    path = interrupted.path
    if path.name == NAME:
        path = confined(path, path.parent)
    content = read_bytes(path)
    if interrupted.own and digest_of(content) != interrupted.digest:
        raise BadInput(interrupted.path, "it has been changed just now")
    return content


def step_in(content: bytes, interrupted: Interrupted) -> CollectionStep:
    """The step in such a content; raises as `read_unfinished` does."""
    path, root = interrupted.path, interrupted.root
    try:
        value = json.loads(content)
        if value[HEAD] not in range(VERSION, WITH_TAGS + 1):
            expected = f"version {VERSION} to {WITH_TAGS}"
            raise BadInput(path, f"version {value[HEAD]!r}", expected=expected)
        folder = real(Path(value["folder"]) if path.name != NAME else path.parent)
        return step_from_json(value, folder, root)
    except BadInput as error:
        if error.path == path:
            raise
        raise BadInput(path, f"a page is refused: {error}") from error
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError,
            RecursionError) as error:  # fmt: skip
        raise BadInput(
            path, "is no unfinished step of spotlab", expected="what it wrote"
        ) from error


def unfinished_remarks(paths: Iterable[Path]) -> list[str]:
    """A line for each unfinished step of collections that these files or folders belong to."""
    remarks = []
    for interrupted in find_unfinished(path if is_folder(path) else path.parent for path in paths):
        path = interrupted.path
        try:
            step = read_unfinished(interrupted)
        except BadInput as error:
            remarks.append(str(error))
            continue
        pages = counted(len(step.pages), "page")
        how = (
            "Open the pages in the window to finish the step"
            if interrupted.own
            else "Another computer or user began it; open the folder in the window to decide"
        )
        remarks.append(
            f"{path}: “{step.name}” on {pages} was interrupted: some regions may have old values "
            f"and others new ones. {how}"
        )
    return remarks


def _up_to(folders: Iterable[Path], root: Path | None) -> Iterator[Path]:
    """These real folders, and those above them up to the root."""
    top = real(root) if root else None
    seen = set()
    for folder in folders:
        for each in (folder, *folder.parents) if top else (folder,):
            if each in seen or (top and not each.is_relative_to(top)):
                break
            seen.add(each)
            yield each


def _open_to_lock(folder: Path) -> int | None:
    """The folder, or on Windows, which opens none, a file that stands for it."""
    with contextlib.suppress(OSError):
        if os.name != "nt":
            return os.open(folder, os.O_RDONLY)
        path = record_path(folder).with_suffix(".lock")
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT)
    return None  # nobody can be kept away
