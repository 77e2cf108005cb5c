"""Someone presses everything in any order; what is drawn stays what was drawn or accepted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spotlab.gui.annotate.label_finder import LabelFinder
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from tests.gui import gestures, windows
from tests.gui.annotate.alike import LABEL, PAGES, calm, labels_on_disk, open_plans, place_of

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key
STEPS = 45

KEYS = [
    (Key.Key_Return, windows.NO_KEYS), (Key.Key_Return, windows.NO_KEYS),
    (Key.Key_Delete, windows.NO_KEYS), (Key.Key_Delete, windows.NO_KEYS),
    (Key.Key_Return, SHIFT), (Key.Key_Tab, windows.NO_KEYS), (Key.Key_Left, windows.NO_KEYS),
    (Key.Key_Z, CONTROL), (Key.Key_Z, CONTROL), (Key.Key_Z, CONTROL | SHIFT),
    (Key.Key_P, CONTROL), (Key.Key_P, CONTROL | SHIFT), (Key.Key_Escape, windows.NO_KEYS),
    (Key.Key_PageDown, windows.NO_KEYS), (Key.Key_PageUp, windows.NO_KEYS),
]  # fmt: skip


def click(window: MainWindow, chance: random.Random) -> None:
    """On a region or on a proposal."""
    things = [*(window.workbench.document or ()), *window.workbench.state(Proposals).shown]
    if things:
        gestures.click(window.canvas, place_of(window, chance.choice(things)))


def draw(window: MainWindow, chance: random.Random) -> None:
    """Over a proposal."""
    shown = window.workbench.state(Proposals).shown
    if shown and window.workbench.document is not None:
        outline = chance.choice(shown).outline
        window.workbench.editing.add_region(outline, window.workbench.ink.primitive)


def slide(window: MainWindow, chance: random.Random) -> None:
    window.workbench.state(Proposals).list.set_minimum(chance.choice([None, 0.3, 0.8]))


def widen(window: MainWindow, chance: random.Random) -> None:
    window.workbench.state(Proposals).pages.set_everywhere(chance.random() < 0.5)


def some_key(window: MainWindow, chance: random.Random) -> None:
    window.canvas.setFocus()
    windows.press(window.canvas, *chance.choice(KEYS))
    window.part(LabelFinder).hide()


def let_pass(window: MainWindow, chance: random.Random) -> None:
    background.wait_until(lambda: False, chance.choice([0.0, 0.02, 0.1]))


ACTIONS: list[Callable[[MainWindow, random.Random], None]] = [
    *[some_key] * 6, click, draw, slide, widen, let_pass, let_pass,
]  # fmt: skip


@pytest.mark.parametrize("seed", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_anything_in_any_order(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    window, _ = open_plans(tmp_path, monkeypatch)
    workbench = window.workbench
    workbench.editing.label = LABEL
    chance = random.Random(seed)
    for _ in range(STEPS):
        chance.choice(ACTIONS)(window, chance)
        check(window)
    calm(window)
    check(window)
    wanted = {
        session.path.stem: Counter(region.label for region in session.document)
        for session in workbench.sessions
    }
    assert workbench.close()
    assert {name: Counter(labels_on_disk(window, name)) for name in wanted} == wanted
    windows.close(window)


def check(window: MainWindow) -> None:
    """What is said of the proposals is so."""
    workbench = window.workbench
    proposals = workbench.state(Proposals)
    there = {region.id for session in workbench.sessions for region in session.document}
    assert proposals.answers.accepted <= there
    assert proposals.current is None or proposals.current in proposals.shown
    assert bool(proposals.shown) == (proposals.current is not None)
    assert all(each.score >= proposals.list.minimum for each in proposals.shown)
    here = workbench.entry
    assert here is not None and here.name in PAGES
    assert all(each.page == here.name for each in proposals.shown)
    if workbench.document is None or not proposals.active:
        assert not proposals.shown
