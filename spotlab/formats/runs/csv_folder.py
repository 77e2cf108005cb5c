"""Runs as a folder of CSV files, one for each page or each query, named like it.

Where every spot has a score, the scores order the spots of all files together; else the ranks of
the files do, and spots of equal rank are tied.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from spotlab.errors import BadInput
from spotlab.files import is_file, is_folder
from spotlab.formats.rows.csv_rows import is_separator_line, marks_in
from spotlab.formats.rows.numbers import natural
from spotlab.formats.rows.text_files import content_name, read_head
from spotlab.formats.runs import csv_run
from spotlab.formats.runs.format import Naming, ReadRun, RunFormat, find_roles
from spotlab.formats.runs.gather import Block, Gathered
from spotlab.formats.runs.side_files import is_comment
from spotlab.model.run import Run
from spotlab.progress import Progress

FIRST_ROWS = 50  # of a file, that have to be of one page or query
_FIRST_BYTES = 2**16


def read(path: Path, naming: Naming, progress: Progress) -> ReadRun:
    """The run in a folder of CSV files.

    Raises
    ------
    BadInput
        One of the files cannot be read at all.
    """
    files = csv_files(path)
    if not files:
        raise BadInput(path, "the folder has no CSV files", expected="one for each page or query")
    gathered = Gathered(path, path.name)
    parts = [csv_run.read(file, naming, progress) for file in files]
    scored = not any(np.isnan(part.run.score).any() for part in parts)
    for file, part in zip(files, parts, strict=True):
        gathered.add(_block(part.run, scored, gathered))
        for key, value in part.run.provenance.items():
            gathered.provenance.setdefault(key, value)
        gathered.remarks += [f"{file.name}: {remark}" for remark in part.remarks]
        for bad in part.bad_lines:
            place = bad.place or f"line {bad.line}"
            gathered.bad(bad.line, bad.problem, f"{file.name}, {place}")
    return gathered.finish(several_files=True)


def csv_files(folder: Path) -> list[Path]:
    """The CSV files in a folder, in natural order."""
    found = [
        path
        for path in folder.iterdir()
        if content_name(path).suffix.lower() == ".csv"
        and not path.name.startswith(".")
        and is_file(path)
    ]
    return sorted(found, key=lambda path: natural(path.name))


def are_parts(files: Sequence[Path]) -> bool:
    """Tell whether several files are one run: each is about the page, or query, that it is
    called.
    """
    if len(files) < 2:
        return False
    named = [_subjects(file) for file in files]
    return any(
        all(_is_called(file, each[what]) for file, each in zip(files, named, strict=True))
        for what in (0, 1)
    )


def _is_called(file: Path, names: set[str]) -> bool:
    """Tell whether these names are only the file's, or none; a page may have an ending."""
    own = content_name(file).stem.casefold()
    return all(name.casefold() == own or Path(name).stem.casefold() == own for name in names)


def _subjects(file: Path) -> tuple[set[str], set[str]]:
    """The pages and the queries of the first rows of a file."""
    try:
        text = read_head(file, _FIRST_BYTES).decode("utf-8-sig", "replace")
    except BadInput:
        return {""}, {""}
    lines = [line for line in text.splitlines() if line.strip()]
    while lines and (is_comment(lines[0]) or is_separator_line(lines[0])):
        lines.pop(0)
    mark = marks_in(lines[0])[0] if lines else ","
    rows = csv.DictReader(lines[: FIRST_ROWS + 1], delimiter=mark, skipinitialspace=True)
    names = list(rows.fieldnames or ())
    roles = find_roles(names)
    if "query" not in roles.places or (roles.box is None and "points" not in roles.places):
        return {""}, {""}
    some = list(islice(rows, FIRST_ROWS))
    pages, queries = (
        {(row[names[roles.places[role]]] or "").strip() for row in some}
        if role in roles.places
        else {content_name(file).stem}
        for role in ("page", "query")
    )
    return pages, queries


def _block(run: Run, scored: bool, gathered: Gathered) -> Block:
    queries, pages, labels = gathered.tidy(run.queries, run.pages, (*run.labels, ""))
    return Block(
        queries[run.query],
        pages[run.page],
        np.full(len(run), np.nan) if scored else run.rank.astype(np.float64),
        run.score,
        run.outlines,
        labels[run.label],  # -1, none, is the last
        run.line,
    )


def _sniff(path: Path, _: bytes) -> bool:
    return is_folder(path) and are_parts(csv_files(path))


FORMAT = RunFormat("csv-folder", "Folder of CSV files", (), _sniff, read)
