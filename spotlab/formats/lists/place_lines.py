"""Lines of CSV about places on pages, each on the disk before the next: how they are read again."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput, reason
from spotlab.files import read_file
from spotlab.formats.rows.csv_rows import BadLine, bad_line, quote_field
from spotlab.formats.rows.files import BYTE_ORDER_MARK
from spotlab.formats.rows.numbers import format_number
from spotlab.geometry.boxes import pair_boxes
from spotlab.model.ranked_list import Items
from spotlab.representation import utf8

Place = tuple[str, float, float, float, float]
"""Page, left, top, right, bottom; for an item without a place its name and ``NOWHERE``."""

NOWHERE = (-1.0, -1.0, -1.0, -1.0)
SAME_ITEM = 0.5  # intersection over union of a place and the item that it means


def place_of(items: Items, item: int) -> Place:
    """How a line knows an item again: its page and box, or its name."""
    if items.page[item] < 0:
        return (tidy(items.name(item)), *NOWHERE)
    left, top, right, bottom = items.boxes[item].tolist()
    return (tidy(items.page_name(item)), left, top, right, bottom)


def tidy(text: str) -> str:
    """A text as a file has it: in one line."""
    return " ".join(text.split())


def match_places(places: Sequence[Place], items: Items) -> NDArray[np.int64]:
    """Find the item that each place means: the one just there, else the one that it lies on best.

    Items of the same words have other boxes where ink was separated from paper in another way.

    Parameters
    ----------
    places : sequence of Place
        P places.
    items : Items
        N items. Each belongs to one place at most.

    Returns
    -------
    (P,) int
        -1 where no item overlaps the place by an intersection over union of `SAME_ITEM`.

    Examples
    --------
    >>> items = Items(("270",), [0, 0], [[0, 0, 40, 20], [50, 0, 90, 20]])
    >>> match_places([("270", 50, 0, 90, 20), ("270", 3, 1, 43, 22), ("270", 25, 0, 65, 20)], items)
    array([ 1,  0, -1])
    """
    item_of = np.full(len(places), -1, np.int64)
    if not len(places):
        return item_of
    exact = {place: number for number, place in enumerate(places)}
    left = np.nan_to_num(items.boxes[:, 0], nan=NOWHERE[0])
    for item in np.flatnonzero(np.isin(left, [place[1] for place in places])).tolist():
        number = exact.get(place_of(items, item), -1)
        if number >= 0:
            item_of[number] = item
    is_free = np.ones(len(items), np.bool_)
    is_free[item_of[item_of >= 0]] = False
    for page, name in enumerate(items.pages):
        wanted = np.array(
            [at for at in np.flatnonzero(item_of < 0).tolist() if _is_on(places[at], name)],
            np.int64,
        )
        here = np.flatnonzero((items.page == page) & is_free)
        if len(wanted) and len(here):
            boxes = np.array([places[at][1:] for at in wanted])
            first, second = _best_pairs(boxes, items.boxes[here])
            item_of[wanted[first]] = here[second]
    return item_of


def _is_on(place: Place, page: str) -> bool:
    return place[0] == tidy(page) and place[1:] != NOWHERE


def _best_pairs(
    first: NDArray[np.float64], second: NDArray[np.float64]
) -> tuple[list[int], list[int]]:
    """Pairs of boxes that are one, the best first, each box in one pair at most."""
    pairs = pair_boxes(first, second)
    iou = pairs.iou
    ones: dict[int, int] = {}
    taken: set[int] = set()
    for pair in np.argsort(-iou, kind="stable").tolist():
        one, other = int(pairs.first[pair]), int(pairs.second[pair])
        if iou[pair] >= SAME_ITEM and one not in ones and other not in taken:
            ones[one] = other
            taken.add(other)
    return list(ones), list(ones.values())


@dataclass(frozen=True)
class ReadLines:
    """What could not be read of a file, and what of it is whole.

    Attributes
    ----------
    bad_lines : tuple of BadLine
    whole : int
        So many bytes of the file are whole lines; what follows is the rest of one.
    ended : bool
        Whether the last of them has an end.
    """

    bad_lines: tuple[BadLine, ...] = ()
    whole: int = 0
    ended: bool = True


def content_of(path: Path) -> bytes:
    """Return the content of a file.

    Raises
    ------
    BadInput
        It cannot be read.
    """
    try:
        return read_file(path)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error


def read_lines(
    content: bytes,
    path: Path,
    columns: Sequence[str],
    problem: str,
    take: Callable[[list[str]], object],
    is_whole: Callable[[list[str]], bool] = lambda _: True,
) -> ReadLines:
    """Hand each line of a file, but for that of the names, to ``take``.

    Parameters
    ----------
    content : bytes
        Of the file.
    path : Path
        Is named in messages.
    columns : sequence of str
        What the first line has to be.
    problem : str
        What is wrong where it is something else.
    take : callable
        Takes the fields of a line, which are as many as columns; raises ValueError where they
        make no sense.
    is_whole : callable
        Whether the fields of a line that has no end are all of it.

    Raises
    ------
    BadInput
        The first line is another one.
    """
    bad: list[BadLine] = []
    whole, ended = 0, True
    for number, line in enumerate(content.splitlines(keepends=True), 1):
        ends = line.endswith(b"\n")
        try:
            if number == 1:
                _check_header(path, line.removeprefix(BYTE_ORDER_MARK), columns, problem)
            elif row := _fields(line, columns):
                _check_count(row, columns)
                values = [value.strip() for value in row]
                if not ends and not is_whole(values):
                    break  # the rest of a line
                take(values)
        except ValueError as error:
            if not ends:
                break  # the rest of a line
            bad.append(bad_line(path, number, str(error)))
        if ends or number > 1:
            whole, ended = whole + len(line), ends
    return ReadLines(tuple(bad), whole, ended)


def header(columns: Sequence[str]) -> bytes:
    """The first line of a file."""
    return utf8(",".join(columns) + "\n")


def line_of(values: Sequence[str]) -> bytes:
    """A line with these fields."""
    return utf8(",".join(map(quote_field, values)) + "\n")


def sides_of(place: Place) -> list[str]:
    """The fields of a place's sides; empty where it has none."""
    return [""] * 4 if place[1:] == NOWHERE else [format_number(side) for side in place[1:]]


