"""Tells what format a file has."""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.files import is_folder as is_existing_folder
from spotlab.formats.collection.dataset import RECORD
from spotlab.formats.collection.label_file import NAME as LABEL_FILE
from spotlab.formats.rows.json_values import load_json
from spotlab.formats.rows.numbers import files_below
from spotlab.formats.rows.text_files import content_name, read_head, read_text
from spotlab.formats.truth.format import Format
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.registry import discover, guarded, modules_of
from spotlab.representation import utf8

_OFTEN_OTHER = (
    ".txt",
    ".yaml",
    ".yml",
    ".html",
    ".htm",
    ".csv",
    ".tsv",
    ".box",
)  # endings of all kinds of files
_FOLDERS = ("annotation_tools", "documents", "floor_plans")
_OTHER_FILES = {  # how they begin, and what they are
    b"Rar!": "a RAR archive, which has to be unpacked first",
    b"7z\xbc\xaf": "a 7z archive, which has to be unpacked first",
    b"PK\x03\x04": "a zip archive, or a file of an office program",
    b"%PDF": "a PDF file",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"II*\0": "an image",
    b"MM\0*": "an image",
    b"PAR1": "a Parquet table",
    b"SQLite format 3": "a database of SQLite",
    b"\x93NUMPY": "an array of NumPy",
}
GROUP = "spotlab.formats"  # the entry points of other people's packages


def known_formats() -> dict[str, Format]:
    """All truth formats by name, other people's included."""
    packages = ["spotlab.formats.truth", *(f"spotlab.formats.truth.{name}" for name in _FOLDERS)]
    modules = sorted(itertools.chain(*map(modules_of, packages)), key=_last_part)
    return discover(GROUP, Format, modules=tuple(modules))


def _last_part(module: str) -> str:
    return module.rsplit(".", 1)[1]


def format_of(path: Path) -> Format:
    """The format of a file, by its content, else by its suffix if only one format has it.

    Raises
    ------
    BadInput
        It cannot be read, or is of no known format.
    """
    head, name = read_head(path).removeprefix(codecs.BOM_UTF8), content_name(path)
    if not head:
        raise BadInput(path, "the file is empty")
    formats = known_formats().values()
    found = [format for format in formats if guarded(format, partial(format.sniff, name, head))]
    if not found and head.lstrip()[:1] in (b"{", b"["):  # JSON may have its telling keys at the end
        whole = utf8(read_text(path))
        found = [
            format for format in formats if guarded(format, partial(format.sniff, name, whole))
        ]
        if not found:
            load_json(path, "truth")  # what is cut off is not JSON, which is the cause
    if not found:
        suffix = "" if name.suffix.lower() in _OFTEN_OTHER else name.suffix.lower()
        found = [format for format in formats if suffix in format.suffixes]
        if len(found) > 1:
            found = []
    if not found:
        kind = next((kind for magic, kind in _OTHER_FILES.items() if head.startswith(magic)), "")
        if kind:
            raise BadInput(path, f"this is {kind}", expected="truth; see convert --formats")
        titles = ", ".join(format.title for format in formats)
        raise BadInput(path, "the format is not known", expected=f"one of {titles}")
    return found[0]


def latest_files(
    files: Sequence[tuple[Path, Format]],
) -> tuple[list[tuple[Path, Format]], list[str]]:
    """The files without earlier versions of others among them, and a remark on each of these."""
    replaced: dict[Path, Path] = {}
    for format in {each.name: each for _, each in files}.values():
        if format.superseded is not None:
            own = [path for path, each in files if each.name == format.name]
            replaced.update(format.superseded(own))
    remarks = [
        f"{old.name} was skipped: {new.name} is a later version of it"
        for old, new in replaced.items()
    ]
    return [each for each in files if each[0] not in replaced], remarks


def truth_files_in(
    folder: Path, known: Collection[Path] = ()
) -> tuple[list[tuple[Path, Format]], list[BadInput], list[str]]:
    """The truth files in a folder and all in it, what cannot be read, and remarks on older ones.

    Files with the endings of truth formats are looked at, hidden ones and those in ``known`` not.
    """
    endings = {suffix for format in known_formats().values() for suffix in format.suffixes}
    files: list[tuple[Path, Format]] = []
    errors: list[BadInput] = []
    for path in files_below(folder):
        if content_name(path).suffix.lower() not in endings - IMAGE_SUFFIXES or path.name in (
            LABEL_FILE,
            RECORD,
        ):
            continue
        if path in known:
            continue
        try:
            files.append((path, format_of(path)))
        except BadInput as error:
            if path.suffix.lower() not in _OFTEN_OTHER:
                errors.append(error)
    latest, older = latest_files(_without_contents(files))
    return latest, errors, older


def _without_contents(files: Sequence[tuple[Path, Format]]) -> list[tuple[Path, Format]]:
    """The files but for those that reading another of them reads, too."""
    inner: set[Path] = set()
    for path, format in files:
        if format.contents is not None:
            with suppress(BadInput):  # reading it will say so
                inner.update(file.resolve() for file in format.contents(path))
    return [each for each in files if not inner or each[0].resolve() not in inner]


def format_for(target: Path, name: str | None, *, is_folder: bool = False) -> Format:
    """The format to write to a target: the named one, else the first that has its suffix.

    A target without a suffix, or one that is to be a folder anyway, is a folder of PAGE files.

    Raises
    ------
    BadInput
        There is none, or it can only be read, not written.
    """
    formats = known_formats()
    writable = {name: format for name, format in formats.items() if format.write is not None}
    expected = "one of " + ", ".join(writable)
    if name is not None:
        if name not in formats:
            raise BadInput(target, f"there is no format {name!r}", expected=expected)
        if name not in writable:
            raise BadInput(
                target, f"{formats[name].title} can only be read, not written", expected=expected
            )
        return writable[name]
    suffix = target.suffix.lower()
    if is_folder or not suffix or is_existing_folder(target):
        return writable["page"]
    # PAGE is what .xml means here, COCO what .json means, which hold everything; YOLO .txt
    usual = ("page", "coco", "yolo")
    preferred = sorted(writable.values(), key=lambda format: format.name not in usual)
    for format in preferred:
        if suffix in format.suffixes:
            return format
    raise BadInput(target, f"no format has the suffix {suffix}", expected=expected)
