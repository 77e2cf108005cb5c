"""Merges regions into a PAGE file: what has changed is written, everything else stays as it is."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from spotlab import __version__
from spotlab.formats.page.page_properties import write_tags
from spotlab.formats.page.read import (
    HISTORY_ATTRIBUTE,
    IMAGE_ID,
    LABEL_ATTRIBUTE,
    OUTLINE_ATTRIBUTE,
    TAGS,
    TEXT_ATTRIBUTE,
    PageTree,
    doubled_ids,
    label_from,
    own_values,
    read_labels,
    read_page,
    read_page_tree,
    read_regions,
    text_node,
)
from spotlab.formats.page.reading_order import (
    OrderWriter,
    new_numbers,
    new_order,
    remove_references,
)
from spotlab.formats.page.user_defined import (
    UserDefined,
    attribute_values,
    history_values,
    label_values,
    plain,
    region_values,
    shown_outline,
)
from spotlab.formats.page.values import write_custom
from spotlab.formats.page.version import Version, instruction
from spotlab.formats.page.words import (
    WordElement,
    changes_kind,
    is_word,
    move_inside,
    rewrite,
    rewrite_inside,
)
from spotlab.formats.page.xml_tree import Node, Patch, escape_text, start_tag
from spotlab.model import LabelSet, Page, Region, Truth
from spotlab.model.attributes import NONE
from spotlab.model.region import contributors, tidy_label


@dataclass(frozen=True)
class OpenPage:
    """A parsed PAGE file, shared by all saves into it."""

    pages: PageTree
    found: Sequence[tuple[Region, Node]]
    places: Mapping[str, int]
    taken: Set[str]


_last: tuple[bytes, OpenPage] | None = None


def open_page(source: bytes, path: Path) -> OpenPage:
    """Parse a PAGE file, or give what it was parsed to if it is the one asked for last.

    A page under edit is saved again and again into the same source.

    Raises
    ------
    BadInput
        It is not PAGE, or holds something that is not a coordinate.
    """
    global _last  # noqa: PLW0603 - one slot; a race between threads only parses twice
    last = _last
    if last is not None and last[0] is source:
        return last[1]
    pages = read_page_tree(source, path)
    found = read_regions(pages, path)
    places = {region.id: index for index, (region, _) in enumerate(found)}
    taken = {node.get("id") for node in pages.tree.root.walk() if node.get("id")}
    opened = OpenPage(pages, found, places, frozenset(taken))
    _last = (source, opened)
    return opened


def with_metadata(pages: PageTree, changed: datetime) -> bytes:
    """A file that lacks the metadata it has to have, with them."""
    patch = Patch(pages.tree)
    prefix = pages.tree.qualified_name(pages.page).removesuffix("Page").encode()
    moment = escape_text(changed.isoformat(timespec="seconds"))
    values = (
        (b"Creator", f"spotlab {__version__}".encode()),
        (b"Created", moment),
        (b"LastChange", moment),
    )
    tags = [
        b"<" + prefix + name + b">" + value + b"</" + prefix + name + b">" for name, value in values
    ]
    indent = patch.space(pages.page)
    name = prefix + b"Metadata"
    content = b"<" + name + b">" + b"".join(tags) + b"</" + name + b">" + indent
    patch.insert(pages.page.start, content)
    return pages.tree.encode(patch.render())


_VALID_ID = re.compile(r"[^\W\d][\w.\-]*", re.UNICODE)


def merge(source: bytes, truth: Truth, changed: datetime, *, unique_ids: bool = False) -> bytes:
    """The file with the truth's page, labels and regions in place of its own.

    It stays in its version. What differs is written in the means that this version has.

    Parameters
    ----------
    source : bytes
        PAGE of any version.
    truth : Truth
    changed : datetime
    unique_ids : bool
        Give elements that have the id of another one a new id.
    """
    opened = open_page(source, truth.page.image)
    root = opened.pages.tree.root
    if opened.pages.child(root, "Metadata") is None and not opened.pages.snake:
        source = with_metadata(opened.pages, changed)
        return merge(source, truth, changed, unique_ids=unique_ids)
    merger = _Merger(opened, truth.page.image)
    merger.metadata(truth.labels, changed)
    merger.authors(truth.regions)
    merger.page(truth.page)
    merger.number(truth)
    merger.regions(truth.regions)
    merger.tags(truth.page)
    merger.order(truth)
    if unique_ids:
        merger.give_other_ids(doubled_ids(source, truth.page.image))
    return opened.pages.tree.encode(merger.patch.render())


class _Merger:
    def __init__(self, opened: OpenPage, path: Path) -> None:
        self.path = path
        self.pages = opened.pages
        self.version = Version.of(opened.pages)
        self.patch = Patch(opened.pages.tree)
        self.defined = UserDefined(opened.pages, self.patch)
        self.found = opened.found
        self.places = opened.places
        self.taken = set(opened.taken)
        self.moved: dict[str, bytes] = {}
        self.gone: set[str] = set()  # ids of regions that the truth has no longer
        self.numbered: dict[int, str] = {}  # what ``custom`` becomes, by where the element begins
        self.written: dict[str, str] = {}  # ids of new regions in the file
        self.renamed: set[int] = set()
        self.page_values: dict[str, str | None] = {}

    def metadata(self, labels: LabelSet, changed: datetime) -> None:
        metadata = self.pages.child(self.pages.tree.root, "Metadata")
        if metadata is None:
            return
        moment = changed.isoformat(timespec="seconds")
        change = self.pages.child(metadata, "LastChange")
        if change is not None:
            self.patch.set_text(change, moment)
        else:
            element = self.version.name(self.defined.prefix(metadata), "LastChange")
            content = start_tag(element, {}) + escape_text(moment) + b"</" + element + b">"
            self.defined.put_behind(metadata, self.pages.child(metadata, "Created"), content)
        known = read_labels(self.pages)
        values, before = map(label_values, (labels.numbered_like(known), known))
        if values != before and not self.version.has_user_defined:
            self.page_values |= self.version.in_custom({LABEL_ATTRIBUTE: values})
        elif values != before:
            anchor = self.pages.child(metadata, "Comments") or change
            self.defined.change(metadata, anchor, {LABEL_ATTRIBUTE: values})

    def authors(self, regions: Sequence[Region]) -> None:
        """List those of the regions' authors in the metadata who are not there yet."""
        metadata = self.pages.child(self.pages.tree.root, "Metadata")
        if metadata is None or not self.version.has_custom_region:
            return
        items = self.pages.all(metadata, "MetadataItem")
        known = {item.get("value") for item in items if item.get("type") == "author"}
        name = self.defined.prefix(metadata) + b"MetadataItem"
        indent = self.patch.space(metadata.children[-1]) if metadata.children else b""
        tags = [
            start_tag(name, {"type": "author", "value": author, "date": time.isoformat()}, True)
            for author, time in contributors(region.history for region in regions).items()
            if author not in known
        ]
        if tags:
            self.patch.append_in(metadata, b"".join(indent + tag for tag in tags))

    def page(self, page: Page) -> None:
        node = self.pages.page
        before = read_page(self.pages, self.path)
        values = self.page_values
        if page.checked != before.checked:
            values["checked"] = "true" if page.checked else None
        if page.frames > 1 and (page.frame, page.frames) != (before.frame, before.frames):
            values |= {"frame": str(page.frame), "frames": str(page.frames)}
        if page.tags != before.tags and not self.version.has_custom_region:
            values[TAGS] = "\n".join(page.tags) or None
        if page.image_id is not None and page.image_id != before.image_id:
            values[IMAGE_ID] = json.dumps(page.image_id)
        if values:
            self.version.set_custom(self.patch, node, write_custom(node.get("custom"), values))

    def tags(self, page: Page) -> None:
        """Write the tags of the page as its Labels, if the version has them."""
        if self.version.has_custom_region and page.tags != read_page(self.pages, self.path).tags:
            indent, unit = self.indent_in(self.pages.page), self.defined.indent_unit()
            write_tags(self.pages, self.patch, self.version, page.tags, indent, unit)

    def regions(self, regions: Sequence[Region]) -> None:
        there = [region for region in regions if region.id in self.places]
        known = [region for region in there if not self.changes_kind(region)]
        remade = {region.id for region in there} - {region.id for region in known}
        self.taken -= remade
        changed = [region.id for region in regions] != [region.id for region, _ in self.found]
        for region in known:
            before, node = self.found[self.places[region.id]]
            if before != region or before.history != region.history:
                self.change(before, region, node)
                changed = True
        self.write_numbers()
        if changed:
            self.write_given_ids()
        staying = _increasing([self.places[region.id] for region in known])
        kept = {region.id for region in known}
        gone: set[str] = set()
        for index, (region, node) in enumerate(self.found):
            if index in staying:
                continue
            if region.id in kept:
                self.moved[region.id] = b"".join(
                    self.patch.render(start, stop) for start, stop in self.own_stretches(node)
                ).strip()
            elif region.id not in remade:
                inside = self.own_nodes(node)[1:]
                gone |= {region.id, *(inner.get("id") for inner in inside if inner.get("id"))}
        for index, (_, node) in enumerate(self.found):
            if index not in staying:
                for start, stop in self.own_stretches(node):
                    self.patch.delete(start, stop)
        self.gone = gone
        if gone:
            remove_references(self.pages, self.patch, gone)
        self.insert(regions, staying)

    def number(self, truth: Truth) -> None:
        """Number regions anew that have their place in ``custom``, as Transkribus writes it."""
        kept = {region.id for region in truth.regions}
        gone = {region.id for region, _ in self.found} - kept
        order, differs = new_order(self.pages, truth, gone)
        if differs and order is not None:
            self.numbered = new_numbers(self.found, order)

    def order(self, truth: Truth) -> None:
        """Write the reading order where it differs; what is gone leaves it, and nothing else."""
        wanted, differs = new_order(self.pages, truth, self.gone)
        if not differs:
            if self.gone:
                remove_references(self.pages, self.patch, self.gone, ("ReadingOrder",))
            return
        writer = OrderWriter(self.pages, self.patch, self.version,
                             lambda id: self.written.get(id, id), self.free_id)  # fmt: skip
        writer.write(wanted, self.indent_in(self.pages.page), self.defined.indent_unit())

    def write_numbers(self) -> None:
        """Write the numbers of regions in which nothing else changes."""
        for _, node in self.found:
            if node.start in self.numbered:
                self.patch.set_attribute(node, "custom", self.numbered[node.start])

    def write_given_ids(self) -> None:
        """Ids given when reading depend on the place in the file, which is about to change."""
        for region, node in self.found:
            if node.get("id") != region.id:
                self.renamed.add(node.start)
                self.patch.set_attribute(node, "id", region.id)

    def give_other_ids(self, doubled: Sequence[Node]) -> None:
        """Give elements an id of their own; regions that of the truth."""
        own = {node.start: region.id for region, node in self.found}
        for node in doubled:
            if node.start not in self.renamed:
                self.patch.set_attribute(
                    node, "id", own.get(node.start) or self.free_id(node.get("id"))
                )

    def insert(self, regions: Sequence[Region], staying: set[int]) -> None:
        """Put new and moved regions in front of the next one that stays, or at the end."""
        waiting: list[Region] = []
        for region in regions:
            if self.places.get(region.id, -1) not in staying:
                waiting.append(region)
                continue
            if waiting:
                following = self.found[self.places[region.id]][1]
                indent = self.patch.space(following)
                for new in waiting:
                    content = self.content(new, following, indent)
                    self.patch.insert(following.start, content + indent)
                waiting.clear()
        if waiting:
            page = self.pages.page
            siblings = [child for child in page.children if self.pages.is_region(child)]
            indent = self.patch.space(siblings[-1]) if siblings else self.indent_in(page)
            content = b"".join(indent + self.content(new, page, indent) for new in waiting)
            if siblings:
                self.patch.insert(self.pages.tree.end(siblings[-1]), content)
            else:
                self.patch.append_in(page, content)

    def changes_kind(self, region: Region) -> bool:
        """Tell whether a region needs another element than it has."""
        return changes_kind(self.pages, self.found[self.places[region.id]][1], region)

    def content(self, region: Region, near: Node, indent: bytes) -> bytes:
        """The element of a region that comes in or moves."""
        if region.id in self.moved:
            return self.moved[region.id]
        as_word = is_word(region)
        prefix = self.defined.prefix(near)
        version = self.version
        custom: dict[str, str | None] = {"primitive": region.primitive.value}
        if region.uncertain:
            custom["uncertain"] = "true"
        if region.ignored:
            custom["ignore"] = region.ignore.value
        if as_word or not version.has_custom_region:
            custom["label"] = region.label
        points, outline = shown_outline(region)
        values = region_values("" if as_word else region.text, region.history, TEXT_ATTRIBUTE)
        if outline:
            values = {**values, OUTLINE_ATTRIBUTE: plain([outline])}
        values = {**values, **attribute_values(NONE, region.attributes, version)}
        custom |= version.in_custom(values, region.comment)
        id = self.written[region.id] = self.free_id(region.id)
        attributes = {"id": id}
        if version.has_custom:
            attributes["custom"] = write_custom("", custom)
        if region.comment and version.has_custom:
            attributes["comments"] = region.comment
        own = "CustomRegion" if version.has_custom_region else "UnknownRegion"
        if region.label and own == "CustomRegion" and not as_word:
            attributes["type"] = region.label
        name = version.name(prefix, "TextRegion" if as_word else own)
        inner = indent + self.defined.indent_unit() if indent else b""
        parts = [start_tag(name, attributes)]
        if not version.has_custom:
            parts += (inner, instruction(write_custom("", custom)))
        parts += (inner, version.coords(prefix, points))
        if values and version.has_user_defined:
            parts += (inner, self.defined.element(prefix, values, inner))
        if as_word:
            line, word = (self.free_id(f"{id}_{part}") for part in ("line", "word"))
            element = WordElement(version, prefix, points, line, word, region.text)
            parts.append(element.render(inner, self.defined.indent_unit()))
        return b"".join([*parts, indent, b"</", name, b">"])

    def change(self, before: Region, after: Region, node: Node) -> None:
        """Write what differs, and nothing else, into the region's element."""
        defined: dict[str, Sequence[Mapping[str, str]]] = {}
        if before.points != after.points:
            coords = self.pages.child(node, "Coords")
            assert coords is not None  # it had an outline
            points, outline = shown_outline(after)
            prefix = self.defined.prefix(node)
            if outline or own_values(self.pages, node, OUTLINE_ATTRIBUTE, node.get("custom")):
                defined[OUTLINE_ATTRIBUTE] = plain([outline] if outline else [])
            self.version.move(self.pages, self.patch, prefix, coords, points)
            move_inside(self.pages, self.patch, self.version, prefix, node, points)
        if before.text != after.text:
            defined[TEXT_ATTRIBUTE] = plain(self.change_text(after.text, node))
        if before.history != after.history:
            defined[HISTORY_ATTRIBUTE] = history_values(after.history)
        if before.attributes != after.attributes:
            defined |= attribute_values(before.attributes, after.attributes, self.version)
        comment = after.comment if before.comment != after.comment else None
        values = self.custom_values(before, after, node)
        values |= self.version.in_custom(defined, comment)
        given = self.numbered.pop(node.start, node.get("custom"))
        custom = write_custom(given, values)
        if custom != node.get("custom"):
            self.version.set_custom(self.patch, node, custom)
        if comment is not None and self.version.has_custom:
            self.patch.set_attribute(node, "comments", comment or None)
        if defined and self.version.has_user_defined:
            self.defined.change(node, self.pages.child(node, "Coords"), defined)

    def custom_values(self, before: Region, after: Region, node: Node) -> dict[str, str | None]:
        """Return what of ``custom`` changes; a label goes into ``type`` where that is its place."""
        values: dict[str, str | None] = {}
        if before.label != after.label:
            if self.pages.name(node) == "CustomRegion":
                self.patch.set_attribute(node, "type", after.label or None)
                values["label"] = None
            else:
                given = label_from(self.pages.name(node), node.attributes, {}, self.pages.snake)
                values["label"] = None if after.label == tidy_label(given) else after.label
        if before.primitive != after.primitive:
            values["primitive"] = after.primitive.value
        if before.uncertain != after.uncertain:
            values["uncertain"] = "true" if after.uncertain else None
        if before.ignore != after.ignore:
            values["ignore"] = after.ignore.value if after.ignored else None
        return values

    def change_text(self, text: str, node: Node) -> list[str]:
        """Write the transcription where there is one; else give what goes into UserDefined."""
        unicode = text_node(self.pages, node)
        if unicode is not None:
            rewrite(self.pages, self.patch, unicode, text)
            rewrite_inside(self.pages, self.patch, node, text)
        return [text] if text and unicode is None else []

    def indent_in(self, node: Node) -> bytes:
        """The white space in front of what is put into an element."""
        if node.children:
            return self.patch.space(node.children[-1])
        outer = self.patch.space(node)
        return outer + self.defined.indent_unit() if outer else b""

    def own_nodes(self, node: Node) -> list[Node]:
        """The element and what is in it, without the regions nested in it."""
        own, stack = [], [node]
        while stack:
            inner = stack.pop()
            own.append(inner)
            stack.extend(child for child in inner.children if not self.pages.is_region(child))
        return own

    def own_stretches(self, node: Node) -> list[tuple[int, int]]:
        """The bytes of an element with the space before it, without the regions nested in it."""
        stretches, start = [], self.patch.space_start(node)
        for child in node.children:
            if self.pages.is_region(child):
                stretches.append((start, self.patch.space_start(child)))
                start = self.pages.tree.end(child)
        return [*stretches, (start, self.pages.tree.end(node))]

    def free_id(self, id: str) -> str:
        """The id, made valid for XML and different from all others in the file."""
        if not _VALID_ID.fullmatch(id):
            id = "r" + re.sub(r"[^\w.\-]", "_", id)
        while id in self.taken:
            id += "_"
        self.taken.add(id)
        return id


def _increasing(places: Sequence[int]) -> set[int]:
    """The longest part of the sequence that is in order: those need not move.

    Examples
    --------
    >>> sorted(_increasing([0, 4, 1, 2]))
    [0, 1, 2]
    """
    ends: list[int] = []  # smallest possible last value of an ordered part of each length
    before: dict[int, int | None] = {}
    for place in places:
        at = bisect_left(ends, place)
        before[place] = ends[at - 1] if at else None
        ends[at : at + 1] = [place]
    chain: set[int] = set()
    last = ends[-1] if ends else None
    while last is not None:
        chain.add(last)
        last = before[last]
    return chain
