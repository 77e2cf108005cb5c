"""hOCR, in: the words of every page, its lines where it has no words, or what is asked for.

hOCR is HTML whose elements say by their class what they are and by their ``title`` where: a page
has ``image "a.png"; bbox 0 0 2488 3507``, a word ``bbox 470 530 499 580``. It need not be
well-formed XML. Of alternatives the first one is the text.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import (
    Corners,
    Ids,
    box_corners,
    is_outline,
    make_region,
    number,
)
from spotlab.formats.page.images import image_path, page_size
from spotlab.formats.page.read import BLOCK_LABEL, LINE_LABEL, WORD_LABEL
from spotlab.formats.page.xml_tree import MAXIMUM_DEPTH, Node
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import ELEMENTS, Format
from spotlab.model import Page, Primitive, Region, Truth

_VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
         "track", "wbr")  # fmt: skip
_WORDS, _LINES = ("ocrx_word", "ocr_word"), ("ocr_line", "ocrx_line")
_BLOCKS = ("ocr_carea", "ocrx_block")
_BBOX_EDGES = ("right of bbox", "bottom of bbox")
_ENCODING = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([A-Za-z0-9._-]+)""")
_PROPERTY = re.compile(r"""\s*([A-Za-z_]\w*)\s*((?:"[^"]*"|'[^']*'|[^;"'])*)""")


def read(path: Path, reading: Reading) -> list[Truth]:
    """The words of every page, labelled "word", or its lines, labelled "line", with their texts.

    Raises
    ------
    BadInput
        It is not hOCR.
    """
    pages = _pages(path)
    images = [_property(page, "image").strip("\"'") for page in pages]
    truths = []
    for index, node in enumerate(reading.track(pages, path)):
        with reading.item():
            width, height = _size(node, path, images[index], reading)
            same = [place for place, image in enumerate(images) if image == images[index]]
            image = image_path(path, images[index])
            page = Page(image, width, height, same.index(index), len(same))
            truths.append(Truth(page, _regions(node, path, reading)))
    return truths


def _pages(path: Path) -> list[Node]:
    source = read_bytes(path)
    declared = _ENCODING.search(source[:2048])
    try:
        text = source.decode(declared[1].decode() if declared else "utf-8", "replace")
    except LookupError as error:
        assert declared is not None
        problem = f"the encoding {declared[1].decode()!r} is not known"
        raise BadInput(path, problem, expected="UTF-8") from error
    builder = _HtmlBuilder(path)
    builder.feed(text)
    builder.close()
    pages = [node for node in builder.root.walk() if "ocr_page" in node.get("class").split()]
    if not pages:
        raise BadInput(path, "there is no element of the class ocr_page", expected="hOCR")
    return pages


