"""Regions, their history, and the labels that they have."""

from __future__ import annotations

import colorsys
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from spotlab.arrays import Floats, Points
from spotlab.files import composed
from spotlab.geometry import polygon
from spotlab.geometry.primitives import open_line
from spotlab.model.attributes import NONE, Attributes, Specs, merged_specs
from spotlab.representation import short_repr

# What regions may not be taken for: found, false, missed, ignored, unlabeled, selected.
RESERVED = ("#009E73", "#D55E00", "#0072B2", "#808080", "#64748b", "#2563eb")
LIGHTNESS = 42.0, 72.0  # L*, from 0 to 100
CHROMA = 28.0  # C*ab; less is taken for grey
LEVELS = 16  # of each channel, among the candidates
MANY = 256  # labels; with more of them no two colours of a kind can be told apart
_DICHROMAT = 2.0  # times the difference that a dichromat sees

_WHITE = np.array([0.95047, 1.0, 1.08883])  # D65
_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
     [0.0193339, 0.1191920, 0.9503041]]
)  # fmt: skip
_DEUTERANOPE = np.array(
    [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]]
)


def next_colour(used: Iterable[str]) -> str:
    """Choose the colour that differs most from those in use.

    Parameters
    ----------
    used : iterable of str
        ``#rrggbb`` each; what is no such colour is passed over.

    Returns
    -------
    str
        ``#RRGGBB``. The same for the same colours, in whatever order they come. With no colour in
        use the one farthest from those that mean something else.

    Examples
    --------
    >>> first = next_colour([])
    >>> second = next_colour([first])
    >>> first != second, next_colour([second, first]) == next_colour([first, second])
    (True, True)
    """
    taken = sorted({colour.upper() for colour in used if _is_colour(colour)})
    if len(taken) >= MANY:
        return _golden(len(taken))
    names, _ = _candidates()
    nearest = np.min([_distances(colour) for colour in (*map(str.upper, RESERVED), *taken)], axis=0)
    return names[int(np.argmax(nearest))]


def difference(colours: Floats, other: Floats) -> Floats:
    """Compute the colour differences ΔE*94 of several colours from one.

    Parameters
    ----------
    colours : (N, 3) float
        sRGB, each channel in [0, 1].
    other : (3,) float
        The same of the other colour.

    Returns
    -------
    (N,) float
        0 for the same colour; about 1 is just noticeable. The chroma that weighs the difference is
        the geometric mean of both, so that the order does not matter.

    Examples
    --------
    >>> grey, white, black = np.full((1, 3), 0.5), np.ones((1, 3)), np.zeros(3)
    >>> difference(grey, grey[0]).tolist(), difference(white, black).round(3).tolist()
    ([0.0], [100.0])
    """
    one, two = _lab(_linear(colours)), _lab(_linear(other[None]))
    return _cie94(one, two)


@lru_cache(maxsize=2 * MANY)
def _distances(colour: str) -> Floats:
    """Distances of all candidates from a colour, also for a dichromat."""
    _, candidates = _candidates()
    other = _rgb(colour)[None]
    seen = _cie94(_lab(_linear(candidates)), _lab(_linear(other)))
    kept = _cie94(*(_lab(_linear(each) @ _DEUTERANOPE.T) for each in (candidates, other)))
    return np.minimum(seen, _DICHROMAT * kept)


@lru_cache(maxsize=1)
def _candidates() -> tuple[list[str], Floats]:
    steps = np.linspace(0, 1, LEVELS)
    colours = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    lab = _lab(_linear(colours))
    low, high = LIGHTNESS
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    colours = colours[(lab[:, 0] >= low) & (lab[:, 0] <= high) & (chroma >= CHROMA)]
    names = [
        f"#{red:02X}{green:02X}{blue:02X}"
        for red, green, blue in np.rint(255 * colours).astype(int).tolist()
    ]
    return names, colours


def _cie94(one: Floats, two: Floats) -> Floats:
    """ΔE*94 for graphic arts, of rows of L*, a*, b*."""
    chroma_one, chroma_two = np.hypot(one[:, 1], one[:, 2]), np.hypot(two[:, 1], two[:, 2])
    lightness, chroma = one[:, 0] - two[:, 0], chroma_one - chroma_two
    hue = (one[:, 1] - two[:, 1]) ** 2 + (one[:, 2] - two[:, 2]) ** 2 - chroma**2
    mean = np.sqrt(chroma_one * chroma_two)
    return np.asarray(
        np.sqrt(
            lightness**2
            + (chroma / (1 + 0.045 * mean)) ** 2
            + np.maximum(hue, 0) / (1 + 0.015 * mean) ** 2
        )
    )


