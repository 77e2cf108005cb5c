"""Edits of many regions that are kept as columns, and applied and recorded as such.

A bulk edit is a sequence of the single edits that it stands for, which are made when they are
looked at. So it can be used wherever edits are expected; who has to be quick with 50,000 regions
takes its columns instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from spotlab.editing.edits import Edit, Insert, Remove, Replace, inverse
from spotlab.model import Region
from spotlab.model.region import with_values

MANY = 200  # regions of one step from which they are kept as columns
FIELDS = ("points", "label", "primitive", "uncertain", "comment", "text", "ignore", "history")
_id, _label, _uncertain = map(attrgetter, ("id", "label", "uncertain"))


class EditedRegions(tuple[Region, ...]):
    """The regions of a bulk edit, with what is found out about all of them at once.

    An edit and its inverse have the same ones.

    Attributes
    ----------
    bounds : (4, N) float or None
        Left, top, right and bottom of each in px, where they are known.

    Examples
    --------
    >>> regions = EditedRegions([Region(((0, 0), (9, 0), (9, 9)), "sofa", "r1")])
    >>> regions.ids, regions.labels["sofa"], regions.uncertain
    (['r1'], 1, 0)
    """

    bounds: NDArray[np.float64] | None = None

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
    """

    def __init__(
        self, before: Sequence[Region], after: Sequence[Region], fields: Sequence[str] = FIELDS
    ) -> None:
        self.before, self.fields = EditedRegions.of(before), tuple(fields)
        self.columns: Mapping[str, Sequence[Any]] = {}  # that make `after`, where they are known
        self.after = EditedRegions.of(after)

    @classmethod
    def of(cls, before: Sequence[Region], columns: Mapping[str, Sequence[Any]]) -> Changes:
        """Give regions other values, which have to be valid, by the name of the field.

        The regions are made when they are needed first, so that columns can be added before.
        """
        changes = cls(before, (), tuple(columns))
        del changes.after
        changes.columns = columns
        return changes

    @cached_property
    def after(self) -> EditedRegions:
        """The regions as they become."""
        after = EditedRegions(with_values(self.before, self.columns))
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
            return Changes(edits.after, edits.before, edits.fields)
        case Joined():
            return Joined([inverses(part) for part in reversed(edits.parts)])
    return tuple(inverse(edit) for edit in reversed(edits))
