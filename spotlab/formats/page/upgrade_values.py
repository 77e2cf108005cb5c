"""Attributes, values and the order of elements where PAGE 2019 differs from what came before."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from spotlab.formats.page.names import type_name, value_name

Element = Any
_SCRIPTS = {
    "Arabic": "Arab - Arabic",
    "Bengali": "Beng - Bengali",
    "Chinese-simplified": "Hans - Han (Simplified variant)",
    "Chinese-traditional": "Hant - Han (Traditional variant)",
    "Cyrillic": "Cyrl - Cyrillic",
    "Devangari": "Deva - Devanagari (Nagari)",
    "Ethiopic": "Ethi - Ethiopic",
    "Greek": "Grek - Greek",
    "Gujarati": "Gujr - Gujarati",
    "Gurmukhi": "Guru - Gurmukhi",
    "Hebrew": "Hebr - Hebrew",
    "Latin": "Latn - Latin",
    "Thai": "Thai - Thai",
}
_SNAKE_PREFIX = re.compile(r"^(txt|img|drwg|gfx|tbl|chart|sep|maths|image)_")
_SNAKE_COLOUR = {"TextRegion": "textColour", "LineDrawingRegion": "penColour",
                 "TableRegion": "lineColour"}  # fmt: skip
_COLOUR_DEPTH = {"black-and-white": "bilevel", "4-bit-greyscale": "greyscale",
                 "8-bit-greyscale": "greyscale"}  # fmt: skip
_STYLE = ("textColour", "bgColour", "reverseVideo", "fontSize", "kerning")
_REGION = {"id", "custom", "comments", "continuation"}
_ALLOWED = {
    "TextRegion": {
        "orientation", "type", "leading", "readingDirection", "textLineOrder", "readingOrientation",
        "indented", "align", "primaryLanguage", "secondaryLanguage", "primaryScript",
        "secondaryScript", "production",
    },
    "ImageRegion": {"orientation", "colourDepth", "bgColour", "embText"},
    "LineDrawingRegion": {"orientation", "penColour", "bgColour", "embText"},
    "GraphicRegion": {"orientation", "type", "numColours", "embText"},
    "TableRegion": {"orientation", "rows", "columns", "lineColour", "bgColour", "lineSeparators",
                    "embText"},
    "ChartRegion": {"orientation", "type", "numColours", "bgColour", "embText"},
    "SeparatorRegion": {"orientation", "colour"},
    "MathsRegion": {"orientation", "bgColour"},
    "ChemRegion": {"orientation", "bgColour"},
    "MusicRegion": {"orientation", "bgColour"},
    "AdvertRegion": {"orientation", "bgColour"},
    "MapRegion": {"orientation"},
    "NoiseRegion": set(),
    "UnknownRegion": set(),
    "CustomRegion": {"type"},
}  # fmt: skip
_WHOLE_NUMBERS = ("leading", "numColours", "rows", "columns", "imageWidth", "imageHeight")


def rename_attributes(node: Element, name: str) -> None:
    """Attributes of the snake_case layout under the names and with the values of PAGE."""
    renamed: dict[str, str] = {}
    for key, value in node.attrib.items():
        if key.startswith("{"):
            renamed[key] = value
            continue
        new = _attribute_name(key, name)
        if new in renamed or not new.isidentifier():
            new = key  # not of the old layout: kept as it is
        renamed[new] = _attribute_value(new, value)
    node.attrib.clear()
    node.attrib.update(renamed)


def _attribute_name(key: str, element: str) -> str:
    if element == "Page" and key.startswith("image_"):
        return "image" + key[len("image_") :].capitalize()
    stem = _SNAKE_PREFIX.sub("", key)
    if stem == key and "_" not in key:
        return key
    if stem == "colour":
        return _SNAKE_COLOUR.get(element, "colour")
    if stem == "colour_type":
        return "colourDepth"
    if stem in ("bgcolour", "bg_colour"):
        return "bgColour"
    first, *others = stem.split("_")
    return first + "".join(word.capitalize() for word in others)


def _attribute_value(name: str, value: str) -> str:
    if value in ("Yes", "No"):
        return "true" if value == "Yes" else "false"
    if name == "type":
        return type_name(value)
    if name == "colourDepth":
        return _COLOUR_DEPTH.get(value_name(value), "colour")
    if name.endswith("Colour") or name in ("colour", "readingDirection"):
        return value_name(value)
    if name in _WHOLE_NUMBERS and re.fullmatch(r"\s*\d+\.\d*\s*", value):
        return str(round(float(value)))
    return value


def correct_scripts(node: Element) -> None:
    """Scripts are spelled with their ISO 15924 code since 2013."""
    for key in ("primaryScript", "secondaryScript", "script"):
        if node.get(key) in _SCRIPTS:
            node.set(key, _SCRIPTS[node.get(key)])


def move_style(region: Element, namespace: str) -> None:
    """A text region's colours and sizes belong to its TextStyle since 2013."""
    moved = {key: region.attrib.pop(key) for key in _STYLE if key in region.attrib}
    if not moved:
        return
    style = region.find(f"{{{namespace}}}TextStyle")
    if style is None:
        style = etree.SubElement(region, f"{{{namespace}}}TextStyle")
    for key, value in moved.items():
        style.set(key, style.get(key, value))


def keep_unknown_attributes(region: Element, name: str, namespace: str) -> None:
    """What a region may not carry any more becomes a UserAttribute of the same name."""
    allowed = _ALLOWED.get(name)
    if allowed is None:
        return
    unknown = [
        key for key in region.attrib
        if not key.startswith("{") and key not in allowed and key not in _REGION
    ]  # fmt: skip
    if not unknown:
        return
    defined = region.find(f"{{{namespace}}}UserDefined")
    if defined is None:
        defined = etree.SubElement(region, f"{{{namespace}}}UserDefined")
    for key in unknown:
        attributes = {"name": key, "value": region.attrib.pop(key)}
        etree.SubElement(defined, f"{{{namespace}}}UserAttribute", attributes)


def order_children(node: Element) -> None:
    """Put the children into the order of the schema; unknown ones stay behind their neighbour."""
    in_region = str(etree.QName(node).localname).endswith("Region")
    ranks: list[int] = []
    for child in node:
        name = str(etree.QName(child).localname) if isinstance(child.tag, str) else ""
        ranks.append(_rank(name, in_region, ranks[-1] if ranks else 0))
    if ranks == sorted(ranks):
        return
    children = list(node)
    for index in sorted(range(len(children)), key=lambda index: ranks[index]):
        node.append(children[index])


def _rank(name: str, in_region: bool, before: int) -> int:
    if name.endswith("Region"):
        return 5
    late = {"UserDefined": 2, "Labels": 3} if in_region else {"UserDefined": 9, "Labels": 10}
    ranks = {"AlternativeImage": 0, "Coords": 1, "Baseline": 2, "Roles": 4, "Grid": 6,
             "TextLine": 6, "Word": 6, "Glyph": 6, "Graphemes": 6, "TextEquiv": 7,
             "TextStyle": 8}  # fmt: skip
    return {**ranks, **late}.get(name, before)
