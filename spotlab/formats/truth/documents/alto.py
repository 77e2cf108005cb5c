"""ALTO of any version, in: its words, or the lines or blocks that are asked for.

Positions in tenths of a millimetre or 1/1200 inch become pixels by the size of the image, which has
to be there then; ALTO in pixels needs no image. A word that the end of a line divides is one word
at the place of its first part, with the whole text. A String that has no place is placed by its
glyphs, by its line where it is alone there, or between its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import (
    Corners,
    Ids,
    box_corners,
    ellipse_corners,
    is_outline,
    loose_points,
    make_region,
    number,
    root_name,
)
from spotlab.formats.page.images import image_path, page_size, size_from_image
from spotlab.formats.page.read import BLOCK_LABEL, LINE_LABEL, WORD_LABEL
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import ELEMENTS, Format
from spotlab.geometry.polygon import Frame
from spotlab.model import OrderGroup, Page, Primitive, Region, Truth

_LABELS = {"String": WORD_LABEL, "TextLine": LINE_LABEL, "TextBlock": BLOCK_LABEL}
_LEFT_OUT = ("TextBlock", "TextLine", "Illustration", "GraphicalElement", "ComposedBlock", "Glyph",
             "ALTERNATIVE", "HYP")  # fmt: skip
_SIZE = ("WIDTH", "HEIGHT")
_EDGES = ("HPOS", "VPOS", *_SIZE)
_UNITS = ("pixel", "mm10", "inch1200")
_GROUPS = ("OrderedGroup", "UnorderedGroup")
_HYPHENS = "-\xad\u2010\u00ac="  # that stand for the end of a line within a word

Scale = tuple[float, float]
Box = tuple[float, float, float, float]


def read(path: Path, reading: Reading) -> list[Truth]:
    """The words of every page in the file, labelled "word", with their text.

    Raises
    ------
    BadInput
        It is not ALTO, or it is not in pixels and the image is missing.
    """
    root = read_tree(read_bytes(path), path).root
    if root.name != "alto":
        raise BadInput(path, f"the root is {root.name}", place="line 1", expected="alto")
    unit, filename = "pixel", ""
    for node in root.walk():
        if node.name == "MeasurementUnit":
            unit = node.text.strip() or unit
        elif node.name == "fileName" and not filename:
            filename = node.text.strip()
    if unit not in _UNITS:
        raise BadInput(path, f"MeasurementUnit is {unit[:40]!r}", expected=" or ".join(_UNITS))
    pages = [page for layout in root.all("Layout") for page in layout.all("Page")]
    if not pages:
        raise BadInput(
            path, "the element Page is missing", place=root.place, expected="Layout/Page"
        )
    truths = []
    for index, node in enumerate(reading.track(pages, path)):
        with reading.item():
            width, height, scale = _scale(path, node, unit, filename, reading)
            page = Page(image_path(path, filename), width, height, index, len(pages))
            regions = _regions(path, node, scale, reading)
            order = _order(root, node, {region.id for region in regions})
            truths.append(Truth(replace(page, order=order), regions))
    return truths


def _order(root: Node, page: Node, known: set[str]) -> OrderGroup | None:
    """The first reading order of the file, of these regions or of those in what it names."""
    declared = root.child("ReadingOrder")
    groups = [each for each in declared.children if each.name in _GROUPS] if declared else []
    if not groups:
        return None
    inside = {node.get("ID"): [each.get("ID") for each in node.walk() if each.get("ID") in known]
              for node in page.walk() if node.get("ID")}  # fmt: skip
    return _group(groups[0]).mapped(lambda id: [id] if id in known else inside.get(id, []))


def _group(node: Node) -> OrderGroup:
    items: list[str | OrderGroup] = []
    for each in node.children:
        if each.name in _GROUPS:
            items.append(_group(each))
        elif each.name == "ElementRef":
            items += each.get("REF").split()
    return OrderGroup(tuple(items), node.name == "OrderedGroup", node.get("ID"))


def _scale(
    path: Path, page: Node, unit: str, filename: str, reading: Reading
) -> tuple[int, int, Scale]:
    """Size of the page in px, and px per unit."""
    given = page.get("WIDTH"), page.get("HEIGHT")
    if unit == "pixel":
        return *page_size(path, filename, given, page.place, reading, names=_SIZE), (1.0, 1.0)
    across, down = (number(page.get(name), path, page, name) for name in _SIZE)
    if min(across, down) <= 0:
        problem = f"positions are in {unit} and the page is {across:g} × {down:g}"
        raise BadInput(path, problem, place=page.place, expected="WIDTH and HEIGHT above 0")
    width, height = size_from_image(path, filename, page.place, f"positions are in {unit}", reading)
    return width, height, (width / across, height / down)


def _regions(path: Path, page: Node, scale: Scale, reading: Reading) -> tuple[Region, ...]:
    wanted = {"TextBlock": reading.blocks, "TextLine": reading.lines}
    wanted["String"] = reading.words or not any(wanted.values())
    texts = _word_texts(path, page, reading) if wanted["String"] else {}
    ids = Ids()
    regions = []
    for node in page.walk():
        if not wanted.get(node.name):
            if node.name in _LEFT_OUT:
                reading.pass_over(path, node.name)
            continue
        text = texts.get(node.start) if node.name == "String" else _inner_text(node)
        if text is None:  # the second part of a divided word
            continue
        if not text and (node.name == "String" or reading.texts_only):
            reading.remark(path, f"{node.name} without CONTENT", node.place)
            continue
        with reading.item():
            regions.append(_region(path, node, scale, ids, text, reading))
    return tuple(regions)


def _word_texts(path: Path, page: Node, reading: Reading) -> Mapping[int, str]:
    """The text of each String by where it starts; none of the second parts of divided words."""
    texts: dict[int, str] = {}
    first: Node | None = None
    for node in (node for node in page.walk() if node.name == "String"):
        text, whole = node.get("CONTENT").strip(), node.get("SUBS_CONTENT").strip()
        kind = node.get("SUBS_TYPE")
        if kind == "HypPart2" and first is not None:
            if not first.get("SUBS_CONTENT").strip():
                texts[first.start] = whole or texts[first.start].rstrip(_HYPHENS) + text
            what = "second part of a divided word, whose first part has the whole text"
            reading.remark(path, what, node.place)
            first = None
            continue
        first = node if kind == "HypPart1" else None
        texts[node.start] = (whole or text) if first is not None else text
        if whole and whole != text and first is None:
            what = f"SUBS_CONTENT of {kind or 'a String'}, which differs from its CONTENT"
            reading.remark(path, what, node.place)
    return texts


def _inner_text(node: Node) -> str:
    """The text of a line or block as it is written."""
    strings = (inner.get("CONTENT").strip() for inner in node.walk() if inner.name == "String")
    return " ".join(text for text in strings if text)


def _region(path: Path, node: Node, scale: Scale, ids: Ids, text: str, reading: Reading) -> Region:
    points, primitive = _outline(path, node, reading)
    scaled = [(x * scale[0], y * scale[1]) for x, y in points]
    label = _LABELS[node.name]
    return make_region(scaled, path, node.place, label=label, id=ids.take(node.get("ID") or label),
                       primitive=primitive, text=text)  # fmt: skip


def _outline(path: Path, node: Node, reading: Reading) -> tuple[Corners, Primitive]:
    """The outline of an element: its own Shape or box, else what its surroundings say."""
    own = _own_outline(path, node, reading)
    if own is not None:
        return own
    for find, what in _SURROUNDINGS.items():
        points = find(path, node, reading)
        if points is not None:
            reading.remark(path, f"{node.name} without a place: placed by {what}", node.place)
            return points, Primitive.BOX
    raise BadInput(path, "HPOS is missing", place=node.place, expected="HPOS, VPOS, WIDTH, HEIGHT")


def _own_outline(path: Path, node: Node, reading: Reading) -> tuple[Corners, Primitive] | None:
    """The outline of a Shape, or the box; None where there is neither."""
    has_box = any(node.get(name) for name in _EDGES)
    try:
        found = _shape(path, node)
    except BadInput:
        if reading.strict or not has_box:
            raise
        reading.remark(path, "Shape that cannot be read: the box is taken", node.place)
        found = None
    if found is not None and is_outline(found[0]):
        return found
    if not has_box:
        return None
    left, top, width, height = (number(node.get(name), path, node, name) for name in _EDGES)
    return box_corners(left, top, left + width, top + height), Primitive.BOX


def _shape(path: Path, node: Node) -> tuple[Corners, Primitive] | None:
    """The corners of its Shape: a Polygon, ``x,y x,y`` or ``x y x y``, an Ellipse or a Circle."""
    shape = node.child("Shape")
    for inner in shape.children if shape is not None else ():
        if inner.name == "Polygon":
            return loose_points(inner, "POINTS", path), Primitive.POLYGON
        if inner.name in ("Ellipse", "Circle"):
            x, y = (number(inner.get(name), path, inner, name) for name in ("HPOS", "VPOS"))
            names = ("RADIUS",) * 2 if inner.name == "Circle" else ("HLENGTH", "VLENGTH")
            across, down = (number(inner.get(name), path, inner, name) for name in names)
            factor = 2 if inner.name == "Circle" else 1  # HLENGTH is the whole width
            turn = -number(inner.get("ROTATION") or "0", path, inner, "ROTATION")
            frame = Frame(x, y, factor * across, factor * down, turn)
            return ellipse_corners(frame), Primitive.ELLIPSE
    return None


def _box_of(path: Path, node: Node, reading: Reading) -> Box | None:
    """The box around an element's own outline; None where it has none that can be read."""
    try:
        found = _own_outline(path, node, reading.apart())
    except BadInput:
        return None
    if found is None:
        return None
    xs, ys = zip(*found[0], strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _from_inside(path: Path, node: Node, reading: Reading) -> Corners | None:
    boxes = [_box_of(path, inner, reading) for inner in node.walk() if inner is not node]
    known = [box for box in boxes if box is not None]
    if not known:
        return None
    lefts, tops, rights, bottoms = zip(*known, strict=True)
    return box_corners(min(lefts), min(tops), max(rights), max(bottoms))


def _from_line(path: Path, node: Node, reading: Reading) -> Corners | None:
    line = node.parent
    if line is None or line.name != "TextLine" or len(line.all("String")) != 1:
        return None
    box = _box_of(path, line, reading)
    return None if box is None else box_corners(*box)


def _from_neighbours(path: Path, node: Node, reading: Reading) -> Corners | None:
    """The room between the words before and after it, shared with others without a place."""
    line = node.parent
    if line is None or line.name != "TextLine":
        return None
    strings = line.all("String")
    boxes = [_box_of(path, each, reading) for each in strings]
    at = next(index for index, each in enumerate(strings) if each is node)
    around = _box_of(path, line, reading)
    before = next((index for index in range(at, -1, -1) if boxes[index]), -1)
    after = next((index for index in range(at, len(boxes)) if boxes[index]), len(boxes))
    first = boxes[before] if before >= 0 else None
    last = boxes[after] if after < len(boxes) else None
    if not (first or around) or not (last or around) or not (first or last):
        return None
    start = first[2] if first else around[0] if around else 0.0
    stop = last[0] if last else around[2] if around else 0.0
    step = (stop - start) / (after - before - 1)
    if step <= 0:
        return None
    known = [box for box in (first, last) if box is not None]
    left = start + (at - before - 1) * step
    return box_corners(left, min(box[1] for box in known), left + step,
                       max(box[3] for box in known))  # fmt: skip


_SURROUNDINGS: Mapping[Callable[[Path, Node, Reading], Corners | None], str] = {
    _from_inside: "what is in it",
    _from_line: "its line",
    _from_neighbours: "its neighbours",
}


def _sniff(path: Path, head: bytes) -> bool:
    return root_name(head) == "alto"


FORMAT = Format("alto", "ALTO", (".xml", ".alto"), _sniff, read, elements=ELEMENTS)
