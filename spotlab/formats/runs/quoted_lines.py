"""Lines of a run as programs write them: only the points stand in quotes. Thousands at once.

No text is made of any number. Anything unusual in one of the lines leaves all of them to whoever
looks at lines one by one, and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.formats.rows.decimals import Codes, parse_decimals
from spotlab.formats.rows.numbers import are_scores, plain_numbers
from spotlab.formats.runs.gather import Block, Gathered
from spotlab.formats.runs.point_lists import plain_outlines
from spotlab.formats.runs.rows import Columns, are_ranks
from spotlab.geometry.spans import concatenate_ranges

_COMMA, _LINE = b",\n"
_Rule = Callable[[Floats], NDArray[np.bool_]]


def quoted_block(block: bytes, first: int, columns: Columns, gathered: Gathered) -> Block | None:
    """The spots in whole lines of a CSV file.

    Parameters
    ----------
    block : bytes
        The lines, each with its end.
    first : int
        The number of the first one.
    columns : Columns
        What the file has.
    gathered : Gathered
        Numbers the names.

    Returns
    -------
    Block or None
        None where anything but the points is in quotes, or where a line is not right or unusual.
    """
    pieces = block.split(b'"')
    rest, points = b"".join(pieces[::2]), pieces[1::2]
    if any(mark in rest for mark in (b"\r", b"\0", b", ", b"\n ")) or rest[:1] == b" ":
        return None
    fields = _Fields.of(rest, columns.count)
    if fields is None or len(points) != fields.count or len(pieces) != 2 * fields.count + 1:
        return None
    start, end = fields.spans(columns.places["points"])
    cut = np.cumsum(np.fromiter(map(len, pieces[:-1:2]), np.int64, fields.count))
    if (start != cut).any() or (end != cut).any():  # they are in quotes, and nothing else is
        return None
    nothing = np.full(fields.count, np.nan)
    rank, score = (
        fields.numbers(columns.places[name], are_right) if name in columns.places else nothing
        for name, are_right in (("rank", are_ranks), ("score", are_scores))
    )
    if rank is None or score is None or (np.isnan(rank) & np.isnan(score)).any():
        return None
    names = [
        fields.texts(columns.places[name]) if name in columns.places else [""] * fields.count
        for name in ("query", "page", "label")
    ]
    queries, pages, labels = gathered.tidy(*names)
    if not (queries.all() and pages.all()):
        return None
    outlines = plain_outlines(b"\n".join(points), len(points))
    lines = np.arange(first, first + fields.count)
    return None if outlines is None else Block(queries, pages, rank, score, outlines, labels, lines)


class _Fields:
    """The fields of lines without quotes."""

    def __init__(self, codes: Codes, values: Sequence[str], ends: Ints, width: int) -> None:
        self._codes, self._values, self._width = codes, values, width
        self._ends = ends  # of the fields, one line after the other
        self.count = len(ends) // width

    @classmethod
    def of(cls, lines: bytes, width: int) -> _Fields | None:
        """None where a line has another number of fields, or is not UTF-8."""
        codes = np.frombuffer(lines, np.uint8)
        ends = np.flatnonzero((codes == _COMMA) | (codes == _LINE))
        is_line = codes[ends] == _LINE
        if (
            not lines.endswith(b"\n")
            or len(ends) % width
            or not is_line[width - 1 :: width].all()
            or np.count_nonzero(is_line) != len(ends) // width
        ):
            return None
        try:
            values = lines.decode().replace("\n", ",").split(",")
        except UnicodeDecodeError:
            return None
        return cls(codes, values, ends, width)

    def texts(self, place: int) -> Sequence[str]:
        """A column as it is written."""
        return self._values[place : -1 : self._width]

    def spans(self, place: int) -> tuple[Ints, Ints]:
        """Where each value of a column begins and ends."""
        before = np.concatenate([[-1], self._ends[:-1]])
        return before[place :: self._width] + 1, self._ends[place :: self._width]

    def numbers(self, place: int, are_right: _Rule) -> Floats | None:
        """A column of numbers, NaN where it is empty; None where one is none or not right."""
        start, end = self.spans(place)
        given = end > start
        lengths = (end - start + 1)[given]  # each with the comma behind it
        codes = self._codes[concatenate_ranges(start[given], lengths)]
        values = parse_decimals(codes, np.cumsum(lengths) - 1)
        if values is None:
            return plain_numbers(self.texts(place), are_right)
        if not are_right(values).all():
            return None
        numbers = np.full(self.count, np.nan)
        numbers[given] = values
        return numbers
