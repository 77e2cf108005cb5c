"""Reads files of words or of values between commas as columns, a million lines in a second.

A file in which all is as usual is read at once; where anything is not, the caller reads it line by
line, so that every bad line is found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput, reason
from spotlab.files import read_file
from spotlab.formats.rows.numbers import are_scores

if TYPE_CHECKING:
    import pyarrow

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


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
    code: Numbers


def read_bytes(path: Path, expected: str) -> bytes:
    """The content of a file, without a byte order mark.

    Raises
    ------
    BadInput
        It cannot be read, is empty, or in UTF-16.
    """
    try:
        content = read_file(path)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput(path, "the file is in UTF-16", expected="UTF-8")
    content = content.removeprefix(BYTE_ORDER_MARK)
    if not content.strip():
        raise BadInput(path, "the file is empty", expected=expected)
    return content


def read_columns(
    content: bytes,
    names: Sequence[str],
    numbers: Sequence[str],
    *,
    delimiter: str = ",",
    quote: str | None = '"',
    header: bool = True,
) -> Mapping[str, Names | Floats] | None:
    """The columns of a file, every line of it one row; None where anything is unusual.

    Parameters
    ----------
    content : bytes
    names : sequence of str
        Of all columns.
    numbers : sequence of str
        Those that hold numbers; an empty value is NaN, other values make the file unusual.
    delimiter : str
    quote : str or None
    header : bool
        Whether the first line is not a row.

    Examples
    --------
    >>> read_columns(b"a,1\\nb,\\na,2\\n", ["name", "x"], ["x"], header=False)["x"]
    array([ 1., nan,  2.])
    """
    import pyarrow  # noqa: PLC0415 - a quarter of a second
    from pyarrow import csv  # noqa: PLC0415

    kinds = {name: pyarrow.dictionary(pyarrow.int32(), pyarrow.string()) for name in names}
    kinds.update(dict.fromkeys(numbers, pyarrow.float64()))
    try:
        table = csv.read_csv(
            pyarrow.BufferReader(content),
            csv.ReadOptions(column_names=list(names), skip_rows=int(header)),
            csv.ParseOptions(delimiter=delimiter, quote_char=quote or False),
            csv.ConvertOptions(column_types=kinds, null_values=[""], strings_can_be_null=False),
        )
    except pyarrow.ArrowException:
        return None
    lines = content.count(b"\n") + (not content.endswith(b"\n"))
    if len(table) + header != lines:  # empty lines, or a value over several
        return None
    found: dict[str, Names | Floats] = {}
    for name in names:
        if name in numbers:
            values = table[name].to_numpy()
            given = table[name].is_valid().to_numpy()
            if not are_scores(values[given]).all():
                return None
            found[name] = values
        else:
            found[name] = _name_column(table[name])
    return found


def names_of(texts: Sequence[str]) -> Names:
    """A column of texts, without spaces around.

    Examples
    --------
    >>> names_of(["b", " a", "b "])
    Names(names=('b', 'a'), code=array([0, 1, 0]))
    """
    number: dict[str, int] = {}
    code = [number.setdefault(text.strip(), len(number)) for text in texts]
    return Names(tuple(number), np.array(code, np.int64))


def no_names(count: int) -> Names:
    """A column of nothing."""
    return Names(("",), np.zeros(count, np.int64))


def join_names(columns: Sequence[Names]) -> Names:
    """One column of several, in which equal names have one number."""
    number: dict[str, int] = {}
    codes = []
    for column in columns:
        translate = [number.setdefault(name, len(number)) for name in column.names]
        codes.append(np.array(translate, np.int64)[column.code])
    return Names(tuple(number), np.concatenate(codes))


def _name_column(column: pyarrow.ChunkedArray) -> Names:
    encoded = column.unify_dictionaries()
    code = np.concatenate(
        [np.zeros(0, np.int64), *(chunk.indices.to_numpy() for chunk in encoded.chunks)]
    )
    if not encoded.num_chunks:
        return Names((), code)
    tidy = names_of(encoded.chunk(0).dictionary.to_pylist())
    return Names(tidy.names, tidy.code[code])
