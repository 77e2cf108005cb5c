"""``UserDefined`` of PAGE: structured values by name, in any region and in the metadata.

The history of a region stands here, one ``UserAttribute`` called ``spotlab.history`` for each
contribution: the schema has this element for "structured custom data defined by name, type and
value", every kind of region may have it, and other programs keep it. ``custom`` is one string that
several programs rewrite, ``Labels`` are classes of what is seen, so that programs would show names
of persons as classes, and ``MetadataItem`` knows the page only. That one lists the page's authors.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np

from spotlab.formats.page.read import (
    ATTRIBUTES,
    HISTORY_ATTRIBUTE,
    LIST,
    OWN_PREFIX,
    PageTree,
    outline_value,
    user_attributes,
)
from spotlab.formats.page.values import exact_points, format_points, parse_points
from spotlab.formats.page.version import Version
from spotlab.formats.page.xml_tree import Node, Patch, start_tag
from spotlab.geometry.polygon import crosses_itself
from spotlab.geometry.primitives import turned_frame
from spotlab.geometry.rings import joined_parts, simple_outline
from spotlab.model import Attributes, AttributeValue, Contribution, LabelSet, Primitive, Region
from spotlab.model.attributes import value_text

Values = Mapping[str, Sequence[Mapping[str, str]]]  # by name: the attributes of each UserAttribute


def plain(values: Sequence[str]) -> list[dict[str, str]]:
    """UserAttributes that have a value and nothing else."""
    return [{"value": value} for value in values]


def history_values(history: Sequence[Contribution]) -> list[dict[str, str]]:
    """UserAttributes of a region's history."""
    found = []
    for entry in history:
        source = {"description": entry.source} if entry.source else {}
        found.append({**source, "type": "xsd:string", "value": entry.text})
    return found


def label_values(labels: LabelSet) -> list[dict[str, str]]:
    """Return what a page says of each label; its number is the description."""
    found = []
    for label in labels:
        number = {} if label.number is None else {"description": json.dumps(label.number)}
        value = f"{label.colour} {label.digit or '-'} {label.name}"
        found.append({**number, "value": value})
    return found


class UserDefined:
    """Writes UserAttributes into the elements of a file; others' stay."""

    def __init__(self, pages: PageTree, patch: Patch) -> None:
        self.pages = pages
        self.patch = patch

    def change(self, node: Node, anchor: Node | None, values: Values) -> None:
        """Give the element these UserAttributes in place of those with the same names.

        Parameters
        ----------
        node : Node
        anchor : Node or None
            What a new UserDefined stands behind; None for the last child.
        values : mapping
            By name; an empty sequence takes those away.
        """
        defined = self.pages.child(node, "UserDefined")
        if defined is None:
            if any(values.values()):
                indent = self.patch.space(anchor) if anchor is not None else b""
                self.put_behind(node, anchor, self.element(self.prefix(node), values, indent))
            return
        own = [each for name in values for each in user_attributes(self.pages, node, name)]
        if not any(values.values()) and len(own) == len(defined.children):
            if own:
                self.patch.delete_node(defined)
            return
        for attribute in own:
            self.patch.delete_node(attribute)
        indent = self.patch.space(defined.children[-1]) if defined.children else b""
        tags = _tags(self.prefix(node), values)
        self.patch.append_in(defined, b"".join(indent + tag for tag in tags))

    def element(self, prefix: bytes, values: Values, indent: bytes) -> bytes:
        """A new element; ``indent`` is the white space in front of it."""
        inner = indent + self.indent_unit() if indent else b""
        tags = [inner + tag for tag in _tags(prefix, values)]
        name = prefix + b"UserDefined"
        return b"".join([b"<", name, b">", *tags, indent, b"</", name, b">"])

    def put_behind(self, parent: Node, anchor: Node | None, content: bytes) -> None:
        """Insert an element behind the anchor, or behind the parent's last child."""
        if anchor is None:
            self.patch.append_in(parent, content)
        else:
            indent = self.patch.space(anchor)
            self.patch.insert(self.pages.tree.end(anchor), indent + content)

    def prefix(self, node: Node) -> bytes:
        """The namespace prefix that the file uses there, with its colon."""
        prefix, colon, _ = self.pages.tree.qualified_name(node).rpartition(":")
        return (prefix + colon).encode()

    def indent_unit(self) -> bytes:
        """By how much the file indents what is inside an element."""
        page = self.pages.page
        outer = self.patch.space(page)
        if not page.children:
            return b"  "
        inner = self.patch.space(page.children[0])
        return inner[len(outer) :] if inner.startswith(outer) else b""


def region_values(text: str, history: Sequence[Contribution], text_name: str) -> Values:
    """Return what a new region's UserDefined holds; empty where it needs none."""
    values: dict[str, Sequence[Mapping[str, str]]] = {}
    if text:
        values[text_name] = plain([text])
    if history:
        values[HISTORY_ATTRIBUTE] = history_values(history)
    return values


def attribute_values(
    before: Attributes, after: Attributes, version: Version
) -> dict[str, Sequence[Mapping[str, str]]]:
    """UserAttributes of those attributes of a region that change.

    They have the attributes' own names; where the version has none, one value has all of them.
    """
    if not version.has_user_defined:
        text = json.dumps(after, ensure_ascii=False)
        return {ATTRIBUTES: plain([text] if after else [])} if before or after else {}
    old, new = (
        {name: [_user_attribute(value)] for name, value in each} for each in (before, after)
    )
    return {
        name: new.get(name, [])
        for name in {**old, **new}
        if old.get(name) != new.get(name) and not name.startswith(OWN_PREFIX)
    }


def _user_attribute(value: AttributeValue) -> dict[str, str]:
    """A value with its type; lists, for which PAGE has none, are text."""
    if isinstance(value, tuple):
        text = json.dumps(value, ensure_ascii=False)
        return {"description": LIST, "type": "xsd:string", "value": text}
    types = {bool: "xsd:boolean", int: "xsd:integer", float: "xsd:float"}
    kind = {"type": types[type(value)]} if type(value) in types else {}
    return {**kind, "value": value_text(value)}


def shown_outline(region: Region) -> tuple[str, str]:
    """The outline for Coords of a region, and our value of its outline if that is not all.

    Other programs know simple polygons only: one whose parts and holes are joined by edges that
    run there and back is not valid for them. Coords of a turned box are whole px, which give it
    another angle.
    """
    points = format_points(region.points)
    if region.primitive is Primitive.BOX and turned_frame(region.array) is not None:
        exact = exact_points(region.points)
        return points, "" if exact == points else outline_value(exact, points)
    pairs = points.split()
    if len(set(pairs)) == len(pairs):  # nearly always: nothing is joined
        return points, ""
    array = np.array(parse_points(points))
    if not crosses_itself(array) or joined_parts(array) is None:
        return points, ""
    shown = format_points([(x, y) for x, y in simple_outline(array).tolist()])
    return shown, outline_value(points, shown)


def _tags(prefix: bytes, values: Values) -> list[bytes]:
    return [
        start_tag(prefix + b"UserAttribute", {"name": name, **attributes}, empty=True)
        for name, several in values.items()
        for attributes in several
    ]
