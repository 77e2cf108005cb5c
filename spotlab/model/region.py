"""A region, a truth polygon with a label, and who contributed to it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property

from spotlab.arrays import Points
from spotlab.geometry import polygon
from spotlab.geometry.primitives import open_line
from spotlab.model.attributes import NONE, Attributes
from spotlab.model.labels import tidy_label
from spotlab.representation import short_repr


class Deed(StrEnum):
    """A person's deed on a region."""

    DRAWN = "drawn"
    CHANGED = "changed"
    AGREED = "agreed"  # two annotators have drawn it alike
    KEPT = "kept"  # of two annotators' regions, the first one's
    TAKEN = "taken"  # of two annotators' regions, the second one's
    MERGED = "merged"  # one region of both
    UNDECIDED = "undecided"  # somebody has looked and could not decide


DECISIONS = frozenset({Deed.AGREED, Deed.KEPT, Deed.TAKEN, Deed.MERGED, Deed.UNDECIDED})


@dataclass(frozen=True)
class Contribution:
    """One entry of a region's history.

    Attributes
    ----------
    deed : Deed
    author : str
        The person's name; white space is collapsed.
    time : datetime
        In UTC, to the second.
    source : str
        Of a decision, the annotators whose region it was.

    Raises
    ------
    ValueError
        If ``time`` has no time zone.

    Examples
    --------
    >>> Contribution(Deed.DRAWN, "Anna", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)).text
    'drawn 2026-01-02T03:04:05+00:00 Anna'
    """

    deed: Deed
    author: str
    time: datetime
    source: str = ""

    def __post_init__(self) -> None:
        if self.time.tzinfo is None:
            raise ValueError("the time of a contribution needs a time zone")
        time = self.time.astimezone(UTC).replace(microsecond=0)
        object.__setattr__(self, "time", time)
        object.__setattr__(self, "author", " ".join(self.author.split()))

    @property
    def text(self) -> str:
        """The text that `from_text` reads, without the source."""
        return f"{self.deed} {self.time.isoformat()} {self.author}"

    @classmethod
    def from_text(cls, text: str, source: str = "") -> Contribution:
        """Read what `text` wrote.

        Parameters
        ----------
        text : str
            Deed, time in ISO 8601 and author, separated by spaces.
        source : str
            See `Contribution`.

        Raises
        ------
        ValueError
            It is not such a text.

        Examples
        --------
        >>> Contribution.from_text("changed 2026-01-02T03:04:05+00:00 Anna Karenina").author
        'Anna Karenina'
        """
        deed, _, rest = text.partition(" ")
        time, _, author = rest.partition(" ")
        return cls(Deed(deed), author, datetime.fromisoformat(time), source)


def with_contribution(
    history: tuple[Contribution, ...], new: Contribution
) -> tuple[Contribution, ...]:
    """Append to a history; of several changes in a row by one person, the last one counts.

    Parameters
    ----------
    history : tuple of Contribution
        The oldest first.
    new : Contribution
        What was done last.

    Examples
    --------
    >>> first = Contribution(Deed.CHANGED, "Anna", datetime(2026, 1, 1, tzinfo=UTC))
    >>> later = Contribution(Deed.CHANGED, "Anna", datetime(2026, 1, 2, tzinfo=UTC))
    >>> with_contribution((first,), later) == (later,)
    True
    """
    last = history[-1] if history else None
    changed = (Deed.CHANGED, new.author)
    if last is not None and (last.deed, last.author) == changed == (new.deed, new.author):
        history = history[:-1]
    return (*history, new)


def contributors(histories: Iterable[Iterable[Contribution]]) -> dict[str, datetime]:
    """Find when each person contributed last.

    Parameters
    ----------
    histories : iterable of histories
        Of several regions.

    Returns
    -------
    dict of str to datetime
        By name, in alphabetical order; contributions without a name are left out.
    """
    latest: dict[str, datetime] = {}
    for history in histories:
        for entry in history:
            if entry.author:
                latest[entry.author] = max(latest.get(entry.author, entry.time), entry.time)
    return dict(sorted(latest.items()))


