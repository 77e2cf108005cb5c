"""A view: what is open and where one looks, as JSON that another computer can open.

Paths in the file are relative to its folder, so that it can be handed on beside the pages.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, unquote_to_bytes

import msgspec

from spotlab.errors import BadInput
from spotlab.formats.rows.files import read_bytes, write_atomically
from spotlab.formats.shared.checked_json import MISSING, fit, parse_object

SUFFIX = ".spotlab"
FORMAT = "spotlab view"
VERSION = 1

Kind = TypeVar("Kind")

_QUOTED = "file:"  # before what is quoted as in a URI


class Place(msgspec.Struct, frozen=True):
    """Position of the view on a page.

    Attributes
    ----------
    x, y : float
        The place of the page in the middle of the canvas, in px.
    scale : float
        Screen px for a px of the page.
    angle : float
        Degrees clockwise.
    """

    x: float
    y: float
    scale: float
    angle: float = 0.0


class Filter(msgspec.Struct, frozen=True, omit_defaults=True):
    """The filter of the page list, and whether figures are of the shown pages only."""

    text: str = ""
    states: tuple[str, ...] = ()
    only: bool = False


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """Open pages and the current view of them.

    Attributes
    ----------
    pages : tuple of str
        Paths of the folders and files of the collection.
    workspace, page : str
        The names of the current workspace and page.
    place : Place or None
        None shows the whole page.
    filter : Filter
    workspaces : dict of str to dict
        What each workspace keeps, by its name.
    format, version
        Say what the file is.
    """

    pages: tuple[str, ...]
    workspace: str = ""
    page: str = ""
    place: Place | None = None
    filter: Filter = Filter()
    workspaces: dict[str, Any] = {}
    format: str = ""
    version: int = 0


def as_unicode(name: str) -> str:
    """The name as JSON can have it: bytes that are not UTF-8 as in a URI, after ``file:``.

    Examples
    --------
    >>> as_unicode("café"), as_unicode(os.fsdecode(b"caf\\xe9"))
    ('café', 'file:caf%E9')
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        return _QUOTED + quote(os.fsencode(name))
    return name


def from_unicode(text: str) -> str:
    """The name that `as_unicode` has written.

    Examples
    --------
    >>> from_unicode(as_unicode(os.fsdecode(b"caf\\xe9"))) == os.fsdecode(b"caf\\xe9")
    True
    """
    if not text.startswith(_QUOTED):
        return text
    return os.fsdecode(unquote_to_bytes(text.removeprefix(_QUOTED)))


class PathTexts:
    """Paths as a view file has them.

    Parameters
    ----------
    folder : Path, optional
        Of the file; paths are relative to it where they can be. Absolute by default.

    Examples
    --------
    >>> texts = PathTexts(Path("/plans/views"))
    >>> texts.text(Path("/plans/runs/mine.csv"))
    '../runs/mine.csv'
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder.absolute() if folder else None

    def text(self, path: Path) -> str:
        """The path as text."""
        path = path.absolute()
        if self._folder is None:
            return as_unicode(str(path))
        try:
            return as_unicode(Path(os.path.relpath(path, self._folder)).as_posix())
        except ValueError:  # on another drive
            return as_unicode(str(path))

    def path(self, text: str) -> Path:
        """The path that a text stands for."""
        path = Path(from_unicode(text))
        if path.is_absolute() or self._folder is None:
            return path
        return Path(os.path.normpath(self._folder / path))


def read_view(path: Path) -> tuple[View, list[str]]:
    """Read the view in a file.

    Returns
    -------
    view : View
    problems : list of str
        What made no sense and is left out, with its place in the file.

    Raises
    ------
    BadInput
        It cannot be read, is no view, or is of a newer version.
    """
    values, problems = parse_object(read_bytes(path))
    if not values and problems:
        raise BadInput(path, problems[0], expected="a saved view")
    if values.get("format") != FORMAT:
        raise BadInput(
            path, "it is not a view", expected=f"a file made by File > Save View ({SUFFIX})"
        )
    view, wrong = fitted(values, View, "")
    if view is None:
        raise BadInput(path, wrong[-1], expected="a view as spotlab saves it")
    if view.version > VERSION:
        problem = f"it is of version {view.version}"
        raise BadInput(path, problem, expected=f"version {VERSION}; a newer spotlab reads it")
    return view, [*problems, *wrong]


def write_view(path: Path, view: View) -> None:
    """Write a view, or raise and leave the old file as it was.

    Raises
    ------
    NotSaved
        It cannot be written.
    """
    marked = msgspec.structs.replace(view, format=FORMAT, version=VERSION)
    write_atomically(path, msgspec.json.format(msgspec.json.encode(marked), indent=1) + b"\n")


def fitted(value: object, kind: type[Kind], place: str) -> tuple[Kind | None, list[str]]:
    """Return a value of a view file as what it has to be, without what makes no sense in it.

    Parameters
    ----------
    value : object
    kind : type
    place : str
        The value's place in the file, for messages.

    Returns
    -------
    value : object
        None if nothing makes sense.
    problems : list of str
        What was left out.
    """
    left, problems = fit(value, kind, place)
    return (None if left is MISSING else msgspec.convert(left, kind)), problems
