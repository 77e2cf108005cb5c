"""Nothing is called once the object of Qt that it belongs to is deleted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import QObject
from shiboken6 import delete

from spotlab.gui.kit import background
from spotlab.signal import Signal


class _Panel(QObject):
    def __init__(self, heard: list[str]) -> None:
        super().__init__()
        self._heard = heard

    def hear(self, name: str = "it") -> None:
        self._heard.append(name)


WAYS: dict[str, Callable[[Signal[[]], _Panel], object]] = {
    "method": lambda changed, panel: changed.connect(panel.hear),
    "partial": lambda changed, panel: changed.connect(partial(panel.hear, "it")),
    "function": lambda changed, panel: changed.connect(lambda: panel.hear("it"), panel),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_deleted_hears_nothing(way: str) -> None:
    changed, heard = Signal[[]](), list[str]()
    panel, other = _Panel(heard), _Panel(heard)
    for each in (panel, other):
        WAYS[way](changed, each)
    changed.emit()
    assert heard == ["it", "it"]
    delete(panel)
    changed.emit()
    assert heard == ["it", "it", "it"]


def test_what_another_listener_deletes_hears_nothing() -> None:
    changed, heard = Signal[[]](), list[str]()
    panel = _Panel(heard)
    changed.connect(lambda: delete(panel))
    changed.connect(panel.hear)
    changed.emit()
    assert heard == []


@pytest.mark.usefixtures("qapp")
def test_work_for_what_is_deleted_tells_nobody() -> None:
    heard = list[str]()
    panel, other = _Panel(heard), _Panel(heard)
    jobs = [background.run(lambda _: "done", done=each.hear) for each in (panel, other)]
    delete(panel)
    assert background.wait_until(lambda: all(job.finished for job in jobs), 10)
    assert heard == ["done"]