def read_place(page: str, sides: Sequence[str]) -> Place:
    """The place that fields say.

    Raises
    ------
    ValueError
        The sides are those of no box, or there is no page.
    """
    if not page:
        raise ValueError("page is empty")
    if not any(sides):
        return (page, *NOWHERE)
    try:
        left, top, right, bottom = map(float, sides)
    except ValueError:
        left = top = right = bottom = math.nan
    finite = all(map(math.isfinite, (left, top, right, bottom)))
    if not (finite and left < right and top < bottom):
        raise ValueError(
            f"{', '.join(sides)[:60]!r} is not a box; expected left, top, right, bottom"
        )
    return (page, left, top, right, bottom)


def _check_header(path: Path, line: bytes, columns: Sequence[str], problem: str) -> None:
    """See that the first line names the columns, or is the beginning of that."""
    if header(columns).startswith(line):
        return
    try:
        names = [name.strip() for name in _fields(line, columns)]
    except ValueError:
        names = []
    if names != list(columns):
        raise BadInput(path, problem, place="line 1", expected=",".join(columns))


def _check_count(row: list[str], columns: Sequence[str]) -> None:
    if len(row) != len(columns):
        expected = ",".join(columns)
        raise ValueError(f"{len(row)} fields, not {len(columns)}; expected {expected}")


def _fields(line: bytes, columns: Sequence[str]) -> list[str]:
    try:
        text = line.decode()
        return next(csv.reader([text], strict=True, skipinitialspace=True), [])
    except (csv.Error, UnicodeDecodeError) as error:
        raise ValueError(f"not a line of CSV; expected {','.join(columns)}") from error