class _HtmlBuilder(HTMLParser):
    """Makes a tree of HTML, also where elements are not closed."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.path = path
        self.root = Node("", {}, None, 1, 0)
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        parent = self.open[-1]
        node = Node(tag, values, parent, self.getpos()[0], 0)
        parent.children.append(node)
        parent.add_text(f"\0{len(parent.children) - 1}\0")  # where the child stands in the text
        if tag not in _VOID:
            self.open.append(node)
        if len(self.open) > MAXIMUM_DEPTH:
            problem = f"elements are nested deeper than {MAXIMUM_DEPTH}"
            raise BadInput(self.path, problem, place=f"line {node.line}", expected="hOCR")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        places = [place for place, node in enumerate(self.open) if node.name == tag]
        if places:
            del self.open[places[-1] :]

    def handle_data(self, data: str) -> None:
        self.open[-1].add_text(data.replace("\0", ""))


def _property(node: Node, name: str) -> str:
    """A property of the title: what follows its name, up to the next semicolon."""
    for found in _PROPERTY.finditer(node.get("title")):
        if found[1] == name:
            return found[2].strip()
    return ""


def _taken(page: Node, reading: Reading) -> dict[str, str]:
    """The classes of the elements that become regions: words, or lines where there are none."""
    wanted = {_WORDS: reading.words, _LINES: reading.lines, _BLOCKS: reading.blocks}
    if not any(wanted.values()):
        classes = {name for node in page.walk() for name in node.get("class").split()}
        wanted[_LINES if classes.isdisjoint(_WORDS) else _WORDS] = True
    labels = {_WORDS: WORD_LABEL, _LINES: LINE_LABEL, _BLOCKS: BLOCK_LABEL}
    return {name: labels[names] for names, is_wanted in wanted.items() if is_wanted
            for name in names}  # fmt: skip


def _text(node: Node) -> str:
    """The text in it and in all elements in it, without lists of alternatives."""
    pieces = re.split(r"\0(\d+)\0", node.text)  # texts and numbers of children in turn
    texts = [
        piece if place % 2 == 0 else _inner_text(node.children[int(piece)])
        for place, piece in enumerate(pieces)
    ]
    return " ".join("".join(texts).split())


def _inner_text(node: Node) -> str:
    if "alternatives" in node.get("class").split() and node.children:
        return _text(node.children[0])
    is_alternative = node.get("id").startswith("lstm_choices") or _property(node, "x_confs")
    if "ocrx_cinfo" in node.get("class").split() and is_alternative:
        return ""
    return _text(node)


def _size(page: Node, path: Path, image: str, reading: Reading) -> tuple[int, int]:
    words = [*_property(page, "bbox").split(), "", "", "", ""]
    return page_size(path, image, (words[2], words[3]), page.place, reading, names=_BBOX_EDGES)


def _box(node: Node, path: Path, name: str = "bbox") -> tuple[float, float, float, float]:
    words = _property(node, name).split()
    if len(words) != 4:
        raise BadInput(path, f"the {name} has {len(words)} numbers", place=node.place,
                       expected="bbox left top right bottom")  # fmt: skip
    left, top, right, bottom = (number(word, path, node, name) for word in words)
    return left, top, right, bottom


def _inner_box(node: Node, path: Path) -> tuple[float, float, float, float] | None:
    """The box around all elements in one that has no box of its own; None without any."""
    boxes = [
        _box(inner, path, name)
        for inner in node.walk() for name in ("bbox", "x_bboxes")
        if inner is not node and _property(inner, name)
    ]  # fmt: skip
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _regions(page: Node, path: Path, reading: Reading) -> tuple[Region, ...]:
    taken = _taken(page, reading)
    ids = Ids()
    regions = []
    for node in page.walk():
        for name in node.get("class").split():
            if not name.startswith(("ocr_", "ocrx_")) or name == "ocr_page":
                continue
            if name not in taken:
                reading.pass_over(path, name)
            elif not (text := _text(node)):
                reading.remark(path, f"{name} without a text", node.place)
            else:
                with reading.item():
                    regions.append(_region(node, path, text, ids, taken[name], reading))
    return tuple(regions)


def _region(node: Node, path: Path, text: str, ids: Ids, label: str, reading: Reading) -> Region:
    points, primitive = _polygon(node, path, reading), Primitive.POLYGON
    if not is_outline(points):
        box = None if _property(node, "bbox") else _inner_box(node, path)
        if box is not None:
            what = f"{label} without a bbox: placed by what is in it"
            reading.remark(path, what, node.place)
        points, primitive = box_corners(*(box or _box(node, path))), Primitive.BOX
    return make_region(points, path, node.place, label=label, id=ids.take(node.get("id") or label),
                       primitive=primitive, text=text)  # fmt: skip


def _polygon(node: Node, path: Path, reading: Reading) -> Corners:
    """The corners of ``poly``; none where there is none, or where a bbox stands for a bad one."""
    words = _property(node, "poly").split()
    try:
        values = [number(word, path, node, "poly") for word in words]
        if words and (len(words) < 6 or len(words) % 2):
            raise BadInput(path, f"the poly has {len(words)} numbers", place=node.place,
                           expected="x y of three corners or more")  # fmt: skip
    except BadInput:
        if reading.strict or not _property(node, "bbox"):
            raise
        reading.remark(path, "poly that cannot be read: the bbox is taken", node.place)
        return []
    return list(zip(values[::2], values[1::2], strict=True))


def _sniff(path: Path, head: bytes) -> bool:
    return b"<" in head and (b"ocr_page" in head or b"ocr-system" in head)


FORMAT = Format(
    "hocr", "hOCR", (".hocr", ".html", ".htm"), _sniff, read, many_pages=True,
    elements=ELEMENTS,
)  # fmt: skip
