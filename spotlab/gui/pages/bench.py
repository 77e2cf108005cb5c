"""Interface of the workbench for its parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from spotlab.editing.history import History
from spotlab.editing.session import EditingSession
from spotlab.formats.collection.folder import PageEntry
from spotlab.gui.pages.collection import Collection
from spotlab.gui.pages.offers import Offers
from spotlab.gui.pages.page_editing import PageEditing
from spotlab.model import LabelSet, Truth
from spotlab.signal import Signal


class Bench(Protocol):
    """The open collection and page; see `Workbench`, which says what each signal means."""

    collection: Collection
    editing: PageEditing
    index: int | None
    offers: Offers
    said: Signal[[str, bool]]
    trouble: Signal[[str, str]]
    saved: Signal[[]]
    finished: Signal[[]]
    retried: Signal[[str]]
    progressed: Signal[[int, int | None, str]]
    page_changed: Signal[[]]
    label_changed: Signal[[]]
    label_renamed: Signal[[str, str]]
    truth_edited: Signal[[]]
    truth_written: Signal[[Mapping[str, Truth]]]

    @property
    def entries(self) -> tuple[PageEntry, ...]:
        """The pages in their order."""

    @property
    def entry(self) -> PageEntry | None:
        """The open page's entry."""

    @property
    def session(self) -> EditingSession | None:
        """The open page's session."""

    @property
    def sessions(self) -> tuple[EditingSession, ...]:
        """The sessions of all pages that were open since the start."""

    @property
    def history(self) -> History | None:
        """The open page's steps."""

    @property
    def labels(self) -> LabelSet:
        """The collection's labels."""

    @property
    def label(self) -> str:
        """The label of what is drawn next."""

    def open_page(self, index: int) -> None:
        """Open a page."""

    def stop_loading(self) -> bool:
        """Give up the page that is being opened; False if there is none."""

    def reload(self) -> None:
        """Read the open page's truth file again."""
