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
class FigureComparison:
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
    comparisons : tuple of FigureComparison
        It holds where all of them do.
    """

    text: str
    where: str
    comparisons: tuple[FigureComparison, ...]

    __repr__ = short_repr


@dataclass(frozen=True)
class CheckedStatement:
    """A statement that was checked against figures.

    Attributes
    ----------
    statement : Statement
    holds : bool or None
        None where a figure is undefined.
    right, total : int
        Numbers of its comparisons that hold, and of all.
    values : tuple of (str, str, float or None)
        The figures that take part, with their names and methods.
    """

    statement: Statement
    holds: bool | None
    right: int
    total: int
    values: tuple[tuple[str, str, float | None], ...]

    __repr__ = short_repr


def falling_order(figure: str, methods: Sequence[str]) -> tuple[FigureComparison, ...]:
    """Compare methods in an order in which a figure falls from each to all after it.

    Examples
    --------
    >>> falling_order("f", "ba")
    (FigureComparison(more=('f', 'b'), less=('f', 'a'), factor=1.0),)
    """
    pairs = combinations(methods, 2)
    return tuple(FigureComparison((figure, first), (figure, second)) for first, second in pairs)


def all_above(
    figure: str, higher: Iterable[str], lower: Iterable[str]
) -> tuple[FigureComparison, ...]:
    """Compare methods: the figure of each higher one is above that of each lower one."""
    pairs = product(higher, lower)
    return tuple(FigureComparison((figure, first), (figure, second)) for first, second in pairs)


def check_statement(statement: Statement, figures: Figures) -> CheckedStatement | None:
    """Check whether a statement holds; None where there are no figures of its methods.

    Examples
    --------
    >>> statement = Statement("b is better", "here", falling_order("f", "ba"))
    >>> check_statement(statement, {"f": {"a": 0.2, "b": 0.3}}).holds
    True
    >>> check_statement(statement, {"f": {"a": 0.3, "b": 0.3}}).holds
    False
    >>> check_statement(statement, {"f": {"a": 0.3}}) is None
    True
    """
    named = _named(statement)
    if any(method not in figures.get(figure, {}) for figure, method in named):
        return None
    values = tuple((figure, method, figures[figure][method]) for figure, method in named)
    total = len(statement.comparisons)
    if any(value is None for _, _, value in values):
        return CheckedStatement(statement, None, 0, total, values)
    right = sum(
        comparison.factor * _of(comparison.more, figures) > _of(comparison.less, figures)
        for comparison in statement.comparisons
    )
    return CheckedStatement(statement, right == total, right, total, values)


def _named(statement: Statement) -> list[tuple[str, str]]:
    sides = [side for pair in statement.comparisons for side in (pair.more, pair.less)]
    # by figure, then by method, each once
    return sorted({side for side in sides if isinstance(side, tuple)})


def _of(value: Value, figures: Figures) -> float:
    if isinstance(value, tuple):
        figure = figures[value[0]][value[1]]
        assert figure is not None  # checked before
        return figure
    return value
