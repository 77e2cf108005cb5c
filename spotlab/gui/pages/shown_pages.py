"""Which pages the list shows, and whether figures are of these alone."""

from __future__ import annotations

from collections.abc import Collection as Many
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.errors import SpotlabError
from spotlab.libraries import late_imports
from spotlab.model import PageState
from spotlab.signal import Signal

if TYPE_CHECKING:
    from spotlab.gui.pages.collection import Collection

with late_imports(__name__):
    from spotlab.studies.tally import subset


class ShownPages:
    """The filter of the page list, and the pages that pass it.

    Attributes
    ----------
    text : str
        What was typed as a filter.
    states : frozenset of PageState
        The states that were chosen; none of them lets all pass.
    names : tuple of str or None
        Of the pages that pass; None while all do.
    only : bool
        Whether figures are computed from these pages only.
    filter_changed, changed : Signal
        The filter is another; other pages pass, or ``only`` is switched.
    """

    def __init__(self, collection: Collection) -> None:
        self.text = ""
        self.states: frozenset[PageState] = frozenset()
        self.names: tuple[str, ...] | None = None
        self.only = False
        self.filter_changed = Signal[[]]()
        self.changed = Signal[[]]()
        self._collection = collection

    @property
    def pages(self) -> frozenset[str] | None:
        """The names of the pages that figures are of; None for all."""
        return frozenset(self.names) if self.only and self.names is not None else None

    def filter(self, text: str, states: Many[PageState] = ()) -> None:
        """Show only pages with this text and one of these states."""
        if (text, frozenset(states)) != (self.text, self.states):
            self.text, self.states = text, frozenset(states)
            self.filter_changed.emit()

    def show(self, names: Iterable[str] | None) -> None:
        """These pages pass; None if all do."""
        names = None if names is None else tuple(names)
        if names != self.names:
            self.names = names
            self.changed.emit()

    def set_only(self, only: bool) -> None:
        """Compute figures from the shown pages only, or from all."""
        if only != self.only:
            self.only = only
            self.changed.emit()

    def saved(self) -> dict[str, Path]:
        """The files of the collection's saved subsets by name."""
        folder = self.subset_folder
        return subset.saved_subsets(folder) if folder else {}

    @property
    def subset_folder(self) -> Path | None:
        """Where the collection's subsets are saved; None where no collection is open."""
        folder = self._collection.folder
        return folder / subset.FOLDER if folder else None

    def in_subset(self, name: str) -> frozenset[str]:
        """The names of pages in a saved subset; none where there is no such file."""
        folder = self.subset_folder
        if folder is not None:
            with suppress(SpotlabError, ValueError):  # while its name is typed it is none yet
                return frozenset(subset.read_subset(folder / f"{name}{subset.SUFFIX}"))
        return frozenset()
