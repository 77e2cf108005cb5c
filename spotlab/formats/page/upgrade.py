"""Turns PAGE of 2009 to 2018, and the snake_case layout before, into valid PAGE 2019-07-15.

Points become an attribute with whole numbers, text styles move to TextStyle, frames become graphic
regions of type "frame" (as PRImA's own tools do), a bare reading order gets its group. What 2019
has no place for is kept as a UserAttribute; comments and foreign elements stay where they were.
"""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

from lxml import etree

from spotlab.errors import BadInput
from spotlab.formats.page.read import read_page_tree, region_ids
from spotlab.formats.page.values import (
    CURRENT,
    element_name,
    format_points,
    parse_points,
    type_name,
    value_name,
)

Element = Any
_SCRIPTS = {
    "Arabic": "Arab - Arabic",
    "Bengali": "Beng - Bengali",
    "Chinese-simplified": "Hans - Han (Simplified variant)",
    "Chinese-traditional": "Hant - Han (Traditional variant)",
    "Cyrillic": "Cyrl - Cyrillic",
    "Devangari": "Deva - Devanagari (Nagari)",
    "Ethiopic": "Ethi - Ethiopic",
    "Greek": "Grek - Greek",
    "Gujarati": "Gujr - Gujarati",
    "Gurmukhi": "Guru - Gurmukhi",
    "Hebrew": "Hebr - Hebrew",
    "Latin": "Latn - Latin",
    "Thai": "Thai - Thai",
}
_SNAKE_PREFIX = re.compile(r"^(txt|img|drwg|gfx|tbl|chart|sep|maths|image)_")
_SNAKE_COLOUR = {"TextRegion": "textColour", "LineDrawingRegion": "penColour",
                 "TableRegion": "lineColour"}  # fmt: skip
_COLOUR_DEPTH = {"black-and-white": "bilevel", "4-bit-greyscale": "greyscale",
                 "8-bit-greyscale": "greyscale"}  # fmt: skip
_STYLE = ("textColour", "bgColour", "reverseVideo", "fontSize", "kerning")
_REGION = {"id", "custom", "comments", "continuation"}
_ALLOWED = {
    "TextRegion": {
        "orientation", "type", "leading", "readingDirection", "textLineOrder", "readingOrientation",
        "indented", "align", "primaryLanguage", "secondaryLanguage", "primaryScript",
        "secondaryScript", "production",
    },
    "ImageRegion": {"orientation", "colourDepth", "bgColour", "embText"},
    "LineDrawingRegion": {"orientation", "penColour", "bgColour", "embText"},
    "GraphicRegion": {"orientation", "type", "numColours", "embText"},
    "TableRegion": {"orientation", "rows", "columns", "lineColour", "bgColour", "lineSeparators",
                    "embText"},
    "ChartRegion": {"orientation", "type", "numColours", "bgColour", "embText"},
    "SeparatorRegion": {"orientation", "colour"},
    "MathsRegion": {"orientation", "bgColour"},
    "ChemRegion": {"orientation", "bgColour"},
    "MusicRegion": {"orientation", "bgColour"},
    "AdvertRegion": {"orientation", "bgColour"},
    "MapRegion": {"orientation"},
    "NoiseRegion": set(),
    "UnknownRegion": set(),
    "CustomRegion": {"type"},
}  # fmt: skip
_WHOLE_NUMBERS = ("leading", "numColours", "rows", "columns", "imageWidth", "imageHeight")


def rename_attributes(node: Element, name: str) -> None:
    """Attributes of the snake_case layout under the names and with the values of PAGE."""
    renamed: dict[str, str] = {}
    for key, value in node.attrib.items():
        if key.startswith("{"):
            renamed[key] = value
            continue
        new = _attribute_name(key, name)
        if new in renamed or not new.isidentifier():
            new = key  # not of the old layout: kept as it is
        renamed[new] = _attribute_value(new, value)
    node.attrib.clear()
    node.attrib.update(renamed)


