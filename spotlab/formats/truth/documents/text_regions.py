"""Regions of files that list words or lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spotlab.formats.page.foreign_shapes import Corners, Ids, make_region, outline_kind
from spotlab.formats.page.read import WORD_LABEL
from spotlab.formats.page.values import LARGEST
from spotlab.model import Ignore, Primitive, Region

IGNORED = ("###", "*")  # texts of what nobody could read


def text_region(
    points: Sequence[tuple[float, float]],
    path: Path,
    place: str,
    ids: Ids,
    *,
    text: str,
    label: str = WORD_LABEL,
    id: str = "",
    ignored: bool = False,
    uncertain: bool = False,
    literal: bool = False,
) -> Region:
    """Return a word or a line; one whose text says that nobody could read it is ignored.

    With ``literal``, no text says so.
    """
    corners: Corners = list(points)
    is_finite = all(abs(value) <= LARGEST for point in corners for value in point)
    kind = outline_kind(corners) if is_finite else Primitive.POLYGON
    unread = not literal and text.strip() in IGNORED
    return make_region(
        corners, path, place, label=label, id=ids.take(id or label),
        primitive=kind, uncertain=uncertain,
        text="" if unread else text, ignore=Ignore.SYMBOL if unread or ignored else Ignore.NO,
    )  # fmt: skip
