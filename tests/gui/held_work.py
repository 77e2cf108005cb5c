"""Work that stays under way for as long as a test looks at what the window shows meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from spotlab.gui.kit import background


@contextmanager
def held(*names: str) -> Iterator[None]:
    """No job that begins within this ends before it, or none that calls a function of these names.

    Two jobs at a time may wait so; others wait behind them.
    """
    over = threading.Event()
    work = background.Job.work

    def work_later(
        job: background.Job, function: Callable[..., Any], args: tuple[Any, ...]
    ) -> None:
        if not names or getattr(function, "__qualname__", "").split(".")[0] in names:
            over.wait(60)
        work(job, function, args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(background.Job, "work", work_later)
        try:
            yield
        finally:
            over.set()