def history_as_pairs(history: Iterable[Contribution]) -> list[list[str]]:
    """Turn a history into values that JSON has: text and source of each contribution.

    Parameters
    ----------
    history : iterable of Contribution
        The oldest first.
    """
    return [[entry.text, entry.source] for entry in history]


def history_from_pairs(pairs: object) -> tuple[Contribution, ...]:
    """Read what `history_as_pairs` gave.

    Parameters
    ----------
    pairs : object
        A list of pairs of str.

    Raises
    ------
    ValueError
        It is something else.

    Examples
    --------
    >>> history_from_pairs([["drawn 2026-01-02T03:04:05+00:00 Anna", ""]])[0].author
    'Anna'
    """
    if not isinstance(pairs, list):
        raise ValueError("a history is a list")
    found = []
    for pair in pairs:
        match pair:
            case [str(text), str(source)]:
                found.append(Contribution.from_text(text, source))
            case _:
                raise ValueError(f"{pair!r} is not a contribution")
    return tuple(found)


class Primitive(StrEnum):
    """Kind of outline of a region, which determines how it behaves when edited."""

    HULL = "hull"  # convex, and stays convex
    POLYGON = "polygon"  # free
    BOX = "box"  # four right angles
    ELLIPSE = "ellipse"
    ISOTHETIC = "isothetic"  # edges along x and y only
    TRACE = "trace"  # the exact outline of ink
    CELLS = "cells"  # quad-tree cells
    LINE = "line"  # an open line, whose outline runs along it there and back
    POINT = "point"  # a single place, the first point of its outline

    @property
    def has_area(self) -> bool:
        """True but for lines and points."""
        return self not in (Primitive.LINE, Primitive.POINT)


class Ignore(StrEnum):
    """Exclusion of a region from evaluation, so that it is neither found nor missed nor false.

    ``SYMBOL`` is one symbol that nobody has to find, such as a *difficult* object of PASCAL VOC
    (Everingham et al. 2010). ``AREA`` is an area with any number of symbols, such as a *crowd* of
    COCO (Lin et al. 2014). A region without label is ignored for every query, else for the query
    of its label. See `spotlab.measures.tally`.
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
        Whether evaluation leaves it out, as it does all lines and points.
    history : tuple of Contribution
        Who drew, changed and decided on it, the oldest first. Regions that differ in nothing else
        are equal.
    attributes : Attributes
        Further names and values, such as a group; a mapping is taken, too. Values are texts,
        numbers, yes or no, or lists of texts. No name comes twice, and what is empty is left out.

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
    attributes: Attributes = NONE

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if not isinstance(self.primitive, Primitive):
            raise TypeError(f"a region's primitive is a Primitive, not {self.primitive!r}")
        if not isinstance(self.ignore, Ignore):
            raise TypeError(f"a region's ignore is an Ignore, not {self.ignore!r}")
        if not self.primitive.has_area and self.ignore is Ignore.NO:
            object.__setattr__(self, "ignore", Ignore.SYMBOL)
        array = polygon.as_points(self.points)
        if len(array) < 3:
            raise ValueError(f"a region needs three points, not {len(array)}")
        object.__setattr__(self, "points", tuple((x, y) for x, y in array.tolist()))
        object.__setattr__(self, "label", tidy_label(self.label))
        object.__setattr__(self, "attributes", Attributes(self.attributes))

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
        return self._with(label=tidy_label(label))

    def _with(self, **values: object) -> Region:
        """A copy with other values that are valid, and with all that has been computed."""
        region = object.__new__(Region)
        region.__dict__.update(self.__dict__, **values)
        return region

    @property
    def ignored(self) -> bool:
        """True if evaluation leaves it out, as a symbol or as an area."""
        return self.ignore is not Ignore.NO

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom in px."""
        return polygon.bounds(self.array)

    @cached_property
    def area(self) -> float:
        """Enclosed area in px², by the even-odd rule."""
        return polygon.area(self.array)

    @property
    def corners(self) -> Points:
        """(N, 2) the corners of a line from end to end, the place of a point; else all points."""
        if self.primitive is Primitive.POINT:
            return self.array[:1]
        return self.array if self.primitive.has_area else open_line(self.array)

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
