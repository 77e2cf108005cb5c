"""Values as PAGE writes them: coordinates, custom attributes, and names in each version."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

BASE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/"
CURRENT = BASE + "2019-07-15"
OLDER = tuple(
    BASE + version
    for version in (
        "2009-03-16", "2010-01-12", "2010-03-19", "2013-07-15", "2016-07-15", "2017-07-15",
        "2018-07-15",
    )
)  # fmt: skip
_OF_THEIR_OWN = {
    "pcGts": "PcGts",
    "pcMetadata": "Metadata",
    "pcCreator": "Creator",
    "pcCreated": "Created",
    "pcLastChange": "LastChange",
    "pcComments": "Comments",
}
_TYPES = {  # as in the converter AletheiaToPAGE.xsl of the PAGE repository
    "sub-heading": "heading",
    "sentence": "floating",
    "quote": "floating",
}
TYPE_ATTRIBUTES = ("type", "txt_type", "gfx_type", "chart_type")


def element_name(name: str, snake: bool) -> str:
    """The element's name in PAGE 2019.

    Examples
    --------
    >>> element_name("text_region", True), element_name("TextRegion", False)
    ('TextRegion', 'TextRegion')
    """
    if not snake:
        return name
    if name in _OF_THEIR_OWN:
        return _OF_THEIR_OWN[name]
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def snake_name(name: str) -> str:
    """The element's name in the snake_case layout.

    Examples
    --------
    >>> snake_name("TextRegion"), snake_name("LastChange")
    ('text_region', 'pcLastChange')
    """
    for own, camel in _OF_THEIR_OWN.items():
        if name == camel:
            return own
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def value_name(value: str) -> str:
    """An enumerated value as PAGE spells it: ``Page_Number`` is ``page-number``."""
    return re.sub(r"[_\s]+", "-", value.strip()).lower()


def type_name(value: str) -> str:
    """A region type of the snake_case layout in PAGE's words.

    Examples
    --------
    >>> type_name("Page_Number"), type_name("Sentence")
    ('page-number', 'floating')
    """
    name = value_name(value)
    return _TYPES.get(name, name)


XSI = "http://www.w3.org/2001/XMLSchema-instance"
LOCATION = f"{CURRENT} {CURRENT}/pagecontent.xsd"
LARGEST = 2**31 - 1  # what PAGE's readers take as an integer
PLAIN = re.compile(r"(?:\d{1,9},\d{1,9} )*\d{1,9},\d{1,9}", re.ASCII)
_AROUND_COMMA = re.compile(r"\s*,\s*")


def parse_points(text: str) -> list[tuple[float, float]]:
    """The points; fractions and additional spaces are read too.

    Examples
    --------
    >>> parse_points("1,2  3.5 , 4")
    [(1.0, 2.0), (3.5, 4.0)]

    Raises
    ------
    ValueError
        Something is not a pair of numbers, or a number is beyond ±2³¹.
    """
    if ", " in text or " ," in text:
        text = _AROUND_COMMA.sub(",", text)
    if PLAIN.fullmatch(text):  # nearly always: many regions are read at three times the speed
        numbers = [float(number) for number in text.replace(",", " ").split()]
        return list(zip(numbers[::2], numbers[1::2], strict=True))
    points = []
    for pair in text.split():
        x, comma, y = pair.partition(",")
        try:
            point = float(x), float(y)
        except ValueError:
            comma = ""
        if not comma or not (abs(point[0]) <= LARGEST and abs(point[1]) <= LARGEST):
            raise ValueError(f"{pair[:40]!r} is not a point")
        points.append(point)
    return points


def rounded(points: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """The points as PAGE's schema wants them: whole numbers, none negative.

    Halves go outwards, so that no side is treated otherwise than the opposite one. An outline that
    would shrink to a line or a point becomes the pixels it touches.

    Examples
    --------
    >>> rounded([(-1, 0.4), (2.5, 0), (2, 3)])
    [(0, 0), (3, 0), (2, 3)]
    >>> rounded([(1.1, 1.1), (1.4, 1.1), (1.4, 1.4)])
    [(1, 1), (2, 1), (2, 2), (1, 2)]
    """
    if not points:
        return []
    x_middle, y_middle = ((min(values) + max(values)) / 2 for values in zip(*points, strict=True))
    whole = [(_nearest(x, x_middle), _nearest(y, y_middle)) for x, y in points]
    if len(points) < 3 or _is_outline(whole) or not _is_outline(points):
        return whole
    xs, ys = zip(*points, strict=True)
    left, top = max(0, math.floor(min(xs))), max(0, math.floor(min(ys)))
    right, bottom = max(left + 1, math.ceil(max(xs))), max(top + 1, math.ceil(max(ys)))
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _nearest(value: float, middle: float) -> int:
    half_up = math.floor(value + 0.5) if value > middle else math.ceil(value - 0.5)
    return max(0, half_up)


def _is_outline(points: Sequence[tuple[float, float]]) -> bool:
    """Tell whether some three of the points are not on a line."""
    x, y = points[0]
    along = next(((px - x, py - y) for px, py in points if (px, py) != (x, y)), (0, 0))
    return any(along[0] * (py - y) != along[1] * (px - x) for px, py in points)


def format_points(points: Sequence[tuple[float, float]]) -> str:
    """The points for ``Coords/@points``.

    Examples
    --------
    >>> format_points([(0, 0), (2, 0), (2.2, 1)])
    '0,0 2,0 2,1'
    """
    return " ".join(f"{x},{y}" for x, y in rounded(points))


def exact_points(points: Sequence[tuple[float, float]]) -> str:
    """The points with all of their fractions.

    Examples
    --------
    >>> exact_points([(0, 0), (2.0, 0.25)])
    '0,0 2,0.25'
    """
    return " ".join(",".join(repr(value).removesuffix(".0") for value in pair) for pair in points)


GROUP = "spotlab"
_GROUP = re.compile(rf"(?<![^\s}}]){GROUP}\s*\{{([^}}]*)\}}")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_TO_ESCAPE = re.compile(r"[\\;:{}\"\x00-\x1f\x7f]|^ | $")


def escape(value: str) -> str:
    r"""Write what would end the value early as ``\uXXXX``, as Transkribus does.

    Examples
    --------
    >>> print(escape("a;b"))
    a\u003bb
    """
    return _TO_ESCAPE.sub(lambda match: f"\\u{ord(match.group()):04x}", value)


def unescape(value: str) -> str:
    """Return what `escape` was given."""
    if "\\" not in value:
        return value
    units = b"".join(
        bytes.fromhex(found) if found else piece.encode("utf-16-be", "surrogatepass")
        for piece, found in _pieces(value)
    )
    return units.decode("utf-16-be", "replace")


def _pieces(value: str) -> Iterator[tuple[str, str]]:
    """Text between escaped characters, and the four digits of each of these."""
    at = 0
    for match in _ESCAPED.finditer(value):
        yield value[at : match.start()], ""
        yield "", match.group(1)
        at = match.end()
    yield value[at:], ""


def escape_utf16(value: str) -> str:
    r"""Write every character as ``\uXXXX``, those beyond 16 bits as two.

    Examples
    --------
    >>> print(escape_utf16("ü"), escape_utf16("😀"), unescape(escape_utf16("😀")))
    \u00fc \ud83d\ude00 😀
    """
    units = value.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def read_custom(custom: str) -> dict[str, str]:
    """Our keys and values.

    Examples
    --------
    >>> read_custom("structure {type:heading;} spotlab {primitive:hull; uncertain:true;}")
    {'primitive': 'hull', 'uncertain': 'true'}
    """
    found = _GROUP.search(custom) if GROUP in custom else None
    if not found:
        return {}
    pairs = (entry.partition(":") for entry in found.group(1).split(";") if ":" in entry)
    return {key.strip(): unescape(value.strip(" \t\r\n")) for key, _, value in pairs}


def write_custom(custom: str, values: Mapping[str, str | None]) -> str:
    """Set our keys; None takes one away, and a group without any goes.

    Examples
    --------
    >>> write_custom("structure {type:heading;}", {"uncertain": "true"})
    'structure {type:heading;} spotlab {uncertain:true;}'
    >>> write_custom("structure {type:heading;} spotlab {uncertain:true;}", {"uncertain": None})
    'structure {type:heading;}'
    """
    merged: dict[str, str | None] = {**read_custom(custom), **values}
    entries = [f"{key}:{escape(value)};" for key, value in merged.items() if value is not None]
    group = f"{GROUP} {{{' '.join(entries)}}}" if entries else ""
    found = _GROUP.search(custom)
    if found:
        before, after = custom[: found.start()], custom[found.end() :]
        if not group:
            return before.rstrip(" ") + after
        return before + group + after
    return f"{custom} {group}" if custom and group else custom or group
