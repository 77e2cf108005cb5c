"""Votes that were read: a table of items and systems, and how a file begins that has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Literal

from spotlab.arrays import Floats
from spotlab.consensus.votes import Votes
from spotlab.files import is_folder
from spotlab.formats.rows.csv_rows import MARKS, BadLine, is_remark, is_separator_line, split_names
from spotlab.formats.rows.files import BYTE_ORDER_MARK
from spotlab.formats.rows.text_files import read_head
from spotlab.progress import Progress
from spotlab.representation import short_repr

Method = Literal["bag_of_words", "alignment"]
TRUTH = "truth"  # what a column, a file or a folder of the truth is called


@dataclass(frozen=True, eq=False)
class VoteTable:
    """Votes of systems on items, and all further information in the files.

    Attributes
    ----------
    votes : Votes
        Of N items and S systems.
    items : tuple of str
        The name of each item, all different.
    pages : tuple of str
        The page, topic or document of each item; () where nothing says it.
    truth : (N,) float or None
        1 relevant, 0 not, NaN unknown; None where nothing says it of any item.
    factors : dict of str to tuple of str
        What is known of the systems: of each factor its value for every system, "" where unknown.
    texts : tuple of str
        The token that each item stands for; () where items are no tokens.
    boxes : (N, 4) float or None
        Left, top, right, bottom in px on its page of each item that is a region, the average of
        what the systems spotted; None where items are no regions.
    unfound : (S,) float or None
        For each system how much is relevant that no system found and that is no item here: it
        counts in the recall by the truth. None where nothing says it.
    files : mapping of (str, str) to Path
        Of texts, the file of a system and a page.
    bad_lines : tuple of BadLine
        Every line that is not read.
    remarks : tuple of str
        What a person should know besides.
    name : str
        What the table is called: its file's or folder's name.
    """

    votes: Votes
    items: tuple[str, ...]
    pages: tuple[str, ...] = ()
    truth: Floats | None = None
    factors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    boxes: Floats | None = None
    unfound: Floats | None = None
    files: Mapping[tuple[str, str], Path] = field(default_factory=dict)
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()
    name: str = ""

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.votes)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self.votes.systems


@dataclass(frozen=True)
class VoteOptions:
    """Options for turning files that are not vote tables into items.

    Attributes
    ----------
    method : str
        Of texts: "bag_of_words" (Method I of Lamiroy & Sun, §4.2) or "alignment" (Method II).
    depth : int
        Of ranked lists: a system votes for the documents of its first so many ranks.
    overlap : float
        Of spotted regions: the intersection over union from which two are the same item.
    yes : tuple of str
        Of answers ``item,system,vote``: those that are a yes, all others being a no; () where
        answers are numbers from 0 to 1.
    missed : bool
        Of texts, ranked lists and regions: whether what only the truth has is an item too, on which
        every system votes no. Without, figures of a consensus are the same whether there is a truth
        or not; recall by the truth counts what nobody found either way.
    """

    method: Method = "bag_of_words"
    depth: int = 100
    overlap: float = 0.5
    yes: tuple[str, ...] = ()
    missed: bool = False

    def __post_init__(self) -> None:
        if self.method not in ("bag_of_words", "alignment"):
            raise ValueError(f"there is no method {self.method!r}: bag_of_words or alignment")
        if self.depth < 1:
            raise ValueError(f"a depth of {self.depth} ranks, expected 1 or more")
        if not 0 < self.overlap <= 1:
            raise ValueError(f"an overlap of {self.overlap:g}, expected more than 0 and at most 1")


@dataclass(frozen=True)
class VoteFormat:
    """One way in which votes are kept, found through the registry.

    Attributes
    ----------
    name, title : str
        What commands and what people call it.
    sniff : callable
        Whether these files and folders, of which there is at least one, are of this kind.
    read : callable
        Raises `BadInput` where nothing can be read.
    broad : bool
        Whether ``sniff`` takes much for its own, so that the others are asked first.
    on_pages : bool
        Whether such files are also something else: texts of pages, or regions on them.
    """

    name: str
    title: str
    sniff: Callable[[Sequence[Path]], bool]
    read: Callable[[Sequence[Path], VoteOptions, Progress], VoteTable]
    broad: bool = False
    on_pages: bool = False


HEAD_BYTES = 65536


def head_of(path: Path) -> bytes:
    """The first bytes of a file; none of a folder.

    Raises
    ------
    BadInput
        It cannot be read.
    """
    if is_folder(path):
        return b""
    return read_head(path, HEAD_BYTES).removeprefix(BYTE_ORDER_MARK)


def first_line(path: Path) -> str:
    """Return the first line of a file that is neither empty nor a remark; "" if there is none."""
    lines = head_of(path).decode("utf-8", "replace").replace("\r", "\n").split("\n")
    lines = [line.strip() for line in lines if line.strip() and not is_above_head(line)]
    return next((line for line in lines if not is_separator_line(line)), "")


def is_above_head(line: str) -> bool:
    """Tell whether a line is a remark, or tells of the systems, and is not the names of columns.

    Examples
    --------
    >>> is_above_head("#engine,tess,ocro"), is_above_head("# by hand"), is_above_head("#,item,a")
    (True, True, False)
    """
    text = line.strip()
    return is_remark(text) or (text.startswith("#") and text[1:2] not in MARKS)


def first_names(path: Path) -> tuple[str, ...]:
    """Return what the first line of a CSV file names, in lower case; at least one name."""
    names = split_names(first_line(path))
    return tuple(name.strip().casefold() for name in names) or ("",)


_PARTS = re.compile(r"[-_. ]+")
FACTOR = "first part of the name"


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names without the parts that all begin or end with; as they are where that is too much.

    Parts are divided by ``-``, ``_``, dots or spaces.

    Examples
    --------
    >>> short_names(["OCR-TESS-frk-LINE", "OCR-TESS-deu-LINE", "OCR-OCRO-frk-LINE"])
    ('TESS-frk', 'TESS-deu', 'OCRO-frk')
    >>> short_names(["run-a"]), short_names(["run", "run-2"])
    (('run-a',), ('run', 'run-2'))
    """
    if len(names) < 2:
        return tuple(names)
    parts = [_PARTS.split(name) for name in names]
    first = _shared(parts)
    last = _shared([own[first:][::-1] for own in parts])
    if any(len(own) <= first + last for own in parts):
        return tuple(names)
    short = tuple(name[_start(name, first) : _end(name, last)] for name in names)
    return short if len(set(short)) == len(set(names)) and all(short) else tuple(names)


def _shared(parts: Sequence[Sequence[str]]) -> int:
    """Tell how many parts all begin with."""
    columns = zip(*parts, strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


def _start(name: str, parts: int) -> int:
    ends = [match.end() for match in _PARTS.finditer(name)]
    return ends[parts - 1] if parts else 0


def _end(name: str, parts: int) -> int:
    starts = [match.start() for match in _PARTS.finditer(name)]
    return starts[-parts] if parts else len(name)


def factors_of(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return what the names' first parts tell, where they are groups: several, not all different.

    Examples
    --------
    >>> factors_of(["TESS-frk", "TESS-deu", "OCRO-frk"])
    {'first part of the name': ('TESS', 'TESS', 'OCRO')}
    >>> factors_of(["a-1", "b-1"])
    {}
    """
    first = tuple(_PARTS.split(name)[0] for name in names)
    return {FACTOR: first} if 1 < len(set(first)) < len(first) else {}