def _attribute_name(key: str, element: str) -> str:
    if element == "Page" and key.startswith("image_"):
        return "image" + key[len("image_") :].capitalize()
    stem = _SNAKE_PREFIX.sub("", key)
    if stem == key and "_" not in key:
        return key
    if stem == "colour":
        return _SNAKE_COLOUR.get(element, "colour")
    if stem == "colour_type":
        return "colourDepth"
    if stem in ("bgcolour", "bg_colour"):
        return "bgColour"
    first, *others = stem.split("_")
    return first + "".join(word.capitalize() for word in others)


def _attribute_value(name: str, value: str) -> str:
    if value in ("Yes", "No"):
        return "true" if value == "Yes" else "false"
    if name == "type":
        return type_name(value)
    if name == "colourDepth":
        return _COLOUR_DEPTH.get(value_name(value), "colour")
    if name.endswith("Colour") or name in ("colour", "readingDirection"):
        return value_name(value)
    if name in _WHOLE_NUMBERS and re.fullmatch(r"\s*\d+\.\d*\s*", value):
        return str(round(float(value)))
    return value


def correct_scripts(node: Element) -> None:
    """Scripts are spelled with their ISO 15924 code since 2013."""
    for key in ("primaryScript", "secondaryScript", "script"):
        if node.get(key) in _SCRIPTS:
            node.set(key, _SCRIPTS[node.get(key)])


def move_style(region: Element, namespace: str) -> None:
    """A text region's colours and sizes belong to its TextStyle since 2013."""
    moved = {key: region.attrib.pop(key) for key in _STYLE if key in region.attrib}
    if not moved:
        return
    style = region.find(f"{{{namespace}}}TextStyle")
    if style is None:
        style = etree.SubElement(region, f"{{{namespace}}}TextStyle")
    for key, value in moved.items():
        style.set(key, style.get(key, value))


def keep_unknown_attributes(region: Element, name: str, namespace: str) -> None:
    """Keep what a region may not carry any more as a UserAttribute of the same name."""
    allowed = _ALLOWED.get(name)
    if allowed is None:
        return
    unknown = [
        key for key in region.attrib
        if not key.startswith("{") and key not in allowed and key not in _REGION
    ]  # fmt: skip
    if not unknown:
        return
    defined = region.find(f"{{{namespace}}}UserDefined")
    if defined is None:
        defined = etree.SubElement(region, f"{{{namespace}}}UserDefined")
    for key in unknown:
        attributes = {"name": key, "value": region.attrib.pop(key)}
        etree.SubElement(defined, f"{{{namespace}}}UserAttribute", attributes)


def order_children(node: Element) -> None:
    """Put the children into the order of the schema; unknown ones stay behind their neighbour."""
    in_region = str(etree.QName(node).localname).endswith("Region")
    ranks: list[int] = []
    for child in node:
        name = str(etree.QName(child).localname) if isinstance(child.tag, str) else ""
        ranks.append(_rank(name, in_region, ranks[-1] if ranks else 0))
    if ranks == sorted(ranks):
        return
    children = list(node)
    for index in sorted(range(len(children)), key=lambda index: ranks[index]):
        node.append(children[index])


def _rank(name: str, in_region: bool, before: int) -> int:
    if name.endswith("Region"):
        return 5
    late = {"UserDefined": 2, "Labels": 3} if in_region else {"UserDefined": 9, "Labels": 10}
    ranks = {"AlternativeImage": 0, "Coords": 1, "Baseline": 2, "Roles": 4, "Grid": 6,
             "TextLine": 6, "Word": 6, "Glyph": 6, "Graphemes": 6, "TextEquiv": 7,
             "TextStyle": 8}  # fmt: skip
    return {**ranks, **late}.get(name, before)


XSI = "http://www.w3.org/2001/XMLSchema-instance"
LOCATION = f"{CURRENT} {CURRENT}/pagecontent.xsd"


def parsed(source: bytes, path: Path) -> Element:
    """The root of an older file, as `upgrade` will need it.

    Raises
    ------
    BadInput
        Something in it cannot be written again, such as a namespace that is no URI.
    """
    # read_tree has refused entities, depth and size before, so huge texts are harmless here
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        return etree.fromstring(source, parser)
    except etree.XMLSyntaxError as error:
        raise BadInput(path, f"not well-formed XML: {error.msg}") from error


