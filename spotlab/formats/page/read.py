"""Reads PAGE XML of any version: its page, its regions of every type, its labels."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import is_outline
from spotlab.formats.page.images import image_path, page_size
from spotlab.formats.page.values import (
    TYPE_ATTRIBUTES,
    element_name,
    format_points,
    parse_points,
    read_custom,
    type_name,
)
from spotlab.formats.page.xml_tree import Node, Tree, read_tree
from spotlab.formats.rows.numbers import whole_number
from spotlab.formats.rows.reading import Reading
from spotlab.model import (
    AttributeKind,
    Attributes,
    Contribution,
    Ignore,
    Label,
    LabelSet,
    Page,
    Primitive,
    Region,
)
from spotlab.model.attributes import parse_value

OWN_PREFIX = "spotlab."
LABEL_ATTRIBUTE = "spotlab.label"  # Metadata/UserDefined/UserAttribute: "#E69F00 1 sofa"
HISTORY_ATTRIBUTE = "spotlab.history"  # */UserDefined/UserAttribute: "drawn 2026-…+00:00 Anna"
OUTLINE_ATTRIBUTE = "spotlab.outline"  # of parts and holes, or a turned box: "3f2a91c0 10,10 …"
ATTRIBUTES = "spotlab.attributes"  # of a region where the version has no UserDefined, as JSON
LIST = "list, as JSON"  # description of an attribute
TYPES = {
    "xsd:boolean": AttributeKind.YES_NO,
    "xsd:integer": AttributeKind.WHOLE,
    "xsd:float": AttributeKind.NUMBER,
}
IMAGE_ID = "image_id"  # in ``custom`` of a page, as JSON
TAGS = "tags"  # in ``custom`` of a page, where the version has no Labels
TEXT_ATTRIBUTE = "spotlab.text"  # */UserDefined/UserAttribute of a region without TextEquiv
Points = list[tuple[float, float]]


@dataclass(frozen=True)
class PageTree:
    """A PAGE file whose elements are found.

    Attributes
    ----------
    tree : Tree
    page : Node
        The Page element.
    snake : bool
        It is of the snake_case layout of before 2010.
    """

    tree: Tree
    page: Node
    snake: bool

    def name(self, node: Node) -> str:
        """The element's name in PAGE 2019; empty for another vocabulary's."""
        if node.namespace != self.tree.root.namespace:
            return ""
        return element_name(node.name, self.snake)

    def child(self, node: Node, name: str) -> Node | None:
        """The first child that PAGE 2019 calls so."""
        return next((child for child in node.children if self.name(child) == name), None)

    def all(self, node: Node, name: str) -> list[Node]:
        """The children that PAGE 2019 calls so."""
        return [child for child in node.children if self.name(child) == name]

    def is_region(self, node: Node) -> bool:
        """Tell whether it is a region of any type."""
        return node.name.endswith("egion") and self.name(node).endswith("Region")

    def region_nodes(self) -> Iterator[Node]:
        """All region elements at any depth, in the order of the file."""
        stack = [self.page]
        while stack:
            node = stack.pop()
            if node is not self.page:
                yield node
            stack.extend(child for child in reversed(node.children) if self.is_region(child))


def read_page_tree(source: bytes, path: Path) -> PageTree:
    """Parse the file and find its Page.

    Raises
    ------
    BadInput
        It is not XML, not PAGE, or has no Page.
    """
    tree = read_tree(source, path)
    root = tree.root
    if root.name not in ("PcGts", "pcGts"):
        raise BadInput(path, f"the root is {root.name}", place="line 1", expected="PcGts of PAGE")
    snake = root.name == "pcGts"
    for child in root.children:
        if child.namespace == root.namespace and element_name(child.name, snake) == "Page":
            return PageTree(tree, child, snake)
    raise BadInput(path, "the element Page is missing", place=root.place, expected="PAGE XML")


def read_size(pages: PageTree, path: Path, reading: Reading) -> tuple[int, int]:
    """Width and height of the page in px."""
    names = ("imageWidth", "imageHeight"), ("image_width", "image_height")
    width, height = (
        pages.page.get(camel) or pages.page.get(old) for camel, old in zip(*names, strict=True)
    )
    name = image_filename(pages)
    return page_size(path, name, (width, height), pages.page.place, reading, names=names[0])


def image_filename(pages: PageTree) -> str:
    """The image as the file names it."""
    return pages.page.get("imageFilename") or pages.page.get("image_filename")


def read_page(pages: PageTree, path: Path, reading: Reading | None = None) -> Page:
    """The page that the file is about."""
    width, height = read_size(pages, path, reading or Reading())
    custom = read_custom(pages.page.get("custom"))
    frame, frames = (whole_number(custom.get(name, "")) for name in ("frame", "frames"))
    if frame is None or frames is None or frame >= frames:
        frame, frames = 0, 1
    image = image_path(path, image_filename(pages))
    checked = custom.get("checked") == "true"
    return Page(
        image, width, height, frame, frames, checked, tags=read_tags(pages),
        image_id=_read_id(custom.get(IMAGE_ID, "")),
    )  # fmt: skip


def _read_id(text: str) -> int | str | None:
    """An id that was written as JSON; None where it is none."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None


