"""Attributes of regions: typed values by name, and the schema that says what fits a label."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import starmap
from typing import TypeAlias

import numpy as np

AttributeValue: TypeAlias = str | int | float | bool | tuple[str, ...]
_TRUE, _FALSE = ("true", "yes"), ("false", "no")


class Attributes(tuple[tuple[str, AttributeValue], ...]):
    """Names and values of a region, each name once.

    Values are equal only if they are of one type: 1 is neither 1.0 nor true. Names without a value
    are left out. What is neither text, number nor yes or no becomes text.

    Parameters
    ----------
    given : mapping or iterable of (str, value)

    Examples
    --------
    >>> Attributes({" a  b ": 1, "c": "", "d": False, "e": ["x", 2]})
    (('a b', 1), ('d', False), ('e', ('x', '2')))
    >>> Attributes({"a": 1}) == Attributes({"a": True})
    False
    """

    __slots__ = ()

    def __new__(cls, given: Mapping[str, object] | Iterable[tuple[str, object]] = ()) -> Attributes:
        """Tidy names and values."""
        if isinstance(given, Attributes):
            return given
        values = {" ".join(name.split()): _tidy(value) for name, value in dict(given).items()}
        pairs = ((name, value) for name, value in values.items() if name and value not in ("", ()))
        return super().__new__(cls, pairs)

    def with_value(self, name: str, value: AttributeValue | None) -> Attributes:
        """Give one of them another value, or take it away.

        Parameters
        ----------
        name : str
        value : AttributeValue or None
            None takes it away.
        """
        if value is None:
            return Attributes(pair for pair in self if pair[0] != name)
        return Attributes({**dict(self), name: value})

    def __eq__(self, other: object) -> bool:
        return tuple.__eq__(self, other) is True and _types(self) == _types(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return tuple.__hash__(self)


NONE = Attributes()


def _types(pairs: object) -> list[type]:
    assert isinstance(pairs, tuple)
    return [type(value) for _, value in pairs]


def _tidy(value: object) -> AttributeValue:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(value)
    if isinstance(value, list | tuple):
        return tuple(map(value_text, value))
    return str(value)


def value_text(value: object) -> str:
    """The text that stands for a value.

    Examples
    --------
    >>> value_text(True), value_text(2.5), value_text(("a", "b")), value_text("x")
    ('true', '2.5', 'a, b', 'x')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ", ".join(map(value_text, value))
    return str(value)


