"""Large strokes: what they take is found while the window goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from pytestqt.qtbot import QtBot

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import background
from tests.gui import gestures
from tests.gui.annotate.test_tool_sketch import BED, plan
from tests.gui.gestures import LEFT, around, on_screen


@pytest.fixture
def large(tmp_path: Path, qtbot: QtBot) -> Iterator[Canvas]:
    """Many plans side by side: a stroke around all of it takes long."""
    opened = gestures.open_page(tmp_path, np.tile(plan(), (6, 6)))
    opened.workbench.set_tool("sketch")
    assert background.wait_for_all(60)
    yield opened
    gestures.close(opened)


def test_letting_go_of_a_large_stroke_never_stops_the_window(large: Canvas) -> None:
    places = on_screen(large, around(700, 500, 4700, 3700))
    gestures.drag(large, places, let_go=False)
    gestures.mouse(large, QEvent.Type.MouseButtonRelease, places[-1], LEFT)
    assert (
        list(large.workbench.document) == [] and large.pointing.gesture is not None
    )  # it is being found
    assert background.wait_for_all(60)
    (region,) = list(large.workbench.document)
    assert large.workbench.selection.ids == (region.id,) and large.pointing.gesture is None


def test_a_key_that_comes_at_once_means_what_was_drawn(large: Canvas) -> None:
    gestures.drag(large, on_screen(large, around(*BED)))
    gestures.drag(large, on_screen(large, around(1200, 910, 1441, 951)), let_go=False)
    gestures.mouse(large, QEvent.Type.MouseButtonRelease, (10, 10), LEFT)
    assert len(list(large.workbench.document)) == 1
    gestures.key(large, Qt.Key.Key_Delete)
    (region,) = large.workbench.document  # the key waited, and meant the second one
    assert region.bounds == pytest.approx(BED, abs=2)


def test_another_tool_leaves_what_was_drawn(large: Canvas) -> None:
    gestures.drag(large, on_screen(large, around(*BED)), let_go=False)
    gestures.mouse(large, QEvent.Type.MouseButtonRelease, (10, 10), LEFT)
    large.workbench.set_tool("select")
    (region,) = list(large.workbench.document)
    assert region.bounds == pytest.approx(BED, abs=2)


def test_leaving_the_page_at_once_loses_no_stroke(large: Canvas) -> None:
    document = large.workbench.document
    gestures.drag(large, on_screen(large, around(*BED)), let_go=False)
    gestures.mouse(large, QEvent.Type.MouseButtonRelease, (10, 10), LEFT)
    large.workbench.open_page(0)
    assert len(document) == 1
    assert background.wait_for_all(60)
    assert len(list(large.workbench.document)) == 1