def read_tags(pages: PageTree) -> tuple[str, ...]:
    """The tags of a page: its Labels, of any program, or a value in ``custom`` where it has none.

    Parameters
    ----------
    pages : PageTree
    """
    labels = [each for owner in pages.all(pages.page, "Labels")
              for each in pages.all(owner, "Label")]  # fmt: skip
    own = read_custom(pages.page.get("custom")).get(TAGS, "").split("\n")
    return (*map(tag_of, labels), *own)


def tag_of(label: Node) -> str:
    """The tag that a Label is: its value, behind its type if it has one."""
    return ":".join(filter(None, (label.get("type"), label.get("value"))))


def read_labels(pages: PageTree) -> LabelSet:
    """The label colours, digits and numbers in the metadata; what is not one is passed over."""
    labels: list[Label] = []
    metadata = pages.child(pages.tree.root, "Metadata")
    values = own_values(pages, metadata, LABEL_ATTRIBUTE, pages.page.get("custom"))
    for value, number in values:
        colour, digit, name = [*value.split(" ", 2), "", "", ""][:3]
        digit = "" if digit == "-" or any(label.digit == digit for label in labels) else digit
        if name and all(label.name != name for label in labels):
            labels.append(Label(name, colour, digit, number=_read_id(number)))
    return LabelSet(tuple(labels))


def user_attributes(pages: PageTree, node: Node | None, name: str) -> list[Node]:
    """The UserAttribute elements of this name in the node's UserDefined."""
    defined = pages.child(node, "UserDefined") if node is not None else None
    if defined is None:
        return []
    found = pages.all(defined, "UserAttribute")
    return [attribute for attribute in found if attribute.get("name") == name]


def own_values(pages: PageTree, node: Node | None, name: str, custom: str) -> list[tuple[str, str]]:
    """Our values of this name, each with its description.

    They are UserAttributes of the node, or lines in ``custom`` where the version has none.
    """
    found = [
        (attribute.get("value"), attribute.get("description"))
        for attribute in user_attributes(pages, node, name)
    ]
    if not found and OWN_PREFIX[:-1] in custom:
        lines = read_custom(custom).get(name.removeprefix(OWN_PREFIX), "").split("\n")
        found = [(value, source) for value, _, source in (line.partition("\t") for line in lines)]
    return found


def read_points(pages: PageTree, node: Node, path: Path) -> Points:
    """The outline in ``points`` or, before 2013, in Point children; empty if there is none.

    Raises
    ------
    BadInput
        Something in it is not a pair of numbers.
    """
    coords = pages.child(node, "Coords")
    if coords is None:
        return []
    try:
        if "points" in coords.attributes:
            return parse_points(coords.attributes["points"])
        corners = pages.all(coords, "Point")
        return parse_points(" ".join(f"{p.get('x')},{p.get('y')}" for p in corners))
    except ValueError as error:
        owner = f" of {node.name} {node.get('id')}".rstrip()
        raise BadInput(
            path, str(error), place=f"line {coords.line}, {coords.name}{owner}", expected="x,y"
        ) from error


def readable_points(pages: PageTree, node: Node, path: Path) -> Points:
    """The outline as `read_points` gives it; empty where it cannot be read, so that it stays."""
    try:
        return read_points(pages, node, path)
    except BadInput:
        return []


def label_from(
    name: str, attributes: Mapping[str, str], custom: Mapping[str, str], snake: bool
) -> str:
    """Our own value, else the type, else the element's name without "Region" in lower case."""
    if "label" in custom:
        return custom["label"]
    if name == "CustomRegion":
        return attributes.get("type", "")
    for attribute in TYPE_ATTRIBUTES:
        if attributes.get(attribute):
            given = attributes[attribute]
            return type_name(given) if snake else given
    return name.removesuffix("Region").lower()


def text_node(pages: PageTree, node: Node, last: bool = False) -> Node | None:
    """The Unicode element of the TextEquiv that counts, which may be empty.

    It is the one with the lowest index; where none has an index, the first, or the last.
    """
    texts = pages.all(node, "TextEquiv")
    if not texts:
        return None
    numbers = [whole_number(text.get("index")) for text in texts]
    known = [(number, place) for place, number in enumerate(numbers) if number is not None]
    chosen = texts[min(known)[1] if known else -1 if last else 0]
    return pages.child(chosen, "Unicode") or pages.child(chosen, "PlainText")