class AttributeKind(StrEnum):
    """Kind of values that an attribute has."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    YES_NO = "yes or no"
    CHOICE = "one of a list"
    CHOICES = "several of a list"

    @property
    def chooses(self) -> bool:
        """True if values are of a list."""
        return self in (AttributeKind.CHOICE, AttributeKind.CHOICES)


def parse_value(text: str, kind: AttributeKind) -> AttributeValue | None:
    """The value of a kind that a text stands for.

    Parameters
    ----------
    text : str
    kind : AttributeKind

    Returns
    -------
    AttributeValue or None
        None if it stands for none.

    Examples
    --------
    >>> [parse_value(text, AttributeKind.YES_NO) for text in ("true", "No", "maybe")]
    [True, False, None]
    >>> parse_value("1.5", AttributeKind.NUMBER), parse_value("1.5", AttributeKind.WHOLE)
    (1.5, None)
    """
    plain = text.strip()
    match kind:
        case AttributeKind.WHOLE:
            return int(plain) if plain.removeprefix("-").isdecimal() and plain.isascii() else None
        case AttributeKind.NUMBER:
            whole = parse_value(text, AttributeKind.WHOLE)
            return _number(plain) if whole is None else whole
        case AttributeKind.YES_NO:
            folded = plain.casefold()
            return folded in _TRUE if folded in (*_TRUE, *_FALSE) else None
        case AttributeKind.CHOICES:
            return tuple(each.strip() for each in text.split(",") if each.strip())
    return text


def _number(text: str) -> float | None:
    with suppress(ValueError):
        return float(text) if math.isfinite(float(text)) else None
    return None


@dataclass(frozen=True)
class AttributeSpec:
    """The rule for one attribute: what it is called and which values fit.

    Attributes
    ----------
    name : str
    kind : AttributeKind
    choices : tuple of str
        The list, of kinds that have one.
    default : AttributeValue or None
        The value that a region gets with its label; None for none.
    required : bool
        Whether every region has to have a value.
    description : str
        What annotators should know.

    Raises
    ------
    ValueError
        The name is empty, the list is missing or not wanted, or the default does not fit.

    Examples
    --------
    >>> state = AttributeSpec("state", AttributeKind.CHOICE, ("new", "worn"))
    >>> state.problem("new"), state.problem("old")
    ('', '“old” is not one of new, worn')
    """

    name: str
    kind: AttributeKind = AttributeKind.TEXT
    choices: tuple[str, ...] = ()
    default: AttributeValue | None = None
    required: bool = False
    description: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", " ".join(self.name.split()))
        if isinstance(self.default, list):
            object.__setattr__(self, "default", tuple(self.default))
        if self.default in ("", ()):
            object.__setattr__(self, "default", None)
        if not self.name:
            raise ValueError("an attribute needs a name")
        if self.kind.chooses != bool(self.choices):
            problem = "needs choices" if self.kind.chooses else "has no choices"
            raise ValueError(f"an attribute of the kind “{self.kind}” {problem}")
        if len(set(self.choices)) < len(self.choices) or "" in self.choices:
            raise ValueError("a choice is empty, or there twice")
        if self.default is not None and (wrong := self.problem(self.default)):
            raise ValueError(f"the default {wrong}")

    def problem(self, value: AttributeValue) -> str:
        """Say why a value does not fit; empty if it does.

        Parameters
        ----------
        value : AttributeValue
        """
        fits, expected = self._fit(value)
        return "" if fits else f"“{value_text(value)}” is not {expected}"

    def fitted(self, value: AttributeValue) -> AttributeValue | None:
        """The value, or what its text means as a value of this kind; None if it does not fit.

        Parameters
        ----------
        value : AttributeValue

        Examples
        --------
        >>> AttributeSpec("page", AttributeKind.WHOLE).fitted("3")
        3
        """
        read = value if not self.problem(value) else parse_value(value_text(value), self.kind)
        return None if read is None or self.problem(read) else read

    def _fit(self, value: AttributeValue) -> tuple[bool, str]:
        match self.kind:
            case AttributeKind.TEXT:
                return isinstance(value, str), "a text"
            case AttributeKind.WHOLE:
                return type(value) is int, "a whole number"
            case AttributeKind.NUMBER:
                return type(value) in (int, float), "a number"
            case AttributeKind.YES_NO:
                return isinstance(value, bool), "yes or no"
            case AttributeKind.CHOICE:
                return isinstance(value, str) and value in self.choices, (
                    f"one of {', '.join(self.choices)}"
                )
        several = isinstance(value, tuple) and set(value) <= set(self.choices)
        return several, f"a list of {', '.join(self.choices)}"


Specs: TypeAlias = tuple[AttributeSpec, ...]


def merged_specs(general: Sequence[AttributeSpec], own: Sequence[AttributeSpec]) -> Specs:
    """Those of all labels and of one; of two of the same name the label's own counts.

    Parameters
    ----------
    general, own : sequence of AttributeSpec

    Examples
    --------
    >>> state = AttributeSpec("state")
    >>> merged_specs([state], [AttributeSpec("state", AttributeKind.WHOLE)])[0].kind.value
    'whole number'
    """
    return tuple({spec.name: spec for spec in (*general, *own)}.values())


MOST_CHOICES = 12  # different texts that are taken for a list


def learned_spec(name: str, values: Sequence[AttributeValue]) -> AttributeSpec:
    """Find the narrowest kind that all values of an attribute fit.

    Texts are a list if there are few different ones, and each of them stands twice on average.

    Parameters
    ----------
    name : str
    values : sequence of AttributeValue
        At least one.

    Examples
    --------
    >>> learned_spec("page", [1, 2]).kind.value, learned_spec("angle", [1, 0.5]).kind.value
    ('whole number', 'number')
    >>> learned_spec("state", ["new", "worn", "new", "new"]).choices
    ('new', 'worn')
    """
    for kind in (AttributeKind.YES_NO, AttributeKind.WHOLE, AttributeKind.NUMBER):
        spec = AttributeSpec(name, kind)
        if not any(map(spec.problem, values)):
            return spec
    if all(isinstance(value, tuple) for value in values):
        several = (each for value in values if isinstance(value, tuple) for each in value)
        return AttributeSpec(name, AttributeKind.CHOICES, tuple(dict.fromkeys(several)))
    texts = dict.fromkeys(value for value in values if isinstance(value, str))
    few = len(texts) <= min(MOST_CHOICES, len(values) // 2) and not any("\n" in it for it in texts)
    if few and all(isinstance(value, str) for value in values):
        return AttributeSpec(name, AttributeKind.CHOICE, tuple(sorted(texts)))
    return AttributeSpec(name)


def learned_specs(attributes: Iterable[Iterable[tuple[str, AttributeValue]]]) -> Specs:
    """Find the rules that all of these attributes follow, in the order of the names.

    Parameters
    ----------
    attributes : iterable of attributes
        Of each region.

    Examples
    --------
    >>> [(spec.name, spec.kind.value) for spec in learned_specs([Attributes({"b": True, "a": 2})])]
    [('a', 'whole number'), ('b', 'yes or no')]
    """
    values: dict[str, list[AttributeValue]] = {}
    for each in attributes:
        for name, value in each:
            values.setdefault(name, []).append(value)
    return tuple(starmap(learned_spec, sorted(values.items())))
