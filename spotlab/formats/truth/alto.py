"""ALTO of any version: its words, in.

Positions in tenths of a millimetre or 1/1200 inch become pixels by the size of the image, which has
to be there then; ALTO in pixels needs no image.
"""

from __future__ import annotations

from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import (
    Ids,
    box_points,
    is_outline,
    loose_points,
    make_region,
    number,
    root_name,
)
from spotlab.formats.page.images import image_path
from spotlab.formats.page.page_size import page_size, size_from_image
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format
from spotlab.model import Page, Primitive, Region, Truth

_LEFT_OUT = ("TextBlock", "TextLine", "Illustration", "GraphicalElement", "ComposedBlock", "Glyph")
_SIZE = ("WIDTH", "HEIGHT")
_UNITS = ("pixel", "mm10", "inch1200")


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
        width, height, x_scale, y_scale = _scale(path, node, unit, filename)
        image = image_path(path, filename)
        page = Page(image, width, height, frame=index, frames=len(pages))
        truths.append(Truth(page, _words(path, node, (x_scale, y_scale), reading)))
    for node in root.walk():
        if node.name in _LEFT_OUT:
            reading.pass_over(path, node.name)
    return truths


def _scale(path: Path, page: Node, unit: str, filename: str) -> tuple[int, int, float, float]:
    """Size of the page in px, and px per unit."""
    given = page.get("WIDTH"), page.get("HEIGHT")
    if unit == "pixel":
        return *page_size(path, filename, given, page.place, names=_SIZE), 1.0, 1.0
    across, down = (number(page.get(name), path, page, name) for name in _SIZE)
    if min(across, down) <= 0:
        problem = f"positions are in {unit} and the page is {across:g} × {down:g}"
        raise BadInput(path, problem, place=page.place, expected="WIDTH and HEIGHT above 0")
    width, height = size_from_image(path, filename, page.place, f"positions are in {unit}")
    return width, height, width / across, height / down


def _words(
    path: Path, page: Node, scale: tuple[float, float], reading: Reading
) -> tuple[Region, ...]:
    words = []
    ids = Ids()
    for node in page.walk():
        if node.name != "String":
            continue
        if not node.get("CONTENT").strip():
            reading.remark(path, "String without CONTENT")
            continue
        with reading.item():
            words.append(_word(path, node, scale, ids))
    return tuple(words)


def _word(path: Path, node: Node, scale: tuple[float, float], ids: Ids) -> Region:
    points = _polygon(path, node)
    primitive = Primitive.POLYGON
    if not is_outline(points):
        left, top, width, height = (
            number(node.get(name), path, node, name) for name in ("HPOS", "VPOS", "WIDTH", "HEIGHT")
        )
        points = box_points(left, top, left + width, top + height)
        primitive = Primitive.BOX
    scaled = [(x * scale[0], y * scale[1]) for x, y in points]
    return make_region(
        scaled, path, node.place, label="word", id=ids.take(node.get("ID") or "word"),
        primitive=primitive, text=node.get("CONTENT").strip(),
    )  # fmt: skip


def _polygon(path: Path, node: Node) -> list[tuple[float, float]]:
    """The points of its Shape, ``x,y x,y`` or ``x y x y``; none if there is none."""
    shape = node.child("Shape")
    polygon = shape.child("Polygon") if shape is not None else None
    return [] if polygon is None else loose_points(polygon, "POINTS", path)


def _sniff(path: Path, head: bytes) -> bool:
    return root_name(head) == "alto"


FORMAT = Format("alto", "ALTO words", (".xml", ".alto"), _sniff, read)
