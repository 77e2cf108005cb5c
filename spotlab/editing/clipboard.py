"""Copied regions: a value, and the text of it that other windows can paste."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from spotlab.editing.operations import bounds_of, move_all
from spotlab.editing.operations.outline import named
from spotlab.errors import SpotlabError
from spotlab.formats.rows.json_values import parse_json
from spotlab.model import Attributes, Ignore, Page, Primitive, Region, new_id

KIND = "spotlab regions"
VERSION = 1


@dataclass(frozen=True)
class Clipboard:
    """Copied regions and the size in px of the page that they come from.

    Examples
    --------
    >>> from pathlib import Path
    >>> page = Page(Path("one.png"), 100, 100)
    >>> copied = Clipboard.of([Region(((0, 0), (4, 0), (4, 4)), "sofa")], page)
    >>> pasted = Clipboard.from_text(copied.text()).paste(page)[0]
    >>> pasted.label, pasted.points == copied.regions[0].points, pasted.id == copied.regions[0].id
    ('sofa', True, False)
    """

    regions: tuple[Region, ...]
    page_size: tuple[int, int]

    @classmethod
    def of(cls, regions: Iterable[Region], page: Page) -> Clipboard:
        """Copy regions of a page.

        Raises
        ------
        SpotlabError
            There are none.
        """
        copied = tuple(regions)
        if not copied:
            raise SpotlabError("There is nothing to copy: select a region first")
        return cls(copied, (page.width, page.height))

    def paste(self, page: Page, step: tuple[float, float] = (0, 0)) -> list[Region]:
        """The regions with ids of their own, at the place where they were copied, plus a step.

        Sizes in px are kept, as pages of one collection mostly have one scale. On a smaller page
        all are moved together as little as puts them on it; where they are too far apart for that,
        each by itself.

        Parameters
        ----------
        page : Page
            Where they go.
        step : (dx, dy), optional
            In px; to see copies on the page that they come from.

        Raises
        ------
        SpotlabError
            One of them is larger than the page; none is pasted.
        """
        for region in self.regions:
            left, top, right, bottom = region.bounds
            if right - left > page.width or bottom - top > page.height:
                raise SpotlabError(
                    f"{named(region).capitalize()} of {right - left:g} × {bottom - top:g} px is "
                    f"larger than this page of {page.width} × {page.height} px; nothing was pasted"
                )
        left, top, right, bottom = bounds_of(self.regions)
        if right - left <= page.width and bottom - top <= page.height:
            placed = move_all(self.regions, *step, page)
        else:
            placed = [move_all([region], *step, page)[0] for region in self.regions]
        return [replace(region, id=new_id(), history=()) for region in placed]

    def text(self) -> str:
        """JSON for the system's clipboard."""
        regions = [
            {
                "points": region.points,
                "label": region.label,
                "primitive": region.primitive,
                "uncertain": region.uncertain,
                "comment": region.comment,
                "text": region.text,
                "ignore": region.ignore,
                "attributes": region.attributes,
            }
            for region in self.regions
        ]
        content = {"kind": KIND, "version": VERSION, "page": self.page_size, "regions": regions}
        return json.dumps(content, ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str) -> Clipboard:
        """Read what `text` wrote, in this or another window.

        Raises
        ------
        SpotlabError
            The text is something else, or of a newer version.
        """
        try:
            content = parse_json(text)
        except ValueError:
            content = None
        if not isinstance(content, dict) or content.get("kind") != KIND:
            raise SpotlabError("The clipboard holds no regions")
        if content.get("version") != VERSION:
            raise SpotlabError("The regions in the clipboard are from another version of spotlab")
        try:
            width, height = content["page"]
            regions = tuple(_region(value) for value in content["regions"])
            size = int(width), int(height)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise SpotlabError("The regions in the clipboard are damaged") from error
        if not regions:
            raise SpotlabError("The clipboard holds no regions")
        return cls(regions, size)


def _region(value: dict[str, Any]) -> Region:
    return Region(
        tuple((float(x), float(y)) for x, y in value["points"]),
        label=str(value["label"]),
        primitive=Primitive(value["primitive"]),
        uncertain=bool(value["uncertain"]),
        comment=str(value["comment"]),
        text=str(value["text"]),
        ignore=Ignore(value.get("ignore", Ignore.NO)),  # earlier versions have none
        attributes=Attributes((str(name), it) for name, it in value.get("attributes", ())),
    )