def upgrade(source: bytes, path: Path, changed: datetime) -> bytes:
    """The file as PAGE 2019-07-15 in UTF-8.

    Raises
    ------
    BadInput
        A coordinate is not a number.
    """
    old = parsed(source, path)
    snake = old.tag.rpartition("}")[2] == "pcGts"
    namespace = old.tag[1:].rpartition("}")[0] if old.tag.startswith("{") else ""
    root = _Renamer(namespace, snake).copy(old)
    _set_location(root)
    _give_ids(root, source, path)
    taken = {node.get("id") for node in root.iter(etree.Element) if node.get("id")}
    _upgrade_metadata(root, changed)
    for node in list(root.iter(etree.Element)):
        if node.tag.startswith(f"{{{CURRENT}}}"):
            _upgrade_element(node, snake, path, taken)
    tree = root.getroottree()
    for outside in _before(old):
        root.addprevious(outside)
    content: bytes = etree.tostring(tree, xml_declaration=True, encoding="UTF-8")
    return content.replace(b"<?xml version='1.0' encoding='UTF-8'?>",
                           b'<?xml version="1.0" encoding="UTF-8"?>', 1) + b"\n"  # fmt: skip


class _Renamer:
    """Copies a tree into the namespace of 2019; prefixes and everything foreign stay."""

    def __init__(self, namespace: str, snake: bool) -> None:
        self.namespace = namespace
        self.snake = snake

    def copy(self, old: Element) -> Element:
        root = etree.Element(self.name(old), dict(old.attrib), self.prefixes(old))
        root.text = old.text
        self.fill(old, root)
        return root

    def fill(self, old: Element, new: Element) -> None:
        for child in old:  # the depth is bounded by read_tree
            if not isinstance(child.tag, str):
                copied = (
                    etree.Comment(child.text)
                    if child.tag is etree.Comment
                    else etree.ProcessingInstruction(child.target, child.text)
                )
                new.append(copied)
            else:
                copied = etree.SubElement(
                    new, self.name(child), dict(child.attrib), self.new_prefixes(child)
                )
                copied.text = child.text
                self.fill(child, copied)
            copied.tail = child.tail

    def name(self, node: Element) -> str:
        qualified = etree.QName(node)
        if (qualified.namespace or "") != self.namespace:
            return str(node.tag)
        return f"{{{CURRENT}}}{element_name(qualified.localname, self.snake)}"

    def prefixes(self, node: Element) -> dict[str | None, str]:
        known = {
            prefix: CURRENT if uri == self.namespace else uri for prefix, uri in node.nsmap.items()
        }
        return known if CURRENT in known.values() else {None: CURRENT, **known}

    def new_prefixes(self, node: Element) -> dict[str | None, str] | None:
        inherited = node.getparent().nsmap
        if node.nsmap == inherited:
            return None
        mapped = self.prefixes(node)
        return {
            prefix: uri for prefix, uri in mapped.items() if node.nsmap.get(prefix) is not None
            and inherited.get(prefix) != node.nsmap[prefix]
        } or None  # fmt: skip


def _give_ids(root: Element, source: bytes, path: Path) -> None:
    """Regions without an id, or with another's, get the one that the reader calls them by."""
    page = root.find(_tag("Page"))
    ids = iter(region_ids(read_page_tree(source, path)))
    stack = [] if page is None else [page]
    while stack:
        node = stack.pop()
        if node is not page:
            node.set("id", next(ids))
        stack += [
            child for child in reversed(node)
            if isinstance(child.tag, str) and child.tag.startswith(f"{{{CURRENT}}}")
            and child.tag.endswith("Region")
        ]  # fmt: skip


def _before(root: Element) -> list[Element]:
    """Comments and processing instructions in front of the root, in order."""
    found = []
    node = root.getprevious()
    while node is not None:
        found.append(node)
        node = node.getprevious()
    return found[::-1]


