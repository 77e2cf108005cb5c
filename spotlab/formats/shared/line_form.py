"""Values in a CSV file, line by line: what is changed is appended, and the last line counts.

A line is on the disk before the next is written. What a crash left of a last line is cut off.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from spotlab.errors import BadInput, reason
from spotlab.files import read_file
from spotlab.formats.rows.csv_rows import BadLine, bad_line, quote_field
from spotlab.formats.rows.files import BYTE_ORDER_MARK
from spotlab.formats.shared.shared_file import Merged, Read, merge_mappings
from spotlab.representation import utf8

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True)
class ReadLines(Generic[Key, Value]):
    """Values as they were read of a file.

    Attributes
    ----------
    values : mapping
        The last value of each key; those that were taken back are not there.
    bad_lines : tuple of BadLine
    whole : int
        So many bytes of the file are whole lines; what follows is the rest of one.
    ended : bool
        Whether the last of them has an end.
    """

    values: Mapping[Key, Value]
    bad_lines: tuple[BadLine, ...] = ()
    whole: int = 0
    ended: bool = True


@dataclass(frozen=True)
class LineForm(Generic[Key, Value]):
    """Serialisation of values in a file of lines; see `SharedFile`.

    Attributes
    ----------
    what : str
        What one value is called: "judgement".
    columns : tuple of str
        Their names are the first line.
    problem : str
        What is wrong where the first line is another one.
    taker : callable
        Given a dict of values, gives a function that takes the fields of a line into it, which are
        as many as columns; it raises ValueError where they make no sense.
    line : callable
        Given a key and its value, or None where it is taken back, gives the line or lines.
    is_whole : callable
        Whether the fields of a line that has no end are all of it.
    """

    what: str
    columns: tuple[str, ...]
    problem: str
    taker: Callable[[dict[Key, Value]], Callable[[list[str]], object]]
    line: Callable[[Key, Value | None], bytes]
    is_whole: Callable[[list[str]], bool] = lambda _: True

    @property
    def header(self) -> bytes:
        """The first line of a file."""
        return line_of(self.columns)

    def empty(self) -> Mapping[Key, Value]:
        """Return the values of a file that is not there."""
        return {}

    def read(self, content: bytes, path: Path) -> Read[Mapping[Key, Value]]:
        """Read all whole lines; what a crash left of a last line is left out."""
        return Read(self.parse(content, path).values)

    def read_file(self, path: Path) -> ReadLines[Key, Value]:
        """Read a file.

        Raises
        ------
        BadInput
            It cannot be read, or its first line does not name the columns.
        """
        try:
            content = read_file(path)
        except OSError as error:
            raise BadInput(path, f"cannot be read: {reason(error)}") from error
        return self.parse(content, path)

    def parse(self, content: bytes, path: Path) -> ReadLines[Key, Value]:
        """Read the lines of a file, whose path messages name; see `read_file`."""
        values: dict[Key, Value] = {}
        take = self.taker(values)
        bad: list[BadLine] = []
        whole, ended = 0, True
        for number, line in enumerate(content.splitlines(keepends=True), 1):
            ends = line.endswith(b"\n")
            try:
                if number == 1:
                    self._check_header(path, line.removeprefix(BYTE_ORDER_MARK))
                elif row := self._fields(line):
                    if len(row) != len(self.columns):
                        expected = f"{len(self.columns)}; expected {','.join(self.columns)}"
                        raise ValueError(f"{len(row)} fields, not {expected}")
                    fields = [field.strip() for field in row]
                    if not ends and not self.is_whole(fields):
                        break  # the rest of a line
                    take(fields)
            except ValueError as error:
                if not ends:
                    break  # the rest of a line
                bad.append(bad_line(path, number, str(error)))
            if ends or number > 1:
                whole, ended = whole + len(line), ends
        return ReadLines(values, tuple(bad), whole, ended)

    def merge(
        self, base: Mapping[Key, Value], mine: Mapping[Key, Value], theirs: Mapping[Key, Value]
    ) -> Merged[Mapping[Key, Value]]:
        """Merge values by key."""
        merged, conflicts = merge_mappings(base, mine, theirs)
        if not conflicts:
            return Merged(merged)
        count = len(conflicts)
        what = f"A {self.what} was" if count == 1 else f"{count} {self.what}s were"
        return Merged(merged, (f"{what} changed in another window, too: yours is kept",))

    def write(self, value: Mapping[Key, Value], content: bytes, old: Mapping[Key, Value]) -> bytes:
        """Return the content with lines for what has changed."""
        lines = b"".join(self._changes(value, old))
        if not content:
            return self.header + lines
        parsed = self.parse(content, Path(self.what))
        if not parsed.whole:
            return self.header + lines
        return content[: parsed.whole] + (b"" if parsed.ended else b"\n") + lines

    def _changes(self, value: Mapping[Key, Value], old: Mapping[Key, Value]) -> Iterable[bytes]:
        for key in old:
            if key not in value:
                yield self.line(key, None)
        for key, now in value.items():
            if key not in old or old[key] != now:
                yield self.line(key, now)

    def _check_header(self, path: Path, line: bytes) -> None:
        """See that the first line names the columns, or is the beginning of that."""
        if self.header.startswith(line):
            return
        try:
            names = [name.strip() for name in self._fields(line)]
        except ValueError:
            names = []
        if names != list(self.columns):
            raise BadInput(path, self.problem, place="line 1", expected=",".join(self.columns))

    def _fields(self, line: bytes) -> list[str]:
        try:
            text = line.decode()
            return next(csv.reader([text], strict=True, skipinitialspace=True), [])
        except (csv.Error, UnicodeDecodeError) as error:
            raise ValueError(f"not a line of CSV; expected {','.join(self.columns)}") from error


def line_of(values: Sequence[str]) -> bytes:
    """A line with these fields."""
    return utf8(",".join(map(quote_field, values)) + "\n")
