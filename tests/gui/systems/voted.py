"""A small table of votes whose groups are known, for tests of the panels beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import VoteTable
from spotlab.gui.kit import background, theme
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.state import Systems, load
from spotlab.progress import silent

Panel = TypeVar("Panel", bound=QWidget)
SYSTEMS = ("a1", "b1", "a2", "b2", "a3", "c")  # those of an engine do not stand together
ENGINES = ("a", "b", "a", "b", "a", "c")
WRONG = {"a": 0.3, "b": 0.25, "c": 0.15}


def table(items: int = 400, seed: int = 3, known: bool = True) -> VoteTable:
    """Systems of an engine share most of its errors."""
    rng = np.random.default_rng(seed)
    truth = rng.random(items) < 0.5
    opinion = {engine: truth ^ (rng.random(items) < share) for engine, share in WRONG.items()}
    columns = [opinion[engine] ^ (rng.random(items) < 0.03) for engine in ENGINES]
    return VoteTable(
        Votes.of(np.column_stack(columns), SYSTEMS),
        tuple(f"item {number}" for number in range(items)),
        truth=truth.astype(float) if known else None,
        factors={"engine": ENGINES},
        name="votes",
    )


@contextmanager
def showing(
    folder: Path, make: Callable[[Workbench], Panel], width: int = 440, height: int = 760
) -> Iterator[Panel]:
    """A panel of its own, in light."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app, "light")
    workbench = Workbench(Settings(folder / "settings.json"))
    panel = make(workbench)
    panel.resize(width, height)
    panel.show()
    QTest.qWaitForWindowExposed(panel)
    settled()
    yield panel
    workbench.state(Systems).close()
    workbench.close()
    background.wait_for_all(30)
    QToolTip.hideText()
    panel.close()
    panel.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def use(workbench: Workbench, votes: VoteTable) -> None:
    """Look at these votes, and wait until they are compared."""
    workbench.state(Systems).use(load(votes, silent))
    settled()


def settled() -> None:
    """Let everything be computed and drawn."""
    assert background.wait_for_all(30)
    for _ in range(3):
        QApplication.processEvents()
