"""Outlines of spots as tables have them: boxes of any layout, and lists of points."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints, Points
from spotlab.errors import BadInput, counted
from spotlab.formats.page.values import LARGEST, parse_points
from spotlab.formats.rows.numbers import (
    Corners,
    are_scores,
    format_number,
    parse_decimals,
    plain_numbers,
    whole_number,
)
from spotlab.formats.runs.format import ASKED, FORMS, QUAD, BoxColumns, Naming
from spotlab.geometry.polygon import Outlines

_NUMBERS = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
SLACK = 0.01  # by which boxes may reach beyond a page where four numbers are tried as sizes
REACH = 0.5  # by which shares may


def box_numbers(texts: Sequence[str], form: str) -> list[float]:
    """The numbers of a box, of one text or of one text each.

    Raises
    ------
    ValueError
        They are none; the text is for a person.

    Examples
    --------
    >>> box_numbers(["[1, 2.5, 3, 4]"], "xyxy"), box_numbers(["1", "2", "3", "4"], "xywh")
    ([1.0, 2.5, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0])
    """
    wanted = 8 if form == QUAD else 4
    if len(texts) == 1:
        given = _NUMBERS.findall(texts[0])
        rest = _NUMBERS.sub("", texts[0]).strip(" []()\t,;")
        if re.search(r"[A-Za-z]", rest) or len(given) != wanted:
            raise ValueError(f"the box is {texts[0][:40]!r}; expected {wanted} numbers")
    else:
        given = list(texts)
    numbers = []
    for text in given:
        try:
            number = float("x" if "_" in text else text)
        except ValueError:
            raise ValueError(f"the box has {text[:40]!r}; expected a number") from None
        if not abs(number) <= LARGEST:
            raise ValueError(f"the box has {text[:40]!r}; expected a number within ±2³¹")
        numbers.append(number)
    return numbers


def raw_corners(numbers: Floats, form: str) -> Floats:
    """(4 N, 2) corners of boxes; (N, 4) numbers of no known form are taken for corners.

    Examples
    --------
    >>> raw_corners(np.array([[10.0, 10, 4, 2]]), "cxcywh").tolist()
    [[8.0, 9.0], [12.0, 9.0], [12.0, 11.0], [8.0, 11.0]]
    """
    if form == QUAD:
        return numbers.reshape(-1, 2)
    left, top, right, bottom = numbers.T
    if form == "xywh":
        right, bottom = left + right, top + bottom
    elif form == "cxcywh":
        left, top, right, bottom = (
            left - right / 2, top - bottom / 2, left + right / 2, top + bottom / 2,
        )  # fmt: skip
    return np.stack([left, top, right, top, right, bottom, left, bottom], axis=1).reshape(-1, 2)


def box_points_of(texts: Sequence[str], form: str) -> list[tuple[float, float]]:
    """The corners of a box, as `raw_corners` gives them.

    Raises
    ------
    ValueError
        It is none; the text is for a person.
    """
    if not any(text.strip() for text in texts):
        raise ValueError("the box is missing")
    numbers = np.array([box_numbers(texts, form)])
    if form in ("xywh", "cxcywh") and (numbers[0, 2:] < 0).any():
        raise ValueError(f"the box is {numbers[0, 2]:g} × {numbers[0, 3]:g}")
    return [(x, y) for x, y in raw_corners(numbers, form).tolist()]


def plain_boxes(texts: Sequence[Sequence[str]], form: str) -> Outlines | None:
    """The boxes in columns of numbers; None where one is not right or they are in one column."""
    if len(texts) == 1:
        return None
    columns = [plain_numbers(column, are_scores) for column in texts]
    if any(column is None or np.isnan(column).any() for column in columns):
        return None
    numbers = np.column_stack([column for column in columns if column is not None])
    if form in ("xywh", "cxcywh") and (numbers[:, 2:] < 0).any():
        return None
    corners = raw_corners(numbers, form)
    if not (np.abs(corners) <= LARGEST).all():
        return None
    return Outlines(corners, np.arange(len(numbers) + 1) * 4)


def settle_boxes(
    points: Corners,
    lengths: Ints,
    box: BoxColumns,
    pages: Sequence[str],
    of_page: Ints,
    naming: Naming,
    path: Path,
) -> tuple[Corners, list[str]]:
    """The corners in px, and remarks.

    Parameters
    ----------
    points : (P, 2) float
        Corners of all outlines, boxes as `raw_corners` gives them.
    lengths : (N,) int
        Number of corners of each.
    box : BoxColumns
        What is known of the columns.
    pages : sequence of str
    of_page : (N,) int
        The page of each box, a place in ``pages``.
    naming : Naming
        Knows the sizes of pages.
    path : Path
        Named in errors.

    Raises
    ------
    BadInput
        The values do not tell what they are, or a page's size is not known.
    """
    if not len(points):
        return points, []
    corners = points.astype(np.float64)
    remarks: list[str] = []
    unit = box.unit or ("share" if _are_shares(corners) else "px")
    sizes = _sizes(pages, of_page, naming) if unit == "share" or not box.form else None
    if not box.form:
        corners, remark = _with_form(corners, sizes, box, unit, path)
        remarks.append(remark)
    if unit == "share":
        assert sizes is not None
        unknown = np.isnan(sizes).any(axis=1)
        if unknown.all():
            page = pages[of_page[0]]
            problem = f"boxes are shares of the page, and the size of {page!r} is not known"
            raise BadInput(path, problem, expected="truth that has this page, or boxes in px")
        if unknown.any():
            some = np.unique(of_page[unknown])
            remarks.append(
                f"the size of {counted(len(some), 'page')} is not known, where boxes stay shares: "
                f"{pages[some[0]]}" + (", …" if len(some) > 1 else "")
            )
        corners = corners * np.repeat(np.where(np.isnan(sizes), 1, sizes), lengths, axis=0)
        if not box.unit:
            remarks.append("all boxes are within 0 and 1: they are taken for shares of the page")
    return corners, remarks


def _are_shares(corners: Floats) -> bool:
    """Tell whether no corner is farther off than a box that reaches beyond its page may be."""
    return bool(0 < np.abs(corners).max() <= 1 + REACH and corners.max() > 0)


def _sizes(pages: Sequence[str], of_page: Ints, naming: Naming) -> Floats:
    """(N, 2) width and height of the page of each box; NaN where they are not known."""
    known = [naming.size_of(page) or (np.nan, np.nan) for page in pages]
    return np.array(known, np.float64).reshape(-1, 2)[of_page]


def _with_form(
    corners: Floats, sizes: Floats | None, box: BoxColumns, unit: str, path: Path
) -> tuple[Floats, str]:
    """Boxes of which four numbers are known, and what they turned out to be."""
    raw = corners.reshape(-1, 4, 2)[:, [0, 2]].reshape(-1, 4)  # the first and the third corner
    limits = np.ones((len(raw), 2)) if unit == "share" else sizes
    form = box.default
    if (raw[:, 2:] < raw[:, :2]).any():
        form = "xywh"
    elif limits is not None and (raw[:, :2] + raw[:, 2:] > limits * (1 + SLACK) + 1).any():
        form = "xyxy"
    if not form:
        problem = "the boxes can be left, top, right, bottom, or left, top, width, height"
        raise BadInput(path, problem, expected='columns "xyxy=NAME" or "xywh=NAME"')
    corners = corners if form == "xyxy" else raw_corners(raw, form)
    return corners, f"boxes are taken for {FORMS[form]}"


def class_names(
    numbers: Sequence[str], naming: Naming, *, from_zero: bool = False
) -> tuple[dict[str, str], str]:
    """The labels of classes that are numbers, and a remark where they are guessed.

    Empty where some are no numbers, or nothing names them all; ``from_zero`` says that numbers
    begin with 0 even where none is.

    Examples
    --------
    >>> class_names(["0", "1"], Naming(labels=("bed", "sofa")))
    ({'0': 'bed', '1': 'sofa'}, 'class numbers are used as positions in the label list: 0 is bed')
    """
    given = {text: whole_number(text.removesuffix(".0")) for text in numbers}
    if not given or any(number is None for number in given.values()):
        return {}, ""
    known = {str(id): name for id, name in naming.categories.items()}
    if set(map(str, given.values())) <= known.keys() and (not from_zero or "0" in known):
        return {text: known[str(number)] for text, number in given.items()}, ""
    labels = _in_order(naming)
    if set(given) <= set(labels):
        return {}, ""
    values = [number for number in given.values() if number is not None]
    first = 0 if from_zero or 0 in values or max(values) < len(labels) else 1
    if max(values) - first >= len(labels) or min(values) < first:
        return {}, ""
    names = {text: labels[(number or 0) - first] for text, number in given.items()}
    text = min(given, key=lambda each: given[each] or 0)
    return names, f"class numbers are used as positions in the label list: {text} is {names[text]}"


def _in_order(naming: Naming) -> Sequence[str]:
    """The labels in the order of their ids, or of the truth."""
    ids = naming.categories
    if ids and all(isinstance(id, int) for id in ids):
        return [ids[id] for id in sorted(ids)]
    return naming.labels


def page_names(pages: Sequence[str], naming: Naming) -> dict[str, str]:
    """The names of pages that are image ids; empty where some are not known.

    Examples
    --------
    >>> page_names(["7"], Naming(image_ids={7: "plan.png"}))
    {'7': 'plan.png'}
    """
    known = {str(id): name for id, name in naming.image_ids.items()}
    if set(pages) & {*naming.pages} or not set(pages) <= known.keys():
        return {}
    return {page: known[page] for page in pages}


def asked(names: Sequence[str]) -> str:
    """Return the question to a person who has a table with columns of these names."""
    some = ", ".join(repr(name.strip()[:20]) for name in names[:12])
    return f"{ASKED}; the {counted(len(names), 'column')} of the table: {some}"


_COMMA, _SPACE, _LINE = b", \n"


def plain_point_lists(texts: Sequence[str]) -> Outlines | None:
    """The outlines in these texts; None where one of them is not plain or not right.

    Examples
    --------
    >>> plain_point_lists(["0,0 2,0 2,1", "1,1 1.5,1 1,2"]).offsets.tolist()
    [0, 3, 6]
    >>> plain_point_lists(["0,0 2,0 2,1", "0, 0 1,1"]) is None
    True
    """
    if not texts:
        return Outlines.of([])
    joined = "\n".join(texts)
    return plain_outlines(joined.encode(), len(texts)) if joined.isascii() else None


def plain_outlines(joined: bytes, count: int) -> Outlines | None:
    """The outlines in lines of text; None where one of them is not plain or not right.

    Parameters
    ----------
    joined : bytes
        A line each, without a line end after the last one.
    count : int
        Number of outlines.

    Examples
    --------
    >>> plain_outlines(b"0,0 2,0 2,1\\n1,1 1.5,1 1,2", 2).offsets.tolist()
    [0, 3, 6]
    """
    codes = np.frombuffer(joined, np.uint8)
    places = np.flatnonzero(codes <= _COMMA)
    offsets = _plain_offsets(codes[places], count)
    if offsets is None:
        return None
    numbers = parse_decimals(codes, np.append(places, len(codes)))
    if numbers is None:
        numbers = _other_numbers(joined)
    # as many numbers as there are pieces, none of more than one: each piece is one number
    if numbers is None or len(numbers) != 2 * offsets[-1]:
        return None
    return Outlines(numbers.reshape(-1, 2), offsets) if (np.abs(numbers) <= LARGEST).all() else None


def _other_numbers(joined: bytes) -> NDArray[np.float64] | None:
    """Numbers with exponents or many digits, at a tenth of the speed; None where one is none."""
    try:
        return np.fromstring(joined.replace(b",", b" "), np.float64, sep=" ")
    except (ValueError, DeprecationWarning):  # by version of numpy and by who runs us
        return None


def _plain_offsets(kinds: NDArray[np.uint8], count: int) -> NDArray[np.int64] | None:
    """Tell where each of the outlines begins; None where they are not x,y x,y … or have no area.

    ``kinds`` are the commas, blanks and line ends of the text, and what stands before them among
    the characters.
    """
    between = kinds[1::2]  # what stands between pairs
    ends = np.flatnonzero(between == _LINE) + 1
    if (
        not len(kinds) % 2
        or (kinds[::2] != _COMMA).any()
        or len(ends) != count - 1
        or np.count_nonzero(between == _SPACE) + len(ends) != len(between)
    ):
        return None
    offsets = np.concatenate([[0], ends, [len(kinds) // 2 + 1]]).astype(np.int64)
    return offsets if (np.diff(offsets) >= 3).all() else None


def parse_point_list(text: str) -> list[tuple[float, float]]:
    """The corners of one outline.

    Raises
    ------
    ValueError
        It is not one; the text is for a person.

    Examples
    --------
    >>> parse_point_list("0,0  2,0 2 , 1")
    [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)]
    """
    if not text.strip():
        raise ValueError("points are missing")
    try:
        if "_" in text:  # which Python takes inside of numbers
            raise ValueError
        points = parse_points(text)
    except ValueError:
        raise ValueError(_explain(text)) from None
    return check_points(points)


def check_points(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points, if they are three or more and all of them finite and within ±2³¹.

    Raises
    ------
    ValueError
        They are not; the text is for a person.
    """
    for number in (number for point in points for number in point):
        if not abs(number) <= LARGEST:
            raise ValueError(_explain_number(number))
    if len(points) < 3:
        raise ValueError(f"points has {counted(len(points), 'corner')}, "
                         "at least three are needed")  # fmt: skip
    return list(points)


