"""The menu of the Regions panel: what can be done with the chosen rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Region


def menu_of_regions(
    regions: Sequence[Region], workbench: Workbench, zoom: Callable[[], object], parent: QWidget
) -> QMenu:
    """Zoom, show, hide, lock and delete; hidden and locked regions are among them."""
    visibility = workbench.state(RegionVisibility)
    hidden = all(map(visibility.is_hidden, regions))
    locked = all(map(visibility.is_locked, regions))
    label = regions[-1].label
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    _add(menu, "Zoom to Selection", zoom)
    _add(menu, "Show" if hidden else "Hide", lambda: visibility.hide(regions, not hidden))
    _add(menu, "Unlock" if locked else "Lock", lambda: visibility.lock(regions, not locked))
    _add(menu, f"Show Only {label or 'Unlabeled'}", lambda: visibility.show_only(label))
    if visibility.hides:
        _add(menu, "Show All Regions", visibility.show_all)
    menu.addSeparator()
    delete = _add(menu, "Delete", workbench.editing.remove_selected)
    delete.setEnabled(bool(workbench.selected))
    return menu


def _add(menu: QMenu, title: str, run: Callable[[], object]) -> QAction:
    action = menu.addAction(title)
    action.triggered.connect(lambda _=False: run())
    return action
