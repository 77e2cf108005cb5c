"""Looks into all pages before a step over them: which have a label, and what stands against it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from spotlab.editing.collection_step import (
    CollectionStep,
    Survey,
    obstacles,
    page_key,
    survey_pages,
)
from spotlab.gui.kit.task import Task
from spotlab.gui.pages.bench import Bench


class PageSurvey:
    """One look at a time, in a thread.

    Attributes
    ----------
    busy_changed : Signal
        A look began or ended.
    """

    def __init__(self, workbench: Bench) -> None:
        self._workbench = workbench
        self._task = Task(workbench, urgent=True)
        self.busy_changed = self._task.busy_changed

    @property
    def busy(self) -> bool:
        """Whether the pages are being looked into."""
        return self._task.busy

    def cancel(self) -> None:
        """Stop looking; nothing follows."""
        self._task.cancel()

    def survey(self, label: str, then: Callable[[Survey], object]) -> None:
        """Find which pages have a label; open pages are as they are in the window then."""

        def done(found: Survey) -> None:
            for session in self._workbench.sessions:
                found.problems.pop(session.path, None)
                found.take(session.path, session.document, label)
            then(found)

        self._task.start(survey_pages, self._workbench.entries, label, done=done)

    def find_obstacles(
        self, step: CollectionStep, then: Callable[[dict[Path, str]], object]
    ) -> None:
        """Find what stands against taking a step back, or doing it again, by page."""
        opened = {page_key(session.path) for session in self._workbench.sessions}
        closed = [path for path in step.pages if path not in opened]
        self._task.start(obstacles, closed, done=then)
