"""Means of each version of PAGE, so that a file stays valid in its own when it is changed.

Since 2013 an outline is an attribute and elements have ``custom``; since 2017 they have
``UserDefined``; since 2018 there are ``CustomRegion`` and ``MetadataItem``. What an older file has
no place for goes into ``custom``, and before 2013 into a processing instruction, which every schema
allows: ``<?spotlab {label:lamp; primitive:hull;}?>`` in an element stands for its ``custom``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spotlab.formats.page.read import OWN_PREFIX, PageTree
from spotlab.formats.page.values import GROUP, OLDER, escape_utf16, snake_name
from spotlab.formats.page.xml_tree import Node, Patch, start_tag

Attributes = Mapping[str, str]


@dataclass(frozen=True)
class Version:
    """The means that the version of a file has.

    Attributes
    ----------
    snake : bool
        Names are of the snake_case layout.
    has_points : bool
        Outlines are an attribute; else they are Point elements.
    has_custom : bool
        Regions and the page have the attributes ``custom`` and ``comments``.
    has_user_defined : bool
    has_custom_region : bool
        There are CustomRegion and MetadataItem.
    """

    snake: bool = False
    has_points: bool = True
    has_custom: bool = True
    has_user_defined: bool = True
    has_custom_region: bool = True

    @classmethod
    def of(cls, pages: PageTree) -> Version:
        """The version of a file.

        Without a namespace there is no schema: all but the kind of outlines is as in 2019.
        """
        namespace = pages.tree.root.namespace
        if not namespace and not pages.snake:
            nodes = pages.page.walk()
            coords = next((node for node in nodes if pages.name(node) == "Coords"), None)
            return cls(has_points=coords is None or not pages.all(coords, "Point"))
        if pages.snake:
            return cls(True, False, False, False, False)
        year = int(namespace.rpartition("/")[2][:4]) if namespace in OLDER else 9999
        return cls(False, year >= 2013, year >= 2013, year >= 2017, year >= 2018)

    def name(self, prefix: bytes, name: str) -> bytes:
        """An element's name as the file spells it, with its prefix."""
        return prefix + (snake_name(name) if self.snake else name).encode()

    def coords(self, prefix: bytes, points: str) -> bytes:
        """The Coords element of an outline.

        Parameters
        ----------
        prefix : bytes
            Of the file's names, with its colon.
        points : str
            As `format_points` gives them.
        """
        name = self.name(prefix, "Coords")
        if self.has_points:
            return start_tag(name, {"points": points}, empty=True)
        return b"<" + name + b">" + self._corners(prefix, points) + b"</" + name + b">"

    def _corners(self, prefix: bytes, points: str) -> bytes:
        name = self.name(prefix, "Point")
        pairs = (pair.split(",") for pair in points.split())
        return b"".join(start_tag(name, {"x": x, "y": y}, empty=True) for x, y in pairs)

    def move(self, pages: PageTree, patch: Patch, prefix: bytes, coords: Node, points: str) -> None:
        """Give a Coords element another outline."""
        corners = pages.all(coords, "Point")
        for corner in corners:
            patch.delete_node(corner)
        if self.has_points or "points" in coords.attributes:
            patch.set_attribute(coords, "points", points)
        else:
            patch.append_in(coords, self._corners(prefix, points))

    def set_custom(self, patch: Patch, node: Node, custom: str) -> None:
        """Change, add or (empty) take away what an element has as ``custom``."""
        if self.has_custom or (node.get("custom") and node.instruction is None):
            patch.set_attribute(node, "custom", custom or None)
        elif node.instruction is not None:
            patch.replace(*patch.tree.instruction(node), instruction(custom))
        elif custom:
            patch.put_first(node, instruction(custom))

    def in_custom(
        self, values: Mapping[str, Sequence[Attributes]], comment: str | None = None
    ) -> dict[str, str | None]:
        """Values that also go into ``custom``: all that has no element or attribute of its own.

        Parameters
        ----------
        values : mapping
            UserAttributes by name; several of one name stand in lines.
        comment : str, optional
            A remark, empty for none; None where it does not change.
        """
        found: dict[str, str | None] = {}
        if not self.has_user_defined:
            for name, several in values.items():
                lines = (
                    "\t".join(filter(None, (each["value"], each.get("description", ""))))
                    for each in several
                )
                found[name.removeprefix(OWN_PREFIX)] = "\n".join(lines) if several else None
        if comment is not None and not self.has_custom:
            found["comment"] = comment or None
        return found


_OUTSIDE = re.compile(r"[^\x20-\x7e]|\?(?=>)")  # no encoding lacks the rest


def instruction(custom: str) -> bytes:
    r"""The processing instruction that stands for ``custom``; nothing for an empty one.

    Examples
    --------
    >>> print(instruction("spotlab {label:Tür;}").decode())
    <?spotlab {label:T\u00fcr;}?>
    """
    if not custom:
        return b""
    own = re.sub(rf"^{GROUP}\s*", "", custom)
    escaped = _OUTSIDE.sub(lambda match: escape_utf16(match.group()), own)
    return f"<?{GROUP} {escaped}?>".encode()
