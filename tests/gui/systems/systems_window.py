"""Votes for tests of the Systems workspace."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QApplication

from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import VoteTable
from spotlab.gui.kit import background
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.state import Systems, load
from spotlab.progress import silent
from spotlab.studies.systems.voters import paper_example

TRUTH = np.array([1, 1, 0, 0, 0, np.nan, 0])


def example(truth: bool = False) -> VoteTable:
    """The paper's Table 1, with a truth that the paper does not tell."""
    table = paper_example()
    return VoteTable(table.votes, table.items, truth=TRUTH if truth else None, name=table.name)


def many(items: int, systems: int = 24, seed: int = 0) -> VoteTable:
    """Systems that find an item with a chance of their own."""
    random = np.random.default_rng(seed)
    right = random.random(items) < 0.3
    chance = np.where(right[:, None], np.linspace(0.5, 0.95, systems), 0.1)
    votes = Votes.of(random.random((items, systems)) < chance, names(systems))
    return VoteTable(votes, tuple(map(str, range(items))), truth=right.astype(float), name="many")


def names(count: int) -> tuple[str, ...]:
    return tuple(f"system {number}" for number in range(count))


def workbench_on(folder: Path, table: VoteTable | None, compare: bool = True) -> Workbench:
    """A workbench on these votes."""
    workbench = Workbench(Settings(folder / "settings.json"))
    if table is not None:
        use(workbench.state(Systems), table, compare)
    return workbench


def use(systems: Systems, table: VoteTable, compare: bool = True) -> None:
    """Look at these votes, and wait for their comparison if it is wanted."""
    systems.use(load(table, silent))
    if not compare:
        systems.cancel()
    settle()


def settle() -> None:
    assert background.wait_for_all(30)
    for _ in range(3):
        QApplication.processEvents()
