"""Loads what it takes to show a page, in threads: the session, a preview, all pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QTimer

from spotlab.editing.session import EditingSession
from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.store.previews import SIDE, PagePreview, find_preview
from spotlab.formats.truth.folder import PageEntry
from spotlab.gui.kit import background
from spotlab.imaging.conversion import Pixels
from spotlab.imaging.growing_page import GrowingPage
from spotlab.imaging.header import read_header
from spotlab.imaging.ink import InkSettings
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.pixels import is_thumbnail_fast, read_page, read_thumbnail
from spotlab.imaging.pyramid import Pyramid
from spotlab.model import Page
from spotlab.progress import Progress
from spotlab.signal import Signal

PREVIEW_SIDE = 1024
LOOK_EVERY = 80  # ms between two pictures of a page that is being decoded


@dataclass(frozen=True)
class LoadedPage:
    """The pixels of a page: its pyramid and its ink, or of a preview only the pyramid.

    Attributes
    ----------
    pyramid : Pyramid
        Of the page; of a smaller picture of it while ``preview``.
    ink : PageInk or None
        None while ``preview``.
    preview : bool
        The full page is still being read.
    """

    entry: PageEntry
    pyramid: Pyramid
    ink: PageInk | None
    preview: bool = False


@dataclass(frozen=True)
class Preview:
    """A small picture of a page, which is shown while the page is read.

    Attributes
    ----------
    shown : LoadedPage or None
        None where there is none yet that is quicker than the page itself.
    missing : PagePreview or None
        Where a picture is to be kept for the next time.
    """

    shown: LoadedPage | None
    missing: PagePreview | None


class PageLoader:
    """Loads one page at a time: session, preview, all pixels. Late results are dropped.

    ``opened`` carries the session, ``shown`` the preview and then the page, ``failed`` a line that
    says why the session or the pixels are not to be had.
    """

    def __init__(self, progress: Callable[[int, int | None, str], object]) -> None:
        self._progress = progress
        self._jobs: list[background.Job] = []
        self._is_open = False
        self._preview: Preview | None = None
        self._full: LoadedPage | None = None
        self._entry: PageEntry | None = None  # whose pixels are being decoded
        self._growing = GrowingPage(PREVIEW_SIDE)
        self._timer = QTimer(interval=LOOK_EVERY)
        self._timer.timeout.connect(self._look)
        self.opened = Signal[[EditingSession]]()
        self.shown = Signal[[LoadedPage]]()
        self.failed = Signal[[str]]()

    def load(self, entry: PageEntry, session: EditingSession | None, ink: InkSettings) -> None:
        """Load the page; a session that is there already is kept."""
        self.cancel()

        def go_on(opened: tuple[EditingSession, str]) -> None:
            session, problem = opened
            self.opened.emit(session)
            if problem:
                self.failed.emit(problem)
                return
            self._is_open = True
            self._entry, self._growing = entry, GrowingPage(PREVIEW_SIDE)
            self._timer.start()
            self._run(load_page, entry, ink, self._growing, done=self._show_page, failed=self._fail)
            self._show_preview()

        self._run(open_session, entry, session, done=go_on, failed=self._fail)
        self._run(load_preview, entry, done=self._take_preview, failed=lambda _: None)

    def cancel(self) -> None:
        """Want nothing more of the page that is being loaded."""
        for job in self._jobs:
            job.cancel()
        self._jobs = []
        self._timer.stop()
        self._is_open, self._preview, self._full = False, None, None

    def _run(
        self,
        function: Callable[..., Any],
        *args: Any,
        done: Callable[[Any], object],
        failed: Callable[[Exception], object],
    ) -> None:
        self._jobs.append(
            background.run(
                function, *args, done=done, failed=failed, progress=self._progress, urgent=True
            )
        )

    def _take_preview(self, preview: Preview) -> None:
        self._preview = preview
        self._show_preview()
        self._keep_preview()

    def _show_preview(self) -> None:
        preview = self._preview
        # the session may be slower, and the full page quicker
        if preview is not None and preview.shown and self._is_open and not self._full:
            self._timer.stop()
            self.shown.emit(preview.shown)

    def _look(self) -> None:
        """Show what has been decoded so far, until there is a picture of the whole page."""
        pixels = self._growing.look()
        if pixels is not None and self._entry is not None:
            self.shown.emit(LoadedPage(self._entry, Pyramid(pixels), None, True))

    def _show_page(self, loaded: LoadedPage) -> None:
        self._timer.stop()
        self._full = loaded
        self.shown.emit(loaded)
        self._keep_preview()

    def _keep_preview(self) -> None:
        """Keep a picture of the page as soon as it is read, also where that is left by then."""
        if self._full and self._preview and self._preview.missing:
            small = self._full.pyramid.reduced(SIDE)
            background.run(
                keep_preview, self._preview.missing, small, failed=lambda _: None, urgent=True
            )

    def _fail(self, error: Exception) -> None:
        self._timer.stop()
        self._is_open = False
        known = isinstance(error, SpotlabError)
        self.failed.emit(str(error) if known else f"{type(error).__name__}: {error}")


def open_session(
    entry: PageEntry, session: EditingSession | None, _: Progress
) -> tuple[EditingSession, str]:
    """The session of a page, and what is wrong with its image if it cannot be shown.

    Raises
    ------
    BadInput
        The truth file makes no sense, or there is neither image nor truth.
    """
    page: Page | None = None
    problem = ""
    try:
        header = read_header(entry.image, entry.frame)
        page = Page(entry.image, header.width, header.height, entry.frame, header.frames)
    except BadInput as error:
        if not entry.truth_path.exists():
            raise
        problem = str(error)
    if session is None:
        session = EditingSession.open(entry.truth_path, page)
        session.prepare()
    return session, problem


def load_preview(entry: PageEntry, _: Progress) -> Preview:
    """A small picture of the page: the one that was kept, or one that is decoded quickly."""
    place = find_preview(entry.image, entry.frame)
    pixels = None if place is None else place.read()
    if pixels is not None:
        return Preview(LoadedPage(entry, Pyramid(pixels), None, True), None)
    if not is_thumbnail_fast(entry.image, entry.frame):
        return Preview(None, place)  # decoding twice at a time would take twice the memory
    pixels = read_thumbnail(entry.image, entry.frame, PREVIEW_SIDE)
    return Preview(LoadedPage(entry, Pyramid(pixels), None, True), place)


def keep_preview(place: PagePreview, pixels: Pixels, _: Progress) -> None:
    """Keep a small picture of a page for the next time; without that, all goes on as before."""
    place.write(pixels)


def load_page(
    entry: PageEntry, settings: InkSettings, growing: GrowingPage, progress: Progress
) -> LoadedPage:
    """All pixels of the page."""
    pixels = read_page(entry.image, entry.frame, progress, growing)
    return LoadedPage(entry, Pyramid(pixels), PageInk(pixels, settings))
