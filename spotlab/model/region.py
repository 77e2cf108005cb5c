"""A region: a truth polygon with a label."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from spotlab.arrays import Points
from spotlab.geometry import polygon
from spotlab.model.contribution import Contribution
from spotlab.representation import short_repr


class Primitive(StrEnum):
    """Kind of outline of a region, which determines how it behaves when edited."""

    HULL = "hull"  # convex, and stays convex
    POLYGON = "polygon"  # free
    BOX = "box"  # four right angles
    ELLIPSE = "ellipse"
    ISOTHETIC = "isothetic"  # edges along x and y only
    TRACE = "trace"  # the exact outline of ink
    CELLS = "cells"  # quad-tree cells


class Ignore(StrEnum):
    """Whether evaluation leaves a region out, so that it is neither found nor missed nor false.

    ``SYMBOL`` is one symbol that nobody has to find, such as a *difficult* object of PASCAL VOC
    (Everingham et al. 2010). ``AREA`` is an area with any number of symbols, such as a *crowd* of
    COCO (Lin et al. 2014). A region without label is ignored for every query, else for the query
    of its label. See `spotlab.measures.ignored_area`.
    """

    NO = "no"
    SYMBOL = "symbol"
    AREA = "area"

    @classmethod
    def read(cls, value: object) -> Ignore:
        """Read a value of a file; what is unknown is not ignored.

        Parameters
        ----------
        value : object
            What the file says.

        Examples
        --------
        >>> Ignore.read("area").value, Ignore.read("sideways").value, Ignore.read(None).value
        ('area', 'no', 'no')
        """
        return cls(value) if isinstance(value, str) and value in cls._value2member_map_ else cls.NO


def new_id() -> str:
    """Make a unique region id that is valid as an XML id."""
    return f"r{uuid.uuid4().hex[:12]}"


@dataclass(frozen=True)
class Region:
    """One truth region.

    Attributes
    ----------
    points : tuple of (x, y)
        Open ring in px, origin top left; at least three points. Filled by the even-odd rule: an
        outline with holes is one ring whose parts are joined by edges that run there and back.
    label : str
        Class of the region; empty if it has none.
    id : str
        Unique on its page, valid as an XML id.
    primitive : Primitive
        Kind of outline.
    uncertain : bool
        Whether the annotator is unsure.
    comment : str
        Remark of the annotator.
    text : str
        Transcription.
    ignore : Ignore
        Whether evaluation leaves it out.
    history : tuple of Contribution
        Who drew, changed and decided on it, the oldest first. Regions that differ in nothing else
        are equal.

    Raises
    ------
    ValueError
        If there are fewer than three points.
    TypeError
        If ``primitive`` is not a `Primitive`, or ``ignore`` not an `Ignore`.
    """

    points: tuple[tuple[float, float], ...]
    label: str = ""
    id: str = field(default_factory=new_id)
    primitive: Primitive = Primitive.HULL
    uncertain: bool = False
    comment: str = ""
    text: str = ""
    ignore: Ignore = Ignore.NO
    history: tuple[Contribution, ...] = field(default=(), compare=False, repr=False)

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if not isinstance(self.primitive, Primitive):
            raise TypeError(f"a region's primitive is a Primitive, not {self.primitive!r}")
        if not isinstance(self.ignore, Ignore):
            raise TypeError(f"a region's ignore is an Ignore, not {self.ignore!r}")
        array = polygon.as_points(self.points)
        if len(array) < 3:
            raise ValueError(f"a region needs three points, not {len(array)}")
        object.__setattr__(self, "points", tuple((x, y) for x, y in array.tolist()))
        object.__setattr__(self, "label", " ".join(self.label.split()))

    @cached_property
    def array(self) -> Points:
        """Points as a read-only (N, 2) float array: x, y in px."""
        array = polygon.as_points(self.points)
        array.flags.writeable = False
        return array

    def with_history(self, history: tuple[Contribution, ...]) -> Region:
        """Give the region another history; nothing is checked or computed again.

        Parameters
        ----------
        history : tuple of Contribution
            The oldest first.
        """
        return self._with(history=history)

    def with_label(self, label: str) -> Region:
        """Give the region another label; the outline is neither checked nor computed again.

        Parameters
        ----------
        label : str
            White space is reduced to single blanks.

        Examples
        --------
        >>> Region(((0, 0), (9, 0), (9, 9)), "sofa").with_label(" arm  chair").label
        'arm chair'
        """
        return self._with(label=" ".join(label.split()))

    def _with(self, **values: object) -> Region:
        """A copy with other values that are valid, and with all that has been computed."""
        region = object.__new__(Region)
        region.__dict__.update(self.__dict__, **values)
        return region

    @property
    def ignored(self) -> bool:
        """Whether evaluation leaves it out, as a symbol or as an area."""
        return self.ignore is not Ignore.NO

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom in px."""
        return polygon.bounds(self.array)

    @cached_property
    def area(self) -> float:
        """Enclosed area in px², by the even-odd rule."""
        return polygon.area(self.array)

    def contains(self, x: float, y: float) -> bool:
        """Check whether a point lies inside.

        Parameters
        ----------
        x, y : float
            The point, in px.

        Returns
        -------
        bool
            By the even-odd rule.

        Examples
        --------
        >>> Region(((0, 0), (9, 0), (9, 9))).contains(8, 1)
        True
        """
        left, top, right, bottom = self.bounds
        return left <= x <= right and top <= y <= bottom and polygon.contains(self.array, x, y)


def with_values(regions: Sequence[Region], columns: Mapping[str, Sequence[object]]) -> list[Region]:
    """Give many regions other values; nothing is checked or computed again.

    Parameters
    ----------
    regions : sequence of Region
    columns : mapping of str to sequence
        By the name of a field other than ``points``, a valid value for each region.

    Examples
    --------
    >>> squares = [Region(((0, 0), (9, 0), (9, 9)), "sofa")] * 2
    >>> [region.label for region in with_values(squares, {"label": ["bed", "arm chair"]})]
    ['bed', 'arm chair']
    """
    names = tuple(columns)
    new, put = object.__new__, object.__setattr__
    changed = []
    before: tuple[object, ...] | None = None
    own: dict[str, object] = {}
    for region, values in zip(regions, zip(*columns.values(), strict=True), strict=True):
        if values != before:  # most have the same ones as the region before
            before, own = values, dict(zip(names, values, strict=True))
        other = new(Region)
        put(other, "__dict__", region.__dict__ | own)
        changed.append(other)
    return changed


def labels_of(regions: Iterable[Region]) -> dict[str, int]:
    """Count the regions of each label.

    Parameters
    ----------
    regions : iterable of Region
        Regions without label are left out.

    Returns
    -------
    dict of str to int
        In alphabetical order.

    Examples
    --------
    >>> labels_of([Region(((0, 0), (9, 0), (9, 9)), "sofa")])
    {'sofa': 1}
    """
    counts: dict[str, int] = {}
    for region in regions:
        if region.label:
            counts[region.label] = counts.get(region.label, 0) + 1
    return dict(sorted(counts.items()))
