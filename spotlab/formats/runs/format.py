"""Interface of run formats, and the result of reading: the run, all bad lines, remarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.runs.box_columns import ColumnChoice
from spotlab.model.run import Run
from spotlab.progress import Progress
from spotlab.representation import short_repr

EXPECTED = "the columns query, page, points, and rank or score"


@dataclass(frozen=True)
class ReadRun:
    """A run as it was read.

    Attributes
    ----------
    run : Run
        All good lines.
    bad_lines : tuple of BadLine
        All others, in order of the file.
    remarks : tuple of str
        What a person should know besides.
    guessed : frozenset of str
        What was guessed and can be checked by the truth: "pages", "labels".
    """

    run: Run
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()
    guessed: frozenset[str] = frozenset()

    __repr__ = short_repr


@dataclass(frozen=True)
class Naming:
    """Knowledge of the truth that gives values in detections a meaning.

    Attributes
    ----------
    image_ids, categories : mapping
        The page name of each image id, the label of each category id or class number.
    pages, labels : tuple of str
        All page names, and all labels in the collection's order: what is tried where nothing names
        ids, see `complete_naming`.
    size_of : callable
        Gives width and height in px of the page that a run calls so; None where it is not known.
    columns : ColumnChoice or None
        A person's words on the columns of a table.
    """

    image_ids: Mapping[Any, str] = field(default_factory=dict)
    categories: Mapping[Any, str] = field(default_factory=dict)
    pages: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    size_of: Callable[[str], tuple[int, int] | None] = field(default=lambda page: None, repr=False)
    columns: ColumnChoice | None = None


@dataclass(frozen=True)
class RunFormat:
    """One run file format, found through the registry.

    Attributes
    ----------
    name, title : str
        What commands and what people call it.
    suffixes : tuple of str
        File name endings in lower case, with the dot; () for a format of folders.
    sniff : callable
        Whether a file of this name with these first 4,096 bytes is of this format; a folder has
        none.
    read : callable
        Raises `BadInput` where nothing can be read.
    read_page : callable, optional
        The spots of the page of this name, and perhaps others, of a large file, for a first look;
        None where that would take as long as reading all.
    soon_read : bool
        Whether all of a large file is read as soon as the spots of a page would be found in it.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Path, bytes], bool]
    read: Callable[[Path, Naming, Progress], ReadRun]
    read_page: Callable[[Path, str, Progress], Run | None] | None = None
    soon_read: bool = False
