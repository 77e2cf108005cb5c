"""Looks into all pages before a step over them: which have a label, and what stands against it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from spotlab.editing.collection_pages import Survey, obstacles, survey_pages
from spotlab.editing.collection_step import CollectionStep, page_key
from spotlab.gui.kit import background
from spotlab.gui.pages.bench import Bench
from spotlab.signal import Signal


class PageSurvey:
    """One look at a time, in a thread.

    Attributes
    ----------
    busy_changed : Signal
        A look began or ended.
    """

    def __init__(self, workbench: Bench) -> None:
        self._workbench = workbench
        self._job: background.Job | None = None
        self.busy_changed = Signal[[]]()

    @property
    def busy(self) -> bool:
        """Whether the pages are being looked into."""
        return self._job is not None

    def cancel(self) -> None:
        """Stop looking; nothing follows."""
        if self._job:
            self._job.cancel()
            self._ended()

    def survey(self, label: str, then: Callable[[Survey], object]) -> None:
        """Find which pages have a label; open pages are as they are in the window then."""

        def done(found: Survey) -> None:
            self._ended()
            for session in self._workbench.sessions:
                found.problems.pop(session.path, None)
                found.take(session.path, session.document, label)
            then(found)

        self._start(survey_pages, self._workbench.entries, label, done=done)

    def find_obstacles(
        self, step: CollectionStep, then: Callable[[dict[Path, str]], object]
    ) -> None:
        """Find what stands against taking a step back, or doing it again, by page."""
        opened = {page_key(session.path) for session in self._workbench.sessions}

        def done(found: dict[Path, str]) -> None:
            self._ended()
            then(found)

        self._start(obstacles, [path for path in step.pages if path not in opened], done=done)

    def _start(self, *work: object, done: Callable[..., object]) -> None:
        def fail(error: Exception) -> None:
            self._ended()
            raise error

        function, *arguments = work
        assert callable(function)
        progress = self._workbench.progressed.emit
        self._job = background.run(
            function, *arguments, done=done, failed=fail, progress=progress, urgent=True
        )
        self.busy_changed.emit()

    def _ended(self) -> None:
        self._job = None
        self._workbench.finished.emit()
        self.busy_changed.emit()
