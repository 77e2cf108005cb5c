"""Votes in CSV: ``item,<system>,…[,truth][,page]``, a line an item.

A vote is 0, 1, a probability between, or empty where it is unknown; a truth 0, 1 or empty. A line
whose item begins with ``#`` tells something of the systems: ``#engine,tess,tess,ocro``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.vote_bits import WORD, PackedVotes
from spotlab.consensus.vote_values import soft
from spotlab.consensus.votes import Votes
from spotlab.errors import BadInput
from spotlab.formats.rows.columns import read_bytes
from spotlab.formats.votes.csv_head import ITEM, Head, read_head
from spotlab.formats.votes.csv_lines import read_lines
from spotlab.formats.votes.csv_long import tells_truth, with_truths
from spotlab.formats.votes.format import VoteFormat, VoteOptions, VoteTable
from spotlab.formats.votes.sniffing import first_line, first_names
from spotlab.progress import Progress

if TYPE_CHECKING:
    import pyarrow

EXPECTED = "a first line item,<system>,… and lines of 0, 1, a number between, or nothing"
LEADING = re.compile(rb"(?:[ \t]*#[^\n]*(?:\n|$))*")  # lines that tell of the systems

FURTHER = re.compile(rb'^[ \t]*"?[ \t]*#', re.M)  # such a line anywhere else, or in quotes


def read(paths: Sequence[Path], options: VoteOptions, progress: Progress) -> VoteTable:
    """The votes of one file, and the truth of those that tell only that.

    Raises
    ------
    BadInput
        It cannot be read, its first line is not right, or no line of it is.
    """
    tables = [path for path in paths if not tells_truth(path)]
    if len(tables) != 1:
        path = tables[1] if tables else paths[0]
        problem = "a second table of votes" if tables else "there are no votes, only truth"
        raise BadInput(path, problem, expected="one file item,<system>,…")
    path = tables[0]
    content = read_bytes(path, EXPECTED)
    progress(0, len(content), f"reading {path.name}")
    table = _read_quickly(path, content) or read_lines(path, EXPECTED, progress)
    progress(len(content), len(content), f"reading {path.name}")
    return with_truths(table, [other for other in paths if other != path], options, progress)


def _read_quickly(path: Path, content: bytes) -> VoteTable | None:
    """All lines at once; None where one of them is not right or written in an unusual way."""
    first, _, rest = content.partition(b"\n")
    text = first.decode("utf-8", "replace").strip()
    if not text or '"' in text or "\r" in text:
        return None
    head = read_head(text.split(","), path, "line 1")
    leading = LEADING.match(rest)
    about = leading.group() if leading else b""
    if b'"' in about or (rest.find(b"#", len(about)) >= 0 and FURTHER.search(rest, len(about))):
        return None
    try:
        for line in about.decode().splitlines():
            head.add_factor(line.split(","))
    except ValueError:
        return None
    columns = _columns(rest[len(about) :], head)
    return None if columns is None else _table(path, head, columns)


def _columns(content: bytes, head: Head) -> pyarrow.Table | None:
    """The columns by place, votes as whole numbers where all are, else as float32."""
    if not content.strip():
        return None
    import pyarrow  # noqa: PLC0415 - a quarter of a second
    from pyarrow import csv  # noqa: PLC0415

    lines = content.count(b"\n") + (not content.endswith(b"\n"))
    for kind in (pyarrow.int8(), pyarrow.float32()):
        kinds = {str(place): kind for place in head.places}
        kinds["0"] = pyarrow.string()
        if head.truth is not None:
            kinds[str(head.truth)] = pyarrow.int8()
        if head.page is not None:
            kinds[str(head.page)] = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
        try:
            table = csv.read_csv(
                pyarrow.BufferReader(content),
                csv.ReadOptions(column_names=list(map(str, range(head.width)))),
                csv.ParseOptions(),
                csv.ConvertOptions(column_types=kinds, null_values=[""]),
            )
        except pyarrow.ArrowException:
            continue
        return table if len(table) == lines else None
    return None


def _table(path: Path, head: Head, columns: pyarrow.Table) -> VoteTable | None:
    """The table of these columns; None where a line is not right."""
    items = _items(columns["0"])
    votes = _votes(head, columns)
    truth = None if head.truth is None else _truth(columns[str(head.truth)])
    if items is None or votes is None or (head.truth is not None and truth is None):
        return None
    pages: tuple[str, ...] = ()
    if head.page is not None:
        encoded = columns[str(head.page)].combine_chunks()
        if encoded.null_count:
            return None
        names = [name.strip() for name in encoded.dictionary.to_pylist()]
        if not all(names):
            return None
        pages = tuple(names[code] for code in encoded.indices.to_numpy().tolist())
    return VoteTable(votes, items, pages, truth, head.factors, name=path.stem)


def _items(column: pyarrow.ChunkedArray) -> tuple[str, ...] | None:
    """The names of the items; None where one is empty, there twice, or has spaces around it."""
    items = tuple(column.to_pylist())
    if None in items or len(set(items)) < len(items):
        return None
    if any(item != item.strip() or not item for item in items):
        return None
    return items


def _votes(head: Head, columns: pyarrow.Table) -> Votes | None:
    """The votes, packed column by column; None where one is out of range."""
    count, words = len(columns), -(-len(columns) // WORD)
    yes, known = (np.zeros((len(head.places), words * WORD // 8), np.uint8) for _ in range(2))
    complete, values = True, None
    for system, place in enumerate(head.places):
        column = columns[str(place)]
        given = column.is_valid().to_numpy()
        numbers = column.fill_null(0).to_numpy()
        if not ((numbers >= 0) & (numbers <= 1)).all():  # NaN is neither
            return None
        complete &= bool(given.all())
        if numbers.dtype.kind == "f":
            if values is None:
                values = np.empty((count, len(head.places)), np.float32)
            values[:, system] = np.where(given, numbers, np.nan)
        else:
            _pack(yes[system], numbers == 1)
            _pack(known[system], given)
    if values is not None:
        bits = PackedVotes.of(values)
        return Votes(head.systems, soft(values) if bits is None else bits)
    packed = PackedVotes(count, yes.view(np.uint64), None if complete else known.view(np.uint64))
    return Votes(head.systems, packed)


def _pack(into: NDArray[np.uint8], flags: NDArray[np.bool_]) -> None:
    bits = np.packbits(flags, bitorder="little")
    into[: len(bits)] = bits


def _truth(column: pyarrow.ChunkedArray) -> NDArray[np.float64] | None:
    truth: NDArray[Any] = np.where(
        column.is_valid().to_numpy(), column.fill_null(0).to_numpy(), np.nan
    )
    right = np.isnan(truth) | (truth == 0) | (truth == 1)
    return truth.astype(np.float64) if right.all() else None


def _sniff(paths: Sequence[Path]) -> bool:
    tables = [path for path in paths if not tells_truth(path)]
    if len(tables) != 1 or tables[0].is_dir() or "," not in first_line(tables[0]):
        return False
    return first_names(tables[0])[0] == ITEM


FORMAT = VoteFormat("csv", "table of votes", _sniff, read)
