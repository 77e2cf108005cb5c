"""Tags and reading order of a page: Labels of PAGE, and values in JSON files of other programs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from spotlab.formats.page.foreign_shapes import Ids
from spotlab.formats.page.read import PageTree, tag_of
from spotlab.formats.page.reading_order import put_in_page
from spotlab.formats.page.version import Version
from spotlab.formats.page.xml_tree import Patch, start_tag
from spotlab.formats.rows.reading import Reading
from spotlab.model import Page
from spotlab.model.reading_order import order_as_json, order_from_json


def page_properties(page: Page) -> dict[str, Any]:
    """Values of a page for a JSON object of our own; what is empty is left out.

    Parameters
    ----------
    page : Page
    """
    order = {} if page.order is None else {"order": order_as_json(page.order)}
    return {**order, "tags": list(page.tags)} if page.tags else order


def with_properties(page: Page, own: dict[str, Any], ids: Ids, path: Path,
                    reading: Reading) -> Page:  # fmt: skip
    """Give a page what `page_properties` wrote.

    Parameters
    ----------
    page : Page
    own : dict
        The object that has the values.
    ids : Ids
        Of the regions of the page.
    path : Path
        The file, for findings.
    reading : Reading
        Takes the finding on an order that makes no sense.
    """
    tags = own.get("tags")
    if isinstance(tags, list):
        page = replace(page, tags=(*page.tags, *(tag for tag in tags if isinstance(tag, str))))
    if "order" not in own:
        return page
    try:
        order = order_from_json(own["order"])
    except ValueError:
        reading.remark(path, "reading order that makes no sense")
        return page
    return replace(page, order=order.mapped(lambda id: (ids.given.get(id, id),)))


_BEFORE = (
    "AlternativeImage", "Border", "PrintSpace", "ReadingOrder", "Layers", "Relations", "TextStyle",
    "UserDefined", "Labels",
)  # fmt: skip


def write_tags(
    pages: PageTree, patch: Patch, version: Version, tags: tuple[str, ...], indent: bytes,
    unit: bytes,
) -> None:  # fmt: skip
    """Give a page these tags; Labels that stay keep every byte.

    Parameters
    ----------
    pages : PageTree
    patch : Patch
    version : Version
        One that has Labels.
    tags : tuple of str
    indent : bytes
        White space in front of a child of Page.
    unit : bytes
        By how much an element is indented more than its parent.
    """
    owners = pages.all(pages.page, "Labels")
    known = set()
    for owner in owners:
        labels = pages.all(owner, "Label")
        gone = [label for label in labels if tag_of(label) not in tags]
        known |= {tag_of(label) for label in labels}
        for node in [owner] if len(gone) == len(labels) > 0 else gone:
            patch.delete_node(node)
    new = [tag for tag in tags if tag not in known]
    if not new:
        return
    page = pages.tree.qualified_name(pages.page)
    prefix = page[: len(page) - len(pages.page.name)].encode()
    inner = indent + unit if indent else b""
    parts = [b"<" + version.name(prefix, "Labels") + b">"]
    for tag in new:
        kind, colon, value = tag.partition(":")
        values = {"value": value, "type": kind} if colon and kind and value else {"value": tag}
        parts += (inner, start_tag(version.name(prefix, "Label"), values, empty=True))
    content = b"".join([*parts, indent, b"</" + version.name(prefix, "Labels") + b">"])
    put_in_page(pages, patch, content, indent, _BEFORE)
