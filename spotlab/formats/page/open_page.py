"""A PAGE file opened for merging: parsed once, however often it is saved into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from spotlab import __version__
from spotlab.formats.page.read import PageTree, read_page_tree, read_regions
from spotlab.formats.page.xml_patch import Patch, escape_text
from spotlab.formats.page.xml_tree import Node
from spotlab.model import Region


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
