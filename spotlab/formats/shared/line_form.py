"""Values in a CSV file, line by line: what is changed is appended, and the last line counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from spotlab.formats.shared.merging import Merged, merge_mappings
from spotlab.formats.shared.shared_file import Read

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True)
class WholeLines(Generic[Key, Value]):
    """What the whole lines of a file say.

    Attributes
    ----------
    values : mapping
        The last value of each key; those that were taken back are not there.
    whole : int
        Number of bytes that are whole lines; what follows is the rest of one.
    ended : bool
        Whether the last of them has an end.
    """

    values: Mapping[Key, Value]
    whole: int
    ended: bool


@dataclass(frozen=True)
class LineForm(Generic[Key, Value]):
    """How values stand in a file of lines; see `SharedFile`.

    Attributes
    ----------
    what : str
        What one value is called: "judgement".
    header : bytes
        The first line.
    parse : callable
        Given the content and the path, gives the `WholeLines`; `BadInput` for another file.
    line : callable
        Given a key and its value, or None where it is taken back, gives the line or lines.
    """

    what: str
    header: bytes
    parse: Callable[[bytes, Path], WholeLines[Key, Value]]
    line: Callable[[Key, Value | None], bytes]

    def empty(self) -> Mapping[Key, Value]:
        """Return the values of a file that is not there."""
        return {}

    def read(self, content: bytes, path: Path) -> Read[Mapping[Key, Value]]:
        """Read all whole lines; what a crash left of a last line is left out."""
        return Read(self.parse(content, path).values)

    def merge(
        self,
        base: Mapping[Key, Value],
        mine: Mapping[Key, Value],
        theirs: Mapping[Key, Value],
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
