"""What many regions are together is added up in a thread, which begins after the frame."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from spotlab.editing.document import MANY
from spotlab.editing.region_index import totals_of
from spotlab.gui.annotate.panels.history import TruthTotals
from spotlab.gui.kit import background
from spotlab.model import Region


def test_many_are_added_up_after_the_events_that_are_waiting(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Any] = []
    run = background.run

    def noted(function: Any, *given: Any, **named: Any) -> Any:
        begun.append(function)
        return run(function, *given, **named)

    monkeypatch.setattr(background, "run", noted)
    regions = [
        Region(((0, 0), (at + 1, 0), (0, at + 1)), "door", id=f"r{at}") for at in range(MANY)
    ]
    arrived: list[bool] = []
    totals = TruthTotals(lambda: arrived.append(True))
    assert totals.of(regions) is None and not begun
    qapp.processEvents()
    background.wait_for_all()
    assert begun == [totals_of] and arrived
    assert totals.of(regions) == totals_of(regions)
    assert totals.of(regions[1:]) is not None and begun == [totals_of]
