"""Decisions between two annotators: values, and the file that keeps them.

The file ``adjudication.jsonl`` stands in the folder of the third truth. Its first line names the
two annotators and their folders; each further line is one decision, or takes one back. The last
line about a pair counts. Lines are only ever appended, so that a kill loses none but the last::

    {"adjudication": 1, "first": {"name": "anna", "path": "../anna"}, "second": {…}}
    {"page": "plan", "pair": "d0c…", "verdict": "taken", "author": "Cleo", "time": "2026-…"}
    {"page": "plan", "pair": "d0c…", "verdict": "open", "author": "Cleo", "time": "2026-…"}

A pair is named by its regions as they were: if one is changed later, the pair is open again.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from spotlab.errors import BadInput, NotSaved, reason
from spotlab.files import is_missing
from spotlab.formats.rows.files import read_bytes, write_atomically
from spotlab.formats.rows.json_values import parse_json
from spotlab.model import Deed
from spotlab.trust import own_file

NAME = "adjudication.jsonl"
VERSION = 1
OPEN = "open"
VERDICTS = (Deed.KEPT, Deed.TAKEN, Deed.MERGED, Deed.UNDECIDED)


class Outline(StrEnum):
    """Ways to merge two outlines."""

    HULL = "hull"
    UNION = "union"
    COMMON = "common"


@dataclass(frozen=True)
class Decision:
    """A decision about a pair of regions.

    Attributes
    ----------
    page, pair : str
        The page's name, and the pair's key.
    verdict : Deed
        `Deed.KEPT` takes the first annotator's side, `Deed.TAKEN` the second's, also where that is
        to have no region; `Deed.MERGED` makes one region of both; `Deed.UNDECIDED` leaves the
        region in, flagged as uncertain.
    author : str
        Who decided.
    time : datetime
        When, with a time zone.
    label : str
        Of a merged region.
    outline : Outline
        Of a merged region.
    """

    page: str
    pair: str
    verdict: Deed
    author: str
    time: datetime
    label: str = ""
    outline: Outline = Outline.HULL


@dataclass(frozen=True)
class AnnotatorSide:
    """One of the two annotators."""

    name: str
    folder: Path


class DecisionFile:
    """The decisions in a folder; make one with `open_decisions`.

    Attributes
    ----------
    folder : Path
        Of the third truth.
    first, second : AnnotatorSide
    """

    def __init__(self, folder: Path, first: AnnotatorSide, second: AnnotatorSide) -> None:
        self.folder = folder
        self.first = first
        self.second = second
        self._decisions: dict[tuple[str, str], Decision] = {}

    @property
    def names(self) -> tuple[str, str]:
        """Of the two annotators."""
        return self.first.name, self.second.name

    def get(self, page: str, pair: str) -> Decision | None:
        """The decision about a pair; None while it is open."""
        return self._decisions.get((page, pair))

    def of_page(self, page: str) -> dict[str, Decision]:
        """All decisions on a page by pair, those on pairs that are no more included."""
        return {pair: each for (name, pair), each in self._decisions.items() if name == page}

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions that count, in the order in which their pairs were first decided."""
        return tuple(self._decisions.values())

    def record(self, page: str, pair: str, decision: Decision | None, *, by: Decision) -> None:
        """Keep a decision, or (None) that the pair is open again; ``by`` says who did that.

        Raises
        ------
        NotSaved
            The file cannot be written; nothing has changed.
        """
        value = _as_json(decision) if decision is not None else _as_json(by) | {"verdict": OPEN}
        try:
            handle = os.open(own_file(self.folder / NAME), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            try:
                _append(handle, _line(value))
            finally:
                os.close(handle)
        except OSError as error:
            raise NotSaved(f"{self.folder / NAME}: {reason(error)}") from error
        self._keep(page, pair, decision)

    def _keep(self, page: str, pair: str, decision: Decision | None) -> None:
        if decision is None:
            self._decisions.pop((page, pair), None)
        else:
            self._decisions[page, pair] = decision


def _append(handle: int, line: bytes) -> None:
    """Add a line; where there is no room for all of it, none of it stays."""
    before = os.fstat(handle).st_size
    try:
        if os.write(handle, line) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(handle)
    except OSError:
        with contextlib.suppress(OSError):
            if os.fstat(handle).st_size <= before + len(line):  # nobody has added more
                os.ftruncate(handle, before)
        raise


def sides(first: Path, second: Path) -> tuple[AnnotatorSide, AnnotatorSide]:
    """Two annotators with names from their folders, with those above if they must be.

    Examples
    --------
    >>> [side.name for side in sides(Path("/data/anna/plans"), Path("/data/ben/plans"))]
    ['anna/plans', 'ben/plans']
    """
    parts = [path.absolute().parts for path in (first, second)]
    depth = 1
    while parts[0][-depth:] == parts[1][-depth:] and depth < max(map(len, parts)):
        depth += 1
    one, other = ("/".join(each[-depth:]) for each in parts)
    return AnnotatorSide(one, first), AnnotatorSide(other, second)


def open_decisions(folder: Path, first: AnnotatorSide, second: AnnotatorSide) -> DecisionFile:
    """Open the decisions in a folder, or begin some in one that holds no truth.

    Parameters
    ----------
    folder : Path
        Of the third truth; made if it is not there.
    first, second : AnnotatorSide
        The annotators.

    Raises
    ------
    BadInput
        The folder holds the truth of one of the two, another truth, or decisions about others.
    NotSaved
        The folder cannot be written.
    """
    folder = folder.absolute()
    for side in (first, second):
        root = side.folder.resolve()
        if folder.resolve() == root or root in folder.resolve().parents:
            problem = f"it is in the folder of {side.name}"
            raise BadInput(folder, problem, expected="a folder of its own for what is decided")
    if not is_missing(folder / NAME):
        found = read_decisions(folder)
        if [found.first.name, found.second.name] != [first.name, second.name]:
            problem = f"it holds decisions between {found.first.name} and {found.second.name}"
            expected = f"decisions between {first.name} and {second.name}, or an empty folder"
            raise BadInput(folder / NAME, problem, expected=expected)
        return found
    if not is_missing(folder) and any(folder.glob("*.xml")):
        problem = "it holds truth files, but no decisions"
        raise BadInput(folder, problem, expected="an empty folder")
    both = {"first": _side_as_json(first, folder), "second": _side_as_json(second, folder)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"{folder}: {reason(error)}") from error
    write_atomically(own_file(folder / NAME), _line({"adjudication": VERSION, **both}))
    return DecisionFile(folder, first, second)


def read_decisions(folder: Path) -> DecisionFile:
    """Read the decisions in a folder.

    Raises
    ------
    BadInput
        There are none, or a line makes no sense. A last line that is cut off is passed over.
    """
    path = folder / NAME
    content = read_bytes(path)
    whole, _, torn = content.rpartition(b"\n")
    lines = whole.split(b"\n")
    try:
        head = parse_json(lines[0])
        if head["adjudication"] != VERSION:
            raise ValueError
        found_sides = [
            AnnotatorSide(str(head[each]["name"]), folder / head[each]["path"])
            for each in ("first", "second")
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(path, "not decisions", place="line 1", expected="two annotators") from error
    found = DecisionFile(folder, *found_sides)
    for number, line in enumerate(lines[1:], 2):
        try:
            value = parse_json(line)
            decision = None if value["verdict"] == OPEN else _decision(value)
            found._keep(str(value["page"]), str(value["pair"]), decision)
        except (ValueError, KeyError, TypeError) as error:
            raise BadInput(
                path,
                "not a decision",
                place=f"line {number}",
                expected="page, pair, verdict, author and time",
            ) from error
    if torn:
        with contextlib.suppress(_Grown):  # it was the line that another window is writing
            write_atomically(own_file(path), whole + b"\n", partial(_check_same, path, content))
    return found


class _Grown(NotSaved):
    """Decisions were added by another window."""


def _check_same(path: Path, content: bytes) -> None:
    if read_bytes(path) != content:
        raise _Grown(f"{path} was changed by another program")


def verdict_counts(decisions: Iterable[Decision]) -> dict[str, int]:
    """Count the decisions of each verdict.

    Parameters
    ----------
    decisions : iterable of Decision

    Examples
    --------
    >>> verdict_counts([])
    {'kept': 0, 'taken': 0, 'merged': 0, 'undecided': 0}
    """
    counts = Counter(decision.verdict for decision in decisions)
    return {verdict.value: counts[verdict] for verdict in VERDICTS}


def _as_json(decision: Decision) -> dict[str, Any]:
    value = {
        "page": decision.page,
        "pair": decision.pair,
        "verdict": decision.verdict,
        "author": decision.author,
        "time": decision.time.isoformat(timespec="seconds"),
    }
    if decision.verdict is Deed.MERGED:
        value |= {"label": decision.label, "outline": decision.outline}
    return value


def _decision(value: Mapping[str, Any]) -> Decision:
    verdict = Deed(value["verdict"])
    if verdict not in VERDICTS:
        raise ValueError(f"{verdict} is not a verdict")
    time = datetime.fromisoformat(value["time"])
    if time.tzinfo is None:
        raise ValueError("the time has no time zone")
    return Decision(
        str(value["page"]),
        str(value["pair"]),
        verdict,
        str(value["author"]),
        time,
        str(value.get("label", "")),
        Outline(value.get("outline", Outline.HULL)),
    )


def _side_as_json(side: AnnotatorSide, folder: Path) -> dict[str, str]:
    try:
        path = os.path.relpath(side.folder, folder)
    except ValueError:  # another drive
        path = str(side.folder)
    return {"name": side.name, "path": path}


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
