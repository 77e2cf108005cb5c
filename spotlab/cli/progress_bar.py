"""Shows progress on a terminal; files and pipes get nothing of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from spotlab.interruption import check
from spotlab.progress import Progress, silent
from spotlab.representation import visible


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Give a `Progress` that draws a bar on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield silent
        return
    bars = _Bars()
    try:
        yield bars.show
    finally:
        bars.finish()


class _Bars:
    """One bar for each thing that is going on, one after the other."""

    def __init__(self) -> None:
        self._bar: Any = None

    def show(self, done: int, total: int | None, doing: str) -> None:
        check()
        bar = self._bar
        if bar is None or bar.length != total or done < bar.pos:
            self.finish()
            bar = self._bar = click.progressbar(
                # an unknown total is what click makes of an iterable without a length
                iterable=iter(int, 1) if total is None else None,
                length=total,
                label=visible(doing),
                show_pos=total is None,
                file=sys.stderr,
            )
        bar.label = visible(doing)
        bar.update(done - bar.pos)
        bar.render_progress()

    def finish(self) -> None:
        if self._bar is not None:
            self._bar.render_finish()
            self._bar = None