def _set_location(root: Element) -> None:
    name = f"{{{XSI}}}schemaLocation"
    if root.get(name) is not None:
        root.set(name, LOCATION)


def _tag(name: str) -> str:
    return f"{{{CURRENT}}}{name}"


def _local(node: Element) -> str:
    return str(etree.QName(node).localname) if isinstance(node.tag, str) else ""


def _upgrade_metadata(root: Element, changed: datetime) -> None:
    """Creator, Created and LastChange have to be there, in this order."""
    metadata = root.find(_tag("Metadata"))
    if metadata is None:
        metadata = etree.Element(_tag("Metadata"))
        root.insert(0, metadata)
    moment = changed.isoformat(timespec="seconds")
    for place, (name, value) in enumerate(
        (("Creator", ""), ("Created", moment), ("LastChange", moment))
    ):
        node = metadata.find(_tag(name))
        if node is None:
            node = etree.Element(_tag(name))
            metadata.insert(place, node)
        if not (node.text or "").strip():
            node.text = value or node.text


def _upgrade_element(node: Element, snake: bool, path: Path, taken: set[str]) -> None:
    name = _local(node)
    if name == "FrameRegion":
        node.tag = _tag("GraphicRegion")
        node.set("type", "frame")
        name = "GraphicRegion"
    if snake:
        rename_attributes(node, name)
    correct_scripts(node)
    if name == "Coords":
        _points_to_attribute(node, path)
    elif name in ("Baseline", "GridPoints"):
        if "points" in node.attrib:
            node.set("points", _valid_points(node.get("points"), node, path))
    elif name == "ReadingOrder":
        _group_reading_order(node, taken)
    elif name == "Relation":
        _upgrade_relation(node, taken)
    if name.endswith("Region") or name in ("TextLine", "Word", "Glyph"):
        if "id" not in node.attrib:
            node.set("id", _free_id(name.lower(), taken))
        if name == "TextRegion":
            move_style(node, CURRENT)
        if name.endswith("Region"):
            keep_unknown_attributes(node, name, CURRENT)
        order_children(node)


def _points_to_attribute(coords: Element, path: Path) -> None:
    corners = coords.findall(_tag("Point"))
    text = coords.get("points")
    if text is None:
        text = " ".join(f"{corner.get('x')},{corner.get('y')}" for corner in corners)
    for corner in corners:
        coords.remove(corner)
    if len(coords) == 0:
        coords.text = None
    coords.set("points", _valid_points(text, coords, path))


def _valid_points(text: str, node: Element, path: Path) -> str:
    try:
        points = parse_points(text)
    except ValueError as error:
        place = f"line {node.sourceline}, {_local(node)}"
        raise BadInput(path, str(error), place=place, expected="x,y") from error
    if len(points) == 0:
        points = [(0.0, 0.0)]
    if len(points) == 1:  # the schema wants two at least
        points = points * 2
    return format_points(points)


def _group_reading_order(order: Element, taken: set[str]) -> None:
    bare = order.findall(_tag("RegionRef"))
    groups = [node for node in order if _local(node) in ("OrderedGroup", "UnorderedGroup")]
    if not bare and len(groups) <= 1:
        if not groups:
            order.getparent().remove(order)
        return
    group = etree.SubElement(order, _tag("UnorderedGroup"), {"id": _free_id("ro", taken)})
    for node in [*groups, *bare]:
        order.remove(node)
        group.append(node)


def _upgrade_relation(relation: Element, taken: set[str]) -> None:
    ends = relation.findall(_tag("RegionRef"))
    if len(ends) == 2:
        ends[0].tag, ends[1].tag = _tag("SourceRegionRef"), _tag("TargetRegionRef")
    if "id" not in relation.attrib:
        relation.set("id", _free_id("relation", taken))


def _free_id(stem: str, taken: set[str]) -> str:
    number = 0
    while f"{stem}_{number}" in taken:
        number += 1
    taken.add(f"{stem}_{number}")
    return f"{stem}_{number}"
