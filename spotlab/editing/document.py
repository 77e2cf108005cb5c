"""The truth of one page while it is edited: an ordered set of regions that only edits change.

There is one kind of edit: regions come, go or become others, and each edit has an inverse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter

from spotlab.model import Contribution, Deed, Page, PageState, Region, Truth
from spotlab.model.region import with_contribution, with_values
from spotlab.signal import Signal

_id, _label, _history = map(attrgetter, ("id", "label", "history"))
_uncertain = attrgetter("uncertain")
MANY = 200  # regions of one step from which they are recorded as columns, and painted later


@dataclass(frozen=True)
class Edit:
    """Regions of a page before and after, or the page's own value before and after.

    Regions come in where there are none before, and go where there are none after. Otherwise they
    become others with the same ids, one by one.

    Attributes
    ----------
    before, after : tuple of Region
    places : tuple of int
        Of regions that come or go: where each stands in the order of the page that has all of
        them; rising. Empty for regions that become others.
    page : (Page, Page), optional
        The page's own value before and after; then there are no regions.

    Examples
    --------
    >>> region = Region(((0, 0), (1, 0), (1, 1)))
    >>> Edit(after=(region,), places=(0,)).inverse == Edit(before=(region,), places=(0,))
    True
    """

    before: tuple[Region, ...] = ()
    after: tuple[Region, ...] = ()
    places: tuple[int, ...] = ()
    page: tuple[Page, Page] | None = None

    @property
    def inverse(self) -> Edit:
        """The edit that takes this one back."""
        page = None if self.page is None else (self.page[1], self.page[0])
        return Edit(self.after, self.before, self.places, page)

    @property
    def size(self) -> int:
        """The number of regions that come, go or become others."""
        return max(len(self.before), len(self.after))

    def singles(self) -> Iterator[Edit]:
        """Edits of one region each that do the same, in this order."""
        if self.page is not None:
            yield self
        elif not self.places:
            for before, after in zip(self.before, self.after, strict=True):
                yield Edit((before,), (after,))
        elif self.after:
            for region, place in zip(self.after, self.places, strict=True):
                yield Edit((), (region,), (place,))
        else:  # the last one first, so that the places of the others stay
            for region, place in zip(self.before[::-1], self.places[::-1], strict=True):
                yield Edit((region,), (), (place,))


def inverses(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Return the edits that take these back, the last one first."""
    return tuple(edit.inverse for edit in reversed(edits))


def size_of(edits: Sequence[Edit]) -> int:
    """Count the regions that come, go or become others."""
    return sum(edit.size for edit in edits)


