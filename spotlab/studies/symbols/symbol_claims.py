"""Statements about methods as comparisons of figures, which say whether they hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from spotlab.representation import short_repr

Value = tuple[str, str] | float
"""A figure of a method, by both names, or a number."""

Figures = Mapping[str, Mapping[str, float | None]]
"""By figure and by method; None where it is undefined."""


@dataclass(frozen=True)
class Comparison:
    """One value, times a factor, is above another."""

    more: Value
    less: Value
    factor: float = 1.0


@dataclass(frozen=True)
class Statement:
    """What is said of methods.

    Attributes
    ----------
    text : str
        For a person.
    where : str
        Who says it: the part of the paper.
    comparisons : tuple of Comparison
        It holds where all of them do.
    """

    text: str
    where: str
    comparisons: tuple[Comparison, ...]

    __repr__ = short_repr


@dataclass(frozen=True)
class Claim:
    """A statement that has been held against figures.

    Attributes
    ----------
    statement : Statement
    holds : bool or None
        None where a figure is undefined.
    right, total : int
        How many of its comparisons hold, and how many there are.
    values : tuple of (str, str, float or None)
        The figures that take part, with their names and methods.
    """

    statement: Statement
    holds: bool | None
    right: int
    total: int
    values: tuple[tuple[str, str, float | None], ...]

    __repr__ = short_repr


def falling(figure: str, methods: Sequence[str]) -> tuple[Comparison, ...]:
    """The figure falls from each of the methods to all after it.

    Examples
    --------
    >>> falling("f", "ba")
    (Comparison(more=('f', 'b'), less=('f', 'a'), factor=1.0),)
    """
    pairs = combinations(methods, 2)
    return tuple(Comparison((figure, first), (figure, second)) for first, second in pairs)


def each_above(figure: str, higher: Iterable[str], lower: Iterable[str]) -> tuple[Comparison, ...]:
    """The figure of each of some methods is above that of each of others."""
    pairs = product(higher, lower)
    return tuple(Comparison((figure, first), (figure, second)) for first, second in pairs)


def check(statement: Statement, figures: Figures) -> Claim | None:
    """Whether a statement holds; None where it is about methods that there are no figures of.

    Examples
    --------
    >>> statement = Statement("b is better", "here", falling("f", "ba"))
    >>> check(statement, {"f": {"a": 0.2, "b": 0.3}}).holds
    True
    >>> check(statement, {"f": {"a": 0.3, "b": 0.3}}).holds
    False
    >>> check(statement, {"f": {"a": 0.3}}) is None
    True
    """
    named = _named(statement)
    if any(method not in figures.get(figure, {}) for figure, method in named):
        return None
    values = tuple((figure, method, figures[figure][method]) for figure, method in named)
    total = len(statement.comparisons)
    if any(value is None for _, _, value in values):
        return Claim(statement, None, 0, total, values)
    right = sum(
        each.factor * _of(each.more, figures) > _of(each.less, figures)
        for each in statement.comparisons
    )
    return Claim(statement, right == total, right, total, values)


def _named(statement: Statement) -> list[tuple[str, str]]:
    sides = [side for each in statement.comparisons for side in (each.more, each.less)]
    # by figure, then by method, each once
    return sorted({side for side in sides if isinstance(side, tuple)})


def _of(value: Value, figures: Figures) -> float:
    if isinstance(value, tuple):
        found = figures[value[0]][value[1]]
        assert found is not None  # looked at before
        return found
    return value
