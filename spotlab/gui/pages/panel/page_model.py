"""The pages that pass the filter, as a model for a list."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from spotlab.errors import SpotlabError, counted
from spotlab.formats import store as entries
from spotlab.formats.collection.folder import PageEntry, Summary
from spotlab.formats.store import find_preview
from spotlab.gui.kit import background, theme
from spotlab.gui.kit import theme as icons
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.gui.kit.rows import ROW_ROLE, Index, RowColumn, RowDelegate, RowModel
from spotlab.gui.kit.theme import PROPOSED
from spotlab.gui.pages.workbench import Workbench
from spotlab.imaging.reading.pixels import read_thumbnail, shrink, stretch_contrast
from spotlab.imaging.reading.pyramid import Pixels, Pyramid
from spotlab.model import PageState
from spotlab.model.run import tags_have
from spotlab.progress import Progress


@dataclass(frozen=True)
class PageFilter:
    """Words that have to be in a page's name, labels and tags it has to have, states it may have.

    ``subset`` are the pages of a saved subset; None where none is asked for.

    Examples
    --------
    >>> wanted = PageFilter.parse("plan label:sofa")
    >>> wanted.words, wanted.labels
    (('plan',), ('sofa',))
    >>> wanted.accepts("plan_01", Summary(PageState.DRAFT, {"sofa": 2}))
    True
    >>> wanted.accepts("plan_02", Summary(PageState.DRAFT, {"sink": 1}))
    False
    """

    words: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    states: frozenset[PageState] = frozenset()
    subset: frozenset[str] | None = None
    tags: tuple[str, ...] = ()

    @classmethod
    def parse(
        cls,
        text: str,
        states: Collection[PageState] = (),
        in_subset: Callable[[str], frozenset[str]] = lambda _: frozenset(),
    ) -> PageFilter:
        """Return what was typed: words, ``label:name`` or ``label:"two words"``, ``tag:name`` and
        ``subset:name``.

        Parameters
        ----------
        text : str
        states : collection of PageState
        in_subset : callable
            Gives the names of the pages in a saved subset.
        """
        words: list[str] = []
        labels: list[str] = []
        tags: list[str] = []
        subset: frozenset[str] | None = None
        for word in _split(text):
            kind, colon, name = word.partition(":")
            if colon and kind.casefold() == "label":
                labels.append(name.casefold())
            elif colon and kind.casefold() == "tag":
                tags.append(name)
            elif colon and kind.casefold() == "subset":
                pages = in_subset(name)
                subset = pages if subset is None else subset & pages
            else:
                words.append(word.casefold())
        return cls(tuple(words), tuple(labels), frozenset(states), subset, tuple(tags))

    @property
    def needs_summary(self) -> bool:
        """Tell whether it looks at more than names."""
        return bool(self.labels or self.states or self.tags)

    def accepts(self, name: str, summary: Summary | None) -> bool:
        """Tell whether a page of this name and summary passes; None is known of none yet."""
        folded = name.casefold()
        if not all(word in folded for word in self.words):
            return False
        if self.subset is not None and name not in self.subset:
            return False
        if not self.needs_summary:
            return True
        if summary is None or (self.states and summary.state not in self.states):
            return False
        if not all(tags_have(summary.tags, tag) for tag in self.tags):
            return False
        carried = [label.casefold() for label in summary.labels]
        return all(any(label.startswith(wanted) for label in carried) for wanted in self.labels)


def _split(text: str) -> list[str]:
    """Words; quotes keep spaces together."""
    words, word, quoted = [], "", False
    for letter in text:
        if letter == '"':
            quoted = not quoted
        elif letter.isspace() and not quoted:
            words.append(word)
            word = ""
        else:
            word += letter
    return [word for word in (*words, word) if word]


SIDE = 88  # px: twice what is shown, for screens of double density
KEPT = 1000  # pictures
WAITING = 40  # requests: older ones have been scrolled past
AT_ONCE = 1  # decoding a large page takes memory


class Thumbnails(QObject):
    """Asked for while painting; says when one has come.

    Parameters
    ----------
    is_opening : callable
        Whether nothing of the open page is shown yet: until then, no picture is made.
    is_decoding : callable
        Whether the open page is being decoded: until it is there, no other large page is.
    """

    arrived = Signal(object)  # the entry

    def __init__(
        self,
        is_opening: Callable[[], bool],
        is_decoding: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._is_opening, self._is_decoding = is_opening, is_decoding
        self._kept: OrderedDict[PageEntry, QPixmap | None] = OrderedDict()
        self._waiting: deque[PageEntry] = deque(maxlen=WAITING)
        self._slow: deque[PageEntry] = deque(maxlen=WAITING)  # to be decoded in full
        self._running: set[PageEntry] = set()

    def get(self, entry: PageEntry) -> QPixmap | None:
        """The picture, or None: it comes later, or never where the page cannot be read."""
        if entry in self._kept:
            self._kept.move_to_end(entry)
            return self._kept[entry]
        wanted = entry in self._running or entry in self._waiting or entry in self._slow
        if not wanted and not entry.missing:
            self._waiting.append(entry)
            self.go_on()
        return None

    def take(self, entry: PageEntry, pyramid: Pyramid) -> None:
        """Make the picture of a page that has been decoded already."""
        if self._kept.get(entry) is None and entry not in self._running:
            self._run(_picture_of_pyramid, entry, pyramid)

    def forget(self) -> None:
        """Nobody waits any more."""
        self._waiting.clear()
        self._slow.clear()

    def go_on(self) -> None:
        """Make what is waited for, as far as there is time for it."""
        while len(self._running) < AT_ONCE and not self._is_opening():
            if self._waiting:
                entry = self._waiting.pop()  # the newest request is the one in sight
                self._run(_quick_picture, entry)
            elif self._slow and not self._is_decoding():
                entry = self._slow.pop()
                self._run(_slow_picture, entry)
            else:
                return

    def _run(self, make: Callable[..., QImage | None], entry: PageEntry, *args: object) -> None:
        self._running.add(entry)
        background.run(
            make, entry, *args, done=partial(self._done, entry), failed=partial(self._failed, entry)
        )

    def _done(self, entry: PageEntry, image: QImage | None) -> None:
        if image is not None:
            self._keep(entry, QPixmap.fromImage(image))
            return
        self._running.discard(entry)
        if self._kept.get(entry) is None:
            self._slow.append(entry)
        self.go_on()

    def _failed(self, entry: PageEntry, _: Exception) -> None:
        self._keep(entry, None)  # opening the page says what is wrong

    def _keep(self, entry: PageEntry, pixmap: QPixmap | None) -> None:
        self._running.discard(entry)
        for wishes in (self._waiting, self._slow):
            if entry in wishes:
                wishes.remove(entry)
        self._kept[entry] = pixmap
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        self.arrived.emit(entry)
        self.go_on()


def _quick_picture(entry: PageEntry, _: Progress) -> QImage | None:
    """The picture, unless a large page has to be decoded for it."""
    place = find_preview(entry.image, entry.frame)
    if place is None:
        return _picture(read_thumbnail(entry.image, entry.frame, SIDE))
    pixels = place.read()
    return None if pixels is None else _picture(pixels)


def _slow_picture(entry: PageEntry, _: Progress) -> QImage:
    """The picture of a large page, which is kept for the next time, also for the canvas."""
    place = find_preview(entry.image, entry.frame)
    pixels = read_thumbnail(entry.image, entry.frame, entries.SIDE)
    if place is not None:
        with suppress(SpotlabError, OSError):
            place.write(pixels)
    return _picture(pixels)


def _picture_of_pyramid(_entry: PageEntry, pyramid: Pyramid, _: Progress) -> QImage:
    return _picture(pyramid.tile(pyramid.levels - 1, 0, 0))


def _picture(pixels: Pixels) -> QImage:
    return image_of(stretch_contrast(shrink(pixels, SIDE)))


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
            for page, entry in enumerate(collection.entries)
            if accepts(entry.name, collection.summary(page))
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
        """Return what is wrong with a page; empty if nothing is known to be."""
        entry = self.workbench.entries[page]
        if entry.missing:
            return "The image is missing"
        known = self.workbench.collection.summary(page)
        problem = self.workbench.collection.problems.get(entry.truth_path, "")
        return problem or (known.error if known else "")

    def remark(self, page: int) -> str:
        """Return what the second line of a row says; the state of pages with regions is an icon."""
        if self.problem(page):
            entry = self.workbench.entries[page]
            return "image missing" if entry.missing else "the truth file cannot be read"
        known = self.workbench.collection.summary(page)
        if known is None or known.state is None:
            return "…"
        count = counted(known.regions, "region") if known.regions else str(known.state)
        return " · ".join([*known.tags, count])

    def proposals(self, page: int) -> int:
        """Tell how many proposals it has that are to be answered."""
        return self.workbench.pending.count(page)

    def page_changed(self, page: int) -> None:
        """Something else is known of a page."""
        row = self._row_of.get(page)
        if row is not None:
            index = self.index(row, 0)
            self.dataChanged.emit(index, index)

    def _title(self, page: int) -> str:
        return self.workbench.collection.entries[page].name

    def _spoken(self, page: int) -> str:
        count = self.proposals(page)
        known = self.workbench.collection.summary(page)
        said = [self._title(page), self.remark(page)]
        said += [str(known.state)] if known and known.state and known.regions else []
        return ", ".join([*said, *([counted(count, "proposal")] if count else [])])

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
            lines += [f"Tags: {', '.join(known.tags)}"] if known.tags else []
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


PICTURE = 44
GAP = 9

STATE_ICONS = {
    PageState.UNTOUCHED: "checkbox-blank-outline",
    PageState.DRAFT: "circle-half-full",
    PageState.CHECKED: "check-bold",
    PageState.UNCERTAIN: "help-circle-outline",
}


class PageDelegate(RowDelegate):
    """Rows of one height, so that ten thousand of them need no measuring."""

    ROW = 58

    def __init__(self, model: PageModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        page = index.data(PAGE_ROLE)
        palette: QPalette = option.palette
        rect: QRect = option.rect
        chosen = page == self._model.workbench.index
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen or selected or hovered:
            self._paint_background(painter, rect, palette, chosen, selected)
        picture = QRect(rect.left() + GAP, rect.top() + (self.ROW - PICTURE) // 2, PICTURE, PICTURE)
        self._paint_picture(painter, picture, page, palette)
        self._paint_state(painter, rect, page, palette)
        taken = self._paint_proposals(painter, rect, self._model.proposals(page))
        text = rect.adjusted(PICTURE + 2 * GAP, 10, -34, -10)
        metrics = painter.fontMetrics()
        room = text.width() - taken
        name = metrics.elidedText(index.data(), Qt.TextElideMode.ElideMiddle, room)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        painter.drawText(text, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, name)
        remark = metrics.elidedText(
            self._model.remark(page), Qt.TextElideMode.ElideRight, text.width()
        )
        painter.setPen(theme.quiet(palette))
        painter.drawText(text, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, remark)

    def _paint_background(
        self, painter: QPainter, rect: QRect, palette: QPalette, chosen: bool, selected: bool
    ) -> None:
        if chosen or selected:
            accent = palette.color(QPalette.ColorRole.Highlight)
            faint = QColor(accent)
            faint.setAlpha(46)
            painter.fillRect(rect, faint)
            if chosen:
                painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), accent)
        else:
            hovered = QColor(palette.color(QPalette.ColorRole.Midlight))
            hovered.setAlpha(120)
            painter.fillRect(rect, hovered)

    def _paint_picture(self, painter: QPainter, place: QRect, page: int, palette: QPalette) -> None:
        pixmap = self._model.thumbnail(page)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        line = palette.color(QPalette.ColorRole.Mid)
        if pixmap is None:
            painter.setPen(line)
            painter.drawRect(place.adjusted(4, 4, -5, -5))
            if self._model.problem(page):
                mark = icons.pixmap("image-off-outline", 18, theme.quiet(palette).name())
                painter.drawPixmap(place.center().x() - 9, place.center().y() - 9, mark)
            return
        shown = theme.paint_fitted(painter, place, pixmap)
        painter.setPen(line)
        painter.drawRect(shown.adjusted(0, 0, -1, -1))

    def _paint_proposals(self, painter: QPainter, rect: QRect, count: int) -> int:
        """Tell how many proposals there are, beside the name; gives the width that this takes."""
        if not count:
            return 0
        text = f"{count:,}"
        width = painter.fontMetrics().horizontalAdvance(text) + 12
        place = QRect(rect.right() - 34 - width, rect.top() + 9, width, 18)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(PROPOSED))
        painter.drawRoundedRect(place, 9, 9)
        painter.setPen(QColor("#ffffff"))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        return width + GAP

    def _paint_state(self, painter: QPainter, rect: QRect, page: int, palette: QPalette) -> None:
        known = self._model.workbench.collection.summary(page)
        if self._model.problem(page):
            name, colour = "alert-circle-outline", "#D55E00"
        elif known is None or known.state is None:
            return
        else:
            name = STATE_ICONS[known.state]
            colour = "#009E73" if known.state is PageState.CHECKED else theme.quiet(palette).name()
        mark = icons.pixmap(name, 16, colour)
        painter.drawPixmap(rect.right() - 16 - GAP, rect.center().y() - 8, mark)