def _linear(colours: Floats) -> Floats:
    """SRGB without its transfer curve (IEC 61966-2-1)."""
    return np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)


def _lab(linear: Floats) -> Floats:
    """CIE 1976 L*, a*, b* of linear RGB, for D65."""
    scaled = np.maximum(linear, 0) @ _XYZ.T / _WHITE
    root = np.where(scaled > 216 / 24389, np.cbrt(scaled), (24389 / 27 * scaled + 16) / 116)
    x, y, z = root.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def _is_colour(colour: str) -> bool:
    try:
        return len(colour) == 7 and colour[0] == "#" and int(colour[1:], 16) >= 0
    except ValueError:
        return False


def _rgb(colour: str) -> Floats:
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255


def _golden(count: int) -> str:
    hue = count * 0.618033988749895 % 1  # golden ratio: far from its neighbours
    red, green, blue = colorsys.hls_to_rgb(hue, 0.45, 0.6)
    return f"#{round(red * 255):02X}{round(green * 255):02X}{round(blue * 255):02X}"


DIGITS = "1234567890"


@dataclass(frozen=True)
class Label:
    """A class of regions.

    Attributes
    ----------
    name : str
        Name of the class.
    colour : str
        ``#rrggbb``.
    digit : str
        Digit key that sets the label; empty if there is none.
    description : str
        What is labelled like this, for annotators; empty if nothing is said.
    number : int, str or None
        Number of the class in the file that it was read from, or its id; None where files only have
        an order. It makes no label another one.
    attributes : tuple of AttributeSpec
        The attributes that regions of this label have, beside those of all labels.
    """

    name: str
    colour: str
    digit: str = ""
    description: str = ""
    number: int | str | None = field(default=None, compare=False, repr=False)
    attributes: Specs = ()

    def __post_init__(self) -> None:
        if not self.name.isascii():
            object.__setattr__(self, "name", composed(self.name))


def tidy_label(text: str) -> str:
    """A label as it is compared: with single blanks, in Unicode's composed form.

    Two labels that look the same are the same, whatever system they were typed on.

    Examples
    --------
    >>> tidy_label(" arm  chair"), len(tidy_label("Tu\u0308r"))
    ('arm chair', 3)
    """
    plain = " ".join(text.split())
    return plain if plain.isascii() else composed(plain)


