"""Columns of a file: its plain lines taken apart at once, and names, each stored once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Ints


@dataclass(frozen=True, eq=False)
class Names:
    """A column of names, each stored once.

    Attributes
    ----------
    names : tuple of str
    code : (N,) int
        Position in ``names``.
    """

    names: tuple[str, ...]
    code: Ints


def plain_columns(block: bytes, width: int, delimiter: bytes = b",") -> list[list[str]] | None:
    """The columns of whole lines of as many values each; None where they are anything else.

    Examples
    --------
    >>> plain_columns(b"a,1\\nb,2\\n", 2), plain_columns(b"a,1\\nb\\n", 2)
    ([['a', 'b'], ['1', '2']], None)
    """
    codes = np.frombuffer(block, np.uint8)
    line = codes == ord("\n")
    ends = line[line | (codes == ord(delimiter))]
    count, rest = divmod(len(ends), width)
    if rest or not block.endswith(b"\n") or np.count_nonzero(ends) != count:
        return None
    if not ends[width - 1 :: width].all():
        return None
    try:
        values = block.decode().replace("\n", delimiter.decode()).split(delimiter.decode())
    except UnicodeDecodeError:
        return None
    return [values[at:-1:width] for at in range(width)]


def names_of(texts: Sequence[str]) -> Names:
    """A column of texts, without spaces around.

    Examples
    --------
    >>> names_of(["b", " a", "b "])
    Names(names=('b', 'a'), code=array([0, 1, 0]))
    """
    given, (code,) = _numbered([texts])
    tidy = tuple(map(str.strip, given))
    if tidy == given:
        return Names(given, code)
    names, (again,) = _numbered([tidy])
    return Names(names, again[code])


def no_names(count: int) -> Names:
    """A column of nothing."""
    return Names(("",), np.zeros(count, np.int64))


def join_names(columns: Sequence[Names]) -> Names:
    """One column of several, in which equal names have one number."""
    names, translations = _numbered([column.names for column in columns])
    codes = [each[column.code] for each, column in zip(translations, columns, strict=True)]
    return Names(names, np.concatenate(codes))


def _numbered(parts: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], list[Ints]]:
    """All different texts in their order, and the number of each text of the parts."""
    number: dict[str, int] = {}
    for part in parts:
        for text in dict.fromkeys(part):
            number.setdefault(text, len(number))
    codes = [np.fromiter(map(number.__getitem__, part), np.int64, len(part)) for part in parts]
    return tuple(number), codes
