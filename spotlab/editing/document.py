"""The truth of one page while it is edited: three inverse edits on an ordered set of regions."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress, repeat
from operator import attrgetter, ne

from spotlab.editing.bulk_edits import (
    MANY,
    Changes,
    EditedRegions,
    Insertions,
    Removals,
    inverses,
    joined,
    parts_of,
)
from spotlab.editing.edits import Edit, Insert, Remove, Replace, inverse
from spotlab.model import Contribution, Page, PageState, Region, Truth
from spotlab.signal import Signal

__all__ = [
    "Document", "Edit", "EditError", "Insert", "Remove", "Replace", "inverse", "inverses",
]  # fmt: skip

_id, _label, _uncertain = map(attrgetter, ("id", "label", "uncertain"))


def _history(value: Region | Page) -> tuple[Contribution, ...]:
    return value.history if isinstance(value, Region) else ()


def _same(here: Region | None, expected: Region) -> bool:
    return here is expected or here == expected


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
        self._counts = Counter(map(_label, truth.regions))
        self._uncertain = sum(map(_uncertain, truth.regions))
        self.version = 0  # counts changes
        self._value: tuple[int, Truth] | None = None
        self._listed: tuple[tuple[str, ...], tuple[Region, ...]] | None = None
        self.changed = Signal[[Sequence[Edit]]]()

    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[Region]:
        return iter(self.regions)

    def __contains__(self, id: object) -> bool:
        return id in self._regions

    def __getitem__(self, id: str) -> Region:
        return self._regions[id]

    def get(self, id: str) -> Region | None:
        """The region with this id, if there is one."""
        return self._regions.get(id)

    def regions_of(self, ids: Sequence[str]) -> tuple[Region, ...]:
        """The regions with these ids, in this order; ids that are not there are passed over."""
        if self._are_all(ids):
            return self.regions
        return tuple(filter(None, map(self._regions.get, ids)))

    def index(self, id: str, expected: int = 0) -> int:
        """The place of a region in the order; ``expected`` is looked at first."""
        if 0 <= expected < len(self) and self._order[expected] == id:
            return expected
        return self._order.index(id)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the regions in their order."""
        return self._lists()[0]

    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions in their order; the same tuple until the document changes."""
        return self._lists()[1]

    @property
    def page(self) -> Page:
        """The page as it is now."""
        return self._page

    @property
    def truth(self) -> Truth:
        """The document's value now, with the source it was read from."""
        if self._value is None or self._value[0] != self.version:
            value = replace(self._truth, page=self._page, regions=self.regions)
            self._value = self.version, value
        return self._value[1]

    def _lists(self) -> tuple[tuple[str, ...], tuple[Region, ...]]:
        """Ids and regions, put together once for all who ask until the document changes."""
        if self._listed is None:
            regions = tuple(map(self._regions.__getitem__, self._order))
            self._listed = tuple(self._order), regions
        return self._listed

    def _are_all(self, ids: Sequence[str]) -> bool:
        """Whether these are the ids of all regions, in their order."""
        return len(ids) == len(self) and tuple(ids) == self.ids

    @property
    def labels(self) -> dict[str, int]:
        """How many regions carry each label, in alphabetical order; "" stands for none."""
        return {name: count for name, count in sorted(self._counts.items()) if count}

    @property
    def state(self) -> PageState:
        """Completeness of the truth, as of `Truth.state`."""
        if self._uncertain:
            return PageState.UNCERTAIN
        if self._page.checked:
            return PageState.CHECKED
        return PageState.DRAFT if self._order else PageState.UNTOUCHED

    def adding(self, *regions: Region) -> Sequence[Edit]:
        """Edits that put regions on top of the others."""
        if len(regions) >= MANY:
            return Insertions(regions, range(len(self), len(self) + len(regions)))
        return [Insert(region, len(self) + count) for count, region in enumerate(regions)]

    def removing(self, ids: Iterable[str]) -> Sequence[Edit]:
        """Edits that take these regions away; ids that are not there are passed over."""
        ids = tuple(ids)
        if len(ids) >= MANY and self._are_all(ids):
            regions = EditedRegions(self.regions)
            regions.ids, regions.labels = list(ids), Counter(self._counts)
            regions.uncertain = self._uncertain
            return Removals(regions, range(len(self)))
        gone = set(ids)
        if len(gone) >= MANY:
            goes = list(map(gone.__contains__, self._order))
            regions = EditedRegions(compress(self.regions, goes))
            regions.ids = list(compress(self._order, goes))
            return Removals(regions, list(compress(range(len(self)), goes)))
        return [
            Remove(self._regions[id], index)
            for index, id in reversed(list(enumerate(self._order)))
            if id in gone
        ]

    def replacing(self, *values: Region | Page) -> Sequence[Edit]:
        """Edits that put these values in place of those with the same id; equal ones are none."""
        if len(values) >= MANY:
            regions = [value for value in values if isinstance(value, Region)]
            pages = [value for value in values if isinstance(value, Page)]
            there = [self._regions[region.id] for region in regions]
            return joined(Changes.between(there, regions), self.replacing(*pages))
        edits: list[Edit] = []
        for value in values:
            before = self._page if isinstance(value, Page) else self._regions[value.id]
            if before != value or _history(before) != _history(value):
                edits.append(Replace(before, value))
        return edits

    def setting(self, ids: Iterable[str], field: str, value: object) -> Sequence[Edit]:
        """Edits that give regions a value, which has to be valid, where they have another one.

        Ids that are not there are passed over.
        """
        ids = tuple(ids)
        regions = self.regions_of(ids)
        values = list(map(attrgetter(field), regions))
        others = list(map(ne, values, repeat(value)))
        before = EditedRegions(compress(regions, others))
        if len(regions) == len(ids):
            before.ids = list(compress(ids, others))
        was = list(compress(values, others))
        changes = Changes.of(before, {field: was}, {field: [value] * len(before)})
        return changes if len(changes) >= MANY else list(changes)

    def difference(self, truth: Truth) -> list[Edit]:
        """Edits that make another truth of this one: regions with the same id are replaced."""
        coming = {region.id: region for region in truth.regions}
        staying = [id for id in self._order if id in coming]
        if staying != [region.id for region in truth.regions if region.id in self._regions]:
            staying = []  # another order
        kept = set(staying)
        edits = list(self.removing(id for id in self._order if id not in kept))
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
        self._value = None

    def apply(self, edits: Sequence[Edit]) -> None:
        """Apply all edits or none, telling nobody; `History` calls this and then emits.

        Raises
        ------
        EditError
            An edit does not fit: the id is taken, the value there is another, …
        """
        done: list[Sequence[Edit]] = []
        self.version += 1
        try:
            for part in parts_of(edits):
                self._apply_part(part)
                done.append(part)
        except EditError:
            for part in reversed(done):
                self._apply_part(inverses(part))
            raise

    def _apply_part(self, edits: Sequence[Edit]) -> None:
        """Apply a bulk edit, or all of some single ones, or none."""
        match edits:
            case Insertions():
                self._insert(edits)
            case Removals():
                self._remove(edits)
            case Changes():
                self._change(edits)
            case _:
                self._apply_each(edits)

    def _insert(self, edits: Insertions) -> None:
        new = dict(zip(edits.ids, edits.regions, strict=True))
        if len(new) < len(edits) or not self._regions.keys().isdisjoint(new):
            raise EditError("there are some of the regions already")
        order = edits.in_order(self._order)
        if order is None:
            raise EditError("there are no such places")
        self._order, self._listed = order, None
        self._regions.update(new)
        self._count(edits.regions, 1)

    def _remove(self, edits: Removals) -> None:
        order = edits.in_order(self._order)
        if order is None or self.regions_of(edits.ids) != edits.regions:
            raise EditError("the regions are not at their places")
        self._order, self._listed = order, None
        if order:
            deque(map(self._regions.pop, edits.ids), maxlen=0)
        else:
            self._regions.clear()
        self._count(edits.regions, -1)

    def _change(self, edits: Changes) -> None:
        ids, all_ids = edits.ids, self.ids
        if ids != edits.after.ids or self.regions_of(ids) != edits.before:
            raise EditError("the regions are not what was to be replaced")
        are_all = self._are_all(ids)
        if not are_all and len(set(ids)) < len(ids):
            raise EditError("a region cannot be replaced twice")
        self._regions.update(zip(ids, edits.after, strict=True))
        self._listed = (all_ids, tuple(edits.after)) if are_all else None
        counted = [field for field in ("label", "uncertain") if field in edits.fields]
        was, now = edits.columns_before(counted), edits.columns_after(counted)
        if "label" in counted:
            self._counts.subtract(Counter(was["label"]))
            self._counts.update(now["label"])
        if "uncertain" in counted:
            self._uncertain += sum(now["uncertain"]) - sum(was["uncertain"])

    def _count(self, regions: EditedRegions, by: int) -> None:
        """Keep the counts up to date: these regions come, or go."""
        for label, count in regions.labels.items():
            self._counts[label] += by * count
        self._uncertain += by * regions.uncertain

    def _apply_each(self, edits: Sequence[Edit]) -> None:
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
                self._listed = None
                self._regions[region.id] = region
                self._order.insert(index, region.id)
                self._count(EditedRegions([region]), 1)
            case Remove(region, index):
                at = self._order[index] if 0 <= index < len(self._order) else None
                if at != region.id or not _same(self._regions[region.id], region):
                    raise EditError(f"region {region.id} is not at place {index}")
                self._listed = None
                del self._regions[region.id]
                del self._order[index]
                self._count(EditedRegions([region]), -1)
            case Replace(Page() as before, Page() as after):
                if self._page != before:
                    raise EditError("the page is not what was to be replaced")
                self._page = after
            case Replace(Region() as before, Region() as after):
                if before.id != after.id or not _same(self._regions.get(before.id), before):
                    raise EditError(f"region {before.id} is not what was to be replaced")
                self._listed = None
                self._regions[after.id] = after
                self._count(EditedRegions([before]), -1)
                self._count(EditedRegions([after]), 1)
            case _:
                raise EditError("a page cannot take a region's place")
