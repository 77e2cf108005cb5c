"""Turns PAGE of 2009 to 2018, and the snake_case layout before, into valid PAGE 2019-07-15.

Points become an attribute with whole numbers, text styles move to TextStyle, frames become graphic
regions of type "frame" (as PRImA's own tools do), a bare reading order gets its group. What 2019
has no place for is kept as a UserAttribute; comments and foreign elements stay where they were.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from lxml import etree

from spotlab.errors import BadInput
from spotlab.formats.page import upgrade_values as values
from spotlab.formats.page.names import CURRENT, element_name
from spotlab.formats.page.points import format_points, parse_points
from spotlab.formats.page.read import read_page_tree, region_ids

XSI = "http://www.w3.org/2001/XMLSchema-instance"
LOCATION = f"{CURRENT} {CURRENT}/pagecontent.xsd"
Element = Any  # lxml has no types


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
        values.rename_attributes(node, name)
    values.correct_scripts(node)
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
            values.move_style(node, CURRENT)
        if name.endswith("Region"):
            values.keep_unknown_attributes(node, name, CURRENT)
        values.order_children(node)


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
