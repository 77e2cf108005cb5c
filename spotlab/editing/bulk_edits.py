"""Edits of many regions that are kept as columns, and applied and recorded as such.

A bulk edit is a sequence of the single edits that it stands for, which are made when they are
looked at. So it can be used wherever edits are expected; who has to be quick with 50,000 regions
takes its columns instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, compress
from operator import attrgetter
from types import MappingProxyType
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from spotlab.editing.edits import Edit, Insert, Remove, Replace, inverse
from spotlab.model import Region
from spotlab.model.region import with_values

_BLOCK = 500  # regions whose fields are read together: they stay in the processor's cache
MANY = 200  # regions of one step from which they are kept as columns
Columns = Mapping[str, Sequence[Any]]  # a value of each region, by the name of the field
FIELDS = ("points", "label", "primitive", "uncertain", "comment", "text", "ignore", "history")
_id, _label, _uncertain = map(attrgetter, ("id", "label", "uncertain"))


class EditedRegions(tuple[Region, ...]):
    """The regions of a bulk edit, with what is found out about all of them at once.

    An edit and its inverse have the same ones.

    Attributes
    ----------
    bounds : (4, N) float or None
        Left, top, right and bottom of each in px, where they are known.
    recorded : bytearray or None
        What a journal has of them, once it has.

    Examples
    --------
    >>> regions = EditedRegions([Region(((0, 0), (9, 0), (9, 9)), "sofa", "r1")])
    >>> regions.ids, regions.labels["sofa"], regions.uncertain
    (['r1'], 1, 0)
    """

    bounds: NDArray[np.float64] | None = None
    recorded: bytearray | None = None

    @classmethod
    def of(cls, regions: Sequence[Region]) -> EditedRegions:
        """These regions; what has been found out about them stays known."""
        return regions if isinstance(regions, cls) else cls(regions)

    @cached_property
    def ids(self) -> list[str]:
        """Their ids."""
        return list(map(_id, self))

    @cached_property
    def labels(self) -> Counter[str]:
        """How many of them carry each label."""
        return Counter(map(_label, self))

    @cached_property
    def uncertain(self) -> int:
        """How many of them are marked as uncertain."""
        return sum(map(_uncertain, self))


class BulkEdit(Sequence[Edit]):
    """Edits that are made when they are looked at; equal to any sequence of equal edits."""

    __hash__ = None  # type: ignore[assignment]  # as lists have none

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    @overload
    def __getitem__(self, at: int) -> Edit: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Edit]: ...
    def __getitem__(self, at: int | slice) -> Edit | Sequence[Edit]:
        places = range(len(self))[at]
        if isinstance(places, range):
            return tuple(map(self._edit, places))
        return self._edit(places)

    def __iter__(self) -> Iterator[Edit]:
        return map(self._edit, range(len(self)))

    def _edit(self, at: int) -> Edit:
        raise NotImplementedError


class Insertions(BulkEdit):
    """Regions come in.

    Parameters
    ----------
    regions : sequence of Region
    places : sequence of int
        Of each region in the order that is then; rising.
    """

    def __init__(self, regions: Sequence[Region], places: Sequence[int]) -> None:
        self.regions, self.places = EditedRegions.of(regions), tuple(places)

    def __len__(self) -> int:
        return len(self.regions)

    @property
    def ids(self) -> list[str]:
        """The ids of the regions."""
        return self.regions.ids

    def in_order(self, order: list[str]) -> list[str] | None:
        """The ids of a page once the regions are there; None where there are no such places."""
        total = len(order) + len(self)
        if self.places == tuple(range(len(order), total)):
            return order + self.ids
        ids = dict(zip(self.places, self.ids, strict=True))
        if len(ids) < len(self) or min(ids) < 0 or max(ids) >= total:
            return None
        others = iter(order)
        return [ids[at] if at in ids else next(others) for at in range(total)]

    def _edit(self, at: int) -> Edit:
        return Insert(self.regions[at], self.places[at])


class Removals(BulkEdit):
    """Regions go, the last one first.

    Parameters
    ----------
    regions : sequence of Region
    places : sequence of int
        Of each region in the order before; rising.
    """

    def __init__(self, regions: Sequence[Region], places: Sequence[int]) -> None:
        self.regions, self.places = EditedRegions.of(regions), tuple(places)

    def __len__(self) -> int:
        return len(self.regions)

    @property
    def ids(self) -> list[str]:
        """The ids of the regions."""
        return self.regions.ids

    def in_order(self, order: list[str]) -> list[str] | None:
        """The ids of a page once the regions are gone; None where they are not at their places."""
        if self.places and not 0 <= min(self.places) <= max(self.places) < len(order):
            return None
        there = list(map(order.__getitem__, self.places))
        if there != self.ids or len(set(self.places)) < len(self):
            return None
        stays = np.ones(len(order), dtype=np.bool_)
        stays[list(self.places)] = False
        return list(compress(order, stays.tolist()))

    def _edit(self, at: int) -> Edit:
        at = len(self) - 1 - at
        return Remove(self.regions[at], self.places[at])


class Changes(BulkEdit):
    """Regions become others with the same ids.

    Parameters
    ----------
    before, after : sequence of Region
        In the same order.
    fields : collection of str
        Of `FIELDS`, those in which some differ.

    Attributes
    ----------
    was, now : mapping of str to sequence
        Values before and after, of those of the fields of which they are known.
    """

    def __init__(
        self, before: Sequence[Region], after: Sequence[Region], fields: Sequence[str] = FIELDS
    ) -> None:
        self.before, self.fields = EditedRegions.of(before), tuple(fields)
        self.was: Columns = {}
        self.now: Columns = {}
        self.after = EditedRegions.of(after)

    @classmethod
    def of(cls, before: Sequence[Region], was: Columns, now: Columns) -> Changes:
        """Give regions other values, which have to be valid, in all fields of ``now``.

        The regions are made when they are needed first, so that columns can be added before.
        """
        changes = cls(before, (), tuple(now))
        del changes.after
        changes.was, changes.now = was, now
        return changes

    @classmethod
    def between(cls, before: Sequence[Region], after: Sequence[Region]) -> Changes:
        """Regions become those with the same ids, as far as they differ."""
        pairs = [
            pair
            for pair in zip(before, after, strict=True)
            if pair[0] != pair[1] or pair[0].history != pair[1].history
        ]
        return cls([old for old, _ in pairs], [new for _, new in pairs])

    @property
    def inverse(self) -> Changes:
        """What takes them back."""
        changes = Changes(self.after, self.before, self.fields)
        changes.was, changes.now = self.now, self.was
        return changes

    def columns_before(self, fields: Iterable[str]) -> Columns:
        """The values of some of the fields before."""
        return columns_of(self.before, fields, self.was)

    def columns_after(self, fields: Iterable[str]) -> Columns:
        """The values of some of the fields after."""
        return columns_of(self.after, fields, self.now)

    @cached_property
    def after(self) -> EditedRegions:
        """The regions as they become."""
        after = EditedRegions(with_values(self.before, self.now))
        after.ids = self.before.ids
        return after

    def __len__(self) -> int:
        return len(self.before)

    @property
    def ids(self) -> list[str]:
        """The ids of the regions."""
        return self.before.ids

    def _edit(self, at: int) -> Edit:
        return Replace(self.before[at], self.after[at])


class Joined(BulkEdit):
    """Sequences of edits, one after the other."""

    def __init__(self, parts: Sequence[Sequence[Edit]]) -> None:
        self.parts = tuple(part for part in parts if len(part))

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def __iter__(self) -> Iterator[Edit]:
        return chain.from_iterable(self.parts)

    def _edit(self, at: int) -> Edit:
        for part in self.parts:
            if at < len(part):
                return part[at]
            at -= len(part)
        raise IndexError(at)


def parts_of(edits: Sequence[Edit]) -> tuple[Sequence[Edit], ...]:
    """Bulk edits and sequences of single ones, in their order.

    Examples
    --------
    >>> few = (Insert(Region(((0, 0), (1, 0), (1, 1))), 0),)
    >>> parts_of(few) == (few,)
    True
    """
    return edits.parts if isinstance(edits, Joined) else (edits,)


def joined(*sequences: Sequence[Edit]) -> Sequence[Edit]:
    """All edits, one sequence after the other; bulk edits stay such."""
    parts: list[BulkEdit | list[Edit]] = []
    for part in chain.from_iterable(map(parts_of, sequences)):
        if isinstance(part, BulkEdit):
            parts.append(part)
        elif parts and isinstance(parts[-1], list):
            parts[-1].extend(part)
        else:
            parts.append(list(part))
    kept = [part if isinstance(part, BulkEdit) else tuple(part) for part in parts if len(part)]
    return kept[0] if len(kept) == 1 else Joined(kept) if kept else ()


def inverses(edits: Sequence[Edit]) -> Sequence[Edit]:
    """The edits that take these back, last one first.

    Examples
    --------
    >>> region = Region(((0, 0), (1, 0), (1, 1)))
    >>> inverses([Insert(region, 0)]) == (Remove(region, 0),)
    True
    """
    match edits:
        case Insertions():
            return Removals(edits.regions, edits.places)
        case Removals():
            return Insertions(edits.regions, edits.places)
        case Changes():
            return edits.inverse
        case Joined():
            return Joined([inverses(part) for part in reversed(edits.parts)])
    return tuple(inverse(edit) for edit in reversed(edits))


def columns_of(
    regions: Sequence[Region], fields: Iterable[str], known: Columns = MappingProxyType({})
) -> Columns:
    """The values of some of the fields of regions; columns that are known are taken as they are."""
    columns: dict[str, Sequence[Any]] = {}
    read: dict[str, list[Any]] = {}
    for field in fields:
        columns[field] = known[field] if field in known else read.setdefault(field, [])
    for start in range(0, len(regions), _BLOCK):
        block = regions[start : start + _BLOCK]
        for field, column in read.items():
            column.extend(map(attrgetter(field), block))
    return columns
