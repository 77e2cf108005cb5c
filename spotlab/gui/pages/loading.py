"""Loads what it takes to show a page, in threads: the session, a preview, all pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spotlab.editing.session import EditingSession
from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.truth.folder import PageEntry
from spotlab.gui.kit import background
from spotlab.imaging.header import read_header
from spotlab.imaging.ink import InkSettings
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.pixels import is_thumbnail_fast, read_page, read_thumbnail
from spotlab.imaging.pyramid import Pyramid
from spotlab.model import Page
from spotlab.progress import Progress
from spotlab.signal import Signal

PREVIEW_SIDE = 1024


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


class PageLoader:
    """Loads one page at a time: session, preview, all pixels. Late results are dropped.

    ``opened`` carries the session, ``shown`` the preview and then the page, ``failed`` a line that
    says why the session or the pixels are not to be had.
    """

    def __init__(self, progress: Callable[[int, int | None, str], object]) -> None:
        self._progress = progress
        self._jobs: list[background.Job] = []
        self._full = False
        self.opened = Signal[[EditingSession]]()
        self.shown = Signal[[LoadedPage]]()
        self.failed = Signal[[str]]()

    def load(self, entry: PageEntry, session: EditingSession | None, ink: InkSettings) -> None:
        """Load the page; a session that is there already is kept."""
        self.cancel()
        self._full = False

        def go_on(opened: tuple[EditingSession, str]) -> None:
            session, problem = opened
            self.opened.emit(session)
            if problem:
                self.failed.emit(problem)
                return
            self._run(load_preview, entry, done=self._preview, failed=lambda _: None)
            self._run(load_page, entry, ink, done=self._page, failed=self._fail)

        self._run(open_session, entry, session, done=go_on, failed=self._fail)

    def cancel(self) -> None:
        """Want nothing more of the page that is being loaded."""
        for job in self._jobs:
            job.cancel()
        self._jobs = []

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

    def _preview(self, loaded: LoadedPage | None) -> None:
        if loaded and not self._full:  # the full page may be quicker
            self.shown.emit(loaded)

    def _page(self, loaded: LoadedPage) -> None:
        self._full = True
        self.shown.emit(loaded)

    def _fail(self, error: Exception) -> None:
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


def load_preview(entry: PageEntry, _: Progress) -> LoadedPage | None:
    """A small picture of the page; None where that would take as long as the page itself."""
    if not is_thumbnail_fast(entry.image, entry.frame):
        return None  # decoding twice at a time would take twice the memory
    return LoadedPage(
        entry, Pyramid(read_thumbnail(entry.image, entry.frame, PREVIEW_SIDE)), None, True
    )


def load_page(entry: PageEntry, settings: InkSettings, progress: Progress) -> LoadedPage:
    """All pixels of the page."""
    pixels = read_page(entry.image, entry.frame, progress)
    return LoadedPage(entry, Pyramid(pixels), PageInk(pixels, settings))
