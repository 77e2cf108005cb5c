"""One kind of edit: regions of a page come, go or become others; each edit has an inverse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from spotlab.model import Contribution, Deed, Page, Region
from spotlab.model.region import with_contribution, with_values

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
        before = tuple(latest.get(region.id, region) for region in edit.before)
        past = [latest.get(region.id, region).history for region in edit.after]
        if edit.places:
            past = [region.history or old for region, old in zip(edit.after, past, strict=True)]
        else:
            past = [region.history for region in before]
        first = drawn if edit.places else changed
        new = {  # many regions share a history, and have to share the new one
            id(history): with_contribution(history, changed if history else first)
            for history in past
        }
        histories = [new[id(history)] for history in past]
        after = tuple(with_values(edit.after, {"history": histories}))
        latest |= {region.id: region for region in (*before, *after)}
        signed.append(Edit(before, after, edit.places, edit.page))
    return tuple(signed)
