"""Visibility and locking of regions on the open page while its truth is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from spotlab.editing.document import Edit
from spotlab.editing.selection import RegionMarks
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Region
from spotlab.signal import Signal


class RegionVisibility:
    """Hidden regions are not painted; neither hidden nor locked ones are reached by tools.

    Both are ways to look at the page and to work on it: the truth, its file and all figures have
    every region. They last until another collection is opened. What is selected can be seen and
    changed: a region that is hidden or locked leaves the selection, a hidden one that something
    else than a tool selects is shown, and what is drawn stays visible.

    Attributes
    ----------
    changed : Signal
        Other regions are hidden or locked.
    """

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._hidden = RegionMarks()
        self._locked = RegionMarks()
        self.changed = Signal[[]]()
        workbench.collection_changed.connect(self.reset)
        workbench.page_changed.connect(self._page_changed)
        workbench.document_changed.connect(self._document_changed)
        workbench.selection_changed.connect(self._selection_changed)
        workbench.label_renamed.connect(self._renamed)
        self._page_changed()

    @property
    def in_force(self) -> bool:
        """Tell whether anything may be hidden or locked: only where the truth is drawn."""
        return self._workbench.draws and self.has_marks

    @property
    def hides(self) -> bool:
        """Tell whether any label or region is hidden."""
        return bool(self._hidden)

    @property
    def locks(self) -> bool:
        """Tell whether any label or region is locked."""
        return bool(self._locked)

    @property
    def has_marks(self) -> bool:
        """Tell whether anything is hidden or locked."""
        return self.hides or self.locks

    @property
    def only(self) -> str | None:
        """The label that alone is shown; None where no label is."""
        return self._hidden.only

    def is_hidden(self, region: Region) -> bool:
        """Tell whether the region is left out of the page."""
        return self._hidden.has(region)

    def is_locked(self, region: Region) -> bool:
        """Tell whether the region cannot be selected or changed by hand."""
        return self._locked.has(region)

    def is_reachable(self, region: Region) -> bool:
        """Tell whether tools reach the region."""
        return not (self._hidden.has(region) or self._locked.has(region))

    def is_label_hidden(self, label: str) -> bool:
        """Tell whether regions of a label are hidden; "" stands for those without one."""
        return self._hidden.has_label(label)

    def is_label_locked(self, label: str) -> bool:
        """Tell whether regions of a label are locked."""
        return self._locked.has_label(label)

    def hidden_count(self) -> int:
        """Tell how many regions of the page are hidden."""
        return sum(map(self._hidden.has, self._workbench.document or ())) if self._hidden else 0

    def locked_count(self) -> int:
        """Tell how many regions of the page are locked."""
        return sum(map(self._locked.has, self._workbench.document or ())) if self._locked else 0

    def reachable_ids(self) -> tuple[str, ...]:
        """The ids of the regions that tools reach, in the order of the page."""
        document = self._workbench.document
        if document is None or not self.has_marks:
            return document.ids if document else ()
        return tuple(region.id for region in document if self.is_reachable(region))

    def hide_label(self, label: str, hidden: bool) -> None:
        """Hide all regions of a label, or show them."""
        self._hidden.set_label(label, hidden, self._known())
        self._tell()

    def lock_label(self, label: str, locked: bool) -> None:
        """Lock all regions of a label, or unlock them."""
        self._locked.set_label(label, locked)
        self._tell()

    def show_only(self, label: str) -> None:
        """Hide all other labels; once more shows them again."""
        if self._hidden.only == label:
            self._hidden.clear()
        else:
            self._hidden.set_only(label)
        self._tell()

    def hide(self, regions: Iterable[Region], hidden: bool = True) -> None:
        """Hide these regions of the page, or show them."""
        self._hidden.set_regions(regions, hidden)
        self._tell()

    def lock(self, regions: Iterable[Region], locked: bool = True) -> None:
        """Lock these regions of the page, or unlock them."""
        self._locked.set_regions(regions, locked)
        self._tell()

    def show_all(self) -> None:
        """Hide nothing."""
        self._hidden.clear()
        self._tell()

    def unlock_all(self) -> None:
        """Lock nothing."""
        self._locked.clear()
        self._tell()

    def reset(self) -> None:
        """Hide and lock nothing."""
        if self.has_marks:
            self._hidden.clear()
            self._locked.clear()
            self._tell()

    def _tell(self) -> None:
        workbench = self._workbench
        gone = [region.id for region in workbench.selected if not self.is_reachable(region)]
        workbench.selection.remove(*gone)
        self.changed.emit()

    def _known(self) -> set[str]:
        workbench = self._workbench
        on_page = {region.label for region in workbench.document or ()}
        return {"", *on_page, *(label.name for label in workbench.labels)}

    def _page_changed(self) -> None:
        entry = self._workbench.entry
        for marks in (self._hidden, self._locked):
            marks.use_page(entry.truth_path if entry else None)

    def _renamed(self, old: str, new: str) -> None:
        for marks in (self._hidden, self._locked):
            marks.rename(old, new)

    def _document_changed(self, edits: Sequence[Edit]) -> None:
        """Keep in sight, and open to changes, what is drawn or gets another label."""
        if not self.in_force:
            return
        arrived = [region for edit in edits for region in self._arrived(edit)]
        self._hidden.set_regions(filter(self.is_hidden, arrived), False)
        self._locked.set_regions(filter(self.is_locked, arrived), False)

    def _arrived(self, edit: Edit) -> Iterator[Region]:
        """The regions that an edit inserts, or gives another label while they are in sight."""
        if edit.places:
            yield from edit.after
            return
        for before, after in zip(edit.before, edit.after, strict=True):
            if before.label != after.label and self.is_reachable(before):
                yield after

    def _selection_changed(self) -> None:
        if not self.in_force:
            return
        workbench = self._workbench
        hidden = [region for region in workbench.selected if self.is_hidden(region)]
        locked = [region.id for region in workbench.selected if self.is_locked(region)]
        if hidden:
            self.hide(hidden, False)
        if locked:
            workbench.selection.remove(*locked)
            workbench.said.emit("The region is locked. Unlock it in the Regions panel", False)
