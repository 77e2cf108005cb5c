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
        self.changed = Signal[[]]()

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._ids))

    def __contains__(self, id: object) -> bool:
        return id in self._ids

    @property
    def ids(self) -> tuple[str, ...]:
        """The selected ids, the one selected last at the end."""
        return tuple(self._ids)

    @property
    def primary(self) -> str | None:
        """The one selected last, which has the handles; None where nothing is selected."""
        return next(reversed(self._ids), None)

    def regions(self, document: Document) -> list[Region]:
        """The selected regions that the document has, in the order of selection."""
        found = (document.get(id) for id in self._ids)
        return [region for region in found if region is not None]

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
        self._become({id: None for id in self._ids if id not in ids})

    def clear(self) -> None:
        """Select nothing."""
        self._become({})

    def prune(self, document: Document) -> None:
        """Unselect what the document no longer has."""
        self._become({id: None for id in self._ids if id in document})

    def _become(self, ids: dict[str, None]) -> None:
        if tuple(ids) != tuple(self._ids):
            self._ids = ids
            self.changed.emit()
