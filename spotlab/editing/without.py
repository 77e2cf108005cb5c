"""Edits as they would be if some regions had never come in."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping

from spotlab.editing.document import Edit, Insert, Remove, Replace
from spotlab.model import Region


class Without:
    """Follows a page's edits, and gives them without some of its regions.

    What is about these regions is left out; the others stand at lower places.

    Parameters
    ----------
    places : mapping of str to int
        Where the regions are before the first edit, by id.

    Examples
    --------
    >>> word, sofa = (Region(((0, 0), (1, 0), (1, 1)), id=id) for id in ("word", "sofa"))
    >>> without = Without({"word": 4})
    >>> edits = without.edits([Insert(sofa, 5), Remove(word, 4), Remove(sofa, 4)])
    >>> [(edit.region.id, edit.index) for edit in edits]
    [('sofa', 4), ('sofa', 4)]
    """

    def __init__(self, places: Mapping[str, int]) -> None:
        self._ids = frozenset(places)
        self._places = sorted(places.values())

    def edits(self, edits: Iterable[Edit]) -> list[Edit]:
        """The next edits."""
        return [edit for each in edits if (edit := self._edit(each)) is not None]

    def _edit(self, edit: Edit) -> Edit | None:
        match edit:
            case Insert(region, index):
                return self._insert(region, index)
            case Remove(region, index):
                return self._remove(region, index)
            case Replace(Region() as before, _) if before.id in self._ids:
                return None
        return edit

    def _insert(self, region: Region, index: int) -> Edit | None:
        at = bisect_left(self._places, index)
        moved = [place + 1 for place in self._places[at:]]
        if region.id in self._ids:
            self._places[at:] = [index, *moved]
            return None
        self._places[at:] = moved
        return Insert(region, index - at)

    def _remove(self, region: Region, index: int) -> Edit | None:
        at = bisect_left(self._places, index)
        own = region.id in self._ids
        self._places[at:] = [place - 1 for place in self._places[at + own :]]
        return None if own else Remove(region, index - at)
