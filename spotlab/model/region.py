"""A region: a truth polygon with a label."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from spotlab.geometry import polygon
from spotlab.geometry.polygon import Points
from spotlab.representation import short_repr


class Primitive(StrEnum):
    """What kind of outline a region has, which says how it behaves when it is edited."""

    HULL = "hull"  # convex, and stays convex
    POLYGON = "polygon"  # free
    BOX = "box"  # four right angles
    ELLIPSE = "ellipse"
    ISOTHETIC = "isothetic"  # edges along x and y only
    TRACE = "trace"  # the exact outline of ink
    CELLS = "cells"  # quad-tree cells


def new_id() -> str:
    """A region id that no other region has, valid as an XML id."""
    return f"r{uuid.uuid4().hex[:12]}"


@dataclass(frozen=True)
class Region:
    """One truth region.

    Attributes
    ----------
    points : tuple of (x, y)
        Open ring in px, origin top left; at least three points. By the even-odd rule, so an outline
        with holes is one ring whose parts are joined by edges that run there and back.
    label : str
        Its class; empty while it has none.
    id : str
        Unique on its page, valid as an XML id.
    primitive : Primitive
        Which kind of outline.
    uncertain : bool
        The annotator is not sure.
    comment, text : str
        A remark; a transcription.
    """

    points: tuple[tuple[float, float], ...]
    label: str = ""
    id: str = field(default_factory=new_id)
    primitive: Primitive = Primitive.HULL
    uncertain: bool = False
    comment: str = ""
    text: str = ""

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if not isinstance(self.primitive, Primitive):
            raise TypeError(f"a region's primitive is a Primitive, not {self.primitive!r}")
        array = polygon.as_points(self.points)
        if len(array) < 3:
            raise ValueError(f"a region needs three points, not {len(array)}")
        object.__setattr__(self, "points", tuple((x, y) for x, y in array.tolist()))
        object.__setattr__(self, "label", " ".join(self.label.split()))

    @cached_property
    def array(self) -> Points:
        """The points as a read-only (N, 2) float array, x, y in px."""
        array = polygon.as_points(self.points)
        array.flags.writeable = False
        return array

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """(left, top, right, bottom) in px."""
        return polygon.bounds(self.array)

    @cached_property
    def area(self) -> float:
        """Enclosed area in px², by the even-odd rule."""
        return polygon.area(self.array)

    def contains(self, x: float, y: float) -> bool:
        """Whether the point lies inside."""
        left, top, right, bottom = self.bounds
        return left <= x <= right and top <= y <= bottom and polygon.contains(self.array, x, y)


def labels_of(regions: Iterable[Region]) -> dict[str, int]:
    """How many regions carry each label, in alphabetical order; unlabeled ones are left out."""
    counts: dict[str, int] = {}
    for region in regions:
        if region.label:
            counts[region.label] = counts.get(region.label, 0) + 1
    return dict(sorted(counts.items()))