def outline_value(points: str, shown: str) -> str:
    """Our value of an outline that Coords show otherwise: simple, or in whole px.

    Its first word tells whether Coords are still what was written with it.

    Parameters
    ----------
    points : str
        The outline, as `parse_points` reads it.
    shown : str
        What is in Coords, as `format_points` gives it.
    """
    return f"{crc32(shown.encode()):08x} {points}"


def _whole_outline(pages: PageTree, node: Node, points: Points) -> Points:
    """The outline that we have written beside Coords, if these were not changed since."""
    for value, _ in own_values(pages, node, OUTLINE_ATTRIBUTE, node.get("custom")):
        digest, _, outline = value.partition(" ")
        if digest == f"{crc32(format_points(points).encode()):08x}":
            with suppress(ValueError):
                whole = parse_points(outline)
                return whole if is_outline(whole) else points
    return points


def read_text(pages: PageTree, node: Node) -> str:
    """The transcription: our own value, else that of the TextEquiv."""
    own = user_attributes(pages, node, TEXT_ATTRIBUTE)
    if own:
        return own[0].get("value")
    kept = read_custom(node.get("custom"))
    if "text" in kept:
        return kept["text"]
    unicode = text_node(pages, node)
    return unicode.text if unicode is not None else ""


def read_history(pages: PageTree, node: Node) -> tuple[Contribution, ...]:
    """Tell who drew and changed a region; what is not a contribution is passed over."""
    found = []
    for text, source in own_values(pages, node, HISTORY_ATTRIBUTE, node.get("custom")):
        with suppress(ValueError):
            found.append(Contribution.from_text(text, source))
    return tuple(found)


def read_attributes(pages: PageTree, node: Node) -> Attributes:
    """Attributes of a region: UserAttributes of any program but our own values."""
    found: dict[str, object] = {}
    for value, _ in own_values(pages, node, ATTRIBUTES, node.get("custom")):
        with suppress(ValueError, TypeError):
            found |= {str(name): given for name, given in json.loads(value)}
    defined = pages.child(node, "UserDefined")
    for each in pages.all(defined, "UserAttribute") if defined is not None else ():
        name = each.get("name")
        if name and not name.startswith(OWN_PREFIX):
            found.setdefault(name, _typed(each))
    return Attributes(found)


def _typed(attribute: Node) -> object:
    """The value of a UserAttribute; a text where it is none of its type."""
    text, kind = attribute.get("value"), attribute.get("type")
    if attribute.get("description") == LIST:
        with suppress(ValueError):
            listed = json.loads(text)
            return listed if isinstance(listed, list) else text
    if kind == "xsd:boolean" and text.strip() in ("0", "1"):
        return text.strip() == "1"
    value = parse_value(text, TYPES[kind]) if kind in TYPES else None
    if value is None or text == "":
        return text
    return float(value) if kind == "xsd:float" and isinstance(value, int) else value


def region_ids(pages: PageTree) -> list[str]:
    """The ids of all region elements; those without one, or with another's, get one of their own.

    Such files are not valid, but met with; the same file always gives the same ids.
    """
    given = [node.get("id") for node in pages.region_nodes()]
    taken, seen, ids = set(given), set[str](), []
    for index, wanted in enumerate(given):
        id = wanted
        if not id or id in seen:
            id = f"{id or 'region'}_{index}"
            while id in taken:
                id += "_"
            taken.add(id)
        seen.add(id)
        ids.append(id)
    return ids


_ID = re.compile(rb"""\sid\s*=\s*("[^"]*"|'[^']*')""")


def doubled_ids(source: bytes, path: Path) -> list[Node]:
    """The elements of a PAGE file that have the id of another one, which the schema forbids.

    Regions go before other elements, else the first one in the file is whose id it is.

    Raises
    ------
    BadInput
        It is not PAGE.
    """
    given = _ID.findall(source.replace(b"\0", b""))
    if len(set(given)) == len(given):  # nearly always: nothing has to be parsed
        return []
    pages = read_page_tree(source, path)
    regions = list(pages.region_nodes())
    own = {node.start for node in regions}
    others = [node for node in pages.tree.root.walk() if node.start not in own]
    found, seen = [], set[str]()
    for node in [*regions, *others]:
        id = node.get("id")
        if id and node.namespace == pages.tree.root.namespace:
            if id in seen:
                found.append(node)
            seen.add(id)
    return sorted(found, key=lambda node: node.start)


