"""What PAGE's versions call things: namespaces, and the snake_case names of before 2010."""

from __future__ import annotations

import re

BASE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/"
CURRENT = BASE + "2019-07-15"
OLDER = tuple(
    BASE + version
    for version in (
        "2009-03-16", "2010-01-12", "2010-03-19", "2013-07-15", "2016-07-15", "2017-07-15",
        "2018-07-15",
    )
)  # fmt: skip
_OF_THEIR_OWN = {
    "pcGts": "PcGts",
    "pcMetadata": "Metadata",
    "pcCreator": "Creator",
    "pcCreated": "Created",
    "pcLastChange": "LastChange",
    "pcComments": "Comments",
}
_TYPES = {  # as in the converter AletheiaToPAGE.xsl of the PAGE repository
    "sub-heading": "heading",
    "sentence": "floating",
    "quote": "floating",
}
TYPE_ATTRIBUTES = ("type", "txt_type", "gfx_type", "chart_type")


def element_name(name: str, snake: bool) -> str:
    """The element's name in PAGE 2019.

    Examples
    --------
    >>> element_name("text_region", True), element_name("TextRegion", False)
    ('TextRegion', 'TextRegion')
    """
    if not snake:
        return name
    if name in _OF_THEIR_OWN:
        return _OF_THEIR_OWN[name]
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def value_name(value: str) -> str:
    """An enumerated value as PAGE spells it: ``Page_Number`` is ``page-number``."""
    return re.sub(r"[_\s]+", "-", value.strip()).lower()


def type_name(value: str) -> str:
    """A region type of the snake_case layout in PAGE's words.

    Examples
    --------
    >>> type_name("Page_Number"), type_name("Sentence")
    ('page-number', 'floating')
    """
    name = value_name(value)
    return _TYPES.get(name, name)


def needs_upgrade(namespace: str, root_name: str) -> bool:
    """Whether a file is of a version before 2019; unknown, later ones are left as they are."""
    return root_name == "pcGts" or not namespace or namespace in OLDER