def _explain(text: str) -> str:
    """Return what keeps a text from being points."""
    for pair in text.replace(" ,", ",").replace(", ", ",").split():
        pieces = pair.split(",")
        try:
            numbers = [float("x" if "_" in piece else piece) for piece in pieces]
        except ValueError:
            numbers = []
        if len(numbers) != 2:
            return f"points: {pair[:40]!r} is not x,y"
        for number in numbers:
            if not abs(number) <= LARGEST:
                return _explain_number(number)
    return f"points: {text[:40]!r} is not x,y x,y …"


def _explain_number(number: float) -> str:
    if math.isfinite(number):
        return f"points: the coordinate {number:g} is beyond ±2³¹"
    return f"points: the coordinate {number:g} is not finite"


def format_point_lists(outlines: Outlines) -> list[str]:
    """The outlines as text that reads back to the very same numbers.

    Examples
    --------
    >>> format_point_lists(Outlines.of([[(0, 0.1), (2, 0), (2, 1)]]))
    ['0,0.1 2,0 2,1']
    """
    points = outlines.points
    whole = (points == np.floor(points)) & (np.abs(points) <= LARGEST)
    whole &= ~((points == 0) & np.signbit(points))
    if whole.all():  # Python writes a whole number at a third of the time of another
        rows: list[list[float]] = points.astype(np.int64).tolist()
        pairs = [f"{x},{y}" for x, y in rows]
    else:
        pairs = [f"{format_number(x)},{format_number(y)}" for x, y in points.tolist()]
    offsets = outlines.offsets.tolist()
    return [" ".join(pairs[a:b]) for a, b in pairwise(offsets)]


def open_rings(outlines: Outlines) -> Outlines:
    """The outlines without last corners that repeat the first, as long as three are left.

    An outline that is nowhere wider than a point stays valid, with the area 0.

    Examples
    --------
    >>> open_rings(Outlines.of([[(0, 0), (2, 0), (2, 1), (0, 0)], [(5, 5)] * 4])).offsets.tolist()
    [0, 3, 6]
    """
    while len(outlines):
        points, offsets = outlines.points, outlines.offsets
        lengths = np.diff(offsets)
        first: Points = points[offsets[:-1]]
        closed = (lengths > 3) & (first == points[offsets[1:] - 1]).all(axis=1)
        if not closed.any():
            break
        keep = np.ones(len(points), np.bool_)
        keep[offsets[1:][closed] - 1] = False
        shorter = np.concatenate([[0], np.cumsum(lengths - closed)]).astype(np.int64)
        outlines = Outlines(points[keep], shorter)
    return outlines
