"""Adds up numbered results in a tree, in whatever order they come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

WIDTH = 8  # results that are added at a time


class SumTree:
    """Adds `WIDTH` results in a row as soon as all of them are there, then `WIDTH` such sums, ….

    So few are held at a time, and the form of the tree, and with it the last digits of a sum,
    depends on the number of results only.

    Parameters
    ----------
    add : callable
        The sum of some results in a row.

    Examples
    --------
    >>> tree = SumTree("".join)
    >>> for number in reversed(range(10)):
    ...     tree.put(number, "abcdefghij"[number])
    >>> tree.total(), tree.held
    ('abcdefghij', 0)
    """

    def __init__(self, add: Callable[[Sequence[Any]], Any]) -> None:
        self._add = add
        self._groups: dict[tuple[int, int], dict[int, Any]] = {}

    @property
    def held(self) -> int:
        """Number of results and sums that are held."""
        return sum(map(len, self._groups.values()))

    def put(self, number: int, result: Any) -> None:
        """Take a result.

        Parameters
        ----------
        number : int
            Its place, from 0.
        result : object
        """
        self._put(0, number, result)

    def total(self) -> Any:
        """The sum of all results, of whose numbers none is missing; None where there is none."""
        while self._groups:
            level, place = min(self._groups)
            group = self._groups.pop((level, place))
            if not self._groups and len(group) == 1:
                return group[0]
            self._put(level + 1, place, self._sum(group))
        return None

    def _put(self, level: int, number: int, value: Any) -> None:
        key = level, number // WIDTH
        group = self._groups.setdefault(key, {})
        group[number % WIDTH] = value
        if len(group) == WIDTH:
            del self._groups[key]
            self._put(level + 1, key[1], self._sum(group))

    def _sum(self, group: dict[int, Any]) -> Any:
        return self._add([group[place] for place in sorted(group)])
