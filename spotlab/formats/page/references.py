"""Takes references to regions that are gone out of a PAGE file, so that it stays valid."""

from __future__ import annotations

from collections.abc import Set

from spotlab.formats.page.read import PageTree
from spotlab.formats.page.xml_patch import Patch
from spotlab.formats.page.xml_tree import Node

_REFERENCES = ("RegionRef", "RegionRefIndexed", "SourceRegionRef", "TargetRegionRef")
_GROUPS = (
    "OrderedGroup", "UnorderedGroup", "OrderedGroupIndexed", "UnorderedGroupIndexed",
)  # fmt: skip
_MEMBERS = {
    "ReadingOrder": _GROUPS,
    "Layers": ("Layer",),
    "Relations": ("Relation",),
    "Layer": _REFERENCES,
    **dict.fromkeys(_GROUPS, (*_REFERENCES, *_GROUPS)),
}


def remove_references(pages: PageTree, patch: Patch, gone: Set[str]) -> None:
    """Remove every reference to these ids, and groups, layers and relations emptied by that."""
    for name in ("ReadingOrder", "Layers", "Relations"):
        for node in pages.all(pages.page, name):
            if _goes(pages, patch, node, gone):
                patch.delete_node(node)


def _goes(pages: PageTree, patch: Patch, node: Node, gone: Set[str]) -> bool:
    """Whether the element has to go; what has to go inside it is removed."""
    name = pages.name(node)
    if name in _REFERENCES:
        return node.get("regionRef") in gone
    removed = []
    for child in node.children:  # the depth is bounded by read_tree
        if _goes(pages, patch, child, gone):
            patch.delete_node(child)
            removed.append(child)
    if name == "Relation":
        return bool(removed)
    if name not in _MEMBERS:
        return False
    members = [child for child in node.children if pages.name(child) in _MEMBERS[name]]
    if removed and all(member in removed for member in members):
        return True
    if node.get("regionRef") in gone:
        patch.set_attribute(node, "regionRef", None)
    return False
