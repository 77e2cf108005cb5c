"""``ReadingOrder`` of PAGE, read and written, and all other references to regions that may go."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from dataclasses import replace
from pathlib import Path

from spotlab.formats.page.read import PageTree, read_page_tree, region_ids
from spotlab.formats.page.version import Version
from spotlab.formats.page.xml_tree import Node, Patch, start_tag
from spotlab.formats.rows.numbers import whole_number
from spotlab.model import Region, Truth
from spotlab.model.reading_order import OrderGroup, OrderItem

_REFERENCES = ("RegionRef", "RegionRefIndexed")
_INDEXED = "Indexed"
_GROUPS = (
    "OrderedGroup", "UnorderedGroup", "OrderedGroupIndexed", "UnorderedGroupIndexed",
)  # fmt: skip
NUMBER = re.compile(r"readingOrder\s*\{\s*index\s*:\s*(\d{1,9})\s*;")  # in ``custom``
_BEFORE = ("AlternativeImage", "Border", "PrintSpace")  # what stands before it in a page


def read_order(pages: PageTree) -> OrderGroup | None:
    """The reading order of a page; None if the file has none.

    Where there is no element for it, numbers in ``custom`` count, as Transkribus writes them.

    Parameters
    ----------
    pages : PageTree
    """
    node = pages.child(pages.page, "ReadingOrder")
    groups = [each for each in node.children if pages.name(each) in _GROUPS] if node else []
    if groups:
        return _group(pages, groups[0])
    regions = zip(region_ids(pages), pages.region_nodes(), strict=True)
    numbers = [(NUMBER.search(each.get("custom")), id) for id, each in regions]
    placed = sorted((int(number[1]), at, id) for at, (number, id) in enumerate(numbers) if number)
    return OrderGroup(tuple(id for *_, id in placed)) if placed else None


def _group(pages: PageTree, node: Node) -> OrderGroup:
    items = [item for _, item in _items(pages, node)]
    ordered = pages.name(node).startswith("Ordered")
    return OrderGroup(tuple(items), ordered, node.get("id"), node.get("caption"), _ref(node))


def _items(pages: PageTree, node: Node) -> Iterator[tuple[Node, OrderItem]]:
    """The members of a group in their order; of equal or missing indexes that of the file."""
    members = [each for each in node.children
               if pages.name(each) in _REFERENCES or pages.name(each) in _GROUPS]  # fmt: skip
    if pages.name(node).startswith("Ordered"):
        last = len(members)
        places = [whole_number(each.get("index")) for each in members]
        keys = [last if place is None else place for place in places]
        members = [members[at] for at in sorted(range(last), key=keys.__getitem__)]
    for each in members:
        yield each, _ref(each) if pages.name(each) in _REFERENCES else _group(pages, each)


def _ref(node: Node) -> str:
    return node.get("regionRef") or node.get("region_ref")


def order_problems(source: bytes, path: Path) -> list[str]:
    """References of a reading order to regions that are not there, or that it has twice.

    Parameters
    ----------
    source : bytes
        Of a PAGE file.
    path : Path
        Named in errors.
    """
    if b"eading" not in source:  # nearly always: nothing has to be parsed
        return []
    pages = read_page_tree(source, path)
    node = pages.child(pages.page, "ReadingOrder")
    known, seen = set(region_ids(pages)), set[str]()
    found = []
    for each in node.walk() if node is not None else ():
        id = _ref(each)
        if id and id not in known:
            found.append(f"{each.place}: the reading order names {id!r}, which is no region")
        elif id in seen and pages.name(each) in _REFERENCES:
            found.append(f"{each.place}: the reading order names {id!r} twice")
        if pages.name(each) in _REFERENCES:
            seen.add(id)
    return found


def new_order(pages: PageTree, truth: Truth, gone: Set[str]) -> tuple[OrderGroup | None, bool]:
    """The order to be written for a truth, and whether it is another one than the file has.

    Parameters
    ----------
    pages : PageTree
    truth : Truth
    gone : set of str
        Ids of regions of the file that the truth has no longer: they leave both orders.
    """
    before = read_order(pages)
    known = {region.id for region in truth.regions} | set(before.ids if before else ())
    wanted = truth.page.order
    wanted = None if wanted is None else wanted.without(set(wanted.ids) - known | gone)
    if wanted is not None and before is not None and not wanted.id:
        wanted = replace(wanted, id=before.id)
    return wanted, wanted != (None if before is None else before.without(gone))


def new_numbers(found: Sequence[tuple[Region, Node]], order: OrderGroup) -> dict[int, str]:
    """The values of ``custom`` with numbers that follow an order, by where the elements begin.

    Parameters
    ----------
    found : sequence of (Region, Node)
        The regions of the file; those whose ``custom`` has no number are left out.
    order : OrderGroup
    """
    places = {id: at for at, id in enumerate(order.ids)}
    numbers = {}
    for region, node in found:
        custom = node.get("custom")
        number = NUMBER.search(custom) if region.id in places else None
        if number is not None and int(number[1]) != places[region.id]:
            start, stop = number.span(1)
            numbers[node.start] = f"{custom[:start]}{places[region.id]}{custom[stop:]}"
    return numbers


def put_in_page(
    pages: PageTree, patch: Patch, content: bytes, indent: bytes, before: Collection[str]
) -> None:
    """Insert an element into Page, in front of its regions and of what was inserted so before.

    Parameters
    ----------
    pages : PageTree
    patch : Patch
    content : bytes
        The element.
    indent : bytes
        White space in front of a child of Page.
    before : collection of str
        Names of the children that it stands behind.
    """
    page = pages.page
    others = [each for each in page.children if pages.name(each) in before]
    if others:
        patch.insert(pages.tree.end(others[-1]), indent + content, first=True)
    elif page.children:
        patch.insert(page.children[0].start, content + indent, first=True)
    else:
        patch.put_first(page, indent + content)


class OrderWriter:
    """Writes an order into a file; groups that stay as they are keep every byte.

    Parameters
    ----------
    pages : PageTree
    patch : Patch
    version : Version
    written : callable
        The id that a region has in the file, by that of the truth.
    free_id : callable
        An id that nothing in the file has, made from another one.
    """

    def __init__(
        self, pages: PageTree, patch: Patch, version: Version, written: Callable[[str], str],
        free_id: Callable[[str], str],
    ) -> None:  # fmt: skip
        self.pages, self.patch, self.version = pages, patch, version
        self.written, self.free_id = written, free_id
        page = pages.tree.qualified_name(pages.page)
        self.prefix = page[: len(page) - len(pages.page.name)].encode()
        self.old: dict[str, Node] = {}
        node = pages.child(pages.page, "ReadingOrder")
        for each in node.walk() if node is not None else ():
            if pages.name(each) in _GROUPS:
                self.old.setdefault(each.get("id"), each)

    def write(self, order: OrderGroup | None, indent: bytes, unit: bytes) -> None:
        """Put the order in place of that of the file, or take it away.

        Parameters
        ----------
        order : OrderGroup or None
        indent : bytes
            White space in front of a child of Page.
        unit : bytes
            By how much an element is indented more than its parent.
        """
        node = self.pages.child(self.pages.page, "ReadingOrder")
        if order is None:
            if node is not None:
                self.patch.delete_node(node)
            return
        self.unit = unit
        if node is not None:
            inner = self.patch.space(node.children[0]) if node.children else indent + unit
            start, stop, empty = self.pages.tree.start_tag(node)
            tag = self.pages.tree.data[start:stop]
            tag = tag[:-2].rstrip() + b">" if empty else tag
            name = self.pages.tree.qualified_name(node).encode()
            content = inner + self._render(order, None, inner)
            content = tag + content + self.patch.space(node) + b"</" + name + b">"
            self.patch.replace(node.start, self.pages.tree.end(node), content)
            return
        inner = indent + unit if indent else b""
        name = self._name("ReadingOrder")
        content = b"<" + name + b">" + inner + self._render(order, None, inner)
        content += indent + b"</" + name + b">"
        put_in_page(self.pages, self.patch, content, indent, _BEFORE)

    def _name(self, name: str) -> bytes:
        return self.version.name(self.prefix, name)

    def _render(self, group: OrderGroup, index: int | None, indent: bytes) -> bytes:
        """A group; ``index`` is its place in an ordered one."""
        old = self.old.pop(group.id, None) if group.id else None
        indexed = _INDEXED if index is not None else ""
        name = ("OrderedGroup" if group.ordered else "UnorderedGroup") + indexed
        place = {} if index is None else {"index": str(index)}
        if old is not None and self.pages.name(old) == name and self._is(old, group, index):
            return self.pages.tree.data[old.start : self.pages.tree.end(old)]
        attributes = (
            dict(old.attributes) if old is not None else {"id": self.free_id(group.id or "order")}
        )
        for gone in ("index", "regionRef", "region_ref", "caption"):
            attributes.pop(gone, None)
        ref = "region_ref" if self.version.snake else "regionRef"
        if group.region:
            attributes[ref] = self.written(group.region)
        if group.caption and self.version.has_custom:
            attributes["caption"] = group.caption
        attributes |= place
        inner = indent + self.unit if indent else b""
        tree = self.pages.tree
        kept = [tree.data[each.start : tree.end(each)] for each in (old.children if old else ())
                if self.pages.name(each) in ("UserDefined", "Labels")]  # fmt: skip
        first = self._first(old)
        parts = [start_tag(self._name(name), attributes)]
        parts += [inner + each for each in kept]
        for at, item in enumerate(group.items, first):
            number = at if group.ordered else None
            if isinstance(item, OrderGroup):
                parts.append(inner + self._render(item, number, inner))
                continue
            own = {} if number is None else {"index": str(number)}
            tag = "RegionRef" if number is None else "RegionRefIndexed"
            values = {**own, ref: self.written(item)}
            parts.append(inner + start_tag(self._name(tag), values, empty=True))
        return b"".join([*parts, indent, b"</", self._name(name), b">"])

    def _first(self, old: Node | None) -> int:
        """The number that the file's own count begins with."""
        numbers = [whole_number(each.get("index")) for each in old.children] if old else []
        known = [number for number in numbers if number is not None]
        return min(known, default=0)

    def _is(self, old: Node, group: OrderGroup, index: int | None) -> bool:
        """Tell whether a group of the file is this one, with the same ids."""
        same_place = index is None or old.get("index") == str(index)
        kept = all(self.written(id) == id for id in group.ids)
        return same_place and kept and _group(self.pages, old) == group


_ALL_REFERENCES = (*_REFERENCES, "SourceRegionRef", "TargetRegionRef")
_HOLDERS = ("Layers", "Relations")
_MEMBERS = {
    "ReadingOrder": _GROUPS,
    "Layers": ("Layer",),
    "Relations": ("Relation",),
    "Layer": _ALL_REFERENCES,
    **dict.fromkeys(_GROUPS, (*_ALL_REFERENCES, *_GROUPS)),
}


def remove_references(
    pages: PageTree, patch: Patch, gone: Set[str], names: Sequence[str] = _HOLDERS
) -> None:
    """Remove every reference to these ids, and groups, layers and relations emptied by that."""
    for name in names:
        for node in pages.all(pages.page, name):
            if _goes(pages, patch, node, gone):
                patch.delete_node(node)


def _goes(pages: PageTree, patch: Patch, node: Node, gone: Set[str]) -> bool:
    """Tell whether the element has to go; what has to go inside it is removed."""
    name = pages.name(node)
    if name in _ALL_REFERENCES:
        return _ref(node) in gone
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
    if _ref(node) in gone:
        patch.set_attribute(node, "regionRef", None)
    return False
