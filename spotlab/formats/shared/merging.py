"""Three-way merge: what two sides made of the same values, as one.

Each key is merged by itself. Where only one side has changed it, that side counts. Where both have,
mappings are merged in turn; of anything else mine counts, and a changed value counts more than its
removal. Such a key is a conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True)
class Conflict:
    """A value that both sides have changed.

    Attributes
    ----------
    keys : tuple
        Its key, after those of the mappings that it lies in.
    mine, theirs : object
        What the sides made of it; None where a side removed it.
    """

    keys: tuple[Any, ...]
    mine: Any
    theirs: Any


@dataclass(frozen=True)
class Merged(Generic[Value]):
    """Result of a merge.

    Attributes
    ----------
    value : object
    remarks : tuple of str
        What a person has to know: sentences without a full stop.
    """

    value: Value
    remarks: tuple[str, ...] = ()


_GONE: Any = object()


def merge_mappings(
    base: Mapping[Key, Any],
    mine: Mapping[Key, Any],
    theirs: Mapping[Key, Any],
    merge_value: Callable[[Any, Any, Any], Any] | None = None,
) -> tuple[dict[Key, Any], list[Conflict]]:
    """Merge two mappings that come from the same one.

    Parameters
    ----------
    base, mine, theirs : mapping
        What both sides began with, and what they made of it.
    merge_value : callable, optional
        Given base, mine and theirs of a value that both sides have; gives the merged one, or None
        where it cannot merge them.

    Returns
    -------
    merged : dict
        In my order; keys that only the other side has come before those that only I have.
    conflicts : list of Conflict

    Examples
    --------
    >>> base = {"a": 1, "b": {"x": 1}}
    >>> mine = {"a": 2, "b": {"x": 1, "y": 1}}
    >>> theirs = {"a": 3, "b": {"x": 2}, "c": 1}
    >>> merged, conflicts = merge_mappings(base, mine, theirs)
    >>> merged
    {'a': 2, 'b': {'x': 2, 'y': 1}, 'c': 1}
    >>> conflicts
    [Conflict(keys=('a',), mine=2, theirs=3)]
    """
    if mine == base:
        return dict(theirs), []
    if theirs == base:
        return dict(mine), []
    old = [key for key in mine if key in base or key in theirs]
    new = [key for key in mine if key not in base and key not in theirs]
    merged: dict[Key, Any] = {}
    conflicts: list[Conflict] = []
    for key in (*old, *(key for key in theirs if key not in mine), *new):
        values = tuple(side.get(key, _GONE) for side in (base, mine, theirs))
        value, inner = _merge_value(key, values, merge_value)
        if value is not _GONE:
            merged[key] = value
        conflicts += inner
    return merged, conflicts


def _merge_value(
    key: Hashable,
    values: tuple[Any, Any, Any],
    merge_value: Callable[[Any, Any, Any], Any] | None,
) -> tuple[Any, list[Conflict]]:
    base, mine, theirs = values
    if mine is theirs or _same(mine, theirs) or _same(theirs, base):
        return mine, []
    if _same(mine, base):
        return theirs, []
    if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
        began = base if isinstance(base, Mapping) else {}
        merged, inner = merge_mappings(began, mine, theirs, merge_value)
        return merged, [Conflict((key, *each.keys), each.mine, each.theirs) for each in inner]
    if merge_value is not None and mine is not _GONE and theirs is not _GONE:
        merged = merge_value(None if base is _GONE else base, mine, theirs)
        if merged is not None:
            return merged, []
    conflict = Conflict((key,), *(None if side is _GONE else side for side in (mine, theirs)))
    return theirs if mine is _GONE else mine, [conflict]


def _same(one: Any, other: Any) -> bool:
    if one is _GONE or other is _GONE:
        return one is other
    return bool(one == other) and type(one) is type(other)  # 1 is not True


def merge_lists(
    base: Sequence[Value], mine: Sequence[Value], theirs: Sequence[Value]
) -> list[Value]:
    """Merge two lists of different values that come from the same one.

    Parameters
    ----------
    base, mine, theirs : sequence
        What both sides began with, and what they made of it.

    Returns
    -------
    list
        What either side added and neither removed. Whoever changed the order decides about it, I
        if both did; what only the other side added follows what I have.

    Examples
    --------
    >>> merge_lists(["a", "b"], ["c", "a", "b"], ["b", "d"])
    ['c', 'b', 'd']
    >>> merge_lists(["a", "b"], ["a", "b", "c"], ["b", "a"])
    ['b', 'a', 'c']
    """
    if list(mine) == list(base):
        return list(theirs)
    if list(theirs) == list(base):
        return list(mine)
    kept = [value for value in mine if value in theirs or value not in base]
    added = [value for value in theirs if value not in mine and value not in base]
    common = [value for value in mine if value in base and value in theirs]
    if common == [value for value in base if value in mine and value in theirs]:
        ordered = iter([value for value in theirs if value in common])
        kept = [next(ordered) if value in common else value for value in kept]
    return [*kept, *added]