@dataclass(frozen=True)
class LabelSet:
    """Labels in an order of their own, at first that in which they were added.

    Attributes
    ----------
    labels : tuple of Label
        No two with the same name or digit.
    locked : bool
        Whether a team has agreed on these labels, so that programs add none by themselves.
    attributes : tuple of AttributeSpec
        The attributes that regions of every label have.

    Raises
    ------
    ValueError
        If two labels have the same name or digit.

    Examples
    --------
    >>> labels = LabelSet().with_label("sofa").with_label("sink")
    >>> labels["sink"].digit, labels.by_digit("1").name, "bed" in labels
    ('2', 'sofa', False)
    """

    labels: tuple[Label, ...] = ()
    locked: bool = False
    attributes: Specs = ()

    __repr__ = short_repr

    def __post_init__(self) -> None:
        names = [label.name for label in self.labels]
        digits = [label.digit for label in self.labels if label.digit]
        if len(set(names)) != len(names) or len(set(digits)) != len(digits):
            raise ValueError("a label's name and digit are its own")

    def __iter__(self) -> Iterator[Label]:
        return iter(self.labels)

    def __len__(self) -> int:
        return len(self.labels)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and composed(name) in {label.name for label in self.labels}

    def __getitem__(self, name: str) -> Label:
        for label in self.labels:
            if label.name == composed(name):
                return label
        raise KeyError(name)

    def by_digit(self, digit: str) -> Label | None:
        """Find the label that a digit key sets.

        Parameters
        ----------
        digit : str
            One of "1" to "9" and "0".

        Returns
        -------
        Label or None
            None if no label has the digit.
        """
        return next((label for label in self.labels if label.digit == digit), None)

    def with_label(self, name: str, colour: str = "") -> LabelSet:
        """Add a label with the next free digit.

        Parameters
        ----------
        name : str
            Name of the label; nothing is added if it is empty or exists already.
        colour : str
            ``#rrggbb``; by default the one that differs most from those in use.

        Returns
        -------
        LabelSet
            With the label at the end.

        Examples
        --------
        >>> [(label.name, label.colour) for label in LabelSet().with_label("sofa", "#332288")]
        [('sofa', '#332288')]
        """
        if not name or name in self:
            return self
        taken = {label.digit for label in self.labels}
        digit = next((digit for digit in DIGITS if digit not in taken), "")
        colour = colour or next_colour(label.colour for label in self)
        return self._with(*self.labels, Label(name, colour, digit))

    def with_digit(self, name: str, digit: str) -> LabelSet:
        """Give a label a digit; the label that had it gets this label's old digit.

        Parameters
        ----------
        name : str
            Name of the label.
        digit : str
            The new digit; empty for none.

        Returns
        -------
        LabelSet
            With the digits changed.

        Raises
        ------
        KeyError
            If there is no such label.

        Examples
        --------
        >>> labels = LabelSet().with_label("sofa").with_label("sink").with_digit("sink", "1")
        >>> [label.digit for label in labels]
        ['2', '1']
        """
        old, holder = self[name].digit, self.by_digit(digit) if digit else None
        own = {name: replace(self[name], digit=digit)}
        if holder and holder.name != name:
            own[holder.name] = replace(holder, digit=old)
        return self._with(*(own.get(label.name, label) for label in self))

    def with_colour(self, name: str, colour: str) -> LabelSet:
        """Give a label a colour.

        Parameters
        ----------
        name : str
            Name of the label.
        colour : str
            ``#rrggbb``.

        Returns
        -------
        LabelSet
            Unchanged if there is no such label.

        Examples
        --------
        >>> LabelSet().with_label("sofa").with_colour("sofa", "#332288")["sofa"].colour
        '#332288'
        """
        return self._changed(name, colour=colour)

    def with_entry(self, label: Label, place: int) -> LabelSet:
        """Insert a label at a position, without its digit if another label has it.

        Parameters
        ----------
        label : Label
            Label to insert; nothing is inserted if one of this name exists already.
        place : int
            Index of the label in the new order.

        Returns
        -------
        LabelSet
            With the label.

        Examples
        --------
        >>> labels = LabelSet((Label("bed", "#56B4E9", "1"),))
        >>> labels.with_entry(Label("sofa", "#E69F00", "1"), 0).labels[0].digit
        ''
        """
        if label.name in self:
            return self
        digit = "" if label.digit and self.by_digit(label.digit) else label.digit
        entry = replace(label, digit=digit)
        return self._with(*self.labels[:place], entry, *self.labels[place:])

    def numbered_like(self, other: LabelSet) -> LabelSet:
        """Give labels without a number the number of the other set's label of the same name.

        Parameters
        ----------
        other : LabelSet

        Examples
        --------
        >>> labels = LabelSet().with_label("sofa").with_label("bed")
        >>> labels = labels.numbered_like(LabelSet((Label("sofa", "", number=5),)))
        >>> [(label.name, label.number) for label in labels]
        [('sofa', 5), ('bed', None)]
        """
        known = {label.name: label.number for label in other}
        return self._with(
            *(
                replace(label, number=known.get(label.name)) if label.number is None else label
                for label in self
            )
        )

    def without(self, name: str) -> LabelSet:
        """Remove a label.

        Parameters
        ----------
        name : str
            Name of the label.

        Returns
        -------
        LabelSet
            Unchanged if there is no such label.
        """
        return self._with(*(label for label in self if label.name != name))

    def with_description(self, name: str, description: str) -> LabelSet:
        """Say what is labelled with a label.

        Parameters
        ----------
        name : str
            Name of the label.
        description : str
            A line or a few; empty for none.

        Returns
        -------
        LabelSet
            Unchanged if there is no such label.

        Examples
        --------
        >>> LabelSet().with_label("sofa").with_description("sofa", "Two seats.")["sofa"].description
        'Two seats.'
        """
        return self._changed(name, description=description.strip())

    def specs(self, label: str) -> Specs:
        """The attributes that regions of a label have.

        Parameters
        ----------
        label : str
            Empty, or not in the set: those of all labels.
        """
        own = self[label].attributes if label in self else ()
        return merged_specs(self.attributes, own)

    def with_specs(self, label: str, specs: Specs) -> LabelSet:
        """Say which attributes regions of a label have.

        Parameters
        ----------
        label : str
            Empty for all labels.
        specs : tuple of AttributeSpec

        Returns
        -------
        LabelSet
            Unchanged if there is no such label.
        """
        if not label:
            return replace(self, attributes=specs)
        return self._changed(label, attributes=specs)

    def with_defaults(self, attributes: Attributes, label: str) -> Attributes:
        """Add the defaults of a label's attributes to those that a region has.

        Parameters
        ----------
        attributes : Attributes
        label : str

        Examples
        --------
        >>> from spotlab.model.attributes import AttributeSpec
        >>> labels = LabelSet(attributes=(AttributeSpec("state", default="new"),))
        >>> labels.with_defaults(Attributes(), "sofa")
        (('state', 'new'),)
        """
        given = dict(attributes)
        more = {
            spec.name: spec.default
            for spec in self.specs(label)
            if spec.default is not None and spec.name not in given
        }
        return Attributes({**given, **more}) if more else attributes

    def moved(self, name: str, place: int) -> LabelSet:
        """Put a label at another place in the order.

        Parameters
        ----------
        name : str
            Name of the label.
        place : int
            Its index in the new order; the nearest one if there is no such index.

        Returns
        -------
        LabelSet
            With the same labels.

        Raises
        ------
        KeyError
            If there is no such label.

        Examples
        --------
        >>> labels = LabelSet().with_label("sofa").with_label("sink").with_label("bed")
        >>> [label.name for label in labels.moved("bed", 0)]
        ['bed', 'sofa', 'sink']
        """
        label, others = self[name], self.without(name)
        return others.with_entry(label, min(max(place, 0), len(others)))

    def joined(self, other: LabelSet) -> LabelSet:
        """Take over another set: its labels come first, those that only this one has follow.

        Parameters
        ----------
        other : LabelSet
            A label of it replaces this set's label of the same name, but keeps colour, description
            and attributes of this one where it has none. Its digits count; labels of this set lose
            theirs to them. If it has none, digits stay, and the first labels get those that are
            free.

        Returns
        -------
        LabelSet
            Locked if the other one is.

        Examples
        --------
        >>> mine = LabelSet((Label("sofa", "#123456", "1"), Label("lamp", "#654321", "2")))
        >>> joined = mine.joined(LabelSet((Label("bed", "#AA0000", "2"), Label("sofa", ""))))
        >>> [(label.name, label.colour, label.digit) for label in joined]
        [('bed', '#AA0000', '2'), ('sofa', '#123456', ''), ('lamp', '#654321', '')]
        """
        known = {label.name: label for label in self}
        used = [label.colour for label in (*self, *other) if label.colour]
        labels = []
        no_digits = not any(label.digit for label in other)
        for label in other:
            mine = known.pop(label.name, None)
            colour = label.colour or (mine.colour if mine else "") or next_colour(used)
            used.append(colour)
            description = label.description or (mine.description if mine else "")
            digit = mine.digit if no_digits and mine else label.digit
            specs = merged_specs(mine.attributes if mine else (), label.attributes)
            number = mine.number if label.number is None and mine else label.number
            labels.append(Label(label.name, colour, digit, description, number, specs))
        taken = {label.digit for label in labels}
        for label in known.values():
            labels.append(replace(label, digit="") if label.digit in taken else label)
        if no_digits:
            free = iter([digit for digit in DIGITS if digit not in {each.digit for each in labels}])
            labels = [
                each if each.digit else replace(each, digit=next(free, "")) for each in labels
            ]
        specs = merged_specs(self.attributes, other.attributes)
        return LabelSet(tuple(labels), other.locked, specs)

    def _with(self, *labels: Label) -> LabelSet:
        return replace(self, labels=labels)

    def _changed(self, name: str, **fields: Any) -> LabelSet:
        own = replace(self[name], **fields) if name in self else None
        return self._with(*(own if own and label.name == own.name else label for label in self))


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
