"""Reading order and tags of a page that JSON files of other programs keep beside its image."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from spotlab.formats.page.foreign_shapes import Ids
from spotlab.formats.rows.reading import Reading
from spotlab.model import Page
from spotlab.model.reading_order import order_as_json, order_from_json


def page_properties(page: Page) -> dict[str, Any]:
    """Values of a page for a JSON object of our own; what is empty is left out.

    Parameters
    ----------
    page : Page
    """
    return {} if page.order is None else {"order": order_as_json(page.order)}


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
    if "order" not in own:
        return page
    try:
        order = order_from_json(own["order"])
    except ValueError:
        reading.remark(path, "reading order that makes no sense")
        return page
    return replace(page, order=order.mapped(lambda id: (ids.given.get(id, id),)))
