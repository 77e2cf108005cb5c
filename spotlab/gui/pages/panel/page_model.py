"""The pages that pass the filter, as a model for a list."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QPixmap

from spotlab.errors import counted
from spotlab.formats.collection.folder import PageEntry
from spotlab.gui.kit.row_model import ROW_ROLE, RowColumn, RowModel
from spotlab.gui.pages.panel.page_filter import PageFilter
from spotlab.gui.pages.panel.thumbnails import Thumbnails
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import PageState

PAGE_ROLE = ROW_ROLE  # which page of the workbench a row is

STATE_WORDS = {
    PageState.UNTOUCHED: "untouched: it has no regions",
    PageState.DRAFT: "draft: it has regions but has not been checked",
    PageState.CHECKED: "checked: a person has marked the truth as complete",
    PageState.UNCERTAIN: "uncertain: at least one region is marked uncertain",
}


class PageModel(RowModel[int]):
    """Rows are pages; nothing is computed for rows that nobody looks at."""

    def __init__(self, workbench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self.workbench = workbench
        self.columns = (
            RowColumn(
                "", self._title, self._tip, more={Qt.ItemDataRole.AccessibleTextRole: self._spoken}
            ),
        )
        self.filter = PageFilter()
        self.thumbnails = Thumbnails(self._is_opening, self._is_decoding, self)
        self._row_of: dict[int, int] = {}
        self._index_of: dict[PageEntry, int] = {}
        self.thumbnails.arrived.connect(self._thumbnail_arrived)
        workbench.entries_changed.connect(self._entries_changed)
        workbench.state_changed.connect(self.page_changed)
        workbench.pixels_changed.connect(self._pixels_changed)
        workbench.pending.changed.connect(self.tell_changed)
        self._entries_changed()

    def set_filter(self, wanted: PageFilter) -> None:
        """Let only such pages through."""
        if wanted != self.filter:
            self.filter = wanted
            self.refilter()

    def refilter(self) -> None:
        """Look at all pages again."""
        collection = self.workbench.collection
        accepts = self.filter.accepts
        rows = [
            page
            for page, title in enumerate(collection.titles)
            if accepts(title, collection.summary(page))
        ]
        if rows != self.shown:
            self._row_of = {page: row for row, page in enumerate(rows)}
            self.show_rows(rows)

    def row_of(self, page: int | None) -> int | None:
        """The row that shows a page of the workbench; None if the filter keeps it out."""
        return None if page is None else self._row_of.get(page)

    def pages(self) -> list[int]:
        """The pages that pass, in their order."""
        return list(self.shown)

    def thumbnail(self, page: int) -> QPixmap | None:
        """A small picture of a page, as soon as there is one."""
        return self.thumbnails.get(self.workbench.entries[page])

    def problem(self, page: int) -> str:
        """What is wrong with a page; empty if nothing is known to be."""
        entry = self.workbench.entries[page]
        if entry.missing:
            return "The image is missing"
        known = self.workbench.collection.summary(page)
        problem = self.workbench.collection.problems.get(entry.truth_path, "")
        return problem or (known.error if known else "")

    def remark(self, page: int) -> str:
        """What the second line of a row says."""
        if self.problem(page):
            entry = self.workbench.entries[page]
            return "image missing" if entry.missing else "the truth file cannot be read"
        known = self.workbench.collection.summary(page)
        if known is None or known.state is None:
            return "…"
        count = counted(known.regions, "region")
        return f"{known.state} · {count}" if known.regions else str(known.state)

    def proposals(self, page: int) -> int:
        """How many proposals it has that are to be answered."""
        return self.workbench.pending.count(page)

    def page_changed(self, page: int) -> None:
        """Something else is known of a page."""
        row = self._row_of.get(page)
        if row is not None:
            index = self.index(row, 0)
            self.dataChanged.emit(index, index)

    def _title(self, page: int) -> str:
        return self.workbench.collection.titles[page]

    def _spoken(self, page: int) -> str:
        count = self.proposals(page)
        proposed = f", {counted(count, 'proposal')}" if count else ""
        return f"{self._title(page)}, {self.remark(page)}{proposed}"

    def _tip(self, page: int) -> str:
        entry = self.workbench.entries[page]
        known = self.workbench.collection.summary(page)
        lines = [str(entry.image)]
        if self.proposals(page):
            lines.append(f"{self.proposals(page)} open proposals")
        if self.problem(page):
            lines.append(self.problem(page))
        elif known and known.state:
            lines.append(STATE_WORDS[known.state])
            labels = list(known.labels.items())[:12]
            lines += [f"{count} × {label or 'without a label'}" for label, count in labels]
        return "\n".join(lines)

    def _entries_changed(self) -> None:
        self._index_of = {entry: page for page, entry in enumerate(self.workbench.entries)}
        self.shown = [-1]  # whatever it was, it is another list now
        self.refilter()

    def _is_opening(self) -> bool:
        workbench = self.workbench
        return workbench.index is not None and workbench.pixels is None and not workbench.problem

    def _is_decoding(self) -> bool:
        pixels = self.workbench.pixels
        return self._is_opening() or (pixels is not None and pixels.preview)

    def _pixels_changed(self) -> None:
        entry, pixels = self.workbench.entry, self.workbench.pixels
        if entry is not None and pixels is not None and pixels.complete:
            self.thumbnails.take(entry, pixels.pyramid)
        self.thumbnails.go_on()

    def _thumbnail_arrived(self, entry: PageEntry) -> None:
        page = self._index_of.get(entry)
        if page is not None:
            self.page_changed(page)