def read_regions(pages: PageTree, path: Path) -> list[tuple[Region, Node]]:
    """All regions with at least three corners, each with its element."""
    found: list[tuple[Region, Node]] = []
    for id, node in zip(region_ids(pages), pages.region_nodes(), strict=True):
        points = readable_points(pages, node, path)
        if not is_outline(points):
            continue
        custom = read_custom(node.get("custom"))
        points = _whole_outline(pages, node, points)
        found.append(
            (
                Region(
                    tuple(points),
                    label=label_from(pages.name(node), node.attributes, custom, pages.snake),
                    id=id,
                    primitive=_primitive(custom.get("primitive", "")),
                    uncertain=custom.get("uncertain") == "true",
                    comment=node.get("comments") or custom.get("comment", ""),
                    text=read_text(pages, node),
                    ignore=Ignore.read(custom.get("ignore")),
                    history=read_history(pages, node),
                    attributes=read_attributes(pages, node),
                ),
                node,
            )
        )
    return found


WORD_LABEL = "word"
LINE_LABEL = "line"
BLOCK_LABEL = "block"
TEXT_ELEMENTS = {"Word": WORD_LABEL, "TextLine": LINE_LABEL}  # and their labels as regions


def own_word_line(pages: PageTree, node: Node) -> Node | None:
    """The line in the text region of a word, see `words`; None if it is another element."""
    if pages.name(node) != "TextRegion" or read_custom(node.get("custom")).get("label") != (
        WORD_LABEL
    ):
        return None
    lines = pages.all(node, "TextLine")
    return lines[0] if len(lines) == 1 and len(pages.all(lines[0], "Word")) == 1 else None


def _own_words(pages: PageTree) -> dict[int, Node]:
    """The text region of each word that has one of its own, by where the Word begins."""
    return {
        pages.all(line, "Word")[0].start: node
        for node in pages.region_nodes()
        if (line := own_word_line(pages, node)) is not None
    }


def read_text_elements(
    pages: PageTree, path: Path, names: Collection[str], reading: Reading, *, texts_only: bool
) -> list[Region]:
    """Words or lines as regions labelled so; of several texts `text_node` says which counts.

    A word that has a text region of its own has that one's id, primitive and history. One without
    an outline is placed by what is in it, or by its line if it is alone there.

    Parameters
    ----------
    names : collection of str
        Which of `TEXT_ELEMENTS`.
    reading : Reading
        Takes the findings.
    texts_only : bool
        Leave out those without a text.
    """
    found = []
    seen: set[str] = set()
    own = _own_words(pages)
    for index, node in enumerate(pages.page.walk()):
        name = pages.name(node)
        if name not in names:
            continue
        unicode = text_node(pages, node, last=True)
        text = unicode.text.strip() if unicode is not None else ""
        others = [child.text.strip() for each in pages.all(node, "TextEquiv")
                  for child in pages.all(each, "Unicode") if child is not unicode]  # fmt: skip
        if not text and any(others):
            reading.remark(path, f"{name} whose text somebody has emptied", node.place)
        elif any(others):
            reading.pass_over(path, f"further TextEquiv of a {name}", count=len(others))
        if texts_only and not text:
            continue
        points: Points = []
        with reading.item():
            points = _placed_points(pages, node, path, reading)
        if not points:
            continue
        label = TEXT_ELEMENTS[name]
        region = own.get(node.start, node)
        id = region.get("id")
        id = id if id and id not in seen else f"{id or label}_{index}"
        seen.add(id)
        primitive, history = Primitive.POLYGON, tuple[Contribution, ...]()
        if region is not node:
            primitive = _primitive(read_custom(region.get("custom")).get("primitive", ""))
            history = read_history(pages, region)
        found.append(Region(tuple(points), label, id, primitive, text=text, history=history))
    return found


def _placed_points(pages: PageTree, node: Node, path: Path, reading: Reading) -> Points:
    """The outline of a word or line, else the box that its glyphs, words or line say."""
    points = read_points(pages, node, path)
    if is_outline(points):
        return points
    what = f"{node.name} without an outline"
    line = node.parent
    inner = [each for each in node.walk() if each is not node and pages.child(each, "Coords")]
    if not inner and line is not None and len(pages.all(line, "Word")) == 1:
        inner = [line] if pages.name(line) == "TextLine" else []
    corners = [point for each in inner for point in readable_points(pages, each, path)]
    if len(set(corners)) < 2:
        reading.remark(path, what, node.place)
        return []
    reading.remark(path, f"{what}: placed by its glyphs, words or line", node.place)
    xs, ys = zip(*corners, strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    box = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return box if is_outline(box) else []


def _primitive(name: str) -> Primitive:
    # What another program drew is a free polygon: editing must not force it into another form.
    return Primitive(name) if name in Primitive.__members__.values() else Primitive.POLYGON
