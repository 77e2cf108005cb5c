"""Which columns and rows the table of systems has: a menu, remembered between starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from spotlab.gui.kit.known_settings import SYSTEM_COLUMNS
from spotlab.gui.kit.settings import Settings
from spotlab.gui.systems.ranking.systems_rows import PARTS, WITH, WITHOUT

VIRTUAL = "virtual"
INTERVALS = {f"{part}_interval": part for part in PARTS}
TITLES = {figure.name: figure.title for figure in (*WITHOUT, *WITH)} | {
    "precision_interval": "Interval of Precision",
    "recall_interval": "Interval of Recall",
    "f_interval": "Interval of F",
    VIRTUAL: "Rows of ⊤ and ⊥",
}
DEFAULT = (*(figure.name for figure in (*WITHOUT, *WITH)), "f_interval")


class SystemColumns:
    """What is shown of each system.

    Attributes
    ----------
    menu : QMenu
        A switch for every column, for the intervals within them, and for the rows of ⊤ and ⊥.
    """

    def __init__(self, settings: Settings, changed: Callable[[], object], parent: QWidget) -> None:
        self._settings, self._changed = settings, changed
        self._chosen = {name for name in settings.get(SYSTEM_COLUMNS) if name in TITLES}
        self._chosen = self._chosen or set(DEFAULT)
        self.menu = QMenu("Columns", parent)
        self._actions = {name: self._action(name) for name in TITLES}
        self.menu.addSeparator()
        self.menu.addAction("Show All", lambda: self._choose_all(list(TITLES)))
        self.menu.addAction("Restore Defaults", lambda: self._choose_all(DEFAULT))

    @property
    def figures(self) -> frozenset[str]:
        """Names of the figures that have a column."""
        return frozenset(self._chosen) - {*INTERVALS, VIRTUAL}

    @property
    def intervals(self) -> frozenset[str]:
        """Names of the figures whose intervals stand beside them."""
        return frozenset(part for name, part in INTERVALS.items() if name in self._chosen)

    @property
    def virtual(self) -> bool:
        """Whether ⊤ and ⊥ have rows."""
        return VIRTUAL in self._chosen

    def _action(self, name: str) -> QAction:
        if name in ("precision_interval", VIRTUAL):
            self.menu.addSeparator()
        action = self.menu.addAction(TITLES[name])
        action.setCheckable(True)
        action.setChecked(name in self._chosen)
        action.toggled.connect(partial(self._choose, name))
        return action

    def _choose(self, name: str, shown: bool) -> None:
        if shown != (name in self._chosen):  # else the menu follows
            chosen = self._chosen | {name} if shown else self._chosen - {name}
            self._choose_all([each for each in TITLES if each in chosen])

    def _choose_all(self, names: Sequence[str]) -> None:
        self._chosen = set(names)
        self._settings.set(SYSTEM_COLUMNS, list(names))
        for name, action in self._actions.items():
            action.setChecked(name in self._chosen)
        self._changed()
