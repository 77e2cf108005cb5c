"""Which figures the tables show: a menu of all of them, remembered from one start to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from spotlab.gui.kit.known_settings import FIGURE_COLUMNS
from spotlab.gui.kit.settings import Settings
from spotlab.gui.kit.table_view import FiguresView
from spotlab.measures.measure import Figure, default_figures, known_figures


class FigureColumns:
    """The columns of some tables, which show the same figures.

    Attributes
    ----------
    menu : QMenu
        A switch for every figure.
    """

    def __init__(
        self,
        settings: Settings,
        views: Sequence[FiguresView],
        changed: Callable[[], object],
        parent: QWidget,
    ) -> None:
        self._settings, self._views, self._changed = settings, views, changed
        self._default = [figure.name for figure in default_figures()]
        known = {figure.name for figure in known_figures()}
        self._chosen = {name for name in settings.get(FIGURE_COLUMNS) if name in known}
        self._chosen = self._chosen or set(self._default)
        self.menu = QMenu("Columns", parent)
        self._actions = {figure.name: self._action(figure) for figure in known_figures()}
        self.menu.addSeparator()
        self.menu.addAction("Show All", lambda: self._choose_all(list(self._actions)))
        self.menu.addAction("Restore Defaults", lambda: self._choose_all(self._default))
        self._show()

    @property
    def shown(self) -> tuple[Figure, ...]:
        """The figures that have a column, in order."""
        return tuple(figure for figure in known_figures() if figure.name in self._chosen)

    def _action(self, figure: Figure) -> QAction:
        action = self.menu.addAction(figure.title)
        action.setCheckable(True)
        action.toggled.connect(partial(self._choose, figure.name))
        return action

    def _choose(self, name: str, shown: bool) -> None:
        if shown == (name in self._chosen):
            return  # the menu follows
        chosen = self._chosen | {name} if shown else self._chosen - {name}
        self._choose_all([each for each in self._actions if each in (chosen or {name})])

    def _choose_all(self, names: Sequence[str]) -> None:
        self._chosen = set(names)
        self._settings.set(FIGURE_COLUMNS, list(names))
        self._show()
        self._changed()

    def _show(self) -> None:
        for name, action in self._actions.items():
            action.setChecked(name in self._chosen)
        for view in self._views:
            view.use_columns(self._chosen)
