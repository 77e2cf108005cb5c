"""A run as a format reads it, and the columns of tables of boxes by their usual names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spotlab.errors import BadArgument, BadInput
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.model.run import Run
from spotlab.progress import Progress
from spotlab.representation import short_repr

PLAIN = ("page", "query", "rank", "score", "points", "label")
FORMS = {  # of boxes: what four numbers are
    "xyxy": "left, top, right, bottom",
    "xywh": "left, top, width, height",
    "cxcywh": "centre x, centre y, width, height",
}
QUAD = "corners"  # eight numbers
UNITS = ("px", "share")
ASKED = 'columns such as "page=image,query=class,score=conf,xyxy=x1 y1 x2 y2"'

_NAMES: dict[str, tuple[str, ...]] = {  # the most telling first
    "page": (
        "page", "image", "image_name", "img_name", "file_name", "filename", "file", "fname",
        "image_file", "image_filename", "image_path", "img_path", "filepath", "file_path", "path",
        "img", "image_id", "imageid", "img_id", "page_id", "page_name", "frame", "source",
    ),
    "query": (
        "query", "class_name", "classname", "category_name", "label_name", "labelname",
        "object_name", "name", "category", "class", "label", "object", "predicted_class",
        "prediction", "class_id", "classid", "category_id", "label_id", "cls", "cls_id",
        "class_idx",
    ),
    "score": (
        "score", "confidence", "conf", "prob", "probability", "certainty", "confidence_score",
        "detection_score", "scores",
    ),
    "rank": ("rank",),
    "points": ("points", "polygon", "segmentation"),
}  # fmt: skip
_CORNERS = (
    "x1 y1 x2 y2", "x0 y0 x1 y1", "xmin ymin xmax ymax", "x_min y_min x_max y_max",
    "left top right bottom", "xtl ytl xbr ybr", "l t r b", "min_x min_y max_x max_y",
    "minx miny maxx maxy", "x_left y_top x_right y_bottom", "left_x top_y right_x bottom_y",
    "x_1 y_1 x_2 y_2", "xleft ytop xright ybottom",
)  # fmt: skip
_STARTS = (
    "x y", "left top", "xmin ymin", "x_min y_min", "x1 y1", "left_x top_y", "x0 y0", "l t",
    "x_left y_top",
)  # fmt: skip
_CENTRES = (
    "cx cy", "x_center y_center", "xcenter ycenter", "center_x center_y", "xc yc", "x_c y_c",
    "x_centre y_centre", "centre_x centre_y", "centerx centery", "xcentre ycentre",
)  # fmt: skip
_SIZES = ("width height", "w h")
_BOXES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (QUAD, ("x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4")),
    *(("xyxy", tuple(names.split())) for names in _CORNERS),
    *(("cxcywh", (*names.split(), *size.split())) for names in _CENTRES for size in _SIZES),
    *(("xywh", (*names.split(), *size.split())) for names in _STARTS for size in _SIZES),
)
_LISTS = {  # columns of whole boxes: form and unit
    "xyxy": ("xyxy", ""), "xywh": ("xywh", ""), "cxcywh": ("cxcywh", ""),
    "xyxyn": ("xyxy", "share"), "xywhn": ("cxcywh", "share"), "ltwh": ("xywh", ""),
    "tlwh": ("xywh", ""), "ltrb": ("xyxy", ""), "tlbr": ("xyxy", ""),
    "": ("", ""),
}  # fmt: skip
_LIST_NAME = re.compile(
    r"(?:b?boxe?s?|bounding_?box(?:es)?)?_?(xyxyn?|xywhn?|cxcywh|ltwh|tlwh|ltrb|tlbr)?"
)
_BEFORE = re.compile(r"(?:b?box|bndbox|bounding_box|boundingbox|coordinates)_")


class UnknownColumns(BadInput):
    """A table of detections whose columns their names do not tell.

    Parameters
    ----------
    path : Path
    problem, place, expected : str
        See `BadInput`.
    names : sequence of str
        Of the columns.
    """

    def __init__(
        self, path: Path | str, problem: str, *, place: str, expected: str, names: Sequence[str]
    ) -> None:
        super().__init__(path, problem, place=place, expected=expected)
        self.names = tuple(names)

    @property
    def may_be_chosen(self) -> bool:
        """Tell whether there are columns enough for a class, a score and the four of a box."""
        return len(self.names) > 5


@dataclass(frozen=True)
class BoxColumns:
    """Columns of a box.

    Attributes
    ----------
    form : str
        One of `FORMS`, or `QUAD`; empty where the values have to tell.
    places : tuple of int
        One column with all numbers, or one for each number.
    unit : str
        "px" or "share" of the page's width and height; empty where the values tell.
    default : str
        The form where neither the name nor the values tell.
    """

    form: str
    places: tuple[int, ...]
    unit: str = ""
    default: str = ""


@dataclass(frozen=True)
class ColumnChoice:
    """A person's words on the columns of a table.

    Attributes
    ----------
    names : mapping of str to str
        By role (page, query, score, rank, points, label) the name of a column, its number from 1,
        or a value in quotes that all rows have.
    box : tuple of str
        The columns of the box: one or four, or eight of corners.
    form, unit : str
        See `BoxColumns`.

    Examples
    --------
    >>> choice = ColumnChoice.parse("page=image,query='sofa',xywh=x y w h,unit=share")
    >>> choice.names, choice.box, choice.form, choice.unit
    ({'page': 'image', 'query': "'sofa'"}, ('x', 'y', 'w', 'h'), 'xywh', 'share')
    """

    names: Mapping[str, str] = field(default_factory=dict)
    box: tuple[str, ...] = ()
    form: str = ""
    unit: str = ""

    def numbers_columns_of(self, names: Sequence[str]) -> bool:
        """Tell whether columns are chosen by their numbers, as these are not names but values."""
        chosen = [name for name in (*self.names.values(), *self.box) if name[:1] not in "'\""]
        known = {name.strip() for name in names}
        return bool(chosen) and all(name.isdecimal() and name not in known for name in chosen)

    @classmethod
    def parse(cls, text: str) -> ColumnChoice:
        """The choice in a text.

        Raises
        ------
        BadArgument
            It is none.
        """
        names: dict[str, str] = {}
        box: tuple[str, ...] = ()
        form = unit = ""
        for part in filter(str.strip, re.split(r",(?=\s*\w+\s*=)", text)):
            role, mark, value = (piece.strip() for piece in part.partition("="))
            if not mark or not value:
                raise BadArgument(f"`columns` has {part.strip()!r}; expected {ASKED}")
            if role in PLAIN:
                names[role] = value
            elif role == "unit" and value in UNITS:
                unit = value
            elif role in (*FORMS, QUAD, "box"):
                form, box = role, tuple(value.split())
                if len(box) not in (1, 8 if role == QUAD else 4):
                    count = "eight" if role == QUAD else "four"
                    raise BadArgument(
                        f"`columns` has {part.strip()!r}; expected one column or {count}"
                    )
            else:
                known = ", ".join((*PLAIN, "box", *FORMS, QUAD, "unit"))
                raise BadArgument(f"`columns` has {role!r}; expected one of {known}")
        if form == "box":
            form = _form_of(box) if len(box) == 4 else ""
        return cls(names, box, form, unit)


def _form_of(names: Sequence[str]) -> str:
    """The form of a box with columns of these names; corners where they do not tell."""
    plain = tuple(map(plain_name, names))
    return next((form for form, known in _BOXES if known == plain), "xyxy")


def plain_name(name: str) -> str:
    """A column's name as this module compares it.

    Examples
    --------
    >>> [plain_name(name) for name in ("Image Name", "bbox.x1", "bbox-xyxy", "BoundingBox_Left")]
    ['image_name', 'x1', 'bbox_xyxy', 'left']
    """
    plain = re.sub(r"[\s.\-/()]+", "_", name.strip().casefold()).strip("_")
    return plain if _LIST_NAME.fullmatch(plain) else _BEFORE.sub("", plain)


@dataclass(frozen=True)
class Roles:
    """The columns of a table of detections.

    Attributes
    ----------
    places : dict of str to int
        By role the place of its column.
    values : dict of str to str
        By role the value that all rows have.
    box : BoxColumns or None
    """

    places: dict[str, int]
    values: dict[str, str]
    box: BoxColumns | None


def find_roles(names: Sequence[str], choice: ColumnChoice | None = None) -> Roles:
    """The columns of these names; roles that nothing names are not there.

    Examples
    --------
    >>> find_roles(["image", "class", "confidence", "xmin", "ymin", "xmax", "ymax"])
    ... # doctest: +NORMALIZE_WHITESPACE
    Roles(places={'page': 0, 'query': 1, 'score': 2}, values={},
          box=BoxColumns(form='xyxy', places=(3, 4, 5, 6), unit='', default=''))
    """
    plain = [plain_name(name) for name in names]
    places: dict[str, int] = {}
    values: dict[str, str] = {}
    box = _chosen(names, choice, places, values) if choice is not None else None
    box = box or _known_box(plain)
    used = {*places.values(), *(box.places if box else ())}
    for role, known in _NAMES.items():
        if role in places or role in values:
            continue
        place = next((plain.index(each) for each in known if each in plain), None)
        if place is not None and place not in used:
            places[role] = place
            used.add(place)
    if "label" in plain and plain.index("label") not in used:
        places["label"] = plain.index("label")
    return Roles(places, values, None if "points" in places else box)


def _chosen(
    names: Sequence[str], choice: ColumnChoice, places: dict[str, int], values: dict[str, str]
) -> BoxColumns | None:
    """Take in what a person said."""
    for role, name in choice.names.items():
        if name[:1] == name[-1:] and name[:1] in "'\"" and len(name) > 1:
            values[role] = name[1:-1]
        else:
            places[role] = _place_of(name, names)
    if not choice.box:
        return None
    return BoxColumns(
        choice.form, tuple(_place_of(name, names) for name in choice.box), choice.unit
    )


def _place_of(name: str, names: Sequence[str]) -> int:
    stripped = [each.strip() for each in names]
    for compared in (stripped, [each.casefold() for each in stripped]):
        if name in compared or name.casefold() in compared:
            return compared.index(name if name in compared else name.casefold())
    if name.isdecimal() and 1 <= int(name) <= len(names):
        return int(name) - 1
    raise BadArgument(f"`columns` names {name!r}; the table has {', '.join(stripped)}")


def _known_box(plain: Sequence[str]) -> BoxColumns | None:
    for form, names in _BOXES:
        if set(names) <= set(plain):
            return BoxColumns(form, tuple(plain.index(name) for name in names))
    for place, name in enumerate(plain):
        found = _LIST_NAME.fullmatch(name)
        if name and found:
            form, unit = _LISTS[found[1] or ""]
            return BoxColumns(form, (place,), unit)
    return None


EXPECTED = "the columns query, page, points, and rank or score"


@dataclass(frozen=True)
class ReadRun:
    """A run as it was read.

    Attributes
    ----------
    run : Run
        All good lines.
    bad_lines : tuple of BadLine
        All others, in order of the file.
    remarks : tuple of str
        What a person should know besides.
    guessed : frozenset of str
        What was guessed and can be checked by the truth: "pages", "labels".
    """

    run: Run
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()
    guessed: frozenset[str] = frozenset()

    __repr__ = short_repr


@dataclass(frozen=True)
class Naming:
    """Knowledge of the truth that gives values in detections a meaning.

    Attributes
    ----------
    image_ids, categories : mapping
        The page name of each image id, the label of each category id or class number.
    pages, labels : tuple of str
        All page names, and all labels in the collection's order: what is tried where nothing names
        ids, see `complete_naming`.
    size_of : callable
        Gives width and height in px of the page that a run calls so; None where it is not known.
    columns : ColumnChoice or None
        A person's words on the columns of a table.
    """

    image_ids: Mapping[Any, str] = field(default_factory=dict)
    categories: Mapping[Any, str] = field(default_factory=dict)
    pages: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    size_of: Callable[[str], tuple[int, int] | None] = field(default=lambda page: None, repr=False)
    columns: ColumnChoice | None = None


@dataclass(frozen=True)
class RunFormat:
    """One run file format, found through the registry.

    Attributes
    ----------
    name, title : str
        What commands and what people call it.
    suffixes : tuple of str
        File name endings in lower case, with the dot; () for a format of folders.
    sniff : callable
        Whether a file of this name with these first 4,096 bytes is of this format; a folder has
        none.
    read : callable
        Raises `BadInput` where nothing can be read.
    read_page : callable, optional
        The spots of the page of this name, and perhaps others, of a large file, for a first look;
        None where that would take as long as reading all.
    soon_read : bool
        Whether all of a large file is read as soon as the spots of a page would be found in it.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Path, bytes], bool]
    read: Callable[[Path, Naming, Progress], ReadRun]
    read_page: Callable[[Path, str, Progress], Run | None] | None = None
    soon_read: bool = False
