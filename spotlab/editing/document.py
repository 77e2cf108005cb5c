"""The truth of one page while it is edited: three inverse edits on an ordered set of regions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from spotlab.model import Contribution, Page, Region, Truth
from spotlab.signal import Signal


@dataclass(frozen=True)
class Insert:
    """The region comes in at this place in the order."""

    region: Region
    index: int


@dataclass(frozen=True)
class Remove:
    """The region goes from this place in the order."""

    region: Region
    index: int


@dataclass(frozen=True)
class Replace:
    """A region, or the page's own value, becomes another one; a region keeps its id."""

    before: Region | Page
    after: Region | Page


Edit = Insert | Remove | Replace


def inverse(edit: Edit) -> Edit:
    """The edit that takes this one back.

    Examples
    --------
    >>> region = Region(((0, 0), (1, 0), (1, 1)))
    >>> inverse(Insert(region, 0)) == Remove(region, 0)
    True
    """
    match edit:
        case Insert(region, index):
            return Remove(region, index)
        case Remove(region, index):
            return Insert(region, index)
        case Replace(before, after):
            return Replace(after, before)


def inverses(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits that take these back, last one first."""
    return tuple(inverse(edit) for edit in reversed(edits))


def _history(value: Region | Page) -> tuple[Contribution, ...]:
    return value.history if isinstance(value, Region) else ()


class EditError(ValueError):
    """An edit does not fit the document; nothing has changed."""


class Document:
    """An ordered set of regions on a page that changes only by edits.

    ``changed`` is emitted with the edits after they have all been applied and recorded.
    """

    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self._page = truth.page
        self._regions = {region.id: region for region in truth.regions}
        self._order = [region.id for region in truth.regions]
        self.changed = Signal[[tuple[Edit, ...]]]()

    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[Region]:
        return (self._regions[id] for id in self._order)

    def __contains__(self, id: object) -> bool:
        return id in self._regions

    def __getitem__(self, id: str) -> Region:
        return self._regions[id]

    def get(self, id: str) -> Region | None:
        """The region with this id, if there is one."""
        return self._regions.get(id)

    def index(self, id: str, expected: int = 0) -> int:
        """The place of a region in the order; ``expected`` is looked at first."""
        if 0 <= expected < len(self) and self._order[expected] == id:
            return expected
        return self._order.index(id)

    @property
    def page(self) -> Page:
        """The page as it is now."""
        return self._page

    @property
    def truth(self) -> Truth:
        """The document's value now, with the source it was read from."""
        return replace(self._truth, page=self._page, regions=tuple(self))

    def adding(self, *regions: Region) -> list[Edit]:
        """Edits that put regions on top of the others."""
        return [Insert(region, len(self) + count) for count, region in enumerate(regions)]

    def removing(self, ids: Iterable[str]) -> list[Edit]:
        """Edits that take these regions away; ids that are not there are passed over."""
        gone = set(ids)
        return [
            Remove(self._regions[id], index)
            for index, id in reversed(list(enumerate(self._order)))
            if id in gone
        ]

    def replacing(self, *values: Region | Page) -> list[Edit]:
        """Edits that put these values in place of those with the same id; equal ones are none."""
        edits: list[Edit] = []
        for value in values:
            before = self._page if isinstance(value, Page) else self._regions[value.id]
            if before != value or _history(before) != _history(value):
                edits.append(Replace(before, value))
        return edits

    def difference(self, truth: Truth) -> list[Edit]:
        """Edits that make another truth of this one: regions with the same id are replaced."""
        coming = {region.id: region for region in truth.regions}
        staying = [id for id in self._order if id in coming]
        if staying != [region.id for region in truth.regions if region.id in self._regions]:
            staying = []  # another order
        kept = set(staying)
        edits = self.removing(id for id in self._order if id not in kept)
        edits += self.replacing(truth.page, *(coming[id] for id in staying))
        edits += [
            Insert(region, index)
            for index, region in enumerate(truth.regions)
            if region.id not in kept
        ]
        return edits

    def rebase(self, truth: Truth) -> None:
        """From now on what is written goes into this truth's source."""
        self._truth = truth

    def apply(self, edits: Sequence[Edit]) -> None:
        """Apply all edits or none, telling nobody; `History` calls this and then emits.

        Raises
        ------
        EditError
            An edit does not fit: the id is taken, the value there is another, …
        """
        done: list[Edit] = []
        try:
            for edit in edits:
                self._apply(edit)
                done.append(edit)
        except EditError:
            for edit in inverses(done):
                self._apply(edit)
            raise

    def _apply(self, edit: Edit) -> None:
        match edit:
            case Insert(region, index):
                if region.id in self._regions:
                    raise EditError(f"there is a region {region.id} already")
                if not 0 <= index <= len(self._order):
                    raise EditError(f"there is no place {index}")
                self._regions[region.id] = region
                self._order.insert(index, region.id)
            case Remove(region, index):
                at = self._order[index] if 0 <= index < len(self._order) else None
                if at != region.id or self._regions[region.id] != region:
                    raise EditError(f"region {region.id} is not at place {index}")
                del self._regions[region.id]
                del self._order[index]
            case Replace(Page() as before, Page() as after):
                if self._page != before:
                    raise EditError("the page is not what was to be replaced")
                self._page = after
            case Replace(Region() as before, Region() as after):
                if before.id != after.id or self._regions.get(before.id) != before:
                    raise EditError(f"region {before.id} is not what was to be replaced")
                self._regions[after.id] = after
            case _:
                raise EditError("a page cannot take a region's place")