def sign(edits: Sequence[Edit], author: str, time: datetime) -> tuple[Edit, ...]:
    """Put the author of a step into the history of the regions that it draws or changes.

    A region that comes in with a history, such as a part of a region that was split, counts as
    changed. Undo puts the region back with the history that it had.

    Parameters
    ----------
    edits : sequence of Edit
        In the order in which they are applied.
    author : str
        Who takes the step.
    time : datetime
        When, with a time zone.

    Examples
    --------
    >>> from datetime import UTC
    >>> region = Region(((0, 0), (1, 0), (1, 1)))
    >>> signed = sign([Edit((), (region,), (0,))], "Anna", datetime(2026, 1, 1, tzinfo=UTC))
    >>> [entry.text for entry in signed[0].after[0].history]
    ['drawn 2026-01-01T00:00:00+00:00 Anna']
    """
    drawn = Contribution(Deed.DRAWN, author, time)
    changed = Contribution(Deed.CHANGED, author, time)
    latest: dict[str, Region] = {}  # what the step has made of each region so far, or taken away
    signed = []
    for edit in edits:
        before = edit.before
        if latest:
            before = tuple(latest.get(region.id, region) for region in before)
        past = list(map(_history, edit.after if edit.places else before))
        if edit.places and latest:
            known = [latest.get(region.id, region).history for region in edit.after]
            past = [history or old for history, old in zip(past, known, strict=True)]
        first = drawn if edit.places else changed
        shared = {id(history): history for history in past}  # by many regions; so is the new one
        new = {
            key: with_contribution(history, changed if history else first)
            for key, history in shared.items()
        }
        histories = [new[id(history)] for history in past]
        after = tuple(with_values(edit.after, {"history": histories}))
        if edit is not edits[-1]:
            latest |= {region.id: region for region in (*before, *after)}
        signed.append(Edit(before, after, edit.places, edit.page))
    return tuple(signed)


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
        self._ids: tuple[str, ...] | None = None
        self._listed: tuple[Region, ...] | None = None
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
        if len(ids) == len(self) and tuple(ids) == self.ids:
            return self.regions
        return tuple(filter(None, map(self._regions.get, ids)))

    def index(self, id: str, expected: int = 0) -> int:
        """The place of a region in the order; ``expected`` is looked at first."""
        if 0 <= expected < len(self) and self._order[expected] == id:
            return expected
        return self._order.index(id)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the regions in their order; the same tuple until regions come or go."""
        if self._ids is None:
            self._ids = tuple(self._order)
        return self._ids

    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions in their order; the same tuple until the document changes."""
        if self._listed is None:
            self._listed = tuple(map(self._regions.__getitem__, self._order))
        return self._listed

    @property
    def page(self) -> Page:
        """The page as it is now."""
        return self._page

    @property
    def truth(self) -> Truth:
        """The document's value now, with the source it was read from."""
        if self._value is None or self._value[0] != self.version:
            page = replace(self._page, image_id=self._truth.page.image_id)  # edits know none
            value = replace(self._truth, page=page, regions=self.regions)
            self._value = self.version, value
        return self._value[1]

    @property
    def labels(self) -> dict[str, int]:
        """Number of regions with each label, in alphabetical order; "" stands for none."""
        return {name: count for name, count in sorted(self._counts.items()) if count}

    @property
    def state(self) -> PageState:
        """Completeness of the truth, as of `Truth.state`."""
        if self._uncertain:
            return PageState.UNCERTAIN
        if self._page.checked:
            return PageState.CHECKED
        return PageState.DRAFT if self._order else PageState.UNTOUCHED

    def adding(self, *regions: Region) -> list[Edit]:
        """Edits that put regions on top of the others."""
        return _coming(regions, range(len(self), len(self) + len(regions)))

    def removing(self, ids: Iterable[str]) -> list[Edit]:
        """Edits that take these regions away; ids that are not there are passed over."""
        gone = set(ids)
        places = tuple(at for at, id in enumerate(self._order) if id in gone)
        regions = self.regions
        return [Edit(tuple(regions[at] for at in places), (), places)] if places else []

    def replacing(self, *values: Region | Page) -> list[Edit]:
        """Edits that put these values in place of those with the same id; equal ones are none."""
        regions = [value for value in values if isinstance(value, Region)]
        pages = [value for value in values if isinstance(value, Page)]
        edits = _becoming([self._regions[region.id] for region in regions], regions)
        return edits + [Edit(page=(self._page, page)) for page in pages if page != self._page]

    def setting(self, ids: Iterable[str], field: str, value: object) -> list[Edit]:
        """Edits that give regions a value, which has to be valid, where they have another one.

        Ids that are not there are passed over.
        """
        before = [each for each in self.regions_of(tuple(ids)) if getattr(each, field) != value]
        after = with_values(before, {field: [value] * len(before)})
        return [Edit(tuple(before), tuple(after))] if before else []

    def difference(self, truth: Truth) -> list[Edit]:
        """Edits that make another truth of this one: regions with the same id are replaced."""
        coming = {region.id: region for region in truth.regions}
        staying = [id for id in self._order if id in coming]
        if staying != [region.id for region in truth.regions if region.id in self._regions]:
            staying = []  # another order
        kept = set(staying)
        new = {at: region for at, region in enumerate(truth.regions) if region.id not in kept}
        edits = self.removing(id for id in self._order if id not in kept)
        edits += self.replacing(truth.page, *(coming[id] for id in staying))
        return edits + _coming(new.values(), new)

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
        done: list[Edit] = []
        self.version += 1
        try:
            for edit in edits:
                self._apply(edit)
                done.append(edit)
        except EditError:
            for edit in inverses(done):
                self._apply(edit)
            raise

    def _apply(self, edit: Edit) -> None:
        if edit.page is not None:
            before, after = edit.page
            if self._page != before:
                raise EditError("the page is not what was to be replaced")
            self._page = after
            return
        going, coming = list(map(_id, edit.before)), list(map(_id, edit.after))
        if list(map(self._regions.get, going)) != list(edit.before):
            raise EditError("the regions are not what was to go or to be replaced")
        if not edit.places:
            if going != coming or len(set(going)) < len(going):
                raise EditError("each region becomes one other with the same id")
        elif going:
            self._reorder(self._order_without(going, edit.places))
        else:
            self._reorder(self._order_with(coming, edit.places))
        if edit.places:
            for id in going:
                del self._regions[id]
        self._regions.update(zip(coming, edit.after, strict=True))
        self._listed = None
        self._counts.subtract(Counter(map(_label, edit.before)))
        self._counts.update(map(_label, edit.after))
        self._uncertain += sum(map(_uncertain, edit.after)) - sum(map(_uncertain, edit.before))

    def _reorder(self, order: list[str]) -> None:
        self._order, self._ids = order, None

    def _order_without(self, ids: Sequence[str], places: Sequence[int]) -> list[str]:
        gone = dict(zip(places, ids, strict=True))
        there = {at: id for at, id in enumerate(self._order) if at in gone}
        if there != gone or len(gone) < len(ids):
            raise EditError("the regions are not at their places")
        return [id for at, id in enumerate(self._order) if at not in gone]

    def _order_with(self, ids: Sequence[str], places: Sequence[int]) -> list[str]:
        if len(set(ids)) < len(ids) or not self._regions.keys().isdisjoint(ids):
            raise EditError("there are some of the regions already")
        new, total = dict(zip(places, ids, strict=True)), len(self._order) + len(ids)
        if len(new) < len(ids) or min(places) < 0 or max(places) >= total:
            raise EditError("there are no such places")
        others = iter(self._order)
        return [new[at] if at in new else next(others) for at in range(total)]


def _coming(regions: Iterable[Region], places: Iterable[int]) -> list[Edit]:
    edit = Edit((), tuple(regions), tuple(places))
    return [edit] if edit.size else []


def _becoming(before: Sequence[Region], after: Sequence[Region]) -> list[Edit]:
    pairs = [
        (old, new)
        for old, new in zip(before, after, strict=True)
        if old != new or old.history != new.history
    ]
    return [Edit(*map(tuple, zip(*pairs, strict=True)))] if pairs else []
