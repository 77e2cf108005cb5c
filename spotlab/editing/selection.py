"""Which regions are selected: ids in the order in which they were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spotlab.editing.document import Document
from spotlab.model import Region
from spotlab.signal import Signal


class Selection:
    """An ordered set of region ids; ``changed`` is emitted when it has become another.

    Examples
    --------
    >>> selection = Selection()
    >>> selection.set(["a", "b"])
    >>> selection.toggle("a")
    >>> selection.ids, selection.primary
    (('b',), 'b')
    """

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}
        self._order: tuple[str, ...] = ()
        self._known: tuple[Document, int, tuple[str, ...], tuple[Region, ...]] | None = None
        self.changed = Signal[[]]()

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self._order)

    def __contains__(self, id: object) -> bool:
        return id in self._ids

    @property
    def ids(self) -> tuple[str, ...]:
        """The selected ids, the one selected last at the end; the same tuple until they change."""
        return self._order

    @property
    def primary(self) -> str | None:
        """The one selected last, which has the handles; None where nothing is selected."""
        return next(reversed(self._ids), None)

    def regions(self, document: Document) -> tuple[Region, ...]:
        """The selected regions that the document has, in the order of selection.

        They are looked up once for all who ask until the document or the selection is another.
        """
        if self._known is not None:
            of, version, ids, regions = self._known
            if of is document and version == document.version and ids is self._order:
                return regions
        found = document.regions_of(self._order)
        self._known = document, document.version, self._order, found
        return found

    def set(self, ids: Iterable[str]) -> None:
        """Select these and no others."""
        self._become(dict.fromkeys(ids))

    def add(self, *ids: str) -> None:
        """Select these, too; they come last in the order, even if they were in already."""
        added = dict.fromkeys(ids)
        self._become({**{id: None for id in self._ids if id not in added}, **added})

    def toggle(self, *ids: str) -> None:
        """Select those of them that are not, unselect those that are."""
        toggled = dict.fromkeys(ids)
        kept = {id: None for id in self._ids if id not in toggled}
        self._become({**kept, **{id: None for id in toggled if id not in self._ids}})

    def remove(self, *ids: str) -> None:
        """Unselect these."""
        gone = set(ids)
        self._become({id: None for id in self._ids if id not in gone})

    def clear(self) -> None:
        """Select nothing."""
        self._become({})

    def prune(self, document: Document) -> None:
        """Unselect what the document no longer has."""
        there = document.regions_of(self._order)
        if len(there) < len(self):
            self._become({region.id: None for region in there})

    def _become(self, ids: dict[str, None]) -> None:
        order = tuple(ids)
        if order != self._order:
            self._ids, self._order = ids, order
            self.changed.emit()
